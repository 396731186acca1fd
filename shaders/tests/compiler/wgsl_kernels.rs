//! WGSL all the way: what the optimiser leaves, what a trap says, what a launch refuses.

use gpu_core::config::GpuConfig;
use gpu_core::gpu::Gpu;
use gpu_core::program::SourceFile;
use shaders::compile::{CompiledKernel, compile};
use shaders::front_end::Module;
use shaders::ir::Kernel;
use shaders::launch::{BoundBuffer, KernelLaunchError, launch, resident_slots};
use shaders::translate::{Options, translate};

use crate::run::{Setting, check, simulate};

fn kernel(source: &str, overrides: &[(&str, f64)]) -> Kernel {
    let module = Module::parse("test.wgsl", source).unwrap_or_else(|error| panic!("{error}"));
    let module = module.select("main", overrides).unwrap_or_else(|error| panic!("{error}"));
    translate(&module, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn compiled(source: &str, overrides: &[(&str, f64)]) -> CompiledKernel {
    let files = [SourceFile { name: "test.wgsl".to_owned(), text: source.to_owned() }];
    let options = Setting::new(8).options();
    compile(&kernel(source, overrides), &files, &options).unwrap_or_else(|error| panic!("{error}"))
}

const HEAD: &str = "
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
";

#[test]
fn a_feature_that_is_off_leaves_no_instruction() {
    let with = format!(
        "{HEAD}
        override BLEND: bool = true;
        override MODE: u32 = 2u;
        fn blend(a: u32, b: u32) -> u32 {{
            if !BLEND {{ return a; }}
            switch MODE {{
                case 0u: {{ return a + b; }}
                case 1u: {{ return a * b; }}
                default: {{ return max(a, b) - min(a, b); }}
            }}
        }}
        @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            var old = 0u;
            if BLEND {{ old = output[id.x]; }}
            output[id.x] = blend(input[id.x], old);
        }}"
    );
    let without = format!(
        "{HEAD}
        @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            output[id.x] = input[id.x];
        }}"
    );
    let count = |source: &str, overrides: &[(&str, f64)]| compiled(source, overrides).statistics.instructions;
    let plain = count(&without, &[]);
    assert_eq!(count(&with, &[("BLEND", 0.0)]), plain);
    assert!(count(&with, &[("BLEND", 1.0)]) > plain);
}

#[test]
fn packing_undoes_unpacking() {
    let body = |expression: &str| {
        format!(
            "{HEAD}
            @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
                let word = input[id.x];
                output[id.x] = {expression};
            }}"
        )
    };
    let plain = compiled(&body("word"), &[]).statistics.instructions;
    for expression in [
        "pack4x8unorm(unpack4x8unorm(word))",
        "pack2x16unorm(unpack2x16unorm(word))",
        "pack4xU8(unpack4xU8(word))",
        "((word >> 24u) << 24u) | ((word & 0xff0000u) | (word & 0xffffu))",
        "bitcast<u32>(bitcast<f32>(word))",
        "0u - (0u - word)",
        "(word ^ 0xffffffffu) ^ 0xffffffffu",
        "select(word, 7u, word != word)",
    ] {
        let code = compiled(&body(expression), &[]);
        assert_eq!(code.statistics.instructions, plain, "{expression}:\n{}", code.listing());
    }
}

#[test]
fn loops_give_up_what_does_not_change() {
    let source = |inside: &str, outside: &str| {
        format!(
            "{HEAD}
            @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
                var sum = 0u;
                {outside}
                for (var i = 0u; i < input[0]; i++) {{ {inside} sum += i ^ scale; }}
                output[id.x] = sum;
            }}"
        )
    };
    let computed = "let scale = (input[1] * 77u) ^ (id.x * 5u);";
    let (inside, outside) = (source(computed, ""), source("", computed));
    let setting = Setting::new(8);
    let run = |source: &str| {
        let code = compiled(source, &[]);
        let mut gpu = Gpu::new(setting.config).expect("the configuration is valid");
        let bound = [[100, 3], [0; 2]].map(|words: [u32; 2]| {
            let address = gpu.allocate(64, "buffer").expect("there is room");
            gpu.upload(address, &words.map(u32::to_le_bytes).concat()).expect("it fits");
            BoundBuffer { address, bytes: 64 }
        });
        launch(&mut gpu, &code, &bound, [1, 1, 1]).expect("it runs").warp_instructions
    };
    // The load of the inner form may not run when the loop does not: it stays. All that follows from it stays too.
    let (inner, outer) = (run(&inside), run(&outside));
    assert!(inner < outer + 100 * 6, "{inner} against {outer}");
}

#[test]
fn a_trap_names_the_line_of_the_source() {
    let source = format!(
        "{HEAD}
        @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            output[id.x] = input[id.x];
        }}"
    );
    let code = compiled(&source, &[]);
    let mut gpu = Gpu::new(Setting::new(8).config).expect("the configuration is valid");
    // The lengths say more than there is, as a host with a bug might.
    let address = gpu.allocate(8, "short").expect("there is room");
    let bound = [BoundBuffer { address, bytes: 4096 }; 2];
    let error = launch(&mut gpu, &code, &bound, [1, 1, 1]).expect_err("it reads past its buffer");
    let text = format!("{:?}", anyhow_chain(&error));
    assert!(text.contains("test.wgsl:6"), "{text}");
}

fn anyhow_chain(error: &dyn std::error::Error) -> Vec<String> {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect()
}

