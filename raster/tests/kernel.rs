//! The tile kernel's WGSL against the reference, bit for bit, before any machine: linked, then run by the interpreter.

mod drawing;

use drawing::*;
use glam::Vec4;
use proptest::prelude::*;
use raster::{Compare, DepthState, Frame, Reference, State, Vertex};

fn check(frame: &Frame, lanes: u32, tile_side_log2: u32) {
    let mut device = Interpreted::new(lanes, tile_side_log2);
    let expected = render(&mut Reference::new(), frame);
    let actual = render(&mut device, frame);
    assert_equal(&expected, &actual, &format!("{lanes} lanes, tiles of 2^{tile_side_log2}"));
}

fn any_vertex() -> impl Strategy<Value = Vertex> {
    let place = (-1.6f32..1.6, -1.6f32..1.6, -0.3f32..1.3, 0.3f32..3.0);
    (place, prop::array::uniform4(-0.2f32..1.2)).prop_map(|((x, y, z, w), color)| {
        Vertex::at(Vec4::new(x * w, y * w, z * w, w)).with(0, Vec4::from_array(color))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn random_triangles_are_the_same_at_every_lane_count(
        large in prop::collection::vec(any_vertex(), 9),
        small in prop::collection::vec((any_vertex(), prop::array::uniform4(-0.1f32..0.1)), 8),
        lanes in prop::sample::select(vec![4u32, 8, 16, 32]),
        side in 3u32..6,
        compare in prop::sample::select(Compare::ALL.to_vec()),
        write in any::<bool>(),
    ) {
        let mut vertices = large;
        for (first, [a, b, c, d]) in small {
            let beside = |x, y| Vertex::at(first.position + Vec4::new(x, y, 0.0, 0.0)).with(0, WHITE * x.abs() * 9.0);
            vertices.extend([first, beside(a, b), beside(c, d)]);
        }
        let first = pipeline(COLOR, State { depth: DepthState::LESS_WRITE, ..State::FLAT });
        let second = pipeline(COLOR, State { depth: DepthState { compare, write }, ..State::FLAT });
        let half = vertices.len() / 6 * 3;
        let draws = vec![draw(&first, vertices[..half].to_vec()), draw(&second, vertices[half..].to_vec())];
        check(&frame(37, 29, draws), lanes, side);
    }
}

#[test]
fn a_run_of_several_draws_keeps_their_order() {
    let pipeline = pipeline(COLOR, State::FLAT);
    let triangle =
        |color: Vec4| [[1.0, 1.0], [15.0, 2.0], [4.0, 15.0]].map(|place| at_pixel(place, (16, 16), color)).to_vec();
    let draws = [Vec4::X, Vec4::Y, Vec4::Z].map(|color| draw(&pipeline, triangle(color))).to_vec();
    check(&frame(16, 16, draws), 8, 3);
}
