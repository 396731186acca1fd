//! A model from a file as a scene: each mesh a draw, framed by its box, turning slowly.

use glam::{Mat4, Vec2, Vec3, Vec4};
use raster::{Clear, Cull, Frame, Sampler, State};
use texture::{Format, Image};

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
        let pictures = model.textures.iter().map(Image::with_mipmaps).collect::<Result<Vec<_>, _>>()?;
        let replacement = texture.map(Image::with_mipmaps).transpose()?;
        let mut parts = Vec::new();
        for mesh in &model.meshes {
            let material = &model.materials[mesh.material];
            let own = material.texture.and_then(|index| pictures.get(index));
            parts.push(part(mesh, material, replacement.as_ref().or(own))?);
        }
        Ok(Self { parts, low: Vec3::from(model.bounds.min), high: Vec3::from(model.bounds.max) })
    }
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
    let surface = Surface::new(&shape, image, entry, State { cull, ..State::SOLID })?.with_colors(&colors);
    let daylight = Light::daylight();
    // All light from everywhere is the colour as it is.
    let ambient = if material.is_unlit { 1.0 } else { daylight.ambient };
    let light = Light { tint: material.base_color, cutoff, ambient, ..daylight };
    Ok(Part { surface, sampler: material.sampler, light })
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
        let clear = Clear::to([0.16, 0.17, 0.2, 1.0]);
        Frame::new(view.width, view.height, clear, self.parts.iter().map(draw).collect())
    }
}
