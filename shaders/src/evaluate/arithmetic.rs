//! What each operator means for one component of one lane: bits in, bits out.
//!
//! Before: an operator and the scalar type of its operands. After: a plain function that the steps of a program carry.
//! Floats follow RISC-V F to nearest-even with canonical NaNs (`gpu_core::semantics::float`); integers wrap; division is
//! WGSL's ("Arithmetic Expressions": x / 0 = x, x % 0 = 0). A bool is 0 or 1.

use gpu_core::semantics::float::{self, Rounding, quick};
use naga::{BinaryOperator, MathFunction, ScalarKind, UnaryOperator};

use crate::builtins::{LARGEST_SIGNED, LARGEST_UNSIGNED};

/// One operand.
pub(super) type Unary = fn(u32) -> u32;
/// Two operands.
pub(super) type Binary = fn(u32, u32) -> u32;
/// Three operands.
pub(super) type Ternary = fn(u32, u32, u32) -> u32;

const SIGN: u32 = float::SIGN;

fn value(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// Unary operators.
pub(super) fn unary(op: UnaryOperator, kind: ScalarKind) -> Unary {
    match (op, kind) {
        (UnaryOperator::Negate, ScalarKind::Float) => |a| a ^ SIGN,
        (UnaryOperator::Negate, _) => u32::wrapping_neg,
        (UnaryOperator::LogicalNot, _) => |a| a ^ 1,
        (UnaryOperator::BitwiseNot, _) => |a| !a,
    }
}

/// Binary operators but float `%`, which the prelude tells. `kind` is the type of the left operand.
pub(super) fn binary(op: BinaryOperator, kind: ScalarKind) -> Binary {
    use BinaryOperator as B;
    match kind {
        ScalarKind::Float => match op {
            B::Add => quick::add,
            B::Subtract => quick::sub,
            B::Multiply => quick::mul,
            B::Divide => quick::div,
            B::Equal => |a, b| u32::from(value(a) == value(b)),
            B::NotEqual => |a, b| u32::from(value(a) != value(b)),
            B::Less => |a, b| u32::from(value(a) < value(b)),
            B::LessEqual => |a, b| u32::from(value(a) <= value(b)),
            B::Greater => |a, b| u32::from(value(a) > value(b)),
            B::GreaterEqual => |a, b| u32::from(value(a) >= value(b)),
            other => unreachable!("the validator has refused float {other:?}"),
        },
        _ => {
            let is_signed = kind == ScalarKind::Sint;
            match op {
                B::Add => u32::wrapping_add,
                B::Subtract => u32::wrapping_sub,
                B::Multiply => u32::wrapping_mul,
                B::Divide if is_signed => |a, b| if b == 0 { a } else { (a as i32).wrapping_div(b as i32) as u32 },
                B::Divide => |a, b| a.checked_div(b).unwrap_or(a),
                B::Modulo if is_signed => |a, b| if b == 0 { 0 } else { (a as i32).wrapping_rem(b as i32) as u32 },
                B::Modulo => |a, b| a.checked_rem(b).unwrap_or(0),
                B::Equal => |a, b| u32::from(a == b),
                B::NotEqual => |a, b| u32::from(a != b),
                B::Less if is_signed => |a, b| u32::from((a as i32) < b as i32),
                B::Less => |a, b| u32::from(a < b),
                B::LessEqual if is_signed => |a, b| u32::from(a as i32 <= b as i32),
                B::LessEqual => |a, b| u32::from(a <= b),
                B::Greater if is_signed => |a, b| u32::from(a as i32 > b as i32),
                B::Greater => |a, b| u32::from(a > b),
                B::GreaterEqual if is_signed => |a, b| u32::from(a as i32 >= b as i32),
                B::GreaterEqual => |a, b| u32::from(a >= b),
                B::And | B::LogicalAnd => |a, b| a & b,
                B::ExclusiveOr => |a, b| a ^ b,
                B::InclusiveOr | B::LogicalOr => |a, b| a | b,
                B::ShiftLeft => u32::wrapping_shl,
                B::ShiftRight if is_signed => |a, b| (a as i32).wrapping_shr(b) as u32,
                B::ShiftRight => u32::wrapping_shr,
            }
        }
    }
}

/// Builtins of one operand that `prelude::resolve` calls `Single`; `None` for those of more.
pub(super) fn single_unary(fun: MathFunction, kind: ScalarKind) -> Option<Unary> {
    use MathFunction as F;
    Some(match fun {
        F::Abs if kind == ScalarKind::Float => |a| a & !SIGN,
        F::Abs => |a| a,
        F::Ceil => |a| quick::round_to_integral(a, Rounding::Up),
        F::Floor => |a| quick::round_to_integral(a, Rounding::Down),
        F::Round => |a| quick::round_to_integral(a, Rounding::NearestEven),
        F::Trunc => |a| quick::round_to_integral(a, Rounding::TowardZero),
        F::Sqrt => quick::sqrt,
        F::CountTrailingZeros => u32::trailing_zeros,
        F::CountLeadingZeros => u32::leading_zeros,
        F::CountOneBits => u32::count_ones,
        F::ReverseBits => u32::reverse_bits,
        _ => return None,
    })
}

/// Builtins of two operands that are `Single`.
pub(super) fn single_binary(fun: MathFunction, kind: ScalarKind) -> Option<Binary> {
    Some(match (fun, kind) {
        (MathFunction::Min, ScalarKind::Float) => |a, b| float::min(a, b).0,
        (MathFunction::Max, ScalarKind::Float) => |a, b| float::max(a, b).0,
        (MathFunction::Min, ScalarKind::Sint) => |a, b| (a as i32).min(b as i32) as u32,
        (MathFunction::Max, ScalarKind::Sint) => |a, b| (a as i32).max(b as i32) as u32,
        (MathFunction::Min, _) => Ord::min,
        (MathFunction::Max, _) => Ord::max,
        _ => return None,
    })
}

/// `fma`.
pub(super) const FUSED: Ternary = quick::fma;

/// `isnan` of GLSL.
pub(super) const IS_NAN: Unary = |a| u32::from(value(a).is_nan());

/// `isinf` of GLSL.
pub(super) const IS_INFINITE: Unary = |a| u32::from(value(a).is_infinite());

/// Condition, accept, reject.
pub(super) const SELECT: Ternary = |condition, accept, reject| if condition != 0 { accept } else { reject };

/// Value conversions between scalar types. In the prelude a float that is too large becomes the largest integer, as on the machine; in a shader as WGSL says.
pub(super) fn convert(from: ScalarKind, to: ScalarKind, is_prelude: bool) -> Unary {
    use ScalarKind as K;
    match (from, to) {
        (K::Float, K::Sint) if !is_prelude => {
            |a| (quick::to_i32(a, Rounding::TowardZero) as i32).min(LARGEST_SIGNED as i32) as u32
        }
        (K::Float, K::Uint) if !is_prelude => |a| quick::to_u32(a, Rounding::TowardZero).min(LARGEST_UNSIGNED),
        (K::Float, K::Sint) => |a| quick::to_i32(a, Rounding::TowardZero),
        (K::Float, K::Uint) => |a| quick::to_u32(a, Rounding::TowardZero),
        (K::Float, K::Bool) => |a| u32::from(value(a) != 0.0),
        (K::Sint, K::Float) => quick::from_i32,
        (K::Uint, K::Float) => quick::from_u32,
        (K::Bool, K::Float) => |a| if a != 0 { 1.0f32.to_bits() } else { 0 },
        (K::Sint | K::Uint, K::Bool) => |a| u32::from(a != 0),
        _ => |a| a,
    }
}
