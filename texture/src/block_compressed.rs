//! Block-compressed pictures, BC1 to BC3: decoded when an image is made, so that stages and samplers know texels only.
//!
//! Before: a file's blocks of 4 × 4 texels. After: an [`Image`] of 4 bytes a texel. A picture whose sides are no multiples of 4 has whole
//! blocks all the same; what lies beyond its edges is dropped. The crate `bcdec_rs` decodes a block (a port of `bcdec` without
//! dependencies and without `unsafe`).
//! Source of the layout: Khronos Data Format specification, "S3TC Compressed Texture Image Formats".

use crate::format::Format;
use crate::image::{Image, ImageError};
use crate::stage::{MAX_SIZE, level_count, level_extent};

/// Texels along each side of a block.
const SIDE: u32 = 4;

/// How a block holds its texels.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum BlockFormat {
    /// 8 bytes: colour, and alpha 0 or 255.
    Bc1,
    /// 16 bytes: four bits of alpha for each texel, colour.
    Bc2,
    /// 16 bytes: alpha between two values, colour.
    Bc3,
}

impl BlockFormat {
    /// Bytes of a block.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Bc1 => 8,
            Self::Bc2 | Self::Bc3 => 16,
        }
    }

    /// Bytes of a picture of one level.
    pub fn picture_bytes(self, width: u32, height: u32) -> u64 {
        u64::from(width.div_ceil(SIDE)) * u64::from(height.div_ceil(SIDE)) * u64::from(self.bytes())
    }
}

/// What the channels of the decoded texels mean.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Linear: the image is [`Format::Rgba8`].
    Linear,
    /// Colour is sRGB: the image is [`Format::Rgba8Srgb`].
    Srgb,
}

/// Why blocks are no picture. Every block of the right length is one, so this is all that damage can do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// The size is out of range.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// No level, or more than halving gives.
    #[error("{levels} levels of blocks for {width} × {height} texels: give 1 to {most}")]
    LevelCount {
        /// Levels given.
        levels: usize,
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
        /// Levels down to 1 × 1.
        most: u32,
    },
    /// Too few or too many bytes.
    #[error("level {level} of {width} × {height} texels has {expected} bytes in {format:?}, not {given}")]
    ByteCount {
        /// Which level.
        level: u32,
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
        /// How blocks are laid out.
        format: BlockFormat,
        /// Bytes of as many blocks.
        expected: u64,
        /// Bytes given.
        given: u64,
    },
}

impl Image {
    /// A picture from its blocks, row by row from the top, a slice for each level from the largest.
    ///
    /// # Errors
    /// Sizes that no image has, no level or more than there are, or a level with too few or too many bytes.
    pub fn from_blocks(
        format: BlockFormat,
        encoding: Encoding,
        width: u32,
        height: u32,
        levels: &[&[u8]],
    ) -> Result<Self, BlockError> {
        let texel = match encoding {
            Encoding::Linear => Format::Rgba8,
            Encoding::Srgb => Format::Rgba8Srgb,
        };
        // Before anything is allocated: a damaged file may speak of any size.
        if !(1..=MAX_SIZE).contains(&width) || !(1..=MAX_SIZE).contains(&height) {
            return Err(ImageError::Size { width, height }.into());
        }
        let most = level_count(width, height);
        if levels.is_empty() || levels.len() > most as usize {
            return Err(BlockError::LevelCount { levels: levels.len(), width, height, most });
        }
        for (level, blocks) in (0..).zip(levels) {
            let (width, height) = (level_extent(width, level), level_extent(height, level));
            let (expected, given) = (format.picture_bytes(width, height), blocks.len() as u64);
            if expected != given {
                return Err(BlockError::ByteCount { level, width, height, format, expected, given });
            }
        }
        let mut image = Self::blank(texel, width, height, levels.len() as u32)?;
        for (level, blocks) in levels.iter().enumerate() {
            image.fill_level(format, level, blocks);
        }
        Ok(image)
    }

