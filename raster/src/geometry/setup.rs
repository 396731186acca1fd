//! Triangle setup: three screen vertices become exact edge functions and attribute planes.
//!
//! Before: `viewport`. After: `bin`, or the reference, which walks all pixels.
//! Fill rule: top-left (Direct3D 11.3 functional specification, "Triangle Rasterization Rules"): a pixel centre on an
//! edge belongs to the triangle only if the edge is a top edge or a left edge. So of the triangles around a shared
//! edge exactly one gets each centre on it. The rule holds for the samples of a pixel as it does for its centre.

use shaders::interface::Interpolation;

use super::extent::Extent;
use super::offset;
use super::pixel_box::PixelBox;
use super::viewport::{SUBPIXEL_BITS, Screen, ScreenVertex};
use crate::dynamic::Dynamic;
use crate::state::{Cull, FrontFace, State};
use crate::surface::Samples;

/// A half plane: the centre of pixel (x, y) is inside when `step_x · x + step_y · y + origin ≥ 0`.
///
/// In sub-pixel units an edge function changes by a multiple of 256 from one pixel centre to the next, so its value can
/// be divided by 256, rounding down, without changing its sign anywhere: that is what is kept. The fill rule is in it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// Change from a pixel to its right neighbour; below 2^23 + 1 in size.
    pub step_x: i32,
    /// Change from a pixel to the one below.
    pub step_y: i32,
    /// Value at the centre of pixel (0, 0).
    pub origin: i64,
    /// What the division by 256 left over, from 0 to 255: the same at every pixel centre, and needed at other places of a
    /// pixel. Edges that hold everywhere have none.
    pub rest: Option<u8>,
}

impl Edge {
    /// The edge from one vertex to the next of a triangle that turns with the clock on the screen; inside is positive.
    fn between(from: &ScreenVertex, to: &ScreenVertex) -> Self {
        let [from_x, from_y] = [from.x.to_bits(), from.y.to_bits()];
        let step_x = from_y - to.y.to_bits();
        let step_y = to.x.to_bits() - from_x;
        // y runs down: inside lies right of a left edge, where the value grows with x, and below a top edge.
        let is_top_or_left = step_x > 0 || (step_x == 0 && step_y > 0);
        let half_pixel = 1i64 << (SUBPIXEL_BITS - 1);
        let at_center =
            i64::from(step_x) * (half_pixel - i64::from(from_x)) + i64::from(step_y) * (half_pixel - i64::from(from_y));
        // A centre exactly on the edge has the value 0; on other edges than these it must count as outside.
        let bias = if is_top_or_left { 0 } else { 1 };
        let value = at_center - bias;
        Self { step_x, step_y, origin: value >> SUBPIXEL_BITS, rest: Some((value & 255) as u8) }
    }

    /// What the value changes by from a pixel's centre to a place in it, given in sixteenths from the top left corner:
    /// exact, like the value itself.
    pub const fn to_place(&self, [x, y]: [i32; 2]) -> i32 {
        match self.rest {
            None => 0,
            // A sixteenth is 16 sub-pixel steps, the centre is at 8.
            Some(rest) => (rest as i32 + self.step_x * (16 * (x - 8)) + self.step_y * (16 * (y - 8))) >> SUBPIXEL_BITS,
        }
    }

    /// The value at the centre of a pixel.
    pub const fn at(&self, x: i32, y: i32) -> i64 {
        self.origin + self.step_x as i64 * x as i64 + self.step_y as i64 * y as i64
    }
}

/// A scalar over the screen: `fma(dy, y, fma(dx, x, value))`, x and y in pixels from the triangle's anchor.
///
/// Computed in f64 and rounded once; NaN is the canonical one, so that every host gives the same bits.
#[derive(Copy, Clone, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Plane {
    /// At the anchor.
    pub value: f32,
    /// Change from a pixel to its right neighbour.
    pub dx: f32,
    /// Change from a pixel to the one below.
    pub dy: f32,
}

impl Plane {
    /// Rounds each once; every NaN becomes the canonical one.
    pub fn rounded(value: f64, dx: f64, dy: f64) -> Self {
        Self { value: to_f32(value), dx: to_f32(dx), dy: to_f32(dy) }
    }
}

