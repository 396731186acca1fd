//! Clipping: what lies outside the clip volume is cut off, in homogeneous coordinates, attributes too.
//!
//! Before: `vertex`. After: `viewport`, which divides by w.
//! Depth is cut exactly (0 ≤ z ≤ w, WebGPU's volume). Left, right, top and bottom are left to the pixels of the viewport
//! (`viewport::Screen`); only what reaches past the guard band, ±2^14 pixels, is cut there, so that edge functions stay
//! within their integers. A point is drawn as a whole if its centre lies in the volume, and else not at all (Vulkan,
//! "Primitive Clipping").
//!
//! Two triangles that share an edge must cut it at the same point, to the last bit. They do, because a cut is always
//! computed from the end inside to the end outside, whichever way a triangle runs along the edge.

use super::viewport::Screen;
use crate::dynamic::Dynamic;
use crate::vertex::LOCATIONS;

/// Scalars a clipped vertex can carry.
pub const SCALARS: usize = LOCATIONS * 4;

/// The guard band: no coordinate of a triangle is farther than this from the target's origin, in pixels.
pub const GUARD_BAND_PIXELS: f64 = 16384.0;

/// The smallest w that is divided by. It only keeps w above zero: 2^-60 is nearer than any lens.
const SMALLEST_W: f64 = 1.0 / (1u64 << 60) as f64;

/// A vertex in clip space with the scalars its shader interpolates.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ClipVertex {
    /// x, y, z, w.
    pub position: [f64; 4],
    /// As many as the draw uses; the rest is zero.
    pub scalars: [f64; SCALARS],
}

impl ClipVertex {
    /// A vertex with these scalars.
    pub fn new(position: [f64; 4], scalars: &[f32]) -> Self {
        let mut vertex = Self { position, scalars: [0.0; SCALARS] };
        for (kept, &scalar) in vertex.scalars.iter_mut().zip(scalars) {
            *kept = scalar.into();
        }
        vertex
    }
}

/// The half spaces a triangle is clipped against, for one size of target.
#[derive(Copy, Clone, Debug)]
pub struct ClipVolume {
    /// From how many to how many times w x and y may reach: the guard band seen from clip space.
    guard: [[f64; 2]; 2],
}

/// Half spaces of a clip volume.
const HALF_SPACES: usize = 7;

/// Corners of a triangle cut by every half space: each adds at most one.
const MOST_CORNERS: usize = 3 + HALF_SPACES;

impl ClipVolume {
    /// The clip volume for a screen.
    pub fn of(screen: &Screen) -> Self {
        Self { guard: screen.guard() }
    }

    /// The clip volume for a target of this size, seen as a whole.
    pub fn for_target(width: u32, height: u32) -> Self {
        Self::of(&Screen::new(&Dynamic::DEFAULT, (width, height)))
    }

    /// How far inside each half space a position is; negative is outside.
    fn distances(&self, [x, y, z, w]: [f64; 4]) -> [f64; HALF_SPACES] {
        let [[left, right], [bottom, top]] = self.guard;
        [w - SMALLEST_W, z, w - z, x - w * left, w * right - x, y - w * bottom, w * top - y]
    }

    /// Whether a point is drawn: its centre lies in the clip volume and in the guard band.
    pub fn holds_point(&self, position: [f64; 4]) -> bool {
        let [x, y, _, w] = position;
        x.abs() <= w && y.abs() <= w && self.holds_vertex(position)
    }

    /// Whether a vertex is finite and lies inside all half spaces: a primitive of such vertices needs no cut.
    pub fn holds_vertex(&self, position: [f64; 4]) -> bool {
        position.iter().all(|coordinate| coordinate.is_finite())
            && self.distances(position).iter().all(|&distance| distance >= 0.0)
    }

    /// Whether the triangle lies outside one half space as a whole, so that nothing of it is left.
    pub fn is_hidden(&self, positions: &[[f64; 4]; 3]) -> bool {
        let distances = positions.map(|position| self.distances(position));
        (0..HALF_SPACES).any(|half_space| distances.iter().all(|distance| distance[half_space] < 0.0))
    }

