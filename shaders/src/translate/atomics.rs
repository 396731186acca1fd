//! Atomic read-modify-write operations. Atomic loads and stores are plain ones: a word is never torn.

use naga::{AtomicFunction, Expression, Handle, ScalarKind, TypeInner};

use super::places::Place;
use super::{Frame, Result, Slot, Translator};
use crate::ir::{Atomic, Binary, Kind, Operation, Unary};

impl<'a> Translator<'a> {
    pub fn atomic(
        &mut self,
        frame: &mut Frame<'a>,
        pointer: Handle<Expression>,
        function: AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
    ) -> Result<()> {
        let module = self.modules[frame.module].module;
        let pointee = super::pointee(self.types(frame.module), frame.inner(module, pointer));
        let is_signed = matches!(pointee, Some(TypeInner::Atomic(naga::Scalar { kind: ScalarKind::Sint, .. })));
        let Place::Memory(memory) = self.place(frame, pointer)? else {
            unreachable!("atomics live in workgroup and storage memory only")
        };
        let (space, address, offset) = (memory.space, memory.address, memory.offset);
        let mut value = self.value(frame, value)?;
        let operation = match function {
            AtomicFunction::Add => Atomic::Add,
            AtomicFunction::Subtract => {
                value = self.build.unary(Unary::Negate, value);
                Atomic::Add
            }
            AtomicFunction::And => Atomic::And,
            AtomicFunction::ExclusiveOr => Atomic::Xor,
            AtomicFunction::InclusiveOr => Atomic::Or,
            AtomicFunction::Min if is_signed => Atomic::MinSigned,
            AtomicFunction::Min => Atomic::MinUnsigned,
            AtomicFunction::Max if is_signed => Atomic::MaxSigned,
            AtomicFunction::Max => Atomic::MaxUnsigned,
            AtomicFunction::Exchange { compare: None } => Atomic::Exchange,
            AtomicFunction::Exchange { compare: Some(compare) } => {
                let compare = self.value(frame, compare)?;
                let operation = Operation::CompareExchange { space, address, offset, compare, value };
                let old = self.build.emit(operation, Kind::Int);
                let exchanged = self.build.binary(Binary::Equal, old, compare);
                if let Some(result) = result {
                    self.remember(frame, result, Slot::Values([old, exchanged].into()));
                }
                return Ok(());
            }
        };
        let old = self.build.emit(Operation::Atomic { operation, space, address, offset, value }, Kind::Int);
        if let Some(result) = result {
            self.remember(frame, result, Slot::Values([old].into()));
        }
        Ok(())
    }
}
