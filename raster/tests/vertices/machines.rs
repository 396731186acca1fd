//! Vertex kernels on every kind of machine: few lanes and many, both ways to diverge, in time and out of it.

use std::num::NonZeroUsize;

use gpu_core::config::{DivergenceMechanism, GpuConfig};
use gpu_core::gpu::Mode;
use raster::{Device, FrameReport, Sampler, Target, Texture};
use texture::{Format, Image};

use super::*;

/// Lanes leave a loop one after the other, return early, and part over a texture's texels.
const DIVERGENT: &str = "
    @group(0) @binding(0) var heights: texture_2d<f32>;
    @group(0) @binding(1) var how: sampler;
    struct Out { @builtin(position) p: vec4<f32>, @location(0) color: vec4<f32> }
    fn walk(start: f32, steps: u32) -> f32 {
        var x = start;
        for (var n = 0u; n < steps; n++) {
            if x > 6.0 { return x - 6.0; }
            x = x * 1.5 + 0.25;
        }
        return x;
    }
    @vertex fn vertex(@location(0) at: vec2<f32>, @location(1) shift: vec2<f32>, @builtin(vertex_index) v: u32) -> Out {
        var color = vec4<f32>(walk(at.x + 1.0, v % 7u) / 12.0, 0.25, 0.0, 1.0);
        if v % 3u == 1u {
            color.g = textureSampleLevel(heights, how, at, 0.0).x;
            if v % 2u == 0u { color.b = 1.0; }
        } else {
            color.b = walk(at.y + 1.0, 5u - v % 5u) / 12.0;
        }
        return Out(vec4<f32>(at + shift, 0.5, 1.0), color); }";

fn divergent() -> Frame {
    let at = VertexBufferLayout::packed(StepMode::Vertex, &[(0, VertexFormat::Snorm16x2)]);
    let shift = VertexBufferLayout::packed(StepMode::Instance, &[(1, VertexFormat::Float32x2)]);
    let places: Vec<[i16; 2]> =
        (0..45i32).map(|n| [n % 9 * 7000 - 28000, n / 9 * 14000 - 28000].map(|x| x as i16)).collect();
    let call = program(DIVERGENT, &[at, shift])
        .call()
        .with_buffer(0, &Buffer::from_slice(&places))
        .with_buffer(1, &Buffer::from_slice(&[[0.0f32, 0.0], [0.125, -0.25]]));
    let image = Image::from_fn(Format::Rgba8, 4, 4, |x, y| x * 40 + y * 15).expect("a small picture");
    let bindings = Bindings::new().with(0, 0, &Texture::new(image)).with(0, 1, Sampler::BILINEAR);
    let indices: Vec<u16> = (0..32u16).map(|quad| quad / 8 * 9 + quad % 8).flat_map(|n| [n, n + 9, n + 1]).collect();
    let draw = Draw::from_vertices(&pipeline(COLOR, State::FLAT), &call, 45)
        .with_indices(indices)
        .with_instance_range(0, 2)
        .with_bindings(bindings);
    frame(20, 16, vec![draw])
}

fn drawn(config: GpuConfig, mode: Mode, threads: usize, frame: &Frame) -> (Target, FrameReport) {
    let mut device = device(config);
    device.gpu_mut().set_mode(mode);
    let threads = NonZeroUsize::new(threads).expect("there is a thread");
    device.gpu_mut().set_host_threads(threads).expect("threads start");
    let target = render(&mut device, frame);
    (target, device.report().clone())
}

