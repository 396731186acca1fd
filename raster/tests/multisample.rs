//! Four samples a pixel, and what shaders say about samples and depth.

mod drawing;

use drawing::*;
use glam::{Vec2, Vec4};
use gpu_core::config::GpuConfig;
use raster::state::MultisampleState;
use raster::{
    Backend, Bindings, BlendState, Clear, ColorAttachment, ColorFormat, Compare, Contents, DepthAttachment,
    DepthFormat, DepthState, Device, Draw, Dynamic, Frame, Pass, Pipeline, PointShape, PointState, Reference, Samples,
    State, StencilFace, StencilState, StorageBuffer, Surface, Topology, Vertex,
};

/// The reference, machines of every width, and one that counts cycles.
fn machines() -> Vec<Box<dyn Backend>> {
    let device = |config| Box::new(Device::new(config).expect("a machine that draws"));
    vec![
        Box::new(Reference::new()),
        device(GpuConfig::vortex(1, 4, 4)),
        device(GpuConfig::vortex(2, 2, 8)),
        device(GpuConfig::wide(2, 4, 16)),
        device(GpuConfig::wide(1, 2, 32)),
        Box::new(timed_device()),
    ]
}

const SIZE: (u32, u32) = (13, 10);

/// A triangle in one colour, its corners in pixels and depth.
fn triangle(pipeline: &Pipeline, corners: [[f32; 3]; 3], color: Vec4) -> Draw {
    let vertex = |[x, y, z]: [f32; 3]| {
        let mut vertex = at_pixel([x, y], SIZE, color).with(1, Vec2::new(x / 13.0, y / 10.0));
        vertex.position.z = z;
        vertex
    };
    draw(pipeline, corners.map(vertex).to_vec())
}

/// Everything right of a column, which may lie between pixels.
fn right_of(pipeline: &Pipeline, x: f32, color: Vec4) -> Draw {
    triangle(pipeline, [[x, -100.0, 0.5], [x + 200.0, 5.0, 0.5], [x, 110.0, 0.5]], color)
}

fn picture(draws: Vec<Draw>) -> Frame {
    Frame::new(SIZE.0, SIZE.1, Clear::to([0.0; 4]), draws).with_samples(Samples::Four)
}

fn surface(format: ColorFormat) -> Surface {
    Surface::color("many", SIZE, format, Samples::Four).expect("a small size")
}

/// What the samples of a surface hold after one pass.
fn samples_of(backend: &mut dyn Backend, draws: Vec<Draw>) -> Contents {
    let surface = surface(ColorFormat::Rgba8);
    let pass = Pass { colors: vec![ColorAttachment::cleared(&surface, [0.0; 4])], draws, ..Pass::default() };
    render(backend, &picture(Vec::new()).after(vec![pass]));
    backend.read(&surface).unwrap_or_else(|error| panic!("{}: {error}", backend.name()))
}

#[test]
fn an_edge_between_samples_gives_the_levels_of_their_number() {
    // Samples are at 6, 14, 2 and 10 sixteenths of the column. (n · 255 + 2) / 4: 64, 128, 191, 255.
    let plain = pipeline(COLOR, State::FLAT);
    for (sixteenths, level) in [(0.0, 255), (3.0, 191), (7.0, 128), (11.0, 64), (15.0, 0)] {
        let frame = picture(vec![right_of(&plain, 3.0 + sixteenths / 16.0, WHITE)]);
        for backend in &mut machines() {
            let target = render(&mut **backend, &frame);
            let found = [2, 3, 4].map(|x| target.color_at(x, 7));
            assert_eq!(found, [0, level * 0x0101_0101, u32::MAX], "{}: {sixteenths}/16", backend.name());
        }
    }
    // x + y < 8: of pixels on the diagonal the samples (6, 2) and (2, 10) are inside.
    let frame = picture(vec![triangle(&plain, [[0.0, 0.0, 0.5], [8.0, 0.0, 0.5], [0.0, 8.0, 0.5]], WHITE)]);
    for backend in &mut machines() {
        let target = render(&mut **backend, &frame);
        for (y, x) in (0..10).flat_map(|y| (0..13).map(move |x| (y, x))) {
            let level = match x + y {
                0..=6 => 255,
                7 => 128,
                _ => 0,
            };
            assert_eq!(target.color_at(x, y), level * 0x0101_0101, "{}: pixel {x}, {y}", backend.name());
        }
    }
}

