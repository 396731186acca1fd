//! Formats by the names that WebGPU has for them.
//!
//! Before: texts of users, shaders' storage formats. After: `format`.
//! Source: WebGPU, "Texture Format Capabilities"; WGSL calls its storage formats the same.

use std::fmt;

use crate::format::Format;

impl Format {
    /// WebGPU's name; `None` for the older packings, which WebGPU does not have.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::R5G6B5 | Self::A1R5G5B5 | Self::A4R4G4B4 | Self::A8L8 | Self::L8 | Self::A8 => return None,
            Self::R8 => "r8unorm",
            Self::Rg8 => "rg8unorm",
            Self::Rgba8 => "rgba8unorm",
            Self::Rgba8Srgb => "rgba8unorm-srgb",
            Self::A8R8G8B8 => "bgra8unorm",
            Self::A8R8G8B8Srgb => "bgra8unorm-srgb",
            Self::R8Snorm => "r8snorm",
            Self::Rg8Snorm => "rg8snorm",
            Self::Rgba8Snorm => "rgba8snorm",
            Self::R16Float => "r16float",
            Self::Rg16Float => "rg16float",
            Self::Rgba16Float => "rgba16float",
            Self::R32Float => "r32float",
            Self::Rg32Float => "rg32float",
            Self::Rgba32Float => "rgba32float",
            Self::Rgb10A2 => "rgb10a2unorm",
            Self::Rg11B10Float => "rg11b10ufloat",
            Self::R8Uint => "r8uint",
            Self::Rg8Uint => "rg8uint",
            Self::Rgba8Uint => "rgba8uint",
            Self::R8Sint => "r8sint",
            Self::Rg8Sint => "rg8sint",
            Self::Rgba8Sint => "rgba8sint",
            Self::R16Uint => "r16uint",
            Self::Rg16Uint => "rg16uint",
            Self::Rgba16Uint => "rgba16uint",
            Self::R16Sint => "r16sint",
            Self::Rg16Sint => "rg16sint",
            Self::Rgba16Sint => "rgba16sint",
            Self::R32Uint => "r32uint",
            Self::Rg32Uint => "rg32uint",
            Self::Rgba32Uint => "rgba32uint",
            Self::R32Sint => "r32sint",
            Self::Rg32Sint => "rg32sint",
            Self::Rgba32Sint => "rgba32sint",
        })
    }

    /// The format that WebGPU calls so. `depth32float` is [`Format::R32Float`]: depths are plain floats here.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "depth32float" => Some(Self::R32Float),
            _ => Self::ALL.into_iter().find(|format| format.name() == Some(name)),
        }
    }
}

