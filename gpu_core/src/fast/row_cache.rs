//! Which rows the host's vector registers hold at a place of the code that `translate` writes.
//!
//! Before: `translate` asks for values. After: host registers that hold them, and the loads and stores that this takes.
//! A result goes to memory when its host register is needed for something else, or before code that looks at the rows:
//! within a stretch, values pass from instruction to instruction in registers, and what is overwritten is never stored.

use super::host_code::{HostCode, Place, Vector, Ymm, row_distance};

/// What a host register can hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Row `chunk` of a register.
    Row { register: u8, chunk: u8 },
    /// The same word in every lane.
    Constant(u32),
    /// All ones in the active lanes of a row.
    Mask(u8),
}

/// A host register and what it holds; several values if they are equal.
#[derive(Clone, Debug, Default)]
struct Slot {
    /// Each with whether its row in memory is out of date.
    values: Vec<(Value, bool)>,
    last_use: u32,
    /// All lanes are known to be equal.
    is_uniform: bool,
    /// An instruction being written needs it.
    is_pinned: bool,
}

/// The host's registers and what they hold.
#[derive(Clone, Debug)]
pub(super) struct RowCache {
    /// Rows of a register.
    pub chunks: u8,
    slots: [Slot; 16],
    uses: u32,
}

impl RowCache {
    /// Nothing is held.
    pub fn new(chunks: u8) -> Self {
        Self { chunks, slots: Default::default(), uses: 0 }
    }

    fn find(&self, value: Value) -> Option<Ymm> {
        let index = self.slots.iter().position(|slot| slot.values.iter().any(|(held, _)| *held == value));
        index.map(|index| Ymm(index as u8))
    }

    /// An instruction being written needs it.
    pub fn pin(&mut self, Ymm(index): Ymm) {
        self.uses += 1;
        let slot = &mut self.slots[usize::from(index)];
        (slot.last_use, slot.is_pinned) = (self.uses, true);
    }

    /// A host register that nothing holds, until `release` or `bind`.
    pub fn fresh(&mut self, code: &mut HostCode) -> Ymm {
        let free = (0..16).filter(|&index| !self.slots[index].is_pinned);
        let chosen = free.min_by_key(|&index| (!self.slots[index].values.is_empty(), self.slots[index].last_use));
        let register = Ymm(chosen.expect("no instruction needs all host registers at once") as u8);
        self.write_back_one(code, register);
        let slot = &mut self.slots[usize::from(register.0)];
        slot.values.clear();
        slot.is_uniform = false;
        self.pin(register);
        register
    }

    /// A host register that holds a value.
    pub fn get(&mut self, code: &mut HostCode, value: Value) -> Ymm {
        let value = if let Value::Row { register: 0, .. } = value { Value::Constant(0) } else { value };
        if let Some(register) = self.find(value) {
            self.pin(register);
            return register;
        }
        let register = self.fresh(code);
        let slot = &mut self.slots[usize::from(register.0)];
        slot.values.push((value, false));
        slot.is_uniform = matches!(value, Value::Constant(_));
        self.load(code, register, value);
        register
    }

    fn load(&self, code: &mut HostCode, to: Ymm, value: Value) {
        match value {
            Value::Row { register, chunk } => {
                code.memory(Vector::LOAD, to, Ymm(0), Place::Rows(row_distance(register, chunk, self.chunks)));
            }
            Value::Constant(0) => code.vector(Vector::XOR, to, to, to),
            Value::Constant(word) => code.memory(Vector::BROADCAST, to, Ymm(0), Place::Constant([word; 8])),
            Value::Mask(chunk) => code.memory(Vector::LOAD, to, Ymm(0), Place::Board(32 * u32::from(chunk))),
        }
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.slots.iter().all(|slot| slot.values.is_empty())
    }

    /// Whether all lanes of a register are known to be equal, one host register holding all its rows.
    pub fn is_uniform(&self, register: u8) -> bool {
        let row = |chunk| self.find(Value::Row { register, chunk });
        let is_equal = |Ymm(index): Ymm| self.slots[usize::from(index)].is_uniform;
        register == 0 || row(0).is_some_and(is_equal) && (1..self.chunks).all(|chunk| row(chunk) == row(0))
    }

    /// All lanes of this host register are equal.
    pub fn set_uniform(&mut self, Ymm(index): Ymm) {
        self.slots[usize::from(index)].is_uniform = true;
    }

    /// A row has been computed into this host register. It may hold other values besides, being equal to them.
    pub fn bind(&mut self, register: u8, chunk: u8, to: Ymm) {
        let value = Value::Row { register, chunk };
        for slot in &mut self.slots {
            slot.values.retain(|(held, _)| *held != value);
        }
        self.slots[usize::from(to.0)].values.push((value, true));
        self.pin(to);
    }

    /// The instruction has been written: its host registers may be used for others.
    pub fn release(&mut self) {
        for slot in &mut self.slots {
            slot.is_pinned = false;
        }
    }

    /// The same, but for these.
    pub fn release_all_but(&mut self, kept: &[Ymm]) {
        self.release();
        for register in kept {
            self.slots[usize::from(register.0)].is_pinned = true;
        }
    }

    fn write_back_one(&mut self, code: &mut HostCode, from: Ymm) {
        for (value, is_dirty) in &mut self.slots[usize::from(from.0)].values {
            if let Value::Row { register, chunk } = *value
                && std::mem::take(is_dirty)
            {
                let place = Place::Rows(row_distance(register, chunk, self.chunks));
                code.memory(Vector::STORE, from, Ymm(0), place);
            }
        }
    }

    /// Stores everything that memory lacks; it is still held.
    pub fn write_back(&mut self, code: &mut HostCode) {
        for index in 0..16 {
            self.write_back_one(code, Ymm(index));
        }
    }

    /// Stores what memory lacks of one register.
    pub fn write_back_register(&mut self, code: &mut HostCode, register: u8) {
        for index in 0..16 {
            let is_here =
                |(value, _): &(Value, bool)| matches!(value, Value::Row { register: held, .. } if *held == register);
            if self.slots[usize::from(index)].values.iter().any(is_here) {
                self.write_back_one(code, Ymm(index));
            }
        }
    }

    /// Nothing is held any more; what is not in memory is lost.
    pub fn forget(&mut self) {
        *self = Self::new(self.chunks);
    }

    /// Loads everything that is held anew: code was called that keeps no host register.
    pub fn reload(&self, code: &mut HostCode) {
        for (index, slot) in self.slots.iter().enumerate() {
            if let Some((value, _)) = slot.values.first() {
                self.load(code, Ymm(index as u8), *value);
            }
        }
    }
}