/// A triangle ready to be walked. Points and lines become triangles of a kind too (`point`, `line`).
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Triangle {
    /// All three must hold.
    pub edges: [Edge; 3],
    /// The rectangle that must hold as well: the pixels of the target that the draw may touch (scissor and viewport),
    /// between the vertices. Never empty.
    pub bounds: PixelBox,
    /// What must hold as well, of points and lines.
    pub extent: Extent,
    /// The first vertex, in pixels: where the planes are anchored. Exact.
    pub anchor: [f32; 2],
    /// Depth.
    pub depth: Plane,
    /// 1/w.
    pub inverse_w: Plane,
    /// Its first plane; one plane follows for each input slot of its shader.
    pub first_plane: u32,
    /// Which draw of the frame it belongs to.
    pub draw: u32,
    /// Whether its front is seen.
    pub is_front: bool,
}

impl Triangle {
    /// Whether a place of a pixel is inside, given in sixteenths from the pixel's top left corner.
    pub fn covers_place(&self, x: i32, y: i32, place: [i32; 2]) -> bool {
        self.bounds.holds(x, y)
            && self.edges.iter().all(|edge| edge.at(x, y) + i64::from(edge.to_place(place)) >= 0)
            && self.extent.covers([x, y], place)
    }

    /// The samples of a pixel that are inside, a bit each.
    pub fn coverage(&self, x: i32, y: i32, samples: Samples) -> u32 {
        let covers = |place: &[i32; 2]| u32::from(self.covers_place(x, y, *place));
        (0..).zip(samples.places()).map(|(sample, place)| covers(place) << sample).sum()
    }

    /// Whether the centre of a pixel is inside.
    pub fn covers(&self, x: i32, y: i32) -> bool {
        self.bounds.holds(x, y)
            && self.edges.iter().all(|edge| edge.at(x, y) >= 0)
            && self.extent.covers([x, y], [8, 8])
    }
}

/// What the primitives of a draw share.
#[derive(Copy, Clone, Debug)]
pub struct Context {
    /// Where pixels are asked for coverage.
    pub samples: Samples,
    /// Which faces are dropped, and the like.
    pub state: State,
    /// Sizes and offsets.
    pub dynamic: Dynamic,
    /// Which pixels may be drawn.
    pub screen: Screen,
    /// Which pixels triangles may take: `screen.inside()`.
    pub inside: PixelBox,
    /// The draw's place in the frame.
    pub draw: u32,
}

/// The rectangle of pixels with a sample between three vertices, cut to what may be drawn. With several samples a pixel
/// it is that of all pixels between them.
fn bounds_of(corners: &[ScreenVertex; 3], samples: Samples, inside: &PixelBox) -> PixelBox {
    let xs = corners.map(|corner| corner.x.to_bits());
    let ys = corners.map(|corner| corner.y.to_bits());
    let least = |values: [i32; 3]| values.into_iter().fold(i32::MAX, i32::min);
    let most = |values: [i32; 3]| values.into_iter().fold(i32::MIN, i32::max);
    // The first pixel whose centre is at or past a coordinate: ceil(c − ½).
    let half_pixel = 1 << (SUBPIXEL_BITS - 1);
    let (before, after) = match samples {
        Samples::One => (half_pixel - 1, -half_pixel),
        Samples::Four => (0, 0),
    };
    let first = |coordinate: i32| (coordinate + before) >> SUBPIXEL_BITS;
    let last = |coordinate: i32| (coordinate + after) >> SUBPIXEL_BITS;
    PixelBox { x0: first(least(xs)), y0: first(least(ys)), x1: last(most(xs)) + 1, y1: last(most(ys)) + 1 }.and(inside)
}

/// Bounds of so many pixels or fewer are searched for a covered one before anything is computed for the triangle.
const SEARCHED_PIXELS: i32 = 16;

