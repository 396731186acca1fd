//! Hyperbolic sine, cosine and tangent, and their inverses.

use super::Outcome::{self, Exact, Inexact, Invalid, Pole};
use super::{inward, outward};

/// A value that is the argument itself as far as `f64` can tell: a little farther from zero.
fn outside(value: f64, argument: f64) -> f64 {
    if value == argument { outward(value) } else { value }
}

/// A value that is the argument itself as far as `f64` can tell: a little nearer to zero.
fn inside(value: f64, argument: f64) -> f64 {
    if value == argument { inward(value) } else { value }
}

/// Hyperbolic sine.
pub(super) fn sinh(x: f32) -> Outcome {
    if x == 0.0 || x.is_infinite() {
        return Exact(x.into());
    }
    Inexact(outside(libm::sinh(x.into()), x.into()))
}

/// Hyperbolic cosine.
pub(super) fn cosh(x: f32) -> Outcome {
    if x == 0.0 || x.is_infinite() {
        return Exact(if x == 0.0 { 1.0 } else { f64::INFINITY });
    }
    Inexact(outside(libm::cosh(x.into()), 1.0))
}

/// Hyperbolic tangent.
pub(super) fn tanh(x: f32) -> Outcome {
    if x == 0.0 || x.is_infinite() {
        return Exact(if x == 0.0 { x.into() } else { f64::from(1_f32.copysign(x)) });
    }
    let wide = f64::from(x);
    Inexact(inside(inside(libm::tanh(wide), wide), 1_f64.copysign(wide)))
}

/// Inverse hyperbolic sine.
pub(super) fn asinh(x: f32) -> Outcome {
    if x == 0.0 || x.is_infinite() {
        return Exact(x.into());
    }
    Inexact(inside(libm::asinh(x.into()), x.into()))
}

/// Inverse hyperbolic cosine.
pub(super) fn acosh(x: f32) -> Outcome {
    match x {
        _ if x < 1.0 => Invalid,
        _ if x == 1.0 => Exact(0.0),
        _ if x.is_infinite() => Exact(x.into()),
        _ => Inexact(libm::acosh(x.into())),
    }
}

/// Inverse hyperbolic tangent.
pub(super) fn atanh(x: f32) -> Outcome {
    match x {
        _ if x == 0.0 => Exact(x.into()),
        _ if x.abs() == 1.0 => Pole(f64::INFINITY.copysign(x.into())),
        _ if x.abs() > 1.0 => Invalid,
        _ => Inexact(outside(libm::atanh(x.into()), x.into())),
    }
}
