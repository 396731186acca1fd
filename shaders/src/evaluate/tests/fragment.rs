//! Fragment programs: quads, derivatives, helpers, discard, textures.

use texture::{Filter, Format, Image, Sampling, Wrap};

use super::*;

fn evaluator(source: &str) -> Evaluator {
    let module = Module::parse("test.wgsl", source).and_then(|module| module.select("main", &[]));
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    Evaluator::new(&module).unwrap_or_else(|error| panic!("{error}"))
}

/// A quad at pixel (x, y) whose slots are given for each lane.
fn quad(x: u32, y: u32, slots: impl Fn(f32, f32) -> Vec<f32>) -> [FragmentInput; 4] {
    std::array::from_fn(|lane| {
        let (px, py) = ((x + (lane as u32 & 1)) as f32 + 0.5, (y + (lane as u32 >> 1)) as f32 + 0.5);
        let mut input = FragmentInput { position: [px, py, 0.25, 1.0], ..FragmentInput::default() };
        for (slot, value) in input.slots.iter_mut().zip(slots(px, py)) {
            *slot = value.to_bits();
        }
        input
    })
}

#[track_caller]
fn colors(source: &str, inputs: &[FragmentInput; 4]) -> [[f32; 4]; 4] {
    let outputs = evaluator(source).run_quad(inputs, &FragmentResources::default());
    outputs.unwrap_or_else(|error| panic!("{error}")).map(|output| output.colors[0])
}

#[test]
fn inputs_arrive_by_slot() {
    let source = "struct In { @location(3) uv: vec2<f32>, @builtin(position) p: vec4<f32>, @location(0) @interpolate(flat) id: u32 }
        @fragment fn main(in: In, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
            return vec4<f32>(in.uv.y, f32(in.id), in.p.y + in.p.z, f32(front)); }";
    let mut inputs = quad(2, 6, |x, y| vec![f32::from_bits(9), x, y * 2.0]);
    inputs[3].is_front_facing = false;
    let colors = colors(source, &inputs);
    assert_eq!(
        colors,
        [[13.0, 9.0, 6.75, 1.0], [13.0, 9.0, 6.75, 1.0], [15.0, 9.0, 7.75, 1.0], [15.0, 9.0, 7.75, 0.0]]
    );
}

#[test]
fn derivatives_are_differences_within_the_quad() {
    let source = "@fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            let v = p.x * p.x + 10.0 * p.y * p.x;
            return vec4<f32>(dpdx(v), dpdxFine(v), dpdyFine(v), fwidthCoarse(v)); }";
    // v = x² + 10xy at x = 0.5, 1.5 and y = 0.5, 1.5: 2.75, 9.75; 7.75, 24.75.
    let colors = colors(source, &quad(0, 0, |_, _| vec![]));
    assert_eq!(
        colors,
        [[7.0, 7.0, 5.0, 12.0], [7.0, 7.0, 15.0, 12.0], [7.0, 17.0, 5.0, 12.0], [7.0, 17.0, 15.0, 12.0]]
    );
}

#[test]
fn a_derivative_beside_absent_lanes_takes_the_readers_own_value() {
    let source = "@fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            var d = vec4<f32>(-1.0);
            if p.x > 1.0 { d = vec4<f32>(dpdxFine(p.x * 8.0), dpdyFine(p.y * 8.0), dpdxCoarse(p.y), 0.0); }
            return d; }";
    // Lanes 1 and 3 are there: along x each has only itself, along y they have each other; lane 0 is away from the coarse one.
    let colors = colors(source, &quad(0, 0, |_, _| vec![]));
    assert_eq!(colors, [[-1.0; 4], [0.0, 8.0, 0.0, 0.0], [-1.0; 4], [0.0, 8.0, -1.0, 0.0]]);
}

#[test]
fn discarded_lanes_go_on_as_helpers() {
    let source = "fn cut(x: f32) { if x < 1.0 { discard; } }
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            cut(p.x);
            let v = p.x * 3.0;
            return vec4<f32>(dpdx(v)); }";
    let outputs =
        evaluator(source).run_quad(&quad(0, 0, |_, _| vec![]), &FragmentResources::default()).expect("it runs");
    assert_eq!(outputs.map(|output| output.is_discarded), [true, false, true, false]);
    assert_eq!(outputs.map(|output| output.colors[0][0]), [3.0; 4]);
}

#[test]
fn helper_lanes_feed_derivatives() {
    let source = "@fragment fn main(@location(0) u: f32) -> @location(0) vec4<f32> { return vec4<f32>(dpdx(u), dpdy(u), 0.0, 0.0); }";
    let mut inputs = quad(4, 4, |x, y| vec![x * 2.0 + y]);
    for lane in [0, 1, 2] {
        inputs[lane].is_helper = true;
    }
    assert_eq!(colors(source, &inputs)[3], [2.0, 1.0, 0.0, 0.0]);
}

