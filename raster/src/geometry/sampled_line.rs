//! Lines with several samples a pixel: the samples in a parallelogram.
//!
//! Before: `line`. After: `bin`, or the reference.
//! Vulkan, "Basic Line Segment Rasterization" (`strictLines` false): the line moved by half its width both ways along its
//! minor axis; the ends run along that axis. The width is exact, in steps of 1/128 pixel. Of the four sides two belong to the
//! line, so strips that go on in one direction have no sample of a joint twice.
//! Where a line's centre leaves the viewport it ends; what its width adds may reach out.

use super::extent::{Extent, PlaceBox, STEPS};
use super::line::Line;
use super::pixel_box::PixelBox;
use super::viewport::SUBPIXEL_BITS;

/// Steps of 1/512 pixel in one of 1/256.
const FINE: i64 = STEPS as i64 >> SUBPIXEL_BITS;

/// A line and its width.
#[derive(Copy, Clone, Debug)]
pub struct Band {
    line: Line,
    /// Steps of 1/256 pixel.
    pub half_width: i64,
}

impl Band {
    /// A line of so many pixels' width, above 0.
    pub fn new(line: Line, width: f32) -> Self {
        let half_pixel = (1 << (SUBPIXEL_BITS - 1)) as f32;
        Self { line, half_width: ((width * half_pixel).round_ties_even() as i64).max(1) }
    }

    /// Where it lies along the major axis, from and to, in steps of 1/512 pixel.
    fn length(&self) -> [i64; 2] {
        let (from, to) = (self.line.from[0], self.line.to[0]);
        [from.min(to) * FINE, from.max(to) * FINE]
    }

    /// The columns of pixels that it touches, from and to.
    pub fn columns(&self) -> [i64; 2] {
        let [from, to] = self.length();
        columns_of([from, to])
    }

    /// What of its length has its centre in these rows of pixels.
    fn length_in_rows(&self, rows: [i64; 2]) -> [i64; 2] {
        let [from, to] = self.length();
        let [du, dv] = self.line.ascent();
        // Where the centre is at the upper edge of a row, times dv.
        let crossing = |row: i64| FINE * (self.line.from[0] * dv + ((row << SUBPIXEL_BITS) - self.line.from[1]) * du);
        // The first place at or past a crossing, and the first past it.
        let at = |row: i64| crossing(row).div_euclid(dv) + i64::from(crossing(row).rem_euclid(dv) != 0);
        let past = |row: i64| (-crossing(row)).div_euclid(-dv) + 1;
        let [first, end] = match dv {
            0 if (rows[0]..rows[1]).contains(&(self.line.from[1] >> SUBPIXEL_BITS)) => [from, to],
            0 => [to, to],
            1.. => [at(rows[0]), at(rows[1])],
            _ => [past(rows[1]), past(rows[0])],
        };
        [from.max(first), to.min(end)]
    }

    /// The pixels that it may touch and the places in them between its ends; `None` if there are none.
    pub fn bounds(&self, viewport: &PixelBox, drawn: &PixelBox) -> Option<(PixelBox, Extent)> {
        let [viewport_columns, viewport_rows] = self.line.along(viewport);
        let [from, to] = self.length_in_rows(viewport_rows);
        let from = from.max(viewport_columns[0] * i64::from(STEPS));
        let to = to.min(viewport_columns[1] * i64::from(STEPS));
        if from >= to {
            return None;
        }
        let [a, b] = [self.line.from[1], self.line.to[1]];
        let rows = [a.min(b) - self.half_width, a.max(b) + self.half_width];
        let (u, v) = (columns_of([from, to]), [rows[0] >> SUBPIXEL_BITS, (rows[1] >> SUBPIXEL_BITS) + 1]);
        let (x, y) = if self.line.is_x_major { (u, v) } else { (v, u) };
        let pixel = |place: i64| i32::try_from(place).expect("lines lie in the guard band");
        let bounds = PixelBox { x0: pixel(x[0]), y0: pixel(y[0]), x1: pixel(x[1]), y1: pixel(y[1]) }.and(drawn);
        // Across, the band's edges decide.
        let across = [v[0], v[1]].map(|row| row * i64::from(STEPS));
        let [first, end] = if self.line.is_x_major {
            [[from, across[0]], [to, across[1]]]
        } else {
            [[across[0], from], [across[1], to]]
        };
        let size = [end[0] - first[0], end[1] - first[1]].map(pixel);
        Some((bounds, Extent::Places(PlaceBox { first: first.map(pixel), size })))
    }
}

