//! Whatever is given to the compiler, it ends with code or with an error, and never panics: random bytes, random tokens, and
//! programs that were changed at random, in WGSL, GLSL and SPIR-V.
//!
//! The same every time; `SEED=n` starts elsewhere, `ITERATIONS=n` goes on for longer. A failure is preceded by the seed of its
//! source; `SOURCE=1` prints it.

#[allow(dead_code)]
#[path = "programs/table/mod.rs"]
mod table;

#[allow(dead_code)]
#[path = "random_programs/random.rs"]
mod random;

use gpu_core::isa::ExtensionSet;
use random::Random;
use shaders::compile::{CompileOptions, compile};
use shaders::evaluate::Evaluator;
use shaders::front_end::{EntryStage, GlslStage, Language, Module};
use shaders::translate::{Options, translate};

/// How far a source came.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum End {
    /// The front end refused it, or what follows did.
    Refused,
    /// A front end that is not ours panicked, which became an error.
    Caught,
    /// There is code.
    Compiled,
}

/// Through everything that sees a source before it runs.
fn compiled(language: Language, source: &[u8]) -> End {
    let module = match Module::parse_in(language, "hostile", source) {
        Ok(module) => module,
        Err(error) => {
            assert!(!error.message.is_empty() && error.report.len() < 1 << 20, "an error says something, and ends");
            return if error.report.contains("front end failed") { End::Caught } else { End::Refused };
        }
    };
    let mut end = End::Refused;
    let entries: Vec<_> = module.entries().map(|(name, stage)| (name.to_owned(), stage)).collect();
    for (entry, stage) in entries {
        let Ok(selected) = module.select(&entry, &[]) else { continue };
        let _ = Evaluator::new(&selected);
        if stage != EntryStage::Compute {
            continue;
        }
        let Ok(kernel) = translate(&selected, &Options::default()) else { continue };
        if compile(&kernel, &[], &CompileOptions::new(8, 32, ExtensionSet::ALL)).is_ok() {
            end = End::Compiled;
        }
    }
    end
}

fn number_from_outside(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Compiles sources that `make` makes of seeds, and says how they ended.
fn each_source(iterations: u64, language: impl Fn(u64) -> Language, make: impl Fn(&mut Random) -> Vec<u8>) -> [u64; 3] {
    let first = number_from_outside("SEED", 1);
    let mut ends = [0; 3];
    for seed in first..first + number_from_outside("ITERATIONS", iterations) {
        // Shown when something panics.
        println!("SEED={seed}");
        let source = make(&mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        if std::env::var_os("SOURCE").is_some() {
            println!("{}", String::from_utf8_lossy(&source));
        }
        ends[compiled(language(seed), &source) as usize] += 1;
    }
    println!("{} refused, {} caught, {} compiled", ends[0], ends[1], ends[2]);
    ends
}

/// Words and signs of a text, with the spaces between them.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            0
        } else if c.is_whitespace() {
            1
        } else {
            2 + c as u32
        }
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| class(c) != class(first)).unwrap_or(rest.len());
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

fn below(random: &mut Random, limit: usize) -> usize {
    random.word() as usize % limit.max(1)
}

fn sources() -> Vec<&'static str> {
    table::programs().map(|program| program.source).collect()
}

/// A program with a few tokens taken away, doubled, exchanged, or replaced by tokens of another program.
fn changed(random: &mut Random) -> Vec<u8> {
    let all = sources();
    let mut own = tokens(all[below(random, all.len())]);
    let other = tokens(all[below(random, all.len())]);
    for _ in 0..1 + below(random, 3) {
        let (at, elsewhere) = (below(random, own.len()), below(random, other.len()));
        match random.word() % 6 {
            0 => drop(own.remove(at)),
            1 => own.insert(at, own[at]),
            2 => own[at] = other[elsewhere],
            3 => {
                let to = below(random, own.len());
                own.swap(at, to);
            }
            4 => {
                let part = &other[elsewhere..(elsewhere + 20).min(other.len())];
                own.splice(at..at, part.iter().copied());
            }
            _ => {
                own[at] = ["0", "4294967295u", "-1", "1e38", "0x80000000", "vec4<f32>", "&", "array", "{", "loop", "@"]
                    [below(random, 11)]
            }
        }
        if own.is_empty() {
            break;
        }
    }
    own.concat().into_bytes()
}

#[test]
fn changed_programs_compile_or_are_refused() {
    let [refused, _, compiled] = each_source(250, |_| Language::Wgsl, changed);
    // Some changes keep a program whole; most do not.
    assert!(compiled > 0 && refused > 0);
}

#[test]
fn random_tokens_are_refused() {
    let all: Vec<&str> = sources().into_iter().flat_map(tokens).collect();
    each_source(
        250,
        |_| Language::Wgsl,
        |random| {
            let count = 1 + below(random, 200);
            (0..count).map(|_| all[below(random, all.len())]).collect::<Vec<_>>().join(" ").into_bytes()
        },
    );
}

