//! Texel formats: how the bytes of one texel become an A8R8G8B8 colour, and back.
//!
//! A texel of n bytes is read as a little-endian number (`raw`). The colour is `0xAARRGGBB`. Narrow channels widen by
//! repeating their bits, so that zero stays 0 and all ones become 255.
//! Source: codes 0 to 6 are Vortex's and Skybox's (2024) with their expansion; the others are ours, laid out as in WebGPU's
//! formats of the same names (missing channels: green and blue 0, alpha 255).
//!
//! Formats up to code 9 are *narrow*: 8 bits say all of a channel. The others are *wide*: sRGB, which must be made linear
//! before it is filtered, signed, floating-point, packed and integer ones. `channel` says what a channel of those is.

use serde::{Deserialize, Serialize};

/// What the bytes of a texel mean. The discriminant is the code in the stage's format register.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Format {
    /// 4 bytes: blue, green, red, alpha from the low byte up.
    #[default]
    A8R8G8B8 = 0,
    /// 2 bytes: red 15:11, green 10:5, blue 4:0; alpha 255.
    R5G6B5 = 1,
    /// 2 bytes: alpha 15, red 14:10, green 9:5, blue 4:0.
    A1R5G5B5 = 2,
    /// 2 bytes: alpha 15:12, red 11:8, green 7:4, blue 3:0.
    A4R4G4B4 = 3,
    /// 2 bytes: luminance in the low byte, alpha in the high byte.
    A8L8 = 4,
    /// 1 byte of luminance; alpha 255.
    L8 = 5,
    /// 1 byte of alpha; red, green and blue 255.
    A8 = 6,
    /// 4 bytes: red, green, blue, alpha from the low byte up, as pictures come from files.
    Rgba8 = 7,
    /// 1 byte of red.
    R8 = 8,
    /// 2 bytes: red in the low byte, green in the high byte.
    Rg8 = 9,
    /// As [`Format::Rgba8`], red, green and blue encoded as sRGB.
    Rgba8Srgb = 10,
    /// As [`Format::A8R8G8B8`], red, green and blue encoded as sRGB.
    A8R8G8B8Srgb = 11,
    /// Signed bytes: −127 and below is −1, 127 is 1.
    R8Snorm = 12,
    /// Two of them, red first.
    Rg8Snorm = 13,
    /// Four of them, red first.
    Rgba8Snorm = 14,
    /// IEEE binary16.
    R16Float = 15,
    /// Two of them, red first.
    Rg16Float = 16,
    /// Four of them, red first.
    Rgba16Float = 17,
    /// IEEE binary32.
    R32Float = 18,
    /// Two of them, red first.
    Rg32Float = 19,
    /// Four of them, red first.
    Rgba32Float = 20,
    /// 4 bytes: red 9:0, green 19:10, blue 29:20, alpha 31:30.
    Rgb10A2 = 21,
    /// 4 bytes without signs: red 10:0, green 21:11 with 6 bits behind the point, blue 31:22 with 5; exponents of 5 bits.
    Rg11B10Float = 22,
    /// Unsigned integers of 8 bits.
    R8Uint = 23,
    /// Two of them.
    Rg8Uint = 24,
    /// Four of them.
    Rgba8Uint = 25,
    /// Signed integers of 8 bits.
    R8Sint = 26,
    /// Two of them.
    Rg8Sint = 27,
    /// Four of them.
    Rgba8Sint = 28,
    /// Unsigned integers of 16 bits.
    R16Uint = 29,
    /// Two of them.
    Rg16Uint = 30,
    /// Four of them.
    Rgba16Uint = 31,
    /// Signed integers of 16 bits.
    R16Sint = 32,
    /// Two of them.
    Rg16Sint = 33,
    /// Four of them.
    Rgba16Sint = 34,
    /// Unsigned integers of 32 bits.
    R32Uint = 35,
    /// Two of them.
    Rg32Uint = 36,
    /// Four of them.
    Rgba32Uint = 37,
    /// Signed integers of 32 bits.
    R32Sint = 38,
    /// Two of them.
    Rg32Sint = 39,
    /// Four of them.
    Rgba32Sint = 40,
}