#[test]
fn quads_of_a_batch_are_independent_of_each_other() {
    let source = "var<private> n: f32;
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            for (var i = 0.0; i < p.x; i += 1.0) { n += i; if n > 40.0 { break; } }
            if n > 30.0 { discard; }
            return vec4<f32>(n, dpdx(n), dpdy(n), quadSwapX(n)); }";
    let mut one = evaluator(source);
    let mut all = evaluator(source);
    let inputs: Vec<_> = (0..20).flat_map(|index| quad(index * 2, index % 3, |_, _| vec![])).collect();
    let mut batch = vec![FragmentOutput::default(); inputs.len()];
    all.run_quads(&inputs, &FragmentResources::default(), &mut batch).expect("it runs");
    // Run it twice: nothing of the first run is left over.
    let again = batch.clone();
    all.run_quads(&inputs, &FragmentResources::default(), &mut batch).expect("it runs");
    assert_eq!(again, batch);
    for (inputs, outputs) in inputs.as_chunks::<4>().0.iter().zip(batch.as_chunks::<4>().0) {
        assert_eq!(one.run_quad(inputs, &FragmentResources::default()).expect("it runs"), *outputs);
    }
    assert!(batch.iter().any(|output| output.is_discarded) && batch.iter().any(|output| !output.is_discarded));
}

#[test]
fn buffers_come_in_interface_order() {
    let source = "@group(1) @binding(0) var<uniform> late: vec4<f32>;
        @group(0) @binding(2) var<storage, read> early: array<f32>;
        @fragment fn main() -> @location(0) vec4<f32> { return late * early[1]; }";
    let bytes = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let (early, late) = (bytes(&[7.0, 2.0]), bytes(&[1.0, 2.0, 3.0, 4.0]));
    let resources =
        FragmentResources { buffers: &[FragmentBuffer::Read(&early), FragmentBuffer::Read(&late)], textures: &[] };
    let inputs = quad(0, 0, |_, _| vec![]);
    assert_eq!(evaluator(source).run_quad(&inputs, &resources).expect("it runs")[2].colors[0], [2.0, 4.0, 6.0, 8.0]);
    let missing = evaluator(source)
        .run_quad(&inputs, &FragmentResources { buffers: &[FragmentBuffer::Read(&early)], textures: &[] });
    assert_eq!(missing, Err(EvaluateError::MissingBuffer { entry: "main".into(), group: 1, binding: 0 }));
}

/// 8 × 8 with levels whose red is 0, 10, 20, 30 and whose green is the column.
fn image() -> Image {
    let mut image = Image::blank(Format::Rgba8, 8, 8, 4).expect("a legal size");
    for level in 0..4usize {
        let size = 8 >> level;
        for y in 0..size {
            for x in 0..size {
                image.set_color(level, x, y, 0xff00_0000 | (level as u32 * 10) << 16 | x << 8 | y);
            }
        }
    }
    image
}

fn bound(image: &Image, filter: Filter, mip_filter: u32) -> BoundTexture<'_> {
    let sampling = Sampling { filter, wrap_u: Wrap::Repeat, wrap_v: Wrap::Repeat, ..Sampling::default() };
    let stage = image.stage(0, sampling).expect("a legal stage");
    let state = SamplingState { width: 8, height: 8, levels: 4, mip_filter, lod_max: 32.0, ..SamplingState::DEFAULT };
    BoundTexture { image, stage, state }
}

const TEXTURED: &str = "@group(0) @binding(0) var t: texture_2d<f32>;
    @group(0) @binding(1) var s: sampler;
    fn look(t: texture_2d<f32>, s: sampler, uv: vec2<f32>) -> vec4<f32> { return textureSample(t, s, uv); }
    @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> { return look(t, s, uv) * 255.0; }";

// CASES A23: du of four texels per pixel is level 2 exactly; between levels by the fraction.
#[test]
fn the_level_follows_the_footprint() {
    let image = image();
    let mut evaluator = evaluator(TEXTURED);
    let mut red = |texels_per_pixel: f32, mip_filter: u32| {
        let inputs = quad(0, 0, |x, y| vec![x * texels_per_pixel / 8.0, y / 8.0]);
        let textures = [bound(&image, Filter::Point, mip_filter)];
        let resources = FragmentResources { buffers: &[], textures: &textures };
        evaluator.run_quad(&inputs, &resources).expect("it runs")[0].colors[0][0]
    };
    assert_eq!(red(4.0, 2), 20.0);
    assert_eq!(red(1.0, 2), 0.0);
    assert_eq!(red(0.25, 2), 0.0);
    assert_eq!(red(64.0, 2), 30.0);
    assert_eq!(red(f32::NAN, 2), 0.0);
    assert_eq!(red(1e30, 2), 30.0);
    // The difference of infinities is NaN.
    assert_eq!(red(f32::INFINITY, 2), 0.0);
    assert_eq!(red(4.0, 0), 0.0);
    // 2^1.25 = 2.3784 texels per pixel: a quarter of the way from 10 to 20 is 12.5.
    assert!((red(2.378_414_2, 2) - 12.5).abs() <= 0.5);
    assert_eq!(red(2.378_414_2, 1), 10.0);
    assert_eq!(red(3.0, 1), 20.0);
}