    /// Cuts a triangle; the corners of what is left go to `polygon`, in the triangle's order, none if nothing is left.
    ///
    /// Only the first `scalars` scalars of each vertex are used.
    pub fn clip(&self, triangle: &[ClipVertex; 3], scalars: usize, polygon: &mut Vec<ClipVertex>) {
        polygon.clear();
        polygon.extend(triangle);
        let mut cut = Vec::with_capacity(MOST_CORNERS);
        for half_space in 0..HALF_SPACES {
            // Most half spaces hold all of a triangle, and a vertex is long.
            if polygon.iter().all(|corner| self.distances(corner.position)[half_space] >= 0.0) {
                continue;
            }
            cut.clear();
            for (corner, from) in polygon.iter().enumerate() {
                let to = &polygon[(corner + 1) % polygon.len()];
                let from_distance = self.distances(from.position)[half_space];
                let to_distance = self.distances(to.position)[half_space];
                if from_distance >= 0.0 {
                    cut.push(*from);
                }
                if from_distance >= 0.0 && to_distance < 0.0 {
                    cut.push(between(from, to, from_distance / (from_distance - to_distance), scalars));
                } else if from_distance < 0.0 && to_distance >= 0.0 {
                    cut.push(between(to, from, to_distance / (to_distance - from_distance), scalars));
                }
            }
            std::mem::swap(polygon, &mut cut);
            if polygon.is_empty() {
                return;
            }
        }
    }
}

impl ClipVolume {
    /// Cuts a line; `None` if nothing is left. Only the first `scalars` scalars of each end are used.
    pub fn clip_line(&self, line: &[ClipVertex; 2], scalars: usize) -> Option<[ClipVertex; 2]> {
        let [mut from, mut to] = *line;
        for half_space in 0..HALF_SPACES {
            let from_distance = self.distances(from.position)[half_space];
            let to_distance = self.distances(to.position)[half_space];
            match (from_distance >= 0.0, to_distance >= 0.0) {
                (true, true) => {}
                (true, false) => to = between(&from, &to, from_distance / (from_distance - to_distance), scalars),
                (false, true) => from = between(&to, &from, to_distance / (to_distance - from_distance), scalars),
                (false, false) => return None,
            }
        }
        Some([from, to])
    }
}

