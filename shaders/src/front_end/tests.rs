//! What the front end says of bad input, and that no input brings it down.

use proptest::prelude::*;

use super::*;
use crate::evaluate::{BufferBinding, Evaluator, FragmentInput, FragmentResources};

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

#[test]
fn more_than_the_machine_holds_is_refused() {
    let message = |source: &str| {
        let module = Module::parse("much", source).expect("naga takes it");
        module.select("main", &[]).expect_err("it is refused").message
    };
    let large = "@compute @workgroup_size(1) fn main() { var a: array<vec4<u32>, 300>; let b = a; }";
    assert!(message(large).starts_with("a value of 1200 scalars is loaded at once, the limit is 1024"));
    let larger = "@compute @workgroup_size(1) fn main() { var a: array<vec3<u32>, 5000>; a[1].x = 1u; }";
    assert_eq!(message(larger), "this takes 80000 bytes, outside buffers the limit is 65536 bytes");
    let textures: String = (0..5).map(|n| format!("@group(0) @binding({n}) var t{n}: texture_2d<f32>;\n")).collect();
    let loads: String = (0..5).map(|n| format!("+ textureLoad(t{n}, vec2<i32>(), 0)")).collect();
    let source = format!("{textures} @fragment fn main() -> @location(0) vec4<f32> {{ return vec4<f32>() {loads}; }}");
    assert!(message(&source).starts_with("`main` uses 5 pairs of texture and sampler"));
    let offset = "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;
        @fragment fn main() -> @location(0) vec4<f32> { return textureSample(t, s, vec2<f32>(), vec2<i32>(1, 0)); }";
    assert_eq!(message(offset), "an offset of a texture sample is not supported");
    let gather = "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;
        @fragment fn main() -> @location(0) vec4<f32> { return textureGather(1, t, s, vec2<f32>()); }";
    assert_eq!(message(gather), "textureGather is not supported");
    let store = "@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, write>;
        @compute @workgroup_size(1) fn main() { textureStore(t, vec2<i32>(), vec4<f32>()); }";
    assert_eq!(message(store), "this kind of texture is not supported, only texture_2d<f32> is");
    let sum =
        "@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { let s = subgroupAdd(i); }";
    assert_eq!(
        message(sum),
        "subgroup arithmetic is not supported; build it from shuffles, in an order of your choice"
    );
}

