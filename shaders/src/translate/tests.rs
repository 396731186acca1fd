//! WGSL → intermediate form → interpreter, against answers written in Rust.

mod control;
mod intrinsics;
mod limits;
mod link;
mod memory;
mod values;

use super::{Options, translate};
use crate::front_end::Module;
use crate::interpret::{self, Launch, Memory};
use crate::ir::{Kernel, verify::verify};

/// Compiles the entry point `main`; panics with the report.
#[track_caller]
pub(super) fn compile(source: &str) -> Kernel {
    compile_with(source, &[])
}

#[track_caller]
fn compile_with(source: &str, overrides: &[(&str, f64)]) -> Kernel {
    let module = Module::parse("test.wgsl", source).unwrap_or_else(|error| panic!("{error}"));
    let module = module.select("main", overrides).unwrap_or_else(|error| panic!("{error}"));
    let kernel = translate(&module, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    if let Err(error) = verify(&kernel) {
        panic!("{error}\n{kernel}");
    }
    kernel
}

/// Runs a kernel; buffers in the order of its bindings.
#[track_caller]
fn run_groups(kernel: &Kernel, lanes: u32, groups: u32, buffers: &mut [Vec<u32>]) {
    let mut memory = Memory::new();
    let bindings: Vec<_> = buffers.iter().map(|words| memory.allocate(words)).collect();
    let launch =
        Launch { lanes, workgroups: [groups, 1, 1], bindings: &bindings, sampler: None, statement_limit: 1_000_000 };
    interpret::run(kernel, &mut memory, &launch).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
    for (words, binding) in buffers.iter_mut().zip(&bindings) {
        words.copy_from_slice(memory.words(*binding));
    }
}

const LANES: [u32; 4] = [4, 8, 16, 32];

/// `body` computes `result` from `x` (both u32) in every lane; `functions` stand before the entry point. For inputs 0 to 63
/// under every lane count, the result must be `expected`.
#[track_caller]
fn check(functions: &str, body: &str, expected: impl Fn(u32) -> u32) {
    check_inputs(functions, body, &(0..64).collect::<Vec<_>>(), expected);
}

#[track_caller]
fn check_inputs(functions: &str, body: &str, inputs: &[u32], expected: impl Fn(u32) -> u32) {
    let source = format!(
        "{functions}
        @group(0) @binding(0) var<storage, read> inputs: array<u32>;
        @group(0) @binding(1) var<storage, read_write> outputs: array<u32>;
        @compute @workgroup_size(32)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            let x = inputs[id.x];
            var result = 0u;
            {body}
            outputs[id.x] = result;
        }}"
    );
    let kernel = compile(&source);
    let groups = inputs.len().div_ceil(32);
    let mut padded = inputs.to_vec();
    padded.resize(groups * 32, 0);
    let wanted: Vec<u32> = padded.iter().map(|x| expected(*x)).collect();
    for lanes in LANES {
        let mut buffers = [padded.clone(), vec![0xdead_beef; padded.len()]];
        run_groups(&kernel, lanes, groups as u32, &mut buffers);
        for (n, (found, wanted)) in buffers[1].iter().zip(&wanted).enumerate() {
            assert_eq!(found, wanted, "input {:#x}, {lanes} lanes\n{kernel}", padded[n]);
        }
    }
}

/// Numbers that are spread over all bit patterns, the same every time (an LCG of Knuth's).
fn spread(count: usize) -> Vec<u32> {
    let mut state = 0x1234_5678_9abc_def0u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    };
    let corners = [0, 1, 2, 31, 32, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x3f80_0000, 0x7f80_0000, 0x7fc0_0000];
    corners.into_iter().chain(std::iter::from_fn(|| Some(next()))).take(count).collect()
}
