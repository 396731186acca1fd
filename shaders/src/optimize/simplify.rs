//! One walk over the statements that knows what every variable holds and what has been computed already.
//!
//! What is known holds in the block where it was learnt and in the blocks inside it. Where ways meet, a variable holds
//! what it held on all of them; a loop forgets the variables that its body sets.

use std::collections::HashMap;

use crate::ir::{Block, Kernel, Kind, Label, Location, Operation, Space, Statement, Value, ValueInfo, Variable};
use crate::options::Mutation;

use super::bytes::Definitions;
use super::operands::{is_timeless, map_operands};
use super::rules::{Simplified, opposite, possible_bits};

/// Simplifies a kernel.
pub fn run(kernel: &mut Kernel, mutation: Option<Mutation>) {
    let is_bool = super::bools::variables(kernel);
    let body = std::mem::take(&mut kernel.body);
    let count = kernel.values.len();
    let variables = kernel.variables.len();
    let mut simplify = Simplify {
        values: &mut kernel.values,
        replacements: vec![None; count],
        operations: vec![None; count],
        possible: vec![u32::MAX; count],
        is_visible: vec![false; count],
        known: HashMap::new(),
        scopes: Vec::new(),
        is_bool,
        held: Some(vec![None; variables]),
        leaves: Vec::new(),
        epochs: [0; 3],
        mask_epoch: 0,
        mutation,
        out: Block::new(),
    };
    kernel.body = simplify.block(body, None);
}

/// What each variable holds, where it is known; `None` where control never comes.
type Held = Option<Vec<Option<Value>>>;

/// Something computed: the operation, its kind, and how often what it depends on besides its operands has changed.
type Key = (Operation, Kind, u32);

/// What a block added, to be taken back at its end.
#[derive(Default)]
struct Open {
    /// Known operations, and what was known before.
    keys: Vec<(Key, Option<Value>)>,
    values: Vec<Value>,
    /// Conditions that stand for a constant, and what they stood for before.
    facts: Vec<(Value, Option<Value>)>,
}

/// The walk.
pub struct Simplify<'a> {
    values: &'a mut Vec<ValueInfo>,
    /// What became of each value of the old statements.
    replacements: Vec<Option<Value>>,
    operations: Vec<Option<Operation>>,
    possible: Vec<u32>,
    is_visible: Vec<bool>,
    known: HashMap<Key, Value>,
    /// What each open block added.
    scopes: Vec<Open>,
    /// Variables that hold only 0 and 1.
    is_bool: Vec<bool>,
    held: Held,
    leaves: Vec<(Label, Held)>,
    /// Writes to global, workgroup and private memory so far.
    epochs: [u32; 3],
    /// Changes of the active lanes so far, at most: what lanes learn of each other holds between two of them.
    mask_epoch: u32,
    pub mutation: Option<Mutation>,
    out: Block,
}

impl Definitions for Simplify<'_> {
    fn operation(&self, value: Value) -> Option<Operation> {
        self.operations[value.0 as usize]
    }

    fn constant(&self, value: Value) -> Option<u32> {
        match self.operations[value.0 as usize] {
            Some(Operation::Constant(bits)) => Some(bits),
            _ => None,
        }
    }

    fn possible(&self, value: Value) -> u32 {
        self.possible[value.0 as usize]
    }
}