/// WebGPU's name, or ours where WebGPU has none.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{self:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Sampled;
    use crate::format::Sampled::{Float, Sint, Uint};

    /// What is at hand about a format outside this crate.
    struct Row {
        name: &'static str,
        /// "Texel block copy footprint".
        bytes: u32,
        channels: u32,
        sampled: Sampled,
        /// The channel of the lowest bit (Vulkan, "Compatible Formats", whose formats these are), and what that bit alone is worth.
        lowest: (u32, f64),
    }

    const fn row(name: &'static str, bytes: u32, channels: u32, sampled: Sampled, lowest: (u32, f64)) -> Row {
        Row { name, bytes, channels, sampled, lowest }
    }

    const RED: u32 = 0;
    const BLUE: u32 = 2;
    const UNORM: (u32, f64) = (RED, 1.0 / 255.0);
    const SNORM: (u32, f64) = (RED, 1.0 / 127.0);
    const SRGB: f64 = 1.0 / 255.0 / 12.92;
    /// Least numbers above zero: 10 bits behind the point and 2^-14, then 23 and 2^-126, then 6 and 2^-14.
    const HALF: (u32, f64) = (RED, 1.0 / (1u64 << 24) as f64);
    const FLOAT: (u32, f64) = (RED, f64::from_bits((1023 - 149) << 52));
    const SMALL_FLOAT: (u32, f64) = (RED, 1.0 / (1u64 << 20) as f64);
    const ONE: (u32, f64) = (RED, 1.0);

    /// WebGPU's formats of plain colours, in the order of its tables; those of 16 bits normalised are not of its core.
    const ROWS: [Row; 35] = [
        row("r8unorm", 1, 1, Float, UNORM),
        row("r8snorm", 1, 1, Float, SNORM),
        row("r8uint", 1, 1, Uint, ONE),
        row("r8sint", 1, 1, Sint, ONE),
        row("rg8unorm", 2, 2, Float, UNORM),
        row("rg8snorm", 2, 2, Float, SNORM),
        row("rg8uint", 2, 2, Uint, ONE),
        row("rg8sint", 2, 2, Sint, ONE),
        row("rgba8unorm", 4, 4, Float, UNORM),
        row("rgba8unorm-srgb", 4, 4, Float, (RED, SRGB)),
        row("rgba8snorm", 4, 4, Float, SNORM),
        row("rgba8uint", 4, 4, Uint, ONE),
        row("rgba8sint", 4, 4, Sint, ONE),
        row("bgra8unorm", 4, 4, Float, (BLUE, 1.0 / 255.0)),
        row("bgra8unorm-srgb", 4, 4, Float, (BLUE, SRGB)),
        row("r16uint", 2, 1, Uint, ONE),
        row("r16sint", 2, 1, Sint, ONE),
        row("r16float", 2, 1, Float, HALF),
        row("rg16uint", 4, 2, Uint, ONE),
        row("rg16sint", 4, 2, Sint, ONE),
        row("rg16float", 4, 2, Float, HALF),
        row("rgba16uint", 8, 4, Uint, ONE),
        row("rgba16sint", 8, 4, Sint, ONE),
        row("rgba16float", 8, 4, Float, HALF),
        row("r32uint", 4, 1, Uint, ONE),
        row("r32sint", 4, 1, Sint, ONE),
        row("r32float", 4, 1, Float, FLOAT),
        row("rg32uint", 8, 2, Uint, ONE),
        row("rg32sint", 8, 2, Sint, ONE),
        row("rg32float", 8, 2, Float, FLOAT),
        row("rgba32uint", 16, 4, Uint, ONE),
        row("rgba32sint", 16, 4, Sint, ONE),
        row("rgba32float", 16, 4, Float, FLOAT),
        row("rgb10a2unorm", 4, 4, Float, (RED, 1.0 / 1023.0)),
        row("rg11b10ufloat", 4, 3, Float, SMALL_FLOAT),
    ];

    /// Size, channels, numbers and the meaning of the lowest bit tell all formats apart.
    #[test]
    fn names_stand_for_the_texels_of_webgpus_tables() {
        for Row { name, bytes, channels, sampled, lowest: (lowest, wanted) } in ROWS {
            let format = Format::from_name(name).unwrap_or_else(|| panic!("{name} is no format"));
            assert_eq!((format.bytes(), format.channels(), format.sampled()), (bytes, channels, sampled), "{name}");
            for channel in 0..channels {
                let raw = if format.piece(channel).0 == 0 { 1 } else { 0 };
                let bits = format.channel(channel, raw);
                let found = if sampled == Float { f64::from(f32::from_bits(bits)) } else { f64::from(bits) };
                let wanted = if channel == lowest { wanted } else { 0.0 };
                assert!(
                    (found - wanted).abs() <= wanted * 1e-6,
                    "{name}, channel {channel}: {found:e}, not {wanted:e}"
                );
            }
        }
    }

    #[test]
    fn formats_have_the_name_that_finds_them() {
        for format in Format::ALL {
            let row = ROWS.iter().find(|row| Format::from_name(row.name) == Some(format));
            assert_eq!(format.name(), row.map(|row| row.name), "{format:?}");
        }
        assert_eq!(Format::ALL.into_iter().filter(|format| format.name().is_some()).count(), ROWS.len());
    }

    #[test]
    fn depths_are_floats_and_other_words_are_no_formats() {
        assert_eq!(Format::from_name("depth32float"), Some(Format::R32Float));
        for name in ["", "rgba8", "Rgba8Unorm", "rgba8unorm ", "A8L8", "r16unorm", "depth24plus"] {
            assert_eq!(Format::from_name(name), None, "`{name}`");
        }
        assert_eq!((Format::Rgba8.to_string(), Format::A8L8.to_string()), ("rgba8unorm".into(), "A8L8".into()));
    }
}
