//! A texture stage: everything the sampler has to know about one bound texture, exactly as its registers hold it.
//!
//! Before: `image` gives the layout, the host or a kernel writes the registers. After: `footprint` reads them.
//! Registers can hold anything, so reading a stage is total: sizes and level counts outside their range act as the nearest
//! legal value, addresses wrap at 2^32. [`Stage::validate`] says whether that was needed.
//! Source: the texture state of Vortex and Skybox (2024); sizes are in texels here because they need not be powers of two.

use serde::{Deserialize, Serialize};

use crate::format::Format;

/// Largest width and height in texels.
pub const MAX_SIZE: u32 = 32_768;

/// Most layers of a texture: array elements, six to a cube.
pub const MAX_LAYERS: u32 = 2048;

/// Most levels a chain can have: 32768, 16384, … 1.
pub const MAX_LEVELS: usize = 16;

/// What happens outside the texture, along one axis. The discriminant is the code in the wrap registers.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Wrap {
    /// The edge texel continues.
    #[default]
    Clamp = 0,
    /// The texture repeats.
    Repeat = 1,
    /// The texture repeats, every second copy mirrored.
    Mirror = 2,
    /// The stage's border colour.
    Border = 3,
}

impl Wrap {
    /// Every mode, in the order of the codes.
    pub const ALL: [Self; 4] = [Self::Clamp, Self::Repeat, Self::Mirror, Self::Border];

    /// The number in a wrap register.
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// The mode with this code, if there is one.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.get(code as usize).copied()
    }
}

/// How texels of one level are combined. The discriminant is the code in the filter register.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Filter {
    /// The texel that holds the coordinate.
    #[default]
    Point = 0,
    /// The four texels whose centres surround it.
    Bilinear = 1,
}

impl Filter {
    /// Every filter, in the order of the codes.
    pub const ALL: [Self; 2] = [Self::Point, Self::Bilinear];

    /// The number in the filter register.
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// The filter with this code, if there is one.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.get(code as usize).copied()
    }

    /// Texels fetched for one sample.
    #[inline(always)]
    pub const fn tap_count(self) -> usize {
        match self {
            Self::Point => 1,
            Self::Bilinear => 4,
        }
    }
}

/// The part of a stage that says how to look, not what at.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sampling {
    /// Filter within a level.
    pub filter: Filter,
    /// Along the width.
    pub wrap_u: Wrap,
    /// Along the height.
    pub wrap_v: Wrap,
    /// Colour `0xAARRGGBB` outside the texture, for [`Wrap::Border`].
    pub border: u32,
}

/// One texture stage. The default is the state after reset: every register zero.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stage {
    /// Byte address that `mip_offsets` count from.
    pub address: u32,
    /// Texels across, 1 to [`MAX_SIZE`].
    pub width: u32,
    /// Texels down, 1 to [`MAX_SIZE`].
    pub height: u32,
    /// Levels present, 1 to [`level_count`].
    pub levels: u32,
    /// What the bytes mean.
    pub format: Format,
    /// Filter within a level.
    pub filter: Filter,
    /// Along the width.
    pub wrap_u: Wrap,
    /// Along the height.
    pub wrap_v: Wrap,
    /// Colour `0xAARRGGBB` outside the texture, for [`Wrap::Border`].
    pub border: u32,
    /// Byte offset of each level from `address`. Rows follow each other without padding.
    pub mip_offsets: [u32; MAX_LEVELS],
    /// Layers, each with a chain of its own, up to [`MAX_LAYERS`]; 0 acts as 1.
    pub layers: u32,
    /// Bytes from one layer to the next.
    pub layer_stride: u32,
}

/// One level of a stage, as a sample meets it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LevelGeometry {
    /// Byte address of the texel at (0, 0).
    pub address: u32,
    /// Texels across, 1 to [`MAX_SIZE`].
    pub width: u32,
    /// Texels down, 1 to [`MAX_SIZE`].
    pub height: u32,
}

