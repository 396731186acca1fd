//! Comparison, minimum, maximum, sign injection, classification: everything that rounds nothing.
//!
//! Before: bits. After: bits, or 0 and 1 for an integer register, and flags.
//! Source: RISC-V unprivileged specification, chapter "F", sections 11.6 to 11.9; chapter "Zfa" for `minm`, `maxm`,
//! `leq`, `ltq`.

use super::{CANONICAL_NAN, Flags, INFINITY, SIGN, is_nan, is_signalling};

/// Orders all numbers that are no NaN, −0 below +0.
fn order(bits: u32) -> i32 {
    let signed = bits as i32;
    signed ^ ((signed >> 31) as u32 >> 1) as i32
}

fn flags_if(invalid: bool) -> Flags {
    if invalid { Flags::NV } else { Flags::NONE }
}

/// `fmin.s` (minimumNumber): a number beats a NaN, −0 is below +0; invalid on a signalling NaN only.
pub fn min(a: u32, b: u32) -> (u32, Flags) {
    number_or(a, b, if order(a) <= order(b) { a } else { b })
}

/// `fmax.s` (maximumNumber).
pub fn max(a: u32, b: u32) -> (u32, Flags) {
    number_or(a, b, if order(a) >= order(b) { a } else { b })
}

fn number_or(a: u32, b: u32, chosen: u32) -> (u32, Flags) {
    let bits = match (is_nan(a), is_nan(b)) {
        (true, true) => CANONICAL_NAN,
        (true, false) => b,
        (false, true) => a,
        (false, false) => chosen,
    };
    (bits, flags_if(is_signalling(a) || is_signalling(b)))
}

/// `fminm.s`: as [`min`], but a NaN wins.
pub fn minm(a: u32, b: u32) -> (u32, Flags) {
    let (bits, flags) = min(a, b);
    (if is_nan(a) || is_nan(b) { CANONICAL_NAN } else { bits }, flags)
}

/// `fmaxm.s`: as [`max`], but a NaN wins.
pub fn maxm(a: u32, b: u32) -> (u32, Flags) {
    let (bits, flags) = max(a, b);
    (if is_nan(a) || is_nan(b) { CANONICAL_NAN } else { bits }, flags)
}

fn is_equal(a: u32, b: u32) -> bool {
    a == b || (a | b) & !SIGN == 0
}

/// `feq.s`: invalid on a signalling NaN only.
pub fn eq(a: u32, b: u32) -> (u32, Flags) {
    let is_unordered = is_nan(a) || is_nan(b);
    (u32::from(!is_unordered && is_equal(a, b)), flags_if(is_signalling(a) || is_signalling(b)))
}

/// `fltq.s`: invalid on a signalling NaN only.
pub fn ltq(a: u32, b: u32) -> (u32, Flags) {
    let is_unordered = is_nan(a) || is_nan(b);
    let is_less = !is_unordered && !is_equal(a, b) && order(a) < order(b);
    (u32::from(is_less), flags_if(is_signalling(a) || is_signalling(b)))
}

/// `fleq.s`: invalid on a signalling NaN only.
pub fn leq(a: u32, b: u32) -> (u32, Flags) {
    let (less, flags) = ltq(a, b);
    (less | eq(a, b).0, flags)
}

/// `flt.s`: invalid on any NaN.
pub fn lt(a: u32, b: u32) -> (u32, Flags) {
    (ltq(a, b).0, flags_if(is_nan(a) || is_nan(b)))
}

/// `fle.s`: invalid on any NaN.
pub fn le(a: u32, b: u32) -> (u32, Flags) {
    (leq(a, b).0, flags_if(is_nan(a) || is_nan(b)))
}

/// `fsgnj.s`: `a` with the sign of `b`. Payloads stay, no flag is raised.
pub fn sgnj(a: u32, b: u32) -> u32 {
    a & !SIGN | b & SIGN
}

/// `fsgnjn.s`: `a` with the opposite sign of `b`.
pub fn sgnjn(a: u32, b: u32) -> u32 {
    a & !SIGN | !b & SIGN
}

/// `fsgnjx.s`: `a` with its sign xor that of `b`.
pub fn sgnjx(a: u32, b: u32) -> u32 {
    a ^ b & SIGN
}

/// `fclass.s`: one bit of ten is set. 0 −∞, 1 negative normal, 2 negative subnormal, 3 −0, 4 +0, 5 positive subnormal,
/// 6 positive normal, 7 +∞, 8 signalling NaN, 9 quiet NaN.
pub fn classify(a: u32) -> u32 {
    let magnitude = a & !SIGN;
    let class = match magnitude {
        0 => 4,
        1..=0x007f_ffff => 5,
        0x0080_0000..=0x7f7f_ffff => 6,
        INFINITY => 7,
        _ => return if is_signalling(a) { 1 << 8 } else { 1 << 9 },
    };
    // The negative classes mirror the positive ones.
    if a & SIGN == 0 { 1 << class } else { 1 << (7 - class) }
}
