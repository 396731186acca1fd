//! The device against the reference on random primitives of every topology and state, bit for bit, at every lane count.

use super::*;
use glam::{Vec2, Vec4Swizzles};
use gpu_core::config::GpuConfig;
use proptest::prelude::*;
use raster::surface::Samples;
use raster::{
    Cull, DepthOffset, DepthState, Device, Dynamic, Frame, FrontFace, Indices, PointRule, PointShape, PointState,
    ProvokingVertex, Reference, Scissor, Viewport,
};
use seeded::seeded;

/// Everything that a primitive passes on.
const SHADER: &str = "
    struct In {
        @builtin(position) p: vec4<f32>,
        @builtin(front_facing) front: bool,
        @location(0) color: vec4<f32>,
        @location(1) @interpolate(flat) id: vec4<f32>,
        @location(2) @interpolate(linear) uv: vec2<f32>,
        @location(3) sprite: vec2<f32>,
    }
    @fragment fn main(in: In) -> @location(0) vec4<f32> {
        let spread = abs(dpdx(in.color.xy)) + abs(dpdy(in.uv));
        return select(in.color.wzyx, in.color, in.front) * 0.5 + in.id * 0.2 + vec4<f32>(in.sprite, spread) * 0.2
            + vec4<f32>(in.p.z, in.p.w, in.uv) * 0.1;
    }";

fn any_vertex() -> impl Strategy<Value = Vertex> {
    let place = (-1.3f32..1.3, -1.3f32..1.3, -0.2f32..1.2, prop_oneof![4 => 0.3f32..3.0, 1 => -1.0f32..1.0]);
    (place, prop::array::uniform4(-0.2f32..1.2), 0.0f32..9.0).prop_map(|((x, y, z, w), color, size)| {
        let color = Vec4::from_array(color);
        Vertex::at(Vec4::new(x * w, y * w, z * w, w))
            .with(0, color)
            .with(1, color.zwxy())
            .with(2, Vec2::new(x, z))
            .with(3, Vec2::new(y, w))
            .with_point_size(if size < 3.0 { 0.0 } else { size })
    })
}

#[allow(clippy::needless_update)] // States have fields that are none of this test's business, now or later.
fn any_state() -> impl Strategy<Value = State> {
    let point = (
        prop::sample::select(vec![PointRule::Exact, PointRule::Rounded]),
        prop::sample::select(vec![PointShape::Square, PointShape::Round]),
        prop::sample::select(vec![None, Some(3), Some(0)]),
    );
    let faces = (
        prop::sample::select(vec![Cull::None, Cull::None, Cull::Front, Cull::Back]),
        prop::sample::select(vec![FrontFace::Clockwise, FrontFace::CounterClockwise]),
    );
    let provoking = prop::sample::select(vec![ProvokingVertex::First, ProvokingVertex::Last]);
    let topology = prop::sample::select(Topology::ALL.to_vec());
    (topology, any::<bool>(), provoking, point, faces, any::<bool>()).prop_map(
        |(topology, primitive_restart, provoking_vertex, (rule, shape, sprite), (cull, front_face), tests)| State {
            topology,
            primitive_restart,
            provoking_vertex,
            point: PointState { rule, shape, sprite },
            cull,
            front_face,
            depth: if tests { DepthState::LESS_WRITE } else { DepthState::OFF },
            ..State::FLAT
        },
    )
}

#[allow(clippy::needless_update)] // The same for the values of a draw.
fn any_dynamic() -> impl Strategy<Value = Dynamic> {
    let viewport =
        (prop::array::uniform2(-20.0f32..30.0), prop::array::uniform2(1.0f32..90.0), 0.0f32..1.0, 0.0f32..1.0);
    let scissor = (-10i32..40, -10i32..30, 0i32..60, 0i32..60);
    let offset = (prop::sample::select(vec![0.0f32, 1.0, -2.5]), prop::sample::select(vec![0.0f32, 3.0, -1e6]));
    (prop::option::of(viewport), prop::option::of(scissor), offset, 0.3f32..12.0, 0.3f32..6.0).prop_map(
        |(viewport, scissor, (factor, units), point_size, line_width)| Dynamic {
            viewport: viewport.map(|([x, y], [w, h], near, far)| Viewport::new(x, y, w, h).with_depth(near, far)),
            scissor: scissor.map(|(x, y, width, height)| Scissor { x, y, width, height }),
            depth_offset: DepthOffset { factor, units },
            point_size,
            line_width,
            ..Dynamic::DEFAULT
        },
    )
}

prop_compose! {
    fn any_draw()(
        state in any_state(),
        dynamic in any_dynamic(),
        vertices in prop::collection::vec(any_vertex(), 12),
        order in prop::collection::vec(prop_oneof![9 => 0u8..12, 1 => Just(0xff)], 18),
        (has_indices, instances) in (any::<bool>(), 1u32..3),
    ) -> Draw {
        let pipeline = pipeline(SHADER, state);
        let order: Vec<u8> = if state.primitive_restart { order } else { order.into_iter().map(|index| index % 12).collect() };
        let vertices: Arc<[Vertex]> = vertices.into();
        let indices = if has_indices { Indices::from(order) } else { Indices::None };
        Draw::indexed(&pipeline, 12, indices, |_| Vertex::at(Vec4::W)).with_dynamic(dynamic).with_instances(
            5,
            instances,
            move |vertex, instance| {
                let mut vertex = vertices[vertex as usize];
                vertex.position.x += (instance - 5) as f32 * 0.3;
                vertex
            },
        )
    }
}

fn any_frame() -> impl Strategy<Value = Frame> {
    prop::collection::vec(any_draw(), 3).prop_map(|draws| frame(45, 37, draws))
}

proptest! {
    #![proptest_config(seeded(40))]

    #[test]
    fn random_primitives_interpreted(
        frame in any_frame(),
        lanes in prop::sample::select(vec![4u32, 8, 16, 32]),
        side in 3u32..6,
    ) {
        let expected = render(&mut Reference::new(), &frame);
        let actual = render(&mut Interpreted::new(lanes, side), &frame);
        assert_equal(&expected, &actual, &format!("{lanes} lanes, tiles of 2^{side}"));
    }

    #[test]
    fn random_primitives_on_every_machine(
        frame in any_frame(),
        samples in prop::sample::select(vec![Samples::One, Samples::Four]),
    ) {
        let frame = frame.with_samples(samples);
        let expected = render(&mut Reference::new(), &frame);
        for config in [GpuConfig::vortex(1, 4, 4), GpuConfig::vortex(2, 2, 8), GpuConfig::wide(1, 4, 16), GpuConfig::wide(1, 2, 32)] {
            let mut device = Device::new(config).unwrap_or_else(|error| panic!("{error}"));
            assert_equal(&expected, &render(&mut device, &frame), &config.shape());
        }
    }
}
