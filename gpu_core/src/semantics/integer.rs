//! Integer arithmetic, lane by lane: I, M, Zba, Zbb, Zicond and `imadd`.
//!
//! Source: RISC-V unprivileged specification, chapters "RV32I", "M", "B", "Zicond".

use super::warp::Warp;
use crate::isa::encoding::Instruction;
use crate::units::MAX_LANES;

/// rd = `value` in every active lane.
pub(super) fn constant(warp: &mut Warp, i: &Instruction, value: u32) {
    let mask = warp.mask;
    warp.set_integer(i.rd, &[value; MAX_LANES], mask);
}

/// rd = `f(rs1)`.
#[inline]
pub(super) fn unary(warp: &mut Warp, i: &Instruction, f: impl Fn(u32) -> u32) {
    let mut result = [0; MAX_LANES];
    for (result, &a) in result.iter_mut().zip(warp.integer(i.rs1)) {
        *result = f(a);
    }
    let mask = warp.mask;
    warp.set_integer(i.rd, &result, mask);
}

/// rd = `f(rs1, imm)`.
#[inline]
pub(super) fn immediate(warp: &mut Warp, i: &Instruction, f: impl Fn(u32, u32) -> u32) {
    let imm = i.imm as u32;
    unary(warp, i, |a| f(a, imm));
}

/// rd = `f(rs1, rs2)`.
#[inline]
pub(super) fn binary(warp: &mut Warp, i: &Instruction, f: impl Fn(u32, u32) -> u32) {
    let mut result = [0; MAX_LANES];
    for ((result, &a), &b) in result.iter_mut().zip(warp.integer(i.rs1)).zip(warp.integer(i.rs2)) {
        *result = f(a, b);
    }
    let mask = warp.mask;
    warp.set_integer(i.rd, &result, mask);
}

/// rd = ((rs1 · rs2) >> (8 · funct2)) + rs3, the product signed and in 64 bits.
pub(super) fn multiply_shift_add(warp: &mut Warp, i: &Instruction) {
    let mut result = [0; MAX_LANES];
    let operands = warp.integer(i.rs1).iter().zip(warp.integer(i.rs2)).zip(warp.integer(i.rs3));
    for (result, ((&a, &b), &c)) in result.iter_mut().zip(operands) {
        let product = i64::from(a as i32) * i64::from(b as i32);
        *result = ((product >> (8 * i.funct2)) as u32).wrapping_add(c);
    }
    let mask = warp.mask;
    warp.set_integer(i.rd, &result, mask);
}

/// Signed quotient; by zero −1, on overflow the dividend.
pub(super) fn divide_signed(a: u32, b: u32) -> u32 {
    if b == 0 { u32::MAX } else { (a as i32).wrapping_div(b as i32) as u32 }
}

/// Unsigned quotient; by zero all ones.
pub(super) fn divide_unsigned(a: u32, b: u32) -> u32 {
    a.checked_div(b).unwrap_or(u32::MAX)
}

/// Signed remainder; by zero the dividend, on overflow 0.
pub(super) fn remainder_signed(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { (a as i32).wrapping_rem(b as i32) as u32 }
}

/// Unsigned remainder; by zero the dividend.
pub(super) fn remainder_unsigned(a: u32, b: u32) -> u32 {
    a.checked_rem(b).unwrap_or(a)
}

/// High word of the signed product.
pub(super) fn multiply_high(a: u32, b: u32) -> u32 {
    ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
}

/// High word of the product of signed `a` and unsigned `b`.
pub(super) fn multiply_high_mixed(a: u32, b: u32) -> u32 {
    ((i64::from(a as i32) * i64::from(b)) >> 32) as u32
}

/// High word of the unsigned product.
pub(super) fn multiply_high_unsigned(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

/// 0xff for each byte that is not zero.
pub(super) fn or_combine_bytes(a: u32) -> u32 {
    u32::from_le_bytes(a.to_le_bytes().map(|byte| if byte == 0 { 0 } else { 0xff }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case A5: division never traps and never panics.
    #[test]
    fn division_by_zero_and_overflow_follow_the_specification() {
        let least = 0x8000_0000;
        assert_eq!(divide_signed(least, u32::MAX), least);
        assert_eq!(remainder_signed(least, u32::MAX), 0);
        assert_eq!(divide_signed(7, 0), u32::MAX);
        assert_eq!(divide_unsigned(7, 0), u32::MAX);
        assert_eq!(remainder_signed(7, 0), 7);
        assert_eq!(remainder_unsigned(7, 0), 7);
        assert_eq!(divide_signed(-7i32 as u32, 2), -3i32 as u32);
        assert_eq!(remainder_signed(-7i32 as u32, 2), -1i32 as u32);
    }

    #[test]
    fn high_words_of_products() {
        assert_eq!(multiply_high(u32::MAX, u32::MAX), 0);
        assert_eq!(multiply_high_unsigned(u32::MAX, u32::MAX), 0xffff_fffe);
        assert_eq!(multiply_high_mixed(u32::MAX, u32::MAX), u32::MAX);
        assert_eq!(multiply_high(0x8000_0000, 0x8000_0000), 0x4000_0000);
    }

    #[test]
    fn or_combine_spreads_each_byte() {
        assert_eq!(or_combine_bytes(0x0100_8000), 0xff00_ff00);
    }
}
