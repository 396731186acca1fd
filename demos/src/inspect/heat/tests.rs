//! Heat maps of pictures whose values were worked out by hand, on machines of every lane count.

use glam::Vec2;
use gpu_core::config::{DivergenceMechanism, GpuConfig};
use raster::frame::position_of_pixel;
use raster::{
    Backend, Bindings, Buffer, Clear, ColorAttachment, ColorFormat, Device, Draw, Frame, MipFilter, Pass, Pipeline,
    Sampler, Samples, State, StepMode, Surface, Texture, Vertex, VertexBufferLayout, VertexFormat, VertexProgram,
};
use texture::{Filter, Format, Image};

use crate::inspect::heat::{HeatMap, Kind, ShadedTotals, render};

const WHITE: &str = "@fragment fn white() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }";
const MACHINES: [&str; 5] = ["wide", "1c1w4t", "2c2w8t", "vortex-4w4t", "1c2w32t"];

fn device(machine: &str) -> Device {
    Device::new(GpuConfig::from_name(machine).expect("a machine's name")).expect("it draws")
}

/// Triangles given by pixel positions and texture coordinates, one draw each.
fn frame_of(size: (u32, u32), pipeline: &Pipeline, bindings: &Bindings, draws: &[Vec<[f32; 4]>]) -> Frame {
    let (width, height) = size;
    let draws = draws.iter().map(|corners| {
        let corners = corners.clone();
        let indices: Vec<u32> = (0..corners.len() as u32).collect();
        let vertex = move |index: u32| {
            let [x, y, u, v] = corners[index as usize];
            Vertex::at(position_of_pixel(x, y, 0.5, width, height)).with(0, Vec2::new(u, v))
        };
        Draw::indexed(pipeline, indices.len() as u32, indices, vertex).with_bindings(bindings.clone())
    });
    Frame::new(width, height, Clear::BLACK, draws.collect())
}

/// Two triangles over the rectangle from (x0, y0) to (x1, y1), the texture from 0 to (u, v) on them.
fn rectangle([x0, y0, x1, y1]: [f32; 4], [u, v]: [f32; 2]) -> Vec<[f32; 4]> {
    let corners = [[x0, y0, 0.0, 0.0], [x0, y1, 0.0, v], [x1, y1, u, v], [x1, y0, u, 0.0]];
    [0, 1, 2, 0, 2, 3].map(|corner: usize| corners[corner]).to_vec()
}

fn white() -> Pipeline {
    Pipeline::new("white.wgsl", WHITE, "white", State::FLAT).expect("the shader is sound")
}

/// The map of a kind on each machine; they must be the same on all.
#[track_caller]
fn map_of(frame: &Frame, kind: Kind) -> HeatMap {
    let maps = MACHINES.map(|machine| render(&mut device(machine), frame, kind).expect("it can be drawn").1);
    for (map, machine) in maps.iter().zip(MACHINES) {
        assert_eq!(map.values, maps[0].values, "{machine}");
    }
    maps[0].clone()
}

#[test]
fn where_two_quads_overlap_two_fragments_are_shaded() {
    let quads = [rectangle([2.0, 3.0, 20.0, 12.0], [1.0; 2]), rectangle([10.0, 7.0, 30.0, 22.0], [1.0; 2])];
    let map = map_of(&frame_of((33, 25), &white(), &Bindings::new(), &quads), Kind::Overdraw);
    for y in 0..25 {
        for x in 0..33 {
            let first = (2..20).contains(&x) && (3..12).contains(&y);
            let second = (10..30).contains(&x) && (7..22).contains(&y);
            assert_eq!(map.at(x, y), Some(f32::from(u8::from(first) + u8::from(second))), "({x}, {y})");
        }
    }
    let fragments = 18 * 9 + 20 * 15;
    let shaded = map.totals.shaded.expect("overdraw is marked");
    assert_eq!((shaded.fragments, shaded.pixels), (fragments, fragments - 10 * 5));
    assert_eq!((map.summary().most, map.scale_end()), (Some(2.0), 2.0));
}

#[test]
fn what_lies_behind_is_not_shaded_and_not_counted() {
    let solid = Pipeline::new("white.wgsl", WHITE, "white", State { cull: raster::Cull::None, ..State::SOLID });
    let whole = rectangle([0.0, 0.0, 16.0, 16.0], [1.0; 2]);
    let frame = frame_of((16, 16), &solid.expect("the shader is sound"), &Bindings::new(), &[whole.clone(), whole]);
    assert_eq!(map_of(&frame, Kind::Overdraw).values, vec![Some(1.0); 256], "the second fails the early test");
}