/// Why a stage cannot be sampled as it was meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StageError {
    /// Zero or too large.
    #[error("a texture of {width} × {height} texels: each side must be 1 to {MAX_SIZE}")]
    Size {
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
    },
    /// No level, or more than halving gives.
    #[error("{levels} levels for {width} × {height} texels: give 1 to {most}")]
    LevelCount {
        /// Levels asked for.
        levels: u32,
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
        /// Levels down to 1 × 1.
        most: u32,
    },
    /// More layers than a lookup can name.
    #[error("a texture of {layers} layers: there can be {MAX_LAYERS} at most")]
    LayerCount {
        /// Layers asked for.
        layers: u32,
    },
    /// A level does not end within the 32-bit address space.
    #[error("level {level} of {bytes} bytes at {start:#x} reaches beyond the 32-bit address space")]
    AddressOverflow {
        /// Level, 0 is the largest.
        level: u32,
        /// First byte, which may itself lie beyond.
        start: u64,
        /// Size of the level in bytes.
        bytes: u64,
    },
    /// Texels of a level do not start at multiples of their size.
    #[error("level {level} starts at {start:#x}, which is not a multiple of the {texel_bytes} bytes of a texel")]
    Misaligned {
        /// Level, 0 is the largest.
        level: u32,
        /// First byte.
        start: u64,
        /// Bytes of a texel.
        texel_bytes: u32,
    },
}

impl Stage {
    /// Whether every level lies aligned within the address space and every register within its range.
    ///
    /// # Errors
    /// The first register found outside its range, see [`StageError`].
    pub fn validate(&self) -> Result<(), StageError> {
        let &Self { width, height, levels, .. } = self;
        if !(1..=MAX_SIZE).contains(&width) || !(1..=MAX_SIZE).contains(&height) {
            return Err(StageError::Size { width, height });
        }
        let most = level_count(width, height);
        if !(1..=most).contains(&levels) {
            return Err(StageError::LevelCount { levels, width, height, most });
        }
        if self.layers > MAX_LAYERS {
            return Err(StageError::LayerCount { layers: self.layers });
        }
        let texel_bytes = self.format.bytes();
        let last_layer = u64::from(self.layers.max(1) - 1) * u64::from(self.layer_stride);
        for (level, &offset) in (0..levels).zip(&self.mip_offsets) {
            let start = u64::from(self.address) + u64::from(offset);
            let texels = u64::from(level_extent(width, level)) * u64::from(level_extent(height, level));
            let bytes = texels * u64::from(texel_bytes);
            if start + last_layer + bytes > 1 << 32 {
                return Err(StageError::AddressOverflow { level, start: start + last_layer, bytes });
            }
            for start in [start, start + last_layer] {
                if !start.is_multiple_of(u64::from(texel_bytes)) {
                    return Err(StageError::Misaligned { level, start, texel_bytes });
                }
            }
        }
        Ok(())
    }

    /// The level that a level-of-detail operand selects.
    ///
    /// `lod` is a register read as signed: below zero acts as zero, beyond the last level as the last.
    #[inline(always)]
    pub fn level(&self, lod: u32) -> LevelGeometry {
        self.level_of_layer(lod, 0)
    }

    /// The same in one layer; beyond the last acts as the last.
    #[inline(always)]
    pub fn level_of_layer(&self, lod: u32, layer: u32) -> LevelGeometry {
        let layer = layer.min(self.layers.clamp(1, MAX_LAYERS) - 1);
        let last = self.levels.clamp(1, MAX_LEVELS as u32) - 1;
        let level = (lod as i32).clamp(0, last as i32) as u32;
        LevelGeometry {
            // The mask changes nothing; it lets the compiler drop the bounds check.
            address: self
                .address
                .wrapping_add(self.mip_offsets[level as usize % MAX_LEVELS])
                .wrapping_add(layer.wrapping_mul(self.layer_stride)),
            width: level_extent(self.width.clamp(1, MAX_SIZE), level),
            height: level_extent(self.height.clamp(1, MAX_SIZE), level),
        }
    }