impl Simplify<'_> {
    /// Whether a value is in the integer file.
    pub fn is_int(&self, value: Value) -> bool {
        self.values[value.0 as usize].kind == Kind::Int
    }

    fn resolve(&self, value: Value) -> Value {
        let value = self.replacements[value.0 as usize].unwrap_or(value);
        // A condition stands for a constant inside its branches.
        self.replacements[value.0 as usize].unwrap_or(value)
    }

    /// A block, with what it adds ending at its end; a condition may be known in it.
    fn block(&mut self, block: Block, fact: Option<(Value, u32, Location)>) -> Block {
        if block.is_empty() {
            return block;
        }
        let outer = std::mem::take(&mut self.out);
        self.scopes.push(Open::default());
        self.mask_epoch += 1;
        if let Some((condition, bits, at)) = fact {
            self.learn(condition, bits, at);
        }
        self.statements(block);
        let open = self.scopes.pop().expect("it was pushed");
        self.mask_epoch += 1;
        for (key, before) in open.keys.into_iter().rev() {
            match before {
                Some(value) => self.known.insert(key, value),
                None => self.known.remove(&key),
            };
        }
        let facts = if self.mutation == Some(Mutation::KeepFacts) { Vec::new() } else { open.facts };
        for (condition, before) in facts.into_iter().rev() {
            self.replacements[condition.0 as usize] = before;
        }
        for value in open.values {
            self.is_visible[value.0 as usize] = false;
        }
        std::mem::replace(&mut self.out, outer)
    }

    /// Notes, for the rest of the block, what a condition is, and its opposite with it.
    fn learn(&mut self, condition: Value, bits: u32, at: Location) {
        if self.possible[condition.0 as usize] > 1 {
            return;
        }
        let constant = self.make_constant(bits, at);
        let before = self.replacements[condition.0 as usize].replace(constant);
        self.scopes.last_mut().expect("a block is open").facts.push((condition, before));
        if let Some(Operation::Binary(comparison, a, b)) = self.operation(condition)
            && let Some((opposite, a, b)) = opposite(comparison, a, b)
        {
            let constant = self.make_constant(1 - bits, at);
            self.know((Operation::Binary(opposite, a, b), Kind::Int, 0), constant);
        }
    }

    fn know(&mut self, key: Key, value: Value) {
        let before = self.known.insert(key, value);
        self.scopes.last_mut().expect("a block is open").keys.push((key, before));
    }

    /// Statements of the block that is open; whether control reaches their end.
    fn statements(&mut self, block: Block) -> bool {
        block.into_iter().all(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: Statement) -> bool {
        match statement {
            Statement::Let { value, mut operation, at } => {
                map_operands(&mut operation, |operand| self.resolve(operand));
                let kind = self.values[value.0 as usize].kind;
                let result = self.compute(operation, kind, at, Some(value));
                self.replacements[value.0 as usize] = (result != value).then_some(result);
            }
            Statement::Set { variable, value, at } => {
                let value = self.resolve(value);
                if let Some(held) = &mut self.held {
                    let slot = &mut held[variable.0 as usize];
                    if *slot == Some(value) {
                        return true;
                    }
                    *slot = Some(value);
                }
                self.out.push(Statement::Set { variable, value, at });
            }
            Statement::Store { space, address, offset, value, at } => {
                let mut address = self.resolve(address);
                let mut value = self.resolve(value);
                let mut offset = offset;
                if let Some((base, more)) = self.offset_of(address) {
                    (address, offset) = (base, offset.wrapping_add(more));
                }
                // A word is a word, whichever file it is stored from.
                if let Some(Operation::Unary(crate::ir::Unary::BitsToFloat, bits)) = self.operation(value) {
                    value = bits;
                }
                self.written(space);
                self.out.push(Statement::Store { space, address, offset, value, at });
            }
            Statement::WriteControl { register, value, at } => {
                let value = self.resolve(value);
                self.out.push(Statement::WriteControl { register, value, at });
            }
            Statement::Barrier { barrier, at } => {
                self.epochs.iter_mut().for_each(|epoch| *epoch += 1);
                self.out.push(Statement::Barrier { barrier, at });
            }
            Statement::If { condition, accept, reject, at } => return self.branch(condition, accept, reject, at),
            Statement::Scope { label, body } => {
                self.leaves.push((label, None));
                let body = self.block(body, None);
                let (_, left) = self.leaves.pop().expect("it was pushed");
                let held = self.held.take();
                self.held = self.meet(held, left);
                self.out.push(Statement::Scope { label, body });
                return self.held.is_some();
            }
            Statement::Loop { body, at } => {
                self.forget(&body);
                let body = self.block(body, None);
                // Everything after it comes by leaves.
                self.held = None;
                self.out.push(Statement::Loop { body, at });
                return false;
            }
            Statement::Leave { label, at } => {
                let held = self.held.take();
                let place = self.leaves.iter().rposition(|(other, _)| *other == label);
                let place = place.expect("a leave lies inside its scope");
                let before = self.leaves[place].1.take();
                self.leaves[place].1 = self.meet(held, before);
                self.out.push(Statement::Leave { label, at });
                return false;
            }
        }
        true
    }

    fn branch(&mut self, condition: Value, accept: Block, reject: Block, at: Location) -> bool {
        let mut condition = self.resolve(condition);
        let (mut accept, mut reject) = (accept, reject);
        while let Some(Operation::Unary(crate::ir::Unary::LogicalNot, inner)) = self.operation(condition) {
            condition = inner;
            std::mem::swap(&mut accept, &mut reject);
        }
        if let Some(bits) = self.constant(condition) {
            return self.statements(if bits != 0 { accept } else { reject });
        }
        let before = self.held.clone();
        let accept = self.block(accept, Some((condition, 1, at)));
        let accepted = std::mem::replace(&mut self.held, before);
        let reject = self.block(reject, Some((condition, 0, at)));
        let rejected = self.held.take();
        let falls = [accepted.is_some(), rejected.is_some()];
        self.held = self.meet(accepted, rejected);
        self.out.push(Statement::If { condition, accept, reject, at });
        // Who goes on came by the other side.
        match falls {
            [false, true] => self.learn(condition, 0, at),
            [true, false] => self.learn(condition, 1, at),
            _ => {}
        }
        self.held.is_some()
    }

    /// What two ways agree on, as far as its values can still be seen.
    fn meet(&self, a: Held, b: Held) -> Held {
        let mut met = match (a, b) {
            (Some(mut a), Some(b)) => {
                for (a, b) in a.iter_mut().zip(b) {
                    if *a != b && self.mutation != Some(Mutation::MeetFirst) {
                        *a = None;
                    }
                }
                a
            }
            (a, b) => a.or(b)?,
        };
        for slot in &mut met {
            *slot = slot.filter(|value| self.is_visible[value.0 as usize]);
        }
        Some(met)
    }

    /// Before a loop: what its body changes is not known at its top.
    fn forget(&mut self, block: &Block) {
        if self.mutation == Some(Mutation::HoldIntoLoops) {
            return;
        }
        for statement in block {
            match statement {
                Statement::Set { variable: Variable(index), .. } => {
                    if let Some(held) = &mut self.held {
                        held[*index as usize] = None;
                    }
                }
                Statement::Store { space, .. } => self.written(*space),
                Statement::Let { operation: Operation::Atomic { space, .. }, .. }
                | Statement::Let { operation: Operation::CompareExchange { space, .. }, .. } => self.written(*space),
                Statement::Barrier { .. } => self.epochs.iter_mut().for_each(|epoch| *epoch += 1),
                Statement::If { accept, reject, .. } => {
                    self.forget(accept);
                    self.forget(reject);
                }
                Statement::Scope { body, .. } | Statement::Loop { body, .. } => self.forget(body),
                _ => {}
            }
        }
    }

    fn written(&mut self, space: Space) {
        match space {
            _ if self.mutation == Some(Mutation::LoadBeforeStore) => {}
            Space::Global => self.epochs[0] += 1,
            Space::GlobalReadOnly => {}
            Space::Workgroup => self.epochs[1] += 1,
            Space::Private => self.epochs[2] += 1,
        }
    }

    fn grow(&mut self, kind: Kind) {
        self.values.push(ValueInfo { kind });
        self.replacements.push(None);
        self.operations.push(None);
        self.possible.push(u32::MAX);
        self.is_visible.push(false);
    }

    /// A constant integer.
    pub fn make_constant(&mut self, bits: u32, at: Location) -> Value {
        self.make(Operation::Constant(bits), Kind::Int, at)
    }

    /// A new value for an operation that a rule came upon.
    pub fn make(&mut self, operation: Operation, kind: Kind, at: Location) -> Value {
        self.compute(operation, kind, at, None)
    }

    /// The value of an operation: one there is, or a new one, called `name` if it has a name already.
    fn compute(&mut self, mut operation: Operation, kind: Kind, at: Location, name: Option<Value>) -> Value {
        // Rules only make things simpler; the limit is for the day when two of them disagree.
        for _ in 0..64 {
            match self.rule(operation, at) {
                Some(Simplified::Value(value)) => return value,
                Some(Simplified::Operation(simpler)) => operation = simpler,
                None => break,
            }
        }
        if let Operation::Binary(binary, a, b) = &mut operation
            && binary.is_commutative()
            && self.operations[b.0 as usize].is_none_or(|b| !matches!(b, Operation::Constant(_)))
            && a > b
        {
            std::mem::swap(a, b);
        }
        if let Operation::Get(variable) = operation
            && let Some(held) = &self.held
            && let Some(value) = held[variable.0 as usize]
        {
            return value;
        }
        let epoch = match operation {
            Operation::Load { space, .. } => match space {
                Space::Global => Some(self.epochs[0]),
                Space::GlobalReadOnly => Some(0),
                Space::Workgroup => Some(self.epochs[1]),
                Space::Private => Some(self.epochs[2]),
            },
            Operation::Shuffle(..) | Operation::BroadcastFirst(_) => Some(self.mask_epoch),
            Operation::Ballot(_) | Operation::Any(_) | Operation::All(_) => Some(self.mask_epoch),
            _ => is_timeless(&operation).then_some(0),
        };
        let key = epoch.map(|epoch| (operation, kind, epoch));
        if let Some(key) = key
            && let Some(&value) = self.known.get(&key)
        {
            return value;
        }
        let value = name.unwrap_or_else(|| {
            self.grow(kind);
            Value(self.values.len() as u32 - 1)
        });
        match operation {
            Operation::Atomic { space, .. } | Operation::CompareExchange { space, .. } => self.written(space),
            Operation::Get(variable) => {
                if let Some(held) = &mut self.held {
                    held[variable.0 as usize] = Some(value);
                }
            }
            _ => {}
        }
        self.operations[value.0 as usize] = Some(operation);
        self.possible[value.0 as usize] = match operation {
            Operation::Get(variable) if self.is_bool[variable.0 as usize] => 1,
            _ if kind == Kind::Int => possible_bits(&operation, self),
            _ => u32::MAX,
        };
        self.is_visible[value.0 as usize] = true;
        self.scopes.last_mut().expect("a block is open").values.push(value);
        if let Some(key) = key {
            self.know(key, value);
        }
        self.out.push(Statement::Let { value, operation, at });
        value
    }
}
