//! Atomic read-modify-write operations. Atomic loads and stores are plain ones: a word is never torn.

use naga::{AtomicFunction, Expression, Handle, ScalarKind, TypeInner};

use super::places::{Memory, Place};
use super::{Frame, Result, Slot, Translator};
use crate::ir::{Atomic, Binary, Kind, Operation, Unary, Value};

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
        let value = self.value(frame, value)?;
        let compare = match function {
            AtomicFunction::Exchange { compare: Some(compare) } => Some(self.value(frame, compare)?),
            _ => None,
        };
        let place = Place::Memory(memory.clone());
        let mut guarded = None;
        if self.is_store_of_fragment(&place) {
            // A lane whose stores do not count reads zero.
            let zero = self.build.int(0);
            let old = self.build.variable(Kind::Int, "atomic".into());
            self.build.set(old, zero);
            guarded = Some(old);
        }
        let mut given = None;
        self.store_of_fragment(&place, |this| {
            let old = this.atomic_of(&memory, function, is_signed, value, compare);
            match guarded {
                Some(variable) => this.build.set(variable, old),
                None => given = Some(old),
            }
            Ok(())
        })?;
        let Some(result) = result else { return Ok(()) };
        let old = match (guarded, given) {
            (Some(variable), _) => self.build.get(variable),
            (None, given) => given.expect("an atomic that is not guarded gives its value"),
        };
        let values = match compare {
            Some(compare) => {
                let mut exchanged = self.build.binary(Binary::Equal, old, compare);
                if guarded.is_some() {
                    let counts = self.fragment_counts();
                    exchanged = self.build.binary(Binary::And, exchanged, counts);
                }
                vec![old, exchanged]
            }
            None => vec![old],
        };
        self.remember(frame, result, Slot::Values(values.into()));
        Ok(())
    }

    /// The old value.
    fn atomic_of(
        &mut self,
        memory: &Memory,
        function: AtomicFunction,
        is_signed: bool,
        mut value: Value,
        compare: Option<Value>,
    ) -> Value {
        let (space, address, offset) = (memory.space, memory.address, memory.offset);
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
            AtomicFunction::Exchange { .. } => Atomic::Exchange,
        };
        let operation = match compare {
            Some(compare) => Operation::CompareExchange { space, address, offset, compare, value },
            None => Operation::Atomic { operation, space, address, offset, value },
        };
        self.build.emit(operation, Kind::Int)
    }
}
