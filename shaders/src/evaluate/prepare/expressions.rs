//! Expressions of a function: each gets a slot and, where it is not only another name for words that are already
//! there, steps that fill it.

use naga::{BinaryOperator, Expression, Handle, MathFunction, RelationalFunction, ScalarKind, TypeInner};

use super::{FunctionContext, constant_bits};
use crate::diagnostic::CompileError;
use crate::evaluate::arithmetic;
use crate::evaluate::program::{Length, Operand, Slot, Step};
use crate::evaluate::shape;
use crate::prelude::{self, Resolution};

pub(super) type Steps = Vec<Step>;

impl<'m> FunctionContext<'_, 'm> {
    pub(super) fn type_of(&self, handle: Handle<Expression>) -> &'m TypeInner {
        self.info[handle].ty.inner_with(&self.module.naga.types)
    }

    pub(super) fn words(&self, handle: Handle<Expression>) -> u32 {
        shape::words(self.module, self.type_of(handle))
    }

    /// Scalar kind of a value's components.
    pub(super) fn scalar_kind(&self, handle: Handle<Expression>) -> ScalarKind {
        self.type_of(handle).scalar().map_or(ScalarKind::Uint, |scalar| scalar.kind)
    }

    /// Where an expression's value is. Those that no `Emit` covers are placed at their first use.
    pub(super) fn slot(&mut self, handle: Handle<Expression>) -> Result<Slot, CompileError> {
        if let Some(slot) = self.slots[handle.index()] {
            return Ok(slot);
        }
        let slot = match self.function.expressions[handle] {
            Expression::FunctionArgument(index) => self.arguments[index as usize],
            Expression::LocalVariable(local) => self.locals[local.index()],
            Expression::GlobalVariable(global) => {
                // The validator knows which globals an entry point uses, but does not see all that odd SPIR-V does.
                self.preparer.globals[global.index()].map_or_else(|| self.not_supported(handle), Ok)?
            }
            _ => {
                let bits = constant_bits(self.module, &self.function.expressions, handle)?;
                self.preparer.constant(&bits)
            }
        };
        self.slots[handle.index()] = Some(slot);
        Ok(slot)
    }

    /// The slot of an expression that a statement fills.
    pub(super) fn result_slot(&mut self, handle: Handle<Expression>) -> Slot {
        let slot = self.preparer.new_slot(self.words(handle));
        self.slots[handle.index()] = Some(slot);
        slot
    }

    pub(super) fn new_slot(&mut self, words: u32) -> Slot {
        self.preparer.new_slot(words)
    }

    /// A value as operand of a componentwise step over `words` components.
    fn operand(&mut self, handle: Handle<Expression>, words: u32) -> Result<Operand, CompileError> {
        let stride = u32::from(self.words(handle) == words);
        Ok(Operand { slot: self.slot(handle)?, stride })
    }

    /// Evaluates an expression here.
    pub(super) fn emit(&mut self, handle: Handle<Expression>, steps: &mut Steps) -> Result<(), CompileError> {
        let expression = &self.function.expressions[handle];
        let words = self.words(handle);
        let slot = match *expression {
            Expression::Compose { ref components, .. } => {
                let to = self.new_slot(words);
                let mut place = to;
                for &component in components {
                    let (from, words) = (self.slot(component)?, self.words(component));
                    steps.push(Step::Copy { from, to: place, words });
                    place = place.plus(words);
                }
                to
            }
            Expression::Splat { value, .. } => {
                let (from, to) = (self.slot(value)?, self.new_slot(words));
                steps.extend((0..words).map(|word| Step::Copy { from, to: to.plus(word), words: 1 }));
                to
            }
            Expression::Swizzle { vector, pattern, .. } => {
                let (from, to) = (self.slot(vector)?, self.new_slot(words));
                let copies = pattern.iter().zip(0..words);
                steps.extend(copies.map(|(&component, word)| Step::Copy {
                    from: from.plus(component as u32),
                    to: to.plus(word),
                    words: 1,
                }));
                to
            }
            Expression::AccessIndex { base, index } => self.access_fixed(base, index, words, steps)?,
            Expression::Access { base, index } => self.access(base, index, words, steps)?,
            Expression::Load { pointer } => {
                let memory = self.memory(pointer);
                let (pointer, to) = (self.slot(pointer)?, self.new_slot(words));
                steps.push(Step::Load { pointer, memory, to, words });
                to
            }
            Expression::Unary { op, expr } => {
                let f = arithmetic::unary(op, self.scalar_kind(expr));
                let (a, to) = (self.slot(expr)?, self.new_slot(words));
                steps.push(Step::Apply1 { f, a, to, words });
                to
            }
            Expression::Binary { op, left, right } => self.binary(op, left, right, words, steps)?,
            Expression::Select { condition, accept, reject } => {
                let a = self.operand(condition, words)?;
                let (b, c, to) = (self.operand(accept, words)?, self.operand(reject, words)?, self.new_slot(words));
                steps.push(Step::Apply3 { f: arithmetic::SELECT, a, b, c, to, words });
                to
            }
            Expression::Derivative { axis, ctrl, expr } => {
                let (a, to) = (self.slot(expr)?, self.new_slot(words));
                steps.push(Step::Derivative { axis, control: ctrl, a, to, words });
                to
            }
            Expression::Relational { fun, argument } => {
                let (from, count) = (self.slot(argument)?, self.words(argument));
                let each = |this: &mut Self, steps: &mut Steps, f| {
                    let to = this.new_slot(words);
                    steps.push(Step::Apply1 { f, a: from, to, words });
                    to
                };
                match fun {
                    RelationalFunction::All => self.fold(BinaryOperator::And, ScalarKind::Bool, from, count, steps),
                    RelationalFunction::Any => {
                        self.fold(BinaryOperator::InclusiveOr, ScalarKind::Bool, from, count, steps)
                    }
                    RelationalFunction::IsNan => each(self, steps, arithmetic::IS_NAN),
                    RelationalFunction::IsInf => each(self, steps, arithmetic::IS_INFINITE),
                }
            }
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let arguments: Vec<_> = [Some(arg), arg1, arg2, arg3].into_iter().flatten().collect();
                self.math(handle, fun, &arguments, words, steps)?
            }
            Expression::As { expr, kind, convert } => {
                let a = self.slot(expr)?;
                if convert.is_none() {
                    a
                } else {
                    let to = self.new_slot(words);
                    let is_prelude = std::ptr::eq(self.module, crate::prelude::module());
                    steps.push(Step::Apply1 {
                        f: arithmetic::convert(self.scalar_kind(expr), kind, is_prelude),
                        a,
                        to,
                        words,
                    });
                    to
                }
            }
            Expression::ArrayLength(pointer) => {
                let stride = shape::element(self.module, &shape::pointee(self.module, self.type_of(pointer))).stride;
                let (pointer, to) = (self.slot(pointer)?, self.new_slot(1));
                steps.push(Step::ArrayLength { pointer, stride, to });
                to
            }
            Expression::ImageSample { .. } | Expression::ImageLoad { .. } | Expression::ImageQuery { .. } => {
                self.texture(handle, steps)?
            }
            Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::ZeroValue(_)
            | Expression::FunctionArgument(_)
            | Expression::GlobalVariable(_)
            | Expression::LocalVariable(_) => self.slot(handle)?,
            _ => return self.not_supported(handle),
        };
        self.slots[handle.index()] = Some(slot);
        Ok(())
    }

    pub(super) fn not_supported<T>(&self, handle: Handle<Expression>) -> Result<T, CompileError> {
        let span = self.function.expressions.get_span(handle);
        let message = format!("the evaluator cannot run this: {:?}", self.function.expressions[handle]);
        Err(CompileError::at(self.module, span, message))
    }

    /// `base[index]` or `base.member`, the place being fixed.
    fn access_fixed(
        &mut self,
        base: Handle<Expression>,
        index: u32,
        words: u32,
        steps: &mut Steps,
    ) -> Result<Slot, CompileError> {
        let inner = self.type_of(base);
        let from = self.slot(base)?;
        let Some(space) = shape::pointer_space(inner) else {
            return Ok(from.plus(shape::part(self.module, inner, index).0));
        };
        let pointee = shape::pointee(self.module, inner);
        let is_buffer = shape::is_buffer(space);
        if matches!(pointee, TypeInner::Array { .. }) {
            let element = shape::element(self.module, &pointee);
            if element.length.is_none() {
                // A known index may be beyond what the buffer holds.
                let (index, to) = (self.preparer.constant(&[index]), self.new_slot(words));
                let (length, scale) = (Length::Runtime(element.stride), element.stride);
                steps.push(Step::IndexPointer { base: from, index, length, scale, is_buffer, to });
                return Ok(to);
            }
        }
        let (distance_words, distance_bytes) = shape::part(self.module, &pointee, index);
        let distance = if is_buffer { distance_bytes } else { distance_words };
        let to = self.new_slot(words);
        steps.push(Step::OffsetPointer { base: from, distance, is_buffer, to });
        Ok(to)
    }

    /// `base[index]`, of a value or of what a pointer points to.
    fn access(
        &mut self,
        base: Handle<Expression>,
        index: Handle<Expression>,
        words: u32,
        steps: &mut Steps,
    ) -> Result<Slot, CompileError> {
        let inner = self.type_of(base);
        let (from, index) = (self.slot(base)?, self.slot(index)?);
        let to = self.new_slot(words);
        match shape::pointer_space(inner) {
            None => {
                let length = shape::element(self.module, inner).length.expect("a value has a fixed size");
                steps.push(Step::IndexValue { base: from, index, length, to, words });
            }
            Some(space) => {
                let element = shape::element(self.module, &shape::pointee(self.module, inner));
                let is_buffer = shape::is_buffer(space);
                let scale = if is_buffer { element.stride } else { element.words };
                let length = element.length.map_or(Length::Runtime(element.stride), Length::Fixed);
                steps.push(Step::IndexPointer { base: from, index, length, scale, is_buffer, to });
            }
        }
        Ok(to)
    }

    fn binary(
        &mut self,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
        words: u32,
        steps: &mut Steps,
    ) -> Result<Slot, CompileError> {
        let (a, b) = (self.slot(left)?, self.slot(right)?);
        if op == BinaryOperator::Multiply {
            match (self.type_of(left), self.type_of(right)) {
                (&TypeInner::Matrix { columns, rows, .. }, TypeInner::Vector { .. }) => {
                    return Ok(self.matrix_vector(a, columns as u32, rows as u32, b, steps));
                }
                (TypeInner::Vector { .. }, &TypeInner::Matrix { columns, rows, .. }) => {
                    let (columns, rows) = (columns as u32, rows as u32);
                    let to = self.new_slot(columns);
                    for column in 0..columns {
                        let sum = self.products(a, b.plus(column * rows), rows, steps);
                        steps.push(Step::Copy { from: sum, to: to.plus(column), words: 1 });
                    }
                    return Ok(to);
                }
                (&TypeInner::Matrix { columns: inner, rows, .. }, &TypeInner::Matrix { columns, .. }) => {
                    let (inner, rows, columns) = (inner as u32, rows as u32, columns as u32);
                    let to = self.new_slot(columns * rows);
                    for column in 0..columns {
                        let product = self.matrix_vector(a, inner, rows, b.plus(column * inner), steps);
                        steps.push(Step::Copy { from: product, to: to.plus(column * rows), words: rows });
                    }
                    return Ok(to);
                }
                _ => {}
            }
        }
        let kind = self.scalar_kind(left);
        let operands = [self.operand(left, words)?, self.operand(right, words)?];
        if op == BinaryOperator::Modulo && kind == ScalarKind::Float {
            return self.componentwise(prelude::FLOAT_REMAINDER, &operands, words, steps);
        }
        let to = self.new_slot(words);
        let [a, b] = operands;
        steps.push(Step::Apply2 { f: arithmetic::binary(op, kind), a, b, to, words });
        Ok(to)
    }

    /// `((c0·x + c1·y) + c2·z) + c3·w`, each product and each sum rounded.
    fn matrix_vector(&mut self, matrix: Slot, columns: u32, rows: u32, vector: Slot, steps: &mut Steps) -> Slot {
        let multiply = arithmetic::binary(BinaryOperator::Multiply, ScalarKind::Float);
        let add = arithmetic::binary(BinaryOperator::Add, ScalarKind::Float);
        let mut sum = None;
        for column in 0..columns {
            let a = Operand { slot: matrix.plus(column * rows), stride: 1 };
            let b = Operand { slot: vector.plus(column), stride: 0 };
            let product = self.new_slot(rows);
            steps.push(Step::Apply2 { f: multiply, a, b, to: product, words: rows });
            sum = Some(match sum {
                None => product,
                Some(before) => {
                    let to = self.new_slot(rows);
                    let (a, b) = (Operand { slot: before, stride: 1 }, Operand { slot: product, stride: 1 });
                    steps.push(Step::Apply2 { f: add, a, b, to, words: rows });
                    to
                }
            });
        }
        sum.expect("a matrix has columns")
    }

    /// Sum of products of two float vectors, left to right.
    fn products(&mut self, a: Slot, b: Slot, count: u32, steps: &mut Steps) -> Slot {
        let product = self.new_slot(count);
        let (a, b) = (Operand { slot: a, stride: 1 }, Operand { slot: b, stride: 1 });
        let f = arithmetic::binary(BinaryOperator::Multiply, ScalarKind::Float);
        steps.push(Step::Apply2 { f, a, b, to: product, words: count });
        self.fold(BinaryOperator::Add, ScalarKind::Float, product, count, steps)
    }

    /// The components joined left to right.
    fn fold(&mut self, op: BinaryOperator, kind: ScalarKind, from: Slot, count: u32, steps: &mut Steps) -> Slot {
        let mut sum = from;
        for component in 1..count {
            let to = self.new_slot(1);
            let (a, b) = (Operand { slot: sum, stride: 0 }, Operand { slot: from.plus(component), stride: 0 });
            steps.push(Step::Apply2 { f: arithmetic::binary(op, kind), a, b, to, words: 1 });
            sum = to;
        }
        sum
    }

    fn math(
        &mut self,
        handle: Handle<Expression>,
        fun: MathFunction,
        arguments: &[Handle<Expression>],
        words: u32,
        steps: &mut Steps,
    ) -> Result<Slot, CompileError> {
        let first = self.type_of(arguments[0]);
        match prelude::resolve(fun, first, self.preparer.extensions) {
            Resolution::Single => {
                let kind = self.scalar_kind(arguments[0]);
                let a = self.operand(arguments[0], words)?;
                let to = self.new_slot(words);
                if let Some(f) = arithmetic::single_unary(fun, kind) {
                    steps.push(Step::Apply1 { f, a: a.slot, to, words });
                } else if let Some(f) = arithmetic::single_binary(fun, kind) {
                    let b = self.operand(arguments[1], words)?;
                    steps.push(Step::Apply2 { f, a, b, to, words });
                } else {
                    let (b, c) = (self.operand(arguments[1], words)?, self.operand(arguments[2], words)?);
                    steps.push(Step::Apply3 { f: arithmetic::FUSED, a, b, c, to, words });
                }
                Ok(to)
            }
            Resolution::Componentwise(name) => {
                let mut operands = Vec::new();
                for &argument in arguments {
                    operands.push(self.operand(argument, words)?);
                }
                self.componentwise(name, &operands, words, steps)
            }
            Resolution::Whole(name) => {
                let mut passed = Vec::new();
                for &argument in arguments {
                    passed.push((self.slot(argument)?, self.words(argument)));
                }
                self.call_prelude(name, &passed, steps)
            }
            Resolution::Members(names) => {
                let count = self.words(arguments[0]);
                let operand = self.operand(arguments[0], count)?;
                let to = self.new_slot(words);
                for (name, index) in names.iter().zip(0..) {
                    let member = self.componentwise(name, &[operand], count, steps)?;
                    steps.push(Step::Copy { from: member, to: to.plus(index * count), words: count });
                }
                Ok(to)
            }
            Resolution::Transpose => {
                let &TypeInner::Matrix { columns, rows, .. } = first else { return self.not_supported(handle) };
                let (columns, rows) = (columns as u32, rows as u32);
                let (from, to) = (self.slot(arguments[0])?, self.new_slot(words));
                for column in 0..columns {
                    steps.extend((0..rows).map(|row| Step::Copy {
                        from: from.plus(column * rows + row),
                        to: to.plus(row * columns + column),
                        words: 1,
                    }));
                }
                Ok(to)
            }
            Resolution::Unsupported => self.not_supported(handle),
        }
    }

    /// A prelude function of scalars, once for each component.
    fn componentwise(
        &mut self,
        name: &str,
        operands: &[Operand],
        words: u32,
        steps: &mut Steps,
    ) -> Result<Slot, CompileError> {
        let to = self.new_slot(words);
        for word in 0..words {
            let arguments: Vec<_> = operands.iter().map(|o| (o.slot.plus(word * o.stride), 1)).collect();
            let result = self.call_prelude(name, &arguments, steps)?;
            steps.push(Step::Copy { from: result, to: to.plus(word), words: 1 });
        }
        Ok(to)
    }

    /// Calls a prelude function; the result is in a slot of its own.
    pub(super) fn call_prelude(
        &mut self,
        name: &str,
        arguments: &[(Slot, u32)],
        steps: &mut Steps,
    ) -> Result<Slot, CompileError> {
        let function = self.preparer.prelude_function(name)?;
        let code = &self.preparer.program.functions[function];
        let words = code.result_words;
        assert_eq!(code.arguments.len(), arguments.len(), "the call fits the prelude's {name}");
        let passed = arguments.iter().zip(&code.arguments).map(|(&(from, words), &(to, declared))| {
            assert_eq!(words, declared, "the argument fits the prelude's {name}");
            (from, to, words)
        });
        let arguments = passed.collect();
        let to = self.new_slot(words);
        steps.push(Step::Call { function, arguments, result: Some(to) });
        Ok(to)
    }
}