    /// Reads the register at an index from the stage's register base, as [`Stage::set_register`] numbers them.
    /// `None` where there is none.
    pub fn register(&self, index: u32) -> Option<u32> {
        Some(match index {
            1 => self.address,
            2 => self.width,
            3 => self.height,
            4 => self.format.code(),
            5 => self.filter.code(),
            6 => self.wrap_u.code(),
            7 => self.wrap_v.code(),
            8 => self.border,
            9 => self.levels,
            0xa => self.layers,
            0xb => self.layer_stride,
            0x10..=0x1f => self.mip_offsets[index as usize - 0x10],
            _ => return None,
        })
    }

    /// Writes the register at an index from the stage's register base: 1 address, 2 width, 3 height, 4 format, 5 filter,
    /// 6 wrap along u, 7 wrap along v, 8 border, 9 levels, 0xa layers, 0xb layer stride, 0x10 to 0x1f the offsets of levels 0 to 15.
    ///
    /// Format, filter and wraps take legal codes only and otherwise keep what they hold ("WARL" in RISC-V's words).
    /// Gives `false`, and does nothing, where there is no register.
    pub fn set_register(&mut self, index: u32, value: u32) -> bool {
        match index {
            1 => self.address = value,
            2 => self.width = value,
            3 => self.height = value,
            4 => self.format = Format::from_code(value).unwrap_or(self.format),
            5 => self.filter = Filter::from_code(value).unwrap_or(self.filter),
            6 => self.wrap_u = Wrap::from_code(value).unwrap_or(self.wrap_u),
            7 => self.wrap_v = Wrap::from_code(value).unwrap_or(self.wrap_v),
            8 => self.border = value,
            9 => self.levels = value,
            0xa => self.layers = value,
            0xb => self.layer_stride = value,
            0x10..=0x1f => self.mip_offsets[index as usize - 0x10] = value,
            _ => return false,
        }
        true
    }
}

/// Size of a level along one axis: the base halved `level` times, rounded down, at least 1.
///
/// The same rule for every size, as in Vulkan; OpenGL ES 2's ban on mip chains of other sizes than powers of two
/// does not exist here.
#[inline(always)]
pub const fn level_extent(base: u32, level: u32) -> u32 {
    let extent = if level < 32 { base >> level } else { 0 };
    if extent == 0 { 1 } else { extent }
}

