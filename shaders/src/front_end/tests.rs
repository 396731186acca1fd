//! What the front end says of bad input, and that no input brings it down.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check_report(source: &str, expected: &str) {
    let error =
        Module::parse("a.wgsl", source).and_then(|module| module.select("main", &[])).expect_err("it is refused");
    assert_eq!(error.to_string(), expected, "got:\n{error}");
}

#[test]
fn a_syntax_error_shows_its_line() {
    check_report(
        "fn f() {\n    let x = ;\n}\n",
        "error: expected expression, found \";\"\n  ┌─ a.wgsl:2:13\n  │\n2 │     let x = ;\n  │             ^ expected expression",
    );
}

#[test]
fn a_type_error_shows_both_places() {
    let source = "@compute @workgroup_size(1) fn main() {\n    var x: i32 = 1u;\n}\n";
    let error = Module::parse("a.wgsl", source).expect_err("it is refused");
    assert_eq!((error.line, error.column), (2, 9));
    assert!(error.report.contains("2 │     var x: i32 = 1u;"), "{error}");
}

#[test]
fn a_validation_error_names_the_function_and_the_cause() {
    let source = "@compute @workgroup_size(1)\nfn main() {\n    let x = dpdx(1.5);\n}\n";
    let error = Module::parse("a.wgsl", source).expect_err("a derivative in a compute shader");
    assert_eq!((error.line, error.column), (2, 1));
    assert!(error.report.contains("2 │ fn main()") && error.report.contains("forbidden at this stage"), "{error}");
}

#[test]
fn what_is_not_supported_has_a_place() {
    check_report(
        "@group(0) @binding(0) var t: texture_3d<f32>;\n@group(0) @binding(1) var s: sampler;\n@compute @workgroup_size(1) fn main() {\n    let c = textureSampleLevel(t, s, vec3<f32>(), 0.0);\n}\n",
        "error: this kind of texture is not supported, only texture_2d<f32> is\n  ┌─ a.wgsl:1:23\n  │\n1 │ @group(0) @binding(0) var t: texture_3d<f32>;\n  │                       ^^^^^^^^^^^^^^^^^^^^^^^",
    );
    check_report(
        "@compute @workgroup_size(64, 64) fn main() {}",
        "error: `main` has a workgroup of 64 × 64 × 1 invocations, a workgroup has 1 to 1024\n  ┌─ a.wgsl:1:34\n  │\n1 │ @compute @workgroup_size(64, 64) fn main() {}\n  │                                  ^^^^^^^",
    );
}

#[test]
fn unused_functions_are_not_looked_at() {
    let source = "@group(0) @binding(0) var t: texture_3d<f32>;\nfn unused() -> vec4<f32> { return textureLoad(t, vec3<i32>(), 0); }
        @compute @workgroup_size(1) fn main() {} @vertex fn v() -> @builtin(position) vec4<f32> { return vec4<f32>(); }";
    Module::parse("a.wgsl", source).and_then(|module| module.select("main", &[])).expect("main needs nothing of it");
}

#[test]
fn overrides_take_values_defaults_and_complaints() {
    let source = "override size: u32 = 4u;\noverride gain: f32;\n@id(7) override flag: bool = false;
        var<workgroup> w: array<f32, size * 2>;
        @compute @workgroup_size(size) fn main() { w[0] = gain; if flag { w[1] = 1.0; } }";
    let module = Module::parse("a.wgsl", source).expect("valid");
    let selected =
        module.select("main", &[("gain", 0.5), ("7", 1.0), ("size", 8.0)]).expect("all overrides have values");
    assert_eq!(selected.entry_point().workgroup_size, [8, 1, 1]);
    let (_, w) = selected.naga.global_variables.iter().next().expect("the workgroup variable");
    assert_eq!(selected.layouts[w.ty].size, 64);
    let error = module.select("main", &[]).expect_err("gain has no default");
    assert_eq!((error.message.as_str(), error.line), ("override `gain` has no default, and no value was given", 2));
    let error = module.select("main", &[("gian", 1.0)]).expect_err("a misspelt name");
    assert!(error.report.contains("`gian`") && error.report.contains("`flag`, `gain`, `size`"), "{error}");
    let error = module.select("mian", &[]).expect_err("a misspelt entry point");
    assert_eq!(error.report, "error: no entry point `mian` in this file\n = note: it has `main`");
}

