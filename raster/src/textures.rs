//! Textures: an image, what a shader takes it for, and the changes made to it since it was made.
//!
//! Before: an image. After: `bound`, which holds it against what a shader declares; the device copies it once and then only what changes.

use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use shaders::texture_calls::TextureDimension;
use texture::{Format, Image, Region, UpdateError};

use crate::format::ColorFormat;
use crate::surface::{Contents as SurfaceContents, Samples, Surface, SurfaceFormat};

/// Changes that are remembered; a copy that is older is made anew.
const REMEMBERED_CHANGES: usize = 64;

/// A picture with its mip levels, or several, to be sampled. A handle: a clone is the same texture.
#[derive(Clone, Debug)]
pub struct Texture {
    shared: Arc<Shared>,
}

/// What all clones share.
#[derive(Debug)]
pub(crate) struct Shared {
    dimension: TextureDimension,
    contents: RwLock<Contents>,
}

#[derive(Debug)]
struct Contents {
    image: Arc<Image>,
    /// How often the image has changed.
    version: u64,
    /// The bytes that the last changes touched, the latest last.
    changes: Vec<Range<usize>>,
}

/// Why an image cannot be a texture of some kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextureError {
    /// It has layers, and the kind has not, or not so many.
    #[error("{} of {layers} layers: it has {needed}", .dimension.wgsl())]
    Layers {
        /// The kind.
        dimension: TextureDimension,
        /// Layers of the image.
        layers: u32,
        /// What it may have.
        needed: &'static str,
    },
    /// Faces of a cube are squares, a one-dimensional texture is one row.
    #[error("{} of {width} × {height} texels: {needed}", .dimension.wgsl())]
    Size {
        /// The kind.
        dimension: TextureDimension,
        /// Columns of the image.
        width: u32,
        /// Rows of the image.
        height: u32,
        /// What is needed.
        needed: &'static str,
    },
}

impl Texture {
    /// A texture of this image and all its levels: `texture_2d`, or `texture_2d_array` if it has several layers.
    pub fn new(image: Image) -> Self {
        let dimension = if image.layers == 1 { TextureDimension::D2 } else { TextureDimension::D2Array };
        Self::of(image, dimension)
    }

    /// What a shader reads of a surface of zero words.
    pub(crate) fn blank_of(surface: &Surface) -> Self {
        let (width, height) = surface.size();
        let image = Image::blank_layers(format_of(surface), width, height, 1, surface.samples().count());
        Self::of(image.expect("surfaces are smaller than images can be"), dimension_of(surface))
    }

    /// What a shader reads of a surface: its samples are layers. Encoded colours are decoded when they are sampled; depths are
    /// `f32`, without stencil.
    pub(crate) fn of_contents(surface: &Surface, contents: &SurfaceContents) -> Self {
        let word_of = |word: u32| match surface.format() {
            SurfaceFormat::Color(_) => word,
            SurfaceFormat::Depth(depth) => depth.depth_of(word).to_bits(),
        };
        let samples = surface.samples().count() as usize;
        let pictures: Vec<_> = contents.planes[..samples]
            .iter()
            .map(|plane| {
                let bytes = plane.iter().flat_map(|word| word_of(*word).to_le_bytes()).collect();
                Image::new(format_of(surface), contents.width, contents.height, bytes).expect("a word for each pixel")
            })
            .collect();
        let image = Image::from_layers(&pictures).expect("all samples have one size");
        Self::of(image, dimension_of(surface))
    }

    /// A texture of a kind. The layers of a volume are its slices, of whose levels the first half, quarter and so on count; those of
    /// a multisampled texture are its samples.
    ///
    /// # Errors
    /// The image has not the size or the layers that the kind needs.
    pub fn of_kind(image: Image, dimension: TextureDimension) -> Result<Self, TextureError> {
        let (width, height, layers) = (image.width(), image.height(), image.layers);
        let (has_layers, needed) = match dimension {
            TextureDimension::D1 | TextureDimension::D2 => (layers == 1, "one"),
            TextureDimension::D2Array | TextureDimension::D3 => (true, "any number"),
            TextureDimension::D2Multisampled => (layers == Samples::Four.count(), "four, one for each sample"),
            TextureDimension::Cube => (layers == 6, "six, one for each face"),
            TextureDimension::CubeArray => (layers.is_multiple_of(6), "six for each cube"),
        };
        if !has_layers {
            return Err(TextureError::Layers { dimension, layers, needed });
        }
        let (has_size, needed) = match dimension {
            TextureDimension::D1 => (height == 1, "it has one row"),
            TextureDimension::Cube | TextureDimension::CubeArray => (width == height, "its faces are squares"),
            TextureDimension::D2Multisampled => (image.levels.len() == 1, "it has one level"),
            TextureDimension::D2 | TextureDimension::D2Array | TextureDimension::D3 => (true, ""),
        };
        if !has_size {
            return Err(TextureError::Size { dimension, width, height, needed });
        }
        Ok(Self::of(image, dimension))
    }

    fn of(image: Image, dimension: TextureDimension) -> Self {
        let contents = Contents { image: Arc::new(image), version: 0, changes: Vec::new() };
        Self { shared: Arc::new(Shared { dimension, contents: RwLock::new(contents) }) }
    }

    /// What a shader takes it for.
    pub fn dimension(&self) -> TextureDimension {
        self.shared.dimension
    }

    /// Its texels as they are now.
    pub fn image(&self) -> Arc<Image> {
        Arc::clone(&self.contents().image)
    }