    fn fill_level(&mut self, format: BlockFormat, level: usize, blocks: &[u8]) {
        let (width, height) = (self.levels[level].width, self.levels[level].height);
        let columns = width.div_ceil(SIDE);
        for (index, block) in (0..).zip(blocks.chunks_exact(format.bytes() as usize)) {
            let mut texels = [0; 64];
            let decode = match format {
                BlockFormat::Bc1 => bcdec_rs::bc1,
                BlockFormat::Bc2 => bcdec_rs::bc2,
                BlockFormat::Bc3 => bcdec_rs::bc3,
            };
            decode(block, &mut texels, 16);
            let (left, top) = (index % columns * SIDE, index / columns * SIDE);
            let inside = (width - left).min(SIDE) as usize * 4;
            for (y, row) in (top..height).zip(texels.chunks_exact(16)) {
                let start = self.texel_range(0, level, left, y).start;
                self.bytes[start..start + inside].copy_from_slice(&row[..inside]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Endpoints white and black; the columns of each row are codes 0, 1, 2, 3.
    const GREYS: [u8; 8] = [0xff, 0xff, 0, 0, 0xe4, 0xe4, 0xe4, 0xe4];

    fn image(format: BlockFormat, blocks: &[u8]) -> Image {
        Image::from_blocks(format, Encoding::Linear, 4, 4, &[blocks]).expect("one block")
    }

    /// From the specification: with the larger endpoint first the codes are both ends, then thirds.
    #[test]
    fn colors_are_ends_and_thirds() {
        let bc1 = image(BlockFormat::Bc1, &GREYS);
        assert_eq!([0, 1, 2, 3].map(|x| bc1.color(0, x, 2)), [0xffff_ffff, 0xff00_0000, 0xffaa_aaaa, 0xff55_5555]);
        // With the smaller one first: ends, half, and nothing.
        let bc1 = image(BlockFormat::Bc1, &[0, 0, 0xff, 0xff, 0xe4, 0xe4, 0xe4, 0xe4]);
        let half = bc1.color(0, 2, 0);
        assert!((half & 255).abs_diff(0x7f) <= 1 && half >> 24 == 255, "{half:#x}");
        assert_eq!([0, 1, 3].map(|x| bc1.color(0, x, 0)), [0xff00_0000, 0xffff_ffff, 0]);
    }

    #[test]
    fn alpha_is_in_front_of_the_color() {
        // Four bits each, in the order of texels: 0, 15, 8 and 3 in the first row.
        let bc2 = image(BlockFormat::Bc2, &[&[0xf0, 0x38, 0, 0, 0, 0, 0, 0][..], &GREYS].concat());
        assert_eq!([0, 1, 2, 3].map(|x| bc2.color(0, x, 0) >> 24), [0, 255, 136, 51]);
        // Ends 255 and 45; codes of three bits: 0, 1, 2, 7 are 255, 45, 225 and 75.
        let codes = 1u64 << 3 | 2 << 6 | 7 << 9;
        let alpha = [&[255, 45][..], &codes.to_le_bytes()[..6]].concat();
        let bc3 = image(BlockFormat::Bc3, &[&alpha[..], &GREYS].concat());
        assert_eq!([0, 1, 2, 3].map(|x| bc3.color(0, x, 0) >> 24), [255, 45, 225, 75]);
        assert_eq!(bc3.color(0, 2, 3) & 0xff_ffff, 0xaa_aaaa);
    }

    #[test]
    fn sizes_need_not_be_multiples_of_four() {
        let dark = [0u8; 8];
        let levels = [[GREYS, dark].concat(), GREYS.to_vec(), dark.to_vec()];
        let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
        let image = Image::from_blocks(BlockFormat::Bc1, Encoding::Srgb, 5, 3, &levels).expect("two blocks, one, one");
        assert_eq!(image.format, Format::Rgba8Srgb);
        assert_eq!([3, 4].map(|x| image.color(0, x, 2)), [0xff55_5555, 0xff00_0000]);
        assert_eq!([0, 1].map(|x| image.color(1, x, 0)), [0xffff_ffff, 0xff00_0000]);
        assert_eq!(image.color(2, 0, 0), 0xff00_0000);
    }

    #[test]
    fn what_is_no_picture_is_refused_by_name() {
        let of = |width, height, levels: &[&[u8]]| {
            Image::from_blocks(BlockFormat::Bc3, Encoding::Linear, width, height, levels)
                .expect_err("wrong")
                .to_string()
        };
        assert_eq!(of(5, 4, &[&[0; 31]]), "level 0 of 5 × 4 texels has 32 bytes in Bc3, not 31");
        assert_eq!(of(8, 8, &[&[0; 64], &[0; 32]]), "level 1 of 4 × 4 texels has 16 bytes in Bc3, not 32");
        assert_eq!(of(4, 4, &[]), "0 levels of blocks for 4 × 4 texels: give 1 to 3");
        assert_eq!(of(1, 1, &[&[0; 16], &[0; 16]]), "2 levels of blocks for 1 × 1 texels: give 1 to 1");
        assert_eq!(of(0, 4, &[&[]]), "an image of 0 × 4 texels: each side must be 1 to 32768");
    }
}
