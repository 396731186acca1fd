//! How far the transcendental instructions are from the true values, measured against an independent computation.
//!
//! `twice` are numbers of 106 digits, `reference` computes the functions in them, `near` their neighbourhoods sooner, `sweep`
//! goes through operands, and `page` writes `docs/transcendentals.md`.

mod near;
pub mod page;
pub mod reference;
pub mod sweep;
pub mod twice;

use gpu_core::isa::Op;
use gpu_core::semantics::float::{INFINITY, Rounding, SIGN};
use gpu_core::semantics::transcendental;
use twice::Twice;

/// The largest error allowed, in units of the last place of the true value: OpenCL's full profile, which the proposal demands
/// (OpenCL C specification, "Relative Error as ULPs"). OpenCL has no reciprocal: ours is division, correctly rounded.
pub fn bound(op: Op) -> f64 {
    match op {
        Op::Frecip => 0.5,
        Op::Frsqrt | Op::Fcbrt | Op::Flog1p => 2.0,
        Op::Fexp | Op::Fexp2 | Op::Fexp10 | Op::Fexpm1 | Op::Flog | Op::Flog2 | Op::Flog10 => 3.0,
        Op::Fhypot | Op::Fsin | Op::Fcos | Op::Fsinpi | Op::Fcospi | Op::Fasin | Op::Facos => 4.0,
        Op::Fsinh | Op::Fcosh | Op::Fasinh | Op::Facosh => 4.0,
        Op::Ftan | Op::Fatan | Op::Fasinpi | Op::Facospi | Op::Fatanpi | Op::Ftanh | Op::Fatanh => 5.0,
        Op::Ftanpi | Op::Fatan2 | Op::Fatan2pi => 6.0,
        // fpow.s, froot.s.
        _ => 16.0,
    }
}

/// The result of an instruction, to nearest.
pub fn result(op: Op, a: f32, b: f32) -> f32 {
    f32::from_bits(transcendental::exact(op, a.to_bits(), b.to_bits(), Rounding::NearestEven).0)
}

/// What a result is worth.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Error {
    /// Its distance from the true value, in units of the last place of the true value.
    pub ulps: f64,
    /// Whether no `f32` is nearer.
    pub is_nearest: bool,
}

/// How far a result is from the true value; `None` where the function has no finite value.
pub fn error(op: Op, a: f32, b: f32) -> Option<Error> {
    let truth = reference::value(op, a, b)?;
    Some(error_of(result(op, a, b), truth))
}

/// How far a result is from a true value.
pub fn error_of(result: f32, truth: Twice) -> Error {
    let is_nearest = truth.to_f32().to_bits() == result.to_bits() || truth.high == 0.0 && result == 0.0;
    if result.is_nan() {
        return Error { ulps: f64::INFINITY, is_nearest };
    }
    // Overflow: infinity stands for 2^128, and what lies beyond that is as near to it.
    let largest = 340_282_366_920_938_463_463_374_607_431_768_211_456.0_f64;
    let distance = if result.is_infinite() {
        let wanted = largest.copysign(result.into());
        if truth.high.abs() >= largest && truth.high.is_sign_negative() == wanted.is_sign_negative() {
            return Error { ulps: 0.0, is_nearest };
        }
        truth - Twice::new(wanted)
    } else {
        truth - Twice::new(result.into())
    };
    let magnitude = truth.high.abs();
    let exponent = if magnitude == 0.0 { -126 } else { (magnitude.to_bits() >> 52) as i32 - 1023 };
    let unit = f64::from_bits(((1023 + exponent.clamp(-126, 127) - 23) as u64) << 52);
    Error { ulps: distance.abs().high / unit, is_nearest }
}

/// A dense deterministic sample of bits: every `stride`-th word, and those next to every power of two and to multiples of a
/// quarter of π and of ½.
pub fn sample(stride: u32) -> impl Iterator<Item = u32> {
    let strided = (0..=u32::MAX / stride).map(move |n| n * stride);
    let powers =
        (0..255_u32).flat_map(|exponent| (0..5).map(move |n| (exponent << 23).wrapping_add(n).wrapping_sub(2)));
    let quarters = (1..200_u32).flat_map(|n| {
        let near = [(f64::from(n) * std::f64::consts::FRAC_PI_4) as f32, n as f32 / 2.0];
        near.into_iter().flat_map(|near| (0..3).map(move |step| near.to_bits() - 1 + step))
    });
    let edges = powers.chain(quarters).filter(|bits| bits & !SIGN <= INFINITY);
    strided.chain(edges.flat_map(|bits| [bits, bits ^ SIGN]))
}

#[cfg(test)]
mod tests;