#[test]
fn of_a_triangle_of_one_pixel_three_of_four_lanes_help() {
    // It holds the centre of (5, 6) and no other.
    let one = vec![[5.2, 6.2, 0.0, 0.0], [5.2, 6.9, 0.0, 0.0], [5.9, 6.2, 0.0, 0.0]];
    let frame = frame_of((12, 12), &white(), &Bindings::new(), &[one]);
    let map = map_of(&frame, Kind::Quads);
    for y in 0..12 {
        for x in 0..12 {
            let expected = (x / 2 == 2 && y / 2 == 3).then_some(75.0);
            assert_eq!(map.at(x, y), expected, "({x}, {y})");
        }
    }
    assert_eq!(map.totals.shaded, Some(ShadedTotals { pixels: 1, fragments: 1, helpers: 3 }));
    let whole = frame_of((8, 8), &white(), &Bindings::new(), &[rectangle([2.0, 2.0, 6.0, 6.0], [1.0; 2])]);
    // Along the diagonal a quad is shaded twice, by two and two lanes, or three and one: half of the lanes help.
    let map = map_of(&whole, Kind::Quads);
    let values: Vec<_> = [(2, 2), (4, 2), (2, 4), (4, 4), (0, 0)].iter().map(|&(x, y)| map.at(x, y)).collect();
    assert_eq!(values, [Some(50.0), Some(0.0), Some(0.0), Some(50.0), None]);
}

/// A texture of 64 × 64 texels, so often on 16 × 16 pixels that each pixel is `ratio` texels wide.
fn textured(ratio: f32, sampler: Sampler) -> Frame {
    let source = "@group(0) @binding(0) var picture: texture_2d<f32>;
        @group(0) @binding(1) var how: sampler;
        @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> { return textureSample(picture, how, uv); }";
    let pipeline = Pipeline::new("textured.wgsl", source, "main", State::FLAT).expect("the shader is sound");
    let bytes = (0..64 * 64 * 4).map(|index| index as u8).collect();
    let image = Image::new(Format::Rgba8, 64, 64, bytes).and_then(|image| image.with_mipmaps()).expect("a good size");
    let bindings = Bindings::new().with(0, 0, &Texture::new(image)).with(0, 1, sampler);
    let side = 16.0 * ratio / 64.0;
    frame_of((16, 16), &pipeline, &bindings, &[rectangle([0.0, 0.0, 16.0, 16.0], [side; 2])])
}

#[test]
fn an_exact_minification_by_two_samples_level_one() {
    let nearest = Sampler { mip_filter: MipFilter::Nearest, filter: Filter::Bilinear, ..Sampler::POINT };
    for (ratio, level) in [(0.5, 0.0), (1.0, 0.0), (2.0, 1.0), (4.0, 2.0), (8.0, 3.0), (64.0, 6.0), (512.0, 6.0)] {
        for sampler in [nearest, Sampler::TRILINEAR] {
            let map = map_of(&textured(ratio, sampler), Kind::Mip);
            assert_eq!(map.values, vec![Some(level); 256], "{ratio} texels a pixel, {sampler:?}");
        }
        let map = map_of(&textured(ratio, Sampler::BILINEAR), Kind::Mip);
        assert_eq!(map.values, vec![Some(0.0); 256], "without mip filter level 0");
    }
    let untextured = frame_of((8, 8), &white(), &Bindings::new(), &[rectangle([0.0, 0.0, 8.0, 8.0], [1.0; 2])]);
    assert_eq!(map_of(&untextured, Kind::Mip).values, vec![None; 64]);
}

/// Every instruction and every slot cycle is booked once, and the picture is what it is without watching.
#[test]
fn what_is_booked_adds_up_to_the_report_and_the_picture_stays() {
    let quads = [
        rectangle([0.0, 0.0, 40.0, 30.0], [1.0; 2]),
        vec![[3.0, 2.0, 0.0, 0.0], [5.0, 29.0, 0.0, 0.0], [33.0, 9.0, 0.0, 0.0]],
    ];
    let frame = frame_of((40, 30), &white(), &Bindings::new(), &quads);
    for machine in MACHINES {
        let mut device = device(machine);
        // What lies in the padding of a target has no meaning.
        let plain = device.render(&frame).expect("it can be drawn").to_rgba8();
        for kind in Kind::ALL {
            let (target, map) = render(&mut device, &frame, kind).expect("it can be drawn");
            assert!(target.to_rgba8() == plain, "{kind:?} on {machine}");
            let report = device.report();
            assert_eq!(map.totals.warp_instructions, report.warp_instructions, "{kind:?} on {machine}");
            assert_eq!(map.totals.lane_instructions, report.lane_instructions, "{kind:?} on {machine}");
            assert_eq!(report.timed.is_some(), kind.needs_time());
            if let Some(timed) = &report.timed {
                let config = device.gpu().config();
                let slots = u64::from(config.cores * config.timing.issue.width);
                let spent = map.totals.slot_cycles.expect("the frame was timed");
                assert_eq!(
                    spent.on_tiles + spent.on_vertices + spent.on_none,
                    timed.counters.cycles * slots,
                    "{machine}"
                );
            }
        }
        assert!(device.render(&frame).expect("it can be drawn").to_rgba8() == plain, "{machine}");
        assert!(device.report().timed.is_none(), "the mode is what it was");
    }
}