/// The point `share` of the way from the end inside to the end outside.
fn between(inside: &ClipVertex, outside: &ClipVertex, share: f64, scalars: usize) -> ClipVertex {
    let mut point = *inside;
    for (value, end) in point.position.iter_mut().zip(outside.position) {
        *value += share * (end - *value);
    }
    // Rounding may carry a tiny w past its plane, even below zero.
    point.position[3] = point.position[3].max(SMALLEST_W);
    for (value, end) in point.scalars[..scalars].iter_mut().zip(outside.scalars) {
        *value += share * (end - *value);
    }
    point
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vertex(position: [f64; 4], scalar: f64) -> ClipVertex {
        let mut scalars = [0.0; SCALARS];
        scalars[0] = scalar;
        ClipVertex { position, scalars }
    }

    fn clipped(triangle: [ClipVertex; 3]) -> Vec<ClipVertex> {
        let mut polygon = Vec::new();
        ClipVolume::for_target(64, 64).clip(&triangle, 1, &mut polygon);
        polygon
    }

    /// The corners beyond are halfway along their edges, so the cut is exact.
    #[test]
    fn a_corner_that_reaches_out_by_very_little_is_cut_off() {
        const LITTLE: f64 = 1.0 / 1024.0;
        let corner = |x: f64, z: f64| vertex([x, 0.5 * x * x, z, 1.0], x);
        let near = clipped([corner(0.0, LITTLE), corner(0.5, LITTLE), corner(1.0, -LITTLE)]);
        let depths = |polygon: &[ClipVertex]| polygon.iter().map(|corner| corner.position[2]).collect::<Vec<_>>();
        assert_eq!(depths(&near), [LITTLE, LITTLE, 0.0, 0.0]);
        assert_eq!(near.iter().map(|corner| corner.scalars[0]).collect::<Vec<_>>(), [0.0, 0.5, 0.75, 0.5]);
        let far = clipped([corner(0.0, 1.0 - LITTLE), corner(0.5, 1.0 - LITTLE), corner(1.0, 1.0 + LITTLE)]);
        assert_eq!(depths(&far), [1.0 - LITTLE, 1.0 - LITTLE, 1.0, 1.0]);
    }

    #[test]
    fn what_is_inside_stays_as_it_is() {
        let triangle =
            [vertex([0.0, 0.0, 0.0, 1.0], 1.0), vertex([1.0, 0.0, 1.0, 1.0], 2.0), vertex([0.0, 1.0, 0.5, 1.0], 3.0)];
        let volume = ClipVolume::for_target(64, 64);
        assert!(triangle.iter().all(|corner| volume.holds_vertex(corner.position)));
        assert_eq!(clipped(triangle), triangle);
    }

    #[test]
    fn the_near_plane_cuts_position_and_attribute_at_the_same_share() {
        // From z = 1 to z = −3 the near plane is met after a quarter of the way.
        let polygon = clipped([
            vertex([0.0, 0.0, 1.0, 4.0], 8.0),
            vertex([4.0, 0.0, -3.0, 4.0], 0.0),
            vertex([0.0, 4.0, -3.0, 4.0], 16.0),
        ]);
        assert_eq!(
            polygon,
            [vertex([0.0, 0.0, 1.0, 4.0], 8.0), vertex([1.0, 0.0, 0.0, 4.0], 6.0), vertex([0.0, 1.0, 0.0, 4.0], 10.0)]
        );
    }

    #[test]
    fn behind_the_eye_nothing_is_left() {
        let behind = [
            vertex([0.0, 0.0, -1.0, -1.0], 0.0),
            vertex([1.0, 0.0, -1.0, -2.0], 0.0),
            vertex([0.0, 1.0, -1.0, 0.0], 0.0),
        ];
        assert!(clipped(behind).is_empty());
    }

    #[test]
    fn a_line_is_cut_where_a_triangle_s_edge_is() {
        let volume = ClipVolume::for_target(64, 64);
        let (eye, behind) = (vertex([0.0, 0.0, 1.0, 4.0], 8.0), vertex([4.0, 0.0, -3.0, 4.0], 0.0));
        let cut = vertex([1.0, 0.0, 0.0, 4.0], 6.0);
        assert_eq!(volume.clip_line(&[eye, behind], 1), Some([eye, cut]));
        assert_eq!(volume.clip_line(&[behind, eye], 1), Some([cut, eye]));
        assert_eq!(volume.clip_line(&[behind, behind], 1), None);
    }

    #[test]
    fn a_point_on_the_volume_s_border_is_drawn() {
        let volume = ClipVolume::for_target(64, 64);
        for inside in [[1.0, -1.0, 0.0, 1.0], [-2.0, 2.0, 2.0, 2.0], [0.0, 0.0, 0.5, 1.0]] {
            assert!(volume.holds_point(inside), "{inside:?}");
        }
        for outside in [[1.001, 0.0, 0.5, 1.0], [0.0, 0.0, -0.001, 1.0], [0.0, 0.0, 1.001, 1.0], [0.0; 4]] {
            assert!(!volume.holds_point(outside), "{outside:?}");
        }
    }

    proptest! {
        #![proptest_config(crate::seeded::seeded(500))]

        #[test]
        fn a_shared_edge_is_cut_at_the_same_points_from_both_sides(
            corners in prop::array::uniform4(prop::array::uniform4(-4000.0f32..4000.0)),
        ) {
            let corners = corners.map(|c| vertex(c.map(f64::from), f64::from(c[0])));
            let volume = ClipVolume::for_target(64, 64);
            let (mut left, mut right) = (Vec::new(), Vec::new());
            volume.clip(&[corners[0], corners[1], corners[2]], 1, &mut left);
            volume.clip(&[corners[2], corners[1], corners[3]], 1, &mut right);
            // Every cut of the edge 1–2, made alone, is a corner of both.
            let (mut a, mut b) = (Vec::new(), Vec::new());
            volume.clip(&[corners[1], corners[2], corners[1]], 1, &mut a);
            volume.clip(&[corners[2], corners[1], corners[2]], 1, &mut b);
            let key = |c: &ClipVertex| c.position.map(f64::to_bits);
            for corner in &a {
                prop_assert!(b.iter().any(|other| key(other) == key(corner)));
                prop_assert!(left.iter().any(|other| key(other) == key(corner)));
                prop_assert!(right.iter().any(|other| key(other) == key(corner)));
            }
        }

        #[test]
        fn what_is_left_lies_inside(
            corners in prop::array::uniform3(prop::array::uniform4(-1.0e6f32..1.0e6)),
        ) {
            let volume = ClipVolume::for_target(640, 480);
            let mut polygon = Vec::new();
            volume.clip(&corners.map(|c| vertex(c.map(f64::from), 0.0)), 1, &mut polygon);
            prop_assert!(polygon.len() <= MOST_CORNERS);
            for corner in &polygon {
                let slack = 1e-7 * corner.position.iter().fold(1.0, |sum, c| sum + c.abs());
                prop_assert!(volume.distances(corner.position).iter().all(|&d| d >= -slack), "{corner:?}");
            }
        }
    }
}
