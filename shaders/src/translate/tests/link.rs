//! A fragment shader in place of `shade`, in a kernel that shades one pixel a lane.

use texture::{Filter, Format, Image, Sampling, Wrap};

use super::*;
use crate::interpret::TextureRequest;
use crate::link::{link, link_with_peeling_discard};
use crate::sampling_state::SamplingState;

const KERNEL: &str = "
    struct Fragment { draw: u32, x: f32, y: f32, q: f32, z: f32, offset: vec2<f32>, live: bool, front: bool }
    struct Shaded { color: vec4<f32>, keep: bool }
    struct SamplingState {
        width: u32, height: u32, levels: u32, layers: u32, mip_filter: u32, filters: u32, channels: u32, is_anisotropic: u32,
        lod_min: f32, lod_max: f32, lod_bias: f32, max_anisotropy: f32, comparison: u32, wrap_w: u32, is_linear: u32,
    }
    @group(0) @binding(0) var<storage, read> planes: array<vec3<f32>>;
    @group(0) @binding(1) var<storage, read> resources: array<vec2<u32>>;
    @group(0) @binding(2) var<storage, read> samplings: array<SamplingState>;
    @group(0) @binding(3) var<storage, read_write> results: array<vec4<f32>>;
    fn plane(slot: u32, f: Fragment) -> f32 { return fma(planes[slot].z, f.y, fma(planes[slot].y, f.x, planes[slot].x)); }
    fn smooth_input(slot: u32, f: Fragment) -> f32 { return plane(slot, f) / f.q; }
    fn linear_input(slot: u32, f: Fragment) -> f32 { return plane(slot, f); }
    fn flat_input(slot: u32, f: Fragment) -> u32 { return bitcast<u32>(planes[slot].x); }
    fn resource_range(index: u32, f: Fragment) -> vec2<u32> { return resources[index + f.draw]; }
    fn sampling_state(stage: u32, f: Fragment) -> SamplingState { return samplings[stage]; }
    fn shade(f: Fragment) -> Shaded {
        let a = smooth_input(0u, f) + linear_input(0u, f) + f32(flat_input(0u, f) + resource_range(0u, f).x);
        return Shaded(vec4<f32>(a + f32(sampling_state(0u, f).width)), true);
    }
    @compute @workgroup_size(16)
    fn main(@builtin(local_invocation_index) i: u32) {
        var f: Fragment;
        // Quads of 2x2, four in a row.
        f.x = f32((i >> 2u) * 2u + (i & 1u)) + 0.5; f.y = f32((i >> 1u) & 1u) + 0.5; f.z = 0.25; f.q = 2.0;
        f.draw = 0u; f.live = true; f.front = (i & 4u) == 0u;
        let shaded = shade(f);
        results[2u * i] = shaded.color;
        results[2u * i + 1u] = vec4<f32>(f32(shaded.keep), 0.0, 0.0, 0.0);
    }";

