//! Where a pointer points: scalars in variables, or bytes in memory.
//!
//! A local or private variable lives in one IR variable per scalar. An index the compiler does not know selects among
//! them (a *choice*) for vectors, matrices and arrays of at most [`LARGEST_CHOICE`] elements; a larger array that is
//! indexed dynamically anywhere puts its whole variable into private memory (`indexing`). A select costs two
//! instructions an element and keeps registers, an access to private memory costs about four and a trip to the cache.

use std::collections::BTreeMap;
use std::rc::Rc;

use naga::TypeInner;

use super::Translator;
use super::layout::Types;
use crate::ir::{Binary, Block, Kind, Location, Operation, Space, Statement, Value, Variable};

/// Elements up to which a dynamic index into variables becomes selects.
pub(super) const LARGEST_CHOICE: u32 = 4;

/// What a pointer expression stands for.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Variables(Variables),
    Memory(Memory),
}

/// Scalars of one WGSL variable.
#[derive(Clone, Debug)]
pub(super) struct Variables {
    all: Rc<[Variable]>,
    /// (condition, first scalar). One without a condition, or several of which exactly one holds in each lane.
    choices: Vec<(Option<Value>, usize)>,
}

impl Variables {
    pub fn new(all: Rc<[Variable]>) -> Self {
        Self { all, choices: vec![(None, 0)] }
    }
}

/// Bytes at `address + offset`.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub space: Space,
    pub address: Value,
    pub offset: i32,
    /// Byte length of the buffer, where `address` is its first byte.
    pub length: Option<Length>,
}

/// Where a buffer's byte length comes from.
#[derive(Copy, Clone, Debug)]
pub(super) enum Length {
    Binding(u32),
    Value(Value),
}

/// Offsets from here on are in the tables, until `place_tables` knows where those begin. Variables stay far below.
const TABLES: u32 = 1 << 28;

fn move_tables(block: &mut Block, start: u32) {
    for statement in block {
        match statement {
            Statement::Let { operation: Operation::Load { space: Space::Private, offset, .. }, .. }
                if *offset >= TABLES as i32 =>
            {
                *offset = *offset - TABLES as i32 + start as i32;
            }
            Statement::If { accept, reject, .. } => {
                move_tables(accept, start);
                move_tables(reject, start);
            }
            Statement::Scope { body, .. } | Statement::Loop { body, .. } => move_tables(body, start),
            _ => {}
        }
    }
}

