//! Arc sine, arc cosine, arc tangent, the angle of a point; in radians and in half turns.
//!
//! `fatan2.s rd, rs1, rs2` is atan2(y = rs1, x = rs2), the order of C and of every shading language: then
//! `fatan2.s rd, rs1, one` is the arc tangent of rs1, which is how the proposal's example uses it.

use super::Outcome::{self, Exact, Inexact, Invalid, Nan};
use super::{inward, outward};
use std::f64::consts::PI;

/// Arc sine in radians.
pub(super) fn asin(x: f32) -> Outcome {
    match x {
        _ if x == 0.0 => Exact(x.into()),
        _ if x.abs() > 1.0 => Invalid,
        _ => {
            let value = libm::asin(x.into());
            Inexact(if value == f64::from(x) { outward(value) } else { value })
        }
    }
}

/// Arc cosine in radians.
pub(super) fn acos(x: f32) -> Outcome {
    match x {
        _ if x == 1.0 => Exact(0.0),
        _ if x.abs() > 1.0 => Invalid,
        _ => Inexact(libm::acos(x.into())),
    }
}

/// Arc tangent in radians.
pub(super) fn atan(x: f32) -> Outcome {
    if x == 0.0 {
        return Exact(x.into());
    }
    let value = libm::atan(x.into());
    Inexact(if value == f64::from(x) { inward(value) } else { value })
}

/// Arc sine in half turns.
pub(super) fn asinpi(x: f32) -> Outcome {
    match x {
        _ if x == 0.0 => Exact(x.into()),
        _ if x.abs() > 1.0 => Invalid,
        _ if x.abs() == 1.0 => Exact(f64::from(x) / 2.0),
        _ => Inexact(libm::asin(x.into()) / PI),
    }
}

/// Arc cosine in half turns.
pub(super) fn acospi(x: f32) -> Outcome {
    match x {
        _ if x == 1.0 => Exact(0.0),
        _ if x == -1.0 => Exact(1.0),
        _ if x == 0.0 => Exact(0.5),
        _ if x.abs() > 1.0 => Invalid,
        // About ½ no f64 tells so small an argument.
        _ if x.abs() < 1e-17 => Inexact(if x > 0.0 { inward(0.5) } else { outward(0.5) }),
        _ => Inexact(libm::acos(x.into()) / PI),
    }
}

/// Arc tangent in half turns.
pub(super) fn atanpi(x: f32) -> Outcome {
    match x {
        _ if x == 0.0 => Exact(x.into()),
        _ if x.is_infinite() => Exact(0.5_f64.copysign(x.into())),
        _ if x.abs() == 1.0 => Exact(f64::from(x) / 4.0),
        // About ±½ no f64 tells so large an argument.
        _ if x.abs() > 1e17 => Inexact(inward(0.5).copysign(x.into())),
        _ => Inexact(libm::atan(x.into()) / PI),
    }
}

/// The angle of the point (x, y) in eighths of a half turn where it is a whole number of them: on axes and diagonals.
fn eighths(y: f32, x: f32) -> Option<f64> {
    let is_left = x.is_sign_negative();
    let magnitude = if y == 0.0 {
        if is_left { 4.0 } else { 0.0 }
    } else if x == 0.0 {
        2.0
    } else if y.abs() == x.abs() {
        if is_left { 3.0 } else { 1.0 }
    } else if y.is_infinite() {
        2.0
    } else if x.is_infinite() {
        if is_left { 4.0 } else { 0.0 }
    } else {
        return None;
    };
    Some(f64::copysign(magnitude, y.into()))
}

/// The angle of the point (x, y), −π to π.
pub(super) fn atan2(y: f32, x: f32) -> Outcome {
    if y.is_nan() || x.is_nan() {
        return Nan;
    }
    match eighths(y, x) {
        Some(zero) if zero == 0.0 => Exact(zero),
        Some(count) => Inexact(count * (PI / 4.0)),
        None => Inexact(generic(y, x)),
    }
}

/// The angle of the point (x, y) in half turns, −1 to 1.
pub(super) fn atan2pi(y: f32, x: f32) -> Outcome {
    if y.is_nan() || x.is_nan() {
        return Nan;
    }
    match eighths(y, x) {
        Some(count) => Exact(count / 4.0),
        None => {
            let value = generic(y, x) / PI;
            // About multiples of ½ no f64 tells so small a difference.
            Inexact(match value.abs() {
                1.0 => inward(value),
                0.5 if x > 0.0 => inward(value),
                0.5 => outward(value),
                _ => value,
            })
        }
    }
}

/// The angle of a point beside all axes and diagonals.
fn generic(y: f32, x: f32) -> f64 {
    let (y, x) = (f64::from(y), f64::from(x));
    let value = libm::atan2(y, x);
    // Below a small quotient, where that is a number of f32's digits.
    if x > 0.0 && value == y / x && value * x == y { inward(value) } else { value }
}