fn select(name: &str, source: &str) -> Module {
    let module = Module::parse(name, source).unwrap_or_else(|error| panic!("{error}"));
    module.select("main", &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn link_shader(source: &str) -> Result<Kernel, crate::diagnostic::CompileError> {
    link(&select("kernel.wgsl", KERNEL), &select("user.wgsl", source), &Options::default())
}

/// Colour and keep of each of the 16 pixels. `sampler` gets stage, u, v, level.
#[track_caller]
fn shade(
    source: &str,
    lanes: u32,
    planes: &[[f32; 3]],
    buffers: &[Vec<u32>],
    samplings: &[u32],
    sampler: &dyn Fn(TextureRequest) -> u32,
) -> Vec<([f32; 4], bool)> {
    let kernel = link_shader(source).unwrap_or_else(|error| panic!("{error}"));
    shade_linked(&kernel, lanes, planes, buffers, samplings, sampler)
}

fn shade_linked(
    kernel: &Kernel,
    lanes: u32,
    planes: &[[f32; 3]],
    buffers: &[Vec<u32>],
    samplings: &[u32],
    sampler: &dyn Fn(TextureRequest) -> u32,
) -> Vec<([f32; 4], bool)> {
    verify(kernel).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
    assert_eq!(kernel.files[..2], ["kernel.wgsl", "user.wgsl"]);
    let mut memory = Memory::new();
    let mut ranges = vec![];
    for words in buffers {
        let buffer = memory.allocate(words);
        ranges.extend([buffer.address, buffer.bytes]);
    }
    let planes: Vec<u32> = planes.iter().flat_map(|[a, b, c]| [*a, *b, *c, 0.0].map(f32::to_bits)).collect();
    let bindings = [planes, ranges, samplings.to_vec(), vec![0; 16 * 8]].map(|words| memory.allocate(&words));
    let sampler = |_: &Memory, request: TextureRequest| sampler(request);
    let launch =
        Launch { lanes, workgroups: [1; 3], bindings: &bindings, sampler: Some(&sampler), statement_limit: 100_000 };
    interpret::run(kernel, &mut memory, &launch).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
    let words = memory.words(bindings[3]);
    let float = |n: usize| f32::from_bits(words[n]);
    (0..16).map(|i| (std::array::from_fn(|c| float(i * 8 + c)), float(i * 8 + 4) == 1.0)).collect()
}

fn no_texture(_: TextureRequest) -> u32 {
    panic!("the shader samples nothing")
}

fn pixel(i: usize) -> (f32, f32) {
    (((i >> 2) * 2 + (i & 1)) as f32 + 0.5, ((i >> 1) & 1) as f32 + 0.5)
}

#[test]
fn inputs_come_by_location_whatever_their_order() {
    let source = "struct In { @location(3) @interpolate(linear) c: f32, @builtin(position) p: vec4<f32>, @location(1) uv: vec2<f32> }
        @fragment fn main(input: In, @location(0) @interpolate(flat) id: vec2<u32>, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
            return vec4<f32>(f32(id.x) + 10.0 * f32(id.y), input.uv.x + 100.0 * input.uv.y, input.c, input.p.x + 10.0 * input.p.y + 100.0 * input.p.z + 1000.0 * input.p.w + select(0.0, 5000.0, front)); }";
    let flat = |n: u32| [f32::from_bits(n), 9.0, 9.0];
    // Slots: (0,x) (0,y) (1,x) (1,y) (3,x).
    let planes = [flat(7), flat(3), [1.0, 2.0, 0.0], [4.0, 0.0, 2.0], [0.5, 1.0, 1.0]];
    for lanes in LANES {
        let found = shade(source, lanes, &planes, &[], &[], &no_texture);
        for (i, (color, keep)) in found.iter().enumerate() {
            let (x, y) = pixel(i);
            let wanted = [
                37.0,
                (1.0 + 2.0 * x) / 2.0 + 100.0 * ((4.0 + 2.0 * y) / 2.0),
                0.5 + x + y,
                x + 10.0 * y + 25.0 + 2000.0 + if i & 4 == 0 { 5000.0 } else { 0.0 },
            ];
            assert_eq!((color, keep), (&wanted, &true), "pixel {i}");
        }
    }
}

#[test]
fn discard_demotes_and_neighbours_keep_their_derivatives() {
    let source = "fn drop_left(x: f32) { if fract(x * 0.5) < 0.5 { discard; } }
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            let s = p.x * p.x + p.y;
            drop_left(p.x);
            return vec4<f32>(dpdx(s), dpdy(s), fwidthFine(s), dpdxFine(s)); }";
    for lanes in LANES {
        for (i, (color, keep)) in shade(source, lanes, &[], &[], &[], &no_texture).iter().enumerate() {
            let (x, _) = pixel(i);
            let left = x.floor() - (i & 1) as f32 + 0.5;
            let dx = (left + 1.0) * (left + 1.0) - left * left;
            assert_eq!((color, *keep), (&[dx, 1.0, dx + 1.0, dx], i & 1 == 1), "pixel {i}");
        }
    }
}

#[test]
fn a_discard_that_ended_the_lane_would_be_noticed() {
    // Invariant I5, the fault planted: the right pixels of each quad lose the neighbour on their left.
    let source = "@fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            let s = p.x * p.x + p.y;
            if fract(p.x * 0.5) < 0.5 { discard; }
            return vec4<f32>(dpdx(s), dpdy(s), 0.0, 0.0); }";
    let user = select("user.wgsl", source);
    let kernel = select("kernel.wgsl", KERNEL);
    let faulty =
        link_with_peeling_discard(&kernel, &user, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    for lanes in LANES {
        let right = shade(source, lanes, &[], &[], &[], &no_texture);
        let wrong = shade_linked(&faulty, lanes, &[], &[], &[], &no_texture);
        for (i, (right, wrong)) in right.iter().zip(&wrong).enumerate() {
            assert_eq!(right.1, wrong.1, "both drop the same pixels");
            if right.1 {
                assert!(right.0[0] > 0.0 && right.0[1] == 1.0, "pixel {i}: {right:?}");
                assert_ne!(right.0, wrong.0, "pixel {i}: the fault changes nothing");
            }
        }
    }
}

#[test]
fn buffers_come_from_the_kernel_and_privates_start_afresh() {
    let source = "struct Light { color: vec3<f32>, power: f32 }
        @group(2) @binding(1) var<storage, read> lights: array<Light>;
        @group(1) @binding(5) var<uniform> base: vec4<f32>;
        @group(1) @binding(9) var<uniform> unused: vec4<f32>;
        var<private> count: f32 = 1.0;
        fn next() -> f32 { count += 1.0; return count; }
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            var sum = base; for (var i = 0u; i < arrayLength(&lights); i++) { sum += vec4<f32>(lights[i].color * lights[i].power, next()); }
            return sum + vec4<f32>(lights[1000].color, 0.0); }";
    let words = |floats: &[f32]| floats.iter().map(|f| f.to_bits()).collect::<Vec<_>>();
    // By (group, binding): base is resource 0, lights is 1.
    let buffers = [words(&[1.0, 2.0, 3.0, 4.0]), words(&[1.0, 0.0, 0.0, 10.0, 0.0, 1.0, 0.5, 20.0])];
    let found = shade(source, 8, &[], &buffers, &[], &no_texture);
    assert!(found.iter().all(|(color, _)| *color == [11.0, 23.0, 13.5, 9.0]), "{found:?}");
}