#[test]
fn a_triangle_that_holds_a_sample_and_no_centre_is_drawn() {
    // Around the first sample of pixel 3, 3, which is at (3.375, 3.125).
    let around = [[3.3125, 3.0625, 0.5], [3.4375, 3.0625, 0.5], [3.375, 3.25, 0.5]];
    let frame = picture(vec![triangle(&pipeline(COLOR, State::FLAT), around, WHITE)]);
    for backend in &mut machines() {
        let target = render(&mut **backend, &frame);
        let shown: Vec<_> = target.shown().enumerate().filter(|(_, word)| *word != 0).collect();
        assert_eq!(shown, [(3 * 13 + 3, 0x4040_4040)], "{}", backend.name());
    }
}

#[test]
fn encoded_samples_are_averaged_in_linear_light() {
    let (many, one) =
        (surface(ColorFormat::Rgba8Srgb), Surface::color("one", SIZE, ColorFormat::Rgba8Srgb, Samples::One));
    let one = one.expect("a small size");
    let state = State::FLAT.on(ColorFormat::Rgba8Srgb, DepthFormat::Depth32Float);
    let pass = Pass {
        colors: vec![ColorAttachment::cleared(&many, [0.0; 4]).resolved_into(&one)],
        draws: vec![right_of(&pipeline(COLOR, state), 3.0 + 7.0 / 16.0, WHITE)],
        ..Pass::default()
    };
    for backend in &mut machines() {
        render(&mut **backend, &picture(Vec::new()).after(vec![pass.clone()]));
        let contents = backend.read(&one).expect("it was drawn");
        // Half the light is 188 (IEC 61966-2-1); alpha is not encoded.
        assert_eq!([2, 3, 4].map(|x| contents.at(0, x, 4)), [0, 0x80bc_bcbc, u32::MAX], "{}", backend.name());
        assert!(backend.read(&many).expect("it was drawn").planes.iter().flatten().all(|word| *word == 0));
    }
}

#[test]
fn depth_is_each_samples_own() {
    // Two planes that cross at x = 6.5, in the middle of a column: samples 0 and 2 are left of it, 1 and 3 right.
    let state = State { depth: DepthState::LESS_WRITE, ..State::FLAT };
    let plain = pipeline(COLOR, state);
    let falling = |slope: f32| {
        let z = |x: f32| 0.5 + slope * (x - 6.5) / 60.0;
        [[-13.5, -30.0, z(-13.5)], [26.5, -30.0, z(26.5)], [6.5, 50.0, z(6.5)]]
    };
    let (red, green) = (Vec4::new(1.0, 0.0, 0.0, 1.0), Vec4::new(0.0, 1.0, 0.0, 1.0));
    let frame = picture(vec![triangle(&plain, falling(1.0), red), triangle(&plain, falling(-1.0), green)]);
    for backend in &mut machines() {
        let target = render(&mut **backend, &frame);
        let found = [5, 6, 7].map(|x| target.color_at(x, 5));
        assert_eq!(found, [0xffff_0000, 0xff80_8000, 0xff00_ff00], "{}", backend.name());
    }
}

#[test]
fn a_shader_that_reads_the_sample_runs_for_each() {
    let source = "@fragment fn main(@builtin(sample_index) i: u32, @builtin(sample_mask) m: u32, @builtin(position) p: vec4<f32>)
            -> @location(0) vec4<f32> {
            return vec4<f32>(f32(i), f32(m), fract(p.x) * 16.0, fract(p.y) * 16.0) / 255.0; }";
    for backend in &mut machines() {
        let contents =
            samples_of(&mut **backend, vec![right_of(&pipeline(source, State::FLAT), 3.0 + 7.0 / 16.0, WHITE)]);
        for (sample, place) in [[6, 2], [14, 6], [2, 10], [10, 14]].into_iter().enumerate() {
            let word = (place[1] as u32) << 24 | (sample as u32) << 16 | 1 << (sample + 8) | place[0] as u32;
            assert_eq!(contents.at(sample, 5, 5), word, "{}: sample {sample}", backend.name());
            let is_covered = [false, true, false, true][sample];
            assert_eq!(contents.at(sample, 3, 5), if is_covered { word } else { 0 }, "{}: {sample}", backend.name());
        }
    }
}