#[test]
fn cycles_are_where_the_work_is_and_divergence_where_lanes_part() {
    // Tiles of the right half are never touched.
    let frame = frame_of((64, 32), &white(), &Bindings::new(), &[rectangle([0.0, 0.0, 32.0, 32.0], [1.0; 2])]);
    let (_, map) = render(&mut device("wide"), &frame, Kind::Cycles).expect("it can be drawn");
    assert!(map.at(5, 5).expect("every pixel has cycles") > 0.0);
    assert_eq!(map.at(60, 5), Some(0.0));
    let (_, map) = render(&mut device("wide"), &frame, Kind::Divergence).expect("it can be drawn");
    assert_eq!(map.at(60, 5), None);
    let shared = map.at(5, 5).expect("the tile was drawn");
    assert!((0.0..20.0).contains(&shared), "nearly all lanes work together: {shared} %");
}

#[test]
fn with_four_samples_a_fragment_is_shaded_for_each_pixel_with_a_sample() {
    // A quad to 10.75 holds the samples at 6/16, 2/16 and 10/16 of column 10; one from 10.75 that at 14/16.
    let quads = [rectangle([2.0, 3.0, 10.75, 12.0], [1.0; 2]), rectangle([10.75, 3.0, 20.0, 12.0], [1.0; 2])];
    let frame = frame_of((33, 25), &white(), &Bindings::new(), &quads).with_samples(Samples::Four);
    let map = map_of(&frame, Kind::Overdraw);
    for y in 3..12 {
        for x in 0..33 {
            let expected = if x == 10 { 2.0 } else { f32::from(u8::from((2..20).contains(&x))) };
            // Samples on a quad's diagonal are on one side; a pixel that it crosses may be shaded for either triangle.
            let more = map.at(x, y).expect("every pixel has a count") - expected;
            assert!(more == 0.0 || (more > 0.0 && expected > 0.0), "({x}, {y}): {more} more than {expected}");
        }
    }
    // Around the first sample of pixel (3, 3), which is at (3.375, 3.125); the centre is outside.
    let one = vec![[3.3125, 3.0625, 0.0, 0.0], [3.375, 3.25, 0.0, 0.0], [3.4375, 3.0625, 0.0, 0.0]];
    let frame = frame_of((8, 8), &white(), &Bindings::new(), &[one]).with_samples(Samples::Four);
    let map = map_of(&frame, Kind::Quads);
    assert_eq!(map.totals.shaded, Some(ShadedTotals { pixels: 1, fragments: 1, helpers: 3 }));
    assert_eq!((map.at(3, 3), map.at(2, 2), map.at(4, 4)), (Some(75.0), Some(75.0), None));
}

/// Tiles of four samples are smaller: what was drawn before must not decide where work is booked.
#[test]
fn a_map_does_not_depend_on_the_frame_before() {
    let quads = [rectangle([3.0, 2.0, 60.0, 5.0], [1.0; 2]), rectangle([40.0, 20.0, 47.0, 61.0], [1.0; 2])];
    let one = frame_of((64, 64), &white(), &Bindings::new(), &quads);
    let four = one.clone().with_samples(Samples::Four);
    for machine in MACHINES {
        let mut used = device(machine);
        for frame in [&one, &four, &one, &four] {
            for kind in [Kind::Divergence, Kind::Overdraw] {
                let map = render(&mut used, frame, kind).expect("it can be drawn").1;
                let fresh = render(&mut device(machine), frame, kind).expect("it can be drawn").1;
                assert_eq!(map.values, fresh.values, "{kind:?} of {:?} on {machine}", frame.samples);
            }
        }
    }
}

/// The quads of a closure as a vertex shader makes them.
fn by_shader(frame: &Frame, corners: &[Vec<[f32; 4]>]) -> Frame {
    let source = "struct Out { @builtin(position) p: vec4<f32>, @location(0) uv: vec2<f32> }
        @vertex fn main(@location(0) at: vec4<f32>, @location(1) uv: vec2<f32>) -> Out { return Out(at, uv); }";
    let layout =
        VertexBufferLayout::packed(StepMode::Vertex, &[(0, VertexFormat::Float32x4), (1, VertexFormat::Float32x2)]);
    let program = VertexProgram::new("given.wgsl", source, "main", &[layout]).expect("the shader is sound");
    let draws = frame.draws.iter().zip(corners).map(|(draw, corners)| {
        let bytes = |&[x, y, u, v]: &[f32; 4]| {
            let [px, py, pz, pw] = position_of_pixel(x, y, 0.5, frame.width, frame.height).to_array();
            [px, py, pz, pw, u, v]
        };
        let buffer = Buffer::from_slice(&corners.iter().map(bytes).collect::<Vec<_>>());
        Draw::from_vertices(&draw.pipeline, &program.call().with_buffer(0, &buffer), corners.len() as u32)
    });
    Frame { draws: draws.collect(), ..frame.clone() }
}

