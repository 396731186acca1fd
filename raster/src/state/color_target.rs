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

    /// The bits of a format's word that are written.
    pub const fn word(self, format: ColorFormat) -> u32 {
        let [red, green, blue, alpha] = [self.red, self.green, self.blue, self.alpha];
        match format {
            ColorFormat::Rgba8 | ColorFormat::Rgba8Srgb => bytes([blue, green, red, alpha]),
            ColorFormat::Rgba8Uint | ColorFormat::Rgba8Sint => bytes([red, green, blue, alpha]),
            ColorFormat::R32Uint | ColorFormat::R32Sint => bytes([red; 4]),
        }
    }
}

/// The bytes that are written, from the lowest.
const fn bytes([a, b, c, d]: [bool; 4]) -> u32 {
    (a as u32 * 0xff) | (b as u32 * 0xff) << 8 | (c as u32 * 0xff) << 16 | (d as u32 * 0xff) << 24
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
    pub const PLAIN: Self = Self::of(ColorFormat::Rgba8);

    /// Every channel written as it is.
    pub const fn of(format: ColorFormat) -> Self {
        Self { format, blend: BlendState::REPLACE, mask: ColorMask::ALL }
    }

    /// The bits of a stored word that are written.
    pub const fn written_bits(&self) -> u32 {
        self.mask.word(self.format)
    }
}
