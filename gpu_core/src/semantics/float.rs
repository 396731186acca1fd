//! RISC-V F for binary32 (and the single-precision rows of Zfa), bit for bit: values, flags, all five rounding modes.
//!
//! Before: a decoded instruction and the bits of its operands. After: the bits of the result and the flags it raises.
//! Everything is a pure function on bits, in integer arithmetic only, so no host setting can change a result.
//! [`quick`] holds the same meaning for the common case (nearest-even, nobody reads the flags) in host arithmetic.
//! Source: RISC-V unprivileged specification, chapters "F" (2.2) and "Zfa"; IEEE 754-2019. Underflow is detected after
//! rounding.
//!
//! How it works: an operand is unpacked to `significand · 2^exponent`; an operation forms its exact result in the same
//! shape, anything below the last bit folded into that bit (rounding to odd); `round::pack` rounds once.

mod arithmetic;
mod compare;
mod convert;
pub mod quick;
mod round;

pub use arithmetic::{add, div, fma, fmsub, fnmadd, fnmsub, mul, sqrt, sub};
pub use compare::{classify, eq, le, leq, lt, ltq, max, maxm, min, minm, sgnj, sgnjn, sgnjx};
pub use convert::{from_i32, from_u32, narrow, round_to_integral, round_to_integral_exact, to_i32, to_u32};

/// The one NaN that arithmetic produces.
pub const CANONICAL_NAN: u32 = 0x7fc0_0000;
/// +∞.
pub const INFINITY: u32 = 0x7f80_0000;
/// The sign bit.
pub const SIGN: u32 = 0x8000_0000;

/// A rounding mode, numbered as in `frm` and in the rm field.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Rounding {
    /// RNE: to nearest, ties to even.
    NearestEven = 0,
    /// RTZ: towards zero.
    TowardZero = 1,
    /// RDN: towards −∞.
    Down = 2,
    /// RUP: towards +∞.
    Up = 3,
    /// RMM: to nearest, ties away from zero.
    NearestMaxMagnitude = 4,
}

impl Rounding {
    /// Every mode, in the order of its number.
    pub const ALL: [Self; 5] = [Self::NearestEven, Self::TowardZero, Self::Down, Self::Up, Self::NearestMaxMagnitude];

    /// The mode of a number 0 to 4; `None` for the reserved 5 and 6 and for 7 (`dyn`, which names `frm` instead).
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::NearestEven),
            1 => Some(Self::TowardZero),
            2 => Some(Self::Down),
            3 => Some(Self::Up),
            4 => Some(Self::NearestMaxMagnitude),
            _ => None,
        }
    }
}

/// Accrued exceptions, with the bits of `fflags`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u8);

impl Flags {
    /// Nothing happened.
    pub const NONE: Self = Self(0);
    /// Inexact.
    pub const NX: Self = Self(1);
    /// Underflow: tiny after rounding, and inexact.
    pub const UF: Self = Self(2);
    /// Overflow.
    pub const OF: Self = Self(4);
    /// Division of a finite number by zero.
    pub const DZ: Self = Self(8);
    /// Invalid operation.
    pub const NV: Self = Self(16);
}

impl std::ops::BitOr for Flags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// Whether the bits are a NaN of either kind.
pub const fn is_nan(bits: u32) -> bool {
    bits & !SIGN > INFINITY
}

/// Whether the bits are a signalling NaN: the top fraction bit is clear.
pub const fn is_signalling(bits: u32) -> bool {
    is_nan(bits) && bits & 0x0040_0000 == 0
}

/// The result of an operation with a NaN among its operands, or none that makes sense (`invalid`).
fn nan_result(operands: &[u32], invalid: bool) -> (u32, Flags) {
    let signals = invalid || operands.iter().any(|&bits| is_signalling(bits));
    (CANONICAL_NAN, if signals { Flags::NV } else { Flags::NONE })
}
