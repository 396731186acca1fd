//! Reciprocal, reciprocal square root, cube root, hypotenuse: correctly rounded under every mode.
//!
//! An `f64` near the true value decides, unless it lies within some units of a number of 25 digits: of an `f32`, or of the middle
//! between two. Then exact integers say on which side of that number the true value is.

use super::Outcome::{self, Exact, Inexact, Invalid, Nan, Pole};
use super::{inward, outward};
use std::cmp::Ordering;

/// A positive number as `odd or even significand · 2^exponent`.
#[derive(Copy, Clone)]
struct Number {
    significand: u128,
    exponent: i32,
}

impl Number {
    /// `value` is positive and has at most 26 digits.
    fn new(value: f64) -> Self {
        let bits = value.to_bits();
        let significand = ((bits & ((1 << 52) - 1)) | 1 << 52) >> 27;
        Self { significand: significand.into(), exponent: (bits >> 52) as i32 - 1048 }
    }

    fn times(self, other: Self) -> Self {
        Self { significand: self.significand * other.significand, exponent: self.exponent + other.exponent }
    }

    /// The place of the leading digit.
    fn magnitude(self) -> i32 {
        self.exponent + 127 - self.significand.leading_zeros() as i32
    }

    /// Both have at most 104 digits.
    fn compare(self, other: Self) -> Ordering {
        // Leading digits first; then the shift is no longer than the digits.
        self.magnitude().cmp(&other.magnitude()).then_with(|| {
            let shift = self.exponent - other.exponent;
            let (a, b) = (self.significand << shift.max(0), other.significand << (-shift).max(0));
            a.cmp(&b)
        })
    }
}

/// Judges an `f64` that lies within 4 units of its last place of the true value; `compare` says how the true value stands to a
/// positive number of 25 digits.
fn settle(near: f64, compare: impl Fn(Number) -> Ordering) -> Outcome {
    // 53 digits less 25.
    const UNITS: u64 = 1 << 28;
    let bits = near.to_bits();
    let candidate = (bits + UNITS / 2) & !(UNITS - 1);
    if bits.abs_diff(candidate) > 4 {
        return Inexact(near);
    }
    let candidate = f64::from_bits(candidate);
    match compare(Number::new(candidate)) {
        Ordering::Equal => Exact(candidate),
        Ordering::Less => Inexact(inward(candidate)),
        Ordering::Greater => Inexact(outward(candidate)),
    }
}

/// A power of two.
fn power_of_two(exponent: i32) -> Number {
    Number { significand: 1, exponent }
}

/// 1/x.
pub(super) fn reciprocal(x: f32) -> Outcome {
    if x == 0.0 {
        return Pole(f64::INFINITY.copysign(x.into()));
    }
    if x.is_infinite() {
        return Exact(0_f64.copysign(x.into()));
    }
    let wide = f64::from(x).abs();
    // How 1/x stands to c: as 1 to x·c.
    let outcome = settle(1.0 / wide, |c| power_of_two(0).compare(Number::new(wide).times(c)));
    outcome.with_sign_of(x)
}

/// 1/√x.
pub(super) fn reciprocal_square_root(x: f32) -> Outcome {
    match x {
        _ if x == 0.0 => Pole(f64::INFINITY.copysign(x.into())),
        _ if x < 0.0 => Invalid,
        _ if x.is_infinite() => Exact(0.0),
        _ => {
            let wide = f64::from(x);
            // How 1/√x stands to c: as 1 to x·c².
            settle(1.0 / libm::sqrt(wide), |c| power_of_two(0).compare(Number::new(wide).times(c).times(c)))
        }
    }
}

/// ∛x.
pub(super) fn cube_root(x: f32) -> Outcome {
    if x == 0.0 || x.is_infinite() {
        return Exact(x.into());
    }
    let wide = f64::from(x).abs();
    let outcome = settle(libm::cbrt(wide), |c| Number::new(wide).compare(c.times(c).times(c)));
    outcome.with_sign_of(x)
}

/// √(x² + y²). An infinity wins over a quiet NaN.
pub(super) fn hypotenuse(x: f32, y: f32) -> Outcome {
    if x.is_infinite() || y.is_infinite() {
        return Exact(f64::INFINITY);
    }
    if x.is_nan() || y.is_nan() {
        return Nan;
    }
    let (x, y) = (f64::from(x.abs()), f64::from(y.abs()));
    let (long, short) = if x > y { (x, y) } else { (y, x) };
    if short == 0.0 {
        return Exact(long);
    }
    // No square of an f32 leaves the range of f64.
    settle(libm::sqrt(long * long + short * short), |c| {
        // How √(long² + short²) stands to c: as short² to c² − long².
        let (square, long) = (c.times(c), Number::new(long));
        let long = long.times(long);
        let exponent = square.exponent.min(long.exponent);
        let at = |number: Number| number.significand << (number.exponent - exponent);
        match at(square).checked_sub(at(long)) {
            None | Some(0) => Ordering::Greater,
            Some(rest) => {
                let short = Number::new(short);
                short.times(short).compare(Number { significand: rest, exponent })
            }
        }
    })
}

impl Outcome {
    /// A positive value with the sign of an operand.
    fn with_sign_of(self, x: f32) -> Self {
        match self {
            Exact(value) => Exact(value.copysign(x.into())),
            Inexact(value) => Inexact(value.copysign(x.into())),
            other => other,
        }
    }
}