/// Sets a triangle up, or drops it: no area, the wrong side, or (as far as that is quickly seen) no pixel centre that may
/// be drawn.
///
/// Appends one plane for each of `inputs` to `planes`. `scalars` gives the values of an input at the corners, `flat` its
/// value at the vertex that gives flat inputs, as it came from the vertex stage (clipping does not change it); that is
/// taken bit for bit.
pub fn set_up(
    corners: [ScreenVertex; 3],
    scalars: impl Fn(usize) -> [f64; 3],
    flat: impl Fn(usize) -> f32,
    inputs: &[Interpolation],
    context: &Context,
    planes: &mut Vec<Plane>,
) -> Option<Triangle> {
    let state = context.state;
    let [a, b, c] = corners;
    let differences = Differences::of(&a, &b, &c);
    // On a screen whose y runs down, a positive area turns with the clock.
    let front_area_is_positive = state.front_face == FrontFace::Clockwise;
    let is_front = (differences.area > 0) == front_area_is_positive;
    let is_culled = match state.cull {
        Cull::None => false,
        Cull::Front => is_front,
        Cull::Back => !is_front,
        Cull::FrontAndBack => true,
    };
    let bounds = bounds_of(&corners, context.samples, &context.inside);
    if differences.area == 0 || is_culled || bounds.is_empty() {
        return None;
    }
    let edges = if differences.area > 0 {
        [Edge::between(&a, &b), Edge::between(&b, &c), Edge::between(&c, &a)]
    } else {
        [Edge::between(&a, &c), Edge::between(&c, &b), Edge::between(&b, &a)]
    };
    let is_small = (bounds.x1 - bounds.x0) * (bounds.y1 - bounds.y0) <= SEARCHED_PIXELS;
    if is_small && context.samples == Samples::One && !covers_any(&edges, &bounds) {
        return None;
    }
    let first_plane = planes.len() as u32;
    planes.extend(inputs.iter().enumerate().map(|(slot, interpolation)| match interpolation {
        Interpolation::Flat => Plane { value: flat(slot), dx: 0.0, dy: 0.0 },
        Interpolation::Linear => differences.plane(scalars(slot)),
        Interpolation::Perspective => {
            let [at_a, at_b, at_c] = scalars(slot);
            differences.plane([at_a * a.inverse_w, at_b * b.inverse_w, at_c * c.inverse_w])
        }
    }));
    let depths = [a.depth, b.depth, c.depth];
    let depth = differences.plane(depths);
    let offset = offset::of(context.dynamic.depth_offset, context.state.depth_format, &depth, depths);
    Some(Triangle {
        edges,
        bounds,
        extent: Extent::Pixels,
        anchor: [a.x.to_f32(), a.y.to_f32()],
        depth: Plane { value: to_f32(a.depth + offset), ..depth },
        inverse_w: differences.plane([a.inverse_w, b.inverse_w, c.inverse_w]),
        first_plane,
        draw: context.draw,
        is_front,
    })
}

/// Whether a pixel centre of a rectangle is inside all edges.
fn covers_any(edges: &[Edge; 3], bounds: &PixelBox) -> bool {
    (bounds.y0..bounds.y1).any(|y| (bounds.x0..bounds.x1).any(|x| edges.iter().all(|edge| edge.at(x, y) >= 0)))
}

/// Where the second and third vertex lie, seen from the first, in sub-pixel steps; and twice the area between them.
struct Differences {
    b: [i32; 2],
    c: [i32; 2],
    area: i64,
    /// A pixel by the area.
    scale: f64,
}

impl Differences {
    fn of(a: &ScreenVertex, b: &ScreenVertex, c: &ScreenVertex) -> Self {
        let from_a = |to: &ScreenVertex| [to.x.to_bits() - a.x.to_bits(), to.y.to_bits() - a.y.to_bits()];
        let (b, c) = (from_a(b), from_a(c));
        let area = i64::from(b[0]) * i64::from(c[1]) - i64::from(c[0]) * i64::from(b[1]);
        Self { b, c, area, scale: f64::from(1u32 << SUBPIXEL_BITS) / area as f64 }
    }

    /// The plane through three values (Cramer's rule).
    fn plane(&self, [at_a, at_b, at_c]: [f64; 3]) -> Plane {
        let (rise_b, rise_c) = (at_b - at_a, at_c - at_a);
        let dx = (rise_b * f64::from(self.c[1]) - rise_c * f64::from(self.b[1])) * self.scale;
        let dy = (rise_c * f64::from(self.b[0]) - rise_b * f64::from(self.c[0])) * self.scale;
        Plane::rounded(at_a, dx, dy)
    }
}