#[test]
fn a_launch_that_cannot_be_names_the_limit() {
    let source = format!(
        "{HEAD}
        var<workgroup> shared_words: array<u32, 1024>;
        @compute @workgroup_size(16) fn main(@builtin(local_invocation_index) i: u32) {{
            shared_words[i] = input[i];
            workgroupBarrier();
            output[i] = shared_words[15u - i];
        }}"
    );
    let code = compiled(&source, &[]);
    let config = GpuConfig { local_bytes: 4096, ..Setting::new(8).config };
    assert_eq!(resident_slots(&code, &config).expect("one fits"), 1);
    let small = GpuConfig { local_bytes: 2048, ..config };
    let error = resident_slots(&code, &small).expect_err("none fits");
    assert_eq!(error.to_string(), "kernel `main` wants 4096 bytes of workgroup memory, a core has 2048");
    let narrow = GpuConfig { warps: 1, ..config };
    let error = resident_slots(&code, &narrow).expect_err("two warps are wanted");
    assert_eq!(error.to_string(), "kernel `main` wants 2 warps for a workgroup, a core has 1");
    let other = GpuConfig { lanes: 4, ..config };
    let error = resident_slots(&code, &other).expect_err("it has other lanes");
    assert!(matches!(error, KernelLaunchError::Lanes { wanted: 8, available: 4, .. }), "{error}");
    let mut gpu = Gpu::new(config).expect("the configuration is valid");
    let error = launch(&mut gpu, &code, &[], [1, 1, 1]).expect_err("two buffers are wanted");
    assert!(matches!(error, KernelLaunchError::Bindings { wanted: 2, given: 0, .. }), "{error}");
    let error = launch(&mut gpu, &code, &[BoundBuffer { address: Default::default(), bytes: 0 }; 2], [1 << 16; 3]);
    assert!(matches!(error, Err(KernelLaunchError::Grid { .. })), "{error:?}");
}

/// CASES A35 and A36 as they were reported.
#[test]
fn reported_loops_give_the_right_words() {
    let source = format!(
        "{HEAD}
        fn counted() -> u32 {{ var c = 0u; loop {{ c += 1u; continuing {{ break if c == 5u; }} }} return c; }}
        fn switched(x: u32) -> u32 {{
            var r = 0u;
            switch x {{ case 1u: {{ r += 1u; }} case 2u: {{ r += 2u; }} default: {{ r += 8u; }} }}
            return r;
        }}
        fn skipped() -> u32 {{
            var s = 0u;
            for (var i = 0u; i < 5u; i++) {{ switch i {{ case 2u: {{ continue; }} default: {{}} }} s += i; }}
            return s;
        }}
        fn local(n: i32) -> i32 {{
            var s = 0;
            for (var i = 0; i < n; i++) {{ var t: i32; t += 1; s += t; }}
            return s;
        }}
        @compute @workgroup_size(16) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            let way = id.x & 3u;
            var word = 0u;
            if way == 0u {{ word = counted(); }} else if way == 1u {{ word = skipped(); }}
            else if way == 2u {{ word = switched(input[id.x]); }} else {{ word = u32(local(i32(input[id.x]))); }}
            output[id.x] = word;
        }}"
    );
    let kernel = kernel(&source, &[]);
    let input: Vec<u32> = [0, 0, 1, 3, 0, 0, 2, 0, 0, 0, 9, 1, 0, 0, 2, 7].to_vec();
    let expected = [5, 8, 1, 3, 5, 8, 2, 0, 5, 8, 8, 1, 5, 8, 2, 7];
    for lanes in [1, 2, 4, 8, 16, 32] {
        for setting in Setting::variants(lanes) {
            let buffers = [input.clone(), vec![0; 16]];
            check(&kernel, &setting, &buffers, [1, 1, 1]);
            let result = simulate(&setting.compile(&kernel), &setting, &buffers, [1, 1, 1]).expect("it runs");
            assert_eq!(result[1], expected, "{setting:?}");
        }
    }
}

#[test]
fn deep_loops_compile_and_run() {
    let depth = 12;
    let mut body = "count += a[depth_of(count)];".to_owned();
    for level in 0..depth {
        let name = format!("i{level}");
        let limit = if level % 4 == 0 { "1u + (id.x & 1u)" } else { "1u" };
        body = format!(
            "for (var {name} = 0u; {name} < {limit}; {name}++) {{ var local = count; {body} count += local & 1u; }}"
        );
    }
    let source = format!(
        "{HEAD}
        fn depth_of(n: u32) -> u32 {{ return n & 3u; }}
        @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            var a = array<u32, 4>(1u, 2u, id.x, 4u);
            var count = id.x + input[id.x];
            {body}
            output[id.x] = count;
        }}"
    );
    let setting = Setting::new(8);
    check(&kernel(&source, &[]), &setting, &[vec![0; 8], vec![0; 8]], [1, 1, 1]);
}

/// The marks are in the code, in their order and around what they mark, and change nothing else.
#[test]
fn a_kernel_marks_regions() {
    let source = |mark: &str| {
        format!(
            "{HEAD}
            fn {mark}(number: u32) {{}}
            @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
                {mark}(7u);
                output[id.x] = input[id.x] * 3u;
                {mark}(id.x / 8u);
            }}"
        )
    };
    let (plain, marked) = (compiled(&source("nothing"), &[]), compiled(&source("intrinsic_region"), &[]));
    let listing = marked.listing();
    let lines: Vec<&str> = listing.lines().collect();
    let places: Vec<usize> = (0..lines.len()).filter(|&n| lines[n].contains("zero, region")).collect();
    let store = lines.iter().position(|line| line.contains("sw ")).expect("the kernel stores");
    assert!(matches!(places[..], [first, second] if first < store && store < second), "{listing}");
    assert!(!plain.listing().contains("zero, region"));
}
