//! x to the power y, and the y-th root of x.

use super::Outcome::{self, Exact, Inexact, Invalid, Nan, Pole};
use super::{is_odd, is_whole, roots};

/// x to the power y: IEEE 754's `pow`. Power 0, and the base 1, give 1 even beside a quiet NaN.
pub(super) fn pow(x: f32, y: f32) -> Outcome {
    if y == 0.0 || x == 1.0 {
        return Exact(1.0);
    }
    if x.is_nan() || y.is_nan() {
        return Nan;
    }
    if y.is_infinite() {
        // (−1)^±∞ is 1: every large number is even.
        let grows = (x.abs() > 1.0) == (y > 0.0);
        return Exact(if x.abs() == 1.0 {
            1.0
        } else if grows {
            f64::INFINITY
        } else {
            0.0
        });
    }
    let has_sign = is_whole(y) && is_odd(y) && x.is_sign_negative();
    let sign = if has_sign { -1.0 } else { 1.0 };
    if x == 0.0 {
        return if y < 0.0 { Pole(f64::INFINITY * sign) } else { Exact(0.0 * sign) };
    }
    if x.is_infinite() {
        return Exact(if y < 0.0 { 0.0 * sign } else { f64::INFINITY * sign });
    }
    if x < 0.0 && !is_whole(y) {
        return Invalid;
    }
    match exact_power(x.abs(), y) {
        Some(value) => Exact(value * sign),
        None => Inexact(libm::pow(x.abs().into(), y.into()) * sign),
    }
}

/// A whole power that `f64` holds exactly. Whoever has more digits than `f64` is not exact in `f32`.
fn exact_power(x: f32, y: f32) -> Option<f64> {
    if !is_whole(y) || y.abs() > 1074.0 {
        return None;
    }
    let bits = f64::from(x).to_bits();
    let significand = (bits & ((1 << 52) - 1)) | 1 << 52;
    let shift = significand.trailing_zeros();
    let odd = significand >> shift;
    let exponent = (bits >> 52) as i32 - 1075 + shift as i32;
    let power = if y > 0.0 {
        (1..y as u32).try_fold(odd, |power, _| power.checked_mul(odd).filter(|&power| power < 1 << 53))?
    } else if odd == 1 {
        1
    } else {
        return None;
    };
    let exponent = exponent.checked_mul(y as i32)?;
    // Far beyond f32 on either side it is no longer exact.
    if !(-900..=900).contains(&exponent) {
        return None;
    }
    Some(power as f64 * f64::from_bits(((1023 + exponent) as u64) << 52))
}

/// The root of x of degree y. For an integer y this is IEEE 754's `rootn`: odd roots of negative numbers are negative, and degree
/// 0 is invalid. For any other y it is x to the power 1/y, as the proposal has it.
pub(super) fn root(x: f32, y: f32) -> Outcome {
    if y.is_nan() {
        return Nan;
    }
    if !is_whole(y) {
        return match () {
            // 1/±∞ is ±0.
            () if y.is_infinite() || x == 1.0 => Exact(1.0),
            () if x.is_nan() => Nan,
            () if x == 0.0 && y < 0.0 => Pole(f64::INFINITY),
            () if x == 0.0 || x.is_infinite() => Exact(if (x == 0.0) == (y > 0.0) { 0.0 } else { f64::INFINITY }),
            () if x < 0.0 => Invalid,
            () => Inexact(libm::pow(x.into(), 1.0 / f64::from(y))),
        };
    }
    if x.is_nan() {
        return Nan;
    }
    if y == 0.0 {
        return Invalid;
    }
    let sign = if is_odd(y) && x.is_sign_negative() { -1.0 } else { 1.0 };
    if x == 0.0 {
        return if y < 0.0 { Pole(f64::INFINITY * sign) } else { Exact(0.0 * sign) };
    }
    if x < 0.0 && !is_odd(y) {
        return Invalid;
    }
    if x.is_infinite() {
        return Exact(if y < 0.0 { 0.0 * sign } else { f64::INFINITY * sign });
    }
    match y {
        1.0 => Exact(x.into()),
        -1.0 => roots::reciprocal(x),
        -2.0 => roots::reciprocal_square_root(x),
        3.0 => roots::cube_root(x),
        _ if x.abs() == 1.0 => Exact(x.into()),
        _ => Inexact(libm::pow(x.abs().into(), 1.0 / f64::from(y)) * sign),
    }
}
