//! The sampler model: footprint → fetch → filter, for one lane and for a whole warp.
//!
//! The `tex` instructions call this, the plain-Rust rasterizer calls this, and the software samplers must equal it bit for
//! bit. Point sampling is the same datapath with both weights zero and one fetch. A trilinear sample is two samples of
//! neighbouring levels and one more [`lerp_packed`].
//!
//! The wide form gives one channel in `f32`. It differs behind the footprint only: [`Format::piece`](crate::Format::piece) of each
//! texel is fetched, [`Format::channel`](crate::Format::channel) makes it a number, which for sRGB is linear light, and
//! [`filter_f32`] weighs the four. Integer formats are never filtered: whatever the stage says, they take one tap.

use crate::channel::packed_channel;
use crate::filter::{filter, filter_f32, lerp_packed};
use crate::footprint::{Footprint, footprint, footprint_at};
use crate::footprint_warp::{WarpFootprint, footprint_warp, footprint_warp_at};
use crate::format::Sampled;
use crate::lookup::{Form, Lookup};
use crate::stage::{Filter, Stage};

/// The colour `0xAARRGGBB` that `stage` shows at (u, v), signed Q9.23, in level `lod` (see [`Stage::level`]).
///
/// `fetch(address, bytes)` gives the texel of 1, 2 or 4 bytes at a byte address as a little-endian number. It is called once
/// for each tap that is not in the border, in the order of [`crate::Footprint::taps`]. Never panics, whatever the
/// arguments; for a stage that validates, the addresses lie inside the level.
pub fn sample(stage: &Stage, u: i32, v: i32, lod: u32, fetch: impl FnMut(u32, u32) -> u32) -> u32 {
    packed_color(stage, &footprint(stage, u, v, lod), fetch)
}

fn packed_color(stage: &Stage, footprint: &Footprint, mut fetch: impl FnMut(u32, u32) -> u32) -> u32 {
    let (format, bytes) = (stage.format, stage.format.packed_bytes());
    let mut colors = [0; 4];
    for (color, tap) in colors.iter_mut().zip(&footprint.taps).take(footprint.tap_count) {
        *color = if tap.is_border { stage.border } else { format.expand(fetch(tap.address, bytes)) };
    }
    filter(colors, u32::from(footprint.alpha), u32::from(footprint.beta))
}

/// What one sample of any form fetches.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Taps {
    /// Addresses and weights; no tap at all for a channel that the format lacks.
    pub footprint: Footprint,
    /// Bytes of each tap: 1, 2 or 4.
    pub bytes: u32,
}

/// The taps of a sample of any form.
pub fn taps(form: Form, stage: &Stage, u: i32, v: i32, lookup: &Lookup) -> Taps {
    let format = stage.format;
    match form {
        Form::Level | Form::Lookup => {
            Taps { footprint: footprint_at(stage, u, v, lookup), bytes: format.packed_bytes() }
        }
        Form::Channel => {
            let is_filtered = format.sampled() == Sampled::Float;
            let filter = if is_filtered { lookup.filter } else { Some(Filter::Point) };
            let mut footprint = footprint_at(stage, u, v, &Lookup { filter, ..*lookup });
            if lookup.channel >= format.channels() {
                return Taps { footprint: Footprint { tap_count: 0, ..footprint }, bytes: 1 };
            }
            let (offset, bytes) = format.piece(lookup.channel);
            for tap in &mut footprint.taps {
                tap.address = tap.address.wrapping_add(offset);
            }
            Taps { footprint, bytes }
        }
    }
}

/// What a sample of any form gives: a colour `0xAARRGGBB`, or the bits of a channel. `fetch` as in [`sample`].
pub fn answer(
    form: Form,
    stage: &Stage,
    u: i32,
    v: i32,
    lookup: &Lookup,
    mut fetch: impl FnMut(u32, u32) -> u32,
) -> u32 {
    let Taps { footprint, bytes } = taps(form, stage, u, v, lookup);
    if form != Form::Channel {
        return packed_color(stage, &footprint, fetch);
    }
    let channel = lookup.channel;
    let border = border_channel(stage, channel);
    let mut values = [stage.format.absent(channel); 4];
    for (value, tap) in values.iter_mut().zip(&footprint.taps).take(footprint.tap_count) {
        *value = if tap.is_border { border } else { stage.format.channel(channel, fetch(tap.address, bytes)) };
    }
    if footprint.tap_count <= 1 {
        return values[0];
    }
    filter_f32(values.map(f32::from_bits), footprint.alpha.into(), footprint.beta.into()).to_bits()
}

