//! Sum, product, quotient, square root, fused multiply-add.
//!
//! Before: bits. After: `round::pack` on the exact result. Special operands first, then one straight line.
//! Source: RISC-V unprivileged specification, chapter "F", sections 11.3 and 11.6; IEEE 754-2019 section 6.

use super::round::{Unpacked, pack, shift_right_to_odd, unpack};
use super::{Flags, INFINITY, Rounding, SIGN, is_nan, nan_result};

fn is_infinite(bits: u32) -> bool {
    bits & !SIGN == INFINITY
}

fn is_zero(bits: u32) -> bool {
    bits & !SIGN == 0
}

/// `a + b`.
pub fn add(a: u32, b: u32, rounding: Rounding) -> (u32, Flags) {
    if is_nan(a) || is_nan(b) {
        return nan_result(&[a, b], false);
    }
    match (is_infinite(a), is_infinite(b)) {
        (true, true) if a != b => nan_result(&[], true),
        (true, _) => (a, Flags::NONE),
        (_, true) => (b, Flags::NONE),
        _ => pack_sum(unpack(a), unpack(b), rounding),
    }
}

/// `a - b`.
pub fn sub(a: u32, b: u32, rounding: Rounding) -> (u32, Flags) {
    add(a, b ^ SIGN, rounding)
}

/// `a * b`.
pub fn mul(a: u32, b: u32, rounding: Rounding) -> (u32, Flags) {
    if is_nan(a) || is_nan(b) {
        return nan_result(&[a, b], false);
    }
    let sign = (a ^ b) & SIGN;
    if is_infinite(a) || is_infinite(b) {
        return if is_zero(a) || is_zero(b) { nan_result(&[], true) } else { (sign | INFINITY, Flags::NONE) };
    }
    if is_zero(a) || is_zero(b) {
        return (sign, Flags::NONE);
    }
    pack(product(unpack(a), unpack(b)), rounding)
}

/// `a / b`.
pub fn div(a: u32, b: u32, rounding: Rounding) -> (u32, Flags) {
    if is_nan(a) || is_nan(b) {
        return nan_result(&[a, b], false);
    }
    let sign = (a ^ b) & SIGN;
    match (is_infinite(a), is_infinite(b), is_zero(a), is_zero(b)) {
        (true, true, ..) | (.., true, true) => return nan_result(&[], true),
        (true, ..) => return (sign | INFINITY, Flags::NONE),
        (_, true, ..) | (_, _, true, _) => return (sign, Flags::NONE),
        (.., true) => return (sign | INFINITY, Flags::DZ),
        _ => {}
    }
    let (a, b) = (unpack(a), unpack(b));
    // Both significands have 24 bits, so the quotient has 38 or 39.
    let dividend = a.significand << 38;
    let (quotient, rest) = (dividend / b.significand, dividend % b.significand);
    let exact = Unpacked {
        negative: sign != 0,
        significand: quotient | u64::from(rest != 0),
        exponent: a.exponent - b.exponent - 38,
    };
    pack(exact, rounding)
}

/// Square root.
pub fn sqrt(a: u32, rounding: Rounding) -> (u32, Flags) {
    if is_nan(a) {
        return nan_result(&[a], false);
    }
    if is_zero(a) || a == INFINITY {
        return (a, Flags::NONE);
    }
    if a & SIGN != 0 {
        return nan_result(&[], true);
    }
    let a = unpack(a);
    // An even exponent halves exactly; 62 or 63 bits have a root of 31 or 32.
    let shift = if a.exponent % 2 == 0 { 38 } else { 39 };
    let square = a.significand << shift;
    let root = square.isqrt();
    let exact = Unpacked {
        negative: false,
        significand: root | u64::from(root * root != square),
        exponent: (a.exponent - shift) / 2,
    };
    pack(exact, rounding)
}

/// `a * b + c`, rounded once.
pub fn fma(a: u32, b: u32, c: u32, rounding: Rounding) -> (u32, Flags) {
    // ∞ · 0 is invalid even when the addend is a quiet NaN.
    let is_undefined_product = is_infinite(a) && is_zero(b) || is_zero(a) && is_infinite(b);
    if is_undefined_product || is_nan(a) || is_nan(b) || is_nan(c) {
        return nan_result(&[a, b, c], is_undefined_product);
    }
    let sign = (a ^ b) & SIGN;
    if is_infinite(a) || is_infinite(b) {
        return if c == (sign ^ SIGN) | INFINITY { nan_result(&[], true) } else { (sign | INFINITY, Flags::NONE) };
    }
    if is_infinite(c) {
        return (c, Flags::NONE);
    }
    pack_sum(product(unpack(a), unpack(b)), unpack(c), rounding)
}

/// `a * b - c`, rounded once.
pub fn fmsub(a: u32, b: u32, c: u32, rounding: Rounding) -> (u32, Flags) {
    fma(a, b, c ^ SIGN, rounding)
}

/// `-(a * b) + c`, rounded once, after the negation.
pub fn fnmsub(a: u32, b: u32, c: u32, rounding: Rounding) -> (u32, Flags) {
    fma(a ^ SIGN, b, c, rounding)
}

/// `-(a * b) - c`, rounded once, after the negations.
pub fn fnmadd(a: u32, b: u32, c: u32, rounding: Rounding) -> (u32, Flags) {
    fma(a ^ SIGN, b, c ^ SIGN, rounding)
}

/// The exact product: at most 48 bits.
fn product(a: Unpacked, b: Unpacked) -> Unpacked {
    Unpacked {
        negative: a.negative != b.negative,
        significand: a.significand * b.significand,
        exponent: a.exponent + b.exponent,
    }
}

/// The rounded sum of two numbers of at most 48 significant bits each.
fn pack_sum(a: Unpacked, b: Unpacked, rounding: Rounding) -> (u32, Flags) {
    match (a.significand, b.significand) {
        (0, 0) => return (zero_of_sum(a.negative, b.negative, rounding), Flags::NONE),
        (0, _) => return pack(b, rounding),
        (_, 0) => return pack(a, rounding),
        _ => {}
    }
    // Leading ones to bit 61: at least 14 empty bits below, and room for a carry above.
    let align = |x: Unpacked| {
        let shift = x.significand.leading_zeros() as i32 - 2;
        Unpacked { significand: x.significand << shift, exponent: x.exponent - shift, ..x }
    };
    let (a, b) = (align(a), align(b));
    let (large, small) = if (a.exponent, a.significand) >= (b.exponent, b.significand) { (a, b) } else { (b, a) };
    // Bits are lost only if the distance exceeds 14; then cancellation takes at most one bit, so rounding to odd at
    // bit 0 still is well below the 26 bits that `pack` looks at.
    let distance = (large.exponent - small.exponent) as u32;
    let addend = shift_right_to_odd(small.significand, distance);
    let significand =
        if large.negative == small.negative { large.significand + addend } else { large.significand - addend };
    if significand == 0 {
        return (zero_of_sum(a.negative, b.negative, rounding), Flags::NONE);
    }
    pack(Unpacked { negative: large.negative, significand, exponent: large.exponent }, rounding)
}

/// An exact zero keeps the common sign; of different signs it is +0, but −0 when rounding down.
fn zero_of_sum(a_negative: bool, b_negative: bool, rounding: Rounding) -> u32 {
    let negative = if a_negative == b_negative { a_negative } else { rounding == Rounding::Down };
    if negative { SIGN } else { 0 }
}
