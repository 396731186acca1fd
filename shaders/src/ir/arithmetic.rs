//! What each operation means on one lane: 32 bits in, 32 bits out.
//!
//! Readers: `interpret`, constant folding in `translate` and `optimize`. Float results are canonical NaNs where RISC-V's
//! are; sign operations, moves and selects keep the bits. Rules: RISC-V unprivileged specification, chapters M, F and
//! Zfa. Host arithmetic rounds to nearest even; nothing here reaches the platform's libm.

use super::{Binary, Kind, Unary};
use gpu_core::semantics::transcendental;

/// The NaN every arithmetic float operation gives (RISC-V F, "NaN Generation and Propagation").
pub const CANONICAL_NAN: u32 = 0x7fc0_0000;

impl Unary {
    /// Register file of the operand, then of the result.
    pub fn kinds(self) -> (Kind, Kind) {
        use Unary::*;
        match self {
            Negate | Not | LogicalNot | CountOneBits | CountLeadingZeros | CountTrailingZeros | ReverseBits => {
                (Kind::Int, Kind::Int)
            }
            FloatNegate | FloatAbs | FloatSqrt | FloatFloor | FloatCeil | FloatTrunc | FloatRound => {
                (Kind::Float, Kind::Float)
            }
            FloatToSigned | FloatToUnsigned | FloatToSignedNearest | FloatToUnsignedNearest | FloatToBits => {
                (Kind::Float, Kind::Int)
            }
            SignedToFloat | UnsignedToFloat | BitsToFloat => (Kind::Int, Kind::Float),
            Transcendental(_) => (Kind::Float, Kind::Float),
        }
    }
}

impl Binary {
    /// Whether the operands may change places.
    pub const fn is_commutative(self) -> bool {
        use Binary::*;
        matches!(
            self,
            Add | Multiply
                | MultiplyHighSigned
                | MultiplyHighUnsigned
                | And
                | Or
                | Xor
                | MinSigned
                | MinUnsigned
                | MaxSigned
                | MaxUnsigned
                | Equal
                | NotEqual
                | FloatAdd
                | FloatMultiply
                | FloatMin
                | FloatMax
                | FloatEqual
                | FloatNotEqual
        )
    }

    /// Register file of both operands, then of the result.
    pub fn kinds(self) -> (Kind, Kind) {
        use Binary::*;
        match self {
            Add | Subtract | Multiply | MultiplyHighSigned | MultiplyHighUnsigned | DivideSigned | DivideUnsigned
            | RemainderSigned | RemainderUnsigned | And | Or | Xor | ShiftLeft | ShiftRightSigned
            | ShiftRightUnsigned | MinSigned | MinUnsigned | MaxSigned | MaxUnsigned | Equal | NotEqual
            | LessSigned | LessUnsigned | LessEqualSigned | LessEqualUnsigned => (Kind::Int, Kind::Int),
            FloatAdd | FloatSubtract | FloatMultiply | FloatDivide | FloatMin | FloatMax | FloatCopySign
            | Transcendental(_) => (Kind::Float, Kind::Float),
            FloatEqual | FloatNotEqual | FloatLess | FloatLessEqual => (Kind::Float, Kind::Int),
        }
    }
}

fn canonical(value: f32) -> u32 {
    if value.is_nan() { CANONICAL_NAN } else { value.to_bits() }
}

fn to_signed(value: f32) -> u32 {
    if value.is_nan() { i32::MAX as u32 } else { value as i32 as u32 }
}

fn to_unsigned(value: f32) -> u32 {
    if value.is_nan() { u32::MAX } else { value as u32 }
}

