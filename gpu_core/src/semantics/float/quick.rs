//! The same meaning in host arithmetic, for rounding to nearest-even when nobody reads the flags.
//!
//! Before: bits. After: the bits that the exact functions give (a test compares them). Host addition, multiplication,
//! division and square root of f32 are IEEE 754 binary32; what differs is NaN, which RISC-V wants canonical.
//! No function here calls the platform's libm.

use super::{CANONICAL_NAN, Rounding, SIGN, is_nan};

/// The bits of an arithmetic result: any NaN becomes the canonical one.
#[inline(always)]
pub fn canonical(value: f32) -> u32 {
    if value.is_nan() { CANONICAL_NAN } else { value.to_bits() }
}

#[inline(always)]
fn float(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// `a + b`.
#[inline(always)]
pub fn add(a: u32, b: u32) -> u32 {
    canonical(float(a) + float(b))
}

/// `a - b`.
#[inline(always)]
pub fn sub(a: u32, b: u32) -> u32 {
    canonical(float(a) - float(b))
}

/// `a * b`.
#[inline(always)]
pub fn mul(a: u32, b: u32) -> u32 {
    canonical(float(a) * float(b))
}

/// `a / b`.
#[inline(always)]
pub fn div(a: u32, b: u32) -> u32 {
    canonical(float(a) / float(b))
}

/// Square root.
#[inline(always)]
pub fn sqrt(a: u32) -> u32 {
    canonical(float(a).sqrt())
}

/// `a * b + c`, rounded once, without fused hardware.
///
/// The product of two 24-bit significands is exact in f64. The sum is rounded to odd at 53 bits, which keeps what the
/// final rounding to 24 bits needs: it is then as if rounded once (Boldo and Melquiond, "Emulation of FMA and correctly
/// rounded sums: proved algorithms using rounding to odd", 2008).
#[inline(always)]
pub fn fma(a: u32, b: u32, c: u32) -> u32 {
    let product = f64::from(float(a)) * f64::from(float(b));
    let addend = f64::from(float(c));
    let sum = product + addend;
    // Knuth's two-sum: `error` is exactly what the rounded sum lacks. It is NaN when the sum is not finite.
    let virtual_addend = sum - product;
    let error = (product - (sum - virtual_addend)) + (addend - virtual_addend);
    // An even, inexact sum moves one step towards the exact value, to its odd neighbour.
    let bits = sum.to_bits();
    let is_inexact = error.abs() > 0.0;
    let step = if (error < 0.0) == (sum < 0.0) { 1 } else { u64::MAX };
    let odd = if is_inexact && bits & 1 == 0 { bits.wrapping_add(step) } else { bits };
    canonical(f64::from_bits(odd) as f32)
}

/// `a * b - c`, rounded once.
#[inline(always)]
pub fn fmsub(a: u32, b: u32, c: u32) -> u32 {
    fma(a, b, c ^ SIGN)
}

/// `-(a * b) + c`, rounded once.
#[inline(always)]
pub fn fnmsub(a: u32, b: u32, c: u32) -> u32 {
    fma(a ^ SIGN, b, c)
}

/// `-(a * b) - c`, rounded once.
#[inline(always)]
pub fn fnmadd(a: u32, b: u32, c: u32) -> u32 {
    fma(a ^ SIGN, b, c ^ SIGN)
}

/// Rounded to an integer in any mode, zero keeping its sign.
#[inline(always)]
pub fn round_to_integral(a: u32, rounding: Rounding) -> u32 {
    let magnitude = float(a & !SIGN);
    let negative = a & SIGN != 0;
    // A sum between 2^23 and 2^24 has a quantum of 1: the addition itself rounds to nearest-even.
    const QUANTUM_ONE: f32 = 8_388_608.0;
    let nearest = (magnitude + QUANTUM_ONE) - QUANTUM_ONE;
    let one = |condition: bool| if condition { 1.0 } else { 0.0 };
    let rounded = match rounding {
        Rounding::NearestEven => nearest,
        Rounding::TowardZero => nearest - one(nearest > magnitude),
        Rounding::Down if negative => nearest + one(nearest < magnitude),
        Rounding::Down => nearest - one(nearest > magnitude),
        Rounding::Up if negative => nearest - one(nearest > magnitude),
        Rounding::Up => nearest + one(nearest < magnitude),
        Rounding::NearestMaxMagnitude => nearest + one(magnitude - nearest == 0.5),
    };
    let is_integer_already = magnitude >= QUANTUM_ONE;
    match (is_nan(a), is_integer_already) {
        (true, _) => CANONICAL_NAN,
        (_, true) => a,
        _ => rounded.to_bits() | a & SIGN,
    }
}

/// As a signed integer, in any mode; saturates, NaN becomes the largest.
#[inline(always)]
pub fn to_i32(a: u32, rounding: Rounding) -> u32 {
    let rounded = match rounding {
        Rounding::TowardZero => float(a),
        _ => float(round_to_integral(a, rounding)),
    };
    if is_nan(a) { i32::MAX as u32 } else { rounded as i32 as u32 }
}

/// As an unsigned integer, in any mode; saturates, NaN becomes the largest.
#[inline(always)]
pub fn to_u32(a: u32, rounding: Rounding) -> u32 {
    let rounded = match rounding {
        Rounding::TowardZero => float(a),
        _ => float(round_to_integral(a, rounding)),
    };
    if is_nan(a) { u32::MAX } else { rounded as u32 }
}

/// From a signed integer.
#[inline(always)]
pub fn from_i32(a: u32) -> u32 {
    (a as i32 as f32).to_bits()
}

/// From an unsigned integer.
#[inline(always)]
pub fn from_u32(a: u32) -> u32 {
    (a as f32).to_bits()
}
