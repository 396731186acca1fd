//! Operators, conversions and derivatives, component by component.
//!
//! Integer division follows WGSL ("Arithmetic Expressions"): x / 0 = x, x % 0 = 0; the machine's own answers differ only
//! there. A matrix times a vector is summed column after column, from the left, without fusing.

use naga::{BinaryOperator, DerivativeAxis, DerivativeControl, Expression, Handle, RelationalFunction, ScalarKind};
use naga::{TypeInner, UnaryOperator, VectorSize};

use super::{Bounds, Frame, Result, Translator};
use crate::builtins::{LARGEST_SIGNED, LARGEST_UNSIGNED};
use crate::ir::{Binary, Input, Kind, Operation, Shuffle, Unary, Value};

impl<'a> Translator<'a> {
    fn scalar_kind(&self, frame: &Frame<'a>, expression: Handle<Expression>) -> ScalarKind {
        let module = self.modules[frame.module].module;
        frame.inner(module, expression).scalar_kind().expect("operators take scalars, vectors and matrices")
    }

    pub fn unary_expression(
        &mut self,
        frame: &mut Frame<'a>,
        operator: UnaryOperator,
        expression: Handle<Expression>,
    ) -> Result<Vec<Value>> {
        let operation = match (operator, self.scalar_kind(frame, expression)) {
            (UnaryOperator::Negate, ScalarKind::Float) => Unary::FloatNegate,
            (UnaryOperator::Negate, _) => Unary::Negate,
            (UnaryOperator::LogicalNot, _) | (UnaryOperator::BitwiseNot, ScalarKind::Bool) => Unary::LogicalNot,
            (UnaryOperator::BitwiseNot, _) => Unary::Not,
        };
        let values = self.values(frame, expression)?;
        Ok(values.iter().map(|value| self.build.unary(operation, *value)).collect())
    }

