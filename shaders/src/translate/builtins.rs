//! Builtin functions: one operation a component, or a function of the prelude, as `prelude::resolve` says.

use naga::{Expression, Handle, MathFunction, ScalarKind, Span, TypeInner, VectorSize};

use super::{Frame, Result, Translator};
use crate::ir::{Binary, Unary, Value};
use crate::prelude::{self, Resolution};

impl<'a> Translator<'a> {
    pub fn math(
        &mut self,
        frame: &mut Frame<'a>,
        span: Span,
        function: MathFunction,
        arguments: &[Handle<Expression>],
    ) -> Result<Vec<Value>> {
        let module = self.modules[frame.module].module;
        let inner = frame.inner(module, arguments[0]).clone();
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.values(frame, *argument)?.to_vec());
        }
        match prelude::resolve(function, &inner, self.extensions) {
            Resolution::Single => {
                let kind = inner.scalar_kind().expect("these take scalars and vectors");
                let one = |this: &mut Self, operands: &[Value]| this.single(function, kind, operands);
                Ok(self.by_component(&values, one))
            }
            Resolution::Componentwise(name) => self.componentwise(name, &values),
            Resolution::Members(names) => {
                let mut all = Vec::new();
                for name in names {
                    all.extend(self.componentwise(name, &values)?);
                }
                Ok(all)
            }
            Resolution::Whole(name) => self.call_prelude(name, values),
            Resolution::Transpose => {
                let TypeInner::Matrix { columns, rows, .. } = inner else {
                    unreachable!("the validator lets only matrices be transposed")
                };
                let (columns, rows) = (columns as usize, rows as usize);
                Ok((0..rows * columns).map(|n| values[0][n % columns * rows + n / columns]).collect())
            }
            Resolution::Unsupported => {
                self.refuse(frame.module, span, format!("the builtin function {function:?} is not supported"))
            }
        }
    }

    /// Applies `one` to each component; a scalar beside vectors serves all.
    fn by_component(&mut self, values: &[Vec<Value>], mut one: impl FnMut(&mut Self, &[Value]) -> Value) -> Vec<Value> {
        let count = values.iter().map(Vec::len).max().unwrap_or(0);
        let operands = |n: usize| values.iter().map(|v| v[n.min(v.len() - 1)]).collect::<Vec<_>>();
        (0..count).map(|n| one(self, &operands(n))).collect()
    }

    fn componentwise(&mut self, name: &'static str, values: &[Vec<Value>]) -> Result<Vec<Value>> {
        let count = values.iter().map(Vec::len).max().unwrap_or(0);
        let mut all = Vec::new();
        for n in 0..count {
            let operands = values.iter().map(|v| vec![v[n.min(v.len() - 1)]]).collect();
            all.extend(self.call_prelude(name, operands)?);
        }
        Ok(all)
    }

    fn single(&mut self, function: MathFunction, kind: ScalarKind, operands: &[Value]) -> Value {
        use MathFunction as F;
        let a = operands[0];
        let operation = match (function, kind) {
            (F::Abs, ScalarKind::Float) => Unary::FloatAbs,
            (F::Abs, _) => return a,
            (F::Ceil, _) => Unary::FloatCeil,
            (F::Floor, _) => Unary::FloatFloor,
            (F::Round, _) => Unary::FloatRound,
            (F::Trunc, _) => Unary::FloatTrunc,
            (F::Sqrt, _) => Unary::FloatSqrt,
            (F::CountTrailingZeros, _) => Unary::CountTrailingZeros,
            (F::CountLeadingZeros, _) => Unary::CountLeadingZeros,
            (F::CountOneBits, _) => Unary::CountOneBits,
            (F::ReverseBits, _) => Unary::ReverseBits,
            (F::Fma, _) => return self.build.fused_multiply_add(a, operands[1], operands[2]),
            (F::Min | F::Max, _) => {
                let operation = match (function, kind) {
                    (F::Min, ScalarKind::Float) => Binary::FloatMin,
                    (F::Min, ScalarKind::Sint) => Binary::MinSigned,
                    (F::Min, _) => Binary::MinUnsigned,
                    (_, ScalarKind::Float) => Binary::FloatMax,
                    (_, ScalarKind::Sint) => Binary::MaxSigned,
                    (_, _) => Binary::MaxUnsigned,
                };
                return self.build.binary(operation, a, operands[1]);
            }
            _ => unreachable!("the prelude calls only these single operations"),
        };
        self.build.unary(operation, a)
    }

    /// The prelude's dot product of two float vectors.
    pub fn dot(&mut self, size: VectorSize, a: &[Value], b: &[Value]) -> Result<Value> {
        let inner = TypeInner::Vector { size, scalar: naga::Scalar::F32 };
        let Resolution::Whole(name) = prelude::resolve(MathFunction::Dot, &inner, self.extensions) else {
            unreachable!("the prelude tells dot products of float vectors")
        };
        Ok(self.call_prelude(name, vec![a.to_vec(), b.to_vec()])?[0])
    }

    pub fn float_remainder(&mut self, a: &[Value], b: &[Value]) -> Result<Vec<Value>> {
        self.componentwise(prelude::FLOAT_REMAINDER, &[a.to_vec(), b.to_vec()])
    }
}