#[test]
fn textures_are_sampled_by_stage_with_level_of_detail() {
    let source = "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler; @group(0) @binding(2) var r: texture_2d<f32>;
        fn pick(t: texture_2d<f32>, s: sampler, uv: vec2<f32>) -> vec4<f32> { return textureSample(t, s, uv); }
        @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
            return pick(t, s, uv) + textureSampleLevel(r, s, uv, 1.0) * 10.0 + textureLoad(r, vec2<i32>(1, 0), 0) * 100.0
                + vec4<f32>(f32(textureDimensions(t).x), f32(textureNumLevels(r)), 0.0, 0.0) * 1000.0; }";
    // Two texels a pixel along x at 8x8 texels: level 1. Stages: (t, s), (r, s), (r, none).
    let planes = [[0.0, 0.5, 0.0], [0.0, 0.0, 0.25]];
    let state = |width: u32, levels: u32| {
        SamplingState { width, height: width, levels, mip_filter: 1, lod_max: 32.0, ..SamplingState::DEFAULT }.words()
    };
    let samplings: Vec<u32> = [state(8, 4), state(4, 3), state(4, 3)].concat();
    let texel = |request: TextureRequest| (request.stage + 1) << 16 | request.operand << 8;
    for lanes in LANES {
        let found = shade(source, lanes, &planes, &[], &samplings, &texel);
        let wanted = [
            1.0 / 255.0 + 2.0 / 255.0 * 10.0 + 3.0 / 255.0 * 100.0 + 8000.0,
            1.0 / 255.0 + 1.0 / 255.0 * 10.0 + 3000.0,
            0.0,
            0.0,
        ];
        assert!(found.iter().all(|(color, _)| *color == wanted), "{found:?} {wanted:?}");
    }
}

