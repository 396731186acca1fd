//! Unpacking and the one place where rounding happens.
//!
//! Before: bits, or an exact result from `arithmetic` or `convert`. After: bits and flags.
//! Source: IEEE 754-2019 sections 4.3 and 7.

use super::{Flags, INFINITY, Rounding, SIGN};

/// A finite number: `(-1)^negative · significand · 2^exponent`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Unpacked {
    pub negative: bool,
    pub significand: u64,
    pub exponent: i32,
}

/// Takes finite bits apart. A zero has significand 0; all others are shifted until bit 23 is the leading one, subnormal
/// numbers too.
pub(super) fn unpack(bits: u32) -> Unpacked {
    let fraction = u64::from(bits & 0x007f_ffff);
    let field = (bits >> 23 & 0xff) as i32;
    debug_assert_ne!(field, 0xff, "only finite numbers are taken apart");
    let (significand, exponent) = match (field, fraction) {
        (0, 0) => (0, 0),
        (0, _) => {
            let shift = fraction.leading_zeros() as i32 - 40;
            (fraction << shift, -149 - shift)
        }
        _ => (fraction | 0x0080_0000, field - 150),
    };
    Unpacked { negative: bits & SIGN != 0, significand, exponent }
}

/// `value >> shift` with every bit that falls off folded into the lowest one (rounding to odd).
pub(super) fn shift_right_to_odd(value: u64, shift: u32) -> u64 {
    if shift >= 64 {
        return u64::from(value != 0);
    }
    let kept = value >> shift;
    kept | u64::from(kept << shift != value)
}

/// Divides a magnitude by `2^shift` and rounds to an integer. The second part says whether it was inexact.
pub(super) fn round_magnitude(magnitude: u64, shift: u32, negative: bool, rounding: Rounding) -> (u64, bool) {
    // Two bits below the kept ones are all that any mode needs: the half, and whether there is anything under it.
    let (kept, tail) = match shift {
        0 => (magnitude, 0),
        1 => (magnitude >> 1, (magnitude & 1) << 1),
        _ => {
            let with_tail = shift_right_to_odd(magnitude, shift - 2);
            (with_tail >> 2, with_tail & 3)
        }
    };
    let away = match rounding {
        Rounding::NearestEven => tail > 2 || tail == 2 && kept & 1 == 1,
        Rounding::TowardZero => false,
        Rounding::Down => negative && tail != 0,
        Rounding::Up => !negative && tail != 0,
        Rounding::NearestMaxMagnitude => tail >= 2,
    };
    (kept + u64::from(away), tail != 0)
}

/// Rounds an exact non-zero result to binary32.
///
/// The lowest bit of the significand may stand for "and something below"; then it has at least 26 significant bits.
pub(super) fn pack(exact: Unpacked, rounding: Rounding) -> (u32, Flags) {
    let Unpacked { negative, significand, exponent } = exact;
    debug_assert_ne!(significand, 0, "the sign of an exact zero is for the operation to choose");
    let leading = exponent + 63 - significand.leading_zeros() as i32;
    // Rounded as if the exponent had no limits: 24 bits. The quantum is the weight of the last bit.
    let to_quantum = |quantum: i32| match quantum - exponent {
        shift if shift > 0 => round_magnitude(significand, shift as u32, negative, rounding),
        shift => (significand << -shift, false),
    };
    let (free, free_inexact) = to_quantum(leading - 23);
    let is_tiny = leading < -127 || leading == -127 && free < 1 << 24;
    let is_subnormal = leading < -126;
    let (rounded, is_inexact) = if is_subnormal { to_quantum(-149) } else { (free, free_inexact) };

    // Adding the exponent field to the significand lets a carry out of the fraction step to the next binade by itself.
    let field = if is_subnormal { 0 } else { leading + 126 };
    let magnitude = ((field as u64) << 23) + rounded;
    let sign = if negative { SIGN } else { 0 };
    if magnitude >= u64::from(INFINITY) {
        let to_infinity = match rounding {
            Rounding::NearestEven | Rounding::NearestMaxMagnitude => true,
            Rounding::TowardZero => false,
            Rounding::Down => negative,
            Rounding::Up => !negative,
        };
        let bits = if to_infinity { INFINITY } else { INFINITY - 1 };
        return (sign | bits, Flags::OF | Flags::NX);
    }
    let flags = match (is_inexact, is_tiny) {
        (false, _) => Flags::NONE,
        (true, false) => Flags::NX,
        (true, true) => Flags::UF | Flags::NX,
    };
    (sign | magnitude as u32, flags)
}
