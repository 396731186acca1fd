//! Clipping leaves alone what it does not cut.

use super::*;
use proptest::prelude::*;
use raster::{Dynamic, Viewport};
use seeded::seeded;

const SIDE: u32 = 24;

/// Whether a place on the target, in pixels, lies in a triangle cut by the clip volume, without any rounding: barycentric
/// coordinates of the homogeneous position, none negative, and 0 ≤ z ≤ w, w > 0 there.
fn is_inside(triangle: &[Vec4; 3], viewport: Viewport, x: f64, y: f64) -> bool {
    let x = (x - f64::from(viewport.x)) / f64::from(viewport.width) * 2.0 - 1.0;
    let y = 1.0 - (y - f64::from(viewport.y)) / f64::from(viewport.height) * 2.0;
    let corners = triangle.map(|corner| corner.to_array().map(f64::from));
    let cross =
        |a: [f64; 4], b: [f64; 4]| [a[1] * b[3] - a[3] * b[1], a[3] * b[0] - a[0] * b[3], a[0] * b[1] - a[1] * b[0]];
    let weight = |a: [f64; 4], b: [f64; 4]| {
        let [p, q, r] = cross(a, b);
        p * x + q * y + r
    };
    let [a, b, c] = corners;
    let weights = [weight(b, c), weight(c, a), weight(a, b)];
    let volume = {
        let [p, q, r] = cross(b, c);
        p * a[0] + q * a[1] + r * a[3]
    };
    let weights = weights.map(|weight| weight / volume);
    let mix = |axis: usize| weights.iter().zip(corners).map(|(weight, corner)| weight * corner[axis]).sum::<f64>();
    let (z, w) = (mix(2), mix(3));
    weights.iter().all(|&weight| weight >= 0.0) && w > 0.0 && (0.0..=w).contains(&z) && x.abs() <= 1.0 && y.abs() <= 1.0
}

proptest! {
    #![proptest_config(seeded(400))]

    /// Triangles that cross the near and far plane, the eye and the guard band: a pixel whose centre is farther than a
    /// sub-pixel step from every edge of what is left is covered exactly if it lies inside.
    #[test]
    fn clipping_changes_no_pixel_farther_than_a_sub_pixel_from_a_clipped_edge(
        corners in prop::array::uniform3((-3.0f32..3.0, -3.0f32..3.0, -0.7f32..1.7, -1.0f32..2.0)),
        scale in prop::sample::select(vec![1.0f32, 40.0, 1.0e4]),
        viewport in prop::array::uniform4(0.0f32..12.0),
    ) {
        let triangle = corners.map(|(x, y, z, w)| Vec4::new(x * scale, y * scale, z, w));
        let viewport = Viewport::new(viewport[0] - 3.0, viewport[1] - 3.0, viewport[2] + 9.0, viewport[3] + 9.0);
        let draw = draw(&colored(State::FLAT), triangle.map(|corner| Vertex::at(corner).with(0, WHITE)).to_vec());
        let draw = draw.with_dynamic(Dynamic { viewport: Some(viewport), ..Dynamic::DEFAULT });
        let counts = counts(&draw, (SIDE, SIDE));
        for (x, y) in rectangle(0..SIDE, 0..SIDE) {
            let (center_x, center_y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
            let around = (0..16).map(|turn| {
                let (sin, cos) = (f64::from(turn) * std::f64::consts::PI / 8.0).sin_cos();
                is_inside(&triangle, viewport, center_x + cos / 256.0, center_y + sin / 256.0)
            });
            let inside = is_inside(&triangle, viewport, center_x, center_y);
            if around.into_iter().all(|other| other == inside) {
                prop_assert_eq!(counts[(y * SIDE + x) as usize], u32::from(inside), "pixel {}, {}", x, y);
            }
        }
    }

    /// Two triangles with a common edge, cut by everything: no pixel twice, and none lost between them.
    #[test]
    fn clipped_triangles_share_their_edge(
        corners in prop::array::uniform4((-3.0f32..3.0, -3.0f32..3.0, -0.7f32..1.7, -1.0f32..2.0)),
        scale in prop::sample::select(vec![1.0f32, 40.0, 1.0e4]),
    ) {
        let [a, b, c, d] = corners.map(|(x, y, z, w)| Vertex::at(Vec4::new(x * scale, y * scale, z, w)).with(0, WHITE));
        let count = |vertices: Vec<Vertex>| counts(&draw(&colored(State::FLAT), vertices), (SIDE, SIDE));
        let (left, right) = (count(vec![a, b, c]), count(vec![c, b, d]));
        let viewport = Viewport::of_target(SIDE, SIDE);
        for (x, y) in rectangle(0..SIDE, 0..SIDE) {
            let at = (y * SIDE + x) as usize;
            // Exactly on the edge or beside it by less than rounding, one of the two has the pixel if both lie around it.
            let place = |dx: f64, dy: f64| (f64::from(x) + 0.5 + dx, f64::from(y) + 0.5 + dy);
            let in_either = |(px, py): (f64, f64)| {
                let positions = |vertices: [Vertex; 3]| vertices.map(|vertex| vertex.position);
                let left = is_inside(&positions([a, b, c]), viewport, px, py);
                let right = is_inside(&positions([c, b, d]), viewport, px, py);
                u32::from(left) + u32::from(right)
            };
            let around: Vec<u32> = (0..16).map(|turn| {
                let (sin, cos) = (f64::from(turn) * std::f64::consts::PI / 8.0).sin_cos();
                in_either(place(cos / 256.0, sin / 256.0))
            }).collect();
            // All around is in exactly one of them, so the centre is too, be it on the common edge.
            if around.iter().all(|&count| count == 1) {
                prop_assert_eq!(left[at] + right[at], 1, "pixel {}, {}", x, y);
            }
        }
    }
}
