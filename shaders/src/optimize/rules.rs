//! What an operation is, when something is known of its operands.
//!
//! Integer arithmetic wraps, so `x + a + b` is `x + (a + b)`; float arithmetic is left as it stands except where the
//! result has the same bits for every operand, NaNs included.

use crate::ir::arithmetic::{binary, fused_multiply_add, multiply_shift_add, unary};
use crate::ir::{Binary, Kind, Location, Operation, Unary, Value};
use crate::options::Mutation;

use super::bytes::{self, Definitions};
use super::simplify::Simplify;

/// What became of an operation.
pub enum Simplified {
    /// It is a value there is.
    Value(Value),
    /// It is this operation.
    Operation(Operation),
}

use Simplified::Value as Same;

impl Simplify<'_> {
    /// One step of simplification; `None` if there is none.
    pub fn rule(&mut self, operation: Operation, at: Location) -> Option<Simplified> {
        match operation {
            Operation::Unary(operation, a) => self.unary_rule(operation, a),
            Operation::Binary(operation, a, b) => self.binary_rule(operation, a, b, at),
            Operation::FusedMultiplyAdd(a, b, c) => {
                let [a, b, c] = self.constants([a, b, c])?;
                self.bits(fused_multiply_add(a, b, c))
            }
            Operation::MultiplyShiftAdd { operands, shift } => {
                let [a, b, c] = self.constants(operands)?;
                self.bits(multiply_shift_add(a, b, c, shift))
            }
            Operation::Select { condition, accept, reject } => self.select_rule(condition, accept, reject),
            Operation::Load { space, address, offset } => {
                let (address, more) = self.offset_of(address)?;
                let more = if self.mutation == Some(Mutation::DropOffset) { 0 } else { more };
                Some(Simplified::Operation(Operation::Load { space, address, offset: offset.wrapping_add(more) }))
            }
            Operation::Atomic { operation, space, address, offset, value } => {
                let (address, more) = self.offset_of(address)?;
                let offset = offset.wrapping_add(more);
                Some(Simplified::Operation(Operation::Atomic { operation, space, address, offset, value }))
            }
            Operation::Shuffle(_, a, _) | Operation::BroadcastFirst(a) if self.constant(a).is_some() => Some(Same(a)),
            Operation::Any(a) | Operation::All(a) if self.constant(a).is_some() => Some(Same(a)),
            _ => None,
        }
    }

    /// An address as another and a constant.
    pub fn offset_of(&self, address: Value) -> Option<(Value, i32)> {
        match self.operation(address)? {
            Operation::Binary(Binary::Add, base, offset) => Some((base, self.constant(offset)? as i32)),
            _ => None,
        }
    }

    fn constants(&self, values: [Value; 3]) -> Option<[u32; 3]> {
        let [a, b, c] = values.map(|value| self.constant(value));
        Some([a?, b?, c?])
    }

    fn bits(&mut self, bits: u32) -> Option<Simplified> {
        Some(Simplified::Operation(Operation::Constant(bits)))
    }

    fn unary_rule(&mut self, operation: Unary, a: Value) -> Option<Simplified> {
        if let Some(bits) = self.constant(a) {
            return self.bits(unary(operation, bits));
        }
        let inner = self.operation(a)?;
        use Unary::*;
        let becomes = |operation| Some(Simplified::Operation(operation));
        match (operation, inner) {
            (Negate, Operation::Unary(Negate, x))
            | (Not, Operation::Unary(Not, x))
            | (FloatNegate, Operation::Unary(FloatNegate, x))
            | (FloatToBits, Operation::Unary(BitsToFloat, x))
            | (BitsToFloat, Operation::Unary(FloatToBits, x)) => Some(Same(x)),
            (LogicalNot, Operation::Unary(LogicalNot, x)) if self.possible(x) <= 1 => Some(Same(x)),
            (FloatAbs, Operation::Unary(FloatNegate | FloatAbs, x)) => becomes(Operation::Unary(FloatAbs, x)),
            (Negate, Operation::Binary(Binary::Subtract, x, y)) => becomes(Operation::Binary(Binary::Subtract, y, x)),
            (LogicalNot, Operation::Binary(comparison, x, y)) => {
                let (comparison, x, y) = opposite(comparison, x, y)?;
                becomes(Operation::Binary(comparison, x, y))
            }
            (FloatToSigned | FloatToUnsigned | FloatToSignedNearest | FloatToUnsignedNearest, _) => {
                if let Some(start) = bytes::came_back(operation, a, self) {
                    return Some(Same(start));
                }
                let nearest = match operation {
                    FloatToSigned | FloatToSignedNearest => FloatToSignedNearest,
                    _ => FloatToUnsignedNearest,
                };
                match inner {
                    Operation::Unary(FloatRound, x) => becomes(Operation::Unary(nearest, x)),
                    Operation::Unary(FloatTrunc, x) if operation != nearest => becomes(Operation::Unary(operation, x)),
                    _ => None,
                }
            }
            // Rounding what is an integer already.
            (
                FloatFloor | FloatCeil | FloatTrunc | FloatRound,
                Operation::Unary(FloatFloor | FloatCeil | FloatTrunc | FloatRound | SignedToFloat | UnsignedToFloat, _),
            ) => Some(Same(a)),
            _ => None,
        }
    }

    fn select_rule(&mut self, condition: Value, accept: Value, reject: Value) -> Option<Simplified> {
        if accept == reject {
            return Some(Same(accept));
        }
        if let Some(bits) = self.constant(condition) {
            return Some(Same(if bits != 0 { accept } else { reject }));
        }
        if self.is_int(accept) {
            match (self.constant(accept), self.constant(reject)) {
                (Some(1), Some(0)) if self.possible(condition) <= 1 => return Some(Same(condition)),
                (Some(0), Some(1)) => {
                    return Some(Simplified::Operation(Operation::Unary(Unary::LogicalNot, condition)));
                }
                _ => {}
            }
        }
        match self.operation(condition)? {
            Operation::Unary(Unary::LogicalNot, inner) => {
                let select = Operation::Select { condition: inner, accept: reject, reject: accept };
                Some(Simplified::Operation(select))
            }
            _ => None,
        }
    }

    fn binary_rule(&mut self, operation: Binary, a: Value, b: Value, at: Location) -> Option<Simplified> {
        use Binary::*;
        let becomes = |operation| Some(Simplified::Operation(operation));
        let (left, right) = (self.constant(a), self.constant(b));
        match (left, right) {
            (Some(x), Some(y)) => return self.bits(binary(operation, x, y)),
            (Some(_), None) if operation.is_commutative() => return becomes(Operation::Binary(operation, b, a)),
            (None, Some(y)) => {
                if let Some(simplified) = self.with_constant(operation, a, b, y, at) {
                    return Some(simplified);
                }
            }
            (Some(0), None) => match operation {
                ShiftLeft | ShiftRightSigned | ShiftRightUnsigned => return Some(Same(a)),
                Subtract => return becomes(Operation::Unary(Unary::Negate, b)),
                LessUnsigned => return becomes(self.is_not_zero(b, at)),
                LessEqualUnsigned => return self.bits(1),
                _ => {}
            },
            _ => {}
        }
        if a == b {
            match operation {
                And | Or | MinSigned | MinUnsigned | MaxSigned | MaxUnsigned => return Some(Same(a)),
                Xor | Subtract | NotEqual | LessSigned | LessUnsigned => return self.bits(0),
                Equal | LessEqualSigned | LessEqualUnsigned => return self.bits(1),
                _ => {}
            }
        }
        match (operation, self.operation(a), self.operation(b)) {
            // (x & m) | (x & n): both from one word, as packing puts it together again.
            (Or | Xor | Add, Some(Operation::Binary(And, x, m)), Some(Operation::Binary(And, y, n))) if x == y => {
                let (m, n) = (self.constant(m)?, self.constant(n)?);
                if m & n == 0 {
                    let mask = self.make_constant(m | n, at);
                    return becomes(Operation::Binary(And, x, mask));
                }
                None
            }
            // ((p | (x & m)) | (x & n)): parts that stand in a row.
            (Or, Some(Operation::Binary(Or, p, q)), Some(Operation::Binary(And, y, n))) => {
                for (rest, part) in [(p, q), (q, p)] {
                    if let Some(Operation::Binary(And, x, m)) = self.operation(part)
                        && x == y
                        && let (Some(m), Some(n)) = (self.constant(m), self.constant(n))
                    {
                        let mask = self.make_constant(m | n, at);
                        let joined = self.make(Operation::Binary(And, x, mask), Kind::Int, at);
                        return becomes(Operation::Binary(Or, rest, joined));
                    }
                }
                None
            }
            (Add, _, Some(Operation::Unary(Unary::Negate, y))) => becomes(Operation::Binary(Subtract, a, y)),
            (Add, Some(Operation::Unary(Unary::Negate, x)), _) => becomes(Operation::Binary(Subtract, b, x)),
            (Subtract, _, Some(Operation::Unary(Unary::Negate, y))) => becomes(Operation::Binary(Add, a, y)),
            // Constants move outwards, so that they end up in offsets: (x + c) + y is (x + y) + c.
            (Add, Some(Operation::Binary(Add, x, c)), _) if self.constant(c).is_some() => {
                let sum = self.make(Operation::Binary(Add, x, b), Kind::Int, at);
                becomes(Operation::Binary(Add, sum, c))
            }
            (Add, _, Some(Operation::Binary(Add, y, c))) if self.constant(c).is_some() => {
                let sum = self.make(Operation::Binary(Add, a, y), Kind::Int, at);
                becomes(Operation::Binary(Add, sum, c))
            }
            (FloatAdd, _, Some(Operation::Unary(Unary::FloatNegate, y))) => {
                becomes(Operation::Binary(FloatSubtract, a, y))
            }
            (FloatAdd, Some(Operation::Unary(Unary::FloatNegate, x)), _) => {
                becomes(Operation::Binary(FloatSubtract, b, x))
            }
            (FloatSubtract, _, Some(Operation::Unary(Unary::FloatNegate, y))) => {
                let loses_sign = self.mutation == Some(Mutation::LoseSign);
                becomes(Operation::Binary(if loses_sign { FloatSubtract } else { FloatAdd }, a, y))
            }
            _ => None,
        }
    }

    /// `x != 0`, which is `x` where that is 0 or 1.
    fn is_not_zero(&mut self, x: Value, at: Location) -> Operation {
        let zero = self.make_constant(0, at);
        Operation::Binary(Binary::NotEqual, x, zero)
    }

    fn with_constant(&mut self, operation: Binary, a: Value, b: Value, y: u32, at: Location) -> Option<Simplified> {
        use Binary::*;
        let becomes = |operation| Some(Simplified::Operation(operation));
        let possible = self.possible(a);
        match (operation, y) {
            (Add | Subtract | Or | Xor | MaxUnsigned, 0) => return Some(Same(a)),
            (ShiftLeft | ShiftRightSigned | ShiftRightUnsigned, _) if y & 31 == 0 => return Some(Same(a)),
            (Multiply | DivideSigned | DivideUnsigned, 1) => return Some(Same(a)),
            (And | Multiply | MinUnsigned | LessUnsigned, 0) => return self.bits(0),
            (And, _) if possible & y == 0 => return self.bits(0),
            (And, _) if possible & !y == 0 => return Some(Same(a)),
            (Or, u32::MAX) => return Some(Same(b)),
            (MinUnsigned, _) if possible <= y => return Some(Same(a)),
            (LessUnsigned, _) if possible < y => return self.bits(1),
            (LessEqualUnsigned, _) if possible <= y => return self.bits(1),
            (LessUnsigned, 1) => {
                let zero = self.make_constant(0, at);
                return becomes(Operation::Binary(Equal, a, zero));
            }
            (Subtract, _) => {
                let negated = self.make_constant(y.wrapping_neg(), at);
                return becomes(Operation::Binary(Add, a, negated));
            }
            (Multiply, _) if y.is_power_of_two() => {
                let count = self.make_constant(y.trailing_zeros(), at);
                return becomes(Operation::Binary(ShiftLeft, a, count));
            }
            (DivideUnsigned, _) if y.is_power_of_two() => {
                let count = self.make_constant(y.trailing_zeros(), at);
                return becomes(Operation::Binary(ShiftRightUnsigned, a, count));
            }
            (RemainderUnsigned, _) if y.is_power_of_two() => {
                let mask = self.make_constant(y - 1, at);
                return becomes(Operation::Binary(And, a, mask));
            }
            (Xor, u32::MAX) => return becomes(Operation::Unary(Unary::Not, a)),
            (Xor, 1) | (Equal, 0) if possible <= 1 => return becomes(Operation::Unary(Unary::LogicalNot, a)),
            (NotEqual, 0) | (Equal, 1) if possible <= 1 => return Some(Same(a)),
            (NotEqual, 1) if possible <= 1 => return becomes(Operation::Unary(Unary::LogicalNot, a)),
            (Equal, _) if y & !possible != 0 => return self.bits(0),
            (NotEqual, _) if y & !possible != 0 => return self.bits(1),
            // x − 0 is x for every number, and a NaN is already canonical where arithmetic made it.
            (FloatSubtract, 0) | (FloatMultiply | FloatDivide, 0x3f80_0000) if self.is_canonical(a) => {
                return Some(Same(a));
            }
            _ => {}
        }
        // Two operations with constants are one.
        let Some(Operation::Binary(inner, x, c)) = self.operation(a) else { return None };
        let c = self.constant(c)?;
        let joined = match (inner, operation) {
            (Add, Add) => (Add, c.wrapping_add(y)),
            (And, And) => (And, c & y),
            (Or, Or) => (Or, c | y),
            (Xor, Xor) => (Xor, c ^ y),
            (Multiply, Multiply) => (Multiply, c.wrapping_mul(y)),
            (ShiftLeft, ShiftLeft) | (ShiftRightUnsigned, ShiftRightUnsigned) if (c & 31) + (y & 31) < 32 => {
                (inner, (c & 31) + (y & 31))
            }
            // (x >> s) << s is x & mask.
            (ShiftRightUnsigned, ShiftLeft) if self.mutation == Some(Mutation::ShiftBack) => (And, u32::MAX),
            (ShiftRightUnsigned | ShiftRightSigned, ShiftLeft) if c & 31 == y & 31 => (And, u32::MAX << (y & 31)),
            (ShiftLeft, ShiftRightUnsigned) if c & 31 == y & 31 => (And, u32::MAX >> (y & 31)),
            (Add, Equal) => (Equal, y.wrapping_sub(c)),
            (Add, NotEqual) => (NotEqual, y.wrapping_sub(c)),
            // ((x >> s) & m) << s is x & (m << s).
            (And, ShiftLeft) => match self.operation(x)? {
                Operation::Binary(ShiftRightUnsigned, word, count)
                    if self.constant(count).is_some_and(|count| count & 31 == y & 31) =>
                {
                    let mask = self.make_constant(c << (y & 31), at);
                    return becomes(Operation::Binary(And, word, mask));
                }
                _ => return None,
            },
            _ => return None,
        };
        let constant = self.make_constant(joined.1, at);
        becomes(Operation::Binary(joined.0, x, constant))
    }

    /// Whether a float cannot be a NaN with another payload than the canonical one.
    fn is_canonical(&self, value: Value) -> bool {
        use Binary::*;
        match self.operation(value) {
            Some(Operation::FusedMultiplyAdd(..)) => true,
            Some(Operation::Binary(operation, ..)) => {
                matches!(
                    operation,
                    FloatAdd | FloatSubtract | FloatMultiply | FloatDivide | FloatMin | FloatMax | Transcendental(_)
                )
            }
            Some(Operation::Unary(operation, _)) => matches!(
                operation,
                Unary::FloatSqrt
                    | Unary::FloatFloor
                    | Unary::FloatCeil
                    | Unary::FloatTrunc
                    | Unary::FloatRound
                    | Unary::SignedToFloat
                    | Unary::UnsignedToFloat
                    | Unary::Transcendental(_)
            ),
            _ => false,
        }
    }
}