#[test]
fn a_centroid_lies_in_the_triangle() {
    // Red and green are x in pixels · 16, at the centroid and at the centre.
    let source = "@fragment fn main(@location(1) @interpolate(perspective, centroid) at: vec2<f32>, @location(1) @interpolate(linear) b: vec2<f32>)
            -> @location(0) vec4<f32> { return vec4<f32>(at.x * 13.0, at.x * 13.0, 0.0, 1.0) * 16.0 / 255.0; }"
        .replace(", @location(1) @interpolate(linear) b: vec2<f32>", "");
    for backend in &mut machines() {
        let contents =
            samples_of(&mut **backend, vec![right_of(&pipeline(&source, State::FLAT), 3.0 + 7.0 / 16.0, WHITE)]);
        // The first covered sample of column 3 is number 1, at 14/16; column 5 is all covered.
        assert_eq!(contents.at(1, 3, 5) >> 16 & 255, 3 * 16 + 14, "{}", backend.name());
        assert_eq!(contents.at(0, 5, 5) >> 16 & 255, 5 * 16 + 8, "{}", backend.name());
    }
}

#[test]
fn masks_and_alpha_take_samples_away() {
    let masked = |mask| State { multisample: MultisampleState { mask, alpha_to_coverage: false }, ..State::FLAT };
    let covering = State { multisample: MultisampleState { mask: u32::MAX, alpha_to_coverage: true }, ..State::FLAT };
    let shader = "struct Out { @location(0) c: vec4<f32>, @builtin(sample_mask) m: u32 }
        @fragment fn main(@location(0) c: vec4<f32>, @builtin(sample_mask) m: u32) -> Out { return Out(c, m & 6u); }";
    let grey = |alpha| Vec4::new(0.2, 0.2, 0.2, alpha);
    let cases = [
        (right_of(&pipeline(COLOR, masked(0b1001)), -1.0, grey(1.0)), 0b1001),
        (right_of(&pipeline(COLOR, covering), -1.0, grey(0.5)), 0b0011),
        (right_of(&pipeline(COLOR, covering), -1.0, grey(0.1)), 0),
        (right_of(&pipeline(shader, State::FLAT), -1.0, grey(1.0)), 0b0110),
        (right_of(&pipeline(shader, masked(0b1100)), -1.0, grey(1.0)), 0b0100),
    ];
    for (case, (draw, left)) in cases.into_iter().enumerate() {
        for backend in &mut machines() {
            let contents = samples_of(&mut **backend, vec![draw.clone()]);
            let found = (0..4).filter(|&sample| contents.at(sample, 4, 4) != 0).map(|sample| 1 << sample).sum::<u32>();
            assert_eq!(found, left, "{}: case {case}", backend.name());
        }
    }
}

#[test]
fn a_shader_may_give_the_depth_and_drop_its_only_sample() {
    let source = "struct Out { @location(0) c: vec4<f32>, @builtin(frag_depth) d: f32, @builtin(sample_mask) m: u32 }
        @fragment fn main(@location(0) c: vec4<f32>, @builtin(position) p: vec4<f32>) -> Out {
            return Out(c, p.x / 16.0, select(1u, 2u, p.y < 3.0)); }";
    let state = State { depth: DepthState::LESS_WRITE, ..State::FLAT };
    let frame = Frame::new(
        SIZE.0,
        SIZE.1,
        Clear { depth: 0.5, ..Clear::to([0.0; 4]) },
        vec![right_of(&pipeline(source, state), -1.0, WHITE)],
    );
    for backend in &mut machines() {
        let target = render(&mut **backend, &frame);
        // 0.5 at x = 8; the shader's own depth is tested and written, however near the triangle is.
        assert_eq!([7, 8].map(|x| target.color_at(x, 5)), [u32::MAX, 0], "{}", backend.name());
        assert_eq!([7, 8].map(|x| target.depth_at(x, 5)), [7.5 / 16.0, 0.5], "{}", backend.name());
        assert_eq!((target.color_at(7, 2), target.depth_at(7, 2)), (0, 0.5), "{}: bit 0 of the mask", backend.name());
    }
}

