//! What is too large or too deep is refused by name, never a crash.

use super::*;

#[track_caller]
fn refused(source: &str, what: &str) {
    let module = Module::parse("test.wgsl", source).and_then(|module| module.select("main", &[]));
    let error = module.and_then(|module| translate(&module, &Options::default())).expect_err("refused");
    assert!(error.message.contains(what), "{error}");
}

const ENTRY: &str = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;
    @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) ";

#[test]
fn large_variables_are_refused_and_middling_ones_live_in_memory() {
    let variables: String = (0..5).map(|n| format!("var<private> a{n}: array<u32, 16000>;")).collect();
    let sum: Vec<String> = (0..5).map(|n| format!("a{n}[i]")).collect();
    refused(&format!("{variables} {ENTRY} {{ o[i] = {}; }}", sum.join("+")), "which have 65536 for all variables");
    let kernel = compile(&format!(
        "{ENTRY} {{ var a: array<u32, 2000>; a[1999] = i; a = array<u32, 2000>(); a[7] = 1u; o[i] = a[7] + a[1999]; }}"
    ));
    assert_eq!(kernel.private_bytes, 8000);
    let mut buffers = [vec![9; 4]];
    run_groups(&kernel, 4, 1, &mut buffers);
    assert_eq!(buffers[0], [1; 4]);
}

#[test]
fn inlining_that_gets_out_of_hand_is_refused() {
    let mut functions = String::from("fn f0(x: vec4<f32>) -> vec4<f32> { return sin(cos(tan(x))); }");
    for n in 1..9 {
        functions += &format!("fn f{n}(x: vec4<f32>) -> vec4<f32> {{ return f{0}(x) + f{0}(x + 1.0); }}", n - 1);
    }
    refused(&format!("{functions} {ENTRY} {{ o[i] = u32(f8(vec4<f32>(f32(i))).x); }}"), "operations");
}

#[test]
fn many_early_returns_and_many_cases_stay_shallow() {
    let returns: String = (0..2000).map(|n| format!("if x == {n}u {{ return {}u; }}\n", n * 3)).collect();
    let cases: String =
        (0..500).map(|n| format!("case {n}u: {{ r = {}u; if x == 3u {{ break; }} r += 1u; }}\n", n * 7)).collect();
    let functions = format!(
        "fn f(x: u32) -> u32 {{ {returns} return 1u; }}
        fn g(x: u32) -> u32 {{ var r = 5u; switch x {{ {cases} default: {{ return 9u; }} }} return r; }}"
    );
    check(&functions, "result = f(x) + 10000u * g(x);", |x| x * 3 + 10000 * if x == 3 { x * 7 } else { x * 7 + 1 });
}

/// Values as large as WebGPU's core lets variables be are copied by loops, whatever their shape.
#[test]
fn whole_arrays_of_any_size_are_short_code() {
    for (elements, memory) in
        [("u32, 2048", "var<private>"), ("vec4<f32>, 1024", "var<workgroup>"), ("mat4x4<f32>, 256", "var<workgroup>")]
    {
        let source = format!(
            "struct Many {{ head: u32, all: array<{elements}> }}
            {memory} a: array<{elements}>; @group(0) @binding(0) var<storage, read_write> b: array<{elements}>;
            @group(0) @binding(1) var<storage, read_write> c: Many; @group(0) @binding(2) var<storage, read_write> d: Many;
            @compute @workgroup_size(1) fn main() {{ a = b; let kept = a; a[3] = a[4]; b = kept; c = d; }}"
        );
        let statements = compile(&source).to_string().lines().count();
        assert!(statements < 250, "{elements}: {statements} lines");
    }
}

#[test]
fn large_values_that_would_be_registers_are_refused() {
    let refused = |body: &str| {
        let source = format!(
            "var<workgroup> a: array<u32, 1100>; @group(0) @binding(0) var<storage, read_write> b: array<u32, 1100>;
            fn give() -> array<u32, 1100> {{ return b; }}
            @compute @workgroup_size(1) fn main() {{ {body} }}"
        );
        let module = Module::parse("test.wgsl", &source).and_then(|module| module.select("main", &[])).expect("valid");
        translate(&module, &Options::default()).expect_err("it is too large").message
    };
    let message = refused("b = workgroupUniformLoad(&a);");
    assert!(message.starts_with("a value of 1100 scalars is taken at once"), "{message}");
    // Each has memory of its own: 20 times 4400 bytes.
    for value in ["b", "give()"] {
        let many = format!("{{ let v = {value}; b[v[1]] = 1u; }}").repeat(20);
        assert!(refused(&many).contains("takes 4400 bytes of every invocation"), "{}", refused(&many));
    }
}