/// The columns of pixels that hold places from `from` up to, not including, `to`.
fn columns_of([from, to]: [i64; 2]) -> [i64; 2] {
    let steps = i64::from(STEPS);
    [from.div_euclid(steps), (to - 1).div_euclid(steps) + 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Samples;
    use proptest::prelude::*;

    const SIDE: i32 = 12;
    const ALL: PixelBox = PixelBox { x0: 0, y0: 0, x1: SIDE, y1: SIDE };
    const EVERYWHERE: PixelBox = PixelBox { x0: -1000, y0: -1000, x1: 1000, y1: 1000 };

    /// Samples of a line between places in steps of 1/256 pixel: (x, y) in sixteenths of a pixel, row by row.
    fn samples(from: [i64; 2], to: [i64; 2], width: f32, viewport: &PixelBox) -> Vec<[i32; 2]> {
        let Some(line) = Line::new(from, to, 1) else { return Vec::new() };
        let band = Band::new(line, width);
        let Some((bounds, extent)) = band.bounds(viewport, &ALL) else { return Vec::new() };
        let edges = line.edges(band.half_width);
        let mut found = Vec::new();
        for (y, x) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (y, x))).filter(|&(y, x)| bounds.holds(x, y)) {
            for &place in Samples::Four.places() {
                let is_between =
                    |edge: &crate::geometry::setup::Edge| edge.at(x, y) + i64::from(edge.to_place(place)) >= 0;
                if edges.iter().all(is_between) && extent.covers([x, y], place) {
                    found.push([16 * x + place[0], 16 * y + place[1]]);
                }
            }
        }
        found
    }

    #[test]
    fn a_line_takes_the_samples_in_its_parallelogram() {
        // From x = 2.25 to 4 along y = 5, one pixel wide: y from 4.5 to 5.5. Samples: (6, 2) (14, 6) (2, 10) (10, 14).
        let found = samples([576, 1280], [1024, 1280], 1.0, &EVERYWHERE);
        // Row 4: the lower samples (2, 10), (10, 14) of pixels 2 and 3, of pixel 2 only the one right of 4/16.
        let expected = [[42, 78], [50, 74], [58, 78], [38, 82], [46, 86], [54, 82], [62, 86]];
        assert_eq!(found, expected);
        // Upwards it is the mirror image along the other axis: x from 4.5 to 5.5, y from 2 to 3.
        let found = samples([1280, 768], [1280, 512], 1.0, &EVERYWHERE);
        assert_eq!(found, [[78, 38], [74, 46], [86, 34], [82, 42]]);
    }

    #[test]
    fn half_a_pixel_is_a_width() {
        // y from 4.75 to 5.25: the sample at 14/16 of row 4 and that at 2/16 of row 5.
        assert_eq!(samples([512, 1280], [768, 1280], 0.5, &EVERYWHERE), [[42, 78], [38, 82]]);
    }

    #[test]
    fn a_sampled_line_ends_where_its_centre_leaves_the_viewport() {
        let viewport = PixelBox { x0: 0, y0: 4, x1: 12, y1: 6 };
        for (from, to) in [([0, 0], [3072, 3072]), ([3072, 3072], [0, 0])] {
            let found = samples(from, to, 2.0, &viewport);
            assert!(found.iter().all(|[x, _]| (64..96).contains(x)), "{found:?}");
            assert_eq!(found.len(), 16, "two columns, two pixels of four samples each");
        }
        // Falling: at x the centre is at 12 − x, so rows 4 and 5 are columns 6 and 7.
        let found = samples([0, 3072], [3072, 0], 2.0, &viewport);
        assert!(found.iter().all(|[x, _]| (96..128).contains(x)), "{found:?}");
        assert_eq!(found.len(), 16);
        assert!(samples([0, 2048], [3072, 2048], 2.0, &viewport).is_empty());
    }

    proptest! {
        #![proptest_config(crate::seeded::seeded(400))]

        /// The rule in exact fractions; samples on a long side may be on either side.
        #[test]
        fn random_lines_take_the_samples_that_the_rule_names(
            places in prop::array::uniform4(-1000i64..4000),
            half_width in 1i64..600,
        ) {
            let [a, b, c, d] = places;
            prop_assume!((a, b) != (c, d));
            let found = samples([a, b], [c, d], half_width as f32 / 128.0, &EVERYWHERE);
            let is_x_major = (c - a).abs() >= (d - b).abs();
            let along = |[x, y]: [i64; 2]| if is_x_major { [x, y] } else { [y, x] };
            let ([u0, v0], [u1, v1]) = (along([a, b]), along([c, d]));
            for y in 0..SIDE {
                for x in 0..SIDE {
                    for place in Samples::Four.places() {
                        let sample = [16 * x + place[0], 16 * y + place[1]];
                        let [u, v] = along(sample.map(|sixteenths| 16 * i64::from(sixteenths)));
                        let is_between = u0.min(u1) <= u && u < u0.max(u1);
                        // |v − v(u)| against half the width, times the length.
                        let apart = ((v - v0) * (u1 - u0) - (u - u0) * (v1 - v0)).abs();
                        let most = half_width * (u1 - u0).abs();
                        if !is_between || apart != most {
                            prop_assert_eq!(found.contains(&sample), is_between && apart < most, "{:?}", sample);
                        }
                    }
                }
            }
        }

        /// A strip that goes on in one direction has each sample at most once.
        #[test]
        fn joints_have_no_sample_twice(steps in prop::collection::vec((1i64..700, -700i64..700), 5), reversed in any::<bool>()) {
            let mut place = [3i64, 1500];
            let mut found = Vec::new();
            for (du, dv) in steps {
                let dv = dv.clamp(-du, du);
                let next = [place[0] + du, place[1] + dv];
                let (from, to) = if reversed { (next, place) } else { (place, next) };
                found.extend(samples(from, to, 1.0, &EVERYWHERE));
                place = next;
            }
            let count = found.len();
            found.sort_unstable();
            found.dedup();
            prop_assert_eq!(found.len(), count);
        }
    }
}
