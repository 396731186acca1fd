//! Between integers and floats, and rounding to an integer.
//!
//! Before: bits. After: bits and flags. Conversions to integers saturate; a NaN becomes the largest integer; a result
//! out of range is invalid and then not inexact.
//! Source: RISC-V unprivileged specification, chapter "F", section 11.7; chapter "Zfa".

use super::round::{Unpacked, pack, round_magnitude, unpack};
use super::{Flags, Rounding, SIGN, is_nan, nan_result};

/// `fcvt.w.s`.
pub fn to_i32(a: u32, rounding: Rounding) -> (u32, Flags) {
    to_integer(a, rounding, i64::from(i32::MIN), i64::from(i32::MAX))
}

/// `fcvt.wu.s`.
pub fn to_u32(a: u32, rounding: Rounding) -> (u32, Flags) {
    to_integer(a, rounding, 0, i64::from(u32::MAX))
}

/// A finite number of `f64` that is not zero, rounded to `f32`: what `fcvt.s.d` does.
pub fn narrow(value: f64, rounding: Rounding) -> (u32, Flags) {
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (significand, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    pack(Unpacked { negative: value.is_sign_negative(), significand, exponent }, rounding)
}

fn to_integer(a: u32, rounding: Rounding, smallest: i64, largest: i64) -> (u32, Flags) {
    if is_nan(a) {
        return (largest as u32, Flags::NV);
    }
    // 2^32 and above is out of range, and so is infinity.
    let magnitude_limit = 0x4f80_0000;
    if a & !SIGN >= magnitude_limit {
        return (if a & SIGN == 0 { largest } else { smallest } as u32, Flags::NV);
    }
    let (magnitude, is_inexact) = round_finite(a, rounding);
    let value = if a & SIGN == 0 { magnitude as i64 } else { -(magnitude as i64) };
    if value < smallest || value > largest {
        return (value.clamp(smallest, largest) as u32, Flags::NV);
    }
    (value as u32, if is_inexact { Flags::NX } else { Flags::NONE })
}

/// The magnitude of a number below 2^32, rounded to an integer, and whether that was inexact.
fn round_finite(a: u32, rounding: Rounding) -> (u64, bool) {
    let Unpacked { negative, significand, exponent } = unpack(a);
    match exponent {
        0.. => (significand << exponent, false),
        _ => round_magnitude(significand, -exponent as u32, negative, rounding),
    }
}

/// `fcvt.s.w`; the operand is a signed integer.
pub fn from_i32(a: u32, rounding: Rounding) -> (u32, Flags) {
    let signed = a as i32;
    from_magnitude(signed < 0, signed.unsigned_abs(), rounding)
}

/// `fcvt.s.wu`.
pub fn from_u32(a: u32, rounding: Rounding) -> (u32, Flags) {
    from_magnitude(false, a, rounding)
}

fn from_magnitude(negative: bool, magnitude: u32, rounding: Rounding) -> (u32, Flags) {
    if magnitude == 0 {
        return (0, Flags::NONE);
    }
    pack(Unpacked { negative, significand: u64::from(magnitude), exponent: 0 }, rounding)
}

/// `froundnx.s`: rounded to an integer, still a float; raises inexact when that changed the value. Zero keeps its sign.
pub fn round_to_integral_exact(a: u32, rounding: Rounding) -> (u32, Flags) {
    if is_nan(a) {
        return nan_result(&[a], false);
    }
    // From 2^23 on every number is an integer.
    if a & !SIGN >= 0x4b00_0000 {
        return (a, Flags::NONE);
    }
    let (magnitude, is_inexact) = round_finite(a, rounding);
    let (bits, _) = from_magnitude(false, magnitude as u32, Rounding::NearestEven);
    (a & SIGN | bits, if is_inexact { Flags::NX } else { Flags::NONE })
}

/// `fround.s`: as [`round_to_integral_exact`] without the inexact flag.
pub fn round_to_integral(a: u32, rounding: Rounding) -> (u32, Flags) {
    let (bits, flags) = round_to_integral_exact(a, rounding);
    (bits, Flags(flags.0 & !Flags::NX.0))
}
