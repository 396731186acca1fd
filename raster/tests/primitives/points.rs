//! Points: size, both rules, discs, sprite coordinates, clipping.

use super::*;
use raster::{Dynamic, PointRule, PointShape, PointState};

fn points(point: PointState, places: &[[f32; 2]], point_size: f32) -> Draw {
    let state = State { topology: Topology::PointList, point, ..State::FLAT };
    draw(&colored(state), white(places)).with_dynamic(Dynamic { point_size, ..Dynamic::DEFAULT })
}

const ROUND: PointState = PointState { shape: PointShape::Round, ..PointState::SQUARE };
const ROUNDED: PointState = PointState { rule: PointRule::Rounded, ..PointState::SQUARE };

/// Vulkan, "Points": a square of the given side, centred on the vertex.
#[test]
fn exact_points_are_squares_around_the_vertex() {
    let square = |place, size| covered(&points(PointState::SQUARE, &[place], size));
    assert_eq!(square([4.7, 9.2], 1.0), [(4, 9)]);
    assert_eq!(square([4.5, 9.5], 3.0), rectangle(3..6, 8..11));
    assert_eq!(square([4.0, 9.0], 2.0), rectangle(3..5, 8..10));
    assert_eq!(square([4.25, 9.75], 2.5), rectangle(3..5, 8..11));
    // Less than a pixel is a pixel, so that no point is lost between centres.
    assert_eq!(square([4.0, 9.0], 0.01).len(), 1);
}

/// OpenGL ES 1.1, `glPointSize`.
#[test]
fn rounded_points_are_whole_pixels() {
    let square = |place, size| covered(&points(ROUNDED, &[place], size));
    assert_eq!(square([4.9, 9.1], 1.2), [(4, 9)]);
    assert_eq!(square([4.9, 9.1], 2.6), rectangle(3..6, 8..11));
    assert_eq!(square([4.4, 9.6], 2.0), rectangle(3..5, 9..11));
}

#[test]
fn each_vertex_may_have_a_size() {
    let state = State { topology: Topology::PointList, ..State::FLAT };
    let mut vertices = white(&[[2.5, 2.5], [8.5, 8.5], [13.5, 3.5], [3.5, 13.5]]);
    for (vertex, size) in vertices.iter_mut().zip([3.0, 0.0, -4.0, f32::NAN]) {
        *vertex = vertex.with_point_size(size);
    }
    let draw = draw(&colored(state), vertices).with_dynamic(Dynamic { point_size: 5.0, ..Dynamic::DEFAULT });
    // The second has the draw's size, the last two none.
    assert_eq!(covered(&draw), [rectangle(1..4, 1..4), rectangle(6..11, 6..11)].concat());
}

#[test]
fn round_points_are_the_discs_in_their_squares() {
    for (center, size) in [([8.0, 8.0], 4.0), ([7.3, 8.9], 9.5), ([1.5, 14.5], 7.0), ([8.0, 8.0], 30.0f32)] {
        let is_inside = |&(x, y): &(u32, u32)| {
            let (dx, dy) = (f64::from(x) + 0.5 - f64::from(center[0]), f64::from(y) + 0.5 - f64::from(center[1]));
            (dx * dx + dy * dy).sqrt() <= f64::from(size) / 2.0
        };
        let expected: Vec<_> = rectangle(0..16, 0..16).into_iter().filter(is_inside).collect();
        assert_eq!(covered(&points(ROUND, &[center], size)), expected, "size {size}");
    }
}

/// Vulkan, "Points": s = ½ + (x − xf)/size, t = ½ + (y − yf)/size, t downwards.
#[test]
fn sprite_coordinates_run_over_the_square() {
    let state = State {
        topology: Topology::PointList,
        point: PointState { sprite: Some(3), ..PointState::SQUARE },
        ..State::FLAT
    };
    let source = "
        @fragment fn main(@location(3) sprite: vec4<f32>, @location(1) blue: f32) -> @location(0) vec4<f32> {
            return vec4<f32>(sprite.xy, blue + sprite.z, sprite.w);
        }";
    let vertex = |w: f32| {
        let place = raster::frame::position_of_pixel(8.0, 8.0, 0.5, 16, 16) * w;
        Vertex::at(place).with(1, 0.2).with(3, Vec4::splat(0.7))
    };
    for w in [1.0, 5.0] {
        let draw = draw(&pipeline(source, state), vec![vertex(w).with_point_size(10.0)]);
        on_every_backend(|backend| {
            let target = render(backend, &frame(16, 16, vec![draw.clone()]));
            for (x, y) in rectangle(3..13, 3..13) {
                let channel = |pixel: u32| f64::from(pixel - 3) * 0.1 + 0.05;
                let word = target.color_at(x, y);
                let near = |byte: u32, value: f64| (f64::from(byte) - value * 255.0).abs() <= 0.501;
                assert!(near(word >> 16 & 255, channel(x)) && near(word >> 8 & 255, channel(y)), "{x}, {y}: {word:#x}");
                assert_eq!((word >> 24, word & 255), (255, 51));
            }
            assert_eq!(target.shown().filter(|&word| word != 0).count(), 100);
        });
    }
}

/// Vulkan, "Primitive Clipping": a point is drawn or not by its centre; what is drawn may reach out of the viewport.
#[test]
fn points_are_clipped_by_their_centre() {
    let size = |place| covered(&points(PointState::SQUARE, &[place], 6.0)).len();
    assert_eq!(size([0.0, 8.0]), 3 * 6);
    assert_eq!(size([16.0, 16.0]), 3 * 3);
    assert_eq!(size([-0.5, 8.0]), 0);
    assert_eq!(size([8.0, 16.5]), 0);
    let viewport = Some(raster::Viewport::new(4.0, 4.0, 8.0, 8.0));
    let point = points(PointState::SQUARE, &[[0.0, 0.0]], 6.0);
    let dynamic = Dynamic { viewport, ..point.dynamic };
    // The corner of the viewport, at (4, 4).
    assert_eq!(covered(&point.with_dynamic(dynamic)), rectangle(1..7, 1..7));
}

#[test]
fn points_have_no_side_to_be_culled_by_and_show_their_front() {
    let source = "
        @fragment fn main(@builtin(front_facing) front: bool, @location(0) color: vec4<f32>) -> @location(0) vec4<f32> {
            return select(vec4<f32>(0.0), color, front);
        }";
    let state = State { topology: Topology::PointList, cull: raster::Cull::FrontAndBack, ..State::FLAT };
    assert_eq!(covered(&draw(&pipeline(source, state), white(&[[3.5, 4.5]]))), [(3, 4)]);
}

#[test]
fn points_beyond_all_bounds_are_cut_or_dropped() {
    for place in [[f32::NAN, 1.0], [1.0, f32::INFINITY], [-1e30, 4.0]] {
        assert!(covered(&points(ROUND, &[place], 2048.0)).is_empty());
    }
    let state = State { topology: Topology::PointList, point: ROUND, ..State::FLAT };
    let huge = white(&[[8.0, 8.0]])[0].with_point_size(f32::INFINITY);
    assert_eq!(covered(&draw(&colored(state), vec![huge])).len(), 256);
}
