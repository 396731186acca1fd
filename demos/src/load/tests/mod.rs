//! Tests of the loaders as a whole: people's files, damaged files, files nobody would write.

mod damage;
mod gltf_models;
mod obj_models;
mod pictures;

use std::path::PathBuf;

use crate::load::Model;

/// A file of the shared test data, which lies beside the workspace; says so and gives `None` where it is absent.
fn shared_data(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    println!("SKIPPED: the test data `{}` is absent", path.display());
    None
}

/// Every triangle of the model as three points.
fn triangles(model: &Model) -> Vec<[[f32; 3]; 3]> {
    let of_mesh = |mesh: &crate::load::Mesh| {
        let corners = mesh.indices.chunks_exact(3);
        corners
            .map(|corners| std::array::from_fn(|corner| mesh.positions[corners[corner] as usize]))
            .collect::<Vec<_>>()
    };
    model.meshes.iter().flat_map(of_mesh).collect()
}

/// Positive for a closed surface whose triangles are counter-clockwise seen from outside.
fn volume(model: &Model) -> f64 {
    let tetrahedron = |corners: [[f32; 3]; 3]| {
        let [a, b, c] = corners.map(|corner| corner.map(f64::from));
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    triangles(model).into_iter().map(tetrahedron).sum::<f64>() / 6.0
}

/// The law of a loaded model: arrays of equal length, indices and references in range, normals one long, everything finite.
#[track_caller]
fn check_law(model: &Model) {
    assert!(!model.meshes.is_empty());
    for mesh in &model.meshes {
        let count = mesh.positions.len();
        assert_eq!((mesh.normals.len(), mesh.uvs.len(), mesh.colors.len()), (count, count, count));
        let corners = match mesh.topology {
            raster::Topology::PointList => 1,
            raster::Topology::LineList => 2,
            other => {
                assert_eq!(other, raster::Topology::TriangleList);
                3
            }
        };
        assert!(!mesh.indices.is_empty() && mesh.indices.len() % corners == 0);
        assert!(mesh.indices.iter().all(|index| (*index as usize) < count));
        assert!(mesh.material < model.materials.len());
        for normal in &mesh.normals {
            let length = normal.iter().map(|part| part * part).sum::<f32>().sqrt();
            assert!((length - 1.0).abs() < 1e-5, "a normal {normal:?}");
        }
        assert!(mesh.positions.iter().flatten().chain(mesh.uvs.iter().flatten()).all(|number| number.is_finite()));
        assert!(mesh.colors.iter().flatten().all(|number| number.is_finite()));
        for index in &mesh.indices {
            let position = mesh.positions[*index as usize];
            for (axis, coordinate) in position.iter().enumerate() {
                assert!((model.bounds.min[axis]..=model.bounds.max[axis]).contains(coordinate));
            }
        }
    }
    assert!(
        model.materials.iter().filter_map(|material| material.texture).all(|texture| texture < model.textures.len())
    );
    assert!(model.materials.iter().flat_map(|material| material.base_color).all(|part| (0.0..=1.0).contains(&part)));
    assert!(model.bounds.radius().is_finite() && model.bounds.center().iter().all(|part| part.is_finite()));
}
