//! What a shader reads: buffers, textures, samplers, and which of them stands at which `@group`, `@binding`.
//!
//! Before: a scene makes these once. After: `frame`, whose draws name them; the backends upload them.
//! A buffer and a texture are handles: a clone is the same resource, and a backend that has seen one before need not
//! upload it again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use texture::{Filter, Wrap};

use crate::state::Compare;
use crate::surface::Surface;

/// Bytes a shader reads as a uniform or read-only storage buffer, laid out as WGSL says.
#[derive(Clone, Debug)]
pub struct Buffer {
    bytes: Arc<[u8]>,
}

impl Buffer {
    /// A buffer of these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self { bytes: Arc::from(bytes) }
    }

    /// A buffer that holds one plain value (`repr(C)`, padded as WGSL's layout asks).
    pub fn from_value<T: bytemuck::NoUninit>(value: &T) -> Self {
        Self::from_bytes(bytemuck::bytes_of(value))
    }

    /// A buffer that holds plain values one after the other.
    pub fn from_slice<T: bytemuck::NoUninit>(values: &[T]) -> Self {
        Self::from_bytes(bytemuck::cast_slice(values))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether two handles are the same buffer.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes)
    }

    /// Whether there is a handle beside this one.
    pub(crate) fn is_held_elsewhere(&self) -> bool {
        Arc::strong_count(&self.bytes) > 1
    }
}

/// Bytes that fragment shaders write (`var<storage, read_write>`), and that later passes may read; a handle, whose
/// clones are the same buffer.
///
/// Which of several fragments writes first is open, except that those of one pixel write in the order of their draws.
#[derive(Clone, Debug)]
pub struct StorageBuffer {
    bytes: Arc<Mutex<Vec<u8>>>,
}

impl StorageBuffer {
    /// A buffer of these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self { bytes: Arc::new(Mutex::new(bytes.to_vec())) }
    }

    /// A buffer of so many zero words.
    pub fn of_words(words: usize) -> Self {
        Self::from_bytes(&vec![0; 4 * words])
    }

    /// Its bytes as they are now: as the last pass that was drawn has left them.
    pub fn bytes(&self) -> Vec<u8> {
        self.lock().clone()
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        self.lock().len()
    }

    /// Replaces its bytes by as many others.
    pub fn replace(&self, bytes: Vec<u8>) {
        *self.lock() = bytes;
    }

    /// Whether two handles are the same buffer.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        // Nobody panics while holding it.
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub use crate::textures::{Texture, TextureError};

/// How the two nearest mip levels make one colour.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum MipFilter {
    /// Level 0 only.
    #[default]
    None,
    /// The nearest level.
    Nearest,
    /// Both neighbours, weighted: trilinear, when the filter is bilinear.
    Linear,
}

/// How a texture is sampled.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sampler {
    /// What stands left and right of the picture.
    pub wrap_u: Wrap,
    /// What stands above and below it.
    pub wrap_v: Wrap,
    /// How texels of one level make one colour: where the picture is made smaller, and at every size unless `mag_filter` is given.
    pub filter: Filter,
    /// The same where the picture is magnified, that is where the level of detail is 0 or below.
    pub mag_filter: Option<Filter>,
    /// How levels make one colour.
    pub mip_filter: MipFilter,
    /// The level of detail is never below this.
    pub lod_min: f32,
    /// The level of detail is never above this.
    pub lod_max: f32,
    /// Added to the level of detail before the two limits.
    pub lod_bias: f32,
    /// The colour beyond the edge under `Wrap::Border`, 0xAARRGGBB.
    pub border: u32,
    /// Most samples along the longer axis of a pixel's footprint, 1 to 16; 1 is isotropic filtering.
    pub max_anisotropy: u32,
    /// What stands before and behind a volume; a border acts as clamp.
    pub wrap_w: Wrap,
    /// For `sampler_comparison`: the answer is 1 where the reference compares so with a texel. Of `sampler` it must be `None`.
    pub compare: Option<Compare>,
}

