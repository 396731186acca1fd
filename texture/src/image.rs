//! Images: texels of one format with their levels, laid out as they will lie in device memory.
//!
//! Before: a loader or a drawing function. After: `mipmap` adds levels; [`Image::stage`] describes the upload.

use crate::format::Format;
use crate::stage::{MAX_LEVELS, MAX_SIZE, Sampling, Stage, StageError, level_count, level_extent};

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

/// A picture with one or more levels. Row 0 is the top, at v = 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// What the bytes mean.
    pub format: Format,
    /// Largest first; each half the size of the one before.
    pub levels: Vec<Level>,
    /// All levels, ready to be copied to device memory.
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
    /// More bytes than 32-bit offsets reach.
    #[error("an image of {width} × {height} texels in {levels} levels has {bytes} bytes: at most {} fit", u32::MAX)]
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
        let levels = layout(format, width, height, 1)?.0;
        let expected = u64::from(width) * u64::from(height) * u64::from(format.bytes());
        if bytes.len() as u64 != expected {
            return Err(ImageError::ByteCount { width, height, format, expected, given: bytes.len() as u64 });
        }
        Ok(Self { format, levels, bytes })
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
        let (levels, bytes) = layout(format, width, height, levels)?;
        Ok(Self { format, levels, bytes: vec![0; bytes as usize] })
    }

    /// Texels across the largest level.
    pub fn width(&self) -> u32 {
        self.levels[0].width
    }

    /// Texels down the largest level.
    pub fn height(&self) -> u32 {
        self.levels[0].height
    }

    /// The colour `0xAARRGGBB` of one texel.
    ///
    /// # Panics
    /// When the level or the texel does not exist: an index of the caller's, like a slice's.
    pub fn color(&self, level: usize, x: u32, y: u32) -> u32 {
        let range = self.texel_range(level, x, y);
        let mut raw = [0; 4];
        raw[..range.len()].copy_from_slice(&self.bytes[range]);
        self.format.expand(u32::from_le_bytes(raw))
    }

    /// Sets one texel to the one nearest to a colour `0xAARRGGBB`.
    ///
    /// # Panics
    /// When the level or the texel does not exist.
    pub fn set_color(&mut self, level: usize, x: u32, y: u32, color: u32) {
        let range = self.texel_range(level, x, y);
        let raw = self.format.pack(color).to_le_bytes();
        let texel = &mut self.bytes[range];
        texel.copy_from_slice(&raw[..texel.len()]);
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
            border: sampling.border,
            mip_offsets,
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

    fn texel_range(&self, level: usize, x: u32, y: u32) -> std::ops::Range<usize> {
        let Level { width, height, offset } = self.levels[level];
        assert!(x < width && y < height, "texel ({x}, {y}) of a level of {width} × {height}");
        let texel_bytes = self.format.bytes() as usize;
        let start = offset as usize + (y as usize * width as usize + x as usize) * texel_bytes;
        start..start + texel_bytes
    }
}

/// Where the first `levels` levels lie, one after the other, and how many bytes they take together.
fn layout(format: Format, width: u32, height: u32, levels: u32) -> Result<(Vec<Level>, u32), ImageError> {
    if !(1..=MAX_SIZE).contains(&width) || !(1..=MAX_SIZE).contains(&height) {
        return Err(ImageError::Size { width, height });
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
    let bytes = u32::try_from(end).map_err(|_| ImageError::TooManyBytes { width, height, levels, bytes: end })?;
    // Every offset is at most the end, which fits.
    let placed = placed.into_iter().map(|(width, height, offset)| Level { width, height, offset: offset as u32 });
    Ok((placed.collect(), bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_survive_each_format_that_can_hold_them() {
        for format in Format::ALL {
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
        let sampling = Sampling { wrap_v: crate::Wrap::Mirror, border: 7, ..Sampling::default() };
        let stage = image.stage(0x1_0000, sampling).expect("it fits");
        assert_eq!((stage.address, stage.width, stage.height, stage.levels), (0x1_0000, 13, 7, 4));
        assert_eq!((stage.format, stage.wrap_v, stage.border), (Format::Rg8, crate::Wrap::Mirror, 7));
        assert_eq!(stage.mip_offsets[..5], [0, 192, 256, 320, 0]);
        assert!(matches!(image.stage(u32::MAX - 63, sampling), Err(StageError::AddressOverflow { .. })));
        assert!(matches!(image.stage(1, sampling), Err(StageError::Misaligned { .. })));
        let emptied = Image { levels: Vec::new(), ..image };
        assert!(matches!(emptied.stage(0, sampling), Err(StageError::Size { width: 0, .. })));
    }

    #[test]
    fn fetching_beyond_the_end_reads_zero() {
        let image = Image::new(Format::L8, 2, 1, vec![1, 2]).expect("two bytes");
        assert_eq!(image.fetch(0, 2), 0x0201);
        assert_eq!(image.fetch(1, 4), 2);
        assert_eq!(image.fetch(u32::MAX, 4), 0);
    }
}
