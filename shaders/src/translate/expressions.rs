//! Expressions: evaluated once, where naga's `Emit` says, so that a load is a snapshot.
//!
//! What is in no `Emit` (literals, constants, variables) is made where it is used; the builder keeps one copy a block.

use std::rc::Rc;

use naga::{Expression, Handle, Literal, TypeInner};

use super::large::LARGEST_IN_REGISTERS;
use super::layout::kind;
use super::places::Place;
use super::{Frame, ModuleIndex, Result, Slot, Translator};
use crate::diagnostic::CompileError;
use crate::ir::{Kind, Value};

impl<'a> Translator<'a> {
    /// Evaluates the expressions of an `Emit`.
    pub fn emit(&mut self, frame: &mut Frame<'a>, range: naga::Range<Expression>) -> Result<()> {
        for expression in range {
            let slot = self.evaluate(frame, expression)?;
            self.remember(frame, expression, slot);
        }
        Ok(())
    }

    /// Makes a slot what an expression stands for from now on.
    pub fn remember(&mut self, frame: &mut Frame<'a>, expression: Handle<Expression>, slot: Slot) {
        if let (Some(variables), Slot::Values(values)) = (frame.exported.get(&expression), &slot) {
            for (variable, value) in variables.iter().zip(values.iter()) {
                self.build.set(*variable, *value);
            }
        }
        frame.evaluated[expression.index()] = Some(slot);
    }

    pub fn slot(&mut self, frame: &mut Frame<'a>, expression: Handle<Expression>) -> Result<Slot> {
        match &frame.evaluated[expression.index()] {
            Some(slot) => Ok(slot.clone()),
            None => self.evaluate(frame, expression),
        }
    }

    /// The scalars of a value.
    pub fn values(&mut self, frame: &mut Frame<'a>, expression: Handle<Expression>) -> Result<Rc<[Value]>> {
        match self.slot(frame, expression)? {
            Slot::Values(values) => Ok(values),
            Slot::Large(memory) => self.taken_large(frame, expression, memory),
            Slot::Place(_) | Slot::Handle(_) => unreachable!("the validator keeps pointers and values apart"),
        }
    }

    /// The one scalar of a scalar value.
    pub fn value(&mut self, frame: &mut Frame<'a>, expression: Handle<Expression>) -> Result<Value> {
        Ok(self.values(frame, expression)?[0])
    }

    pub fn place(&mut self, frame: &mut Frame<'a>, expression: Handle<Expression>) -> Result<Place> {
        match self.slot(frame, expression)? {
            Slot::Place(place) => Ok(place),
            Slot::Values(_) | Slot::Large(_) | Slot::Handle(_) => {
                unreachable!("the validator keeps pointers and values apart")
            }
        }
    }