/// Why a sampler has no meaning.
#[derive(Copy, Clone, Debug, PartialEq, thiserror::Error)]
pub enum SamplerError {
    /// Limits that hold nothing.
    #[error("the level of detail is limited to {min} to {max}")]
    Limits {
        /// `lod_min`.
        min: f32,
        /// `lod_max`.
        max: f32,
    },
    /// A bias that is no number.
    #[error("the bias of the level of detail is {0}")]
    Bias(f32),
    /// Out of range.
    #[error("max_anisotropy is {0}, it must be 1 to 16")]
    Anisotropy(u32),
    /// Anisotropic filtering of single texels.
    #[error("max_anisotropy above 1 needs bilinear filters")]
    AnisotropicPoint,
}

impl Sampler {
    /// The nearest texel of level 0, repeated.
    pub const POINT: Self = Self {
        wrap_u: Wrap::Repeat,
        wrap_v: Wrap::Repeat,
        filter: Filter::Point,
        mip_filter: MipFilter::None,
        lod_min: 0.0,
        lod_max: 15.0,
        lod_bias: 0.0,
        border: 0,
        mag_filter: None,
        max_anisotropy: 1,
        wrap_w: Wrap::Repeat,
        compare: None,
    };
    /// Four texels of level 0, repeated.
    pub const BILINEAR: Self = Self { filter: Filter::Bilinear, ..Self::POINT };
    /// Four texels of each of the two nearest levels, repeated.
    pub const TRILINEAR: Self = Self { mip_filter: MipFilter::Linear, ..Self::BILINEAR };
    /// Depths compared with the nearest four texels, the answers filtered: for shadow maps.
    pub const SHADOW: Self = Self {
        wrap_u: Wrap::Clamp,
        wrap_v: Wrap::Clamp,
        wrap_w: Wrap::Clamp,
        compare: Some(Compare::LessEqual),
        ..Self::BILINEAR
    };
    /// Up to sixteen trilinear samples along the longer axis of a pixel's footprint, repeated.
    pub const ANISOTROPIC: Self = Self { max_anisotropy: 16, ..Self::TRILINEAR };

    /// Whether every value has a meaning.
    ///
    /// # Errors
    /// The first that has none.
    pub fn check(&self) -> Result<(), SamplerError> {
        let Self { lod_min: min, lod_max: max, lod_bias, max_anisotropy, .. } = *self;
        if min.is_nan() || max.is_nan() || min > max {
            return Err(SamplerError::Limits { min, max });
        }
        if !lod_bias.is_finite() {
            return Err(SamplerError::Bias(lod_bias));
        }
        if !(1..=16).contains(&max_anisotropy) {
            return Err(SamplerError::Anisotropy(max_anisotropy));
        }
        let has_point = self.filter == Filter::Point || self.mag_filter == Some(Filter::Point);
        if max_anisotropy > 1 && has_point {
            return Err(SamplerError::AnisotropicPoint);
        }
        Ok(())
    }
}

/// Something a shader binds.
#[derive(Clone, Debug)]
pub enum Resource {
    /// `var<uniform>` or `var<storage, read>`.
    Buffer(Buffer),
    /// `var<storage, read_write>`, or `var<storage, read>` of what an earlier pass wrote.
    Storage(StorageBuffer),
    /// `texture_2d<f32>` and its neighbours, `texture_storage_2d<…>`.
    Texture(Texture),
    /// `sampler`.
    Sampler(Sampler),
    /// What was drawn into a surface, as a `texture_2d<f32>`, `texture_depth_2d` or `texture_multisampled_2d<f32>` of one level.
    Surface(Surface),
}

impl Resource {
    /// What it is, for messages.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Buffer(_) => "a buffer",
            Self::Storage(_) => "a writable buffer",
            Self::Texture(_) => "a texture",
            Self::Sampler(_) => "a sampler",
            Self::Surface(_) => "a surface",
        }
    }
}

