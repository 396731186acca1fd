//! Images: texels of one format with their levels, laid out as they will lie in device memory.
//!
//! Before: a loader or a drawing function. After: `mipmap` adds levels; [`Image::stage`] describes the upload.

use crate::format::Format;
use crate::stage::{MAX_LAYERS, MAX_LEVELS, MAX_SIZE, Sampling, Stage, StageError, level_count, level_extent};

/// Every level starts at a multiple of this many bytes: a cache line.
const LEVEL_ALIGNMENT: u64 = 64;

/// Where one level lies in the bytes of its image.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// Byte of the texel at (0, 0). Rows follow each other without padding.
    pub offset: u32,
}

/// A picture with one or more levels, or several such pictures of one size. Row 0 is the top, at v = 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// What the bytes mean.
    pub format: Format,
    /// Largest first; each half the size of the one before.
    pub levels: Vec<Level>,
    /// Pictures: elements of an array, or six faces for each cube in the order +x, −x, +y, −y, +z, −z.
    pub layers: u32,
    /// Bytes from a layer to the next; each has all levels.
    pub layer_stride: u32,
    /// All layers, ready to be copied to device memory.
    pub bytes: Vec<u8>,
}

/// Why an image cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// Zero or too large.
    #[error("an image of {width} × {height} texels: each side must be 1 to {MAX_SIZE}")]
    Size {
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
    },
    /// None, or more than a sample can name.
    #[error("an image of {layers} layers: there must be 1 to {MAX_LAYERS}")]
    LayerCount {
        /// Layers asked for.
        layers: u32,
    },
    /// Pictures that cannot be layers of one image.
    #[error("layer {layer} differs from layer 0 in size, format, or number of levels, or has layers itself")]
    LayersDiffer {
        /// The first that differs.
        layer: u32,
    },
    /// Integers have no average.
    #[error("format {format:?} holds integers, which are neither filtered nor reduced to smaller levels")]
    NotFilterable {
        /// The format.
        format: Format,
    },
    /// More bytes than 32-bit offsets reach.
    #[error(
        "an image of {width} × {height} texels in {levels} levels and all its layers has {bytes} bytes: at most {} fit",
        u32::MAX
    )]
    TooManyBytes {
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
        /// Levels asked for.
        levels: u32,
        /// Bytes of all levels.
        bytes: u64,
    },
    /// The bytes given do not fill the picture exactly.
    #[error("an image of {width} × {height} texels in format {format:?} has {expected} bytes, not {given}")]
    ByteCount {
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
        /// Of the bytes.
        format: Format,
        /// Bytes of that many texels.
        expected: u64,
        /// Bytes given.
        given: u64,
    },
}

impl Image {
    /// A picture of one level from its texels, row by row from the top.
    ///
    /// # Errors
    /// A side of 0 or beyond [`MAX_SIZE`], or a number of bytes other than width · height · bytes of a texel.
    pub fn new(format: Format, width: u32, height: u32, bytes: Vec<u8>) -> Result<Self, ImageError> {
        let (levels, layer_stride, _) = layout(format, width, height, 1, 1)?;
        let expected = u64::from(width) * u64::from(height) * u64::from(format.bytes());
        if bytes.len() as u64 != expected {
            return Err(ImageError::ByteCount { width, height, format, expected, given: bytes.len() as u64 });
        }
        Ok(Self { format, levels, layers: 1, layer_stride, bytes })
    }

    /// A picture of one level whose colours `0xAARRGGBB` a function of (x, y) gives, each packed to the nearest texel.
    ///
    /// # Errors
    /// A side of 0 or beyond [`MAX_SIZE`].
    pub fn from_fn(
        format: Format,
        width: u32,
        height: u32,
        mut color: impl FnMut(u32, u32) -> u32,
    ) -> Result<Self, ImageError> {
        let mut image = Self::blank(format, width, height, 1)?;
        for y in 0..height {
            for x in 0..width {
                image.set_color(0, x, y, color(x, y));
            }
        }
        Ok(image)
    }

    /// A picture of zero bytes with the first `levels` levels of its chain (more than there are act as all of them).
    ///
    /// # Errors
    /// A side of 0 or beyond [`MAX_SIZE`], or more than 4 GiB.
    pub fn blank(format: Format, width: u32, height: u32, levels: u32) -> Result<Self, ImageError> {
        Self::blank_layers(format, width, height, levels, 1)
    }

    /// As many such pictures.
    ///
    /// # Errors
    /// As [`Image::blank`], or no layer, or more than [`MAX_LAYERS`].
    pub fn blank_layers(format: Format, width: u32, height: u32, levels: u32, layers: u32) -> Result<Self, ImageError> {
        let (levels, layer_stride, bytes) = layout(format, width, height, levels, layers)?;
        Ok(Self { format, levels, layers, layer_stride, bytes: vec![0; bytes as usize] })
    }

