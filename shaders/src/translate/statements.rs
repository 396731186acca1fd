//! Statements that do something and go on: stores, barriers, `discard`, and those other files know (calls, atomics,
//! subgroup operations).

use naga::{Expression, Handle, Span, Statement};

use super::large::Stored;
use super::places::Place;
use super::{Frame, Result, Slot, Translator};
use crate::ir::{self, Barrier, Operation};

impl<'a> Translator<'a> {
    pub fn simple_statement(&mut self, frame: &mut Frame<'a>, statement: &'a Statement, span: Span) -> Result<()> {
        let module = self.modules[frame.module].module;
        let types = self.types(frame.module);
        match statement {
            Statement::Emit(range) => self.emit(frame, range.clone()),
            Statement::Store { pointer, value } => {
                let place = self.place(frame, *pointer)?;
                let inner = super::pointee(types, frame.inner(module, *pointer)).expect("a store goes to a pointer");
                let value = self.stored(frame, &place, *value)?;
                if !matches!(value, Stored::Zero) {
                    self.go_to(frame.module, span);
                }
                self.store_of_fragment(&place, |this| {
                    this.put(types, &place, &inner, &value);
                    Ok(())
                })
            }
            Statement::Kill => {
                // The lane is a helper from now on, and goes on: its neighbours need it for their derivatives (I5).
                if let Some(shading) = &self.shading {
                    let (killed, peeled) = (shading.killed, shading.peeled);
                    let one = self.build.int(1);
                    self.build.set(killed, one);
                    if let Some(label) = peeled {
                        self.build.leave(label);
                    }
                }
                Ok(())
            }
            Statement::ControlBarrier(flags) | Statement::MemoryBarrier(flags) => {
                let at = self.build.at;
                // Lanes of a warp run in step: a subgroup barrier alone is nothing.
                if flags.intersects(naga::Barrier::STORAGE | naga::Barrier::TEXTURE) {
                    self.build.push(ir::Statement::Barrier { barrier: Barrier::Storage, at });
                } else if flags.contains(naga::Barrier::WORK_GROUP) {
                    self.build.push(ir::Statement::Barrier { barrier: Barrier::Workgroup, at });
                }
                Ok(())
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                let Place::Memory(_) = self.place(frame, *pointer)? else {
                    unreachable!("workgroup variables are memory")
                };
                let at = self.build.at;
                let barrier = ir::Statement::Barrier { barrier: Barrier::Workgroup, at };
                self.build.push(barrier.clone());
                let place = self.place(frame, *pointer)?;
                let inner = super::pointee(types, frame.inner(module, *pointer)).expect("it is a pointer");
                self.check_value_size(frame, *result, &inner)?;
                let values = self.load(types, &place, &inner);
                // What the specification promises to be uniform is made so for the divergence analysis.
                let first = |value: &ir::Value| {
                    let kind = self.build.kind(*value);
                    self.build.emit(Operation::BroadcastFirst(*value), kind)
                };
                let values = values.iter().map(first).collect();
                self.build.push(barrier);
                self.remember(frame, *result, Slot::Values(values));
                Ok(())
            }
            Statement::Call { function, arguments, result } => {
                let value = self.call(frame, *function, arguments, span)?;
                if let (Some(result), Some(slot)) = (result, value) {
                    self.remember(frame, *result, slot);
                }
                Ok(())
            }
            Statement::Atomic { pointer, fun, value, result } => self.atomic(frame, *pointer, *fun, *value, *result),
            Statement::SubgroupBallot { .. }
            | Statement::SubgroupGather { .. }
            | Statement::SubgroupCollectiveOperation { .. } => self.subgroup(frame, statement, span),
            Statement::Block(_)
            | Statement::If { .. }
            | Statement::Switch { .. }
            | Statement::Loop { .. }
            | Statement::Break
            | Statement::Continue
            | Statement::Return { .. } => unreachable!("`control` takes these"),
            Statement::ImageStore { .. } => self.texture_store(frame, statement, span),
            Statement::ImageAtomic { .. } => {
                self.refuse(frame.module, span, "atomic operations on textures are not supported")
            }
            Statement::RayQuery { .. } | Statement::RayPipelineFunction(_) | Statement::CooperativeStore { .. } => {
                self.refuse(frame.module, span, "ray queries and cooperative matrices are not supported")
            }
        }
    }
}