#[test]
fn fragments_write_buffers_also_where_the_depth_test_fails() {
    let source = "@group(0) @binding(0) var<storage, read_write> log: array<atomic<u32>>;
        @fragment fn main(@location(0) c: vec4<f32>, @builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            atomicAdd(&log[0], 1u);
            if p.x < 2.0 { discard; }
            atomicStore(&log[1u + u32(p.x) + 13u * u32(p.y)], u32(c.x * 255.0 + 0.5));
            return c; }";
    let state = State { depth: DepthState::LESS_WRITE, ..State::FLAT };
    let pipeline = pipeline(source, state);
    let interpreted = [4, 16].map(|lanes| Box::new(Interpreted::new(lanes, 3)) as Box<dyn Backend>);
    for backend in machines().iter_mut().chain(&mut interpreted.into_iter().collect::<Vec<_>>()) {
        let log = StorageBuffer::of_words(131);
        let color = |level: f32| Vec4::new(level / 255.0, 0.0, 0.0, 1.0);
        let far = [[-50.0, -9.0, 0.75], [50.0, -9.0, 0.75], [-50.0, 90.0, 0.75]];
        let draws = vec![right_of(&pipeline, 5.0, color(7.0)), triangle(&pipeline, far, color(9.0))];
        let bindings = || Bindings::new().with(0, 0, &log);
        let draws = draws.into_iter().map(|draw| draw.with_bindings(bindings())).collect();
        let target = render(&mut **backend, &Frame::new(SIZE.0, SIZE.1, Clear::to([0.0; 4]), draws));
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&log.bytes());
        // 8 of 13 columns, then all of them. The second draw is the later one everywhere, shown or not.
        assert_eq!(words[0], 80 + 130, "{}", backend.name());
        let at = |x: u32, y: u32| words[(1 + x + 13 * y) as usize];
        assert_eq!([at(1, 4), at(2, 4), at(4, 4), at(5, 4), at(12, 9)], [0, 9, 9, 9, 9], "{}", backend.name());
        assert_eq!([4, 5].map(|x| target.color_at(x, 4) >> 16 & 255), [9, 7], "{}", backend.name());
    }
}

