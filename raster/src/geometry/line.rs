//! Lines: two vertices become a band of pixels.
//!
//! Before: `viewport`. After: `bin`, or the reference. A line is a [`Triangle`] whose first two edges are parallel and whose
//! third holds everywhere; its rectangle cuts the band off at the line's ends.
//!
//! Which pixels: the diamond-exit rule (Vulkan, "Bresenham Line Segment Rasterization"; OpenGL ES 1.1, section 3.4.1). A
//! pixel is drawn if the line, moved by (−ε, −ε²), leaves the diamond |x − xc| + |y − yc| < ½ around its centre. In the
//! words of integers: along its *major* axis, in which it is longer (x if both are equal), a line has one pixel in each
//! column, the one whose row holds the line at the column's centre; the first and the last column are in or out by the
//! diamonds there. So a line does not draw the pixel it ends in, and a strip draws no pixel of a joint twice.
//! A wide line is a line moved by −(width − 1)/2 along the minor axis, each pixel of it repeated `width` times.
//!
//! With several samples a pixel another rule holds (`sampled_line`).
//! Where a line's centre leaves the viewport it ends; what its width adds may reach out.
//! Inputs and depth run along the major axis: t = (u − u₀)/(u₁ − u₀) at the pixel's centre (Vulkan allows this form). A
//! line of one column takes its inputs at the nearest point of the line instead, since t could be anything there.

use shaders::interface::Interpolation;

use super::extent::Extent;
use super::pixel_box::PixelBox;
use super::sampled_line::Band;
use super::setup::{Context, Edge, Plane, Triangle};
use super::viewport::{SUBPIXEL_BITS, ScreenVertex};
use crate::surface::Samples;

/// Steps of 1/256 pixel.
const PIXEL: i64 = 1 << SUBPIXEL_BITS;
const HALF: i64 = PIXEL / 2;

/// A line along its major axis u and its minor axis v, in steps of 1/256 pixel.
#[derive(Copy, Clone, Debug)]
pub struct Line {
    /// Whether u is x.
    pub is_x_major: bool,
    /// Where it begins.
    pub from: [i64; 2],
    /// Where it ends.
    pub to: [i64; 2],
    /// Pixels.
    width: i64,
}

impl Line {
    /// A line between two places (x, y); `None` if they are the same.
    pub fn new(from: [i64; 2], to: [i64; 2], width: i64) -> Option<Self> {
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let is_x_major = dx.abs() >= dy.abs();
        let along = |[x, y]: [i64; 2]| if is_x_major { [x, y] } else { [y, x] };
        ((dx, dy) != (0, 0)).then(|| Self { is_x_major, from: along(from), to: along(to), width })
    }

    /// The length along both axes, turned so that the first is above zero.
    pub fn ascent(&self) -> [i64; 2] {
        let [du, dv] = [self.to[0] - self.from[0], self.to[1] - self.from[1]];
        if du > 0 { [du, dv] } else { [-du, -dv] }
    }

    /// Whether the line moved by (−ε, −ε²) lies above, on the minor axis, of where it was.
    ///
    /// It is at v(u + δu) − δv. With x as the major axis δu = ε, δv = ε², so the slope decides; else δv = ε.
    fn is_moved_up(&self) -> bool {
        self.is_x_major && self.ascent()[1] > 0
    }

    /// Whether a place, moved by (−ε, −ε²), lies in the diamond of the pixel that holds it; v is counted from the line that
    /// is moved down by (width − 1)/2.
    fn is_in_diamond(&self, [u, v]: [i64; 2]) -> bool {
        let center = |place: i64| (place - 1) & !(PIXEL - 1) | HALF;
        let v = v - (self.width - 1) * HALF;
        let (du, dv) = (u - center(u), v - center(v));
        let decisive = if self.is_x_major { du } else { dv };
        // Moving by ε brings places on the border in on the far side and out on the near side.
        du.abs() + dv.abs() < HALF || (du.abs() + dv.abs() == HALF && decisive > 0)
    }

