//! What is refused, by name, before anything is drawn; and what is dropped without harm.

use super::*;
use gpu_core::config::GpuConfig;
use proptest::prelude::*;
use raster::pipeline::PipelineError;
use raster::{DepthOffset, Dynamic, Frame, PointState, Reference, Samples, Scissor, Viewport};
use seeded::seeded;

/// The message of a frame whose second draw is wrong, the same on every backend.
#[track_caller]
fn message(draw: Draw) -> String {
    let mut messages = Vec::new();
    let good = draw_at(Topology::TriangleStrip, &[[0.0, 0.0], [0.0, 16.0], [16.0, 0.0]]);
    let frame = Frame { draws: vec![good, draw], ..frame(16, 16, Vec::new()) };
    on_every_backend(|backend| messages.push(backend.render(&frame).expect_err("it is wrong").to_string()));
    assert!(messages.iter().all(|message| *message == messages[0]), "{messages:?}");
    messages.swap_remove(0)
}

fn with(dynamic: Dynamic) -> Draw {
    draw_at(Topology::LineStrip, &[[0.0, 0.0], [9.0, 9.0]]).with_dynamic(dynamic)
}

#[test]
fn values_without_meaning_are_refused_by_name() {
    let viewport = |viewport| with(Dynamic { viewport: Some(viewport), ..Dynamic::DEFAULT });
    assert_eq!(
        message(viewport(Viewport::new(0.0, 0.0, 4.0, -2.0))),
        "draw 1: the viewport's height is -2; it must be finite, and width and height not negative"
    );
    assert!(message(viewport(Viewport::new(f32::NAN, 0.0, 4.0, 2.0))).contains("the viewport's x is NaN"));
    let scissor = Some(Scissor { x: 0, y: 0, width: 1, height: i32::MIN });
    assert!(
        message(with(Dynamic { scissor, ..Dynamic::DEFAULT })).starts_with("draw 1: the scissor is 1 x -2147483648")
    );
    let depth_offset = DepthOffset { factor: f32::INFINITY, units: 0.0 };
    assert!(message(with(Dynamic { depth_offset, ..Dynamic::DEFAULT })).contains("the depth offset's factor is inf"));
    assert_eq!(
        message(with(Dynamic { point_size: 0.0, ..Dynamic::DEFAULT })),
        "draw 1: the point size is 0; it must be above 0 and at most 2048 pixels"
    );
    assert!(message(with(Dynamic { line_width: f32::NAN, ..Dynamic::DEFAULT })).contains("the line width is NaN"));
}

#[test]
fn half_primitives_and_wrong_indices_are_refused() {
    let pipeline = |topology, primitive_restart| colored(State { topology, primitive_restart, ..State::FLAT });
    let three = || white(&[[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]]);
    let lines = indexed(&pipeline(Topology::LineList, false), three(), vec![0u8, 1, 2]);
    assert_eq!(message(lines), "draw 1 has 3 indices; a line list needs a multiple of 2");
    let triangles = draw(&pipeline(Topology::TriangleList, false), white(&[[0.0; 2]; 4]));
    assert_eq!(message(triangles), "draw 1 has 4 vertices; a triangle list needs a multiple of 3");
    let range = "there are 3 vertices (0 to below that)";
    let points = indexed(&pipeline(Topology::PointList, true), three(), vec![0u16, 0xffff, 3]);
    assert_eq!(message(points), format!("draw 1: index 2 is 3, but {range}"));
    // All ones is an index like others where nothing restarts.
    let strip = indexed(&pipeline(Topology::TriangleStrip, false), three(), vec![0u8, 1, 2, 0xff]);
    assert_eq!(message(strip), format!("draw 1: index 3 is 255, but {range}"));
    let strip = indexed(&pipeline(Topology::TriangleStrip, true), three(), vec![0u32, 0xffff]);
    assert_eq!(message(strip), format!("draw 1: index 1 is 65535, but {range}"));
}