#[test]
fn deep_nesting_is_an_error_and_not_a_stack_overflow() {
    for source in [
        format!("const a = {}1{};", "(".repeat(100_000), ")".repeat(100_000)),
        format!("const a = {}1;", "-".repeat(100_000)),
        format!("const a = 1{};", "+1".repeat(100_000)),
        format!("fn f() {{ {} }}", "{".repeat(100_000)),
        format!("fn f() {{ if a {{}} {} }}", "else if a {} ".repeat(50_000)),
        format!("const a = b{};", ".x".repeat(100_000)),
        format!("const a = b{};", "[0]".repeat(100_000)),
        format!("fn f() {{ {} }}", "loop ".repeat(100_000)),
        format!("var<private> a: {} f32 {};", "array<".repeat(50_000), ">".repeat(50_000)),
        format!("fn f() {{ {} }}", "if true { ".repeat(50_000)),
        "/*".repeat(300_000),
        "a".repeat(LONGEST_SOURCE_BYTES + 1),
    ] {
        let error = Module::parse("deep", &source).expect_err("nested too deep");
        assert!(error.report.len() < 20_000, "{}", error.report.len());
    }
}

#[test]
fn the_longest_chains_let_through_fit_the_stack() {
    let sum = format!("fn f(a: i32) -> i32 {{ return a{}; }}", "+a".repeat(4000));
    Module::parse("chain", &sum).expect("4000 operators are taken");
    let mixed = format!("fn f(a: i32) -> i32 {{ return {}a{}{}; }}", "(".repeat(90), "+a".repeat(3000), ")".repeat(90));
    Module::parse("chain", &mixed).expect("parentheses and operators together are taken");
    let calls: String = (1..20_000).map(|n| format!("fn f{n}() {{f{}();}}\n", n + 1)).collect();
    Module::parse("calls", &format!("{calls}fn f20000() {{}}")).expect("a long chain of calls is taken");
    let structures: String = (1..5000).map(|n| format!("struct S{n} {{ a: S{} }}\n", n + 1)).collect();
    // Whether naga takes so many is its business; that it comes back is ours.
    let _ = Module::parse("structures", &format!("{structures}struct S5000 {{ a: f32 }}"));
}

/// Pieces from which odd programs are made.
const TOKENS: &[&str] = &[
    "fn",
    "f",
    "main",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ";",
    ":",
    ",",
    ".",
    "->",
    "@",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "&&",
    "|",
    "~",
    "!",
    "<<",
    ">>",
    "+=",
    "==",
    "let",
    "var",
    "const",
    "override",
    "if",
    "else",
    "loop",
    "for",
    "while",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "continuing",
    "return",
    "discard",
    "struct",
    "array",
    "vec4",
    "vec3<f32>",
    "mat4x4<f32>",
    "f32",
    "i32",
    "u32",
    "bool",
    "ptr",
    "atomic<u32>",
    "private",
    "workgroup",
    "storage",
    "uniform",
    "function",
    "texture_2d<f32>",
    "sampler",
    "0",
    "1",
    "1u",
    "2.5",
    "1e40",
    "0x7fffffff",
    "4294967295u",
    "-2147483648",
    "true",
    "x",
    "y",
    "a",
    "compute",
    "fragment",
    "vertex",
    "workgroup_size(1)",
    "group(0)",
    "binding(0)",
    "location(0)",
    "builtin(position)",
    "textureSample",
    "select",
    "dpdx",
    "pow",
    "bitcast<f32>",
    "&a",
    "*a",
    "/*",
    "*/",
    "//",
    "\n",
    "\"",
    "é",
    "\u{202e}",
    "_",
    "enable",
    "subgroups",
    "diagnostic",
    "const_assert",
    "alias",
    "array<f32>",
    "array<i32, 3>",
    "atomicAdd(&a, 1u)",
    "workgroupBarrier()",
    "subgroupBallot(true)",
    "fn f(x: f32) -> f32 { return x; }",
    "@fragment fn main() -> @location(0) vec4<f32> { ",
    "@compute @workgroup_size(1) fn main() { ",
    "var<private> a: i32 = 1;",
];

fn try_everything(source: &str) {
    if let Ok(module) = Module::parse("odd", source) {
        for point in &module.naga.entry_points {
            let _ = module.select(&point.name, &[]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn random_bytes_never_bring_it_down(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        try_everything(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_tokens_never_bring_it_down(picks in prop::collection::vec(0..TOKENS.len(), 0..60)) {
        let words: Vec<_> = picks.into_iter().map(|pick| TOKENS[pick]).collect();
        try_everything(&words.join(" "));
    }

    #[test]
    fn damaged_programs_never_bring_it_down(at in 0usize..20_000, length in 0usize..40, picks in prop::collection::vec(0..TOKENS.len(), 0..4)) {
        let whole = include_str!("../prelude.wgsl");
        let start = (0..=at).rev().find(|&i| whole.is_char_boundary(i)).expect("0 is a boundary");
        let end = (start + length..).find(|&i| i >= whole.len() || whole.is_char_boundary(i)).expect("the end is one").min(whole.len());
        let words: Vec<_> = picks.into_iter().map(|pick| TOKENS[pick]).collect();
        try_everything(&format!("{} {} {}", &whole[..start], words.join(" "), &whole[end..]));
    }
}