/// The border's value of a channel: the byte of the border colour, of 255; as it is for integer formats.
fn border_channel(stage: &Stage, channel: u32) -> u32 {
    let byte = packed_channel(stage.border, channel);
    match stage.format.sampled() {
        Sampled::Float => (byte as f32 / 255.0).to_bits(),
        Sampled::Uint | Sampled::Sint => byte,
    }
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
    fetch: impl FnMut(&[u32; LANES], u64, u32) -> [u32; LANES],
) -> [u32; LANES] {
    packed_color_warp(stage, &footprint_warp(stage, u, v, lod), active, fetch)
}

#[inline(always)]
fn packed_color_warp<const LANES: usize>(
    stage: &Stage,
    footprint: &WarpFootprint<LANES>,
    active: u64,
    mut fetch: impl FnMut(&[u32; LANES], u64, u32) -> [u32; LANES],
) -> [u32; LANES] {
    let format = stage.format;
    let mut colors = [[0; LANES]; 4];
    for (tap, colors) in colors.iter_mut().enumerate().take(footprint.tap_count) {
        let border = footprint.border[tap];
        if active & !border != 0 {
            let texels = fetch(&footprint.addresses[tap], active & !border, format.packed_bytes());
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

/// [`answer`] for every lane of a warp at once, in the forms whose third operand is a [`Lookup`]; lanes outside `active` give 0.
/// All lanes take the channel `channel`; stage and channel are one for a warp.
///
/// `fetch` as in [`sample_warp`], but where lanes ask for different filters it may be called once for each tap and filter.
#[inline(always)]
pub fn answer_warp<const LANES: usize>(
    form: Form,
    stage: &Stage,
    channel: u32,
    [u, v]: [&[i32; LANES]; 2],
    words: &[u32; LANES],
    active: u64,
    mut fetch: impl FnMut(&[u32; LANES], u64, u32) -> [u32; LANES],
) -> [u32; LANES] {
    let mut bilinear = 0u64;
    for (lane, &word) in words.iter().enumerate() {
        let filter = Lookup::filter_of(word).unwrap_or(stage.filter);
        bilinear |= u64::from(filter == Filter::Bilinear) << lane;
    }
    if form == Form::Channel && stage.format.sampled() != Sampled::Float {
        bilinear = 0;
    }
    let mut result = [0; LANES];
    for (filter, lanes) in [(Filter::Point, active & !bilinear), (Filter::Bilinear, active & bilinear)] {
        if lanes == 0 {
            continue;
        }
        let level_of = |word: u32| stage.level_of_layer(word & Lookup::LEVEL, word >> 16);
        let mut footprint = footprint_warp_at(stage, filter, u, v, words, level_of);
        let part = if form == Form::Channel {
            channel_warp(stage, channel, &mut footprint, lanes, &mut fetch)
        } else {
            packed_color_warp(stage, &footprint, lanes, &mut fetch)
        };
        for lane in 0..LANES {
            // One of the two is zero.
            result[lane] |= part[lane];
        }
    }
    result
}

#[inline(always)]
fn channel_warp<const LANES: usize>(
    stage: &Stage,
    channel: u32,
    footprint: &mut WarpFootprint<LANES>,
    active: u64,
    mut fetch: impl FnMut(&[u32; LANES], u64, u32) -> [u32; LANES],
) -> [u32; LANES] {
    let format = stage.format;
    let is_active = |lane: usize| active >> lane & 1 == 1;
    if channel >= format.channels() {
        return std::array::from_fn(|lane| if is_active(lane) { format.absent(channel) } else { 0 });
    }
    let (offset, bytes) = format.piece(channel);
    let border = border_channel(stage, channel);
    let mut values = [[0; LANES]; 4];
    for (tap, values) in values.iter_mut().enumerate().take(footprint.tap_count) {
        let outside = footprint.border[tap];
        if active & !outside != 0 {
            let addresses = footprint.addresses[tap].map(|address| address.wrapping_add(offset));
            *values = fetch(&addresses, active & !outside, bytes).map(|raw| format.channel(channel, raw));
        }
        for (lane, value) in values.iter_mut().enumerate() {
            *value = if outside >> lane & 1 == 1 { border } else { *value };
        }
    }
    let mut result = values[0];
    if footprint.tap_count > 1 {
        for lane in 0..LANES {
            let four = [values[0][lane], values[1][lane], values[2][lane], values[3][lane]].map(f32::from_bits);
            result[lane] = filter_f32(four, footprint.alpha[lane], footprint.beta[lane]).to_bits();
        }
    }
    std::array::from_fn(|lane| if is_active(lane) { result[lane] } else { 0 })
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
