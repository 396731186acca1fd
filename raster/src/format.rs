//! Formats of targets: what a pixel's words mean.
//!
//! Before: nothing; a surface is made with one. After: `pass`, which holds them against the pipelines' states, and both
//! rasterizers. The names are WebGPU's.

use shaders::texture_calls::ScalarKind;

/// What a colour target stores. Every pixel is one word: 0xAARRGGBB for colours, 0xAABBGGRR for integers of a byte.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorFormat {
    /// `rgba8unorm`: a channel is a byte, linear.
    #[default]
    Rgba8,
    /// `rgba8unorm-srgb`: red, green and blue are encoded as IEC 61966-2-1 says; blending is in linear light.
    Rgba8Srgb,
    /// `rgba8uint`: four integers, 0 to 255.
    Rgba8Uint,
    /// `rgba8sint`: four integers, −128 to 127.
    Rgba8Sint,
    /// `r32uint`.
    R32Uint,
    /// `r32sint`.
    R32Sint,
}

impl ColorFormat {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Rgba8, Self::Rgba8Srgb, Self::Rgba8Uint, Self::Rgba8Sint, Self::R32Uint, Self::R32Sint];

    /// The numbers that a fragment shader must give.
    pub const fn kind(self) -> ScalarKind {
        match self {
            Self::Rgba8 | Self::Rgba8Srgb => ScalarKind::Float,
            Self::Rgba8Uint | Self::R32Uint => ScalarKind::Uint,
            Self::Rgba8Sint | Self::R32Sint => ScalarKind::Sint,
        }
    }

    /// Whether it holds integers: such targets are never blended, averaged or shown.
    pub const fn is_integer(self) -> bool {
        !matches!(self.kind(), ScalarKind::Float)
    }

    /// Whether a channel is a byte.
    pub const fn has_bytes(self) -> bool {
        !matches!(self, Self::R32Uint | Self::R32Sint)
    }

    /// The word of integers, red to alpha, as bits of 32: what a format does not hold is limited to its range or left out.
    pub fn integer_word(self, color: [u32; 4]) -> u32 {
        match self {
            Self::R32Uint | Self::R32Sint => color[0],
            Self::Rgba8Sint => u32::from_le_bytes(color.map(|channel| (channel as i32).clamp(-128, 127) as u8)),
            Self::Rgba8 | Self::Rgba8Srgb | Self::Rgba8Uint => {
                u32::from_le_bytes(color.map(|channel| channel.min(255) as u8))
            }
        }
    }

    /// Whether red, green and blue are encoded.
    pub const fn is_srgb(self) -> bool {
        matches!(self, Self::Rgba8Srgb)
    }
}

/// What a depth target stores.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum DepthFormat {
    /// `depth16unorm`.
    Depth16,
    /// `depth24plus-stencil8`.
    Depth24Stencil8,
    /// `depth32float`: the bits of an f32 in [0, 1].
    #[default]
    Depth32Float,
    /// `depth32float-stencil8`.
    Depth32FloatStencil8,
}

impl DepthFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Depth16, Self::Depth24Stencil8, Self::Depth32Float, Self::Depth32FloatStencil8];

    /// Words a sample takes.
    pub const fn words_per_sample(self) -> u32 {
        match self {
            Self::Depth16 | Self::Depth24Stencil8 | Self::Depth32Float => 1,
            Self::Depth32FloatStencil8 => 2,
        }
    }

    /// Whether there is a stencil value beside the depth.
    pub const fn has_stencil(self) -> bool {
        matches!(self, Self::Depth24Stencil8 | Self::Depth32FloatStencil8)
    }
}