/// Rounds once; every NaN becomes the canonical one.
fn to_f32(value: f64) -> f32 {
    const CANONICAL_NAN: f32 = f32::from_bits(0x7fc0_0000);
    if value.is_nan() { CANONICAL_NAN } else { value as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::viewport::PixelCoordinate;
    use proptest::prelude::*;

    const SIZE: (u32, u32) = (16, 16);

    fn screen([x, y]: [f32; 2]) -> ScreenVertex {
        let snap = PixelCoordinate::from_f32;
        ScreenVertex { x: snap(x), y: snap(y), depth: 0.5, inverse_w: 1.0 }
    }

    fn context(state: State) -> Context {
        let dynamic = Dynamic::DEFAULT;
        let screen = Screen::new(&dynamic, SIZE);
        Context { samples: Samples::One, state, dynamic, screen, inside: screen.inside(), draw: 7 }
    }

    fn triangle(points: [[f32; 2]; 3], state: State) -> Option<Triangle> {
        triangle_of(points, state, Samples::One)
    }

    fn triangle_of(points: [[f32; 2]; 3], state: State, samples: Samples) -> Option<Triangle> {
        let context = Context { samples, ..context(state) };
        set_up(points.map(screen), |_| [0.0; 3], |_| 0.0, &[], &context, &mut Vec::new())
    }

    #[test]
    fn samples_beside_an_edge_are_told_apart_to_the_sub_pixel() {
        // A left edge at x = 3 + k/256 and everything right of it; sample 0 is at 6/16 = 96/256 of pixel 3.
        let right_of = |steps: f32| {
            let x = 3.0 + steps / 256.0;
            triangle_of([[x, -64.0], [x + 90.0, 0.0], [x, 64.0]], State::FLAT, Samples::Four).expect("it has area")
        };
        assert_eq!(right_of(32.0).coverage(3, 8, Samples::Four), 0b1111, "a left edge through sample 2 holds it");
        assert_eq!(right_of(33.0).coverage(3, 8, Samples::Four), 0b1011);
        assert_eq!(right_of(96.0).coverage(3, 8, Samples::Four), 0b1011);
        assert_eq!(right_of(97.0).coverage(3, 8, Samples::Four), 0b1010);
        assert_eq!(right_of(161.0).coverage(3, 8, Samples::Four), 0b0010);
        assert_eq!(right_of(225.0).coverage(3, 8, Samples::Four), 0);
    }

    /// How often each pixel of the 16 × 16 target is covered.
    fn coverage(triangles: &[[[f32; 2]; 3]]) -> [[u32; 16]; 16] {
        let mut counts = [[0; 16]; 16];
        for triangle in triangles.iter().filter_map(|&points| triangle(points, State::FLAT)) {
            for y in triangle.bounds.y0..triangle.bounds.y1 {
                for x in triangle.bounds.x0..triangle.bounds.x1 {
                    counts[y as usize][x as usize] += u32::from(triangle.covers(x, y));
                }
            }
        }
        counts
    }

    fn pixels(counts: &[[u32; 16]; 16]) -> u32 {
        counts.iter().flatten().sum()
    }

    #[test]
    fn a_square_on_pixel_centres_splits_into_36_and_28() {
        let square = [[0.5, 0.5], [8.5, 0.5], [8.5, 8.5], [0.5, 8.5]];
        let one = coverage(&[[square[0], square[1], square[2]]]);
        let other = coverage(&[[square[0], square[2], square[3]]]);
        assert_eq!((pixels(&one), pixels(&other)), (36, 28));
        for (y, x) in (0..16).flat_map(|y| (0..16).map(move |x| (y, x))) {
            assert_eq!(one[y][x] + other[y][x], u32::from(x < 8 && y < 8), "pixel {x}, {y}");
        }
    }

    #[test]
    fn slivers_and_lines_of_no_area() {
        let empty = |points| assert_eq!(pixels(&coverage(&[points])), 0, "{points:?}");
        empty([[0.0, 0.0], [4.0, 4.0], [8.0, 8.0]]);
        empty([[1.0, 1.0], [1.0, 1.0], [8.0, 3.0]]);
        let sliver = |x0: f32, x1: f32| [[x0 / 16.0, 0.0], [x1 / 16.0, 0.0], [x1 / 16.0, 16.0]];
        empty(sliver(49.0, 50.0));
        let counts = coverage(&[sliver(55.0, 57.0)]);
        assert_eq!(pixels(&counts), 8);
        assert!((0..8).all(|y| counts[y][3] == 1));
    }

    #[test]
    fn culling_looks_at_the_turn_on_the_screen() {
        let with_the_clock = [[1.0, 1.0], [9.0, 1.0], [9.0, 9.0]];
        let survives = |cull, front_face| triangle(with_the_clock, State { cull, front_face, ..State::FLAT }).is_some();
        assert!(survives(Cull::None, FrontFace::Clockwise));
        assert!(survives(Cull::Back, FrontFace::Clockwise));
        assert!(!survives(Cull::Front, FrontFace::Clockwise));
        assert!(!survives(Cull::Back, FrontFace::CounterClockwise));
        assert!(survives(Cull::Front, FrontFace::CounterClockwise));
        assert!(!survives(Cull::FrontAndBack, FrontFace::Clockwise));
        assert!(!survives(Cull::FrontAndBack, FrontFace::CounterClockwise));
        assert!(triangle(with_the_clock, State::FLAT).is_some_and(|t| !t.is_front));
    }

    #[test]
    fn planes_pass_through_the_three_values() {
        let mut planes = Vec::new();
        let places = [[2.0, 1.0], [10.0, 3.0], [4.0, 9.0]];
        let scalars = [1.0, 5.0, -3.0];
        let (inputs, context) = ([Interpolation::Linear], context(State::FLAT));
        let triangle = set_up(places.map(screen), |_| scalars, |_| 1.0, &inputs, &context, &mut planes);
        let triangle = triangle.expect("a triangle with area");
        for (place, value) in places.iter().zip(scalars) {
            let (x, y) = (place[0] - triangle.anchor[0], place[1] - triangle.anchor[1]);
            let on_plane = planes[0].value + planes[0].dx * x + planes[0].dy * y;
            assert!((on_plane - value as f32).abs() < 1e-5, "{on_plane} is not {value}");
        }
        assert_eq!((triangle.first_plane, triangle.draw), (0, 7));
    }

    #[test]
    fn flat_inputs_keep_the_bits_of_the_first_vertex() {
        let mut planes = Vec::new();
        let corners = [[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]].map(screen);
        let bits = f32::from_bits(0xffc1_2345);
        let (inputs, context) = ([Interpolation::Flat], context(State::FLAT));
        set_up(corners, |_| [0.0; 3], |_| bits, &inputs, &context, &mut planes);
        assert_eq!(planes[0].value.to_bits(), 0xffc1_2345);
    }

    proptest! {
        #![proptest_config(crate::seeded::seeded(300))]

        /// Points of a grid, each moved at random: the cells' triangles cover every inner pixel exactly once,
        /// whichever diagonal each cell takes and whichever way each triangle turns.
        #[test]
        fn a_mesh_of_shared_edges_covers_every_pixel_once(
            moves in prop::collection::vec((-220i32..220, -220i32..220), 9),
            turns in prop::collection::vec(any::<(bool, bool)>(), 16),
        ) {
            let point = |column: usize, row: usize| {
                // The border lies on and beyond the target's edge, the nine inner points move freely within a cell.
                let place = |index: usize| index as f32 * 4.0;
                let inner = (1..4).contains(&column) && (1..4).contains(&row);
                let (dx, dy) = if inner { moves[(row - 1) * 3 + column - 1] } else { (0, 0) };
                [place(column) + dx as f32 / 256.0, place(row) + dy as f32 / 256.0]
            };
            let mut triangles = Vec::new();
            for (cell, &(diagonal, turn)) in turns.iter().enumerate() {
                let (column, row) = (cell % 4, cell / 4);
                let square =
                    [point(column, row), point(column + 1, row), point(column + 1, row + 1), point(column, row + 1)];
                let halves = if diagonal { [[0, 1, 2], [0, 2, 3]] } else { [[0, 1, 3], [1, 2, 3]] };
                for [a, b, c] in halves {
                    triangles.push(if turn { [square[a], square[b], square[c]] } else { [square[c], square[b], square[a]] });
                }
            }
            let counts = coverage(&triangles);
            prop_assert!(counts.iter().flatten().all(|&count| count == 1), "{counts:?}");
            // The same of each sample.
            let mut counts = [[[0; 4]; 16]; 16];
            for points in &triangles {
                let Some(triangle) = triangle_of(*points, State::FLAT, Samples::Four) else { continue };
                for (y, x) in (0..16).flat_map(|y| (0..16).map(move |x| (y, x))) {
                    let coverage = triangle.coverage(x, y, Samples::Four);
                    (0..4).for_each(|sample| counts[y as usize][x as usize][sample] += coverage >> sample & 1);
                }
            }
            prop_assert!(counts.iter().flatten().flatten().all(|&count| count == 1), "{counts:?}");
        }

        #[test]
        fn the_kept_edge_has_the_sign_of_the_exact_one(
            coordinates in prop::array::uniform4(-(1i32 << 22)..=1 << 22),
            x in 0i32..8192,
            y in 0i32..8192,
        ) {
            let [x0, y0, x1, y1] = coordinates.map(PixelCoordinate::from_bits);
            let vertex = |x, y| ScreenVertex { x, y, depth: 0.0, inverse_w: 1.0 };
            let edge = Edge::between(&vertex(x0, y0), &vertex(x1, y1));
            let [x0, y0, x1, y1] = coordinates.map(i128::from);
            let (px, py) = (i128::from(x) * 256 + 128, i128::from(y) * 256 + 128);
            let exact = (x1 - x0) * (py - y0) - (y1 - y0) * (px - x0);
            let is_top_or_left = y1 < y0 || (y1 == y0 && x1 > x0);
            prop_assert_eq!(edge.at(x, y) >= 0, exact > 0 || (exact == 0 && is_top_or_left));
        }
    }
}
