//! Normals for meshes that have none, or some that are of no use.
//!
//! Before: the format's own arrays. Computed in f64 from positions, with `sqrt` only: the same bits on every host.

use crate::load::model::Mesh;

/// What a triangle without an area gets, so that every normal has length one.
const FALLBACK: [f64; 3] = [0.0, 0.0, 1.0];

/// One normal for each triangle. Vertices are no longer shared; the triangles keep their order.
pub(super) fn make_flat(mesh: &mut Mesh) {
    debug_assert_eq!(mesh.topology, raster::Topology::TriangleList, "only triangles have a normal of their own");
    let take = |index: &u32| *index as usize;
    mesh.normals =
        mesh.indices.chunks_exact(3).flat_map(|corners| [unit_or(cross(mesh, corners), FALLBACK); 3]).collect();
    mesh.positions = mesh.indices.iter().map(|index| mesh.positions[take(index)]).collect();
    mesh.uvs = mesh.indices.iter().map(|index| mesh.uvs[take(index)]).collect();
    mesh.colors = mesh.indices.iter().map(|index| mesh.colors[take(index)]).collect();
    mesh.indices = (0..mesh.indices.len() as u32).collect();
}

/// At each position a weighed average of the triangles round it. Vertices that share a position and differ in their texture
/// coordinate get the same normal, so that no seam shows. All meshes together, as one surface.
///
/// A triangle's weight at a corner is the sine of its angle divided by the lengths of both sides: Nelson Max, "Weights for
/// Computing Vertex Normals from Facet Normals", Journal of Graphics Tools 4(2), 1999. It needs no arc cosine, is exact on
/// spheres, and how a rectangle was cut into triangles makes no difference.
pub(super) fn make_smooth(meshes: &mut [Mesh]) {
    // (position, mesh, vertex), so that equal positions are neighbours; adding 0 makes -0 equal to 0.
    let mut places = Vec::new();
    for (number, mesh) in meshes.iter().enumerate() {
        for (vertex, position) in mesh.positions.iter().enumerate() {
            places.push((position.map(|coordinate| (coordinate + 0.0).to_bits()), number, vertex));
        }
    }
    places.sort_unstable();
    let mut point_of: Vec<Vec<u32>> = meshes.iter().map(|mesh| vec![0; mesh.positions.len()]).collect();
    let mut points = 0u32;
    for (index, &(position, number, vertex)) in places.iter().enumerate() {
        if index > 0 && places[index - 1].0 != position {
            points += 1;
        }
        point_of[number][vertex] = points;
    }
    let mut sums = vec![[0.0f64; 3]; points as usize + 1];
    for (mesh, point_of) in meshes.iter().zip(&point_of) {
        for corners in mesh.indices.chunks_exact(3) {
            let normal = cross(mesh, corners);
            for corner in 0..3 {
                let length_squared = |other: usize| {
                    let [from, to] = [corners[corner], corners[(corner + other) % 3]];
                    let [from, to] = [from, to].map(|vertex| mesh.positions[vertex as usize].map(f64::from));
                    (0..3).map(|axis| (to[axis] - from[axis]) * (to[axis] - from[axis])).sum::<f64>()
                };
                let scale = length_squared(1) * length_squared(2);
                if scale > 0.0 {
                    let sum = &mut sums[point_of[corners[corner] as usize] as usize];
                    *sum = std::array::from_fn(|axis| sum[axis] + normal[axis] / scale);
                }
            }
        }
    }
    for (mesh, point_of) in meshes.iter_mut().zip(&point_of) {
        mesh.normals = point_of.iter().map(|&point| unit_or(sums[point as usize], FALLBACK)).collect();
    }
}

/// Makes every normal one long; those that are zero or not finite take their last triangle's.
pub(super) fn repair(mesh: &mut Mesh) {
    let is_usable =
        |normal: &[f32; 3]| normal.iter().all(|part| part.is_finite()) && normal.iter().any(|part| *part != 0.0);
    let broken: Vec<bool> = mesh.normals.iter().map(|normal| !is_usable(normal)).collect();
    if broken.contains(&true) {
        for triangle in 0..mesh.triangle_count() {
            let corners: [u32; 3] = std::array::from_fn(|corner| mesh.indices[triangle * 3 + corner]);
            let normal = unit_or(cross(mesh, &corners), FALLBACK);
            for corner in corners.into_iter().filter(|corner| broken[*corner as usize]) {
                mesh.normals[corner as usize] = normal;
            }
        }
    }
    for normal in &mut mesh.normals {
        let wide = if is_usable(normal) { normal.map(f64::from) } else { FALLBACK };
        *normal = unit_or(wide, FALLBACK);
    }
}

/// The cross product of two sides: along the outward normal, as long as twice the area.
fn cross(mesh: &Mesh, corners: &[u32]) -> [f64; 3] {
    let [a, b, c]: [[f64; 3]; 3] =
        std::array::from_fn(|corner| mesh.positions[corners[corner] as usize].map(f64::from));
    let side = |to: [f64; 3]| -> [f64; 3] { std::array::from_fn(|axis| to[axis] - a[axis]) };
    let (first, second) = (side(b), side(c));
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        first[next] * second[last] - first[last] * second[next]
    })
}

fn unit_or(vector: [f64; 3], fallback: [f64; 3]) -> [f32; 3] {
    // Scaled first: the square of a tiny component would vanish.
    let largest = vector.iter().fold(0.0f64, |largest, part| largest.max(part.abs()));
    if !(largest > 0.0 && largest.is_finite()) {
        return fallback.map(|part| part as f32);
    }
    let scaled = vector.map(|part| part / largest);
    let length = scaled.iter().map(|part| part * part).sum::<f64>().sqrt();
    scaled.map(|part| (part / length) as f32)
}