#[test]
fn vertices_are_booked_beside_the_picture() {
    let quads = [
        rectangle([0.0, 0.0, 40.0, 30.0], [1.0; 2]),
        vec![[3.0, 2.0, 0.0, 0.0], [5.0, 29.0, 0.0, 0.0], [33.0, 9.0, 0.0, 0.0]],
    ];
    let closures = frame_of((40, 30), &white(), &Bindings::new(), &quads);
    let shaders = by_shader(&closures, &quads);
    const BOTH: [DivergenceMechanism; 2] = [DivergenceMechanism::Ipdom, DivergenceMechanism::Mask];
    for (machine, mechanism) in MACHINES.into_iter().zip(BOTH.into_iter().cycle()) {
        let config = GpuConfig::from_name(machine).expect("a machine's name").with_divergence(mechanism);
        let mut device = Device::new(config).expect("it draws");
        for kind in Kind::ALL {
            let mut map_of = |frame: &Frame| {
                let map = render(&mut device, frame, kind).expect("it can be drawn").1;
                (map, device.report().clone())
            };
            let ((plain, without), (map, report)) = (map_of(&closures), map_of(&shaders));
            assert_eq!(map.values, plain.values, "{kind:?} on {machine}, {}", mechanism.name());
            assert_eq!(
                [&map, &plain].map(|map| map.totals.warp_instructions),
                [report.warp_instructions, without.warp_instructions],
                "{kind:?} on {machine}"
            );
            let more = map.totals.warp_instructions - plain.totals.warp_instructions;
            assert_eq!((plain.totals.vertex_warp_instructions, map.totals.vertex_warp_instructions), (0, more));
            assert_eq!(
                (report.vertex_work.warp_instructions, report.warp_instructions),
                (more, without.warp_instructions + more)
            );
            if let (Some(spent), Some(before)) = (map.totals.slot_cycles, plain.totals.slot_cycles) {
                let slots = u64::from(config.cores * config.timing.issue.width);
                let cycles = report.vertex_work.cycles.expect("the frame was timed");
                assert_eq!((spent.on_vertices, before.on_vertices), (cycles * slots, 0), "{machine}");
                assert_eq!((spent.on_tiles, spent.on_none), (before.on_tiles, before.on_none), "{machine}");
            }
        }
    }
}

#[test]
fn passes_before_the_picture_are_drawn_and_not_booked_on_its_pixels() {
    let size = (40, 30);
    let surface = Surface::color("drawn", size, ColorFormat::Rgba8, Samples::One).expect("a small size");
    let everywhere = |size: (u32, u32)| rectangle([0.0, 0.0, size.0 as f32, size.1 as f32], [1.0; 2]);
    let draws = frame_of(size, &white(), &Bindings::new(), &[everywhere(size), everywhere(size)]).draws;
    let pass = Pass { colors: vec![ColorAttachment::cleared(&surface, [0.0; 4])], draws, ..Pass::default() };
    let source = "@group(0) @binding(0) var picture: texture_2d<f32>;
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            return textureLoad(picture, vec2<i32>(p.xy), 0);
        }";
    let pipeline = Pipeline::new("copy.wgsl", source, "main", State::FLAT).expect("the shader is sound");
    let bindings = Bindings::new().with(0, 0, &surface);
    let quad = rectangle([4.0, 2.0, 12.0, 10.0], [1.0; 2]);
    let frame = frame_of((16, 12), &pipeline, &bindings, &[quad]).after(vec![pass]);
    let map = map_of(&frame, Kind::Overdraw);
    for (y, x) in (0..12).flat_map(|y| (0..16).map(move |x| (y, x))) {
        let is_inside = (4..12).contains(&x) && (2..10).contains(&y);
        assert_eq!(map.at(x, y), Some(f32::from(u8::from(is_inside))), "({x}, {y})");
    }
    let mut device = device("wide");
    let plain = device.render(&frame).expect("it can be drawn").to_rgba8();
    assert_eq!(plain.chunks_exact(4).filter(|pixel| *pixel == [255; 4]).count(), 64, "the pass is seen in the picture");
    for kind in Kind::ALL {
        let (target, map) = render(&mut device, &frame, kind).expect("it can be drawn");
        assert!(target.to_rgba8() == plain, "{kind:?}");
        assert_eq!(map.totals.warp_instructions, device.report().warp_instructions, "{kind:?}");
    }
}
