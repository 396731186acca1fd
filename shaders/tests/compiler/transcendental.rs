//! Builtins on machines with transcendental instructions, and without: evaluator, interpreter and machine agree to the bit, and
//! each is within WGSL's bounds.

use gpu_core::config::GpuConfig;
use gpu_core::isa::{Extension, ExtensionSet};
use shaders::compile::{BackEndError, Mutation, compile};
use shaders::evaluate::{BufferBinding, Evaluator};
use shaders::front_end::Module;
use shaders::ir::Kernel;
use shaders::translate::{Options, translate};

use crate::run::{Setting, interpreted, simulated};

/// What a builtin is called with, `x` and `y`; the true value by the host's f64 functions; and what WGSL allows, as an
/// absolute error and as units of the last place ("Accuracy of Built-in Functions"; inherited bounds are worked out for the
/// range).
type Row = (&'static str, fn(f64, f64) -> f64, fn(f64) -> bool, f64, f64);

const ROWS: &[Row] = &[
    ("exp(x)", |x, _| x.exp(), |x| x.abs() < 80.0, 0.0, 163.0),
    ("exp2(x)", |x, _| x.exp2(), |x| x.abs() < 80.0, 0.0, 163.0),
    ("log(x)", |x, _| x.ln(), |x| x > 0.0, 4.8e-7, 3.0),
    ("log2(x)", |x, _| x.log2(), |x| x > 0.0, 4.8e-7, 3.0),
    // exp2(y · log2 x), where the exponent is below 64: its own error of 3 ulp and the rounding of the product, times ln 2 · 64.
    ("pow(x, y)", f64::powf, |x| (0.1..10.0).contains(&x), 0.0, 800.0),
    ("sin(x)", |x, _| x.sin(), |x| x.abs() <= std::f64::consts::PI, 4.9e-4, 0.0),
    ("cos(x)", |x, _| x.cos(), |x| x.abs() <= std::f64::consts::PI, 4.9e-4, 0.0),
    // sin x / cos x away from the poles.
    ("tan(x)", |x, _| x.tan(), |x| x.abs() <= 1.0, 3e-3, 0.0),
    ("asin(x)", |x, _| x.asin(), |x| x.abs() <= 1.0, 6.8e-5, 0.0),
    ("acos(x)", |x, _| x.acos(), |x| x.abs() <= 1.0, 6.7e-5, 0.0),
    ("atan(x)", |x, _| x.atan(), |_| true, 0.0, 4096.0),
    ("atan2(x, y)", f64::atan2, |x| x != 0.0, 0.0, 4096.0),
    ("sinh(x)", |x, _| x.sinh(), |x| x.abs() < 40.0, 1e-6, 120.0),
    ("cosh(x)", |x, _| x.cosh(), |x| x.abs() < 40.0, 0.0, 120.0),
    ("tanh(x)", |x, _| x.tanh(), |_| true, 1e-5, 5.0),
    ("asinh(x)", |x, _| x.asinh(), |_| true, 1e-6, 8.0),
    ("acosh(x)", |x, _| x.acosh(), |x| x > 1.1, 1e-6, 8.0),
    ("atanh(x)", |x, _| x.atanh(), |x| x.abs() < 0.99, 1e-6, 8.0),
    ("inverseSqrt(x)", |x, _| 1.0 / x.sqrt(), |x| x > 0.0, 0.0, 2.0),
    ("normalize(vec3(x, y, 1.0)).x", |x, y| x / (x * x + y * y + 1.0).sqrt(), |x| x.abs() < 1e15, 0.0, 8.0),
];

/// Arguments of each row.
const COUNT: usize = 64;

/// x and y: small whole numbers and halves, numbers of many sizes and both signs, special values last.
fn operands() -> Vec<u32> {
    let mut words = Vec::new();
    for n in 0..COUNT as u32 {
        let x = (n as f32 - 24.0) / 16.0 * if n % 3 == 0 { 37.0 } else { 1.0 };
        let y = (n % 13) as f32 / 2.0 - 3.0;
        let special = [0x7f80_0000, 0xff80_0000, 0x7fc0_0001, 0x7f80_0001, 0, 0x8000_0000, 1, 0xc580_0000];
        let x = if n >= 56 { special[n as usize - 56] } else { x.to_bits() };
        words.extend([x, y.to_bits()]);
    }
    words
}

fn source() -> String {
    let stores: Vec<String> =
        ROWS.iter().enumerate().map(|(n, row)| format!("out[i * {}u + {n}u] = {};", ROWS.len(), row.0)).collect();
    format!(
        "@group(0) @binding(0) var<storage, read> input: array<vec2<f32>>;
         @group(0) @binding(1) var<storage, read_write> out: array<f32>;
         @compute @workgroup_size({COUNT}) fn main(@builtin(local_invocation_index) i: u32) {{
             let x = input[i].x; let y = input[i].y;
             {}
         }}",
        stores.join("\n")
    )
}

fn module(source: &str) -> Module {
    let module = Module::parse("test.wgsl", source).unwrap_or_else(|error| panic!("{error}"));
    module.select("main", &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn kernel(module: &Module, extensions: ExtensionSet) -> Kernel {
    translate(module, &Options { extensions, ..Options::default() }).unwrap_or_else(|error| panic!("{error}"))
}

fn evaluated(module: &Module, extensions: ExtensionSet, input: &[u32], words: usize) -> Vec<u32> {
    let mut evaluator = Evaluator::for_machine(module, extensions).unwrap_or_else(|error| panic!("{error}"));
    let mut input: Vec<u8> = input.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut output = vec![0; 4 * words];
    let mut buffers = [
        BufferBinding { group: 0, binding: 0, bytes: &mut input },
        BufferBinding { group: 0, binding: 1, bytes: &mut output },
    ];
    evaluator.run_compute([1, 1, 1], &mut buffers, &[], 8).unwrap_or_else(|error| panic!("{error}"));
    output.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

/// The machine of `setting` with these groups.
fn with(setting: &Setting, groups: ExtensionSet) -> Setting {
    let extensions = setting.config.extensions.union(groups);
    Setting { config: GpuConfig { extensions, ..setting.config }, ..setting.clone() }
}

/// No groups, all, those for 3D, and one that a composite builtin calls.
fn groups() -> [ExtensionSet; 4] {
    let three = ExtensionSet::NONE.with(Extension::Zftrans).with(Extension::Ztrigpi).with(Extension::Zarctrigpi);
    let none = ExtensionSet::NONE;
    [none, ExtensionSet::TRANSCENDENTAL, three, none.with(Extension::ZftransExt).with(Extension::Zfrsqrt)]
}

#[test]
fn device_equals_evaluator_with_any_groups() {
    let (module, input) = (module(&source()), operands());
    let words = COUNT * ROWS.len();
    for groups in groups() {
        for setting in [Setting::new(8), Setting::variants(4).swap_remove(4), Setting::variants(16).swap_remove(3)] {
            let setting = with(&setting, groups);
            let expected = evaluated(&module, setting.config.extensions, &input, words);
            let kernel = kernel(&module, setting.config.extensions);
            let buffers = [input.clone(), vec![0; words]];
            let lanes = setting.config.lanes;
            assert_eq!(interpreted(&kernel, lanes, &buffers, [1, 1, 1])[1], expected, "interpreted, {groups:?}");
            let actual = simulated(&kernel, &setting, &buffers, [1, 1, 1]).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(actual[1], expected, "on the machine, {groups:?}");
        }
    }
}

#[test]
fn builtins_are_within_the_bounds_of_wgsl_with_instructions_and_without() {
    let (module, input) = (module(&source()), operands());
    for groups in groups() {
        let results = evaluated(&module, groups, &input, COUNT * ROWS.len());
        for (n, &(text, truth, is_in_range, absolute, ulps)) in ROWS.iter().enumerate() {
            let mut looked_at = 0;
            for (i, pair) in input.chunks_exact(2).enumerate().take(56) {
                let [x, y] = [pair[0], pair[1]].map(|bits| f64::from(f32::from_bits(bits)));
                if !is_in_range(x) {
                    continue;
                }
                let (truth, got) = (truth(x, y), f64::from(f32::from_bits(results[i * ROWS.len() + n])));
                let unit = f64::exp2(truth.abs().log2().floor().max(-126.0) - 23.0);
                let allowed = absolute.max(ulps * unit);
                assert!((got - truth).abs() <= allowed, "{text} of {x}, {y} with {groups:?}: {got}, true is {truth}");
                looked_at += 1;
            }
            assert!(looked_at >= 15, "{text}: {looked_at}");
        }
    }
}

/// The mnemonics of a kernel's transcendental instructions, in order, and the place of each.
fn instructions(source: &str) -> Vec<(usize, String)> {
    instructions_by(&Setting::new(8), source)
}

fn instructions_by(setting: &Setting, source: &str) -> Vec<(usize, String)> {
    let setting = with(setting, ExtensionSet::TRANSCENDENTAL);
    let listing = setting.compile(&kernel(&module(source), setting.config.extensions)).listing();
    let lines = listing.lines().filter(|line| !line.starts_with(';'));
    let names = lines.map(|line| line.split_whitespace().nth(2).unwrap_or_default().to_owned());
    let is_one =
        |name: &str| gpu_core::isa::SPECS.iter().any(|spec| spec.mnemonic == name && is_of_groups(spec.extension));
    names.enumerate().filter(|(_, name)| is_one(name)).collect()
}

fn is_of_groups(extension: Extension) -> bool {
    ExtensionSet::TRANSCENDENTAL.contains(extension)
}

#[test]
fn each_builtin_is_its_instruction() {
    let names: Vec<String> = instructions(&source()).into_iter().map(|(_, name)| name).collect();
    let mut expected =
        "fexp.s fexp2.s flog.s flog2.s fpow.s fsin.s fcos.s ftan.s fasin.s facos.s fatan.s fatan2.s fsinh.s \
                        fcosh.s ftanh.s fasinh.s facosh.s fatanh.s frsqrt.s frsqrt.s"
            .split(' ')
            .collect::<Vec<_>>();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected);
}

/// Whatever the order in the source, sine comes first and cosine right after it.
#[test]
fn sine_and_cosine_of_one_argument_stand_in_the_order_that_fuses() {
    for body in [
        "out[i] = cos(input[i].x); out[i + 64u] = sin(input[i].x) * 2.0;",
        "let s = sin(input[i].x); out[i] = s * 3.0 + input[i].y; out[i + 64u] = cos(input[i].x);",
        "if input[i].y > 1.0 { let x = input[i].x; out[i] = cos(x) * cos(x) - sin(x); }",
    ] {
        let source = source();
        let head = source.split("let x").next().expect("it has a head");
        let found = instructions(&format!("{head} {body} }}"));
        let [(first, sine), (second, cosine)] = &found[..] else { panic!("{body}: {found:?}") };
        assert_eq!((sine.as_str(), cosine.as_str(), second - first), ("fsin.s", "fcos.s", 1), "{body}");
        let planted = Setting { mutation: Some(Mutation::FuseBackwards), ..Setting::new(8) };
        assert_ne!(instructions_by(&planted, &format!("{head} {body} }}")), found, "the fault shows");
    }
}

#[test]
fn a_kernel_for_more_than_the_machine_has_is_refused() {
    let kernel = kernel(&module(&source()), ExtensionSet::TRANSCENDENTAL);
    let error = compile(&kernel, &[], &Setting::new(8).options()).expect_err("the machine lacks them");
    assert!(matches!(error, BackEndError::Extension { extension: Extension::ZftransExt, .. }), "{error}");
    assert!(error.to_string().contains("`fexp.s`"), "{error}");
}
