//! What a shader reads: buffers, textures, samplers, and which of them stands at which `@group`, `@binding`.
//!
//! Before: a scene makes these once. After: `frame`, whose draws name them; the backends upload them.
//! A buffer and a texture are handles: a clone is the same resource, and a backend that has seen one before need not
//! upload it again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use texture::{Filter, Format, Image, Wrap};

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
    pub(crate) fn replace(&self, bytes: Vec<u8>) {
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

/// A picture with its mip levels, to be sampled.
#[derive(Clone, Debug)]
pub struct Texture {
    image: Arc<Image>,
}

impl Texture {
    /// A texture of this image and all its levels.
    pub fn new(image: Image) -> Self {
        Self { image: Arc::new(image) }
    }

    /// Texels of zero, of a size that a surface has: one level.
    pub(crate) fn blank((width, height): (u32, u32)) -> Self {
        Self::new(Image::blank(Format::A8R8G8B8, width, height, 1).expect("surfaces are smaller than images can be"))
    }

    /// The shown words 0xAARRGGBB of a surface, row after row.
    pub(crate) fn of_words((width, height): (u32, u32), words: &[u32]) -> Self {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Self::new(Image::new(Format::A8R8G8B8, width, height, bytes).expect("as many words as the surface has pixels"))
    }

    /// Its texels.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// The shared image: two handles of one texture give pointers to one image.
    pub(crate) fn shared(&self) -> &Arc<Image> {
        &self.image
    }
}

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
    /// How texels of one level make one colour, at every size.
    pub filter: Filter,
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
    };
    /// Four texels of level 0, repeated.
    pub const BILINEAR: Self = Self { filter: Filter::Bilinear, ..Self::POINT };
    /// Four texels of each of the two nearest levels, repeated.
    pub const TRILINEAR: Self = Self { mip_filter: MipFilter::Linear, ..Self::BILINEAR };
}

/// Something a shader binds.
#[derive(Clone, Debug)]
pub enum Resource {
    /// `var<uniform>` or `var<storage, read>`.
    Buffer(Buffer),
    /// `var<storage, read_write>`, or `var<storage, read>` of what an earlier pass wrote.
    Storage(StorageBuffer),
    /// `texture_2d<f32>`.
    Texture(Texture),
    /// `sampler`.
    Sampler(Sampler),
    /// What was drawn into a surface, as a `texture_2d<f32>` of one level.
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
    fn a_later_binding_replaces_an_earlier_one() {
        let first = Buffer::from_value(&1u32);
        let bindings = Bindings::new().with(0, 1, &first).with(0, 1, Sampler::POINT);
        assert_eq!(bindings.get(0, 1).map(Resource::kind), Some("a sampler"));
        assert!(bindings.get(1, 0).is_none());
    }
}
