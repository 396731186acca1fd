//! Shadow volumes: the space that a closed mesh keeps the light from, as a mesh.
//!
//! Before: a scene's meshes, and where its light is. After: the stencil counts how often each view ray enters and leaves.
//! Sources: F. Crow, "Shadow Algorithms for Computer Graphics", SIGGRAPH 1977; with both ends closed, so that it may be counted
//! from behind: C. Everitt and M. Kilgard, "Practical and Robust Stenciled Shadow Volumes", 2002.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::shapes::Shape;

/// A closed mesh whose triangles know their neighbours.
#[derive(Clone, Debug)]
pub struct Caster {
    /// Different places of corners.
    points: Vec<Vec3>,
    /// Three points a triangle, counter-clockwise from outside.
    triangles: Vec<[usize; 3]>,
    /// The triangles on the two sides of each edge, and the edge as the first of them goes round it.
    edges: Vec<([usize; 2], [usize; 2])>,
}

impl Caster {
    /// Joins the corners of a closed shape that lie at the same place.
    ///
    /// # Panics
    /// If an edge has not two triangles that go round it in opposite directions.
    pub fn new(shape: &Shape) -> Self {
        let mut known = BTreeMap::new();
        let mut points = Vec::new();
        let point_of: Vec<usize> = shape
            .corners
            .iter()
            .map(|corner| {
                // Seams of shapes made with sines meet to within a rounding.
                let key = (corner.position * 4096.0).round().to_array().map(|part| part as i32);
                *known.entry(key).or_insert_with(|| {
                    points.push(corner.position);
                    points.len() - 1
                })
            })
            .collect();
        let corners =
            shape.indices.chunks_exact(3).map(|corners| [0, 1, 2].map(|at: usize| point_of[corners[at] as usize]));
        // Poles of spheres have triangles without an area.
        let triangles: Vec<_> = corners.filter(|[a, b, c]| a != b && b != c && c != a).collect();
        let mut half_edges: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        for (triangle, corners) in triangles.iter().enumerate() {
            for side in 0..3 {
                let before = half_edges.insert([corners[side], corners[(side + 1) % 3]], triangle);
                assert!(before.is_none(), "an edge has one triangle on each side");
            }
        }
        let edges = half_edges.iter().filter(|([a, b], _)| a < b).map(|(&[a, b], &left)| {
            let right = *half_edges.get(&[b, a]).expect("the mesh is closed");
            ([a, b], [left, right])
        });
        Self { edges: edges.collect(), points, triangles }
    }

    /// The triangles of the volume behind the mesh, three points each, counter-clockwise from outside. `light` is in the mesh's
    /// own space, and the volume ends `reach` from it.
    pub fn volume(&self, light: Vec3, reach: f32) -> Vec<Vec3> {
        let far = |point: Vec3| light + (point - light).normalize() * reach;
        let is_lit: Vec<bool> = self
            .triangles
            .iter()
            .map(|triangle| {
                let [a, b, c] = triangle.map(|point| self.points[point]);
                (b - a).cross(c - a).dot(light - a) > 0.0
            })
            .collect();
        let mut volume = Vec::new();
        for (triangle, _) in self.triangles.iter().zip(&is_lit).filter(|(_, lit)| **lit) {
            let [a, b, c] = triangle.map(|point| self.points[point]);
            volume.extend([a, b, c, far(c), far(b), far(a)]);
        }
        for &([from, to], [left, right]) in &self.edges {
            // Along the rim of the lit side, as its triangles go round it.
            let [from, to] = match (is_lit[left], is_lit[right]) {
                (true, false) => [from, to],
                (false, true) => [to, from],
                _ => continue,
            };
            let (a, b) = (self.points[from], self.points[to]);
            volume.extend([a, far(a), far(b), a, far(b), b]);
        }
        volume
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat4, Vec2};

    fn size(triangles: &[Vec3]) -> f32 {
        triangles.chunks_exact(3).map(|t| t[0].dot(t[1].cross(t[2])) / 6.0).sum()
    }

    #[test]
    fn the_volume_of_a_cube_is_closed_and_reaches_away_from_the_light() {
        let light = Vec3::new(0.3, 9.0, 0.2);
        let volume = Caster::new(&Shape::cube()).volume(light, 30.0);
        // Closed: every edge is gone along as often in one direction as in the other.
        let mut edges: BTreeMap<[[u32; 3]; 2], i32> = BTreeMap::new();
        for triangle in volume.chunks_exact(3) {
            for side in 0..3 {
                let [a, b] = [triangle[side], triangle[(side + 1) % 3]]
                    .map(|point| (point + Vec3::ZERO).to_array().map(f32::to_bits));
                *edges.entry(if a < b { [a, b] } else { [b, a] }).or_default() += if a < b { 1 } else { -1 };
            }
        }
        assert!(edges.values().all(|&sum| sum == 0));
        // Inside out it would be negative; it holds the cube.
        assert!(size(&volume) > 8.0, "{}", size(&volume));
        assert!(volume.iter().all(|point| point.y <= 1.0));
    }

    #[test]
    fn shapes_made_with_sines_are_closed() {
        Caster::new(&Shape::sphere(12, 8));
        Caster::new(&Shape::torus_knot(0.3, 96, 9, Vec2::ONE));
        Caster::new(&Shape::cube().moved(Mat4::from_rotation_x(0.7)));
    }
}
