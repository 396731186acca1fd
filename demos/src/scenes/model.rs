//! A model from a file as a scene: each mesh a draw, framed by its box, turning slowly. Pictures are decoded from sRGB, light
//! and blending are linear, and the target encodes (glTF 2.0, sections 3.9.2 and 3.9.4). What is blended comes last, the farthest
//! first: mesh by mesh, and triangle by triangle within a mesh.

use glam::{Mat4, Vec2, Vec3, Vec4};
use raster::{BlendState, Clear, ColorFormat, Cull, DepthState, Draw, Frame, Sampler, State, Topology};
use texture::{Format, Image, ImageError};

use crate::camera::Camera;
use crate::load::{Alpha, Material, Mesh, Model};
use crate::scenes::surface::{Light, Surface, SurfaceError};
use crate::scenes::{Filter, Scene, View};
use crate::shapes::{Corner, Shape};

/// Radians a second.
const TURN: f32 = 0.3;

/// A mesh ready to draw.
struct Part {
    surface: Surface,
    sampler: Sampler,
    light: Light,
    /// The middle of each triangle (line, point), with its corners; only of what is blended.
    blended: Vec<(Vec3, Vec<u32>)>,
}

/// See the module.
pub struct ModelScene {
    parts: Vec<Part>,
    low: Vec3,
    high: Vec3,
}

impl ModelScene {
    /// Makes a scene of a loaded model; `texture` takes the place of every material's own.
    pub fn new(model: &Model, texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let pictures = model.textures.iter().map(encoded).collect::<Result<Vec<_>, _>>()?;
        let replacement = texture.map(encoded).transpose()?;
        let mut parts = Vec::new();
        for mesh in &model.meshes {
            let material = &model.materials[mesh.material];
            let own = material.texture.and_then(|index| pictures.get(index));
            parts.push(part(mesh, material, replacement.as_ref().or(own))?);
        }
        Ok(Self { parts, low: Vec3::from(model.bounds.min), high: Vec3::from(model.bounds.max) })
    }
}

/// A picture as sRGB, with mip levels averaged in linear light.
fn encoded(image: &Image) -> Result<Image, ImageError> {
    let format = if image.format == Format::Rgba8 { Format::Rgba8Srgb } else { image.format };
    Image { format, ..image.clone() }.with_mipmaps()
}

fn part(mesh: &Mesh, material: &Material, image: Option<&Image>) -> Result<Part, SurfaceError> {
    let corner = |index: usize| Corner {
        position: Vec3::from(mesh.positions[index]),
        normal: Vec3::from(mesh.normals[index]),
        uv: Vec2::from(mesh.uvs[index]),
    };
    let shape = Shape { corners: (0..mesh.positions.len()).map(corner).collect(), indices: mesh.indices.clone() };
    let colors: Vec<Vec4> = mesh.colors.iter().map(|&color| Vec4::from(color)).collect();
    let image = match image {
        Some(image) => image.clone(),
        None => Image::new(Format::Rgba8, 1, 1, vec![255; 4])?,
    };
    let (entry, cutoff) = match material.alpha {
        Alpha::Mask(cutoff) => ("masked", cutoff),
        Alpha::Opaque | Alpha::Blend => ("colored", 0.0),
    };
    let cull = if material.double_sided { Cull::None } else { State::SOLID.cull };
    let state = State { cull, topology: mesh.topology, ..State::SOLID };
    let state = state.on(ColorFormat::Rgba8Srgb, state.depth_format);
    // What lies behind shows through, so it must not be kept out by depth.
    let state = match material.alpha {
        Alpha::Blend => State { depth: DepthState::LESS, ..state }.blended(BlendState::ALPHA),
        Alpha::Opaque | Alpha::Mask(_) => state,
    };
    let surface = Surface::new(&shape, image, entry, state)?.with_colors(&colors);
    let daylight = Light::daylight();
    // All light from everywhere is the colour as it is.
    let ambient = if material.is_unlit || !mesh.has_normals { 1.0 } else { daylight.ambient };
    let light = Light { tint: material.base_color, cutoff, ambient, ..daylight };
    let corners = match mesh.topology {
        Topology::PointList => 1,
        Topology::LineList => 2,
        _ => 3,
    };
    let middle = |corners: &[u32]| {
        let sum: Vec3 = corners.iter().map(|&corner| Vec3::from(mesh.positions[corner as usize])).sum();
        (sum / corners.len() as f32, corners.to_vec())
    };
    let is_blended = material.alpha == Alpha::Blend;
    let blended = if is_blended { mesh.indices.chunks_exact(corners).map(middle).collect() } else { Vec::new() };
    Ok(Part { surface, sampler: material.sampler, light, blended })
}

impl Scene for ModelScene {
    fn camera(&self) -> Camera {
        Camera::framing(self.low, self.high)
    }