#[test]
fn random_bytes_are_refused() {
    let languages = Language::NAMES.map(|(_, language)| language);
    each_source(
        400,
        move |seed| languages[seed as usize % 5],
        |random| {
            let count = below(random, 400);
            (0..count).map(|_| random.word() as u8).collect()
        },
    );
}

/// A shader in GLSL to be changed.
const GLSL: &str = "#version 450
#define COUNT 8
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer Numbers { float numbers[]; };
layout(set = 0, binding = 1) buffer Results { vec4 results[]; };
layout(set = 0, binding = 2) uniform Factors { mat4 turn; vec3 shift; int mode; };
struct Ray { vec3 start; vec3 aim; };
shared float sums[32];
float twice(inout float x) { x *= 2.0; return x + 1.0; }
void main() {
    uint i = gl_GlobalInvocationID.x;
    Ray ray = Ray(vec3(numbers[i]), normalize(shift));
    float sum = 0.0;
    for (int n = 0; n < COUNT; n++) { if (n == mode) continue; sum += ray.start.x * float(n); }
    sums[gl_LocalInvocationIndex] = sum;
    barrier();
    switch (mode) { case 1: sum += sums[0]; break; case 2: sum = twice(sum); break; default: sum -= 1.0; }
    results[i] = turn * vec4(ray.aim * sum, clamp(sum, 0.0, 1.0));
}
";

#[test]
fn changed_glsl_compiles_or_is_refused() {
    let comp = Language::Glsl(GlslStage::Compute);
    let whole = Module::parse_in(comp, "whole.comp", GLSL.as_bytes()).and_then(|module| module.select("main", &[]));
    whole.and_then(|module| translate(&module, &Options::default())).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(compiled(comp, GLSL.as_bytes()), End::Compiled);
    each_source(
        250,
        move |_| comp,
        |random| {
            let mut own = tokens(GLSL);
            for _ in 0..1 + below(random, 3) {
                let (at, to) = (below(random, own.len()), below(random, own.len()));
                match random.word() % 4 {
                    0 => drop(own.remove(at)),
                    1 => own.insert(at, own[to]),
                    2 => own[at] = own[to],
                    _ => own.swap(at, to),
                }
            }
            own.concat().into_bytes()
        },
    );
}

/// A program as SPIR-V; naga cannot write all of them.
fn spirv(program: &table::Program) -> Option<Vec<u8>> {
    let module =
        Module::parse(program.name, program.source).and_then(|module| module.select("main", program.overrides));
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    let options = naga::back::spv::Options::default();
    let write = || naga::back::spv::write_vec(&module.naga, &module.info, &options, None);
    let words = std::panic::catch_unwind(std::panic::AssertUnwindSafe(write)).ok()?.ok()?;
    Some(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

#[test]
fn changed_spirv_compiles_or_is_refused() {
    let all: Vec<Vec<u8>> = table::programs().step_by(7).filter_map(spirv).collect();
    assert!(all.len() > 12, "{} programs", all.len());
    each_source(
        250,
        |_| Language::SpirV,
        |random| {
            let mut bytes = all[below(random, all.len())].clone();
            for _ in 0..1 + below(random, 3) {
                // Words that come next to each other often are: the changes are small numbers.
                let at = below(random, bytes.len() / 4) * 4;
                bytes[at] = match random.word() % 3 {
                    0 => random.word() as u8,
                    1 => bytes[at].wrapping_add(1),
                    _ => bytes[at].wrapping_sub(1),
                };
            }
            bytes
        },
    );
}

#[test]
fn what_is_huge_or_deep_is_refused_in_every_language() {
    let comp = Language::Glsl(GlslStage::Compute);
    let main = |body: &str| format!("#version 450\nlayout(local_size_x = 1) in;\nvoid main() {{ {body} }}\n");
    for (language, source) in [
        (Language::Wgsl, " ".repeat((1 << 20) + 1)),
        (comp, " ".repeat((1 << 20) + 1)),
        (Language::SpirV, " ".repeat((1 << 20) + 1)),
        (comp, main(&format!("int a = {}1{};", "(".repeat(50_000), ")".repeat(50_000)))),
        (comp, main(&format!("{}{}", "{".repeat(100_000), "}".repeat(100_000)))),
        (comp, main(&format!("int a = {}1;", "-".repeat(200_000)))),
        (comp, main(&format!("int a = {}1;", "1 + ".repeat(100_000)))),
        (comp, main(&"if (true) {} else ".repeat(20_000))),
        (comp, format!("#version 450\n{}", "#if 1\n".repeat(100_000))),
        (comp, main(&format!("int a = true {} : 1;", "? 1 : true ".repeat(20_000)))),
        (Language::Wgsl, "fn f() { f(); } @compute @workgroup_size(1) fn main() { f(); }".to_owned()),
        (comp, "#version 450\nvoid f() { f(); }\nvoid main() { f(); }\n".to_owned()),
    ] {
        assert_eq!(compiled(language, source.as_bytes()), End::Refused, "{}", &source[..source.len().min(200)]);
    }
}
