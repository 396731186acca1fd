//! Decides where each value lives before any code is written.
//!
//! Before: `divergence`. After: the rest of `lower`.
//!
//! * A *constant* has no place of its own: it is an immediate, or one register for all its uses.
//! * A value with one use may be *folded* into it: a comparison into a branch, a shift into an addition.
//! * A `Get` shares the variable's register when nothing sets the variable while the value is in use (invariant I4:
//!   otherwise it takes a copy).
//! * A value that is put into a variable is computed in the variable's register, when nothing looks at the variable
//!   in between and no lane can leave in between.
//!
//! Statements are numbered in walking order. A use inside a loop that the value was made outside of lasts to the loop's
//! end.

use gpu_core::isa::Extension;

use crate::ir::{Binary, Block, Kernel, Operation, Statement, Unary, Value, Variable};
use crate::optimize::operands::{for_each_operand, for_each_statement_operand};
use crate::options::{CompileOptions, Mutation};

/// Where a value lives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: these bits.
    Constant(u32),
    /// Nowhere: computed where it is used.
    Folded,
    /// In the register of a variable.
    Variable(Variable),
    /// In a register of its own.
    Own,
}

/// The decisions, and what they were based on.
pub struct Plan {
    /// One for each value.
    pub places: Vec<Place>,
    /// The operation of each value; `None` if it is never computed.
    pub operations: Vec<Option<Operation>>,
}

/// Who reads a value that is read once.
#[derive(Copy, Clone, PartialEq, Eq)]
enum User {
    Value(Value),
    Condition,
    Other,
}

#[derive(Copy, Clone)]
struct Definition {
    position: u32,
    block: u32,
    loop_depth: usize,
}

struct Use {
    value: Value,
    user: User,
    position: u32,
    /// The outermost loop around the use but not around the definition.
    through: Option<usize>,
}

struct SetAt {
    variable: Variable,
    value: Value,
    position: u32,
    block: u32,
}

struct Survey {
    operations: Vec<Option<Operation>>,
    definitions: Vec<Option<Definition>>,
    uses: Vec<Use>,
    sets: Vec<SetAt>,
    /// Positions of statements that control flow may leave or enter at.
    control: Vec<u32>,
    open_loops: Vec<usize>,
    loop_ends: Vec<u32>,
    position: u32,
    block_count: u32,
}

/// Plans a kernel.
pub fn plan(kernel: &Kernel, options: &CompileOptions) -> Plan {
    let mut survey = Survey {
        operations: vec![None; kernel.values.len()],
        definitions: vec![None; kernel.values.len()],
        uses: Vec::new(),
        sets: Vec::new(),
        control: Vec::new(),
        open_loops: Vec::new(),
        loop_ends: Vec::new(),
        position: 0,
        block_count: 0,
    };
    survey.block(&kernel.body);
    let mut places = vec![Place::Own; kernel.values.len()];
    for (place, operation) in places.iter_mut().zip(&survey.operations) {
        if let Some(Operation::Constant(bits)) = operation {
            *place = Place::Constant(*bits);
        }
    }
    let users = survey.fold(&mut places, options);
    let last_uses = survey.last_uses(&places, &users);
    survey.alias_gets(&mut places, &last_uses, kernel, options);
    survey.alias_sets(&mut places, &last_uses, &users);
    Plan { places, operations: survey.operations }
}

impl Survey {
    fn block(&mut self, block: &Block) {
        let number = self.block_count;
        self.block_count += 1;
        for statement in block {
            self.position += 1;
            let position = self.position;
            if let Statement::Let { value, operation, .. } = statement {
                for_each_operand(operation, |operand| self.used(operand, User::Value(*value)));
                self.operations[value.0 as usize] = Some(*operation);
                let loop_depth = self.open_loops.len();
                self.definitions[value.0 as usize] = Some(Definition { position, block: number, loop_depth });
                continue;
            }
            let is_condition = matches!(statement, Statement::If { .. });
            let user = if is_condition { User::Condition } else { User::Other };
            for_each_statement_operand(statement, |operand| self.used(operand, user));
            match statement {
                Statement::Set { variable, value, .. } => {
                    let (variable, value) = (*variable, *value);
                    self.sets.push(SetAt { variable, value, position, block: number });
                }
                Statement::If { accept, reject, .. } => {
                    self.control.push(position);
                    self.block(accept);
                    self.block(reject);
                }
                Statement::Scope { body, .. } => {
                    self.control.push(position);
                    self.block(body);
                }
                Statement::Loop { body, .. } => {
                    self.control.push(position);
                    self.open_loops.push(self.loop_ends.len());
                    self.loop_ends.push(0);
                    self.block(body);
                    self.position += 1;
                    let index = self.open_loops.pop().expect("it was pushed before the body");
                    self.loop_ends[index] = self.position;
                }
                Statement::Leave { .. } | Statement::Barrier { .. } => self.control.push(position),
                _ => {}
            }
        }
    }

    fn used(&mut self, value: Value, user: User) {
        let definition = self.definitions[value.0 as usize].expect("values are written before they are read");
        let through = self.open_loops.get(definition.loop_depth).copied();
        self.uses.push(Use { value, user, position: self.position, through });
    }

