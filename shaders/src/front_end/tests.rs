//! What the front end says of bad input; `evaluate` has the tests that throw random programs at both.

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
        "@group(0) @binding(0) var t: texture_storage_2d<rg8unorm, write>;\n@compute @workgroup_size(1) fn main() {\n    textureStore(t, vec2<i32>(), vec4<f32>());\n}\n",
        "error: Rg8Unorm is not a storage format of WebGPU's core\n  ┌─ a.wgsl:1:23\n  │\n1 │ @group(0) @binding(0) var t: texture_storage_2d<rg8unorm, write>;\n  │                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
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
    let refused = |key: &str, value: f64| {
        let values = [("gain", 1.0), (key, value)];
        module.select("main", if key == "gain" { &values[1..] } else { &values }).expect_err("no such value")
    };
    let error = refused("size", f64::NAN);
    let message = "override `size` is a u32, 0 to 4294967295; NaN is not among these";
    assert_eq!((error.message.as_str(), error.line), (message, 1));
    assert!(refused("size", -1.0).message.ends_with("; -1 is not among these"));
    assert!(refused("size", 4_294_967_296.0).message.ends_with("; 4294967296 is not among these"));
    assert!(refused("gain", f64::INFINITY).message.contains("`gain` is an f32") && refused("gain", 1e39).line == 2);
    assert!(refused("size", 0.0).message.contains("a side of the workgroup 0"), "{}", refused("size", 0.0));
    let error = module.select("main", &[("gain", 1.0), ("gain", 2.0)]).expect_err("two values");
    assert_eq!(error.message, "override `gain` is given twice");
    let error = module.select("mian", &[]).expect_err("a misspelt entry point");
    assert_eq!(error.report, "error: no entry point `mian` in this file\n = note: it has `main`");
}