    pub fn binary_expression(
        &mut self,
        frame: &mut Frame<'a>,
        operator: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Result<Vec<Value>> {
        let module = self.modules[frame.module].module;
        let (a, b) = (self.values(frame, left)?, self.values(frame, right)?);
        if operator == BinaryOperator::Multiply {
            use TypeInner::{Matrix, Vector};
            match (frame.inner(module, left), frame.inner(module, right)) {
                (&Matrix { rows, .. }, &Vector { .. }) => return Ok(self.matrix_times_vector(&a, &b, rows)),
                (&Vector { size, .. }, &Matrix { .. }) => {
                    let columns = b.chunks(size as usize);
                    return columns.map(|column| self.dot(size, &a, column)).collect();
                }
                (&Matrix { rows, columns, .. }, &Matrix { .. }) => {
                    let right_columns = b.chunks(columns as usize);
                    return Ok(right_columns.flat_map(|column| self.matrix_times_vector(&a, column, rows)).collect());
                }
                _ => {}
            }
        }
        let kind = self.scalar_kind(frame, left);
        if kind == ScalarKind::Float && operator == BinaryOperator::Modulo {
            return self.float_remainder(&a, &b);
        }
        let count = a.len().max(b.len());
        let component = |values: &[Value], n: usize| values[n.min(values.len() - 1)];
        Ok((0..count).map(|n| self.scalar_binary(operator, kind, component(&a, n), component(&b, n))).collect())
    }

    fn matrix_times_vector(&mut self, matrix: &[Value], vector: &[Value], rows: VectorSize) -> Vec<Value> {
        let rows = rows as usize;
        (0..rows)
            .map(|row| {
                let mut sum = None;
                for (column, factor) in vector.iter().enumerate() {
                    let product = self.build.binary(Binary::FloatMultiply, matrix[column * rows + row], *factor);
                    sum = Some(match sum {
                        None => product,
                        Some(sum) => self.build.binary(Binary::FloatAdd, sum, product),
                    });
                }
                sum.expect("a vector has components")
            })
            .collect()
    }

    fn scalar_binary(&mut self, operator: BinaryOperator, kind: ScalarKind, a: Value, b: Value) -> Value {
        use BinaryOperator as Operator;
        let is_float = kind == ScalarKind::Float;
        let is_signed = kind == ScalarKind::Sint;
        let pick = |float, signed, unsigned| match kind {
            ScalarKind::Float => float,
            ScalarKind::Sint => signed,
            _ => unsigned,
        };
        let operation = match operator {
            Operator::Add => pick(Binary::FloatAdd, Binary::Add, Binary::Add),
            Operator::Subtract => pick(Binary::FloatSubtract, Binary::Subtract, Binary::Subtract),
            Operator::Multiply => pick(Binary::FloatMultiply, Binary::Multiply, Binary::Multiply),
            Operator::Divide if is_float => Binary::FloatDivide,
            Operator::Divide | Operator::Modulo => return self.integer_division(operator, is_signed, a, b),
            Operator::Equal => pick(Binary::FloatEqual, Binary::Equal, Binary::Equal),
            Operator::NotEqual => pick(Binary::FloatNotEqual, Binary::NotEqual, Binary::NotEqual),
            Operator::Less => pick(Binary::FloatLess, Binary::LessSigned, Binary::LessUnsigned),
            Operator::LessEqual => pick(Binary::FloatLessEqual, Binary::LessEqualSigned, Binary::LessEqualUnsigned),
            Operator::Greater => return self.scalar_binary(Operator::Less, kind, b, a),
            Operator::GreaterEqual => return self.scalar_binary(Operator::LessEqual, kind, b, a),
            Operator::And | Operator::LogicalAnd => Binary::And,
            Operator::InclusiveOr | Operator::LogicalOr => Binary::Or,
            Operator::ExclusiveOr => Binary::Xor,
            Operator::ShiftLeft => Binary::ShiftLeft,
            Operator::ShiftRight if is_signed => Binary::ShiftRightSigned,
            Operator::ShiftRight => Binary::ShiftRightUnsigned,
        };
        self.build.binary(operation, a, b)
    }

    fn integer_division(&mut self, operator: BinaryOperator, is_signed: bool, a: Value, b: Value) -> Value {
        let is_quotient = operator == BinaryOperator::Divide;
        let operation = match (is_quotient, is_signed) {
            (true, true) => Binary::DivideSigned,
            (true, false) => Binary::DivideUnsigned,
            (false, true) => Binary::RemainderSigned,
            (false, false) => Binary::RemainderUnsigned,
        };
        let result = self.build.binary(operation, a, b);
        let zero = self.build.int(0);
        let is_zero = self.build.binary(Binary::Equal, b, zero);
        self.build.select(is_zero, if is_quotient { a } else { zero }, result)
    }

    /// `T(x)` and `bitcast<T>(x)` (WGSL "Value Conversions"). A float becomes an integer as `fcvt` with rtz does it; where
    /// that saturates upwards, a shader gets the largest number that is also a float (`builtins::LARGEST_SIGNED`).
    pub fn convert(
        &mut self,
        frame: &mut Frame<'a>,
        expression: Handle<Expression>,
        target: ScalarKind,
        convert: Option<u8>,
    ) -> Result<Vec<Value>> {
        let source = self.scalar_kind(frame, expression);
        let values = self.values(frame, expression)?;
        let is_bitcast = convert.is_none();
        let is_exact = self.modules[frame.module].bounds == Bounds::Clamp;
        let convert_one = |this: &mut Self, value: Value| {
            use ScalarKind::{Bool, Float, Sint, Uint};
            let operation = match (source, target) {
                (Float, Sint | Uint) if is_bitcast => Unary::FloatToBits,
                (Sint | Uint, Float) if is_bitcast => Unary::BitsToFloat,
                (Float, Sint) => Unary::FloatToSigned,
                (Float, Uint) => Unary::FloatToUnsigned,
                (Sint, Float) => Unary::SignedToFloat,
                (Uint | Bool, Float) => Unary::UnsignedToFloat,
                (Float, Bool) => {
                    let zero = this.build.constant(0, Kind::Float);
                    return this.build.binary(Binary::FloatNotEqual, value, zero);
                }
                (Sint | Uint, Bool) => {
                    let zero = this.build.int(0);
                    return this.build.binary(Binary::NotEqual, value, zero);
                }
                _ => return value,
            };
            let converted = this.build.unary(operation, value);
            let (limit, least) = match operation {
                Unary::FloatToSigned if is_exact => (LARGEST_SIGNED, Binary::MinSigned),
                Unary::FloatToUnsigned if is_exact => (LARGEST_UNSIGNED, Binary::MinUnsigned),
                _ => return converted,
            };
            let limit = this.build.int(limit);
            this.build.binary(least, converted, limit)
        };
        Ok(values.iter().map(|value| convert_one(self, *value)).collect())
    }

    pub fn relational(
        &mut self,
        frame: &mut Frame<'a>,
        function: RelationalFunction,
        argument: Handle<Expression>,
    ) -> Result<Vec<Value>> {
        let values = self.values(frame, argument)?;
        let fold = |this: &mut Self, operation| {
            let mut rest = values.iter();
            let first = *rest.next().expect("a value has components");
            vec![rest.fold(first, |all, value| this.build.binary(operation, all, *value))]
        };
        Ok(match function {
            RelationalFunction::All => fold(self, Binary::And),
            RelationalFunction::Any => fold(self, Binary::Or),
            RelationalFunction::IsNan => {
                values.iter().map(|value| self.build.binary(Binary::FloatNotEqual, *value, *value)).collect()
            }
            RelationalFunction::IsInf => values
                .iter()
                .map(|value| {
                    let magnitude = self.build.unary(Unary::FloatAbs, *value);
                    let infinity = self.build.constant(f32::INFINITY.to_bits(), Kind::Float);
                    self.build.binary(Binary::FloatEqual, magnitude, infinity)
                })
                .collect(),
        })
    }

    /// Differences within the quad. Coarse (and unspecified): one for the whole quad, lane 1 − lane 0 and lane 2 − lane 0.
    /// Fine: of the lane's own row or column.
    pub fn derivative(
        &mut self,
        frame: &mut Frame<'a>,
        axis: DerivativeAxis,
        control: DerivativeControl,
        expression: Handle<Expression>,
    ) -> Result<Vec<Value>> {
        let values = self.values(frame, expression)?;
        let is_fine = control == DerivativeControl::Fine;
        Ok(values
            .iter()
            .map(|value| match axis {
                DerivativeAxis::X => self.quad_difference(*value, 1, is_fine),
                DerivativeAxis::Y => self.quad_difference(*value, 2, is_fine),
                DerivativeAxis::Width => {
                    let x = self.quad_difference(*value, 1, is_fine);
                    let y = self.quad_difference(*value, 2, is_fine);
                    let (x, y) = (self.build.unary(Unary::FloatAbs, x), self.build.unary(Unary::FloatAbs, y));
                    self.build.binary(Binary::FloatAdd, x, y)
                }
            })
            .collect())
    }

    /// `bit` is what tells the neighbour apart: 1 along x, 2 along y.
    fn quad_difference(&mut self, value: Value, bit: u32, is_fine: bool) -> Value {
        let bit = self.build.int(bit);
        let (far, near) = if is_fine {
            let lane = self.build.pure(Operation::Input(Input::SubgroupInvocationId), Kind::Int);
            let three = self.build.int(3);
            let within = self.build.binary(Binary::And, lane, three);
            let far = self.build.binary(Binary::Or, within, bit);
            (far, self.build.binary(Binary::Xor, far, bit))
        } else {
            (bit, self.build.int(0))
        };
        let far = self.build.emit(Operation::Shuffle(Shuffle::Quad, value, far), Kind::Float);
        let near = self.build.emit(Operation::Shuffle(Shuffle::Quad, value, near), Kind::Float);
        self.build.binary(Binary::FloatSubtract, far, near)
    }
}
