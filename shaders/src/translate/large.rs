//! Values of many scalars: arrays that are passed on whole stay in memory, and copying one is a loop.
//!
//! Before: a load in `expressions`, a function's result in `calls`. After: stores, indices and calls, which take the memory for the
//! value. A load is a snapshot, so its value gets memory of its own, unless the very next statement stores or returns it and nothing
//! else reads it. So do a function's result, and a value of which a part is that large.

use std::rc::Rc;

use naga::{Expression, Handle, Span, TypeInner};

use super::calls::LARGEST_PRIVATE_BYTES;
use super::layout::Types;
use super::places::{Memory, Place};
use super::{Frame, ModuleIndex, Result, Slot, Translator};
use crate::ir::{Kind, Space, Value};

/// Scalars above which a loaded value stays in memory.
pub(super) const LARGEST_IN_REGISTERS: usize = 256;

/// Scalars up to which a copy is written out.
const LONGEST_UNROLLED: usize = 16;

/// What goes into a place.
pub(super) enum Stored {
    /// Zero of any size.
    Zero,
    /// What lies in memory, for a place in memory.
    Copy(Memory),
    Values(Rc<[Value]>),
}

/// Scalars up to which a value that is neither stored, indexed nor passed on becomes as many registers.
const LARGEST_TAKEN: usize = crate::accepted::MOST_LOADED_SCALARS as usize;

impl<'a> Translator<'a> {
    /// The value of a load from memory.
    pub fn load_large(
        &mut self,
        frame: &Frame<'a>,
        expression: Handle<Expression>,
        from: &Memory,
        inner: &TypeInner,
    ) -> Result<Slot> {
        let is_stored_next = frame.stored_next == Some(expression) && frame.info[expression].ref_count == 1;
        if is_stored_next { Ok(Slot::Large(from.clone())) } else { self.snapshot(frame, expression, from, inner) }
    }

    /// A copy in memory of its own, whose address is 0.
    fn snapshot(
        &mut self,
        frame: &Frame<'a>,
        expression: Handle<Expression>,
        from: &Memory,
        inner: &TypeInner,
    ) -> Result<Slot> {
        let own = self.memory_for(frame.module, frame.span(expression), inner)?;
        self.copy(self.types(frame.module), &Place::Memory(own.clone()), &Place::Memory(from.clone()), inner);
        Ok(Slot::Large(own))
    }

    /// Memory for a value.
    pub fn memory_for(&mut self, module: ModuleIndex, span: Span, inner: &TypeInner) -> Result<Memory> {
        let bytes = self.types(module).size(inner).0;
        if self.private_end + bytes > LARGEST_PRIVATE_BYTES {
            let message = format!(
                "this value takes {bytes} bytes of every invocation, which have {LARGEST_PRIVATE_BYTES} for variables and such values"
            );
            return self.refuse(module, span, message);
        }
        Ok(self.private_memory(bytes))
    }

    /// A value of these components, if one of them is in memory: it is in memory as well.
    pub fn composed_large(
        &mut self,
        frame: &mut Frame<'a>,
        expression: Handle<Expression>,
        components: &[Handle<Expression>],
    ) -> Result<Option<Slot>> {
        let types = self.types(frame.module);
        let module = self.modules[frame.module].module;
        let inner = frame.inner(module, expression).clone();
        if types.count(&inner) <= LARGEST_IN_REGISTERS {
            return Ok(None);
        }
        let mut slots = Vec::new();
        for component in components {
            slots.push(self.slot(frame, *component)?);
        }
        if !slots.iter().any(|slot| matches!(slot, Slot::Large(_))) {
            return Ok(None);
        }
        let own = self.memory_for(frame.module, frame.span(expression), &inner)?;
        for ((component, slot), index) in components.iter().zip(slots).zip(0..) {
            let part = self.member_place(types, &Place::Memory(own.clone()), &inner, index);
            let value = match slot {
                Slot::Large(memory) => Stored::Copy(memory),
                _ => Stored::Values(self.values(frame, *component)?),
            };
            self.put(types, &part, frame.inner(module, *component), &value);
        }
        Ok(Some(Slot::Large(own)))
    }