/// What kind of number a shader gets from a format.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sampled {
    /// f32: `texture_2d<f32>` and its neighbours.
    Float,
    /// u32: `texture_2d<u32>`.
    Uint,
    /// i32: `texture_2d<i32>`.
    Sint,
}

impl Format {
    /// Every format, in the order of the codes.
    pub const ALL: [Self; 41] = [
        Self::A8R8G8B8,
        Self::R5G6B5,
        Self::A1R5G5B5,
        Self::A4R4G4B4,
        Self::A8L8,
        Self::L8,
        Self::A8,
        Self::Rgba8,
        Self::R8,
        Self::Rg8,
        Self::Rgba8Srgb,
        Self::A8R8G8B8Srgb,
        Self::R8Snorm,
        Self::Rg8Snorm,
        Self::Rgba8Snorm,
        Self::R16Float,
        Self::Rg16Float,
        Self::Rgba16Float,
        Self::R32Float,
        Self::Rg32Float,
        Self::Rgba32Float,
        Self::Rgb10A2,
        Self::Rg11B10Float,
        Self::R8Uint,
        Self::Rg8Uint,
        Self::Rgba8Uint,
        Self::R8Sint,
        Self::Rg8Sint,
        Self::Rgba8Sint,
        Self::R16Uint,
        Self::Rg16Uint,
        Self::Rgba16Uint,
        Self::R16Sint,
        Self::Rg16Sint,
        Self::Rgba16Sint,
        Self::R32Uint,
        Self::Rg32Uint,
        Self::Rgba32Uint,
        Self::R32Sint,
        Self::Rg32Sint,
        Self::Rgba32Sint,
    ];

    /// The narrow formats: codes 0 to 9.
    pub const NARROW: [Self; 10] = {
        let [a, b, c, d, e, f, g, h, i, j, ..] = Self::ALL;
        [a, b, c, d, e, f, g, h, i, j]
    };