impl Resource {
    /// Whether both are one writable buffer or one texture.
    pub fn shares_memory_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Storage(a), Self::Storage(b)) => a.is_same(b),
            (Self::Texture(a), Self::Texture(b)) => a.is_same(b),
            _ => false,
        }
    }
}

impl From<&Buffer> for Resource {
    fn from(buffer: &Buffer) -> Self {
        Self::Buffer(buffer.clone())
    }
}

impl From<&StorageBuffer> for Resource {
    fn from(buffer: &StorageBuffer) -> Self {
        Self::Storage(buffer.clone())
    }
}

impl From<&Texture> for Resource {
    fn from(texture: &Texture) -> Self {
        Self::Texture(texture.clone())
    }
}

impl From<Sampler> for Resource {
    fn from(sampler: Sampler) -> Self {
        Self::Sampler(sampler)
    }
}

impl From<&Surface> for Resource {
    fn from(surface: &Surface) -> Self {
        Self::Surface(surface.clone())
    }
}

/// The resources of a draw by (`@group`, `@binding`).
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    /// In the order they were bound; a later one replaces an earlier one at the same place.
    entries: Vec<((u32, u32), Resource)>,
}

impl Bindings {
    /// Nothing bound.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, with a resource at `@group(group) @binding(binding)`.
    pub fn with(mut self, group: u32, binding: u32, resource: impl Into<Resource>) -> Self {
        self.entries.retain(|(place, _)| *place != (group, binding));
        self.entries.push(((group, binding), resource.into()));
        self
    }

    /// The resource at a place.
    pub fn get(&self, group: u32, binding: u32) -> Option<&Resource> {
        self.entries.iter().find(|(place, _)| *place == (group, binding)).map(|(_, resource)| resource)
    }

    /// The same, every surface replaced by the picture that `picture_of` takes of it.
    pub fn with_pictures<E>(&self, mut picture_of: impl FnMut(&Surface) -> Result<Texture, E>) -> Result<Self, E> {
        let mut pictured = self.clone();
        for (_, resource) in &mut pictured.entries {
            if let Resource::Surface(surface) = resource {
                *resource = Resource::Texture(picture_of(surface)?);
            }
        }
        Ok(pictured)
    }

    /// Whether there is a surface among them.
    pub fn has_surfaces(&self) -> bool {
        self.entries.iter().any(|(_, resource)| matches!(resource, Resource::Surface(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samplers_without_a_meaning_are_refused_by_name() {
        #[track_caller]
        fn check(sampler: Sampler, expected: &str) {
            assert_eq!(sampler.check().expect_err("it has no meaning").to_string(), expected);
        }
        let good = Sampler::ANISOTROPIC;
        assert_eq!(good.check(), Ok(()));
        check(Sampler { lod_min: 2.0, lod_max: 1.0, ..good }, "the level of detail is limited to 2 to 1");
        check(Sampler { lod_max: f32::NAN, ..good }, "the level of detail is limited to 0 to NaN");
        check(Sampler { lod_bias: f32::INFINITY, ..good }, "the bias of the level of detail is inf");
        check(Sampler { max_anisotropy: 0, ..good }, "max_anisotropy is 0, it must be 1 to 16");
        check(Sampler { max_anisotropy: 17, ..good }, "max_anisotropy is 17, it must be 1 to 16");
        check(Sampler { mag_filter: Some(Filter::Point), ..good }, "max_anisotropy above 1 needs bilinear filters");
    }

    #[test]
    fn a_later_binding_replaces_an_earlier_one() {
        let first = Buffer::from_value(&1u32);
        let bindings = Bindings::new().with(0, 1, &first).with(0, 1, Sampler::POINT);
        assert_eq!(bindings.get(0, 1).map(Resource::kind), Some("a sampler"));
        assert!(bindings.get(1, 0).is_none());
    }
}