#[test]
fn instances_without_a_number_are_refused() {
    let draw = with(Dynamic::DEFAULT).with_instances(u32::MAX, 2, |_, _| Vertex::at(Vec4::W));
    assert_eq!(message(draw), "draw 1 has 2 instances from number 4294967295 on; numbers end at 4294967295");
}

#[test]
fn sprite_coordinates_need_a_location_that_varies() {
    let pipeline = |source: &str, location| {
        let point = PointState { sprite: Some(location), ..PointState::SQUARE };
        Pipeline::new("points.wgsl", source, "main", State { topology: Topology::PointList, point, ..State::FLAT })
    };
    let flat =
        "@fragment fn main(@location(2) @interpolate(flat) s: vec2<f32>) -> @location(0) vec4<f32> { return s.xyxy; }";
    let error = pipeline(flat, 2).expect_err("it is flat");
    assert_eq!(error.to_string(), "point coordinates go to location 2, which the shader reads flat");
    let error = pipeline(COLOR, 16).expect_err("there are sixteen locations");
    assert_eq!(error.to_string(), "point coordinates go to location 16, which no vertex has");
    assert!(matches!(error, PipelineError::Sprite { location: 16, is_flat: false }));
    assert!(pipeline(flat, 3).is_ok());
}

/// Any bits for positions, inputs and sizes: nothing panics, and good primitives stay as they are.
fn any_bits() -> impl Strategy<Value = Vec<Vertex>> {
    let special = prop::sample::select(vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-45,
        1e10,
        -6.936318e8,
    ]);
    let number = prop_oneof![special, any::<u32>().prop_map(f32::from_bits), -2.0f32..2.0];
    let numbers = prop::collection::vec(number, 9);
    let vertex = numbers.prop_map(|n| {
        Vertex::at(Vec4::new(n[0], n[1], n[2], n[3])).with(0, Vec4::new(n[4], n[5], n[6], n[7])).with_point_size(n[8])
    });
    prop::collection::vec(vertex, 6)
}

proptest! {
    #![proptest_config(seeded(40))]

    #[test]
    fn a15_no_vertex_panics_or_spoils_its_neighbours(
        bad in any_bits(),
        topology in prop::sample::select(Topology::ALL.to_vec()),
        viewport in prop::option::of(prop::array::uniform4(prop_oneof![-40.0f32..40.0, Just(3e38), Just(1e-40), Just(0.0)])),
        width in prop::sample::select(vec![1.0f32, 2.0, 7.5, 2048.0]),
    ) {
        let viewport = viewport.map(|[x, y, width, height]| Viewport::new(x, y, width.abs(), height.abs()));
        let dynamic = Dynamic { viewport, line_width: width, point_size: width, ..Dynamic::DEFAULT };
        let bad = draw(&colored(State { topology, ..State::FLAT }), bad).with_dynamic(dynamic);
        let good = draw_at(Topology::TriangleStrip, &[[1.0, 1.0], [2.0, 12.0], [9.0, 3.0]]);
        let frame_of = |draws| frame(16, 16, draws);
        let mut expected = None;
        on_every_backend(|backend| {
            let alone = render(backend, &frame_of(vec![good.clone()]));
            let after = render(backend, &frame_of(vec![bad.clone(), good.clone()]));
            for ((x, y), word) in rectangle(0..16, 0..16).into_iter().zip(alone.shown()) {
                assert!(word == 0 || after.color_at(x, y) == word, "{}: pixel {x}, {y}", backend.name());
            }
            let first = expected.get_or_insert_with(|| after.clone());
            assert_equal(first, &after, backend.name());
        });
        let four = frame_of(vec![bad, good]).with_samples(Samples::Four);
        let expected = render(&mut Reference::new(), &four);
        assert_equal(&expected, &render(&mut device(GpuConfig::vortex(1, 2, 4)), &four), "four samples");
    }
}
