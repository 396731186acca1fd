//! Binding: what a draw's shader reads, found among what the draw binds, in the order the shader numbers it.
//!
//! Before: `frame` (draws with their bindings). After: both rasterizers; neither meets a missing or wrong resource.

use std::sync::Arc;

use shaders::evaluate::SamplingState;
use shaders::interface::{BufferBinding, Place, StageBinding};
use shaders::texture_calls::{ScalarKind, TextureDimension, TextureKind, TextureUse};
use texture::{Filter, Format, Image, Sampled, Sampling, Wrap, level_count};

use crate::draw::{Draw, VertexStage};
use crate::frame::RenderError;
use crate::resources::{Bindings, Buffer, MipFilter, Resource, Sampler, StorageBuffer, Texture};
use crate::state::Compare;
use crate::vertex_program::VertexCall;

/// How `textureLoad` reads its stage: texel by texel, nothing beyond the edge.
pub const LOAD: Sampler = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, filter: Filter::Point, ..Sampler::POINT };

/// One sampler stage: a texture, and how it is sampled.
#[derive(Clone, Debug)]
pub struct BoundStage<'a> {
    /// The texture.
    pub texture: &'a Texture,
    /// Its texels when the frame was begun.
    pub image: Arc<Image>,
    /// How.
    pub sampler: Sampler,
}

impl BoundStage<'_> {
    /// What the stage's registers hold beside the texture. A cube's faces end at their edges, whatever the sampler says, and the one
    /// row of a one-dimensional texture is met in its middle.
    pub fn sampling(&self) -> Sampling {
        let Sampler { filter, wrap_u, wrap_v, border, .. } = self.sampler;
        match self.texture.dimension() {
            TextureDimension::Cube | TextureDimension::CubeArray => {
                Sampling { filter, wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, border }
            }
            TextureDimension::D1 => Sampling { filter, wrap_u, wrap_v: Wrap::Clamp, border },
            TextureDimension::D2
            | TextureDimension::D2Array
            | TextureDimension::D3
            | TextureDimension::D2Multisampled => Sampling { filter, wrap_u, wrap_v, border },
        }
    }

    /// What the shader's sampling functions ask for.
    pub fn state(&self) -> SamplingState {
        let (image, sampler) = (&self.image, &self.sampler);
        let format = image.format;
        SamplingState {
            width: image.width(),
            height: image.height(),
            levels: image.levels.len() as u32,
            layers: match self.texture.dimension() {
                TextureDimension::CubeArray => image.layers / 6,
                TextureDimension::D2Array | TextureDimension::D3 | TextureDimension::D2Multisampled => image.layers,
                TextureDimension::D1 | TextureDimension::D2 | TextureDimension::Cube => 1,
            },
            mip_filter: sampler.mip_filter.code(),
            filters: match (sampler.mag_filter, sampler.filter) {
                (Some(Filter::Point), Filter::Bilinear) => 1,
                (Some(Filter::Bilinear), Filter::Point) => 2,
                _ => 0,
            },
            channels: if format.is_narrow() { 0 } else { format.channels() },
            is_anisotropic: u32::from(sampler.max_anisotropy > 1),
            lod_min: sampler.lod_min,
            lod_max: sampler.lod_max,
            lod_bias: sampler.lod_bias,
            max_anisotropy: sampler.max_anisotropy as f32,
            comparison: sampler.compare.map_or(0, relations),
            wrap_w: sampler.wrap_w.code(),
            is_linear: u32::from(sampler.filter == Filter::Bilinear),
        }
    }
}

/// The relations that a comparison lets pass, as `SamplingState::comparison` has them. A NaN is unequal to everything.
const fn relations(compare: Compare) -> u32 {
    match compare {
        Compare::Never => 0,
        Compare::Less => 1,
        Compare::Equal => 2,
        Compare::LessEqual => 3,
        Compare::Greater => 4,
        Compare::NotEqual => 13,
        Compare::GreaterEqual => 6,
        Compare::Always => 15,
    }
}

impl MipFilter {
    /// The number shaders know it by.
    pub const fn code(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Nearest => 1,
            Self::Linear => 2,
        }
    }
}

/// The contents of one buffer.
#[derive(Copy, Clone, Debug)]
pub enum BoundBuffer<'a> {
    /// Nobody writes it.
    Plain(&'a Buffer),
    /// Some shader writes it, this one or one of an earlier pass.
    Storage(&'a StorageBuffer),
    /// The texels of a storage texture.
    Texels(&'a Texture),
}

impl BoundBuffer<'_> {
    /// Whether shaders write the same bytes through both.
    pub fn is_same(&self, other: &BoundBuffer) -> bool {
        match (self, other) {
            (Self::Storage(a), BoundBuffer::Storage(b)) => a.is_same(b),
            (Self::Texels(a), BoundBuffer::Texels(b)) => a.is_same(b),
            _ => false,
        }
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        match self {
            Self::Plain(buffer) => buffer.bytes().len(),
            Self::Storage(buffer) => buffer.size(),
            Self::Texels(texture) => texture.image().bytes.len(),
        }
    }
}

/// The resources of one draw's fragment shader, or of its vertex shader.
#[derive(Clone, Debug, Default)]
pub struct Bound<'a> {
    /// In the order of the interface's buffers.
    pub buffers: Vec<BoundBuffer<'a>>,
    /// In the order of [`Pipeline::stages`](crate::Pipeline::stages), or those of the vertex program.
    pub stages: Vec<BoundStage<'a>>,
}

