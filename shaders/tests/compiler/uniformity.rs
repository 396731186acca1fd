//! Barriers: which control flow all invocations of a workgroup go through together, found by our own analysis, and which is refused.
//!
//! naga takes every one of these sources.

use shaders::compile::{CompileOptions, DivergenceMechanism, compile};
use shaders::diagnostic::CompileError;
use shaders::front_end::Module;
use shaders::options::BackEndError;
use shaders::translate::{Options, translate};

/// What is declared for every body.
const HEAD: &str = "
enable subgroups;
struct Box { word: u32, other: u32 }
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<uniform> setting: vec4<u32>;
@group(0) @binding(3) var<storage, read_write> counter: atomic<u32>;
var<workgroup> words: array<u32, 64>;
var<workgroup> one: u32;
var<private> own: u32;
fn sign_of(x: u32) -> u32 { if x > 5u { return 1u; } return 2u; }
fn through(p: ptr<function, u32>, x: u32) { *p = x; }
fn met() { workgroupBarrier(); }
fn boxed(x: u32) -> Box { return Box(x, 3u); }
fn may_leave(x: u32) -> u32 { for (var n = 0u; n < 4u; n++) { if n == x { return 7u; } } return 7u; }
";

fn source(body: &str) -> String {
    format!(
        "{HEAD}
        @compute @workgroup_size(64)
        fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3<u32>,
                @builtin(num_workgroups) groups: vec3<u32>, @builtin(subgroup_size) lanes: u32,
                @builtin(subgroup_id) warp: u32) {{
            {body}
        }}"
    )
}

/// What eight warps of eight lanes make of it: nothing, or the text at which the refusal points.
fn refusal(body: &str) -> Option<String> {
    let source = source(body);
    let module = Module::parse("barriers.wgsl", &source).and_then(|module| module.select("main", &[]));
    let kernel = module.and_then(|module| translate(&module, &Options::default()));
    let kernel = kernel.unwrap_or_else(|error: CompileError| panic!("{body}\n{error}"));
    let mut places = DivergenceMechanism::EVERY.map(|divergence| {
        let options = CompileOptions { divergence, ..CompileOptions::new(8, 32, divergence_extensions(divergence)) };
        match compile(&kernel, &[], &options) {
            Ok(_) => None,
            Err(BackEndError::DivergentBarrier { at, .. }) => {
                let line = source.lines().nth(at.line as usize - 1).unwrap_or_else(|| panic!("{at:?} is a place"));
                Some(line.trim().to_owned())
            }
            Err(error) => panic!("{body}\n{error}"),
        }
    });
    assert_eq!(places[0], places[1], "{body}: both mechanisms refuse the same");
    places[0].take()
}

fn divergence_extensions(divergence: DivergenceMechanism) -> gpu_core::isa::ExtensionSet {
    let machine = gpu_core::config::GpuConfig::wide(1, 32, 8);
    divergence.extension().map_or(machine.extensions, |extension| machine.extensions.with(extension))
}

#[track_caller]
fn check_refused(body: &str) {
    let at = refusal(body);
    assert!(
        at.as_ref().is_some_and(|line| line.contains("Barrier()") || line.contains("UniformLoad")),
        "{at:?}: {body}"
    );
}

#[track_caller]
fn check_taken(body: &str) {
    assert_eq!(refusal(body), None, "{body}");
}

