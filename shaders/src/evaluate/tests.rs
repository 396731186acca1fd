//! Small WGSL programs against values worked out by hand or in plain Rust.

use super::*;

mod builtins;
mod compute;
mod fragment;
mod hostile;
mod vertex;

/// Runs `main` of `source` over one workgroup per entry of `output`'s first dimension and gives the output buffer back.
#[track_caller]
fn run(source: &str, groups: u32, lanes: u32, output_words: usize) -> Vec<u32> {
    let module = Module::parse("test.wgsl", source).and_then(|module| module.select("main", &[]));
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    let mut bytes = vec![0; output_words * 4];
    let mut buffers = [BufferBinding { group: 0, binding: 0, bytes: &mut bytes }];
    let mut evaluator = Evaluator::new(&module).unwrap_or_else(|error| panic!("{error}"));
    evaluator.run_compute([groups, 1, 1], &mut buffers, &[], lanes).unwrap_or_else(|error| panic!("{error}"));
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

/// Runs `fn f(x: u32) -> u32` for x = 0, 1, … in lanes that go different ways.
#[track_caller]
fn run_function(function: &str, count: u32) -> Vec<u32> {
    let source = format!(
        "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n{function}\n
         @compute @workgroup_size({count}) fn main(@builtin(local_invocation_index) i: u32) {{ out[i] = f(i); }}"
    );
    run(&source, 1, 4, count as usize)
}
