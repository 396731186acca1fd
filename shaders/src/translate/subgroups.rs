//! Exchange between the lanes of a warp: votes, ballots, shuffles, quads.

use naga::{CollectiveOperation, Direction, Expression, GatherMode, Handle, Span, Statement, SubgroupOperation};

use super::{Frame, Result, Slot, Translator};
use crate::ir::{Kind, Operation, Shuffle};

/// The lane or distance a gather reads from.
pub(super) fn gather_operand(mode: &GatherMode) -> Option<Handle<Expression>> {
    match *mode {
        GatherMode::Broadcast(operand)
        | GatherMode::Shuffle(operand)
        | GatherMode::ShuffleDown(operand)
        | GatherMode::ShuffleUp(operand)
        | GatherMode::ShuffleXor(operand)
        | GatherMode::QuadBroadcast(operand) => Some(operand),
        GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => None,
    }
}

impl<'a> Translator<'a> {
    pub fn subgroup(&mut self, frame: &mut Frame<'a>, statement: &Statement, span: Span) -> Result<()> {
        let (result, values) = match statement {
            Statement::SubgroupBallot { result, predicate } => {
                let predicate = match predicate {
                    Some(predicate) => self.value(frame, *predicate)?,
                    None => self.build.int(1),
                };
                let ballot = self.build.emit(Operation::Ballot(predicate), Kind::Int);
                let zero = self.build.int(0);
                (*result, vec![ballot, zero, zero, zero])
            }
            Statement::SubgroupGather { mode, argument, result } => {
                let arguments = self.values(frame, *argument)?;
                let operand = match gather_operand(mode) {
                    Some(operand) => Some(self.value(frame, operand)?),
                    None => None,
                };
                let (shuffle, operand) = match (mode, operand) {
                    (GatherMode::BroadcastFirst, _) | (_, None) if !matches!(mode, GatherMode::QuadSwap(_)) => {
                        (None, None)
                    }
                    (GatherMode::QuadSwap(direction), _) => {
                        let distance = match direction {
                            Direction::X => 1,
                            Direction::Y => 2,
                            Direction::Diagonal => 3,
                        };
                        (Some(Shuffle::Xor), Some(self.build.int(distance)))
                    }
                    (GatherMode::ShuffleDown(_), operand) => (Some(Shuffle::Down), operand),
                    (GatherMode::ShuffleUp(_), operand) => (Some(Shuffle::Up), operand),
                    (GatherMode::ShuffleXor(_), operand) => (Some(Shuffle::Xor), operand),
                    (GatherMode::QuadBroadcast(_), operand) => (Some(Shuffle::Quad), operand),
                    (_, operand) => (Some(Shuffle::Index), operand),
                };
                let exchange = |value: &crate::ir::Value| {
                    let kind = self.build.kind(*value);
                    let operation = match (shuffle, operand) {
                        (Some(shuffle), Some(operand)) => Operation::Shuffle(shuffle, *value, operand),
                        _ => Operation::BroadcastFirst(*value),
                    };
                    self.build.emit(operation, kind)
                };
                (*result, arguments.iter().map(exchange).collect())
            }
            Statement::SubgroupCollectiveOperation { op, collective_op, argument, result } => {
                let argument = self.value(frame, *argument)?;
                let operation = match (op, collective_op) {
                    (SubgroupOperation::All, CollectiveOperation::Reduce) => Operation::All(argument),
                    (SubgroupOperation::Any, CollectiveOperation::Reduce) => Operation::Any(argument),
                    _ => {
                        let message = "subgroup arithmetic is not supported; use shuffles";
                        return self.refuse(frame.module, span, message);
                    }
                };
                (*result, vec![self.build.emit(operation, Kind::Int)])
            }
            _ => unreachable!("the caller sends subgroup statements only"),
        };
        self.remember(frame, result, Slot::Values(values.into()));
        Ok(())
    }
}