#[test]
fn explicit_levels_biases_and_gradients() {
    let image = image();
    let red_of = |expression: &str, bias: f32, mip_filter: u32| {
        let source = TEXTURED.replace("look(t, s, uv)", expression);
        let mut texture = bound(&image, Filter::Point, mip_filter);
        texture.state.lod_bias = bias;
        texture.state.lod_max = 2.5;
        let inputs = quad(0, 0, |x, y| vec![x / 8.0, y / 8.0]);
        let resources = FragmentResources { buffers: &[], textures: &[texture] };
        evaluator(&source).run_quad(&inputs, &resources).expect("it runs")[0].colors[0][0]
    };
    let red = |expression: &str, bias: f32| red_of(expression, bias, 2);
    // Half way between two levels the finer one is the nearest.
    assert_eq!(red_of("textureSampleLevel(t, s, uv, 1.5)", 0.0, 1), 10.0);
    assert_eq!(red_of("textureSampleLevel(t, s, uv, 1.51)", 0.0, 1), 20.0);
    for (lod, expected) in [("-5.0", 0.0), ("1.0", 10.0), ("1.5", 15.0), ("99.0", 25.0)] {
        assert_eq!(red(&format!("textureSampleLevel(t, s, uv, {lod})"), 0.0), expected, "lod {lod}");
    }
    assert_eq!(red("textureSampleLevel(t, s, uv, 1.0)", 1.0), 20.0);
    assert_eq!(red("textureSampleBias(t, s, uv, 1.0)", 0.0), 10.0);
    assert_eq!(red("textureSample(t, s, uv)", 2.0), 20.0);
    assert_eq!(red("textureSampleGrad(t, s, uv, vec2<f32>(0.25, 0.0), vec2<f32>(0.0, 0.5))", 0.0), 20.0);
    assert_eq!(red("textureSampleBaseClampToEdge(t, s, uv + 9.0)", 0.0), 0.0);
}

#[test]
fn loads_and_queries_take_the_stage_without_sampler() {
    let image = image();
    let source = "@group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            let c = textureLoad(t, vec2<i32>(3, 5), 0) + textureLoad(t, vec2<u32>(1u, 9u), i32(p.x) + 1);
            let size = textureDimensions(t, 1) + textureDimensions(t);
            let unused = textureSampleLevel(t, s, p.xy, 0.0);
            return vec4<f32>(c.rgb * 255.0 + unused.rgb * 0.0, f32(size.x * 10u + size.y + textureNumLevels(t) * 1000u)); }";
    let module = Module::parse("t.wgsl", source).and_then(|m| m.select("main", &[])).expect("valid");
    let stages: Vec<_> = module.texture_stages().iter().map(|stage| stage.sampler.is_some()).collect();
    assert_eq!(stages, [true, false]);
    let bilinear = bound(&image, Filter::Bilinear, 2);
    let mut point = bound(&image, Filter::Point, 0);
    point.stage = image.stage(0, Sampling::default()).expect("a legal stage");
    let resources = FragmentResources { buffers: &[], textures: &[bilinear, point] };
    let outputs = evaluator(source).run_quad(&quad(0, 0, |_, _| vec![]), &resources).expect("it runs");
    // Level 0 at (3, 5) and level 1 at (1, 3): red 0 + 10, green 3 + 1, blue 5 + 3.
    assert_eq!(outputs[0].colors[0], [10.0, 4.0, 8.0, 4132.0]);
    let one = FragmentResources { buffers: &[], textures: &[bilinear] };
    let error = evaluator(source).run_quad(&quad(0, 0, |_, _| vec![]), &one).expect_err("two stages are wanted");
    assert_eq!(error, EvaluateError::MissingTexture { entry: "main".into(), wanted: 2, given: 1 });
}

