//! Three ways must agree: the evaluator, the interpreted intermediate form, and the compiled code on the machine.
//!
//! Programs are random (`generator`), the same every time; `SEED=n` starts elsewhere, `COUNT=n` runs more. A failure prints
//! the seed and the program.

#[path = "random_programs/fragments.rs"]
mod fragments;
#[path = "random_programs/generator.rs"]
mod generator;
#[path = "random_programs/random.rs"]
mod random;
#[path = "random_programs/textures.rs"]
mod textures;

use gpu_core::config::GpuConfig;
use gpu_core::gpu::Gpu;
use random::Random;
use shaders::compile::{CompileOptions, DivergenceMechanism, compile};
use shaders::evaluate::{BufferBinding, Evaluator};
use shaders::front_end::Module;
use shaders::interpret::{self, Launch, Memory, stage_sampler};
use shaders::ir::verify::verify;
use shaders::ir::{Binding, Kernel};
use shaders::launch::{BoundBuffer, launch};
use shaders::link::link;
use shaders::translate::{Options, SAMPLING_STATES, translate};
use texture::Stage;
use textures::Textures;

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
    let textures = Textures::of(module);
    evaluator.run_compute([2, 1, 1], &mut buffers, &textures.bound(), lanes).unwrap_or_else(|error| panic!("{error}"));
    output.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// Puts the texels of all stages into memory.
fn in_memory(textures: &Textures, memory: &mut Memory) -> Vec<Stage> {
    let words =
        |bytes: &[u8]| bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect::<Vec<_>>();
    let addresses: Vec<_> = textures.bytes().map(|bytes| memory.allocate(&words(bytes)).address).collect();
    textures.registers(&addresses)
}

/// What a kernel's binding stands for: inputs, outputs, or the states of the textures.
fn of_binding<'a, T>(place: &Binding, buffers: &'a [T; 3]) -> &'a T {
    &buffers[if place.name == SAMPLING_STATES { 2 } else { place.binding as usize }]
}

fn interpret(kernel: &Kernel, textures: &Textures, inputs: &[u32], lanes: u32) -> Vec<u32> {
    let mut memory = Memory::new();
    let stages = in_memory(textures, &mut memory);
    let sampler = stage_sampler(&stages);
    let buffers = [inputs, &[0; INVOCATIONS * 4], &textures.states()].map(|words| memory.allocate(words));
    let bindings: Vec<_> = kernel.bindings.iter().map(|place| *of_binding(place, &buffers)).collect();
    let launch = Launch {
        lanes,
        workgroups: [2, 1, 1],
        bindings: &bindings,
        sampler: Some(&sampler),
        statement_limit: 10_000_000,
    };
    interpret::run(kernel, &mut memory, &launch).unwrap_or_else(|error| panic!("{error}"));
    memory.words(buffers[1]).to_vec()
}

