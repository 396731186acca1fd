//! Finds that an integer went through floats and came back as it was.
//!
//! `u32(round(clamp(f32(b) / 255.0) * 255.0))` is `b` for every byte b. Instead of proving such forms one by one, the
//! chain of operations is run for every number that can be at its start: 256, or 65536 for two bytes.

use crate::ir::arithmetic::{binary, unary};
use crate::ir::{Binary, Operation, Unary, Value};

/// What the chain's values are computed by; operands that do not change are constants.
pub trait Definitions {
    /// The operation that makes a value.
    fn operation(&self, value: Value) -> Option<Operation>;
    /// Its bits, if they are known.
    fn constant(&self, value: Value) -> Option<u32>;
    /// Bits that may be set in it.
    fn possible(&self, value: Value) -> u32;
}

/// One step of the chain: what becomes of the number that runs through it.
enum Step {
    Unary(Unary),
    Left(Binary, u32),
    Right(Binary, u32),
}

impl Step {
    fn apply(&self, bits: u32) -> u32 {
        match *self {
            Self::Unary(operation) => unary(operation, bits),
            Self::Left(operation, constant) => binary(operation, constant, bits),
            Self::Right(operation, constant) => binary(operation, bits, constant),
        }
    }
}

/// Longest chain looked at.
const LONGEST: usize = 8;

/// The integer that a conversion of `a` back to an integer gives again, if that is so for all its values.
pub fn came_back(conversion: Unary, a: Value, definitions: &impl Definitions) -> Option<Value> {
    let mut steps = vec![Step::Unary(conversion)];
    let mut value = a;
    let start = loop {
        if steps.len() > LONGEST {
            return None;
        }
        match definitions.operation(value)? {
            Operation::Unary(operation @ (Unary::UnsignedToFloat | Unary::SignedToFloat), inner) => {
                steps.push(Step::Unary(operation));
                break inner;
            }
            Operation::Unary(operation, inner) if operation.kinds().0 == operation.kinds().1 => {
                steps.push(Step::Unary(operation));
                value = inner;
            }
            Operation::Binary(operation, left, right) => {
                match (definitions.constant(left), definitions.constant(right)) {
                    (None, Some(constant)) => {
                        steps.push(Step::Right(operation, constant));
                        value = left;
                    }
                    (Some(constant), None) => {
                        steps.push(Step::Left(operation, constant));
                        value = right;
                    }
                    _ => return None,
                }
            }
            _ => return None,
        }
    };
    let most = match definitions.possible(start) {
        0..=0xff => 0xff,
        0x100..=0xffff => 0xffff,
        _ => return None,
    };
    let comes_back = |bits: u32| steps.iter().rev().fold(bits, |bits, step| step.apply(bits)) == bits;
    (0..=most).all(comes_back).then_some(start)
}