#[test]
fn a_texture_has_a_stage_for_each_way_it_is_used() {
    let stages = |expression: &str| {
        let source = format!(
            "@group(0) @binding(3) var t: texture_2d<f32>; @group(0) @binding(2) var u: texture_2d<f32>;
             @group(0) @binding(1) var s: sampler; @group(0) @binding(0) var r: sampler;
             fn both(a: texture_2d<f32>, b: sampler) -> vec4<f32> {{ return textureSample(a, b, vec2<f32>()) + textureSample(a, r, vec2<f32>()); }}
             @fragment fn main() -> @location(0) vec4<f32> {{ return {expression}; }}"
        );
        let module = Module::parse("s.wgsl", &source).and_then(|m| m.select("main", &[])).expect("valid");
        let name = |handle: naga::Handle<naga::GlobalVariable>| {
            module.naga.global_variables[handle].name.clone().expect("named")
        };
        let names = module
            .texture_stages()
            .iter()
            .map(|stage| name(stage.texture) + &stage.sampler.map_or("".into(), name))
            .collect::<Vec<_>>();
        names.join(" ")
    };
    assert_eq!(stages("vec4<f32>(f32(textureDimensions(t).x))"), "t");
    assert_eq!(stages("vec4<f32>(f32(textureDimensions(t).x)) + textureSample(t, s, vec2<f32>())"), "ts");
    assert_eq!(stages("both(t, s) + both(u, s)"), "ur us tr ts");
    assert_eq!(stages("both(t, r) + textureLoad(t, vec2<i32>(), 0)"), "tr t");
}

/// Prints the speed as well: `cargo test -p shaders batches_of_any_size -- --nocapture`.
#[test]
fn batches_of_any_size_give_the_same() {
    let image = image();
    let mut evaluator = evaluator(TEXTURED);
    let inputs: Vec<_> =
        (0..64).flat_map(|i| quad(i * 2, i / 9, |x, y| vec![x * 0.1, y * 0.3 + x * x * 0.001])).collect();
    let textures = [bound(&image, Filter::Bilinear, 2)];
    let resources = FragmentResources { buffers: &[], textures: &textures };
    let mut outputs = vec![FragmentOutput::default(); inputs.len()];
    evaluator.run_quads(&inputs, &resources, &mut outputs).expect("it runs");
    let mut singles = vec![FragmentOutput::default(); inputs.len()];
    for batch in [4, 16, 64, 256] {
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let start = std::time::Instant::now();
            for (inputs, outputs) in inputs.chunks(batch).zip(singles.chunks_mut(batch)) {
                evaluator.run_quads(inputs, &resources, outputs).expect("it runs");
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{:.0} fragments/s in batches of {batch}", inputs.len() as f64 / best);
        assert_eq!(singles, outputs);
    }
    assert!(outputs.iter().any(|output| output.colors != outputs[0].colors));
}

#[test]
fn outputs_come_by_location_and_what_is_not_written_has_a_rule() {
    let source = "struct Out { @builtin(sample_mask) m: u32, @location(2) b: vec2<f32>, @location(0) a: f32 }
        @fragment fn main(@builtin(sample_index) i: u32, @builtin(sample_mask) m: u32) -> Out {
            return Out(m & 6u, vec2<f32>(f32(i), 7.0), 5.0); }";
    let mut inputs = quad(0, 0, |_, _| vec![]);
    inputs[1].sample_index = 3;
    inputs[1].sample_mask = 0b1100;
    let outputs = evaluator(source).run_quad(&inputs, &FragmentResources::default()).expect("it runs");
    let output = outputs[1];
    assert_eq!((output.colors[0], output.colors[2]), ([5.0, 0.0, 0.0, 1.0], [3.0, 7.0, 0.0, 1.0]));
    assert_eq!((output.mask, output.depth), (0b0100, 0.25), "the depth that is not written is the window's");
    let depth = "struct Out { @location(0) a: vec4<f32>, @builtin(frag_depth) d: f32 }
        @fragment fn main(@builtin(position) p: vec4<f32>) -> Out { return Out(p, p.x * 2.0); }";
    let outputs = evaluator(depth).run_quad(&inputs, &FragmentResources::default()).expect("it runs");
    assert_eq!(outputs.map(|output| output.depth), [1.0, 3.0, 1.0, 3.0]);
    assert_eq!(outputs[0].mask, u32::MAX);
}

#[test]
fn stores_of_helpers_and_of_discarded_lanes_are_dropped() {
    let source = "@group(0) @binding(0) var<storage, read_write> log: array<u32>;
        @fragment fn main(@builtin(position) p: vec4<f32>) {
            let i = u32(p.x) + 2u * u32(p.y);
            log[i] = 10u + i;
            if i == 3u { discard; }
            log[4u + i] = 20u + i; }";
    let mut inputs = quad(0, 0, |_, _| vec![]);
    inputs[1].is_helper = true;
    let mut bytes = [0u8; 32];
    let cells = std::cell::Cell::from_mut(&mut bytes[..]).as_slice_of_cells();
    let resources = FragmentResources { buffers: &[FragmentBuffer::Write(cells)], textures: &[] };
    evaluator(source).run_quad(&inputs, &resources).expect("it runs");
    assert_eq!(bytemuck::cast::<_, [u32; 8]>(bytes), [10, 0, 12, 13, 20, 0, 22, 0]);
}