fn run_compiled(
    kernel: &Kernel,
    textures: &Textures,
    inputs: &[u32],
    config: GpuConfig,
    divergence: DivergenceMechanism,
) -> Vec<u32> {
    let config = config.with_divergence(divergence);
    let options = CompileOptions::for_machine(&config);
    let compiled = compile(kernel, &[], &options).unwrap_or_else(|error| panic!("{error}"));
    let mut gpu = Gpu::new(config).unwrap_or_else(|error| panic!("{error}"));
    let mut put = |bytes: &[u8]| {
        let address = gpu.allocate(bytes.len() as u32, "buffer").expect("memory is large enough");
        gpu.upload(address, bytes).expect("the buffer was allocated");
        BoundBuffer { address, bytes: bytes.len() as u32 }
    };
    let buffers = [inputs.to_vec(), vec![0; INVOCATIONS * 4], textures.states()]
        .map(|words| put(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()));
    let addresses: Vec<_> = textures.bytes().map(|bytes| put(bytes).address.0).collect();
    for (number, stage) in (0..).zip(&textures.registers(&addresses)[..textures.held()]) {
        gpu.set_texture_stage(number, stage).expect("the machine has stages");
    }
    let bound: Vec<_> = compiled.bindings.iter().map(|place| *of_binding(place, &buffers)).collect();
    launch(&mut gpu, &compiled, &bound, [2, 1, 1]).unwrap_or_else(|error| panic!("{error}: {:?}", error));
    let bytes = gpu.read_back(buffers[1].address, buffers[1].bytes).expect("the buffer was allocated");
    bytes.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn number_from_outside(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Calls `check` with the seed and text of `COUNT` programs, and the module where WGSL takes it.
fn for_each_program(count: u64, program: fn(u64) -> String, check: impl Fn(u64, &str, &Module)) {
    let first = number_from_outside("SEED", 1);
    let count = number_from_outside("COUNT", count);
    let mut refused = 0;
    for seed in first..first + count {
        // Shown when something panics.
        println!("SEED={seed}");
        let source = program(seed);
        // Constant expressions that WGSL refuses (a division by zero, an overflow) come up by chance.
        match Module::parse("random.wgsl", &source).and_then(|module| module.select("main", &[])) {
            Ok(module) => check(seed, &source, &module),
            Err(error) if is_constant_error(&error.report) => refused += 1,
            Err(error) => panic!("SEED={seed}: front end\n{source}\n{error}"),
        }
    }
    assert!(refused * 2 <= count, "{refused} of {count} programs were refused, the generator is of no use");
}

#[test]
fn random_programs_mean_the_same_however_they_run() {
    for_each_program(300, generator::program, |seed, source, module| {
        let told = |what: &str| format!("SEED={seed}: {what}\n{source}");
        let kernel = translate(module, &Options::default()).unwrap_or_else(|error| panic!("{}\n{error}", told("")));
        verify(&kernel).unwrap_or_else(|error| panic!("{}\n{error}\n{kernel}", told("verify")));
        let inputs = inputs(&mut Random(seed));
        let textures = Textures::of(module);
        for lanes in [4, 32] {
            let wanted = evaluate(module, &inputs, lanes);
            let interpreted = interpret(&kernel, &textures, &inputs, lanes);
            let config = if lanes == 4 { GpuConfig::vortex(1, 8, lanes) } else { GpuConfig::wide(2, 2, lanes) };
            let [ipdom, mask] = DivergenceMechanism::EVERY
                .map(|divergence| run_compiled(&kernel, &textures, &inputs, config, divergence));
            for (who, found) in [("interpreted", interpreted), ("compiled", ipdom), ("compiled to masks", mask)] {
                let differing = wanted.iter().zip(&found).position(|(wanted, found)| wanted != found);
                if let Some(n) = differing {
                    let place = format!("{who}, {lanes} lanes, invocation {}, word {}", n / 4, n % 4);
                    assert_eq!(found[n], wanted[n], "{}", told(&place));
                }
            }
        }
    });
}

#[test]
fn random_fragment_shaders_mean_the_same_linked_and_evaluated() {
    let kernel = Module::parse("shade_16.wgsl", fragments::KERNEL).and_then(|module| module.select("main", &[]));
    let kernel = kernel.unwrap_or_else(|error| panic!("{error}"));
    for_each_program(300, generator::fragment_program, |seed, source, module| {
        let told = |what: &str| format!("SEED={seed}: {what}\n{source}");
        let linked = link(&kernel, module, &Options::default()).unwrap_or_else(|error| panic!("{}\n{error}", told("")));
        verify(&linked).unwrap_or_else(|error| panic!("{}\n{error}\n{linked}", told("verify")));
        let mut random = Random(seed);
        let pixels: Vec<_> = (0..fragments::PIXELS).map(|n| fragments::input(n, &mut random)).collect();
        let wanted = fragments::evaluate(module, &pixels);
        for lanes in [4, 16] {
            let found = fragments::interpret(&linked, &Textures::of(module), &pixels, lanes);
            for (n, (wanted, found)) in wanted.iter().zip(&found).enumerate() {
                assert_eq!(found, wanted, "{}", told(&format!("pixel {n}, {lanes} lanes")));
            }
        }
    });
}

fn is_constant_error(report: &str) -> bool {
    [
        "Division by zero",
        "Remainder by zero",
        "out of bounds",
        "out of [",
        "overflow",
        "cannot represent",
        "out of valid range",
        "is greater than `high`",
        "NaN",
        "infinit",
    ]
    .iter()
    .any(|text| report.contains(text))
}
