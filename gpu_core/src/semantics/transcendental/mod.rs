//! Transcendental instructions, single precision: values, special values, flags, every rounding mode.
//!
//! Before: the bits of the operands. After: the bits of the result and the flags it raises. One file holds one family.
//! A function is a plain function from `f32` to an `Outcome`, computed in `f64` with an error of a few units of its last
//! place and then rounded once to `f32`. Functions of the crate `libm` are used, which are addition, multiplication, division
//! and square root of IEEE 754 in a fixed order: the same on every host. Under round to nearest, functions of one operand are
//! correctly rounded, where `f64` does not suffice by the rows of `hardest`; those of two have an error of 0.5 ulp and less
//! than a millionth more (`docs/transcendentals.md` has what was found). Roots are correctly rounded under every mode.
//!
//! Under the other rounding modes the `f64` value is rounded that way: the result is a neighbour of the true value on the
//! right side of it, unless the true value lies within some `f64` units of an `f32`. Arguments so small that `f64` cannot
//! tell the function from its limit are put beside the limit, on the right side.
//! Flags: NV for operands outside the domain and signalling NaNs, DZ where a finite operand gives an infinity exactly, OF, UF
//! and NX as everywhere; `fpow.s` and `froot.s` may raise NX for an exact result with a fractional exponent.
//! Source: IEEE 754-2019, 9.2 and 9.2.1; NaN results are canonical, as everywhere in RISC-V.

mod arc;
mod circular;
mod exponential;
mod hardest;
mod hyperbolic;
mod logarithm;
mod power;
mod roots;

pub use hardest::hardest_operands;

use super::float::{CANONICAL_NAN, Flags, INFINITY, Rounding, SIGN, is_nan, is_signalling, narrow};
use crate::isa::table::Op;

/// What a function is at its operands, before it is rounded to `f32`.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Outcome {
    /// This exactly; zeros and infinities too.
    Exact(f64),
    /// Beside this value, and never a number of finite digits. An infinity or a zero stands for what `f64` cannot hold.
    Inexact(f64),
    /// An infinity with this sign at a finite operand.
    Pole(f64),
    /// No number.
    Invalid,
    /// A NaN among the operands decides.
    Nan,
}
use Outcome::{Exact, Inexact, Invalid, Nan, Pole};

/// How an instruction computes.
#[derive(Copy, Clone)]
enum Definition {
    Unary(fn(f32) -> Outcome),
    Binary(fn(f32, f32) -> Outcome),
}

/// The definition of a transcendental instruction; `None` for all others.
#[inline(always)]
const fn definition(op: Op) -> Option<Definition> {
    use Definition::{Binary, Unary};
    Some(match op {
        Op::Frecip => Unary(roots::reciprocal),
        Op::Frsqrt => Unary(roots::reciprocal_square_root),
        Op::Fcbrt => Unary(roots::cube_root),
        Op::Fhypot => Binary(roots::hypotenuse),
        Op::Fexp => Unary(exponential::exp),
        Op::Fexp2 => Unary(exponential::exp2),
        Op::Fexp10 => Unary(exponential::exp10),
        Op::Fexpm1 => Unary(exponential::expm1),
        Op::Flog => Unary(logarithm::log),
        Op::Flog2 => Unary(logarithm::log2),
        Op::Flog10 => Unary(logarithm::log10),
        Op::Flog1p => Unary(logarithm::log1p),
        Op::Fsin => Unary(circular::sin),
        Op::Fcos => Unary(circular::cos),
        Op::Ftan => Unary(circular::tan),
        Op::Fsinpi => Unary(circular::sinpi),
        Op::Fcospi => Unary(circular::cospi),
        Op::Ftanpi => Unary(circular::tanpi),
        Op::Fasin => Unary(arc::asin),
        Op::Facos => Unary(arc::acos),
        Op::Fatan => Unary(arc::atan),
        Op::Fatan2 => Binary(arc::atan2),
        Op::Fasinpi => Unary(arc::asinpi),
        Op::Facospi => Unary(arc::acospi),
        Op::Fatanpi => Unary(arc::atanpi),
        Op::Fatan2pi => Binary(arc::atan2pi),
        Op::Fsinh => Unary(hyperbolic::sinh),
        Op::Fcosh => Unary(hyperbolic::cosh),
        Op::Ftanh => Unary(hyperbolic::tanh),
        Op::Fasinh => Unary(hyperbolic::asinh),
        Op::Facosh => Unary(hyperbolic::acosh),
        Op::Fatanh => Unary(hyperbolic::atanh),
        Op::Fpow => Binary(power::pow),
        Op::Froot => Binary(power::root),
        _ => return None,
    })
}

/// What a definition says of operands, NaNs seen to first where every function treats them alike.
#[inline(always)]
fn outcome(op: Op, definition: Definition, a: u32, b: u32) -> (Outcome, bool) {
    match definition {
        Definition::Unary(_) if is_nan(a) => (Nan, is_signalling(a)),
        Definition::Unary(f) => (hardest::settled(op, a, f(f32::from_bits(a))), false),
        Definition::Binary(_) if is_signalling(a) || is_signalling(b) => (Nan, true),
        Definition::Binary(f) => (f(f32::from_bits(a), f32::from_bits(b)), false),
    }
}