/// Random triangles under random states: samples, their average, depth and stencil of every machine are the reference's.
#[test]
fn every_machine_draws_the_samples_of_the_reference() {
    let shaders = [
        COLOR,
        "@fragment fn main(@location(0) @interpolate(perspective, sample) c: vec4<f32>) -> @location(0) vec4<f32> { return c; }",
        "@fragment fn main(@location(0) @interpolate(linear, centroid) c: vec4<f32>, @builtin(sample_mask) m: u32)
            -> @location(0) vec4<f32> { return c * vec4<f32>(1.0, f32(m) / 15.0, 1.0, 1.0); }",
        "struct Out { @location(0) c: vec4<f32>, @builtin(sample_mask) m: u32, @builtin(frag_depth) d: f32 }
         @fragment fn main(@location(0) c: vec4<f32>, @builtin(sample_index) i: u32, @builtin(position) p: vec4<f32>) -> Out {
            if c.y > 0.8 { discard; }
            return Out(c, select(15u, 5u, c.x > 0.5), fract(p.z + f32(i) * 0.1)); }",
        "@fragment fn main(@location(0) c: vec4<f32>) -> @location(0) vec4<f32> { return vec4<f32>(c.rgb, c.a + dpdx(c.r)); }",
    ];
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1u64);
    let mut chance = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut roll = move |below: u32| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((chance >> 33) as u32) % below
    };
    let mut backends = machines();
    for round in 0..24 {
        let format = DepthFormat::ALL[roll(4) as usize];
        let stencil = if format.has_stencil() && roll(2) == 0 {
            StencilState::both(StencilFace { pass: raster::StencilOperation::IncrementWrap, ..StencilFace::EQUAL })
        } else {
            StencilState::OFF
        };
        let state = State {
            depth: DepthState { compare: Compare::ALL[roll(8) as usize], write: roll(2) == 0 },
            alpha_test: if roll(3) == 0 { Compare::Greater } else { Compare::Always },
            stencil,
            multisample: MultisampleState {
                mask: if roll(3) == 0 { roll(16) } else { u32::MAX },
                alpha_to_coverage: roll(3) == 0,
            },
            ..State::FLAT
        };
        let state = if roll(2) == 0 { state.blended(BlendState::ALPHA) } else { state };
        let state = state.on([ColorFormat::Rgba8, ColorFormat::Rgba8Srgb][roll(2) as usize], format);
        let many = surface(state.targets[0].format);
        let one = Surface::color("one", SIZE, state.targets[0].format, Samples::One).expect("a small size");
        let depths = Surface::depth("depths", SIZE, format, Samples::Four).expect("a small size");
        let mut corner = || {
            let mut number = |below: u32| roll(below) as f32;
            let place = [number(20 * 256) / 256.0 - 3.0, number(16 * 256) / 256.0 - 3.0];
            let color = Vec4::new(number(256), number(256), number(256), number(256)) / 255.0;
            let mut vertex: Vertex = at_pixel(place, SIZE, color);
            vertex.position.z = number(1000) / 1000.0;
            vertex.position *= 0.5 + number(8) / 4.0;
            vertex
        };
        let vertices: Vec<Vertex> = (0..3 * 6).map(|_| corner()).collect();
        let shader = shaders[roll(shaders.len() as u32) as usize];
        let stays = roll(2) == 0;
        let attachment =
            ColorAttachment { resolve: Some(one.clone()), ..ColorAttachment::cleared(&many, [0.2, 0.4, 0.6, 0.8]) };
        // One for both passes: most of the time goes into compiling it for every machine.
        let pipeline = pipeline(shader, state);
        let pass = |colors: ColorAttachment, depth: DepthAttachment, vertices: &[Vertex]| Pass {
            colors: vec![colors],
            depth: Some(depth),
            draws: vec![draw(&pipeline, vertices.to_vec())],
            ..Pass::default()
        };
        let first = pass(attachment.clone(), DepthAttachment::cleared(&depths, 0.5), &vertices[..12]);
        // The second goes on from the first, and averages also what it does not touch.
        let loaded = ColorAttachment { resolve: stays.then(|| one.clone()), ..ColorAttachment::loaded(&many) };
        let second = pass(loaded, DepthAttachment::loaded(&depths), &vertices[12..]);
        let frame = picture(Vec::new()).after(vec![first, second]);
        let mut expected: Option<[Contents; 3]> = None;
        for backend in &mut backends {
            render(&mut **backend, &frame);
            let found = [&many, &one, &depths].map(|surface| backend.read(surface).expect("it was drawn"));
            match &expected {
                None => expected = Some(found),
                Some(expected) => {
                    let place = differs(expected, &found);
                    assert_eq!(place, None, "SEED={seed}, round {round}: {}\n{shader}\n{state:?}", backend.name());
                }
            }
        }
    }
}

/// The first word that differs: which surface, which plane, which pixel.
fn differs(expected: &[Contents; 3], found: &[Contents; 3]) -> Option<(usize, usize, usize)> {
    let words = |contents: &[Contents; 3]| -> Vec<((usize, usize, usize), u32)> {
        let planes = contents.iter().enumerate().flat_map(|(surface, contents)| {
            contents.planes.iter().enumerate().map(move |(plane, words)| (surface, plane, words.clone()))
        });
        planes
            .flat_map(|(surface, plane, words)| {
                words.into_iter().enumerate().map(move |(pixel, word)| ((surface, plane, pixel), word))
            })
            .collect()
    };
    words(expected).into_iter().zip(words(found)).find(|(a, b)| a != b).map(|(a, _)| a.0)
}

