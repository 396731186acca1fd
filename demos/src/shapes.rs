//! Meshes made in code: plane, card, cube, sphere, cone, torus knot.
//!
//! Counter-clockwise triangles seen from outside, y up. Angles go through glam (libm inside), so the vertices have the
//! same bits on every host.

use std::f32::consts::TAU;

use glam::{Mat3, Mat4, Vec2, Vec3};

/// One corner of a mesh.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Corner {
    /// Object space.
    pub position: Vec3,
    /// Length one, pointing outside.
    pub normal: Vec3,
    /// Texture coordinate; (0, 0) is the upper left corner of the picture.
    pub uv: Vec2,
}

/// Corners and a triangle list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// The corners.
    pub corners: Vec<Corner>,
    /// Three indices a triangle.
    pub indices: Vec<u32>,
}

impl Shape {
    /// A grid of `columns` x `rows` quads over the unit square of (s, t); `corner` places each grid point.
    fn grid(columns: u32, rows: u32, corner: impl Fn(f32, f32) -> Corner) -> Self {
        let mut shape = Self::default();
        for row in 0..=rows {
            for column in 0..=columns {
                shape.corners.push(corner(column as f32 / columns as f32, row as f32 / rows as f32));
            }
        }
        let pitch = columns + 1;
        for row in 0..rows {
            for column in 0..columns {
                let a = row * pitch + column;
                // Seen from outside, s runs right and t runs down.
                shape.indices.extend([a, a + pitch, a + 1, a + 1, a + pitch, a + pitch + 1]);
            }
        }
        shape
    }

    /// A square in the plane y = 0 with sides of `size`, the texture repeated `repeats` times along each.
    pub fn plane(size: f32, quads: u32, repeats: f32) -> Self {
        Self::grid(quads, quads, |s, t| Corner {
            position: Vec3::new((s - 0.5) * size, 0.0, (t - 0.5) * size),
            normal: Vec3::Y,
            uv: Vec2::new(s, t) * repeats,
        })
    }

    /// A cube with edges of length two round the origin, the whole texture on each side.
    pub fn cube() -> Self {
        let mut cube = Self::default();
        // Each side by its outward normal and its right direction seen from outside.
        let sides = [
            (Vec3::Z, Vec3::X),
            (Vec3::NEG_Z, Vec3::NEG_X),
            (Vec3::X, Vec3::NEG_Z),
            (Vec3::NEG_X, Vec3::Z),
            (Vec3::Y, Vec3::X),
            (Vec3::NEG_Y, Vec3::X),
        ];
        for (normal, right) in sides {
            let up = normal.cross(right);
            let side = Self::grid(1, 1, |s, t| Corner {
                position: normal + right * (s * 2.0 - 1.0) + up * (1.0 - t * 2.0),
                normal,
                uv: Vec2::new(s, t),
            });
            cube.append(&side);
        }
        cube
    }

    /// A sphere of radius one: `columns` round the equator, `rows` from pole to pole.
    pub fn sphere(columns: u32, rows: u32) -> Self {
        Self::grid(columns, rows, |s, t| {
            let (around, down) = (Vec2::from_angle(s * TAU), Vec2::from_angle(t * TAU * 0.5));
            let normal = Vec3::new(down.y * around.x, down.x, -down.y * around.y);
            Corner { position: normal, normal, uv: Vec2::new(s, t) }
        })
    }

    /// The side of a cone round the y axis, from radius `low` at y = 0 to radius `high` at y = 1.
    pub fn cone(columns: u32, low: f32, high: f32) -> Self {
        Self::grid(columns, 1, |s, t| {
            let around = Vec2::from_angle(-s * TAU);
            let radius = high + (low - high) * t;
            let normal = Vec3::new(around.x, low - high, around.y).normalize();
            Corner { position: Vec3::new(around.x * radius, 1.0 - t, around.y * radius), normal, uv: Vec2::new(s, t) }
        })
    }