/// The result of a transcendental instruction on the bits of its operands, and the flags it raises; `b` counts for those of
/// two operands only.
///
/// # Panics
/// If `op` is another instruction.
pub fn exact(op: Op, a: u32, b: u32, rounding: Rounding) -> (u32, Flags) {
    let definition = definition(op).expect("only transcendental instructions are asked for");
    let sign_of = |value: f64| if value.is_sign_negative() { SIGN } else { 0 };
    match outcome(op, definition, a, b) {
        (Nan, signals) => (CANONICAL_NAN, if signals { Flags::NV } else { Flags::NONE }),
        (Invalid, _) => (CANONICAL_NAN, Flags::NV),
        (Pole(value), _) => (sign_of(value) | INFINITY, Flags::DZ),
        (Exact(value), _) if value.is_infinite() || value == 0.0 => ((value as f32).to_bits(), Flags::NONE),
        (Exact(value), _) => narrow(value, rounding),
        (Inexact(value), _) => {
            // What is beyond f64 is far beyond f32: any such number rounds alike.
            let limited = if value.is_infinite() {
                f64::MAX.copysign(value)
            } else if value == 0.0 {
                f64::MIN_POSITIVE.copysign(value)
            } else {
                value
            };
            // Without ties both ways to the nearest are one, also where this f64 is a middle and the true value is not.
            let rounding = match (definition, rounding) {
                (Definition::Unary(_), Rounding::NearestMaxMagnitude) => Rounding::NearestEven,
                _ => rounding,
            };
            let (bits, flags) = narrow(limited, rounding);
            let is_tiny = bits & !SIGN < f32::MIN_POSITIVE.to_bits();
            (bits, flags | if is_tiny { Flags::NX | Flags::UF } else { Flags::NX })
        }
    }
}

/// The result under round to nearest-even when nobody reads the flags; the same bits sooner.
///
/// # Panics
/// If `op` is another instruction.
#[inline(always)]
pub fn quick(op: Op, a: u32, b: u32) -> u32 {
    let definition = definition(op).expect("only transcendental instructions are asked for");
    match outcome(op, definition, a, b).0 {
        Exact(value) | Inexact(value) => (value as f32).to_bits(),
        Pole(value) => f32::INFINITY.copysign(value as f32).to_bits(),
        Invalid | Nan => CANONICAL_NAN,
    }
}

/// The instructions that are defined here.
pub fn operations() -> impl Iterator<Item = Op> {
    crate::isa::SPECS.iter().map(|spec| spec.op).filter(|&op| definition(op).is_some())
}

/// Whether it takes two operands.
pub fn is_binary(op: Op) -> bool {
    matches!(definition(op), Some(Definition::Binary(_)))
}

/// The neighbour above; `value` is finite and not zero.
fn above(value: f64) -> f64 {
    let bits = value.to_bits();
    f64::from_bits(if value > 0.0 { bits + 1 } else { bits - 1 })
}

/// The neighbour below; `value` is finite and not zero.
fn below(value: f64) -> f64 {
    -above(-value)
}

/// The neighbour farther from zero; `value` is finite and not zero.
fn outward(value: f64) -> f64 {
    f64::from_bits(value.to_bits() + 1)
}

/// The neighbour nearer to zero; `value` is finite and not zero.
fn inward(value: f64) -> f64 {
    f64::from_bits(value.to_bits() - 1)
}

/// Whether it is a whole number; infinities are none.
fn is_whole(value: f32) -> bool {
    value.is_finite() && value == libm::truncf(value)
}

/// Whether a whole number is odd; from 2^24 on all are even.
fn is_odd(value: f32) -> bool {
    let magnitude = value.abs();
    magnitude < 16_777_216.0 && (magnitude as u32) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_groups_is_defined_and_no_other() {
        for spec in crate::isa::SPECS {
            let is_transcendental = spec.unit == crate::isa::Unit::Transcendental;
            assert_eq!(definition(spec.op).is_some(), is_transcendental, "{}", spec.mnemonic);
        }
        assert_eq!(operations().count(), 34);
    }

    /// The quick results are those of the exact path, over operands of every exponent and all special ones.
    #[test]
    fn quick_results_are_the_exact_ones() {
        let mut operands: Vec<u32> = (0..256_u32).flat_map(|e| [e << 23, e << 23 | 0x12_3456, e << 23 | 1]).collect();
        operands.extend([0x7fc0_0000, 0x7f80_0001, 0x7f7f_ffff, 0x3f00_0000, 0x4040_0000, 0x3eaa_aaab]);
        operands.extend(operands.clone().iter().map(|bits| bits | SIGN));
        for op in operations() {
            for (n, &a) in operands.iter().enumerate() {
                for b in [operands[(n * 7 + 3) % operands.len()], 0x4000_0000, 0xc040_0000] {
                    let exact = exact(op, a, b, Rounding::NearestEven).0;
                    assert_eq!(quick(op, a, b), exact, "{op:?} {a:08x} {b:08x}");
                }
            }
        }
    }
}