    /// The number in the stage's format register.
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// The format with this code, if there is one.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.get(code as usize).copied()
    }

    /// Bytes of one texel: 1, 2, 4, 8 or 16.
    #[inline(always)]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::L8 | Self::A8 | Self::R8 | Self::R8Snorm | Self::R8Uint | Self::R8Sint => 1,
            Self::R5G6B5 | Self::A1R5G5B5 | Self::A4R4G4B4 | Self::A8L8 | Self::Rg8 => 2,
            Self::Rg8Snorm | Self::Rg8Uint | Self::Rg8Sint => 2,
            Self::R16Float | Self::R16Uint | Self::R16Sint => 2,
            Self::A8R8G8B8 | Self::Rgba8 | Self::Rgba8Srgb | Self::A8R8G8B8Srgb => 4,
            Self::Rgba8Snorm | Self::Rgba8Uint | Self::Rgba8Sint | Self::Rgb10A2 | Self::Rg11B10Float => 4,
            Self::Rg16Float | Self::Rg16Uint | Self::Rg16Sint => 4,
            Self::R32Float | Self::R32Uint | Self::R32Sint => 4,
            Self::Rgba16Float | Self::Rgba16Uint | Self::Rgba16Sint => 8,
            Self::Rg32Float | Self::Rg32Uint | Self::Rg32Sint => 8,
            Self::Rgba32Float | Self::Rgba32Uint | Self::Rgba32Sint => 16,
        }
    }

    /// Bytes that the packed forms of a sample read of a texel: all, but of texels above 4 bytes only the first 4.
    #[inline(always)]
    pub const fn packed_bytes(self) -> u32 {
        let bytes = self.bytes();
        if bytes > 4 { 4 } else { bytes }
    }

    /// Whether 8 bits say all of each channel, so that the packed forms of a sample give it.
    #[inline(always)]
    pub const fn is_narrow(self) -> bool {
        (self as u32) < 10
    }

    /// A colour `0xAARRGGBB` with 0, and alpha 255, in the channels that the format lacks: the border shows what texels can
    /// (Vulkan, "Texel Replacement" before "Conversion to RGBA"). Luminance and alpha formats take it as it is.
    pub const fn limited_to_channels(self, color: u32) -> u32 {
        match self {
            Self::R5G6B5 => color | 0xff00_0000,
            _ => match self.channels() {
                1 => color & 0x00ff_0000 | 0xff00_0000,
                2 => color & 0x00ff_ff00 | 0xff00_0000,
                3 => color | 0xff00_0000,
                _ => color,
            },
        }
    }

    /// What a shader gets.
    pub const fn sampled(self) -> Sampled {
        match self as u32 {
            23..=25 | 29..=31 | 35..=37 => Sampled::Uint,
            26..=28 | 32..=34 | 38..=40 => Sampled::Sint,
            _ => Sampled::Float,
        }
    }

    /// The colour `0xAARRGGBB` of a texel. Bits of `raw` above the texel's bytes are ignored.
    ///
    /// Of sRGB the bytes as they are stored. Of the other wide formats it is `raw` itself, the first 4 bytes of the texel as they are.
    #[inline(always)]
    pub const fn expand(self, raw: u32) -> u32 {
        match self {
            Self::A8R8G8B8 | Self::A8R8G8B8Srgb => raw,
            Self::R5G6B5 => argb(255, widen_5(raw >> 11), widen_6(raw >> 5), widen_5(raw)),
            Self::A1R5G5B5 => argb((raw >> 15 & 1) * 255, widen_5(raw >> 10), widen_5(raw >> 5), widen_5(raw)),
            Self::A4R4G4B4 => argb(widen_4(raw >> 12), widen_4(raw >> 8), widen_4(raw >> 4), widen_4(raw)),
            Self::A8L8 => argb(raw >> 8 & 255, raw & 255, raw & 255, raw & 255),
            Self::L8 => argb(255, raw & 255, raw & 255, raw & 255),
            Self::A8 => argb(raw & 255, 255, 255, 255),
            Self::Rgba8 | Self::Rgba8Srgb => argb(raw >> 24, raw & 255, raw >> 8 & 255, raw >> 16 & 255),
            Self::R8 => argb(255, raw & 255, 0, 0),
            Self::Rg8 => argb(255, raw & 255, raw >> 8 & 255, 0),
            _ if self.bytes() >= 4 => raw,
            _ => raw & ((1 << (8 * self.bytes())) - 1),
        }
    }

    /// [`Format::expand`] of many texels. The format is looked at once, so that each arm is one vectorised loop.
    #[inline(always)]
    pub fn expand_all<const COUNT: usize>(self, raw: [u32; COUNT]) -> [u32; COUNT] {
        match self {
            Self::A8R8G8B8 => raw,
            Self::R5G6B5 => raw.map(|raw| Self::R5G6B5.expand(raw)),
            Self::A1R5G5B5 => raw.map(|raw| Self::A1R5G5B5.expand(raw)),
            Self::A4R4G4B4 => raw.map(|raw| Self::A4R4G4B4.expand(raw)),
            Self::A8L8 => raw.map(|raw| Self::A8L8.expand(raw)),
            Self::L8 => raw.map(|raw| Self::L8.expand(raw)),
            Self::A8 => raw.map(|raw| Self::A8.expand(raw)),
            Self::Rgba8 => raw.map(|raw| Self::Rgba8.expand(raw)),
            Self::R8 => raw.map(|raw| Self::R8.expand(raw)),
            Self::Rg8 => raw.map(|raw| Self::Rg8.expand(raw)),
            _ => raw.map(|raw| self.expand(raw)),
        }
    }

    /// The texel nearest to a colour, channel by channel; channels the format lacks are dropped. Luminance takes red.
    ///
    /// `expand` undoes it for every colour that `expand` can give. For narrow formats and sRGB; others take the word as it is.
    pub const fn pack(self, color: u32) -> u32 {
        let (alpha, red, green, blue) = (color >> 24, color >> 16 & 255, color >> 8 & 255, color & 255);
        match self {
            Self::R5G6B5 => narrow(red, 31) << 11 | narrow(green, 63) << 5 | narrow(blue, 31),
            Self::A1R5G5B5 => {
                narrow(alpha, 1) << 15 | narrow(red, 31) << 10 | narrow(green, 31) << 5 | narrow(blue, 31)
            }
            Self::A4R4G4B4 => {
                narrow(alpha, 15) << 12 | narrow(red, 15) << 8 | narrow(green, 15) << 4 | narrow(blue, 15)
            }
            Self::A8L8 => alpha << 8 | red,
            Self::L8 | Self::R8 => red,
            Self::A8 => alpha,
            Self::Rgba8 | Self::Rgba8Srgb => alpha << 24 | blue << 16 | green << 8 | red,
            Self::Rg8 => green << 8 | red,
            _ => color,
        }
    }
}

