//! Three ways must agree: the evaluator, the interpreted intermediate form, and the compiled code on the machine.
//!
//! Programs are random (`generator`), the same every time; `SEED=n` starts elsewhere, `COUNT=n` runs more. A failure prints
//! the seed and the program.

#[path = "random_programs/generator.rs"]
mod generator;

use generator::Random;
use shaders::evaluate::{BufferBinding, Evaluator};
use shaders::front_end::Module;
use shaders::interpret::{self, Launch, Memory};
use shaders::ir::verify::verify;
use shaders::translate::{Options, translate};

/// Lanes of the grid: two workgroups of 32.
const INVOCATIONS: usize = 64;

fn inputs(random: &mut Random) -> Vec<u32> {
    let number = |n: usize, random: &mut Random| match n % 4 {
        0 => n as u32,
        1 => (n as f32 * 0.75 - 8.0).to_bits(),
        _ => random.word(),
    };
    (0..INVOCATIONS).map(|n| number(n, random)).collect()
}

fn evaluate(module: &Module, inputs: &[u32], lanes: u32) -> Vec<u32> {
    let mut evaluator = Evaluator::new(module).unwrap_or_else(|error| panic!("{error}"));
    let mut input: Vec<u8> = inputs.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut output = vec![0u8; INVOCATIONS * 16];
    let mut buffers = [
        BufferBinding { group: 0, binding: 0, bytes: &mut input },
        BufferBinding { group: 0, binding: 1, bytes: &mut output },
    ];
    evaluator.run_compute([2, 1, 1], &mut buffers, &[], lanes).unwrap_or_else(|error| panic!("{error}"));
    output.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn interpret(kernel: &shaders::ir::Kernel, inputs: &[u32], lanes: u32) -> Vec<u32> {
    let mut memory = Memory::new();
    let bindings = [memory.allocate(inputs), memory.allocate(&[0; INVOCATIONS * 4])];
    let launch =
        Launch { lanes, workgroups: [2, 1, 1], bindings: &bindings, sampler: None, statement_limit: 10_000_000 };
    interpret::run(kernel, &mut memory, &launch).unwrap_or_else(|error| panic!("{error}"));
    memory.words(bindings[1]).to_vec()
}

fn number_from_outside(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_programs_mean_the_same_interpreted_and_evaluated() {
    let first = number_from_outside("SEED", 1);
    let count = number_from_outside("COUNT", 300);
    let mut refused = 0;
    for seed in first..first + count {
        let source = generator::program(seed);
        let told = |what: &str| format!("SEED={seed}: {what}\n{source}");
        // Constant expressions that WGSL refuses (a division by zero, an overflow) come up by chance.
        let module = Module::parse("random.wgsl", &source).and_then(|module| module.select("main", &[]));
        let module = match module {
            Ok(module) => module,
            Err(error) if is_constant_error(&error.report) => {
                refused += 1;
                continue;
            }
            Err(error) => panic!("{}\n{error}", told("front end")),
        };
        let kernel =
            translate(&module, &Options::default()).unwrap_or_else(|error| panic!("{}\n{error}", told("translate")));
        verify(&kernel).unwrap_or_else(|error| panic!("{}\n{error}\n{kernel}", told("verify")));
        let inputs = inputs(&mut Random(seed));
        for lanes in [4, 32] {
            let wanted = evaluate(&module, &inputs, lanes);
            let found = interpret(&kernel, &inputs, lanes);
            for (n, (wanted, found)) in wanted.iter().zip(&found).enumerate() {
                let (lane, word) = (n / 4, n % 4);
                assert_eq!(found, wanted, "{}", told(&format!("{lanes} lanes, invocation {lane}, word {word}")));
            }
        }
    }
    assert!(refused * 2 < count, "{refused} of {count} programs were refused, the generator is of no use");
}

fn is_constant_error(report: &str) -> bool {
    ["Division by zero", "Remainder by zero", "out of bounds", "out of [", "overflow", "cannot represent", "out of valid range", "NaN", "infinit"].iter().any(|text| report.contains(text))
}