#[test]
fn endless_inlining_is_refused() {
    let message = |calls: String| {
        let source = format!("{calls}\n@compute @workgroup_size(1) fn main() {{ f0(); }}");
        let module = Module::parse("calls", &source).expect("naga takes it");
        module.select("main", &[]).expect_err("it is refused").message
    };
    let chain: String = (0..5000).map(|n| format!("fn f{n}() {{f{}();}}\n", n + 1)).collect();
    assert!(message(format!("{chain}fn f5000() {{}}")).contains("nests 5002 blocks and calls, the limit is 250"));
    let doubling: String = (0..40).map(|n| format!("fn f{n}() {{f{0}();f{0}();}}\n", n + 1)).collect();
    assert!(message(format!("{doubling}fn f40() {{}}")).contains("operations once its calls are inlined"));
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

/// `COUNT=100000 cargo test …` looks further.
fn cases() -> ProptestConfig {
    let count = std::env::var("COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(count) }
}

fn try_everything(source: &str) {
    if let Ok(module) = Module::parse("odd", source) {
        for point in &module.naga.entry_points {
            let Ok(selected) = module.select(&point.name, &[]) else { continue };
            let Ok(mut evaluator) = Evaluator::new(&selected) else { continue };
            evaluator.step_limit = 1000;
            let mut bytes = [0u8; 64];
            let mut buffers = [BufferBinding { group: 0, binding: 0, bytes: &mut bytes }];
            let _ = evaluator.run_compute([1, 1, 1], &mut buffers, &[], 4);
            let _ = evaluator.run_quad(&[FragmentInput::default(); 4], &FragmentResources::default());
        }
    }
}

/// Whole programs of many features, to be damaged word by word.
const PROGRAMS: &[&str] = &[
    "struct S { a : array < vec3 < f32 > , 4 > , m : mat3x2 < f32 > , n : atomic < u32 > }
     @group(0) @binding(0) var < storage , read_write > s : S ; var < workgroup > w : array < i32 , 8 > ; var < private > p : vec4 < f32 > ;
     const k = 3 ; override o : u32 = 2u ;
     fn g ( q : ptr < function , vec2 < f32 > > , i : i32 ) -> f32 { ( * q ) . x += 1.0 ; if i > k { return - ( * q ) . y ; } return f32 ( i ) ; }
     @compute @workgroup_size(4) fn main ( @builtin(local_invocation_id) l : vec3 < u32 > ) {
       var v = vec2 < f32 > ( 1.0 , f32 ( l . x ) ) ; var t : array < i32 , 5 > ;
       for ( var i = 0 ; i < 5 ; i ++ ) { t [ i ] = i * i ; if t [ i ] > 9 { continue ; } w [ i ] += t [ i ] ; }
       loop { v . y += 1.0 ; switch i32 ( v . y ) { case 1 , 2 : { break ; } default : { p . x = sin ( v . x ) ; } } continuing { break if v . y > 6.0 ; } }
       let r = g ( & v , t [ l . x ] ) ; s . a [ l . x ] = vec3 < f32 > ( r , p . x , s . m [ 1 ] . y ) ; atomicAdd ( & s . n , o ) ;
       workgroupBarrier ( ) ; s . a [ 0 ] . z = f32 ( w [ l . x ] ) ; }",
    "struct I { @location(0) uv : vec2 < f32 > , @location(1) @interpolate(flat) id : u32 , @builtin(position) p : vec4 < f32 > }
     var < private > c : vec4 < f32 > = vec4 < f32 > ( 1.0 ) ;
     fn cut ( x : f32 ) -> f32 { if x < 0.5 { discard ; } return x * 2.0 ; }
     @fragment fn main ( i : I , @builtin(front_facing) f : bool ) -> @location(0) vec4 < f32 > {
       let d = dpdx ( i . uv ) + fwidth ( i . uv ) ; c *= select ( d . x , cut ( i . p . x ) , f ) ;
       let m = mat2x2 < f32 > ( d , i . uv ) ; let q = m * d ; let z = modf ( q . x ) ;
       while c . w < 3.0 { c . w += normalize ( vec3 < f32 > ( q , 1.0 ) ) . z ; }
       return vec4 < f32 > ( pow ( q . x , 2.0 ) , z . fract , f32 ( countOneBits ( i . id ) ) , unpack4x8unorm ( i . id ) . x ) + c ; }",
];

proptest! {
    #![proptest_config(cases())]

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

    #[test]
    fn programs_with_words_lost_swapped_or_added_never_bring_it_down(
        which in 0..PROGRAMS.len(),
        edits in prop::collection::vec((0usize..4, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
    ) {
        let mut words: Vec<_> = PROGRAMS[which].split_whitespace().collect();
        for (edit, at, other) in edits {
            let (at, other) = (at.index(words.len()), other.index(words.len()));
            match edit {
                0 => _ = words.remove(at),
                1 => words.swap(at, other),
                2 => words[at] = words[other],
                _ => words.insert(at, TOKENS[other % TOKENS.len()]),
            }
        }
        try_everything(&words.join(" "));
    }
}

#[test]
fn the_programs_to_be_damaged_run_undamaged() {
    for source in PROGRAMS {
        let module = Module::parse("whole", source).and_then(|module| module.select("main", &[]));
        module.and_then(|module| Evaluator::new(&module)).unwrap_or_else(|error| panic!("{error}"));
    }
}