#[test]
fn types_beyond_the_core_are_refused_where_they_stand() {
    let refused = |source: &str| Module::parse("a.wgsl", source).expect_err("no such type here");
    let main = "@compute @workgroup_size(1) fn main() {";
    for ty in ["f64", "i64", "u64"] {
        // Not within a longer name.
        let error = refused(&format!("const my_{ty}_x = 1;\n{main}\n    var x: {ty};\n}}"));
        assert_eq!(error.line, 3, "{error}");
        assert!(error.report.contains(&format!("WebGPU's core has no type `{ty}`")), "{error}");
    }
    let error = refused(&format!("// f16\nenable subgroups, f16;\n{main} let x = f16(1.0); }}"));
    assert!(error.message.starts_with("`enable f16` is not supported: this machine has no 16-bit floats"), "{error}");
    assert!(error.report.contains("a.wgsl:2:19"), "{error}");
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
    let larger = "@compute @workgroup_size(1) fn main() { var a: array<vec3<u32>, 5000>; a[1].x = 1u; }";
    assert_eq!(message(larger), "this takes 80000 bytes, outside buffers the limit is 65536 bytes");
    for huge in ["array<f32, 100000000>", "array<array<vec4<u32>, 1000>, 1000>", "array<bool, 2000000000>"] {
        let store = format!("@compute @workgroup_size(1) fn main() {{ let a = {huge}(); }}");
        assert!(message(&store).ends_with("scalars, the limit is 16384"), "{}", message(&store));
    }
    let whole = "@group(0) @binding(0) var<storage, read_write> b: array<f32, 100000000>;
        @compute @workgroup_size(1) fn main() { b = array<f32, 100000000>(); }";
    assert_eq!(message(whole), "a value of 100000000 scalars, the limit is 16384");
    let textures: String = (0..257).map(|n| format!("@group(0) @binding({n}) var t{n}: texture_2d<f32>;\n")).collect();
    let loads: String = (0..257).map(|n| format!("+ textureLoad(t{n}, vec2<i32>(), 0)")).collect();
    let source = format!("{textures} @fragment fn main() -> @location(0) vec4<f32> {{ return vec4<f32>() {loads}; }}");
    assert!(message(&source).starts_with("`main` uses 257 pairs of texture and sampler"));
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

#[test]
fn a_stranger_with_an_intrinsics_name_is_refused() {
    for stranger in [
        "fn intrinsic_tex() -> f32 { return 1.0; } fn g() { let x = intrinsic_tex(); }",
        "fn intrinsic_copysign(a: f32, b: f32) -> vec2<f32> { return vec2<f32>(a, b); } fn g() { let x = intrinsic_copysign(1.0, 2.0); }",
        "fn intrinsic_texture_bank(a: i32) {} fn g() { intrinsic_texture_bank(1); }",
        "fn intrinsic_sampling_state(a: u32) -> u32 { return a; } fn g() { let x = intrinsic_sampling_state(1u); }",
    ] {
        let source = format!("{stranger} @compute @workgroup_size(1) fn main() {{ g(); }}");
        let error = Module::parse("i.wgsl", &source).and_then(|m| m.select("main", &[])).expect_err("it is refused");
        assert!(error.message.contains("is an intrinsic") && error.line == 1, "{error}");
    }
    let right = "fn intrinsic_imadd(a: i32, b: i32, c: i32, shift: u32) -> i32 { return 0; }
        @compute @workgroup_size(1) fn main() { let x = intrinsic_imadd(1, 2, 3, 1u); }";
    Module::parse("i.wgsl", right).and_then(|m| m.select("main", &[])).expect("this is its signature");
}

#[test]
fn folding_a_huge_constant_comes_back() {
    for source in [
        "const x = array<f32, 100000000>()[5]; fn f() -> f32 { return x; }",
        "const a = array<array<u32, 60000>, 60000>(); fn f(i: i32) -> u32 { return a[3][i]; }",
        "const a: array<vec4<f32>, 1000000> = array<vec4<f32>, 1000000>(); fn f() -> bool { return all(a[7] == a[8]); }",
        "override n: u32 = 4000000000u; var<workgroup> w: array<vec4<f32>, n>; @compute @workgroup_size(1) fn main() { w[0].x = 1.0; }",
    ] {
        if let Ok(module) = Module::parse("huge", source) {
            let _ = module.select("main", &[]);
        }
    }
}

/// Declarations of one module may stand in any order over its files; errors and line tables speak of the file.
#[test]
fn a_module_of_several_files_names_the_right_file_and_line() {
    let kernel = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n@compute @workgroup_size(4)\nfn main(@builtin(local_invocation_index) i: u32) { out[i] = twice(i); }";
    let callee = "fn twice(i: u32) -> u32 {\n    return i * 2u;\n}";
    let module = Module::parse_files("both", &[("a.wgsl", kernel), ("b.wgsl", callee)]).expect("they fit");
    let texts: Vec<_> = module.file_texts().map(|(name, text)| (name, text.trim_end())).collect();
    assert_eq!(texts, [("a.wgsl", kernel), ("b.wgsl", callee)]);
    let module = module.select("main", &[]).expect("nothing is refused");
    let kernel = crate::translate::translate(&module, &crate::translate::Options::default()).expect("it translates");
    assert_eq!(kernel.files[..2], ["a.wgsl", "b.wgsl"]);
    let options = crate::compile::CompileOptions::new(4, 1, gpu_core::config::GpuConfig::wide(1, 1, 4).extensions);
    let program = crate::compile::compile(&kernel, &[], &options).expect("it compiles").program;
    let places: Vec<_> = program.lines.iter().map(|entry| (entry.file, entry.line)).collect();
    assert!(places.contains(&(0, 3)) && places.contains(&(1, 2)), "{places:?}");

    let wrong = "// nothing here\nfn twice(i: u32) -> u32 { return 1.5; }";
    let error =
        Module::parse_files("both", &[("a.wgsl", "const A = 1;"), ("b.wgsl", wrong)]).expect_err("a wrong type");
    assert_eq!((error.file.as_str(), error.line), ("b.wgsl", 2));
}
