//! Formats of targets: what a pixel's words mean.
//!
//! Before: nothing; a surface is made with one. After: `pass`, which holds them against the pipelines' states, and both
//! rasterizers. The names are WebGPU's.

/// What a colour target stores. Every pixel is one word 0xAARRGGBB.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorFormat {
    /// `rgba8unorm`: a channel is a byte, linear.
    #[default]
    Rgba8,
    /// `rgba8unorm-srgb`: red, green and blue are encoded as IEC 61966-2-1 says; blending is in linear light.
    Rgba8Srgb,
}

impl ColorFormat {
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
