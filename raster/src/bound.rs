//! Binding: what a draw's shader reads, found among what the draw binds, in the order the shader numbers it.
//!
//! Before: `frame` (draws with their bindings). After: both rasterizers; neither meets a missing or wrong resource.

use shaders::evaluate::SamplingState;
use texture::{Filter, Sampling, Wrap};

use crate::draw::Draw;
use crate::frame::RenderError;
use crate::resources::{Buffer, MipFilter, Resource, Sampler, StorageBuffer, Texture};

/// How `textureLoad` reads its stage: texel by texel, nothing beyond the edge.
const LOAD: Sampler = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, filter: Filter::Point, ..Sampler::POINT };

/// One sampler stage: a texture, and how it is sampled.
#[derive(Copy, Clone, Debug)]
pub struct BoundStage<'a> {
    /// The texels.
    pub texture: &'a Texture,
    /// How.
    pub sampler: Sampler,
}

impl BoundStage<'_> {
    /// What the stage's registers hold beside the texture.
    pub const fn sampling(&self) -> Sampling {
        let Sampler { filter, wrap_u, wrap_v, border, .. } = self.sampler;
        Sampling { filter, wrap_u, wrap_v, border }
    }

    /// What the shader's sampling functions ask for.
    pub fn state(&self) -> SamplingState {
        let image = self.texture.image();
        SamplingState {
            width: image.width(),
            height: image.height(),
            levels: image.levels.len() as u32,
            mip_filter: self.sampler.mip_filter.code(),
            lod_min: self.sampler.lod_min,
            lod_max: self.sampler.lod_max,
            lod_bias: self.sampler.lod_bias,
        }
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
}

impl BoundBuffer<'_> {
    /// How many bytes it has.
    pub fn size(&self) -> usize {
        match self {
            Self::Plain(buffer) => buffer.bytes().len(),
            Self::Storage(buffer) => buffer.size(),
        }
    }
}

/// The resources of one draw.
#[derive(Clone, Debug, Default)]
pub struct Bound<'a> {
    /// In the order of [`FragmentInterface::buffers`](shaders::interface::FragmentInterface::buffers).
    pub buffers: Vec<BoundBuffer<'a>>,
    /// In the order of [`Pipeline::stages`](crate::Pipeline::stages).
    pub stages: Vec<BoundStage<'a>>,
}

impl<'a> Bound<'a> {
    /// Finds what a draw's shader reads.
    pub fn of(draw_index: usize, draw: &'a Draw) -> Result<Self, RenderError> {
        let find = |name: &str, group: u32, binding: u32| {
            let name = name.to_owned();
            draw.bindings.get(group, binding).ok_or(RenderError::Unbound { draw: draw_index, name, group, binding })
        };
        let wrong = |name: &str, group: u32, binding: u32, needed: &'static str, bound: &Resource| {
            let (name, bound) = (name.to_owned(), bound.kind());
            RenderError::WrongKind { draw: draw_index, name, group, binding, needed, bound }
        };
        let mut bound = Self::default();
        for place in &draw.pipeline.interface().buffers {
            let (group, binding) = (place.group, place.binding);
            let buffer = match find(&place.name, group, binding)? {
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
        for stage in draw.pipeline.stages() {
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
            bound.stages.push(BoundStage { texture, sampler });
        }
        Ok(bound)
    }
}
