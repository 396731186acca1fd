//! Node transforms: 4 × 4 matrices in f64, so that a deep chain of nodes rounds once, at its end.
//!
//! Before: the nodes of a document. After: `document` moves meshes. Only + − × ÷ and `sqrt`: the same bits on every host.

use raster::Topology;

use crate::load::model::Mesh;

/// An affine map: columns, as glTF stores them.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Transform {
    columns: [[f64; 4]; 4],
}

impl Transform {
    pub(super) const IDENTITY: Self =
        Self { columns: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]] };

    /// From 16 numbers, column by column.
    pub(super) fn from_columns(numbers: [f32; 16]) -> Self {
        Self { columns: std::array::from_fn(|column| std::array::from_fn(|row| f64::from(numbers[column * 4 + row]))) }
    }

    /// Scale, then rotation by a quaternion (x, y, z, w), then translation.
    pub(super) fn from_parts(translation: [f32; 3], rotation: [f32; 4], scale: [f32; 3]) -> Self {
        let quaternion = rotation.map(f64::from);
        let length = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
        let [x, y, z, w] = if length > 0.0 { quaternion.map(|part| part / length) } else { [0.0, 0.0, 0.0, 1.0] };
        let rotated = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let [tx, ty, tz] = translation.map(f64::from);
        let scaled = |axis: usize| {
            let [a, b, c] = rotated[axis].map(|part| part * f64::from(scale[axis]));
            [a, b, c, 0.0]
        };
        Self { columns: [scaled(0), scaled(1), scaled(2), [tx, ty, tz, 1.0]] }
    }

    /// First `inner`, then this one.
    pub(super) fn of(&self, inner: &Self) -> Self {
        let row_of = |column: &[f64; 4], row: usize| (0..4).map(|k| self.columns[k][row] * column[k]).sum();
        Self { columns: std::array::from_fn(|column| std::array::from_fn(|row| row_of(&inner.columns[column], row))) }
    }

    /// Positive keeps the winding of triangles, negative turns it over.
    pub(super) fn determinant(&self) -> f64 {
        let cofactors = self.cofactors();
        (0..3).map(|row| self.columns[0][row] * cofactors[0][row]).sum()
    }

    /// The matrix of 2 × 2 determinants of the linear part: the inverse transposed, times the determinant.
    fn cofactors(&self) -> [[f64; 3]; 3] {
        let m = &self.columns;
        std::array::from_fn(|column| {
            let (c1, c2) = ((column + 1) % 3, (column + 2) % 3);
            std::array::from_fn(|row| {
                let (r1, r2) = ((row + 1) % 3, (row + 2) % 3);
                m[c1][r1] * m[c2][r2] - m[c1][r2] * m[c2][r1]
            })
        })
    }

    /// Moves a mesh. Normals go by the inverse transposed; a map that mirrors also turns the triangles over, so that outside
    /// stays outside (glTF 2.0, section 3.7.4 "Instantiation"). Normals are left with any length.
    pub(super) fn apply(&self, mesh: &mut Mesh) {
        let cofactors = self.cofactors();
        let sign = if self.determinant() < 0.0 { -1.0 } else { 1.0 };
        for position in &mut mesh.positions {
            let wide = position.map(f64::from);
            *position = std::array::from_fn(|row| {
                let linear: f64 = (0..3).map(|k| self.columns[k][row] * wide[k]).sum();
                (linear + self.columns[3][row]) as f32
            });
        }
        for normal in &mut mesh.normals {
            let wide = normal.map(f64::from);
            let moved: [f64; 3] =
                std::array::from_fn(|row| sign * (0..3).map(|k| cofactors[k][row] * wide[k]).sum::<f64>());
            // The cofactors of a large or small scale would leave the range of f32.
            let largest = moved.iter().fold(0.0f64, |largest, part| largest.max(part.abs()));
            *normal = moved.map(|part| if largest > 0.0 { (part / largest) as f32 } else { 0.0 });
        }
        if sign < 0.0 && mesh.topology == Topology::TriangleList {
            for corners in mesh.indices.chunks_exact_mut(3) {
                corners.swap(1, 2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let half = 0.5f32.sqrt();
        let turn = Transform::from_parts([1.0, 2.0, 3.0], [0.0, 0.0, half, half], [2.0, 1.0, 1.0]);
        let mut mesh = Mesh { positions: vec![[1.0, 0.0, 0.0]], normals: vec![[1.0, 0.0, 0.0]], ..Mesh::default() };
        turn.apply(&mut mesh);
        assert_eq!(mesh.positions, [[1.0, 4.0, 3.0]]);
        assert_eq!(mesh.normals[0][1], 1.0);
        assert!((turn.determinant() - 2.0).abs() < 1e-6);
    }

    #[test]
    fn normals_stay_perpendicular_under_uneven_scale() {
        let squash = Transform::from_parts([0.0; 3], [0.0, 0.0, 0.0, 1.0], [1.0, 4.0, 1.0]);
        // A plane through (1, 0) and (0, 1) with normal (1, 1): after the scale its direction is (-1, 4).
        let mut mesh = Mesh { normals: vec![[1.0, 1.0, 0.0]], ..Mesh::default() };
        squash.apply(&mut mesh);
        let [x, y, _] = mesh.normals[0];
        assert_eq!(-x + 4.0 * y, 0.0);
    }

    #[test]
    fn products_apply_the_inner_one_first() {
        let inner = Transform::from_parts([1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0; 3]);
        let outer = Transform::from_parts([0.0; 3], [0.0, 0.0, 0.0, 1.0], [-2.0, 1.0, 1.0]);
        let mut mesh = Mesh { positions: vec![[1.0, 1.0, 1.0]], indices: vec![0, 1, 2], ..Mesh::default() };
        outer.of(&inner).apply(&mut mesh);
        assert_eq!(mesh.positions, [[-4.0, 1.0, 1.0]]);
        assert_eq!(mesh.indices, [0, 2, 1]);
        assert_eq!(Transform::IDENTITY.of(&outer), outer);
    }
}