    /// One image whose layers are these pictures.
    ///
    /// # Errors
    /// No picture, or more than [`MAX_LAYERS`], or one that differs from the first in size, format or number of levels.
    pub fn from_layers(pictures: &[Self]) -> Result<Self, ImageError> {
        let count = u32::try_from(pictures.len()).unwrap_or(u32::MAX);
        let first = pictures.first().ok_or(ImageError::LayerCount { layers: 0 })?;
        let differs = |other: &Self| other.layers != 1 || other.format != first.format || other.levels != first.levels;
        if let Some(layer) = pictures.iter().position(differs) {
            return Err(ImageError::LayersDiffer { layer: layer as u32 });
        }
        let (width, height, levels) = (first.width(), first.height(), first.levels.len() as u32);
        let mut image = Self::blank_layers(first.format, width, height, levels, count)?;
        // A single layer has no stride.
        let stride = if count == 1 { image.bytes.len() } else { image.layer_stride as usize };
        for (picture, layer) in pictures.iter().zip(image.bytes.chunks_mut(stride.max(1))) {
            let bytes = picture.bytes.len().min(layer.len());
            layer[..bytes].copy_from_slice(&picture.bytes[..bytes]);
        }
        Ok(image)
    }

    /// Texels across the largest level.
    pub fn width(&self) -> u32 {
        self.levels[0].width
    }

    /// Texels down the largest level.
    pub fn height(&self) -> u32 {
        self.levels[0].height
    }

    /// The colour `0xAARRGGBB` of one texel of layer 0, as [`Format::expand`] gives it; for narrow formats and sRGB.
    ///
    /// # Panics
    /// When the level or the texel does not exist: an index of the caller's, like a slice's.
    pub fn color(&self, level: usize, x: u32, y: u32) -> u32 {
        self.layer_color(0, level, x, y)
    }

    /// The same in any layer.
    ///
    /// # Panics
    /// When the layer, the level or the texel does not exist.
    pub fn layer_color(&self, layer: u32, level: usize, x: u32, y: u32) -> u32 {
        let range = self.texel_range(layer, level, x, y);
        let mut raw = [0; 4];
        let bytes = range.len().min(4);
        raw[..bytes].copy_from_slice(&self.bytes[range][..bytes]);
        self.format.expand(u32::from_le_bytes(raw))
    }

    /// Sets one texel of layer 0 to the one nearest to a colour `0xAARRGGBB`; for narrow formats and sRGB.
    ///
    /// # Panics
    /// When the level or the texel does not exist.
    pub fn set_color(&mut self, level: usize, x: u32, y: u32, color: u32) {
        self.set_layer_color(0, level, x, y, color);
    }

    /// The same in any layer.
    ///
    /// # Panics
    /// When the layer, the level or the texel does not exist.
    pub fn set_layer_color(&mut self, layer: u32, level: usize, x: u32, y: u32, color: u32) {
        let range = self.texel_range(layer, level, x, y);
        let raw = self.format.pack(color).to_le_bytes();
        let texel = &mut self.bytes[range];
        let bytes = texel.len().min(4);
        texel[..bytes].copy_from_slice(&raw[..bytes]);
    }

    /// Bits of the four channels of a texel: `f32`, linear for sRGB, or integers.
    ///
    /// # Panics
    /// When the layer, the level or the texel does not exist.
    pub fn channels(&self, layer: u32, level: usize, x: u32, y: u32) -> [u32; 4] {
        self.format.decode(&self.bytes[self.texel_range(layer, level, x, y)])
    }

    /// Sets a texel to the one nearest to four channels, as [`Format::encode`] finds it.
    ///
    /// # Panics
    /// When the layer, the level or the texel does not exist.
    pub fn set_channels(&mut self, layer: u32, level: usize, x: u32, y: u32, channels: [u32; 4]) {
        let range = self.texel_range(layer, level, x, y);
        let texel = self.format.encode(channels);
        let bytes = range.len();
        self.bytes[range].copy_from_slice(&texel[..bytes]);
    }