    /// Replaces a rectangle of a level of a layer, for all frames drawn from now on; `bytes` are texels in the format of the image, row by
    /// row from the top. Other levels stay as they are.
    ///
    /// # Errors
    /// What [`Image::update`] refuses; then nothing has changed.
    pub fn update(&self, region: Region, bytes: &[u8]) -> Result<(), UpdateError> {
        let mut contents = self.shared.contents.write().unwrap_or_else(PoisonError::into_inner);
        let changed = Arc::make_mut(&mut contents.image).update(region, bytes)?;
        if !changed.is_empty() {
            contents.version += 1;
            if contents.changes.len() == REMEMBERED_CHANGES {
                contents.changes.remove(0);
            }
            contents.changes.push(changed);
        }
        Ok(())
    }

    /// Replaces its bytes by as many that shaders have written; gives the new version.
    pub(crate) fn replace(&self, bytes: Vec<u8>) -> u64 {
        let mut contents = self.shared.contents.write().unwrap_or_else(PoisonError::into_inner);
        if contents.image.bytes != bytes {
            let end = bytes.len();
            Arc::make_mut(&mut contents.image).bytes = bytes;
            contents.version += 1;
            if contents.changes.len() == REMEMBERED_CHANGES {
                contents.changes.remove(0);
            }
            contents.changes.push(0..end);
        }
        contents.version
    }

    /// Whether two handles are the same texture.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    fn contents(&self) -> RwLockReadGuard<'_, Contents> {
        // A writer that panicked has left the image as it was or with some rows changed; both are images.
        self.shared.contents.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// What all clones share: two handles of one texture give pointers to one place.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The image, how often it has changed, and the bytes that have changed since it was at `version`: `None` if that is not known
    /// any more.
    pub(crate) fn changes_since(&self, version: u64) -> (Arc<Image>, u64, Option<Vec<Range<usize>>>) {
        let contents = self.contents();
        let missed = usize::try_from(contents.version - version).unwrap_or(usize::MAX);
        let first = contents.changes.len().checked_sub(missed);
        let changes = first.map(|first| contents.changes[first..].to_vec());
        (Arc::clone(&contents.image), contents.version, changes)
    }
}

fn format_of(surface: &Surface) -> Format {
    match surface.format() {
        SurfaceFormat::Color(ColorFormat::Rgba8Srgb) => Format::A8R8G8B8Srgb,
        SurfaceFormat::Color(ColorFormat::Rgba8) => Format::A8R8G8B8,
        SurfaceFormat::Color(ColorFormat::Rgba8Uint) => Format::Rgba8Uint,
        SurfaceFormat::Color(ColorFormat::Rgba8Sint) => Format::Rgba8Sint,
        SurfaceFormat::Color(ColorFormat::R32Uint) => Format::R32Uint,
        SurfaceFormat::Color(ColorFormat::R32Sint) => Format::R32Sint,
        SurfaceFormat::Depth(_) => Format::R32Float,
    }
}

fn dimension_of(surface: &Surface) -> TextureDimension {
    match surface.samples() {
        Samples::One => TextureDimension::D2,
        Samples::Four => TextureDimension::D2Multisampled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture() -> Texture {
        Texture::new(Image::blank(Format::L8, 4, 4, 1).expect("it is small"))
    }

    const DOT: Region = Region { layer: 0, level: 0, x: 1, y: 2, width: 1, height: 1 };

    #[test]
    fn a_clone_sees_the_change_and_an_image_taken_before_does_not() {
        let texture = texture();
        let (clone, before) = (texture.clone(), texture.image());
        texture.update(DOT, &[7]).expect("it lies inside");
        assert_eq!(clone.image().bytes[9], 7);
        assert_eq!(before.bytes[9], 0);
        let far = Region { x: 4, ..DOT };
        assert!(matches!(texture.update(far, &[8]), Err(UpdateError::Extent { .. })));
        assert_eq!(clone.image().bytes[9], 7);
    }

    #[test]
    fn changes_are_remembered_for_a_while() {
        let texture = texture();
        texture.update(DOT, &[7]).expect("it lies inside");
        texture.update(Region { x: 3, ..DOT }, &[8]).expect("it lies inside");
        let (_, version, changes) = texture.changes_since(0);
        assert_eq!((version, changes.clone()), (2, Some(vec![9..10, 11..12])));
        assert_eq!(texture.changes_since(1).2.as_deref(), Some(&changes.expect("both are known")[1..]));
        assert_eq!(texture.changes_since(2).2, Some(vec![]));
        for _ in 0..REMEMBERED_CHANGES {
            texture.update(DOT, &[9]).expect("it lies inside");
        }
        assert_eq!(texture.changes_since(1).2, None);
        assert_eq!(texture.changes_since(2).2.map(|changes| changes.len()), Some(REMEMBERED_CHANGES));
    }

    #[test]
    fn a_kind_asks_for_its_size_and_layers() {
        #[track_caller]
        fn check(dimension: TextureDimension, size: [u32; 3], expected: &str) {
            let image = Image::blank_layers(Format::L8, size[0], size[1], 1, size[2]).expect("it is small");
            let error = Texture::of_kind(image, dimension).expect_err("it is wrong");
            assert_eq!(error.to_string(), expected);
        }
        check(TextureDimension::D2, [4, 4, 2], "texture_2d of 2 layers: it has one");
        check(TextureDimension::D1, [4, 2, 1], "texture_1d of 4 × 2 texels: it has one row");
        check(TextureDimension::Cube, [4, 4, 5], "texture_cube of 5 layers: it has six, one for each face");
        check(TextureDimension::Cube, [4, 3, 6], "texture_cube of 4 × 3 texels: its faces are squares");
        let samples = "texture_multisampled_2d of 2 layers: it has four, one for each sample";
        check(TextureDimension::D2Multisampled, [4, 4, 2], samples);
        check(TextureDimension::CubeArray, [4, 4, 9], "texture_cube_array of 9 layers: it has six for each cube");
    }
}