    fn evaluate(&mut self, frame: &mut Frame<'a>, expression: Handle<Expression>) -> Result<Slot> {
        let module = self.modules[frame.module].module;
        let types = self.types(frame.module);
        let span = frame.span(expression);
        self.go_to(frame.module, span);
        let function = frame.function;
        let values = match &function.expressions[expression] {
            Expression::Literal(literal) => vec![self.literal(frame.module, *literal, span)?],
            Expression::Constant(constant) => {
                let init = module.naga.constants[*constant].init;
                self.global_value(frame.module, init)?
            }
            Expression::ZeroValue(ty) => {
                self.check_value_size(frame, expression, types.inner(*ty))?;
                self.zero(frame.module, types.inner(*ty))
            }
            Expression::Compose { components, .. } => {
                if let Some(slot) = self.composed_large(frame, expression, components)? {
                    return Ok(slot);
                }
                let mut all = Vec::new();
                for component in components {
                    all.extend(self.values(frame, *component)?.iter());
                }
                all
            }
            Expression::Splat { size, value } => vec![self.value(frame, *value)?; *size as usize],
            Expression::Swizzle { size, vector, pattern } => {
                let vector = self.values(frame, *vector)?;
                pattern[..*size as usize].iter().map(|component| vector[*component as usize]).collect()
            }
            Expression::FunctionArgument(index) => return Ok(frame.arguments[*index as usize].clone()),
            Expression::GlobalVariable(global) => {
                // The validator knows which globals an entry point uses, but does not see all that odd SPIR-V does.
                let refused = || CompileError::at(module, span, "a variable is used in a way that is not supported");
                return self.modules[frame.module].globals.get(global).cloned().ok_or_else(refused);
            }
            Expression::LocalVariable(local) => return Ok(Slot::Place(frame.locals[local.index()].clone())),
            Expression::Access { base, index } => {
                let index = self.value(frame, *index)?;
                let inner = frame.inner(module, *base).clone();
                match (super::pointee(types, &inner), self.slot(frame, *base)?) {
                    (Some(inner), Slot::Place(place)) => {
                        let is_clamped = self.is_clamped(frame.module);
                        let place = self.element_place(types, &place, &inner, index, is_clamped);
                        return Ok(Slot::Place(place));
                    }
                    (None, Slot::Values(values)) => self.element_of_value(types, &values, &inner, index),
                    (None, Slot::Large(memory)) => {
                        let element = types.elements(&inner).expect("the validator lets only these be indexed").inner;
                        let place = self.element_place(types, &Place::Memory(memory), &inner, index, true);
                        return self.part_of_large(frame, expression, &place, &element);
                    }
                    _ => unreachable!("the validator keeps pointers and values apart"),
                }
            }
            Expression::AccessIndex { base, index } => {
                let inner = frame.inner(module, *base).clone();
                match (super::pointee(types, &inner), self.slot(frame, *base)?) {
                    (Some(inner), Slot::Place(place)) => {
                        let is_runtime_array = types.elements(&inner).is_some_and(|elements| elements.count.is_none());
                        if is_runtime_array {
                            let is_clamped = self.is_clamped(frame.module);
                            let index = self.build.int(*index);
                            return Ok(Slot::Place(self.element_place(types, &place, &inner, index, is_clamped)));
                        }
                        return Ok(Slot::Place(self.member_place(types, &place, &inner, *index)));
                    }
                    (None, Slot::Values(values)) => {
                        let member = types.member(&inner, *index);
                        values[member.first..][..types.count(&member.inner)].to_vec()
                    }
                    (None, Slot::Large(memory)) => {
                        let member = types.member(&inner, *index).inner;
                        let place = self.member_place(types, &Place::Memory(memory), &inner, *index);
                        return self.part_of_large(frame, expression, &place, &member);
                    }
                    _ => unreachable!("the validator keeps pointers and values apart"),
                }
            }
            Expression::Load { pointer } => {
                let place = self.place(frame, *pointer)?;
                let inner = frame.inner(module, *pointer);
                let inner = super::pointee(types, inner).expect("a load goes through a pointer");
                match &place {
                    Place::Memory(memory) if types.count(&inner) > LARGEST_IN_REGISTERS => {
                        return self.load_large(frame, expression, memory, &inner);
                    }
                    _ => self.load(types, &place, &inner),
                }
            }
            Expression::Unary { op, expr } => self.unary_expression(frame, *op, *expr)?,
            Expression::Binary { op, left, right } => self.binary_expression(frame, *op, *left, *right)?,
            Expression::Select { condition, accept, reject } => {
                let condition = self.values(frame, *condition)?;
                let (accept, reject) = (self.values(frame, *accept)?, self.values(frame, *reject)?);
                (0..accept.len())
                    .map(|n| self.build.select(condition[n.min(condition.len() - 1)], accept[n], reject[n]))
                    .collect()
            }
            Expression::As { expr, kind, convert } => self.convert(frame, *expr, *kind, *convert)?,
            Expression::Relational { fun, argument } => self.relational(frame, *fun, *argument)?,
            Expression::Derivative { axis, ctrl, expr } => self.derivative(frame, *axis, *ctrl, *expr)?,
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let arguments: Vec<_> = [Some(*arg), *arg1, *arg2, *arg3].into_iter().flatten().collect();
                self.math(frame, span, *fun, &arguments)?
            }
            Expression::ArrayLength(pointer) => {
                let Place::Memory(memory) = self.place(frame, *pointer)? else {
                    unreachable!("only buffers hold runtime arrays")
                };
                let inner = super::pointee(types, frame.inner(module, *pointer)).expect("it is a pointer");
                let stride = types.elements(&inner).expect("it points to an array").stride;
                vec![self.array_length(&memory, stride)]
            }
            Expression::ImageSample { .. } | Expression::ImageLoad { .. } | Expression::ImageQuery { .. } => {
                self.texture_expression(frame, expression)?
            }
            Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. } => {
                unreachable!("its statement comes first and gives it its value")
            }
            other => return self.refuse(frame.module, span, format!("{} is not supported", name_of(other))),
        };
        Ok(Slot::Values(values.into()))
    }

    pub fn check_value_size(&self, frame: &Frame<'a>, expression: Handle<Expression>, inner: &TypeInner) -> Result<()> {
        let count = self.types(frame.module).count(inner);
        if count <= LARGEST_VALUE {
            return Ok(());
        }
        let message = format!(
            "a value of {count} scalars is taken at once, the limit is {LARGEST_VALUE}; index the variable itself, or \
             go through a pointer"
        );
        self.refuse(frame.module, frame.span(expression), message)
    }

    fn literal(&mut self, module: ModuleIndex, literal: Literal, span: naga::Span) -> Result<Value> {
        Ok(match literal {
            Literal::F32(value) => self.build.constant(value.to_bits(), Kind::Float),
            Literal::U32(value) => self.build.int(value),
            Literal::I32(value) => self.build.int(value as u32),
            Literal::Bool(value) => self.build.int(u32::from(value)),
            other => return self.refuse(module, span, format!("{other:?} is not a 32-bit literal")),
        })
    }

    /// A zero of any type.
    pub fn zero(&mut self, module: ModuleIndex, inner: &TypeInner) -> Vec<Value> {
        let leaves = self.types(module).leaves(inner);
        leaves.iter().map(|leaf| self.build.constant(0, leaf.kind)).collect()
    }

    /// A constant expression of module scope.
    pub fn global_value(&mut self, index: ModuleIndex, expression: Handle<Expression>) -> Result<Vec<Value>> {
        let module = self.modules[index].module;
        let span = module.naga.global_expressions.get_span(expression);
        match &module.naga.global_expressions[expression] {
            Expression::Literal(literal) => Ok(vec![self.literal(index, *literal, span)?]),
            Expression::Constant(constant) => self.global_value(index, module.naga.constants[*constant].init),
            Expression::ZeroValue(ty) => Ok(self.zero(index, self.types(index).inner(*ty))),
            Expression::Splat { size, value } => {
                let value = self.global_value(index, *value)?;
                Ok(vec![value[0]; *size as usize])
            }
            Expression::Compose { components, .. } => {
                let mut all = Vec::new();
                for component in components {
                    all.extend(self.global_value(index, *component)?);
                }
                Ok(all)
            }
            other => self.refuse(index, span, format!("{} is not supported at module scope", name_of(other))),
        }
    }

    /// The kind of each scalar of an expression.
    pub fn kinds(&self, frame: &Frame<'a>, expression: Handle<Expression>) -> Vec<Kind> {
        let module = self.modules[frame.module].module;
        let inner = frame.inner(module, expression);
        match *inner {
            TypeInner::Scalar(scalar) => vec![kind(scalar)],
            _ => self.types(frame.module).leaves(inner).iter().map(|leaf| leaf.kind).collect(),
        }
    }
}

/// Scalars above which a value by itself is a mistake: it would become as many registers.
const LARGEST_VALUE: usize = crate::accepted::MOST_LOADED_SCALARS as usize;

/// What an expression is called in messages.
fn name_of(expression: &Expression) -> String {
    let text = format!("{expression:?}");
    let end = text.find([' ', '(', '{']).unwrap_or(text.len());
    format!("the expression `{}`", &text[..end])
}
