//! What becomes of a pixel's colour word: blending or a logic operation, the encoding, and the colour mask.
//!
//! Before: fog. After: the target. Linear channels are blended in steps of the stored bytes, 0 to 255, encoded ones in
//! [0, 1]. The tile kernel does the same operations in the same order (`kernels/tile/blend.wgsl`), but leaves out those
//! that the factors 0 and 1 make idle.

use super::interpolate::fma;
use crate::srgb;
use crate::state::{BlendComponent, BlendFactor, BlendOperation, ColorTarget, LogicOperation};

/// The new word of a pixel, from a colour in [0, 1] and the stored word.
pub fn written(
    target: ColorTarget,
    logic: Option<LogicOperation>,
    constant: [f32; 4],
    color: [f32; 4],
    stored: u32,
) -> u32 {
    let is_srgb = target.format.is_srgb();
    let word = match logic {
        // No logic operation for encoded colours (Vulkan, "Logical Operations").
        Some(_) if is_srgb => pack(is_srgb, in_steps(is_srgb, color)),
        Some(operation) => operation.apply(pack(is_srgb, in_steps(is_srgb, color)), stored),
        None if target.blend.is_used() => blended(target, constant, color, stored),
        None => pack(is_srgb, in_steps(is_srgb, color)),
    };
    masked(target, word, stored)
}

/// The new word of a pixel of integers: neither fog nor blending.
pub fn written_integers(target: ColorTarget, logic: Option<LogicOperation>, color: [u32; 4], stored: u32) -> u32 {
    let word = target.format.integer_word(color);
    masked(target, logic.map_or(word, |operation| operation.apply(word, stored)), stored)
}

fn masked(target: ColorTarget, word: u32, stored: u32) -> u32 {
    stored & !target.written_bits() | word & target.written_bits()
}

/// Red, green, blue, alpha of a word.
fn channels(word: u32) -> [u8; 4] {
    let [blue, green, red, alpha] = word.to_le_bytes();
    [red, green, blue, alpha]
}

/// Channels in [0, 1] in the steps that `pack` takes: bytes, or linear light where the target is encoded.
fn in_steps(is_srgb: bool, [red, green, blue, alpha]: [f32; 4]) -> [f32; 4] {
    let scale = if is_srgb { 1.0 } else { 255.0 };
    [red * scale, green * scale, blue * scale, alpha * 255.0]
}

/// The word of a colour in steps.
fn pack(is_srgb: bool, [red, green, blue, alpha]: [f32; 4]) -> u32 {
    let nearest = |step: f32| step.round_ties_even() as u32;
    let color = [red, green, blue].map(|channel| if is_srgb { srgb::encode(channel) } else { nearest(channel) });
    nearest(alpha) << 24 | color[0] << 16 | color[1] << 8 | color[2]
}

fn blended(target: ColorTarget, constant: [f32; 4], color: [f32; 4], word: u32) -> u32 {
    let is_srgb = target.format.is_srgb();
    let bytes = channels(word);
    // The stored colour in [0, 1], and in steps.
    let mut unit = bytes.map(|byte| f32::from(byte) * (1.0 / 255.0));
    let mut stored = bytes.map(f32::from);
    if is_srgb {
        for channel in 0..3 {
            unit[channel] = srgb::decode(bytes[channel]);
            stored[channel] = unit[channel];
        }
    }
    let source = in_steps(is_srgb, color);
    let most = in_steps(is_srgb, [1.0; 4]);
    let channel = |index: usize| {
        let component = if index < 3 { target.blend.color } else { target.blend.alpha };
        let factor = |factor| factor_of(factor, index, &color, &unit, &constant);
        let factors = [factor(component.source), factor(component.destination)];
        joined(component, [source[index], stored[index]], factors).clamp(0.0, most[index])
    };
    pack(is_srgb, [channel(0), channel(1), channel(2), channel(3)])
}

/// What a channel is multiplied by, from source, stored colour and constant in [0, 1].
fn factor_of(factor: BlendFactor, channel: usize, source: &[f32; 4], stored: &[f32; 4], constant: &[f32; 4]) -> f32 {
    match factor {
        BlendFactor::Zero => 0.0,
        BlendFactor::One => 1.0,
        BlendFactor::Source => source[channel],
        BlendFactor::OneMinusSource => 1.0 - source[channel],
        BlendFactor::SourceAlpha => source[3],
        BlendFactor::OneMinusSourceAlpha => 1.0 - source[3],
        BlendFactor::Destination => stored[channel],
        BlendFactor::OneMinusDestination => 1.0 - stored[channel],
        BlendFactor::DestinationAlpha => stored[3],
        BlendFactor::OneMinusDestinationAlpha => 1.0 - stored[3],
        BlendFactor::Constant => constant[channel],
        BlendFactor::OneMinusConstant => 1.0 - constant[channel],
        BlendFactor::ConstantAlpha => constant[3],
        BlendFactor::OneMinusConstantAlpha => 1.0 - constant[3],
        BlendFactor::SourceAlphaSaturated if channel == 3 => 1.0,
        BlendFactor::SourceAlphaSaturated => source[3].min(1.0 - stored[3]),
    }
}

/// Source and stored step, each times its factor, joined; not yet clamped.
fn joined(component: BlendComponent, [source, stored]: [f32; 2], [source_factor, stored_factor]: [f32; 2]) -> f32 {
    let product = source * source_factor;
    match component.operation {
        BlendOperation::Add => fma(stored, stored_factor, product),
        BlendOperation::Subtract => fma(-stored, stored_factor, product),
        BlendOperation::ReverseSubtract => fma(stored, stored_factor, -product),
        BlendOperation::Min => source.min(stored),
        BlendOperation::Max => source.max(stored),
    }
}
