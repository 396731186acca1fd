//! What the prelude's sampling functions ask about a texture stage: one record for evaluator, kernels and host.
//!
//! Before: the host knows texture and sampler. After: `prelude/textures.wgsl`, whose `SamplingState` it is. A test in
//! `tile_records` holds the two to one layout.

use bytemuck::{Pod, Zeroable};

/// A texture with its sampler, beside what the machine's stage holds.
#[derive(Copy, Clone, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SamplingState {
    /// Texels across, level 0.
    pub width: u32,
    /// Texels down, level 0.
    pub height: u32,
    /// Levels present.
    pub levels: u32,
    /// Elements of an array, or cubes of a cube array; 1 for others.
    pub layers: u32,
    /// Between levels: 0 none (level 0 only), 1 nearest, 2 linear.
    pub mip_filter: u32,
    /// Filter within a level: 0 the stage's at every size, 1 point where magnified and bilinear where not, 2 the reverse.
    pub filters: u32,
    /// 0: the packed forms give the texture in 8 bits a channel; 1 to 4: so many channels of the wide form do.
    pub channels: u32,
    /// 1 if `max_anisotropy` is above 1.
    pub is_anisotropic: u32,
    /// Smallest level of detail.
    pub lod_min: f32,
    /// Largest level of detail.
    pub lod_max: f32,
    /// Added to the level of detail before it is clamped.
    pub lod_bias: f32,
    /// Most taps along the longer axis of a footprint, 1 to 16.
    pub max_anisotropy: f32,
    /// Relations of reference to texel that hold in a comparison: 1 less, 2 equal, 4 greater, 8 one of them is a NaN.
    pub comparison: u32,
    /// Along the depth of a volume: the code of a [`texture::Wrap`]; a border acts as clamp.
    pub wrap_w: u32,
    /// 1 if the stage's filter is bilinear.
    pub is_linear: u32,
}

impl SamplingState {
    /// One texel of 8 bits a channel, without levels.
    pub const DEFAULT: Self = Self {
        width: 1,
        height: 1,
        levels: 1,
        layers: 1,
        mip_filter: 0,
        filters: 0,
        channels: 0,
        is_anisotropic: 0,
        lod_min: 0.0,
        lod_max: 0.0,
        lod_bias: 0.0,
        max_anisotropy: 1.0,
        comparison: 0,
        wrap_w: 0,
        is_linear: 0,
    };

    /// The scalars in order, floats as bits.
    pub fn words(&self) -> [u32; 15] {
        bytemuck::cast(*self)
    }
}

impl Default for SamplingState {
    fn default() -> Self {
        Self::DEFAULT
    }
}