#[test]
fn barriers_where_all_arrive_are_taken() {
    for body in [
        "workgroupBarrier(); storageBarrier();",
        "if group.x > 3u { workgroupBarrier(); }",
        "if setting.x == groups.y { workgroupBarrier(); }",
        "if input[setting.y] > 3u { workgroupBarrier(); }",
        "if arrayLength(&input) > lanes { workgroupBarrier(); }",
        "for (var n = 0u; n < setting.x; n++) { workgroupBarrier(); if n == group.x { break; } }",
        "for (var n = 0u; n < 4u; n++) { if (i + n) % 3u == 0u { continue; } own += n; } workgroupBarrier();",
        "var k = i; while k > 0u { k /= 2u; } workgroupBarrier();",
        "if i < 5u { own = sign_of(i); } workgroupBarrier();",
        "own = sign_of(i); met();",
        "one = 3u; let all = workgroupUniformLoad(&one); if all == 3u { workgroupBarrier(); }",
        "if sign_of(setting.x) == 1u { workgroupBarrier(); }",
        "var x = i; through(&x, group.x); if x == 1u { workgroupBarrier(); }",
        "if boxed(i).other == 3u { workgroupBarrier(); }",
        "switch setting.x { case 1u: { workgroupBarrier(); } default: { workgroupBarrier(); } }",
        "own = group.y; if own == 1u { return; } workgroupBarrier();",
        "let v = vec2<u32>(i, group.x); if v.y == 1u { workgroupBarrier(); }",
        "loop { workgroupBarrier(); continuing { break if setting.z == 0u; } }",
        // All lanes of all warps return sooner or later, but each within the call.
        "own = may_leave(i); workgroupBarrier();",
    ] {
        check_taken(body);
    }
}

#[test]
fn barriers_that_some_invocations_miss_are_refused() {
    for body in [
        "if i < 5u { workgroupBarrier(); }",
        "if i < 5u { storageBarrier(); }",
        "if i == 0u { one = workgroupUniformLoad(&words[3]); }",
        // What a function gives back depends on its control flow.
        "if sign_of(i) == 1u { workgroupBarrier(); }",
        "if may_leave(i) == 7u { workgroupBarrier(); }",
        "if boxed(i).word == 3u { workgroupBarrier(); }",
        // Through a pointer, a private variable, a variable set in divergent flow.
        "var x = group.x; through(&x, i); if x == 1u { workgroupBarrier(); }",
        "own = i; if own == 1u { workgroupBarrier(); }",
        "var x = 1u; if i == 3u { x = 2u; } if x == 1u { workgroupBarrier(); }",
        "var x = array<u32, 4>(); x[i % 4u] = 1u; if x[0] == 1u { workgroupBarrier(); }",
        // Lanes that have left.
        "if i > 60u { return; } workgroupBarrier();",
        "for (var n = 0u; n < 4u; n++) { if i == n { break; } workgroupBarrier(); }",
        "for (var n = 0u; n < 4u; n++) { if i == n { continue; } workgroupBarrier(); }",
        "for (var n = 0u; n < i; n++) { workgroupBarrier(); }",
        "loop { workgroupBarrier(); continuing { own += 1u; break if own > i; } }",
        "var n = 0u; loop { if n == i { break; } n++; } if n == 3u { workgroupBarrier(); }",
        "switch i { case 1u: { workgroupBarrier(); } default: { workgroupBarrier(); } }",
        "switch i { case 1u: { return; } default: { } } workgroupBarrier();",
        "if i % 2u == 0u && setting.x == 1u { met(); }",
        // What other warps may be changing, and what an atomic gives to each its own.
        "if one == 3u { workgroupBarrier(); }",
        "if output[0] == 3u { workgroupBarrier(); }",
        "if atomicAdd(&counter, 1u) == 3u { workgroupBarrier(); }",
        "if atomicLoad(&counter) == 3u { workgroupBarrier(); }",
        "if input[i] == 3u { workgroupBarrier(); }",
        // Warps agree within, not with one another.
        "if warp == 1u { workgroupBarrier(); }",
        "if subgroupAny(i == 3u) { workgroupBarrier(); }",
        "if subgroupBroadcastFirst(i) == 8u { workgroupBarrier(); }",
        "if subgroupShuffle(i, setting.x) == 8u { workgroupBarrier(); }",
        "var x = 1u; while subgroupAdd(x) < i { x++; workgroupBarrier(); }",
    ] {
        check_refused(body);
    }
}