impl<'a> Bound<'a> {
    /// Finds what a draw's fragment shader reads.
    pub fn of(draw_index: usize, draw: &'a Draw) -> Result<Self, RenderError> {
        Self::of_stage(draw_index, &draw.bindings, &draw.pipeline.interface().buffers, draw.pipeline.stages())
    }

    /// Finds what a draw's vertex shader reads beside its inputs; a closure has all it needs.
    pub fn of_vertex(draw_index: usize, draw: &'a Draw) -> Result<Self, RenderError> {
        match &draw.vertex_stage {
            VertexStage::Closure(_) => Ok(Self::default()),
            VertexStage::Program(VertexCall { program, .. }) => {
                Self::of_stage(draw_index, &draw.bindings, &program.interface().buffers, program.stages())
            }
        }
    }

    fn of_stage(
        draw_index: usize,
        bindings: &'a Bindings,
        buffers: &[BufferBinding],
        stages: &[StageBinding],
    ) -> Result<Self, RenderError> {
        let find = |name: &str, group: u32, binding: u32| {
            let name = name.to_owned();
            bindings.get(group, binding).ok_or(RenderError::Unbound { draw: draw_index, name, group, binding })
        };
        let wrong = |name: &str, group: u32, binding: u32, needed: &'static str, bound: &Resource| {
            let (name, bound) = (name.to_owned(), bound.kind());
            RenderError::WrongKind { draw: draw_index, name, group, binding, needed, bound }
        };
        let mut bound = Self::default();
        for place in buffers {
            let (group, binding) = (place.group, place.binding);
            let buffer = match find(&place.name, group, binding)? {
                Resource::Texture(texture) if place.texture.is_some() => BoundBuffer::Texels(texture),
                other if place.texture.is_some() => return Err(wrong(&place.name, group, binding, "a texture", other)),
                Resource::Storage(buffer) => BoundBuffer::Storage(buffer),
                Resource::Buffer(buffer) if !place.is_written => BoundBuffer::Plain(buffer),
                other => {
                    let needed = if place.is_written { "a writable buffer" } else { "a buffer" };
                    return Err(wrong(&place.name, group, binding, needed, other));
                }
            };
            if buffer.size() < place.bytes as usize {
                return Err(RenderError::BufferTooSmall {
                    draw: draw_index,
                    name: place.name.clone(),
                    group,
                    binding,
                    needed: place.bytes,
                    bytes: buffer.size(),
                });
            }
            bound.buffers.push(buffer);
        }
        for stage in stages {
            let place = &stage.texture;
            let texture = match find(&place.name, place.group, place.binding)? {
                Resource::Texture(texture) => texture,
                other => return Err(wrong(&place.name, place.group, place.binding, "a texture", other)),
            };
            let sampler = match &stage.sampler {
                None => LOAD,
                Some(place) => match find(&place.name, place.group, place.binding)? {
                    Resource::Sampler(sampler) => *sampler,
                    other => return Err(wrong(&place.name, place.group, place.binding, "a sampler", other)),
                },
            };
            if let Some(place) = &stage.sampler
                && stage.compares != sampler.compare.is_some()
            {
                return Err(RenderError::Comparison {
                    draw: draw_index,
                    name: place.name.clone(),
                    compares: stage.compares,
                });
            }
            let image = texture.image();
            check_texture(draw_index, stage, texture, &image)?;
            let named = |cause| RenderError::Sampler { draw: draw_index, name: place.name.clone(), cause };
            sampler.check().map_err(named)?;
            // Levels that are not there are no mistake where the sampler never asks for them.
            let (levels, all) = (image.levels.len() as u32, level_count(image.width(), image.height()));
            if sampler.mip_filter != MipFilter::None && levels < all && sampler.lod_max > (levels - 1) as f32 {
                return Err(RenderError::MipChain { draw: draw_index, name: place.name.clone(), levels, needed: all });
            }
            bound.stages.push(BoundStage { texture, image, sampler });
        }
        Ok(bound)
    }
}

/// Holds a texture against what the shader declares.
fn check_texture(draw: usize, stage: &StageBinding, texture: &Texture, image: &Image) -> Result<(), RenderError> {
    let bound = TextureKind {
        dimension: texture.dimension(),
        component: match image.format.sampled() {
            Sampled::Float => ScalarKind::Float,
            Sampled::Sint => ScalarKind::Sint,
            Sampled::Uint => ScalarKind::Uint,
        },
        usage: TextureUse::Sampled,
    };
    let fits = match stage.kind.usage {
        TextureUse::Depth => image.format == Format::R32Float,
        TextureUse::Sampled => bound.component == stage.kind.component,
        TextureUse::Storage { format, .. } => image.format == format && image.levels.len() == 1,
    };
    if fits && bound.dimension == stage.kind.dimension {
        return Ok(());
    }
    let Place { group, binding, name } = stage.texture.clone();
    let needed = stage.kind.wgsl();
    let bound = match stage.kind.usage {
        // The component type does not say it all.
        TextureUse::Storage { .. } | TextureUse::Depth => {
            let levels = image.levels.len();
            format!(
                "{} of {:?} with {levels} level{}",
                bound.dimension.wgsl(),
                image.format,
                if levels == 1 { "" } else { "s" }
            )
        }
        TextureUse::Sampled => bound.wgsl(),
    };
    Err(RenderError::TextureKind { draw, name, group, binding, needed, bound })
}
