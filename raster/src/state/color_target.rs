//! What a pipeline does with one colour target (`GPUColorTargetState`).

use super::blend::BlendState;
use crate::format::ColorFormat;

/// Which channels are written.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct ColorMask {
    /// Red.
    pub red: bool,
    /// Green.
    pub green: bool,
    /// Blue.
    pub blue: bool,
    /// Alpha.
    pub alpha: bool,
}

impl ColorMask {
    /// Everything.
    pub const ALL: Self = Self { red: true, green: true, blue: true, alpha: true };
    /// Nothing: depth and stencil only.
    pub const NONE: Self = Self { red: false, green: false, blue: false, alpha: false };
    /// Not alpha.
    pub const COLOR: Self = Self { alpha: false, ..Self::ALL };
    /// Only alpha.
    pub const ALPHA: Self = Self { alpha: true, ..Self::NONE };

    /// The bits of a word 0xAARRGGBB that are written.
    pub const fn word(self) -> u32 {
        (self.alpha as u32 * 0xff) << 24
            | (self.red as u32 * 0xff) << 16
            | (self.green as u32 * 0xff) << 8
            | (self.blue as u32 * 0xff)
    }
}

/// What a pipeline does with one colour target.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct ColorTarget {
    /// What the target must be.
    pub format: ColorFormat,
    /// How colours are joined with what is there.
    pub blend: BlendState,
    /// Which channels are written.
    pub mask: ColorMask,
}

impl ColorTarget {
    /// Linear bytes, all written, nothing blended.
    pub const PLAIN: Self = Self { format: ColorFormat::Rgba8, blend: BlendState::REPLACE, mask: ColorMask::ALL };
}