/// Expressions an expression reads.
pub(super) fn expression_operands(expression: &Expression) -> Vec<Handle<Expression>> {
    let mut operands = Vec::new();
    match expression {
        Expression::Compose { components, .. } => operands.extend(components),
        Expression::Access { base, index } => operands.extend([base, index]),
        Expression::AccessIndex { base, .. } => operands.push(*base),
        Expression::Splat { value, .. } => operands.push(*value),
        Expression::Swizzle { vector, .. } => operands.push(*vector),
        Expression::Load { pointer } => operands.push(*pointer),
        Expression::ImageSample { coordinate, array_index, offset, level, depth_ref, .. } => {
            operands.push(*coordinate);
            operands.extend([array_index, offset, depth_ref].into_iter().flatten());
            match level {
                naga::SampleLevel::Exact(level) | naga::SampleLevel::Bias(level) => operands.push(*level),
                naga::SampleLevel::Gradient { x, y } => operands.extend([x, y]),
                naga::SampleLevel::Auto | naga::SampleLevel::Zero => {}
            }
        }
        Expression::ImageLoad { coordinate, array_index, sample, level, .. } => {
            operands.push(*coordinate);
            operands.extend([array_index, sample, level].into_iter().flatten());
        }
        Expression::ImageQuery { query: naga::ImageQuery::Size { level }, .. } => operands.extend(level),
        Expression::Unary { expr, .. } | Expression::Derivative { expr, .. } | Expression::As { expr, .. } => {
            operands.push(*expr);
        }
        Expression::Binary { left, right, .. } => operands.extend([left, right]),
        Expression::Select { condition, accept, reject } => operands.extend([condition, accept, reject]),
        Expression::Relational { argument, .. } => operands.push(*argument),
        Expression::Math { arg, arg1, arg2, arg3, .. } => {
            operands.push(*arg);
            operands.extend([arg1, arg2, arg3].into_iter().flatten());
        }
        Expression::ArrayLength(pointer) => operands.push(*pointer),
        _ => {}
    }
    operands
}

/// Expressions a statement reads itself (not those in blocks inside it).
pub(super) fn statement_operands(statement: &Statement) -> Vec<Handle<Expression>> {
    match statement {
        Statement::If { condition, .. } => vec![*condition],
        Statement::Switch { selector, .. } => vec![*selector],
        Statement::Return { value } => value.iter().copied().collect(),
        Statement::Store { pointer, value } => vec![*pointer, *value],
        Statement::ImageStore { coordinate, array_index, value, .. } => {
            let mut operands = vec![*coordinate, *value];
            operands.extend(array_index);
            operands
        }
        Statement::Call { arguments, .. } => arguments.clone(),
        Statement::Atomic { pointer, fun, value, .. } => {
            let mut operands = vec![*pointer, *value];
            if let naga::AtomicFunction::Exchange { compare } = fun {
                operands.extend(compare);
            }
            operands
        }
        Statement::WorkGroupUniformLoad { pointer, .. } => vec![*pointer],
        Statement::SubgroupBallot { predicate, .. } => predicate.iter().copied().collect(),
        Statement::SubgroupGather { mode, argument, .. } => {
            let mut operands = vec![*argument];
            operands.extend(super::subgroups::gather_operand(mode));
            operands
        }
        Statement::SubgroupCollectiveOperation { argument, .. } => vec![*argument],
        _ => Vec::new(),
    }
}