#[test]
fn a_sampled_image_is_the_models_own_answer() {
    let source = "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;
        @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> { return textureSample(t, s, uv); }";
    let image = Image::from_fn(Format::Rgba8, 8, 8, |x, y| 0xff00_0000 | (x * 30) << 16 | (y * 30) << 8 | (x * y));
    let image = image.expect("8 x 8 texels");
    let sampling = Sampling { filter: Filter::Bilinear, wrap_u: Wrap::Repeat, wrap_v: Wrap::Repeat, border: 0 };
    let stage = image.stage(0, sampling).expect("a small image");
    let fetch = |address: u32, bytes: u32| image.fetch(address, bytes);
    let sampler = |r: TextureRequest| r.answer(&stage, fetch);
    let planes = [[0.1, 0.3, 0.02], [-0.3, 0.1, 0.2]];
    let samplings = SamplingState { width: 8, height: 8, lod_max: 32.0, ..SamplingState::DEFAULT }.words();
    let found = shade(source, 8, &planes, &[], &samplings, &sampler);
    for (i, (color, _)) in found.iter().enumerate() {
        let (x, y) = pixel(i);
        let coordinate = |p: [f32; 3]| {
            let bits = crate::ir::arithmetic::fused_multiply_add(p[1].to_bits(), x.to_bits(), p[0].to_bits());
            let sum = crate::ir::arithmetic::fused_multiply_add(p[2].to_bits(), y.to_bits(), bits);
            texture::coordinate_from_f32(f32::from_bits(sum) / 2.0)
        };
        let packed = texture::sample(&stage, coordinate(planes[0]), coordinate(planes[1]), 0, fetch);
        let byte = |shift: u32| (packed >> shift & 255) as f32 / 255.0;
        assert_eq!(*color, [byte(16), byte(8), byte(0), byte(24)], "pixel {i}");
    }
}

#[test]
fn a_kernel_without_the_hooks_is_refused_by_name() {
    let user = select(
        "user.wgsl",
        "@fragment fn main(@location(0) a: f32) -> @location(0) vec4<f32> { return vec4<f32>(a); }",
    );
    let refused = |kernel: &str, what: &str| {
        let error = link(&select("kernel.wgsl", kernel), &user, &Options::default()).expect_err("refused").to_string();
        assert!(error.contains(what), "{error}");
    };
    refused("@compute @workgroup_size(4) fn main() {}", "has no `fn shade(f: Fragment) -> Shaded`");
    refused(&KERNEL.replace("smooth_input", "other_input"), "no function `smooth_input`");
    refused(&KERNEL.replace("q: f32", "w: f32").replace("f.q", "f.w"), "no scalar member `q`");
}

/// The kernel with everything that a shader may ask for; a pixel's results are 16 words.
fn full_kernel() -> String {
    let at = "fn smooth_input_at(slot: u32, f: Fragment) -> f32 { return 1000.0 + plane(slot, f); }
        fn linear_input_at(slot: u32, f: Fragment) -> f32 { return 2000.0 + plane(slot, f); }
        fn shade(f: Fragment)";
    KERNEL
        .replace("live: bool,", "live: bool, sample_index: u32, sample_mask: u32,")
        .replace("{ color: vec4<f32>, keep: bool }", "{ mask: u32, color_2: vec4<f32>, keep: bool, color: vec4<f32>, depth: f32 }")
        .replace("fn shade(f: Fragment)", at)
        .replace("let a = ", "let a = smooth_input_at(0u, f) + linear_input_at(0u, f) + ")
        .replace("return Shaded(vec4<f32>(", "return Shaded(0u, vec4<f32>(), true, vec4<f32>(")
        .replace(".width)), true)", ".width)), 0.0)")
        .replace("f.live = true;", "f.live = i != 5u; f.sample_index = i & 3u; f.sample_mask = i;")
        .replace("results[2u * i] = shaded.color;", "results[4u * i] = shaded.color;")
        .replace("results[2u * i + 1u] =", "results[4u * i + 1u] = shaded.color_2; results[4u * i + 2u] = vec4<f32>(shaded.depth, bitcast<f32>(shaded.mask), 0.0, 0.0); results[4u * i + 3u] =")
}

/// The results of [`full_kernel`], and the buffer that the shader may write.
fn shade_fully(source: &str, lanes: u32) -> (Vec<[u32; 16]>, Vec<u32>) {
    let kernel = link(&select("kernel.wgsl", &full_kernel()), &select("user.wgsl", source), &Options::default());
    let kernel = kernel.unwrap_or_else(|error| panic!("{error}"));
    verify(&kernel).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
    let mut memory = Memory::new();
    let buffer = memory.allocate(&[0; 64]);
    let planes = [1.0f32, 2.0, 0.0, 0.0].map(f32::to_bits).repeat(4);
    let lists = [planes, vec![buffer.address, buffer.bytes], vec![0; 7], vec![0; 16 * 16]];
    let bindings = lists.map(|words| memory.allocate(&words));
    let launch = Launch { lanes, workgroups: [1; 3], bindings: &bindings, sampler: None, statement_limit: 100_000 };
    interpret::run(&kernel, &mut memory, &launch).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
    let (results, _) = memory.words(bindings[3]).as_chunks::<16>();
    (results.to_vec(), memory.words(buffer).to_vec())
}