    /// The columns, from and to.
    fn columns(&self) -> [i64; 2] {
        // Places on a pixel's border belong to the pixel before, because of −ε.
        let column = |u: i64| (u - 1) >> SUBPIXEL_BITS;
        let center = |column: i64| column * PIXEL + HALF;
        let (first, last) = (column(self.from[0]), column(self.to[0]));
        if self.to[0] > self.from[0] {
            let begins = self.from[0] <= center(first) || self.is_in_diamond(self.from);
            let ends = self.to[0] > center(last) && !self.is_in_diamond(self.to);
            [first + i64::from(!begins), last + i64::from(ends)]
        } else {
            let begins = self.from[0] > center(first) || self.is_in_diamond(self.from);
            let ends = self.to[0] <= center(last) && !self.is_in_diamond(self.to);
            [last + i64::from(!ends), first + i64::from(begins)]
        }
    }

    /// The row of the line in a column, as if it were one pixel wide and moved by `shift` steps along the minor axis.
    fn row(&self, column: i64, shift: i64) -> i64 {
        let [du, dv] = self.ascent();
        let above_zero = (self.from[1] + shift) * du + (column * PIXEL + HALF - self.from[0]) * dv;
        (above_zero - i64::from(!self.is_moved_up())).div_euclid(PIXEL * du)
    }

    /// The columns in which the line's centre lies in these rows.
    fn columns_in_rows(&self, [from, to]: [i64; 2], rows: [i64; 2]) -> [i64; 2] {
        if [from, to - 1].iter().all(|&column| (rows[0]..rows[1]).contains(&self.row(column, 0))) {
            return [from, to];
        }
        let falls = self.ascent()[1] < 0;
        // Rows go one way along the line, so the columns before a place are found by halving.
        let first_where = |is_past: &dyn Fn(i64) -> bool| {
            let (mut before, mut past) = (from, to);
            while before < past {
                let middle = before + (past - before) / 2;
                if is_past(self.row(middle, 0)) { past = middle } else { before = middle + 1 }
            }
            past
        };
        if falls {
            [first_where(&|row| row < rows[1]), first_where(&|row| row < rows[0])]
        } else {
            [first_where(&|row| row >= rows[0]), first_where(&|row| row >= rows[1])]
        }
    }

    /// A rectangle's columns along the major axis, and its rows along the other.
    pub fn along(&self, of: &PixelBox) -> [[i64; 2]; 2] {
        let (x, y) = ([of.x0.into(), of.x1.into()], [of.y0.into(), of.y1.into()]);
        if self.is_x_major { [x, y] } else { [y, x] }
    }

    /// The edges of the band: v is at least the line's less half the width, and at most the line's plus half the width, which
    /// is in steps of 1/256 pixel.
    pub fn edges(&self, half_width: i64) -> [Edge; 2] {
        let [du, dv] = self.ascent();
        // (v − v₀) · du − (u − u₀) · dv, at the centre of pixel (0, 0).
        let at_origin = (HALF - self.from[1]) * du - (HALF - self.from[0]) * dv;
        let half_width = half_width * du;
        let up = i64::from(self.is_moved_up());
        let edge = |step_u: i64, step_v: i64, value: i64| {
            let (step_x, step_y) = if self.is_x_major { (step_u, step_v) } else { (step_v, step_u) };
            let rest = Some((value & (PIXEL - 1)) as u8);
            Edge { step_x: step_x as i32, step_y: step_y as i32, origin: value >> SUBPIXEL_BITS, rest }
        };
        [edge(-dv, du, half_width + at_origin - up), edge(dv, -du, half_width - at_origin - (1 - up))]
    }

    /// The pixels between which the line runs: exact along the major axis, the band's outermost rows along the other.
    fn bounds(&self, viewport: &PixelBox, drawn: &PixelBox) -> PixelBox {
        let [viewport_columns, viewport_rows] = self.along(viewport);
        let [drawn_columns, _] = self.along(drawn);
        let [from, to] = self.columns();
        let from = from.max(viewport_columns[0]);
        let to = to.min(viewport_columns[1]);
        let [from, to] = if from < to { self.columns_in_rows([from, to], viewport_rows) } else { [from, to] };
        let (from, to) = (from.max(drawn_columns[0]), to.min(drawn_columns[1]));
        if from >= to {
            return PixelBox::default();
        }
        let shift = -(self.width - 1) * HALF;
        let ends = [self.row(from, shift), self.row(to - 1, shift)];
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]) + self.width);
        let pixel = |place: i64| i32::try_from(place).expect("lines lie in the guard band");
        let (u, v) = ([pixel(from), pixel(to)], [pixel(low), pixel(high)]);
        let (x, y) = if self.is_x_major { (u, v) } else { (v, u) };
        PixelBox { x0: x[0], y0: y[0], x1: x[1], y1: y[1] }.and(drawn)
    }
}