    /// What an expression puts into a place.
    pub fn stored(&mut self, frame: &mut Frame<'a>, place: &Place, value: Handle<Expression>) -> Result<Stored> {
        if let Expression::ZeroValue(_) = frame.function.expressions[value] {
            return Ok(Stored::Zero);
        }
        Ok(match (self.slot(frame, value)?, place) {
            (Slot::Large(from), Place::Memory(_)) => Stored::Copy(from),
            _ => Stored::Values(self.values(frame, value)?),
        })
    }

    /// Puts it there.
    pub fn put(&mut self, types: Types, place: &Place, inner: &TypeInner, value: &Stored) {
        match value {
            Stored::Zero => self.fill_with_zero(types, place, inner),
            Stored::Copy(from) => self.copy(types, place, &Place::Memory(from.clone()), inner),
            Stored::Values(values) => self.store(types, place, inner, values),
        }
    }

    /// An element or member of a value that is in memory.
    pub fn part_of_large(
        &mut self,
        frame: &Frame<'a>,
        expression: Handle<Expression>,
        place: &Place,
        inner: &TypeInner,
    ) -> Result<Slot> {
        let types = self.types(frame.module);
        match place {
            Place::Memory(memory) if types.count(inner) > LARGEST_IN_REGISTERS => {
                // A value never changes, so a part that lies at a fixed place in one needs no copy.
                let is_fixed = memory.space == Space::Private && self.build.known(memory.address) == Some(0);
                if is_fixed { Ok(Slot::Large(memory.clone())) } else { self.snapshot(frame, expression, memory, inner) }
            }
            place => Ok(Slot::Values(self.load(types, place, inner).into())),
        }
    }

    /// All scalars of one, where nothing else will do.
    pub fn taken_large(
        &mut self,
        frame: &Frame<'a>,
        expression: Handle<Expression>,
        memory: Memory,
    ) -> Result<Rc<[Value]>> {
        let types = self.types(frame.module);
        let inner = frame.inner(self.modules[frame.module].module, expression);
        let count = types.count(inner);
        if count > LARGEST_TAKEN {
            let message = format!(
                "a value of {count} scalars is neither stored, indexed, passed to a function nor returned, the limit is \
                 {LARGEST_TAKEN}; store it, or go through a pointer"
            );
            return self.refuse(frame.module, frame.span(expression), message);
        }
        Ok(self.load(types, &Place::Memory(memory), inner).into())
    }

    /// Copies what is in one place into another: element by element, so that padding stays as it is.
    pub fn copy(&mut self, types: Types, to: &Place, from: &Place, inner: &TypeInner) {
        let is_short = types.count(inner) <= LONGEST_UNROLLED;
        match (inner, types.elements(inner).and_then(|elements| Some((elements.count?, elements.inner)))) {
            (_, Some((count, element))) if !is_short => {
                let counter = self.build.variable(Kind::Int, "copied".into());
                let start = self.build.int(0);
                self.build.set(counter, start);
                self.count_to(counter, count, 1, |this, index| {
                    let to = this.element_place(types, to, inner, index, false);
                    let from = this.element_place(types, from, inner, index, false);
                    this.copy(types, &to, &from, &element);
                });
            }
            (TypeInner::Struct { members, .. }, _) if !is_short => {
                for (member, index) in members.iter().zip(0..) {
                    let to = self.member_place(types, to, inner, index);
                    let from = self.member_place(types, from, inner, index);
                    self.copy(types, &to, &from, types.inner(member.ty));
                }
            }
            _ => {
                let values = self.load(types, from, inner);
                self.store(types, to, inner, &values);
            }
        }
    }
}