    /// A square in the plane z = 0 with corners at ±1, that looks along z.
    pub fn card() -> Self {
        Self::grid(1, 1, |s, t| Corner {
            position: Vec3::new(s * 2.0 - 1.0, 1.0 - t * 2.0, 0.0),
            normal: Vec3::Z,
            uv: Vec2::new(s, t),
        })
    }

    /// The same shape moved: normals turn with it and stay one long.
    pub fn moved(mut self, by: Mat4) -> Self {
        let turn = Mat3::from_mat4(by).inverse().transpose();
        for corner in &mut self.corners {
            corner.position = by.transform_point3(corner.position);
            corner.normal = (turn * corner.normal).normalize();
        }
        self
    }

    /// A tube of radius `tube` along the (2, 3) torus knot, which passes in front of itself from every side.
    pub fn torus_knot(tube: f32, along: u32, around: u32, repeats: Vec2) -> Self {
        let path = |s: f32| {
            let (two, three) = (Vec2::from_angle(s * TAU * 2.0), Vec2::from_angle(s * TAU * 3.0));
            let radius = 2.0 + three.x;
            Vec3::new(radius * two.x, three.y, radius * two.y) * 0.5
        };
        Self::grid(around, along, |s, t| {
            let (here, ahead) = (path(t), path(t + 1.0 / 1024.0));
            let forward = (ahead - here).normalize();
            // Away from the axis of the torus: never parallel to the path.
            let side = forward.cross(Vec3::new(here.x, 0.0, here.z).normalize()).normalize();
            let out = side.cross(forward);
            let turn = Vec2::from_angle(s * TAU);
            let normal = out * turn.x - side * turn.y;
            Corner { position: here + normal * tube, normal, uv: Vec2::new(s, t) * repeats }
        })
    }

    /// Adds the corners and triangles of `other`.
    pub fn append(&mut self, other: &Self) {
        let first = self.corners.len() as u32;
        self.corners.extend_from_slice(&other.corners);
        self.indices.extend(other.indices.iter().map(|index| index + first));
    }
}

/// A rectangle from its upper left corner along its two sides, as seen from its front, the texture repeated along them.
pub fn quad(corner: Vec3, right: Vec3, down: Vec3, repeats: [f32; 2]) -> Shape {
    let normal = down.cross(right).normalize();
    Shape::grid(1, 1, |s, t| Corner {
        position: corner + right * s + down * t,
        normal,
        uv: Vec2::new(s * repeats[0], t * repeats[1]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_outward(shape: &Shape) {
        for triangle in shape.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| shape.corners[triangle[corner] as usize]);
            let face = (b.position - a.position).cross(c.position - a.position);
            if face.length() < 1e-6 {
                continue; // The rows of a sphere that touch its poles.
            }
            assert!(
                face.dot(a.normal + b.normal + c.normal) > 0.0,
                "counter-clockwise from outside: {a:?} {b:?} {c:?}"
            );
        }
        for corner in &shape.corners {
            assert!((corner.normal.length() - 1.0).abs() < 1e-4, "{corner:?}");
        }
    }

    #[test]
    fn triangles_face_outward_and_normals_have_length_one() {
        check_outward(&Shape::plane(4.0, 2, 1.0));
        check_outward(&Shape::cube());
        check_outward(&quad(Vec3::ONE, Vec3::new(0.0, 0.0, 3.0), Vec3::NEG_Y, [2.0, 1.0]));
        check_outward(&Shape::sphere(12, 8));
        check_outward(&Shape::cone(9, 1.0, 0.5));
        check_outward(&Shape::card().moved(Mat4::from_rotation_x(1.0) * Mat4::from_scale(Vec3::new(2.0, 1.0, 3.0))));
        check_outward(&Shape::torus_knot(0.2, 96, 12, Vec2::ONE));
    }

    #[test]
    fn a_cube_has_twelve_triangles_of_area_two() {
        let cube = Shape::cube();
        assert_eq!((cube.corners.len(), cube.indices.len()), (24, 36));
        for triangle in cube.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| cube.corners[triangle[corner] as usize].position);
            assert_eq!((b - a).cross(c - a).length(), 4.0);
        }
    }
}
