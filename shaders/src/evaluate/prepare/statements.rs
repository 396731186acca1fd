//! Statements of a function.

use naga::{
    AtomicFunction, BinaryOperator, CollectiveOperation, Direction, Expression, GatherMode, MathFunction, ScalarKind,
    Span, Statement, SubgroupOperation, SwitchValue,
};

use super::FunctionContext;
use crate::diagnostic::CompileError;
use crate::evaluate::arithmetic;
use crate::evaluate::program::{AtomicKind, Case, Gather, Join, Step};
use crate::evaluate::shape;

impl FunctionContext<'_, '_> {
    /// The steps of a block.
    pub(super) fn block(&mut self, block: &naga::Block) -> Result<Vec<Step>, CompileError> {
        let mut steps = Vec::new();
        for (statement, span) in block.span_iter() {
            self.statement(statement, *span, &mut steps)?;
        }
        Ok(steps)
    }

    fn statement(&mut self, statement: &Statement, span: Span, steps: &mut Vec<Step>) -> Result<(), CompileError> {
        match *statement {
            Statement::Emit(ref range) => {
                for handle in range.clone() {
                    self.emit(handle, steps)?;
                }
            }
            Statement::Block(ref block) => {
                let mut inner = self.block(block)?;
                steps.append(&mut inner);
            }
            Statement::If { condition, ref accept, ref reject } => {
                let condition = self.slot(condition)?;
                steps.push(Step::If { condition, accept: self.block(accept)?, reject: self.block(reject)? });
            }
            Statement::Switch { selector, ref cases } => {
                let selector = self.slot(selector)?;
                let mut prepared = Vec::new();
                for case in cases {
                    let value = match case.value {
                        SwitchValue::I32(value) => Some(value as u32),
                        SwitchValue::U32(value) => Some(value),
                        SwitchValue::Default => None,
                    };
                    prepared.push(Case { value, body: self.block(&case.body)?, falls_through: case.fall_through });
                }
                steps.push(Step::Switch { selector, cases: prepared });
            }
            Statement::Loop { ref body, ref continuing, break_if } => {
                let body = self.block(body)?;
                let continuing = self.block(continuing)?;
                let break_if = break_if.map(|condition| self.slot(condition)).transpose()?;
                steps.push(Step::Loop { body, continuing, break_if });
            }
            Statement::Break => steps.push(Step::Break),
            Statement::Continue => steps.push(Step::Continue),
            Statement::Return { value } => {
                let value = match value {
                    Some(value) => Some((self.slot(value)?, self.words(value))),
                    None => None,
                };
                steps.push(Step::Return { value });
            }
            Statement::Kill => steps.push(Step::Kill),
            // All lanes run in step: a barrier of a subgroup alone is nothing.
            Statement::ControlBarrier(naga::Barrier::SUB_GROUP) => {}
            Statement::ControlBarrier(_) => steps.push(Step::Barrier),
            // Lanes run in lock-step: what one has written the others see.
            Statement::MemoryBarrier(_) => {}
            Statement::Store { pointer, value } => {
                let memory = self.memory(pointer);
                let words = self.words(value);
                steps.push(Step::Store { pointer: self.slot(pointer)?, memory, value: self.slot(value)?, words });
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                steps.push(Step::Barrier);
                let (memory, words) = (self.memory(pointer), self.words(result));
                let (pointer, to) = (self.slot(pointer)?, self.result_slot(result));
                steps.push(Step::Load { pointer, memory, to, words });
                steps.push(Step::Barrier);
            }
            Statement::Atomic { pointer, ref fun, value, result } => {
                let kind = self.scalar_kind(value);
                let kind = match *fun {
                    AtomicFunction::Add => AtomicKind::Apply(arithmetic::binary(BinaryOperator::Add, kind)),
                    AtomicFunction::Subtract => AtomicKind::Apply(arithmetic::binary(BinaryOperator::Subtract, kind)),
                    AtomicFunction::And => AtomicKind::Apply(arithmetic::binary(BinaryOperator::And, kind)),
                    AtomicFunction::ExclusiveOr => {
                        AtomicKind::Apply(arithmetic::binary(BinaryOperator::ExclusiveOr, kind))
                    }
                    AtomicFunction::InclusiveOr => {
                        AtomicKind::Apply(arithmetic::binary(BinaryOperator::InclusiveOr, kind))
                    }
                    AtomicFunction::Min => AtomicKind::Apply(minimum_or_maximum(MathFunction::Min, kind)),
                    AtomicFunction::Max => AtomicKind::Apply(minimum_or_maximum(MathFunction::Max, kind)),
                    AtomicFunction::Exchange { compare: None } => AtomicKind::Exchange,
                    AtomicFunction::Exchange { compare: Some(compare) } => {
                        AtomicKind::CompareExchange(self.slot(compare)?)
                    }
                };
                let memory = self.memory(pointer);
                let (pointer, value) = (self.slot(pointer)?, self.slot(value)?);
                let to = result.map(|result| self.result_slot(result));
                steps.push(Step::Atomic { pointer, memory, kind, value, to });
            }
            Statement::Call { function, ref arguments, result } => {
                let module = self.module;
                let number = self.preparer.function(module, function)?;
                let mut passed = Vec::new();
                for (index, &argument) in arguments.iter().enumerate() {
                    let (to, words) = self.preparer.program.functions[number].arguments[index];
                    passed.push((self.slot(argument)?, to, words));
                }
                let result = result.map(|result| self.result_slot(result));
                steps.push(Step::Call { function: number, arguments: passed, result });
            }
            Statement::SubgroupBallot { result, predicate } => {
                let predicate = predicate.map(|predicate| self.slot(predicate)).transpose()?;
                let to = self.result_slot(result);
                steps.push(Step::Ballot { predicate, to });
            }
            Statement::SubgroupCollectiveOperation { op, collective_op, argument, result } => {
                let (value, kind, words) = (self.slot(argument)?, self.scalar_kind(argument), self.words(argument));
                let to = self.result_slot(result);
                let operator = |op| arithmetic::binary(op, kind);
                let f = match op {
                    SubgroupOperation::All | SubgroupOperation::Any => {
                        let is_all = op == SubgroupOperation::All;
                        steps.push(Step::Vote { is_all, predicate: value, to });
                        return Ok(());
                    }
                    SubgroupOperation::Add => operator(BinaryOperator::Add),
                    SubgroupOperation::Mul => operator(BinaryOperator::Multiply),
                    SubgroupOperation::Min => minimum_or_maximum(MathFunction::Min, kind),
                    SubgroupOperation::Max => minimum_or_maximum(MathFunction::Max, kind),
                    SubgroupOperation::And => operator(BinaryOperator::And),
                    SubgroupOperation::Or => operator(BinaryOperator::InclusiveOr),
                    SubgroupOperation::Xor => operator(BinaryOperator::ExclusiveOr),
                };
                let neutral = match (op, kind) {
                    (SubgroupOperation::Mul, ScalarKind::Float) => 1.0f32.to_bits(),
                    (SubgroupOperation::Mul, _) => 1,
                    _ => 0,
                };
                let how = match collective_op {
                    CollectiveOperation::Reduce => Join::Reduce,
                    CollectiveOperation::InclusiveScan => Join::Inclusive,
                    CollectiveOperation::ExclusiveScan => Join::Exclusive(neutral),
                };
                steps.push(Step::Join { f, how, value, to, words });
            }
            Statement::SubgroupGather { mode, argument, result } => {
                let how = match mode {
                    GatherMode::BroadcastFirst => Gather::First,
                    GatherMode::Broadcast(lane) | GatherMode::Shuffle(lane) => Gather::Index(self.slot(lane)?),
                    GatherMode::ShuffleDown(distance) => Gather::Down(self.slot(distance)?),
                    GatherMode::ShuffleUp(distance) => Gather::Up(self.slot(distance)?),
                    GatherMode::ShuffleXor(mask) => Gather::Xor(self.slot(mask)?),
                    GatherMode::QuadBroadcast(lane) => Gather::QuadIndex(self.slot(lane)?),
                    GatherMode::QuadSwap(Direction::X) => Gather::QuadXor(1),
                    GatherMode::QuadSwap(Direction::Y) => Gather::QuadXor(2),
                    GatherMode::QuadSwap(Direction::Diagonal) => Gather::QuadXor(3),
                };
                let words = self.words(argument);
                let (value, to) = (self.slot(argument)?, self.result_slot(result));
                steps.push(Step::Gather { how, value, to, words });
            }
            Statement::ImageStore { .. } => self.texture_store(statement, span, steps)?,
            ref other => {
                return Err(CompileError::at(self.module, span, format!("the evaluator cannot run this: {other:?}")));
            }
        }
        Ok(())
    }

    /// The memory a pointer expression points into, for values of its pointee.
    pub(super) fn memory(&self, pointer: naga::Handle<Expression>) -> crate::evaluate::program::Memory {
        use crate::evaluate::program::Memory;
        let inner = self.type_of(pointer);
        match shape::pointer_space(inner).expect("the validator wants a pointer here") {
            naga::AddressSpace::WorkGroup => Memory::Workgroup,
            space if shape::is_buffer(space) => {
                Memory::Buffer(shape::byte_offsets(self.module, &shape::pointee(self.module, inner)))
            }
            _ => Memory::Private,
        }
    }
}

fn minimum_or_maximum(fun: MathFunction, kind: ScalarKind) -> arithmetic::Binary {
    arithmetic::single_binary(fun, kind).expect("min and max are single operations")
}