/// Vulkan, "Points" and "Basic Line Segment Rasterization": each sample is asked by itself. Places in sixteenths of a pixel.
#[test]
fn lines_and_points_cover_samples() {
    let shape = |topology, shape| State { topology, point: PointState { shape, ..PointState::SQUARE }, ..State::FLAT };
    let places: Vec<[i32; 2]> = (0..10 * 13 * 4)
        .map(|index| {
            let place = [[6, 2], [14, 6], [2, 10], [10, 14]][index as usize % 4];
            [index / 4 % 13 * 16 + place[0], index / 52 * 16 + place[1]]
        })
        .collect();
    let check = |state: State, corners: &[[f32; 2]], size: f32, is_inside: &dyn Fn([i32; 2]) -> bool| {
        let vertices = corners.iter().map(|&place| at_pixel(place, SIZE, WHITE)).collect();
        let dynamic = Dynamic { point_size: size, line_width: size, ..Dynamic::DEFAULT };
        let draw = draw(&pipeline(COLOR, state), vertices).with_dynamic(dynamic);
        for backend in &mut machines() {
            let contents = samples_of(&mut **backend, vec![draw.clone()]);
            for (index, place) in places.iter().enumerate() {
                let (x, y) = ((place[0] / 16) as u32, (place[1] / 16) as u32);
                let is_drawn = contents.at(index % 4, x, y) != 0;
                assert_eq!(is_drawn, is_inside(*place), "{}: {place:?} of {:?}", backend.name(), state.topology);
            }
        }
    };
    // 3.5 pixels around (5.25, 4.5): x from 3.5 to 7, y from 2.75 to 6.25.
    let square = |[x, y]: [i32; 2]| (56..112).contains(&x) && (44..100).contains(&y);
    check(shape(Topology::PointList, PointShape::Square), &[[5.25, 4.5]], 3.5, &square);
    // 7 pixels around (5.25, 4.5).
    let disc = |[x, y]: [i32; 2]| (x - 84) * (x - 84) + (y - 72) * (y - 72) <= 56 * 56;
    check(shape(Topology::PointList, PointShape::Round), &[[5.25, 4.5]], 7.0, &disc);
    // From (1.5, 2) to (9.5, 6), 1.5 pixels wide: |y − 2 − (x − 1.5)/2| < 0.75, x from 1.5 to 9.5.
    let band = |[x, y]: [i32; 2]| (24..152).contains(&x) && (2 * (y - 32) - (x - 24)).abs() < 24;
    check(shape(Topology::LineList, PointShape::Square), &[[1.5, 2.0], [9.5, 6.0]], 1.5, &band);
    // The same towards the top left, and steep.
    check(shape(Topology::LineList, PointShape::Square), &[[9.5, 6.0], [1.5, 2.0]], 1.5, &band);
    let steep = |[x, y]: [i32; 2]| (16..144).contains(&y) && (4 * (x - 40) - (y - 16)).abs() < 32;
    check(shape(Topology::LineStrip, PointShape::Square), &[[2.5, 1.0], [4.5, 9.0]], 1.0, &steep);
}

/// A shader that runs for each sample finds w there.
#[test]
fn position_has_the_samples_w() {
    // 1/w is x/64 over the target, and the shader gives 64 · position.w · 16 in bytes: the sample's x in sixteenths.
    let source =
        "@fragment fn main(@builtin(sample_index) i: u32, @builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
        return vec4<f32>(p.w * 1024.0 / 255.0, f32(i), 0.0, 1.0); }";
    let corner = |[x, y]: [f32; 2]| {
        let mut vertex = at_pixel([x, y], SIZE, WHITE);
        vertex.position *= 64.0 / x;
        vertex
    };
    let corners = [[1.0, -64.0], [64.0, 5.0], [1.0, 64.0]];
    let draw = draw(&pipeline(source, State::FLAT), corners.map(corner).to_vec());
    for backend in &mut machines() {
        let contents = samples_of(&mut **backend, vec![draw.clone()]);
        for (sample, x) in [6, 14, 2, 10].into_iter().enumerate() {
            let found = [4, 9].map(|column| contents.at(sample, column, 5) >> 16 & 255);
            assert_eq!(found, [4 * 16 + x, 9 * 16 + x], "{}: sample {sample}", backend.name());
        }
    }
}