    /// Marks folded values; returns the only user of each value that has one only.
    fn fold(&self, places: &mut [Place], options: &CompileOptions) -> Vec<Option<(User, u32)>> {
        let mut users = vec![None; places.len()];
        let mut counts = vec![0u32; places.len()];
        for used in &self.uses {
            counts[used.value.0 as usize] += 1;
            users[used.value.0 as usize] = Some((used.user, used.position));
        }
        for (user, count) in users.iter_mut().zip(&counts) {
            if *count != 1 {
                *user = None;
            }
        }
        let has = |extension| options.extensions.contains(extension);
        for used in &self.uses {
            let index = used.value.0 as usize;
            let (Some((user, _)), Some(operation)) = (users[index], &self.operations[index]) else { continue };
            let is_small_shift = |b: &Value| matches!(places[b.0 as usize], Place::Constant(1..=3));
            let folds = match (operation, user) {
                (Operation::Binary(operation, ..), User::Condition) => operation.is_comparison(),
                (Operation::Unary(Unary::LogicalNot, _), User::Condition) => true,
                (Operation::Unary(Unary::FloatNegate, _), User::Value(user)) => {
                    matches!(self.operations[user.0 as usize], Some(Operation::FusedMultiplyAdd(..)))
                }
                (Operation::Unary(Unary::Not, _), User::Value(user)) => {
                    has(Extension::Zbb)
                        && matches!(
                            self.operations[user.0 as usize],
                            Some(Operation::Binary(Binary::And | Binary::Or | Binary::Xor, ..))
                        )
                }
                (Operation::Binary(Binary::ShiftLeft, _, count), User::Value(user)) => {
                    has(Extension::Zba)
                        && is_small_shift(count)
                        && matches!(self.operations[user.0 as usize], Some(Operation::Binary(Binary::Add, ..)))
                }
                _ => false,
            };
            let is_same_block = match user {
                User::Value(user) => self.block_of(used.value) == self.block_of(user),
                _ => used.through.is_none(),
            };
            if folds && is_same_block && self.is_straight(used.value, used.position) {
                places[index] = Place::Folded;
            }
        }
        users
    }

    fn block_of(&self, value: Value) -> Option<u32> {
        self.definitions[value.0 as usize].map(|definition| definition.block)
    }

    /// Whether no control flow lies between a value and a position.
    fn is_straight(&self, value: Value, position: u32) -> bool {
        let Some(definition) = self.definitions[value.0 as usize] else { return false };
        let next = self.control.partition_point(|&control| control <= definition.position);
        self.control.get(next).is_none_or(|&control| control >= position)
    }

    /// The last position at which each value must still be there.
    fn last_uses(&self, places: &[Place], users: &[Option<(User, u32)>]) -> Vec<u32> {
        let mut last = vec![0; places.len()];
        for used in &self.uses {
            // An operand of a folded value is read where that is used in the end.
            let mut position = used.position;
            let mut user = used.user;
            while let User::Value(value) = user
                && places[value.0 as usize] == Place::Folded
                && let Some((next, at)) = users[value.0 as usize]
            {
                (user, position) = (next, at);
            }
            let end = used.through.map_or(position, |index| self.loop_ends[index]);
            let last = &mut last[used.value.0 as usize];
            *last = end.max(*last);
        }
        last
    }

    fn alias_gets(&self, places: &mut [Place], last_uses: &[u32], kernel: &Kernel, options: &CompileOptions) {
        let mut sets = vec![Vec::new(); kernel.variables.len()];
        for set in &self.sets {
            sets[set.variable.0 as usize].push(set.position);
        }
        for (index, operation) in self.operations.iter().enumerate() {
            let Some(Operation::Get(variable)) = operation else { continue };
            let definition = self.definitions[index].expect("it has an operation");
            let is_in_use = |&&set: &&u32| set > definition.position && set <= last_uses[index];
            let mut is_still = !sets[variable.0 as usize].iter().any(|set| is_in_use(&set));
            is_still |= options.mutation == Some(Mutation::NoSnapshot);
            if is_still {
                places[index] = Place::Variable(*variable);
            }
        }
    }

    fn alias_sets(&self, places: &mut [Place], last_uses: &[u32], users: &[Option<(User, u32)>]) {
        // Positions at which each variable is looked at, through `Get`s that share its register or copy it.
        let mut reads: Vec<(Variable, u32)> = Vec::new();
        for (index, operation) in self.operations.iter().enumerate() {
            if let (Some(Operation::Get(variable)), Some(definition)) = (operation, self.definitions[index]) {
                reads.push((*variable, definition.position));
            }
        }
        for used in &self.uses {
            if let Place::Variable(variable) = places[used.value.0 as usize] {
                let mut position = used.position;
                let mut user = used.user;
                while let User::Value(value) = user
                    && places[value.0 as usize] == Place::Folded
                    && let Some((next, at)) = users[value.0 as usize]
                {
                    (user, position) = (next, at);
                }
                reads.push((variable, position));
            }
        }
        reads.sort_unstable();
        for set in &self.sets {
            let index = set.value.0 as usize;
            let Some(definition) = self.definitions[index] else { continue };
            let is_computed = places[index] == Place::Own && !matches!(self.operations[index], Some(Operation::Get(_)));
            let is_unseen = {
                let first = reads.partition_point(|&read| read <= (set.variable, definition.position));
                reads.get(first).is_none_or(|&read| read >= (set.variable, set.position))
            };
            let is_alone = self.sets.iter().filter(|other| other.variable == set.variable).all(|other| {
                let begin = match self.definitions[other.value.0 as usize] {
                    Some(made) if made.block == other.block => made.position,
                    _ => other.position,
                };
                // Nobody else may write the register from the value's making to its last use.
                other.position == set.position
                    || other.position <= definition.position
                    || begin > last_uses[index].max(set.position)
            });
            if is_computed
                && definition.block == set.block
                && self.is_straight(set.value, set.position)
                && is_unseen
                && is_alone
            {
                places[index] = Place::Variable(set.variable);
            }
        }
    }
}