/// Four channels of 0 to 255 as one `0xAARRGGBB` word.
const fn argb(alpha: u32, red: u32, green: u32, blue: u32) -> u32 {
    alpha << 24 | red << 16 | green << 8 | blue
}

const fn widen_4(channel: u32) -> u32 {
    (channel & 15) * 17
}

const fn widen_5(channel: u32) -> u32 {
    let channel = channel & 31;
    channel << 3 | channel >> 2
}

const fn widen_6(channel: u32) -> u32 {
    let channel = channel & 63;
    channel << 2 | channel >> 4
}

/// 0 to 255 to 0 to `largest`, nearest (no ties: 255 is odd).
const fn narrow(channel: u32, largest: u32) -> u32 {
    (channel * largest + 127) / 255
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_positions_in_the_list() {
        for (code, format) in Format::ALL.into_iter().enumerate() {
            assert_eq!(format.code(), code as u32);
            assert_eq!(Format::from_code(code as u32), Some(format));
        }
        assert_eq!(Format::from_code(41), None);
        assert_eq!(Format::from_code(u32::MAX), None);
    }

    /// Worked out by hand from the bit layouts.
    #[test]
    fn each_format_expands_as_its_layout_says() {
        #[track_caller]
        fn check(format: Format, raw: u32, expected: u32) {
            assert_eq!(format.expand(raw), expected, "{format:?} {raw:#x}");
        }
        check(Format::A8R8G8B8, 0x8012_3456, 0x8012_3456);
        check(Format::R5G6B5, 0x8401, 0xff84_8208);
        check(Format::R5G6B5, 0xffff, 0xffff_ffff);
        check(Format::A1R5G5B5, 0x845f, 0xff08_10ff);
        check(Format::A1R5G5B5, 0x7fff, 0x00ff_ffff);
        check(Format::A4R4G4B4, 0x8f01, 0x88ff_0011);
        check(Format::A8L8, 0x80_11, 0x8011_1111);
        check(Format::L8, 0x7f, 0xff7f_7f7f);
        check(Format::A8, 0x7f, 0x7fff_ffff);
        check(Format::Rgba8, 0x0403_0201, 0x0401_0203);
        check(Format::R8, 0x7f, 0xff7f_0000);
        check(Format::Rg8, 0x8011, 0xff11_8000);
    }

    #[test]
    fn bits_above_the_texel_are_ignored() {
        for format in Format::NARROW.into_iter().filter(|format| format.bytes() < 4) {
            let above = u32::MAX << (8 * format.bytes());
            assert_eq!(format.expand(0x55 | above), format.expand(0x55), "{format:?}");
        }
    }

    #[test]
    fn packing_undoes_expanding() {
        for format in Format::NARROW {
            let texels: Vec<u32> = match format.bytes() {
                1 => (0..=0xff).collect(),
                2 => (0..=0xffff).collect(),
                _ => (0..32).map(|bit| 1 << bit).chain([0, u32::MAX, 0x1234_5678]).collect(),
            };
            for raw in texels {
                assert_eq!(format.pack(format.expand(raw)), raw, "{format:?} {raw:#x}");
            }
        }
    }

    #[test]
    fn packing_takes_the_nearest_texel() {
        for channel in 0..=255u32 {
            let grey = channel * 0x0001_0101;
            for format in [Format::R5G6B5, Format::A1R5G5B5, Format::A4R4G4B4] {
                let back = format.expand(format.pack(grey)) & 255;
                let best = (0..=0xffff).map(|raw| (format.expand(raw) & 255).abs_diff(channel)).min();
                // Bit replication is not exactly linear, so the nearest code may be one away from the nearest value.
                assert!(back.abs_diff(channel) <= best.expect("there are texels") + 1, "{format:?} {channel}");
            }
        }
    }
}