impl Translator<'_> {
    /// The place of a member, or of an element by a known index.
    pub fn member_place(&mut self, types: Types, place: &Place, inner: &TypeInner, index: u32) -> Place {
        let member = types.member(inner, index);
        match place {
            Place::Variables(variables) => {
                let choices = variables.choices.iter().map(|(c, first)| (*c, first + member.first)).collect();
                Place::Variables(Variables { all: variables.all.clone(), choices })
            }
            Place::Memory(memory) => {
                Place::Memory(Memory { offset: memory.offset.wrapping_add(member.offset as i32), ..memory.clone() })
            }
        }
    }

    /// The place of the element of `inner` by a computed index, kept inside where `is_clamped`.
    pub fn element_place(
        &mut self,
        types: Types,
        place: &Place,
        inner: &TypeInner,
        index: Value,
        is_clamped: bool,
    ) -> Place {
        let elements = types.elements(inner).expect("the validator lets only these be indexed");
        if let (Some(known), Some(count)) = (self.build.known(index), elements.count) {
            return self.member_place(types, place, inner, known.min(count - 1));
        }
        match place {
            Place::Variables(variables) => {
                let count = elements.count.expect("a variable has a known size");
                let mut choices = Vec::new();
                for (outer, first) in &variables.choices {
                    for element in 0..count {
                        let here = self.is_element(index, element, count);
                        let condition = match outer {
                            Some(outer) => self.build.binary(Binary::And, *outer, here),
                            None => here,
                        };
                        choices.push((Some(condition), first + element as usize * elements.scalars));
                    }
                }
                Place::Variables(Variables { all: variables.all.clone(), choices })
            }
            Place::Memory(memory) => {
                let index = if is_clamped { self.clamp_index(memory, &elements, index) } else { index };
                if let Some(known) = self.build.known(index) {
                    let offset = memory.offset.wrapping_add(known.wrapping_mul(elements.stride) as i32);
                    return Place::Memory(Memory { offset, length: None, ..memory.clone() });
                }
                let (variable, constant) = self.build.split_offset(index);
                let stride = self.build.int(elements.stride);
                let bytes = self.build.binary(Binary::Multiply, variable, stride);
                let offset = memory.offset.wrapping_add(constant.wrapping_mul(elements.stride) as i32);
                let address = self.build.binary(Binary::Add, memory.address, bytes);
                Place::Memory(Memory { space: memory.space, address, offset, length: None })
            }
        }
    }

    /// Whether a dynamic index means this element; what is too large means the last.
    fn is_element(&mut self, index: Value, element: u32, count: u32) -> Value {
        let element_value = self.build.int(element);
        if element + 1 < count {
            self.build.binary(Binary::Equal, index, element_value)
        } else {
            self.build.binary(Binary::LessEqualUnsigned, element_value, index)
        }
    }

    fn clamp_index(&mut self, memory: &Memory, elements: &super::layout::Elements, index: Value) -> Value {
        let last = match elements.count {
            Some(count) if self.build.most(index) < count => return index,
            Some(count) => self.build.int(count - 1),
            None => {
                let count = self.array_length(memory, elements.stride);
                let minus_one = self.build.int(u32::MAX);
                self.build.binary(Binary::Add, count, minus_one)
            }
        };
        self.build.binary(Binary::MinUnsigned, index, last)
    }

    /// Elements of the runtime array at this place.
    pub fn array_length(&mut self, memory: &Memory, stride: u32) -> Value {
        let bytes = match memory.length.expect("a runtime array ends a buffer") {
            Length::Value(value) => value,
            Length::Binding(index) => self.build.pure(Operation::BindingLength(index), Kind::Int),
        };
        let before = self.build.int((memory.offset as u32).wrapping_neg());
        let bytes = self.build.binary(Binary::Add, bytes, before);
        let stride = self.build.int(stride);
        self.build.binary(Binary::DivideUnsigned, bytes, stride)
    }

    /// Reads every scalar of a place.
    pub fn load(&mut self, types: Types, place: &Place, inner: &TypeInner) -> Vec<Value> {
        match place {
            Place::Variables(variables) => (0..types.count(inner))
                .map(|scalar| {
                    let [others @ .., (_, last)] = &variables.choices[..] else { unreachable!("never empty") };
                    let mut result = self.build.get(variables.all[last + scalar]);
                    for (condition, first) in others.iter().rev() {
                        let other = self.build.get(variables.all[first + scalar]);
                        let condition = condition.expect("several choices have conditions");
                        result = self.build.select(condition, other, result);
                    }
                    result
                })
                .collect(),
            Place::Memory(memory) => types
                .leaves(inner)
                .iter()
                .map(|leaf| {
                    let offset = memory.offset.wrapping_add(leaf.offset as i32);
                    self.build.load(memory.space, memory.address, offset, leaf.kind)
                })
                .collect(),
        }
    }

    /// Writes every scalar of a place.
    pub fn store(&mut self, types: Types, place: &Place, inner: &TypeInner, values: &[Value]) {
        match place {
            Place::Variables(variables) => {
                for (condition, first) in &variables.choices {
                    for (scalar, value) in values.iter().enumerate() {
                        let variable = variables.all[first + scalar];
                        let value = match condition {
                            Some(condition) => {
                                let old = self.build.get(variable);
                                self.build.select(*condition, *value, old)
                            }
                            None => *value,
                        };
                        self.build.set(variable, value);
                    }
                }
            }
            Place::Memory(memory) => {
                for (leaf, value) in types.leaves(inner).iter().zip(values) {
                    let offset = memory.offset.wrapping_add(leaf.offset as i32);
                    self.build.store(memory.space, memory.address, offset, *value);
                }
            }
        }
    }

    /// The element of a composite value by a computed index; what is too large means the last.
    pub fn element_of_value(&mut self, types: Types, values: &[Value], inner: &TypeInner, index: Value) -> Vec<Value> {
        let elements = types.elements(inner).expect("the validator lets only these be indexed");
        let count = elements.count.expect("a value has a known size");
        let element = |n: u32| &values[n as usize * elements.scalars..][..elements.scalars];
        if let Some(known) = self.build.known(index) {
            return element(known.min(count - 1)).to_vec();
        }
        if count > 2 * LARGEST_CHOICE {
            let place = match self.constant_table(types, values, inner) {
                Some(memory) => Place::Memory(memory),
                None => {
                    let place = Place::Memory(self.private_memory(types.size(inner).0));
                    self.store(types, &place, inner, values);
                    place
                }
            };
            let place = self.element_place(types, &place, inner, index, true);
            return self.load(types, &place, &elements.inner);
        }
        let mut result = element(count - 1).to_vec();
        for n in (0..count - 1).rev() {
            let here = self.is_element(index, n, count);
            for (result, candidate) in result.iter_mut().zip(element(n)) {
                *result = self.build.select(here, *candidate, *result);
            }
        }
        result
    }

    /// Private memory that holds a value of constants from the kernel's start on; `None` if it is not all constants.
    ///
    /// WGSL's `const` arrays are values: without this, indexing one in a loop would write all of it in every round.
    fn constant_table(&mut self, types: Types, values: &[Value], inner: &TypeInner) -> Option<Memory> {
        let bits: Option<Vec<u32>> = values.iter().map(|value| self.build.known(*value)).collect();
        let leaves = types.leaves(inner);
        let words: Vec<(u32, u32)> = leaves.iter().zip(bits?).map(|(leaf, bits)| (leaf.offset, bits)).collect();
        let offset = match self.tables.iter().find(|(_, known)| *known == words) {
            Some((offset, _)) => *offset,
            None => {
                let offset = TABLES + self.table_bytes;
                self.table_bytes += super::layout::round_up(types.size(inner).0, 4);
                self.tables.push((offset, words));
                offset
            }
        };
        let address = self.build.int(0);
        Some(Memory { space: Space::Private, address, offset: offset as i32, length: None })
    }

    /// Puts the tables behind all other private memory and fills them at the start of `body`.
    pub fn place_tables(&mut self, body: &mut Block) {
        let start = self.private_bytes;
        self.private_bytes += self.table_bytes;
        move_tables(body, start);
        let mut filling = Block::new();
        let at = Location::default();
        let mut define = |build: &mut super::builder::Builder, bits: u32| {
            let value = build.number(Operation::Constant(bits), Kind::Int);
            filling.push(Statement::Let { value, operation: Operation::Constant(bits), at });
            value
        };
        let mut stores = Block::new();
        let mut made = BTreeMap::new();
        for (offset, words) in std::mem::take(&mut self.tables) {
            for (within, bits) in words {
                let address = *made.entry(0).or_insert_with(|| define(&mut self.build, 0));
                let value = *made.entry(bits).or_insert_with(|| define(&mut self.build, bits));
                let offset = (offset - TABLES + start + within) as i32;
                stores.push(Statement::Store { space: Space::Private, address, offset, value, at });
            }
        }
        filling.extend(stores);
        filling.append(body);
        *body = filling;
    }

    /// Fresh private memory for the rest of the function being inlined.
    pub fn private_memory(&mut self, bytes: u32) -> Memory {
        let offset = self.private_end;
        self.private_end += super::layout::round_up(bytes, 4);
        self.private_bytes = self.private_bytes.max(self.private_end);
        let address = self.build.int(0);
        Memory { space: Space::Private, address, offset: offset as i32, length: None }
    }
}