/// The result of a unary operation on these bits.
pub fn unary(operation: Unary, a: u32) -> u32 {
    let f = f32::from_bits(a);
    match operation {
        Unary::Negate => a.wrapping_neg(),
        Unary::Not => !a,
        Unary::LogicalNot => u32::from(a == 0),
        Unary::CountOneBits => a.count_ones(),
        Unary::CountLeadingZeros => a.leading_zeros(),
        Unary::CountTrailingZeros => a.trailing_zeros(),
        Unary::ReverseBits => a.reverse_bits(),
        Unary::FloatNegate => a ^ 0x8000_0000,
        Unary::FloatAbs => a & 0x7fff_ffff,
        Unary::FloatSqrt => canonical(f.sqrt()),
        Unary::FloatFloor => canonical(f.floor()),
        Unary::FloatCeil => canonical(f.ceil()),
        Unary::FloatTrunc => canonical(f.trunc()),
        Unary::FloatRound => canonical(f.round_ties_even()),
        Unary::FloatToSigned => to_signed(f),
        Unary::FloatToUnsigned => to_unsigned(f),
        Unary::FloatToSignedNearest => to_signed(f.round_ties_even()),
        Unary::FloatToUnsignedNearest => to_unsigned(f.round_ties_even()),
        Unary::SignedToFloat => (a as i32 as f32).to_bits(),
        Unary::UnsignedToFloat => (a as f32).to_bits(),
        Unary::FloatToBits | Unary::BitsToFloat => a,
        Unary::Transcendental(op) => transcendental::quick(op, a, 0),
    }
}

/// minimumNumber: the number if one operand is a NaN, and −0 below +0.
fn minimum_number(a: f32, b: f32) -> u32 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => CANONICAL_NAN,
        (true, false) => b.to_bits(),
        (false, true) => a.to_bits(),
        // Equal operands differ at most in the sign of zero, so "or" keeps the negative one.
        (false, false) if a == b => a.to_bits() | b.to_bits(),
        (false, false) => (if a < b { a } else { b }).to_bits(),
    }
}

fn maximum_number(a: f32, b: f32) -> u32 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => CANONICAL_NAN,
        (true, false) => b.to_bits(),
        (false, true) => a.to_bits(),
        (false, false) if a == b => a.to_bits() & b.to_bits(),
        (false, false) => (if a > b { a } else { b }).to_bits(),
    }
}