    fn frame(&self, view: &View) -> Frame {
        let middle = (self.low + self.high) * 0.5;
        let turn = Mat4::from_rotation_y(view.time * TURN);
        let model = Mat4::from_translation(middle) * turn * Mat4::from_translation(-middle);
        let see = view.view_projection();
        let draw = |part: &Part| {
            // The file says how a texture is sampled, and trilinear where it does not; a coarser filter is the user's wish.
            let sampler = match view.filter {
                Filter::Trilinear => part.sampler,
                Filter::Point | Filter::Bilinear => {
                    let Sampler { wrap_u, wrap_v, .. } = part.sampler;
                    Sampler { wrap_u, wrap_v, ..view.filter.sampler() }
                }
            };
            part.surface.draw(model, see, sampler, part.light)
        };
        let mut draws: Vec<Draw> = self.parts.iter().filter(|part| part.blended.is_empty()).map(draw).collect();
        // Depths in clip space are enough for an order.
        let away = |middle: Vec3| (see * model * middle.extend(1.0)).w;
        let mut blended: Vec<(f32, Draw)> = Vec::new();
        for part in self.parts.iter().filter(|part| !part.blended.is_empty()) {
            let mut order: Vec<(f32, &[u32])> =
                part.blended.iter().map(|(middle, corners)| (away(*middle), &corners[..])).collect();
            // Stable: of equally far ones the file's order holds.
            order.sort_by(|(a, _), (b, _)| b.total_cmp(a));
            let mean = order.iter().map(|(away, _)| away).sum::<f32>() / order.len() as f32;
            let indices: Vec<u32> = order.into_iter().flat_map(|(_, corners)| corners).copied().collect();
            blended.push((mean, Draw { indices: indices.into(), ..draw(part) }));
        }
        blended.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        draws.extend(blended.into_iter().map(|(_, draw)| draw));
        // 0.16, 0.17, 0.2 when encoded.
        let clear = Clear::to([0.0219, 0.0245, 0.0331, 1.0]);
        Frame::new(view.width, view.height, clear, draws)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{Backend, Reference};

    /// A square around the z axis that faces both ways, half transparent and unlit.
    fn square(z: f32, material: usize) -> Mesh {
        Mesh {
            positions: [[-1.0, -1.0, z], [1.0, -1.0, z], [1.0, 1.0, z], [-1.0, 1.0, z]].to_vec(),
            normals: vec![[0.0, 0.0, 1.0]; 4],
            uvs: vec![[0.0; 2]; 4],
            colors: vec![[1.0; 4]; 4],
            indices: vec![0, 1, 2, 0, 2, 3],
            has_normals: true,
            material,
            ..Mesh::default()
        }
    }

    fn pane(base_color: [f32; 4]) -> Material {
        Material { base_color, alpha: Alpha::Blend, is_unlit: true, double_sided: true, ..Material::default() }
    }

    /// Each pane is half of it and half of what is stored, in linear light, encoded to the nearest level (IEC 61966-2-1, E and its
    /// inverse D in levels from 0 to 255). The background is stored as (41, 43, 51), for E(0.0219, 0.0245, 0.0331) = (40.72, 43.34,
    /// 51.00). Blue over it: E(½ blue + ½ D) = (27.20, 28.70, 190.27); red over that: E(½ red + ½ D(27, 29, 190)) = (188.43, 18.21,
    /// 138.82). Red over the background: (189.37, 28.70, 34.69); blue over that: (138.07, 18.21, 188.92). None is near a half.
    #[test]
    fn the_farther_pane_is_blended_first_from_either_side() {
        let meshes = vec![square(0.5, 0), square(-0.5, 1)];
        let materials = vec![pane([1.0, 0.0, 0.0, 0.5]), pane([0.0, 0.0, 1.0, 0.5])];
        let bounds = crate::load::Bounds { min: [-1.0, -1.0, -0.5], max: [1.0, 1.0, 0.5] };
        for swapped in [false, true] {
            // The order of the file does not matter.
            let mut meshes = meshes.clone();
            if swapped {
                meshes.reverse();
            }
            let model = Model { meshes, materials: materials.clone(), bounds, ..Model::default() };
            let scene = ModelScene::new(&model, None).expect("it can be shown");
            // Half a turn of the model brings the blue pane to the front.
            for (time, expected) in [(0.0, [188, 18, 139]), (std::f32::consts::PI / TURN, [138, 18, 189])] {
                let camera = scene.camera();
                let view = View { width: 32, height: 32, time, filter: Filter::Trilinear, camera };
                let picture = Reference::new().render(&scene.frame(&view)).expect("it can be drawn").to_rgba8();
                let center = &picture[(16 * 32 + 16) * 4..][..3];
                assert_eq!(center, expected, "swapped {swapped}, {time} s");
            }
        }
    }
}
