//! glTF primitives: attributes and a topology become vertices and a list of triangles, lines or points.
//!
//! Before: `accessor`. After: `document` places the mesh in the world. Source: glTF 2.0, section 3.7.2 "Meshes".

use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use raster::Topology;

use crate::load::accessor::Storage;
use crate::load::error::LoadError;
use crate::load::model::{Budget, Mesh, check_position};
use crate::load::normals;

/// Reads a primitive in its own space. `uv_set` is the set of texture coordinates that its material wants.
pub(super) fn read(
    storage: &Storage<'_>,
    primitive: &Primitive,
    uv_set: u32,
    place: &str,
    budget: &mut Budget,
    warnings: &mut Vec<String>,
) -> Result<Mesh, LoadError> {
    let Checked::Valid(mode) = primitive.mode else {
        return Err(storage.damaged(place, "an unknown mode"));
    };
    let attribute = |semantic: Semantic| primitive.attributes.get(&Checked::Valid(semantic)).map(|index| index.value());
    let positions = attribute(Semantic::Positions).ok_or_else(|| storage.damaged(place, "no POSITION"))?;
    let vertices = storage.count(positions, place)?;
    let index_count = match primitive.indices {
        Some(indices) => storage.count(indices.value(), place)?,
        None => vertices,
    };
    // Flat normals give each corner its own vertex, after the file's vertices have been read.
    let topology = topology(mode);
    let has_own = attribute(Semantic::Normals).is_some();
    let is_flat = !has_own && topology == Topology::TriangleList;
    let has_normals = has_own || is_flat;
    let indices = match mode {
        Mode::Points | Mode::Lines | Mode::Triangles => index_count,
        Mode::LineStrip | Mode::LineLoop => 2 * index_count,
        Mode::TriangleStrip | Mode::TriangleFan => 3 * index_count.saturating_sub(2),
    } as u64;
    let vertices_held = (vertices as u64).max(if is_flat { indices } else { 0 });
    budget.take(storage.file, place, vertices_held, indices)?;

    let positions = storage.vectors::<3>(positions, &format!("{place}, POSITION"))?;
    for (vertex, &position) in positions.iter().enumerate() {
        check_position(storage.file, position, || format!("{place}, vertex {vertex}"))?;
    }
    let checked = |name: &str, count: usize| {
        let reason = format!("{count} values of {name} for {vertices} vertices");
        if count == vertices { Ok(()) } else { Err(storage.damaged(place, reason)) }
    };
    let normals = match attribute(Semantic::Normals) {
        Some(index) => storage.vectors::<3>(index, &format!("{place}, NORMAL"))?,
        None => vec![[0.0; 3]; vertices],
    };
    checked("NORMAL", normals.len())?;
    let mut uvs = match attribute(Semantic::TexCoords(uv_set)) {
        Some(index) => storage.vectors::<2>(index, &format!("{place}, TEXCOORD_{uv_set}"))?,
        None => vec![[0.0; 2]; vertices],
    };
    checked("TEXCOORD", uvs.len())?;
    let mut colors = match attribute(Semantic::Colors(0)) {
        Some(index) => colors(storage, index, &format!("{place}, COLOR_0"))?,
        None => vec![[1.0; 4]; vertices],
    };
    checked("COLOR_0", colors.len())?;
    let bad = replace_bad(&mut uvs, 0.0) + replace_bad(&mut colors, 1.0);
    if bad > 0 {
        warnings.push(format!("{place}: {bad} texture coordinates or colours that are not finite were replaced"));
    }

    let order = match primitive.indices {
        Some(indices) => storage.indices(indices.value(), &format!("{place}, indices"))?,
        None => (0..vertices as u32).collect(),
    };
    if let Some(index) = order.iter().find(|index| **index as usize >= vertices) {
        return Err(storage.damaged(place, format!("index {index}, but there are {vertices} vertices")));
    }
    let (leftover, what) = match mode {
        Mode::Triangles => (order.len() % 3, "triangle"),
        Mode::Lines => (order.len() % 2, "line"),
        _ => (0, ""),
    };
    if leftover > 0 {
        let (indices, make) = if leftover == 1 { ("index", "makes") } else { ("2 indices", "make") };
        warnings.push(format!("{place}: the last {indices} {make} no {what}"));
    }
    let indices = list(mode, &order);
    let mut mesh = Mesh { positions, normals, uvs, colors, indices, topology, has_normals, ..Mesh::default() };
    if is_flat {
        normals::make_flat(&mut mesh);
    } else {
        normals::repair(&mut mesh);
    }
    Ok(mesh)
}