    /// The stage registers for this picture once `bytes` lie at device address `address`.
    ///
    /// # Errors
    /// When the bytes at that address would leave the 32-bit space or the texels would be misaligned; or the picture's public
    /// fields have been changed into something no stage can describe.
    pub fn stage(&self, address: u32, sampling: Sampling) -> Result<Stage, StageError> {
        let mut mip_offsets = [0; MAX_LEVELS];
        for (offset, level) in mip_offsets.iter_mut().zip(&self.levels) {
            *offset = level.offset;
        }
        let (width, height) = self.levels.first().map_or((0, 0), |level| (level.width, level.height));
        let stage = Stage {
            address,
            width,
            height,
            levels: self.levels.len() as u32,
            format: self.format,
            filter: sampling.filter,
            wrap_u: sampling.wrap_u,
            wrap_v: sampling.wrap_v,
            border: self.format.limited_to_channels(sampling.border),
            mip_offsets,
            layers: self.layers,
            layer_stride: self.layer_stride,
        };
        stage.validate()?;
        Ok(stage)
    }

    /// The fetch of `texture::sample` for a picture that was not uploaded: bytes at addresses from 0, for stages made with
    /// `stage(0, …)`. Bytes beyond the end read as zero.
    pub fn fetch(&self, address: u32, bytes: u32) -> u32 {
        let mut raw = [0; 4];
        for (index, byte) in raw.iter_mut().enumerate().take(bytes as usize) {
            *byte = self.bytes.get(address as usize + index).copied().unwrap_or(0);
        }
        u32::from_le_bytes(raw)
    }

    /// Where a texel's bytes lie.
    ///
    /// # Panics
    /// When the layer, the level or the texel does not exist.
    pub(crate) fn texel_range(&self, layer: u32, level: usize, x: u32, y: u32) -> std::ops::Range<usize> {
        let Level { width, height, offset } = self.levels[level];
        assert!(x < width && y < height, "texel ({x}, {y}) of a level of {width} × {height}");
        assert!(layer < self.layers, "layer {layer} of {}", self.layers);
        let texel_bytes = self.format.bytes() as usize;
        let start = layer as usize * self.layer_stride as usize + offset as usize;
        let start = start + (y as usize * width as usize + x as usize) * texel_bytes;
        start..start + texel_bytes
    }
}

