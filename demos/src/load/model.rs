//! A model as plain data: meshes, materials, pictures; and the last checks that every format shares.
//!
//! Before: `obj`, `document`. After: scenes.

use std::path::Path;

use raster::{Sampler, Topology};

use crate::load::error::LoadError;

/// Most vertices of a model, all meshes together.
pub const MAX_VERTICES: u64 = 1 << 23;
/// Most indices of a model, all meshes together.
pub const MAX_INDICES: u64 = 1 << 24;
/// Largest coordinate: the square of it, and sums of such squares, still fit in `f32`.
const MAX_COORDINATE: f64 = 1e15;

/// What a file holds, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// One for each material of each object, transforms applied. Never empty, and never without a primitive.
    pub meshes: Vec<Mesh>,
    /// What meshes refer to.
    pub materials: Vec<Material>,
    /// What materials refer to; RGBA8 whose colours are sRGB, one level, row 0 at the top.
    pub textures: Vec<texture::Image>,
    /// The smallest box round all that is drawn.
    pub bounds: Bounds,
    /// What was left out or replaced, a sentence each.
    pub warnings: Vec<String>,
}

/// Triangles, lines or points of one material. Right-handed space, triangles counter-clockwise seen from outside.
///
/// `positions`, `normals`, `uvs` and `colors` have one entry for each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The object's name in the file.
    pub name: String,
    /// Model space.
    pub positions: Vec<[f32; 3]>,
    /// Length one; computed where the file has none.
    pub normals: Vec<[f32; 3]>,
    /// (0, 0) is the upper left corner of the picture; (0, 0) where the file has none.
    pub uvs: Vec<[f32; 2]>,
    /// Red, green, blue in linear light, alpha; multiplied with the material's; white where the file has none.
    pub colors: Vec<[f32; 4]>,
    /// Three for each triangle, two for each line, one for each point; each below the number of vertices.
    pub indices: Vec<u32>,
    /// A list of triangles, lines or points.
    pub topology: Topology,
    /// Whether normals mean anything: lines and points without normals of their own are shown without light.
    pub has_normals: bool,
    /// Index into [`Model::materials`].
    pub material: usize,
}

/// How a mesh looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The name in the file.
    pub name: String,
    /// Red, green, blue in linear light, alpha.
    pub base_color: [f32; 4],
    /// Index into [`Model::textures`]; its colour is multiplied with `base_color`.
    pub texture: Option<usize>,
    /// How the texture is looked at.
    pub sampler: Sampler,
    /// Whether back faces show.
    pub double_sided: bool,
    /// What alpha means.
    pub alpha: Alpha,
    /// Whether its colour is shown as it is, whatever the light.
    pub is_unlit: bool,
}

/// What the alpha channel of a material means.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub enum Alpha {
    /// Nothing.
    #[default]
    Opaque,
    /// Below this value nothing is drawn.
    Mask(f32),
    /// The share of the colour in the result.
    Blend,
}

impl Default for Material {
    /// White on both formats' terms: no texture, opaque, repeat, trilinear.
    fn default() -> Self {
        Self {
            name: "default".to_owned(),
            base_color: [1.0; 4],
            texture: None,
            sampler: Sampler::TRILINEAR,
            double_sided: false,
            alpha: Alpha::Opaque,
            is_unlit: false,
        }
    }
}

/// An axis-aligned box.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Smallest coordinates.
    pub min: [f32; 3],
    /// Largest coordinates.
    pub max: [f32; 3],
}

impl Bounds {
    /// The middle of the box.
    pub fn center(&self) -> [f32; 3] {
        std::array::from_fn(|axis| self.min[axis] * 0.5 + self.max[axis] * 0.5)
    }

    /// Half the diagonal: every vertex is at most so far from the centre.
    pub fn radius(&self) -> f32 {
        let squares = (0..3).map(|axis| (self.max[axis] - self.min[axis]) * (self.max[axis] - self.min[axis]));
        squares.sum::<f32>().sqrt() * 0.5
    }
}

impl Mesh {
    /// Triangles of the list; none if it holds lines or points.
    pub fn triangle_count(&self) -> usize {
        if self.topology == Topology::TriangleList { self.indices.len() / 3 } else { 0 }
    }
}

