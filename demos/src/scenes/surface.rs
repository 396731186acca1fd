//! What scenes are made of: a mesh with a texture and the shader of `surface.wgsl`.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::{Mat3, Mat4, Vec3, Vec4};
use raster::{Bindings, Buffer, Draw, Pipeline, PipelineError, Sampler, State, Texture, Vertex};
use texture::{Format, Image, ImageError};

use crate::patterns::Pattern;
use crate::shapes::{Corner, Shape};

/// The shader file.
const SHADER: &str = include_str!("surface.wgsl");

/// Shader of colours without texture or light.
pub const FLAT_SHADER: &str = include_str!("flat.wgsl");

/// Why a surface could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SurfaceError {
    /// The shader is refused.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The vertex shader is refused.
    #[error(transparent)]
    VertexProgram(#[from] raster::VertexProgramError),
    /// The texture is refused.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The texture is not of the kind it is wanted for.
    #[error(transparent)]
    Texture(#[from] raster::TextureError),
}

/// `struct Light` of `surface.wgsl`.
#[repr(C)]
#[derive(Copy, Clone, Debug, PartialEq, Pod, Zeroable)]
pub struct Light {
    /// Towards the light, length one.
    pub direction: [f32; 3],
    /// What the shadow side gets.
    pub ambient: f32,
    /// Multiplies the texture's colour.
    pub tint: [f32; 4],
    /// The entry point `masked` draws nothing where alpha is below this.
    pub cutoff: f32,
    /// WGSL rounds the struct up to its alignment of 16 bytes.
    pub padding: [f32; 3],
}

impl Light {
    /// From above, behind the left shoulder of the usual camera.
    pub fn daylight() -> Self {
        let direction = Vec3::new(0.45, 0.75, 0.6).normalize();
        Self { direction: direction.to_array(), ambient: 0.25, tint: [1.0; 4], cutoff: 0.0, padding: [0.0; 3] }
    }
}

/// A mesh with a texture and a pipeline. Its vertices feed these locations: 0 texture coordinate, 1 normal in the world,
/// 2 colour, 3 place in the world.
#[derive(Clone)]
pub struct Surface {
    corners: Arc<[Corner]>,
    /// One for each corner, or none.
    colors: Arc<[Vec4]>,
    indices: Arc<[u32]>,
    texture: Texture,
    pipeline: Pipeline,
}

/// A picture from a pattern, with all its mip levels.
pub fn image_of(pattern: &Pattern) -> Result<Image, ImageError> {
    Image::new(Format::Rgba8, pattern.size, pattern.size, pattern.rgba.clone())?.with_mipmaps()
}

impl Surface {
    /// `shape` with `image` on it, shaded by an entry point of `surface.wgsl`.
    pub fn new(shape: &Shape, image: Image, entry: &str, state: State) -> Result<Self, SurfaceError> {
        Ok(Self {
            corners: shape.corners.as_slice().into(),
            colors: Arc::new([]),
            indices: shape.indices.as_slice().into(),
            texture: Texture::new(image),
            pipeline: Pipeline::new("surface.wgsl", SHADER, entry, state)?,
        })
    }

    /// `shape` with a pipeline of the scene's own, to be drawn by [`Surface::draw_with`].
    pub fn of(shape: &Shape, pipeline: &Pipeline) -> Result<Self, SurfaceError> {
        Ok(Self {
            corners: shape.corners.as_slice().into(),
            colors: Arc::new([]),
            indices: shape.indices.as_slice().into(),
            texture: Texture::new(Image::new(Format::Rgba8, 1, 1, vec![255; 4])?),
            pipeline: pipeline.clone(),
        })
    }

    /// The same with a colour for each corner, which the entry points `colored` and `masked` read.
    pub fn with_colors(mut self, colors: &[Vec4]) -> Self {
        assert_eq!(colors.len(), self.corners.len(), "a colour for each corner");
        self.colors = colors.into();
        self
    }

    /// The given picture (with mip levels made where it has none), or the pattern.
    pub fn image_or(given: Option<&Image>, pattern: impl FnOnce() -> Pattern) -> Result<Image, ImageError> {
        match given {
            Some(image) if image.levels.len() > 1 => Ok(image.clone()),
            Some(image) => image.with_mipmaps(),
            None => image_of(&pattern()),
        }
    }

    /// Draws it at `model` (object to world) as seen through `view_projection` (world to clip).
    pub fn draw(&self, model: Mat4, view_projection: Mat4, sampler: Sampler, light: Light) -> Draw {
        let bindings =
            Bindings::new().with(0, 0, &Buffer::from_value(&light)).with(0, 1, &self.texture).with(0, 2, sampler);
        self.draw_with(model, view_projection, bindings)
    }

    /// The same with whatever its shader reads.
    pub fn draw_with(&self, model: Mat4, view_projection: Mat4, bindings: Bindings) -> Draw {
        let (corners, colors) = (Arc::clone(&self.corners), Arc::clone(&self.colors));
        let to_clip = view_projection * model;
        // Normals turn by the inverse transpose; for a mirrored or stretched model this differs from the model itself.
        let to_world = Mat3::from_mat4(model).inverse().transpose();
        let vertex_count = corners.len() as u32;
        Draw::indexed(&self.pipeline, vertex_count, Arc::clone(&self.indices), move |index| {
            let corner = &corners[index as usize];
            let position: Vec4 = to_clip * corner.position.extend(1.0);
            let world = model.transform_point3(corner.position);
            let vertex = Vertex::at(position).with(0, corner.uv).with(1, to_world * corner.normal).with(3, world);
            colors.get(index as usize).map_or(vertex, |&color| vertex.with(2, color))
        })
        .with_bindings(bindings)
    }
}