/// The width that lines are drawn with: the nearest whole number, at least 1 (OpenGL ES 1.1, `glLineWidth`).
fn whole_width(width: f32) -> i64 {
    (width.round() as i64).max(1)
}

/// Sets a line up, or drops it: it has no pixel that may be drawn.
///
/// `scalars` gives the values of an input at both ends, `flat` its value at the vertex that gives flat inputs.
pub fn set_up(
    [a, b]: [ScreenVertex; 2],
    scalars: impl Fn(usize) -> [f64; 2],
    flat: impl Fn(usize) -> f32,
    inputs: &[Interpolation],
    context: &Context,
    planes: &mut Vec<Plane>,
) -> Option<Triangle> {
    let place = |end: &ScreenVertex| [end.x.to_bits().into(), end.y.to_bits().into()];
    let width = context.dynamic.line_width;
    let line = Line::new(place(&a), place(&b), whole_width(width))?;
    let (viewport, drawn) = (&context.screen.viewport, &context.screen.drawn);
    let (bounds, extent, columns, half_width) = match context.samples {
        Samples::One => (line.bounds(viewport, drawn), Extent::Pixels, line.columns(), line.width * HALF),
        Samples::Four => {
            let band = Band::new(line, width);
            let (bounds, extent) = band.bounds(viewport, drawn)?;
            (bounds, extent, band.columns(), band.half_width)
        }
    };
    if bounds.is_empty() {
        return None;
    }
    let plane = plane_along(&line, columns);
    let first_plane = planes.len() as u32;
    planes.extend(inputs.iter().enumerate().map(|(slot, interpolation)| match interpolation {
        Interpolation::Flat => Plane { value: flat(slot), dx: 0.0, dy: 0.0 },
        Interpolation::Linear => {
            let [at_a, at_b] = scalars(slot);
            plane(at_a, at_b)
        }
        Interpolation::Perspective => {
            let [at_a, at_b] = scalars(slot);
            plane(at_a * a.inverse_w, at_b * b.inverse_w)
        }
    }));
    let [low, high] = line.edges(half_width);
    Some(Triangle {
        edges: [low, high, Edge::default()],
        bounds,
        extent,
        anchor: [a.x.to_f32(), a.y.to_f32()],
        depth: plane(a.depth, b.depth),
        inverse_w: plane(a.inverse_w, b.inverse_w),
        first_plane,
        draw: context.draw,
        is_front: true,
    })
}

