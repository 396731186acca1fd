//! Texel formats: how the bytes of one texel become an A8R8G8B8 colour, and back.
//!
//! A texel of n bytes is read as a little-endian number (`raw`). The colour is `0xAARRGGBB`. Narrow channels widen by
//! repeating their bits, so that zero stays 0 and all ones become 255.
//! Source: codes 0 to 6 are Vortex's and Skybox's (2024) with their expansion; 7 to 9 are ours, laid out as in WebGPU's
//! `rgba8unorm`, `r8unorm` and `rg8unorm` (missing channels: green and blue 0, alpha 255).

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
}

impl Format {
    /// Every format, in the order of the codes.
    pub const ALL: [Self; 10] = [
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
    ];

    /// The number in the stage's format register.
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// The format with this code, if there is one.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.get(code as usize).copied()
    }

    /// Bytes of one texel: 1, 2 or 4.
    #[inline(always)]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::A8R8G8B8 | Self::Rgba8 => 4,
            Self::R5G6B5 | Self::A1R5G5B5 | Self::A4R4G4B4 | Self::A8L8 | Self::Rg8 => 2,
            Self::L8 | Self::A8 | Self::R8 => 1,
        }
    }

    /// The colour `0xAARRGGBB` of a texel. Bits of `raw` above the texel's bytes are ignored.
    #[inline(always)]
    pub const fn expand(self, raw: u32) -> u32 {
        match self {
            Self::A8R8G8B8 => raw,
            Self::R5G6B5 => argb(255, widen_5(raw >> 11), widen_6(raw >> 5), widen_5(raw)),
            Self::A1R5G5B5 => argb((raw >> 15 & 1) * 255, widen_5(raw >> 10), widen_5(raw >> 5), widen_5(raw)),
            Self::A4R4G4B4 => argb(widen_4(raw >> 12), widen_4(raw >> 8), widen_4(raw >> 4), widen_4(raw)),
            Self::A8L8 => argb(raw >> 8 & 255, raw & 255, raw & 255, raw & 255),
            Self::L8 => argb(255, raw & 255, raw & 255, raw & 255),
            Self::A8 => argb(raw & 255, 255, 255, 255),
            Self::Rgba8 => argb(raw >> 24, raw & 255, raw >> 8 & 255, raw >> 16 & 255),
            Self::R8 => argb(255, raw & 255, 0, 0),
            Self::Rg8 => argb(255, raw & 255, raw >> 8 & 255, 0),
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
        }
    }

    /// The texel nearest to a colour, channel by channel; channels the format lacks are dropped. Luminance takes red.
    ///
    /// `expand` undoes it for every colour that `expand` can give.
    pub const fn pack(self, color: u32) -> u32 {
        let (alpha, red, green, blue) = (color >> 24, color >> 16 & 255, color >> 8 & 255, color & 255);
        match self {
            Self::A8R8G8B8 => color,
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
            Self::Rgba8 => alpha << 24 | blue << 16 | green << 8 | red,
            Self::Rg8 => green << 8 | red,
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
        assert_eq!(Format::from_code(10), None);
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
        for format in Format::ALL.into_iter().filter(|format| format.bytes() < 4) {
            let above = u32::MAX << (8 * format.bytes());
            assert_eq!(format.expand(0x55 | above), format.expand(0x55), "{format:?}");
        }
    }

    #[test]
    fn packing_undoes_expanding() {
        for format in Format::ALL {
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