impl Model {
    /// Triangles of all meshes.
    pub fn triangle_count(&self) -> usize {
        self.meshes.iter().map(Mesh::triangle_count).sum()
    }

    /// What is left to do when the format has been read: drop triangles of which two corners coincide, and meshes
    /// without any primitive; measure.
    pub(super) fn finished(mut self, file: &Path) -> Result<Self, LoadError> {
        for mesh in self.meshes.iter_mut().filter(|mesh| mesh.topology == Topology::TriangleList) {
            let with_area = |corners: &&[u32]| {
                let [a, b, c]: [_; 3] = std::array::from_fn(|corner| mesh.positions[corners[corner] as usize]);
                a != b && b != c && c != a
            };
            mesh.indices = mesh.indices.chunks_exact(3).filter(with_area).flatten().copied().collect();
        }
        self.meshes.retain(|mesh| !mesh.indices.is_empty());
        let mut used =
            self.meshes.iter().flat_map(|mesh| mesh.indices.iter().map(|&index| mesh.positions[index as usize]));
        let first = used.next().ok_or_else(|| LoadError::NoTriangles { file: file.to_path_buf() })?;
        self.bounds = used.fold(Bounds { min: first, max: first }, |bounds, position| Bounds {
            min: std::array::from_fn(|axis| bounds.min[axis].min(position[axis])),
            max: std::array::from_fn(|axis| bounds.max[axis].max(position[axis])),
        });
        Ok(self)
    }
}

/// Refuses a position that is not a finite number of a reasonable size.
pub(super) fn check_position(file: &Path, position: [f32; 3], place: impl FnOnce() -> String) -> Result<(), LoadError> {
    match position
        .into_iter()
        .find(|coordinate| !coordinate.is_finite() || f64::from(coordinate.abs()) > MAX_COORDINATE)
    {
        None => Ok(()),
        Some(value) => Err(LoadError::Coordinate {
            file: file.to_path_buf(),
            place: place(),
            value: f64::from(value),
            most: MAX_COORDINATE,
        }),
    }
}

/// Vertices and indices counted over all meshes, so that no file makes them too many.
#[derive(Debug, Default)]
pub(super) struct Budget {
    vertices: u64,
    indices: u64,
}

impl Budget {
    /// Adds a mesh's numbers before memory is taken for it.
    pub(super) fn take(&mut self, file: &Path, place: &str, vertices: u64, indices: u64) -> Result<(), LoadError> {
        self.vertices = self.vertices.saturating_add(vertices);
        self.indices = self.indices.saturating_add(indices);
        let too_many = |what, count, most| LoadError::TooMany {
            file: file.to_path_buf(),
            place: place.to_owned(),
            what,
            count,
            most,
        };
        if self.vertices > MAX_VERTICES {
            return Err(too_many("vertices", self.vertices, MAX_VERTICES));
        }
        if self.indices > MAX_INDICES {
            return Err(too_many("indices", self.indices, MAX_INDICES));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_is_for_all_meshes_together() {
        let mut budget = Budget::default();
        let mut take = |vertices, indices| budget.take(Path::new("a.obj"), "mesh 3", vertices, indices);
        assert!(take(MAX_VERTICES - 1, MAX_INDICES - 3).is_ok());
        assert!(take(1, 3).is_ok());
        let error = take(1, 0).expect_err("one vertex too many");
        assert_eq!(error.to_string(), "`a.obj`, mesh 3: 8388609 vertices, at most 8388608 are loaded");
        let mut budget = Budget::default();
        let error = budget.take(Path::new("a.obj"), "mesh 3", 0, u64::MAX).expect_err("very many indices");
        assert!(matches!(error, LoadError::TooMany { what: "indices", .. }));
    }

    #[test]
    fn bounds_know_their_sphere() {
        let bounds = Bounds { min: [-1.0, 0.0, 2.0], max: [2.0, 4.0, 2.0] };
        assert_eq!((bounds.center(), bounds.radius()), ([0.5, 2.0, 2.0], 2.5));
    }
}