#[test]
fn outputs_go_where_the_kernel_keeps_them() {
    let source = "struct Out { @builtin(frag_depth) d: f32, @location(2) b: vec3<f32>, @builtin(sample_mask) m: u32, @location(0) a: vec2<f32> }
        @fragment fn main(@location(0) @interpolate(perspective, centroid) c: f32, @location(1) @interpolate(linear, sample) s: f32,
                          @builtin(sample_index) i: u32, @builtin(sample_mask) m: u32) -> Out {
            if m == 9u { discard; }
            return Out(f32(m) + 0.5, vec3<f32>(c, s, 3.0), m + 16u, vec2<f32>(f32(i), 2.0)); }";
    for lanes in LANES {
        let (results, _) = shade_fully(source, lanes);
        for (i, words) in results.iter().enumerate() {
            let float = |n: usize| f32::from_bits(words[n]);
            let plane = 1.0 + 2.0 * pixel(i).0;
            assert_eq!([0, 1, 2, 3].map(float), [(i & 3) as f32, 2.0, 0.0, 1.0], "colour 0 of pixel {i}");
            assert_eq!([4, 5, 6, 7].map(float), [1000.0 + plane, 2000.0 + plane, 3.0, 1.0], "colour 2 of pixel {i}");
            assert_eq!((float(8), words[9]), (i as f32 + 0.5, i as u32 + 16), "depth and mask of pixel {i}");
            assert_eq!(float(12), f32::from(u8::from(i != 9)), "whether pixel {i} is kept");
        }
        let (results, _) = shade_fully("@fragment fn main() {}", lanes);
        let words = results[6];
        assert_eq!((f32::from_bits(words[8]), words[9]), (0.25, u32::MAX), "what is not written");
    }
}

#[test]
fn a_colour_without_a_place_is_refused() {
    let user = select("user.wgsl", "@fragment fn main() -> @location(1) vec4<f32> { return vec4<f32>(); }");
    let error = link(&select("kernel.wgsl", KERNEL), &user, &Options::default()).expect_err("refused").to_string();
    assert!(error.contains("writes Color { target: 1, component: 0 }"), "{error}");
}

#[test]
fn buffers_are_written_by_fragments_that_count() {
    // Pixel 5 is a helper, pixel 6 discards between its two stores.
    let source = "@group(0) @binding(0) var<storage, read_write> log: array<atomic<u32>>;
        fn note(i: u32) { atomicStore(&log[i], 10u + i); }
        @fragment fn main(@builtin(sample_mask) i: u32) -> @location(0) vec4<f32> {
            note(i);
            if i == 6u { discard; }
            atomicStore(&log[16u + i], 30u + i);
            let old = atomicAdd(&log[32u], 1u);
            let swap = atomicCompareExchangeWeak(&log[33u + i], 0u, 7u);
            return vec4<f32>(f32(old), f32(swap.exchanged), 0.0, 1.0); }";
    for lanes in LANES {
        let (results, log) = shade_fully(source, lanes);
        for i in 0..16u32 {
            let (first, second) = (i != 5, i != 5 && i != 6);
            assert_eq!(log[i as usize], if first { 10 + i } else { 0 }, "pixel {i}");
            assert_eq!(log[16 + i as usize], if second { 30 + i } else { 0 }, "pixel {i}");
            assert_eq!(log[33 + i as usize], if second { 7 } else { 0 }, "pixel {i}");
            let exchanged = f32::from_bits(results[i as usize][1]);
            assert_eq!(exchanged, f32::from(u8::from(second)), "pixel {i}");
        }
        assert_eq!(log[32], 14);
        assert_eq!(f32::from_bits(results[5][0]), 0.0, "a helper reads zero");
    }
}