/// Levels from the base down to 1 × 1, both included. Zero sizes count as one.
pub const fn level_count(width: u32, height: u32) -> u32 {
    let larger = if width > height { width } else { height };
    u32::BITS - (larger | 1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(size: u32, levels: u32) -> Stage {
        Stage { width: size, height: size, levels, ..Stage::default() }
    }

    #[test]
    fn sizes_halve_downwards() {
        let chain = |base| (0..level_count(base, 1)).map(|level| level_extent(base, level)).collect::<Vec<_>>();
        assert_eq!(chain(11), [11, 5, 2, 1]);
        assert_eq!(chain(7), [7, 3, 1]);
        assert_eq!(chain(1), [1]);
        assert_eq!(level_count(5, 3), 3);
        assert_eq!((level_extent(5, 1), level_extent(3, 1)), (2, 1));
        assert_eq!(level_count(MAX_SIZE, 1), MAX_LEVELS as u32);
        assert_eq!(level_extent(5, u32::MAX), 1);
    }

    #[test]
    fn sizes_and_level_counts_are_checked() {
        assert_eq!(square(0, 1).validate(), Err(StageError::Size { width: 0, height: 0 }));
        assert!(matches!(square(MAX_SIZE + 1, 1).validate(), Err(StageError::Size { .. })));
        assert!(matches!(square(8, 0).validate(), Err(StageError::LevelCount { most: 4, .. })));
        assert!(matches!(square(8, 5).validate(), Err(StageError::LevelCount { most: 4, .. })));
        assert_eq!(square(8, 4).validate(), Ok(()));
        let message = square(8, 5).validate().expect_err("five levels are too many").to_string();
        assert_eq!(message, "5 levels for 8 × 8 texels: give 1 to 4");
    }

    #[test]
    fn the_last_byte_of_the_address_space_is_usable_and_no_more() {
        let mut stage = Stage { address: u32::MAX - 255, ..square(8, 1) };
        assert_eq!(stage.validate(), Ok(()));
        stage.mip_offsets[0] = 4;
        assert!(matches!(stage.validate(), Err(StageError::AddressOverflow { level: 0, .. })));
        // 4 GiB: the product does not overflow.
        assert_eq!(square(MAX_SIZE, 1).validate(), Ok(()));
        assert!(matches!(
            Stage { address: 4, ..square(MAX_SIZE, 1) }.validate(),
            Err(StageError::AddressOverflow { .. })
        ));
    }

    #[test]
    fn the_last_layer_must_end_within_the_address_space() {
        let layered = |layers, layer_stride| Stage { layers, layer_stride, ..square(8, 1) };
        assert_eq!(layered(0, u32::MAX).validate(), Ok(()), "registers that were never written mean one layer");
        assert_eq!(layered(MAX_LAYERS, 256).validate(), Ok(()));
        assert_eq!(layered(MAX_LAYERS + 1, 0).validate(), Err(StageError::LayerCount { layers: MAX_LAYERS + 1 }));
        assert!(matches!(layered(3, 1 << 31).validate(), Err(StageError::AddressOverflow { .. })));
        assert!(matches!(layered(2, 258).validate(), Err(StageError::Misaligned { start: 258, .. })));
        let stage = Stage { address: 64, ..layered(3, 256) };
        assert_eq!(
            [0, 1, 2, 3, u32::MAX].map(|layer| stage.level_of_layer(0, layer).address),
            [64, 320, 576, 576, 576]
        );
    }

    #[test]
    fn a_level_off_its_alignment_is_refused() {
        let mut stage = square(8, 2);
        stage.mip_offsets[1] = 258;
        assert_eq!(stage.validate(), Err(StageError::Misaligned { level: 1, start: 258, texel_bytes: 4 }));
        stage.format = Format::L8;
        assert_eq!(stage.validate(), Ok(()));
    }

    #[test]
    fn reading_a_level_is_total() {
        for lod in [0, 1, 15, 16, 99, u32::MAX, i32::MAX as u32, 1 << 31] {
            for size in [0, 1, 5, MAX_SIZE, u32::MAX] {
                for levels in [0, 1, 16, 17, u32::MAX] {
                    let level = square(size, levels).level(lod);
                    assert!((1..=MAX_SIZE).contains(&level.width));
                }
            }
        }
        assert_eq!(square(8, 4).level(-5i32 as u32).width, 8);
        assert_eq!(square(8, 4).level(99).width, 1);
        assert_eq!(square(8, 2).level(99).width, 4);
    }

    #[test]
    fn registers_read_back_what_was_written() {
        let mut stage = Stage::default();
        let indices = || (0..0x40).filter(|index| Stage::default().register(*index).is_some());
        assert_eq!(indices().count(), 11 + MAX_LEVELS);
        for index in indices() {
            // 1 is legal in every register.
            assert!(stage.set_register(index, 1));
            assert_eq!(stage.register(index), Some(1), "register {index:#x}");
        }
        assert!(!stage.set_register(0, 1) && !stage.set_register(0xc, 1) && !stage.set_register(0x20, 1));
        for index in [4, 5, 6, 7] {
            assert!(stage.set_register(index, 77));
            assert_eq!(stage.register(index), Some(1), "register {index:#x} keeps its legal code");
        }
    }
}