/// Gives the plane of a scalar from its values at both ends; `columns` are those that the line takes, from and to.
fn plane_along(line: &Line, [from, to]: [i64; 2]) -> impl Fn(f64, f64) -> Plane + use<> {
    let length = (line.to[0] - line.from[0]) as f64;
    let only = (to - from == 1).then(|| {
        let t = (from * PIXEL + HALF - line.from[0]) as f64 / length;
        t.clamp(0.0, 1.0)
    });
    let is_x_major = line.is_x_major;
    move |at_from, at_to| match only {
        Some(t) => Plane::rounded(at_from + (at_to - at_from) * t, 0.0, 0.0),
        None => {
            let step = (at_to - at_from) * PIXEL as f64 / length;
            if is_x_major { Plane::rounded(at_from, step, 0.0) } else { Plane::rounded(at_from, 0.0, step) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIDE: i32 = 16;
    const ALL: PixelBox = PixelBox { x0: 0, y0: 0, x1: SIDE, y1: SIDE };
    /// More than any line of these tests.
    const EVERYWHERE: PixelBox = PixelBox { x0: -1000, y0: -1000, x1: 1000, y1: 1000 };

    /// The pixels of a line between places in steps of 1/256 pixel, in rows.
    fn pixels(from: [i64; 2], to: [i64; 2], width: i64, viewport: PixelBox) -> Vec<(i32, i32)> {
        let Some(line) = Line::new(from, to, width) else { return Vec::new() };
        let bounds = line.bounds(&viewport, &ALL);
        let edges = line.edges(width * HALF);
        let is_covered = |x, y| bounds.holds(x, y) && edges.iter().all(|edge| edge.at(x, y) >= 0);
        (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))).filter(|&(x, y)| is_covered(x, y)).collect()
    }

    fn between(from: [f32; 2], to: [f32; 2]) -> Vec<(i32, i32)> {
        let steps = |place: [f32; 2]| place.map(|pixels| (pixels * 256.0) as i64);
        pixels(steps(from), steps(to), 1, EVERYWHERE)
    }

    /// The rule word for word, by exact fractions: ε is 2^-20 of a step, ε² 2^-40.
    mod word_for_word {
        use super::*;

        const STEP: i128 = 1 << 40;
        const EPSILON: i128 = 1 << 20;

        /// Whether the segment from p to q meets the open diamond of a pixel, and q does not lie in it.
        fn leaves_diamond(p: [i128; 2], q: [i128; 2], pixel: [i64; 2]) -> bool {
            let center = pixel.map(|place| i128::from(place * PIXEL + HALF) * STEP);
            let sides = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
            // Negative inside.
            let beyond = |place: [i128; 2], [sx, sy]: [i128; 2]| {
                sx * (place[0] - center[0]) + sy * (place[1] - center[1]) - i128::from(HALF) * STEP
            };
            if sides.iter().all(|&side| beyond(q, side) < 0) {
                return false;
            }
            // Inside from `after` to `before`, fractions with a positive denominator; the segment runs from 0 to 1. (The
            // diamond is open, so it holds an end only if it holds something beside it.)
            let (mut after, mut before) = (vec![(0, 1)], vec![(1, 1)]);
            for side in sides {
                let (at_p, at_q) = (beyond(p, side), beyond(q, side));
                match at_q - at_p {
                    0 if at_p >= 0 => return false,
                    0 => {}
                    rise if rise > 0 => before.push((-at_p, rise)),
                    rise => after.push((at_p, -rise)),
                }
            }
            after.iter().all(|&(a, b)| before.iter().all(|&(c, d)| a * d < c * b))
        }

        pub fn pixels(from: [i64; 2], to: [i64; 2], width: i64) -> Vec<(i32, i32)> {
            let is_x_major = (to[0] - from[0]).abs() >= (to[1] - from[1]).abs();
            let minor = usize::from(is_x_major);
            let mut drawn = vec![0; (SIDE * SIDE) as usize];
            let moved = |mut place: [i64; 2]| {
                place[minor] -= (width - 1) * HALF;
                [i128::from(place[0]) * STEP - EPSILON, i128::from(place[1]) * STEP - EPSILON * EPSILON / STEP]
            };
            let (p, q) = (moved(from), moved(to));
            for y in -8..24 {
                for x in -8..24 {
                    if leaves_diamond(p, q, [x, y]) {
                        for more in 0..width {
                            let (x, y) = if is_x_major { (x, y + more) } else { (x + more, y) };
                            if (0..SIDE as i64).contains(&x) && (0..SIDE as i64).contains(&y) {
                                drawn[(y * SIDE as i64 + x) as usize] += 1;
                            }
                        }
                    }
                }
            }
            assert!(drawn.iter().all(|&count| count <= 1), "a line has no pixel twice");
            let at = |index: usize| (index as i32 % SIDE, index as i32 / SIDE);
            drawn.iter().enumerate().filter(|(_, count)| **count > 0).map(|(index, _)| at(index)).collect()
        }
    }

    #[test]
    fn a_line_draws_the_pixel_it_begins_in_and_not_that_it_ends_in() {
        let row = |columns: std::ops::Range<i32>| columns.map(|x| (x, 0)).collect::<Vec<_>>();
        assert_eq!(between([0.5, 0.5], [5.5, 0.5]), row(0..5));
        assert_eq!(between([5.5, 0.5], [0.5, 0.5]), row(1..6));
        assert_eq!(between([2.5, 0.5], [2.5, 0.5]), []);
        // Within one diamond, from one to the next, and through the gap between diamonds.
        assert_eq!(between([2.3, 0.5], [2.7, 0.5]), []);
        assert_eq!(between([2.3, 0.5], [3.3, 0.5]), row(2..3));
        assert_eq!(between([2.9, 0.9], [3.1, 0.9]), []);
    }

    #[test]
    fn a_wide_line_repeats_its_pixels_across() {
        let rows = |width| {
            let found = pixels([384, 1664], [1408, 1664], width, EVERYWHERE);
            let rows: Vec<_> = found.iter().map(|&(_, y)| y).collect();
            let (first, last) = (*rows.first().expect("a line"), *rows.last().expect("a line"));
            assert_eq!(found.len() as i32, 4 * (last - first + 1));
            (first, last)
        };
        // The centre of row 6.
        assert_eq!([1, 2, 3, 4].map(rows), [(6, 6), (5, 6), (5, 7), (4, 7)]);
    }

    #[test]
    fn widths_are_whole() {
        assert_eq!([0.2, 0.5, 1.4, 1.5, 2.5].map(whole_width), [1, 1, 1, 2, 3]);
    }

    #[test]
    fn a_wide_line_ends_where_its_centre_leaves_the_viewport() {
        let viewport = PixelBox { x0: 0, y0: 4, x1: 16, y1: 8 };
        // Down the diagonal: the centre is in rows 4 to 7 in columns 4 to 7; three pixels wide, rows 3 to 8.
        let found = pixels([0, 0], [16 * 256, 16 * 256], 3, viewport);
        assert_eq!(found.len(), 12);
        assert!(found.iter().all(|&(x, y)| (4..8).contains(&x) && (y - x).abs() <= 1));
    }

    proptest! {
        #![proptest_config(crate::seeded::seeded(800))]

        /// Places on a grid as coarse as the diamonds' corners, so that ties are common, and fine ones.
        #[test]
        fn lines_have_the_pixels_that_the_rule_names(
            coarse in prop::array::uniform4(-8i64..40),
            fine in prop::array::uniform4(-1i64..2),
            scale in prop::sample::select(vec![64i64, 128]),
            width in 1i64..5,
        ) {
            let place = |i: usize| coarse[i] * scale + fine[i];
            let (from, to) = ([place(0), place(1)], [place(2), place(3)]);
            prop_assert_eq!(pixels(from, to, width, EVERYWHERE), word_for_word::pixels(from, to, width));
        }

        #[test]
        fn random_lines_have_the_pixels_that_the_rule_names(
            places in prop::array::uniform4(-1000i64..5000),
            width in 1i64..4,
        ) {
            let [a, b, c, d] = places;
            prop_assert_eq!(pixels([a, b], [c, d], width, EVERYWHERE), word_for_word::pixels([a, b], [c, d], width));
        }

        /// A strip that goes on in one direction has no pixel twice, and no gap.
        #[test]
        fn strips_have_no_pixel_twice(steps in prop::collection::vec((1i64..900, -900i64..900), 6), falls in any::<bool>()) {
            let mut place = [3i64, 2000];
            let mut found = Vec::new();
            for (du, dv) in steps {
                // x-major all along, in one direction.
                let dv = dv.clamp(-du, du);
                let dv = if (0..4096).contains(&(place[1] + dv)) { dv } else { -dv };
                let next = [place[0] + du, place[1] + dv];
                found.extend(if falls { pixels(next, place, 1, EVERYWHERE) } else { pixels(place, next, 1, EVERYWHERE) });
                place = next;
            }
            let mut columns: Vec<_> = found.iter().map(|&(x, _)| x).collect();
            columns.sort_unstable();
            prop_assert!(columns.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{:?}", columns);
        }

        /// What a viewport cuts off a line of one pixel is what lies outside.
        #[test]
        fn a_viewport_cuts_thin_lines_like_a_scissor(
            places in prop::array::uniform4(-1000i64..5000),
            [x0, y0, x1, y1] in prop::array::uniform4(-2i32..18),
        ) {
            let [a, b, c, d] = places;
            let viewport = PixelBox { x0, y0, x1, y1 };
            let mut whole = pixels([a, b], [c, d], 1, EVERYWHERE);
            whole.retain(|&(x, y)| viewport.holds(x, y));
            prop_assert_eq!(pixels([a, b], [c, d], 1, viewport), whole);
        }
    }
}