#[test]
fn vertices_and_pictures_are_the_same_on_all_lanes_under_both_mechanisms_and_in_time() {
    let frame = divergent();
    let wanted = render(&mut Reference::new(), &frame);
    assert!(wanted.shown().filter(|word| *word != 0).count() > 40, "there is something to see");
    let vertices: Vec<_> =
        Reference::new().vertices(&frame.draws[0]).expect("the evaluator runs it").iter().map(bits).collect();
    let mut work = Vec::new();
    for lanes in [4, 8, 16, 32] {
        for mechanism in [DivergenceMechanism::Ipdom, DivergenceMechanism::Mask] {
            let config = GpuConfig::vortex(2, 2, lanes).with_divergence(mechanism);
            let name = format!("{lanes} lanes, {}", mechanism.name());
            let (target, report) = drawn(config, Mode::Untimed, 1, &frame);
            assert_equal(&wanted, &target, &name);
            let made = Device::new(config).expect("it draws").vertices(&frame.draws[0]).expect("they can be made");
            assert_eq!(made.iter().map(bits).collect::<Vec<_>>(), vertices, "{name}");
            let (in_time, timed) = drawn(config, Mode::Timed, 1, &frame);
            assert_equal(&wanted, &in_time, &format!("{name}, timed"));
            let counts = |report: &FrameReport| {
                let raster::VertexWork { launches, warp_instructions, lane_instructions, .. } = report.vertex_work;
                (report.vertices, launches, warp_instructions, lane_instructions)
            };
            assert_eq!(counts(&report), counts(&timed), "{name}");
            // The last row's last vertex is named by nobody.
            assert_eq!((report.vertices, report.vertex_work.launches), (2 * 44, 1), "{name}");
            work.push(report.vertex_work.warp_instructions);
        }
    }
    // Masks issue what no lane takes: the mechanisms are not one program by mistake.
    assert!(work.chunks(2).all(|pair| pair[0] != pair[1]), "{work:?}");
}

/// The frame's cycles are those of its launches, one of which makes vertices.
#[test]
fn a_frames_cycles_hold_those_of_its_vertices_on_any_number_of_threads() {
    let frame = divergent();
    for mechanism in [DivergenceMechanism::Ipdom, DivergenceMechanism::Mask] {
        let config = GpuConfig::vortex(2, 4, 4).with_divergence(mechanism);
        let (_, one) = drawn(config, Mode::Timed, 1, &frame);
        for threads in [2, 3] {
            let (_, several) = drawn(config, Mode::Timed, threads, &frame);
            assert_eq!(one, several, "{threads} threads");
        }
        let all = one.timed.as_ref().expect("the frame was timed").counters.cycles;
        let vertices = one.vertex_work.cycles.expect("they were timed too");
        // The same frame with its vertices from a closure is what is left.
        let made = Reference::new().vertices(&frame.draws[0]).expect("the evaluator runs it");
        let draw = &frame.draws[0];
        let closure = Draw::indexed(&draw.pipeline, 45, draw.indices.clone(), |_| Vertex::at(Vec4::ZERO))
            .with_instances(0, 2, move |vertex, instance| made[(44 * instance + vertex) as usize]);
        let (_, without) = drawn(config, Mode::Timed, 1, &Frame { draws: vec![closure], ..frame.clone() });
        let tiles = without.timed.expect("the frame was timed").counters.cycles;
        assert_eq!((without.vertex_work.launches, without.vertex_work.cycles), (0, None));
        assert_eq!(one.launches, without.launches + 1);
        assert!(vertices > 0, "making vertices takes time");
        assert_eq!(
            (all - vertices, one.warp_instructions - one.vertex_work.warp_instructions),
            (tiles, without.warp_instructions)
        );
    }
}

/// What a frame takes does not depend on what was drawn before it: figures of one can be had again.
#[test]
fn the_first_frame_takes_what_the_next_ones_take() {
    let frame = divergent();
    // Tiles of 32, 16 and 8 pixels.
    for config in [GpuConfig::wide(2, 4, 16), GpuConfig::vortex(1, 4, 4), GpuConfig::vortex(1, 16, 4)] {
        let mut device = device(config);
        for mode in [Mode::Untimed, Mode::Timed] {
            device.gpu_mut().set_mode(mode);
            let reports = [0; 2].map(|_| {
                render(&mut device, &frame);
                device.report().clone()
            });
            let counts =
                reports.each_ref().map(|report| (report.launches, report.warp_instructions, report.lane_instructions));
            assert_eq!(counts[0], counts[1], "{config:?}");
        }
        let mut fresh = Device::new(config).expect("it draws");
        fresh.gpu_mut().set_mode(Mode::Timed);
        render(&mut fresh, &frame);
        assert_eq!(fresh.report().warp_instructions, device.report().warp_instructions, "{config:?}");
    }
}
