//! Runs a fragment shader over 16 pixels: evaluated, and linked into a small kernel.

use shaders::evaluate::{Evaluator, FragmentInput, FragmentResources};
use shaders::front_end::Module;
use shaders::interpret::{self, Launch, Memory, stage_sampler};
use shaders::ir::Kernel;

use crate::in_memory;
use crate::random::Random;
use crate::textures::Textures;

pub const PIXELS: usize = 16;

/// Scalars a pixel brings along.
const SLOTS: usize = 4;

/// One pixel a lane; inputs come from a buffer, slot by slot.
pub const KERNEL: &str = "
struct Fragment { x: f32, y: f32, z: f32, q: f32, front: bool, lane: u32 }
struct Shaded { color: vec4<f32>, keep: bool }
struct SamplingState {
        width: u32, height: u32, levels: u32, layers: u32, mip_filter: u32, filters: u32, channels: u32, is_anisotropic: u32,
        lod_min: f32, lod_max: f32, lod_bias: f32, max_anisotropy: f32, comparison: u32, wrap_w: u32, is_linear: u32,
    }
@group(0) @binding(0) var<storage, read> slots: array<u32>;
@group(0) @binding(1) var<storage, read> samplings: array<SamplingState>;
@group(0) @binding(2) var<storage, read_write> results: array<vec4<f32>>;
fn smooth_input(slot: u32, f: Fragment) -> f32 { return bitcast<f32>(slots[f.lane * 4u + slot]); }
fn linear_input(slot: u32, f: Fragment) -> f32 { return 0.0; }
fn flat_input(slot: u32, f: Fragment) -> u32 { return slots[f.lane * 4u + slot]; }
fn resource_range(index: u32, f: Fragment) -> vec2<u32> { return vec2<u32>(); }
fn sampling_state(stage: u32, f: Fragment) -> SamplingState { return samplings[stage]; }
fn shade(f: Fragment) -> Shaded {
    let a = smooth_input(0u, f) + linear_input(0u, f) + f32(flat_input(0u, f) + resource_range(0u, f).x);
    return Shaded(vec4<f32>(a + f32(sampling_state(0u, f).width)), true);
}
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let quad = i >> 2u;
    let f = Fragment(f32(quad * 2u + (i & 1u)) + 0.5, f32((i >> 1u) & 1u) + 0.5, 0.25, 2.0, (i & 4u) == 0u, i);
    let shaded = shade(f);
    results[2u * i] = shaded.color;
    results[2u * i + 1u] = vec4<f32>(f32(shaded.keep), 0.0, 0.0, 0.0);
}
";

pub fn input(n: usize, random: &mut Random) -> FragmentInput {
    let mut input = FragmentInput {
        position: [((n >> 2) * 2 + (n & 1)) as f32 + 0.5, (n >> 1 & 1) as f32 + 0.5, 0.25, 2.0],
        is_front_facing: n & 4 == 0,
        ..FragmentInput::default()
    };
    let smooth = |random: &mut Random| ((random.word() % 4001) as f32 / 1000.0 - 2.0).to_bits();
    // The flat input is one a quad, as if each were another triangle's.
    let flat = (n as u32 / 4) * 7;
    input.slots[..SLOTS].copy_from_slice(&[flat, smooth(random), smooth(random), smooth(random)]);
    input
}

/// Colour bits of each pixel, `None` where it was discarded.
type Colors = Vec<Option<[u32; 4]>>;

pub fn evaluate(module: &Module, pixels: &[FragmentInput]) -> Colors {
    let textures = Textures::of(module);
    let resources = FragmentResources { buffers: &[], textures: &textures.bound() };
    let mut outputs = vec![Default::default(); pixels.len()];
    let mut evaluator = Evaluator::new(module).unwrap_or_else(|error| panic!("{error}"));
    evaluator.run_quads(pixels, &resources, &mut outputs).unwrap_or_else(|error| panic!("{error}"));
    outputs.iter().map(|output| (!output.is_discarded).then(|| output.colors[0].map(f32::to_bits))).collect()
}

pub fn interpret(kernel: &Kernel, textures: &Textures, pixels: &[FragmentInput], lanes: u32) -> Colors {
    let mut memory = Memory::new();
    let stages = in_memory(textures, &mut memory);
    let sampler = stage_sampler(&stages);
    let slots: Vec<u32> = pixels.iter().flat_map(|pixel| pixel.slots[..SLOTS].to_vec()).collect();
    let bindings = [slots, textures.states(), vec![0; pixels.len() * 8]].map(|words| memory.allocate(&words));
    let launch =
        Launch { lanes, workgroups: [1; 3], bindings: &bindings, sampler: Some(&sampler), statement_limit: 10_000_000 };
    interpret::run(kernel, &mut memory, &launch).unwrap_or_else(|error| panic!("{error}"));
    let one = 1f32.to_bits();
    let words = memory.words(bindings[2]).chunks(8);
    words.map(|words| (words[4] == one).then(|| [words[0], words[1], words[2], words[3]])).collect()
}
