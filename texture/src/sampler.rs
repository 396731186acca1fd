//! The sampler model: footprint → fetch → filter, for one lane and for a whole warp.
//!
//! The `tex` instruction calls this, the plain-Rust rasterizer calls this, and the software samplers must equal it bit for
//! bit. Point sampling is the same datapath with both weights zero and one fetch. A trilinear sample is two samples of
//! neighbouring levels and one more [`lerp_packed`].

use crate::filter::{filter, lerp_packed};
use crate::footprint::footprint;
use crate::footprint_warp::footprint_warp;
use crate::stage::Stage;

/// The colour `0xAARRGGBB` that `stage` shows at (u, v), signed Q9.23, in level `lod` (see [`Stage::level`]).
///
/// `fetch(address, bytes)` gives the texel of 1, 2 or 4 bytes at a byte address as a little-endian number. It is called once
/// for each tap that is not in the border, in the order of [`crate::Footprint::taps`]. Never panics, whatever the
/// arguments; for a stage that validates, the addresses lie inside the level.
pub fn sample(stage: &Stage, u: i32, v: i32, lod: u32, mut fetch: impl FnMut(u32, u32) -> u32) -> u32 {
    let footprint = footprint(stage, u, v, lod);
    let mut colors = [0; 4];
    for (color, tap) in colors.iter_mut().zip(&footprint.taps).take(footprint.tap_count) {
        *color =
            if tap.is_border { stage.border } else { stage.format.expand(fetch(tap.address, stage.format.bytes())) };
    }
    filter(colors, u32::from(footprint.alpha), u32::from(footprint.beta))
}

/// [`sample`] for every lane of a warp at once, up to 64 lanes; lanes outside `active` give 0.
///
/// `fetch(addresses, lanes, bytes)` is called once for each tap, unless no lane needs it, and gives the texels of the lanes
/// whose bit is set in `lanes`; the other lanes' addresses have no meaning and their texels are ignored. The order of the
/// calls is that of [`crate::Footprint::taps`].
#[inline(always)]
pub fn sample_warp<const LANES: usize>(
    stage: &Stage,
    u: &[i32; LANES],
    v: &[i32; LANES],
    lod: &[u32; LANES],
    active: u64,
    mut fetch: impl FnMut(&[u32; LANES], u64, u32) -> [u32; LANES],
) -> [u32; LANES] {
    let footprint = footprint_warp(stage, u, v, lod);
    let format = stage.format;
    let mut colors = [[0; LANES]; 4];
    for (tap, colors) in colors.iter_mut().enumerate().take(footprint.tap_count) {
        let border = footprint.border[tap];
        if active & !border != 0 {
            let texels = fetch(&footprint.addresses[tap], active & !border, format.bytes());
            *colors = format.expand_all(texels);
        }
        if border != 0 {
            for (lane, color) in colors.iter_mut().enumerate() {
                *color = if border >> lane & 1 == 1 { stage.border } else { *color };
            }
        }
    }
    let mut result = colors[0];
    if footprint.tap_count > 1 {
        for lane in 0..LANES {
            let four = [colors[0][lane], colors[1][lane], colors[2][lane], colors[3][lane]];
            result[lane] = filter(four, footprint.alpha[lane], footprint.beta[lane]);
        }
    }
    for (lane, color) in result.iter_mut().enumerate() {
        *color = if active >> lane & 1 == 1 { *color } else { 0 };
    }
    result
}

/// A place between two levels: `level` and the next one, `fraction` of 255 of the way.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelOfDetail {
    /// The finer of the two levels.
    pub level: u32,
    /// Weight of the coarser level, of 255.
    pub fraction: u8,
}

impl LevelOfDetail {
    /// λ to two levels and 8 fraction bits, nearest, ties to even; limited to the `levels` there are. NaN becomes level 0.
    pub fn from_f32(lambda: f32, levels: u32) -> Self {
        let steps = Self::steps(lambda, levels);
        Self { level: steps >> 8, fraction: steps as u8 }
    }

    /// The nearest single level; halfway the finer one, as Vulkan prefers (`ceil(λ + ½) − 1`).
    pub fn nearest(lambda: f32, levels: u32) -> u32 {
        (Self::steps(lambda, levels) + 127) >> 8
    }

    /// λ in 1/256 level.
    fn steps(lambda: f32, levels: u32) -> u32 {
        let last = levels.clamp(1, crate::stage::MAX_LEVELS as u32) - 1;
        // In this order a NaN becomes zero.
        (lambda.max(0.0).min(last as f32) * 256.0).round_ties_even() as u32
    }
}

/// Two samples and the interpolation between them, as `tex`, `tex`, lerp does it.
pub fn sample_trilinear(
    stage: &Stage,
    u: i32,
    v: i32,
    lod: LevelOfDetail,
    mut fetch: impl FnMut(u32, u32) -> u32,
) -> u32 {
    let finer = sample(stage, u, v, lod.level, &mut fetch);
    let coarser = sample(stage, u, v, lod.level.saturating_add(1), &mut fetch);
    lerp_packed(finer, coarser, u32::from(lod.fraction))
}
