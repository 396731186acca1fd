//! Sine, cosine, tangent, of radians and of half turns.
//!
//! Radians are reduced by as many bits of π as the largest `f32` asks for (`libm`), half turns exactly. By Niven's theorem the
//! only rational values are 0, ±½ and ±1 (tangent: 0 and ±1), at multiples of a quarter; thirds are no binary fractions.

use super::Outcome::{self, Exact, Inexact, Invalid, Pole};
use super::{inward, outward};
use std::f64::consts::PI;

/// A value that is the argument itself as far as `f64` can tell: a little nearer to zero.
fn inside(value: f64, argument: f64) -> f64 {
    if value == argument { inward(value) } else { value }
}

/// Sine of radians.
pub(super) fn sin(x: f32) -> Outcome {
    match x {
        _ if x == 0.0 => Exact(x.into()),
        _ if x.is_infinite() => Invalid,
        _ => Inexact(inside(libm::sin(x.into()), x.into())),
    }
}

/// Cosine of radians.
pub(super) fn cos(x: f32) -> Outcome {
    match x {
        _ if x == 0.0 => Exact(1.0),
        _ if x.is_infinite() => Invalid,
        _ => Inexact(inside(libm::cos(x.into()), 1.0)),
    }
}

/// Tangent of radians.
pub(super) fn tan(x: f32) -> Outcome {
    match x {
        _ if x == 0.0 => Exact(x.into()),
        _ if x.is_infinite() => Invalid,
        _ => {
            let value = libm::tan(x.into());
            Inexact(if value == f64::from(x) { outward(value) } else { value })
        }
    }
}

/// The magnitude of an angle in half turns, without its whole turns: quarter turns and a rest.
struct Angle {
    /// 0 to 3.
    quarter: u32,
    /// In half turns, −¼ to ¼.
    rest: f64,
}

/// Reduces half turns exactly.
fn reduce(x: f32) -> Angle {
    let magnitude = f64::from(x.abs());
    let turn = magnitude - 2.0 * libm::floor(magnitude / 2.0);
    let quarters = libm::rint(2.0 * turn);
    Angle { quarter: quarters as u32 & 3, rest: turn - quarters / 2.0 }
}

/// Sine of half turns.
pub(super) fn sinpi(x: f32) -> Outcome {
    if x.is_infinite() {
        return Invalid;
    }
    let sign = 1_f64.copysign(x.into());
    let Angle { quarter, rest } = reduce(x);
    match quarter {
        // At whole numbers the sign of the argument stays.
        0 | 2 if rest == 0.0 => Exact(0.0 * sign),
        1 if rest == 0.0 => Exact(sign),
        3 if rest == 0.0 => Exact(-sign),
        0 => Inexact(sign * libm::sin(PI * rest)),
        1 => beside_one(sign * libm::cos(PI * rest)),
        2 => Inexact(-sign * libm::sin(PI * rest)),
        _ => beside_one(-sign * libm::cos(PI * rest)),
    }
}

/// Cosine of half turns.
pub(super) fn cospi(x: f32) -> Outcome {
    if x.is_infinite() {
        return Invalid;
    }
    let Angle { quarter, rest } = reduce(x);
    match quarter {
        0 if rest == 0.0 => Exact(1.0),
        1 | 3 if rest == 0.0 => Exact(0.0),
        2 if rest == 0.0 => Exact(-1.0),
        0 => beside_one(libm::cos(PI * rest)),
        1 => Inexact(-libm::sin(PI * rest)),
        2 => beside_one(-libm::cos(PI * rest)),
        _ => Inexact(libm::sin(PI * rest)),
    }
}

/// Tangent of half turns.
pub(super) fn tanpi(x: f32) -> Outcome {
    if x.is_infinite() {
        return Invalid;
    }
    let sign = 1_f64.copysign(x.into());
    let Angle { quarter, rest } = reduce(x);
    match quarter {
        // Zeros have the sign of sine by cosine.
        0 if rest == 0.0 => Exact(0.0 * sign),
        2 if rest == 0.0 => Exact(-0.0 * sign),
        // n + ½: +∞ for even n, −∞ for odd; −½ is −1 + ½.
        1 if rest == 0.0 => Pole(f64::INFINITY * sign),
        3 if rest == 0.0 => Pole(f64::NEG_INFINITY * sign),
        0 | 2 if rest.abs() == 0.25 => Exact(4.0 * rest * sign),
        _ if rest.abs() == 0.25 => Exact(-4.0 * rest * sign),
        0 | 2 => Inexact(sign * libm::tan(PI * rest)),
        _ => Inexact(-sign / libm::tan(PI * rest)),
    }
}

/// A value inside ±1 that `f64` may not tell from it.
fn beside_one(value: f64) -> Outcome {
    Inexact(if value.abs() == 1.0 { inward(value) } else { value })
}