/// COLOR_0 has three or four channels.
fn colors(storage: &Storage<'_>, index: usize, place: &str) -> Result<Vec<[f32; 4]>, LoadError> {
    if storage.parts(index, place)? == 4 {
        return storage.vectors::<4>(index, place);
    }
    let opaque = storage.vectors::<3>(index, place)?;
    Ok(opaque.into_iter().map(|[red, green, blue]| [red, green, blue, 1.0]).collect())
}

/// Replaces numbers that are not finite, and says how many elements had one.
fn replace_bad<const N: usize>(values: &mut [[f32; N]], replacement: f32) -> usize {
    let mut bad = 0;
    for value in values.iter_mut().filter(|value| !value.iter().all(|part| part.is_finite())) {
        *value = [replacement; N];
        bad += 1;
    }
    bad
}

/// What a mode's list consists of.
fn topology(mode: Mode) -> Topology {
    match mode {
        Mode::Points => Topology::PointList,
        Mode::Lines | Mode::LineLoop | Mode::LineStrip => Topology::LineList,
        Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan => Topology::TriangleList,
    }
}

/// The vertices of each primitive, in the order that keeps the winding, by the formulas of section 3.7.2.1.
pub(super) fn list(mode: Mode, order: &[u32]) -> Vec<u32> {
    let triangles = order.len().saturating_sub(2);
    let strip = || order.windows(2).flatten().copied();
    match mode {
        Mode::Points => order.to_vec(),
        Mode::Lines => order[..order.len() - order.len() % 2].to_vec(),
        Mode::LineStrip => strip().collect(),
        Mode::LineLoop if order.len() < 2 => Vec::new(),
        Mode::LineLoop => strip().chain([order[order.len() - 1], order[0]]).collect(),
        Mode::Triangles => order[..order.len() - order.len() % 3].to_vec(),
        Mode::TriangleStrip => {
            (0..triangles).flat_map(|i| [order[i], order[i + (1 + i % 2)], order[i + (2 - i % 2)]]).collect()
        }
        Mode::TriangleFan => (0..triangles).flat_map(|i| [order[i + 1], order[i + 2], order[0]]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_alternate_and_fans_turn() {
        let order = [10, 11, 12, 13, 14];
        assert_eq!(list(Mode::TriangleStrip, &order), [10, 11, 12, 11, 13, 12, 12, 13, 14]);
        assert_eq!(list(Mode::TriangleFan, &order), [11, 12, 10, 12, 13, 10, 13, 14, 10]);
        assert_eq!(list(Mode::Triangles, &order), [10, 11, 12]);
    }

    #[test]
    fn line_strips_and_loops_become_lists() {
        let order = [10, 11, 12];
        assert_eq!(list(Mode::Lines, &order), [10, 11]);
        assert_eq!(list(Mode::LineStrip, &order), [10, 11, 11, 12]);
        assert_eq!(list(Mode::LineLoop, &order), [10, 11, 11, 12, 12, 10]);
        assert_eq!(list(Mode::Points, &order), order);
        for mode in [Mode::Lines, Mode::LineStrip, Mode::LineLoop] {
            assert!(list(mode, &order[..1]).is_empty() && list(mode, &[]).is_empty());
        }
    }

    #[test]
    fn too_few_vertices_make_no_triangle() {
        for mode in [Mode::Triangles, Mode::TriangleStrip, Mode::TriangleFan] {
            for count in 0..3 {
                assert!(list(mode, &[0, 1, 2][..count]).is_empty());
            }
        }
    }
}