/// Where the first `levels` levels lie, one after the other, the bytes from a layer to the next, and the bytes of all layers.
fn layout(
    format: Format,
    width: u32,
    height: u32,
    levels: u32,
    layers: u32,
) -> Result<(Vec<Level>, u32, u32), ImageError> {
    if !(1..=MAX_SIZE).contains(&width) || !(1..=MAX_SIZE).contains(&height) {
        return Err(ImageError::Size { width, height });
    }
    if !(1..=MAX_LAYERS).contains(&layers) {
        return Err(ImageError::LayerCount { layers });
    }
    let levels = levels.clamp(1, level_count(width, height));
    let mut end = 0u64;
    let mut placed = Vec::new();
    for level in 0..levels {
        let offset = end.next_multiple_of(LEVEL_ALIGNMENT);
        let (width, height) = (level_extent(width, level), level_extent(height, level));
        end = offset + u64::from(width) * u64::from(height) * u64::from(format.bytes());
        placed.push((width, height, offset));
    }
    let stride = end.next_multiple_of(LEVEL_ALIGNMENT);
    let all = u64::from(layers - 1) * stride + end;
    let bytes = u32::try_from(all).map_err(|_| ImageError::TooManyBytes { width, height, levels, bytes: all })?;
    // Every offset is at most the end, which fits; the stride of a single layer leads nowhere.
    let stride = if layers == 1 { 0 } else { stride as u32 };
    let placed = placed.into_iter().map(|(width, height, offset)| Level { width, height, offset: offset as u32 });
    Ok((placed.collect(), stride, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_survive_each_format_that_can_hold_them() {
        for format in Format::NARROW {
            let mut image = Image::blank(format, 3, 2, u32::MAX).expect("it is small");
            let color = format.expand(0x1234_5678 >> (32 - 8 * format.bytes()));
            image.set_color(0, 2, 1, color);
            assert_eq!(image.color(0, 2, 1), color, "{format:?}");
            assert_eq!(image.color(0, 1, 1), format.expand(0), "{format:?}: the neighbour is untouched");
        }
    }

    #[test]
    fn bytes_from_a_file_are_red_first() {
        let image = Image::new(Format::Rgba8, 2, 1, vec![1, 2, 3, 4, 5, 6, 7, 8]).expect("eight bytes");
        assert_eq!(image.color(0, 0, 0), 0x0401_0203);
        assert_eq!(image.color(0, 1, 0), 0x0805_0607);
    }

    #[test]
    fn sizes_and_byte_counts_are_checked() {
        let wrong = |width, height, bytes| Image::new(Format::Rgba8, width, height, vec![0; bytes]).expect_err("wrong");
        assert_eq!(wrong(0, 4, 0), ImageError::Size { width: 0, height: 4 });
        assert_eq!(wrong(MAX_SIZE + 1, 1, 0), ImageError::Size { width: MAX_SIZE + 1, height: 1 });
        assert_eq!(wrong(2, 2, 15).to_string(), "an image of 2 × 2 texels in format Rgba8 has 16 bytes, not 15");
        // 4 GiB is one byte too many for 32-bit offsets: refused before anything is allocated.
        let huge = Image::blank(Format::Rgba8, MAX_SIZE, MAX_SIZE, 1).expect_err("too large");
        assert!(matches!(huge, ImageError::TooManyBytes { bytes: 0x1_0000_0000, .. }));
    }

    #[test]
    fn levels_start_on_cache_lines_and_do_not_overlap() {
        let image = Image::blank(Format::L8, 13, 7, u32::MAX).expect("it is small");
        let layout: Vec<_> = image.levels.iter().map(|level| (level.width, level.height, level.offset)).collect();
        assert_eq!(layout, [(13, 7, 0), (6, 3, 128), (3, 1, 192), (1, 1, 256)]);
        assert_eq!(image.bytes.len(), 257);
    }

    #[test]
    fn the_stage_describes_the_upload() {
        let image = Image::blank(Format::Rg8, 13, 7, u32::MAX).expect("it is small");
        let sampling = Sampling { wrap_v: crate::Wrap::Mirror, border: 0x0012_3456, ..Sampling::default() };
        let stage = image.stage(0x1_0000, sampling).expect("it fits");
        assert_eq!((stage.address, stage.width, stage.height, stage.levels), (0x1_0000, 13, 7, 4));
        assert_eq!((stage.format, stage.wrap_v, stage.border), (Format::Rg8, crate::Wrap::Mirror, 0xff12_3400));
        assert_eq!(stage.mip_offsets[..5], [0, 192, 256, 320, 0]);
        assert!(matches!(image.stage(u32::MAX - 63, sampling), Err(StageError::AddressOverflow { .. })));
        assert!(matches!(image.stage(1, sampling), Err(StageError::Misaligned { .. })));
        let emptied = Image { levels: Vec::new(), ..image };
        assert!(matches!(emptied.stage(0, sampling), Err(StageError::Size { width: 0, .. })));
    }

    #[test]
    fn layers_have_chains_of_their_own() {
        let mut image = Image::blank_layers(Format::L8, 13, 7, u32::MAX, 3).expect("it is small");
        assert_eq!((image.layer_stride, image.bytes.len()), (320, 2 * 320 + 257));
        image.set_layer_color(2, 3, 0, 0, 0xff12_1212);
        assert_eq!(image.bytes[2 * 320 + 256], 0x12);
        assert_eq!(image.layer_color(2, 3, 0, 0), 0xff12_1212);
        let stage = image.stage(64, Sampling::default()).expect("it fits");
        assert_eq!((stage.layers, stage.layer_stride), (3, 320));
        let layers = |count| Image::blank_layers(Format::L8, 2, 2, 1, count).expect_err("wrong").to_string();
        assert_eq!(layers(0), "an image of 0 layers: there must be 1 to 2048");
        assert_eq!(layers(2049), "an image of 2049 layers: there must be 1 to 2048");
    }

    #[test]
    fn pictures_become_layers() {
        let picture = |side, color| Image::from_fn(Format::Rgba8, side, side, |_, _| color).expect("it is small");
        let with_levels = |color| picture(4, color).with_mipmaps().expect("it is small");
        let image = Image::from_layers(&[with_levels(1), with_levels(2)]).expect("they are alike");
        assert_eq!([image.layer_color(0, 2, 0, 0), image.layer_color(1, 2, 0, 0)], [1, 2]);
        assert_eq!([image.layer_color(0, 0, 3, 3), image.layer_color(1, 0, 3, 3)], [1, 2]);
        assert_eq!(Image::from_layers(&[picture(4, 1)]), Ok(picture(4, 1)), "one layer is the picture");
        let differs = Err(ImageError::LayersDiffer { layer: 1 });
        assert_eq!(Image::from_layers(&[picture(4, 1), picture(5, 1)]), differs);
        assert_eq!(Image::from_layers(&[picture(4, 1), with_levels(1)]), differs);
        assert_eq!(Image::from_layers(&[]), Err(ImageError::LayerCount { layers: 0 }));
    }

    #[test]
    fn fetching_beyond_the_end_reads_zero() {
        let image = Image::new(Format::L8, 2, 1, vec![1, 2]).expect("two bytes");
        assert_eq!(image.fetch(0, 2), 0x0201);
        assert_eq!(image.fetch(1, 4), 2);
        assert_eq!(image.fetch(u32::MAX, 4), 0);
    }
}