/// The comparison that holds where this one does not.
pub fn opposite(comparison: Binary, a: Value, b: Value) -> Option<(Binary, Value, Value)> {
    Some(match comparison {
        Binary::Equal => (Binary::NotEqual, a, b),
        Binary::NotEqual => (Binary::Equal, a, b),
        Binary::LessSigned => (Binary::LessEqualSigned, b, a),
        Binary::LessUnsigned => (Binary::LessEqualUnsigned, b, a),
        Binary::LessEqualSigned => (Binary::LessSigned, b, a),
        Binary::LessEqualUnsigned => (Binary::LessUnsigned, b, a),
        Binary::FloatEqual => (Binary::FloatNotEqual, a, b),
        Binary::FloatNotEqual => (Binary::FloatEqual, a, b),
        _ => return None,
    })
}

/// Bits that may be set in a result.
pub fn possible_bits(operation: &Operation, definitions: &impl Definitions) -> u32 {
    use Binary::*;
    let of = |value: Value| definitions.possible(value);
    let up_to = |most: u32| u32::MAX.checked_shr(most.leading_zeros()).unwrap_or(0);
    match *operation {
        Operation::Constant(bits) => bits,
        Operation::Any(_) | Operation::All(_) | Operation::Unary(Unary::LogicalNot, _) => 1,
        Operation::Unary(Unary::CountOneBits | Unary::CountLeadingZeros | Unary::CountTrailingZeros, _) => 63,
        Operation::Binary(operation, a, b) => match operation {
            And => of(a) & of(b),
            Or | Xor => of(a) | of(b),
            MinUnsigned => up_to(of(a).min(of(b))),
            MaxUnsigned => of(a) | of(b),
            Equal | NotEqual | LessSigned | LessUnsigned | LessEqualSigned | LessEqualUnsigned => 1,
            FloatEqual | FloatNotEqual | FloatLess | FloatLessEqual => 1,
            ShiftLeft => definitions.constant(b).map_or(u32::MAX, |count| of(a) << (count & 31)),
            ShiftRightUnsigned => match definitions.constant(b) {
                Some(count) => of(a) >> (count & 31),
                None => up_to(of(a)),
            },
            RemainderUnsigned => match definitions.constant(b) {
                Some(divisor @ 1..) => up_to(divisor - 1),
                _ => u32::MAX,
            },
            Add => match of(a).checked_add(of(b)) {
                Some(most) => up_to(most),
                None => u32::MAX,
            },
            Multiply => match of(a).checked_mul(of(b)) {
                Some(most) => up_to(most),
                None => u32::MAX,
            },
            _ => u32::MAX,
        },
        Operation::Select { accept, reject, .. } => of(accept) | of(reject),
        _ => u32::MAX,
    }
}