/// The result of a binary operation on these bits.
pub fn binary(operation: Binary, a: u32, b: u32) -> u32 {
    let (i, j) = (a as i32, b as i32);
    let (f, g) = (f32::from_bits(a), f32::from_bits(b));
    match operation {
        Binary::Add => a.wrapping_add(b),
        Binary::Transcendental(op) => transcendental::quick(op, a, b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::MultiplyHighSigned => ((i64::from(i) * i64::from(j)) >> 32) as u32,
        Binary::MultiplyHighUnsigned => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        // RISC-V M: division by zero gives all ones, the remainder the dividend; overflow wraps.
        Binary::DivideSigned if b == 0 => u32::MAX,
        Binary::DivideSigned => i.wrapping_div(j) as u32,
        Binary::DivideUnsigned => a.checked_div(b).unwrap_or(u32::MAX),
        Binary::RemainderSigned if b == 0 => a,
        Binary::RemainderSigned => i.wrapping_rem(j) as u32,
        Binary::RemainderUnsigned => a.checked_rem(b).unwrap_or(a),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::ShiftLeft => a.wrapping_shl(b),
        Binary::ShiftRightSigned => i.wrapping_shr(b) as u32,
        Binary::ShiftRightUnsigned => a.wrapping_shr(b),
        Binary::MinSigned => i.min(j) as u32,
        Binary::MinUnsigned => a.min(b),
        Binary::MaxSigned => i.max(j) as u32,
        Binary::MaxUnsigned => a.max(b),
        Binary::Equal => u32::from(a == b),
        Binary::NotEqual => u32::from(a != b),
        Binary::LessSigned => u32::from(i < j),
        Binary::LessUnsigned => u32::from(a < b),
        Binary::LessEqualSigned => u32::from(i <= j),
        Binary::LessEqualUnsigned => u32::from(a <= b),
        Binary::FloatAdd => canonical(f + g),
        Binary::FloatSubtract => canonical(f - g),
        Binary::FloatMultiply => canonical(f * g),
        Binary::FloatDivide => canonical(f / g),
        Binary::FloatMin => minimum_number(f, g),
        Binary::FloatMax => maximum_number(f, g),
        Binary::FloatCopySign => (a & 0x7fff_ffff) | (b & 0x8000_0000),
        Binary::FloatEqual => u32::from(f == g),
        Binary::FloatNotEqual => u32::from(f != g),
        Binary::FloatLess => u32::from(f < g),
        Binary::FloatLessEqual => u32::from(f <= g),
    }
}

/// `a * b + c`, rounded once.
///
/// The product of two binary32 is exact in binary64; the sum is rounded there to odd, which makes the second rounding
/// harmless (Boldo and Melquiond, "Emulation of a FMA and correctly-rounded sums": 53 ≥ 2·24 + 2 bits).
pub fn fused_multiply_add(a: u32, b: u32, c: u32) -> u32 {
    let product = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
    let addend = f64::from(f32::from_bits(c));
    let sum = product + addend;
    if !sum.is_finite() {
        return canonical(sum as f32);
    }
    // Knuth's two-sum: `error` is what the rounded sum lacks, exactly.
    let virtual_addend = sum - product;
    let error = (product - (sum - virtual_addend)) + (addend - virtual_addend);
    let bits = sum.to_bits();
    let odd = if error == 0.0 || bits & 1 == 1 {
        bits
    } else if (error > 0.0) == (sum > 0.0) {
        bits + 1
    } else {
        bits - 1
    };
    canonical(f64::from_bits(odd) as f32)
}

/// `((a * b) >> (8 * shift)) + c`, the product signed and in 64 bits.
pub fn multiply_shift_add(a: u32, b: u32, c: u32, shift: u8) -> u32 {
    let product = i64::from(a as i32) * i64::from(b as i32);
    ((product >> (8 * u32::from(shift))) as u32).wrapping_add(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fused_multiply_add_rounds_once() {
        // RISC-V F: (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46; two roundings give 0.
        assert_eq!(fused_multiply_add(0x3f80_0001, 0x3f80_0001, 0xbf80_0002), 0x2880_0000);
        assert_eq!(fused_multiply_add(0x7f80_0000, 0, 0), CANONICAL_NAN);
        // 2^-149 · 0.5 + 1.0: the product is far below one unit of the sum.
        assert_eq!(fused_multiply_add(1, 0x3f00_0000, 0x3f80_0000), 0x3f80_0000);
        // Just above a tie: 1 + 2^-24 + 2^-60 rounds up, 1 + 2^-24 rounds to even.
        let tiny = (2f32).powi(-30).to_bits();
        assert_eq!(fused_multiply_add(tiny, tiny, f32::from_bits(0x3f80_0000).to_bits()), 0x3f80_0000);
    }

    #[test]
    fn minimum_prefers_the_number_and_the_negative_zero() {
        assert_eq!(binary(Binary::FloatMin, 0x7f80_0001, 0x3f80_0000), 0x3f80_0000);
        assert_eq!(binary(Binary::FloatMin, 0x8000_0000, 0), 0x8000_0000);
        assert_eq!(binary(Binary::FloatMax, 0x8000_0000, 0), 0);
        assert_eq!(binary(Binary::FloatMin, 0x7fc0_0001, 0xffc0_0000), CANONICAL_NAN);
    }

    #[test]
    fn conversions_saturate_and_send_nan_to_the_largest() {
        let convert = |f: f32| unary(Unary::FloatToSigned, f.to_bits());
        assert_eq!(convert(2147483648.0), 0x7fff_ffff);
        assert_eq!(convert(f32::NAN), 0x7fff_ffff);
        assert_eq!(convert(f32::NEG_INFINITY), 0x8000_0000);
        assert_eq!(unary(Unary::FloatToUnsigned, (-0.9f32).to_bits()), 0);
        assert_eq!(unary(Unary::FloatToUnsigned, f32::NAN.to_bits()), u32::MAX);
        assert_eq!(unary(Unary::FloatToSignedNearest, 2.5f32.to_bits()), 2);
    }

    #[test]
    fn division_never_traps() {
        let minimum = i32::MIN as u32;
        assert_eq!(binary(Binary::DivideSigned, minimum, u32::MAX), minimum);
        assert_eq!(binary(Binary::RemainderSigned, minimum, u32::MAX), 0);
        assert_eq!(binary(Binary::DivideSigned, 7, 0), u32::MAX);
        assert_eq!(binary(Binary::DivideUnsigned, 7, 0), u32::MAX);
        assert_eq!(binary(Binary::RemainderUnsigned, 7, 0), 7);
    }

    #[test]
    fn multiply_shift_add_keeps_the_sign() {
        assert_eq!(multiply_shift_add(-256i32 as u32, 3, 10, 1), (-3i32 + 10) as u32);
        assert_eq!(multiply_shift_add(0x7fff_ffff, 0x7fff_ffff, 0, 3), (0x3fff_ffff_0000_0001u64 >> 24) as u32);
    }
}
