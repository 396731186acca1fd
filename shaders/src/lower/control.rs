//! Control flow: plain branches where lanes agree, narrower masks where they do not.
//!
//! A *mask construct* restores the mask it began with at its end: a divergent `If` by `join` (or with thread masks, see
//! `masks`), a scope that some lanes leave before others (*narrowing*) by `tmc` or `mask.or` of the mask saved at its entry (invariant I1: saved masks are written
//! under a mask that covers every reader, and never added up in a lane register).
//!
//! * Divergent `If` that nobody leaves: `split`, branch, `join`.
//! * Divergent `If` of which one side always leaves: two ballots; that side runs first under its mask, then the mask
//!   of the others is set. It restores nothing: the construct that was left to will.
//! * Any other divergent `If`: `split` and `join`, then the lanes that are on their way out are taken off again.
//!
//! A lane that leaves through a mask construct to a scope outside it has the scope's number in its `escape` register
//! until the scope ends, so that the constructs on the way know whom to leave off: after restoring,
//! `live = ballot(escape == 0)`. Scopes are numbered from the outside in; the mask is never empty: when nobody is left
//! to go on, the last leavers themselves jump to the end of the innermost construct around them.

use gpu_core::isa::Op;
use gpu_core::isa::csr::Csr;

use crate::ir::{Binary, Block, ControlRegister, Kind, Label, Operation, Statement, Unary, Value};
use crate::machine_code::{Action, CodeLabel, Register};
use crate::options::Mutation;

use crate::optimize::flow::{falls_through, is_left, leaves_outward};

use super::{Lowering, Section};

/// What is open around the code being written.
pub enum Context {
    /// A scope.
    Scope {
        label: Label,
        end: CodeLabel,
        /// The mask at entry, if some lanes leave it before others.
        saved: Option<Register>,
        /// From 1, from the outside in.
        number: u32,
        /// Lanes come here through mask constructs.
        is_escaped_to: bool,
        /// Lanes pass here on their way to a scope outside.
        is_passed: bool,
    },
    /// A divergent `If` that restores the mask at its end.
    Join { end: CodeLabel, is_passed: bool },
    /// The side of a divergent `If` that always leaves; at the end the others go on.
    Leaving { end: CodeLabel },
}

impl Lowering<'_> {
    /// Writes a block; returns whether control reaches its end.
    pub fn block(&mut self, block: &Block) -> bool {
        let controls = self.controls.len();
        let falls = block.iter().all(|statement| self.statement(statement));
        self.controls.truncate(controls);
        falls
    }

    fn statement(&mut self, statement: &Statement) -> bool {
        match statement {
            Statement::Let { value, operation, at } => {
                self.at = *at;
                self.define(*value, operation);
            }
            Statement::Set { variable, value, at } => {
                self.at = *at;
                self.set(*variable, *value);
            }
            Statement::Store { address, offset, value, at, .. } => {
                self.at = *at;
                self.store(*address, *offset, *value);
            }
            Statement::WriteControl { register, value, at } => {
                self.at = *at;
                let value = self.read(*value);
                let csr = match register {
                    ControlRegister::TextureBank => Csr::TextureBank,
                    ControlRegister::Region => Csr::Region,
                };
                self.instruction(Op::Csrrw, Register::Zero, &[value], csr.spec().number.into());
            }
            Statement::Barrier { at, .. } => {
                self.at = *at;
                self.barrier();
            }
            Statement::If { condition, accept, reject, at } => {
                self.at = *at;
                return self.if_statement(*condition, accept, reject);
            }
            Statement::Scope { label, body } => return self.scope(*label, body),
            Statement::Loop { body, at } => {
                self.at = *at;
                self.push(Action::LoopBegin);
                let top = self.code.label();
                self.label(top);
                if self.block(body) {
                    self.at = *at;
                    self.push(Action::Jump(top));
                }
                self.push(Action::LoopEnd);
                return false;
            }
            Statement::Leave { label, at } => {
                self.at = *at;
                self.leave(*label);
                return false;
            }
        }
        true
    }

    fn if_statement(&mut self, condition: Value, accept: &Block, reject: &Block) -> bool {
        if self.divergence.is_uniform(condition) {
            return self.uniform_if(condition, accept, reject);
        }
        match (leaves_outward(accept), leaves_outward(reject)) {
            (false, false) if self.has_masks() && self.is_flat(accept, reject) => {
                self.flat_if(condition, accept, reject);
                true
            }
            (false, false) => {
                let passed = self.restoring_if(condition, accept, reject);
                debug_assert!(!passed, "nobody leaves");
                true
            }
            _ if !falls_through(accept) => self.leaving_if(condition, true, accept, reject),
            _ if !falls_through(reject) => self.leaving_if(condition, false, reject, accept),
            _ => {
                if self.restoring_if(condition, accept, reject) {
                    self.drop_escaped();
                }
                true
            }
        }
    }

    fn uniform_if(&mut self, condition: Value, accept: &Block, reject: &Block) -> bool {
        // `if c { leave }` is one branch where leaving is one jump.
        if let [Statement::Leave { label, .. }] = accept.as_slice()
            && let Some(target) = self.plain_leave(*label)
        {
            self.branch_if(condition, true, target);
            return self.block(reject);
        }
        if let ([], [Statement::Leave { label, .. }]) = (accept.as_slice(), reject.as_slice())
            && let Some(target) = self.plain_leave(*label)
        {
            self.branch_if(condition, false, target);
            return true;
        }
        let end = self.code.label();
        if accept.is_empty() {
            self.branch_if(condition, true, end);
            self.block(reject);
            self.label(end);
            return true;
        }
        let otherwise = if reject.is_empty() { end } else { self.code.label() };
        self.branch_if(condition, false, otherwise);
        let mut falls = self.block(accept);
        if reject.is_empty() {
            falls = true;
        } else {
            if falls {
                self.push(Action::Jump(end));
            }
            self.label(otherwise);
            falls |= self.block(reject);
        }
        self.label(end);
        falls
    }

    /// A divergent `If` that restores the mask. Returns whether lanes pass its end on their way to a scope outside.
    fn restoring_if(&mut self, condition: Value, accept: &Block, reject: &Block) -> bool {
        if self.has_masks() {
            self.skipping_if(condition, accept, reject)
        } else {
            self.split_if(condition, accept, reject)
        }
    }

    fn split_if(&mut self, condition: Value, accept: &Block, reject: &Block) -> bool {
        let end = self.code.label();
        let (condition, op, first, second) = if accept.is_empty() {
            (self.read(condition), Op::SplitN, reject, accept)
        } else {
            (self.read(condition), Op::Split, accept, reject)
        };
        let depth = self.int(op, &[condition], 0);
        let skip = if op == Op::Split { Op::Beq } else { Op::Bne };
        let otherwise = if second.is_empty() { end } else { self.code.label() };
        self.branch(skip, [condition, Register::Zero], otherwise);
        self.contexts.push(Context::Join { end, is_passed: false });
        if self.block(first) && !second.is_empty() {
            self.push(Action::Jump(end));
        }
        if !second.is_empty() {
            self.label(otherwise);
            self.block(second);
        }
        self.label(end);
        self.instruction(Op::Join, Register::Zero, &[depth], 0);
        matches!(self.contexts.pop(), Some(Context::Join { is_passed: true, .. }))
    }

    /// An `If` whose side `leaving` (taken where the condition is `sense`) never reaches its end.
    fn leaving_if(&mut self, condition: Value, sense: bool, leaving: &Block, staying: &Block) -> bool {
        if let [Statement::Leave { label, .. }] = leaving.as_slice()
            && !self.needs_escape(*label)
        {
            // Nothing to do but leave: the others go on.
            let live = self.ballot_of(condition, !sense);
            self.go_on_with(live);
            return self.block(staying);
        }
        let leavers = self.ballot_of(condition, sense);
        let stayers = self.ballot_of(condition, !sense);
        let skip = self.code.label();
        let end = self.code.label();
        self.branch(Op::Beq, [leavers, Register::Zero], skip);
        self.narrow(leavers);
        self.contexts.push(Context::Leaving { end });
        self.block(leaving);
        self.contexts.pop();
        self.label(end);
        // Others than those that are on.
        self.branch(Op::Beq, [stayers, Register::Zero], self.way_out());
        if !self.options.plants(Mutation::LeaveWithStayers) {
            self.instruction(Op::Tmc, Register::Zero, &[stayers], 0);
        }
        self.label(skip);
        self.block(staying)
    }

    fn scope(&mut self, label: Label, body: &Block) -> bool {
        let end = self.code.label();
        let saved = self.divergence.is_narrowing(label).then(|| self.read_csr(Csr::ActiveThreads));
        if let Some(saved) = saved
            && self.options.mutation == Some(Mutation::AccumulateMasks)
        {
            // The fault: what is live is kept in a register that lanes write at different times.
            self.accumulated = Some(saved);
        }
        let number = 1 + self.contexts.iter().filter(|c| matches!(c, Context::Scope { .. })).count() as u32;
        self.contexts.push(Context::Scope { label, end, saved, number, is_escaped_to: false, is_passed: false });
        let falls = self.block(body);
        let Some(Context::Scope { is_escaped_to, is_passed, .. }) = self.contexts.pop() else {
            unreachable!("contexts are popped as pushed")
        };
        self.label(end);
        if let Some(saved) = saved {
            self.widen(saved);
            match (is_escaped_to, is_passed) {
                (true, _) if self.options.plants(Mutation::KeepEscapes) => {}
                (true, false) => {
                    let escape = self.escape();
                    self.instruction(Op::Addi, escape, &[Register::Zero], 0);
                }
                (true, true) => {
                    // Numbers of scopes further out are smaller and stay.
                    let escape = self.escape();
                    let outer = self.int(Op::Sltiu, &[escape], number as i32);
                    let mask = self.int(Op::Sub, &[Register::Zero, outer], 0);
                    self.instruction(Op::And, escape, &[escape, mask], 0);
                }
                (false, _) => {}
            }
            if is_passed && !self.options.plants(Mutation::StopEscapes) {
                self.drop_escaped();
            }
        }
        falls || is_left(body, label)
    }

    fn leave(&mut self, label: Label) {
        if self.needs_escape(label) {
            let number = self.mark_passed(label);
            let escape = self.escape();
            self.instruction(Op::Addi, escape, &[Register::Zero], number as i32);
        }
        let target = match self.plain_leave(label) {
            Some(target) => target,
            None => self.way_out(),
        };
        self.push(Action::Jump(target));
    }

    /// The end of the scope, if leaving it from here is one jump.
    fn plain_leave(&self, label: Label) -> Option<CodeLabel> {
        for context in self.contexts.iter().rev() {
            match context {
                Context::Scope { label: other, end, .. } if *other == label => return Some(*end),
                Context::Scope { saved: None, .. } => {}
                _ => return None,
            }
        }
        unreachable!("a leave lies inside its scope")
    }

    /// Whether a mask construct lies between here and the scope.
    fn needs_escape(&self, label: Label) -> bool {
        for context in self.contexts.iter().rev() {
            match context {
                Context::Scope { label: other, .. } if *other == label => return false,
                Context::Scope { saved: Some(_), .. } | Context::Join { .. } => return true,
                _ => {}
            }
        }
        unreachable!("a leave lies inside its scope")
    }

    /// Notes that lanes go from here to the scope; returns its number.
    fn mark_passed(&mut self, label: Label) -> u32 {
        for context in self.contexts.iter_mut().rev() {
            match context {
                Context::Scope { label: other, number, is_escaped_to, .. } if *other == label => {
                    *is_escaped_to = true;
                    return *number;
                }
                Context::Scope { is_passed, .. } | Context::Join { is_passed, .. } => *is_passed = true,
                Context::Leaving { .. } => {}
            }
        }
        unreachable!("a leave lies inside its scope")
    }

    /// Where lanes go when none of their mask goes on.
    fn way_out(&self) -> CodeLabel {
        let end = self.contexts.iter().rev().find_map(|context| match context {
            Context::Scope { end, saved: Some(_), .. } => Some(*end),
            Context::Scope { .. } => None,
            Context::Join { end, .. } | Context::Leaving { end } => Some(*end),
        });
        end.expect("lanes leave to a narrowing scope around them")
    }

    /// Leaves these lanes of the mask on, or goes out if there is none.
    fn go_on_with(&mut self, live: Register) {
        let out = self.way_out();
        let live = match self.accumulated {
            Some(accumulated) if self.options.mutation == Some(Mutation::AccumulateMasks) => {
                self.instruction(Op::And, accumulated, &[accumulated, live], 0);
                accumulated
            }
            _ => live,
        };
        self.branch(Op::Beq, [live, Register::Zero], out);
        self.narrow(live);
    }

    /// After a construct restored its mask: those on their way further out are taken off again.
    fn drop_escaped(&mut self) {
        let escape = self.escape();
        let stays = self.int(Op::Sltiu, &[escape], 1);
        let live = self.int(Op::VoteBallot, &[stays], 0);
        self.go_on_with(live);
    }

    fn escape(&mut self) -> Register {
        if let Some(escape) = self.escape {
            return escape;
        }
        let escape = self.new_int();
        self.within(Section::Item, |this| this.instruction(Op::Addi, escape, &[Register::Zero], 0));
        self.escape = Some(escape);
        escape
    }

    /// A ballot of the lanes where a condition is `sense`.
    pub fn ballot_of(&mut self, condition: Value, sense: bool) -> Register {
        let condition = if sense { self.read(condition) } else { self.inverse(condition) };
        self.int(Op::VoteBallot, &[condition], 0)
    }

    /// The opposite of a condition.
    fn inverse(&mut self, condition: Value) -> Register {
        let inverted = match self.folded(condition) {
            Some(Operation::Unary(Unary::LogicalNot, a)) => return self.read(a),
            Some(Operation::Binary(operation, a, b)) => match operation {
                Binary::Equal => Some((Binary::NotEqual, a, b)),
                Binary::NotEqual => Some((Binary::Equal, a, b)),
                Binary::LessSigned if self.options.plants(Mutation::LoseEquality) => Some((operation, b, a)),
                Binary::LessSigned => Some((Binary::LessEqualSigned, b, a)),
                Binary::LessUnsigned => Some((Binary::LessEqualUnsigned, b, a)),
                Binary::LessEqualSigned => Some((Binary::LessSigned, b, a)),
                Binary::LessEqualUnsigned => Some((Binary::LessUnsigned, b, a)),
                Binary::FloatNotEqual => Some((Binary::FloatEqual, a, b)),
                _ => None,
            },
            _ => None,
        };
        match inverted {
            Some((operation, a, b)) => {
                let rd = self.new_int();
                self.compute(rd, Kind::Int, &Operation::Binary(operation, a, b));
                rd
            }
            None => {
                let condition = self.read(condition);
                self.int(Op::Sltiu, &[condition], 1)
            }
        }
    }

    /// A branch on a condition that the lanes agree on.
    fn branch_if(&mut self, condition: Value, sense: bool, target: CodeLabel) {
        match self.folded(condition) {
            Some(Operation::Unary(Unary::LogicalNot, a)) => return self.branch_if(a, !sense, target),
            Some(Operation::Binary(operation, a, b)) if operation.is_comparison() => {
                let (op, swaps) = match (operation, sense) {
                    (Binary::Equal, true) | (Binary::NotEqual, false) => (Op::Beq, false),
                    (Binary::Equal, false) | (Binary::NotEqual, true) => (Op::Bne, false),
                    (Binary::LessSigned, true) => (Op::Blt, false),
                    (Binary::LessSigned, false) => (Op::Bge, false),
                    (Binary::LessUnsigned, true) => (Op::Bltu, false),
                    (Binary::LessUnsigned, false) => (Op::Bgeu, false),
                    (Binary::LessEqualSigned, true) => (Op::Bge, true),
                    (Binary::LessEqualSigned, false) => (Op::Blt, true),
                    (Binary::LessEqualUnsigned, true) => (Op::Bgeu, true),
                    (Binary::LessEqualUnsigned, false) => (Op::Bltu, true),
                    _ => {
                        let rd = self.new_int();
                        let is_unequal = operation == Binary::FloatNotEqual;
                        let operation = if is_unequal { Binary::FloatEqual } else { operation };
                        self.compute(rd, Kind::Int, &Operation::Binary(operation, a, b));
                        let op = if sense != is_unequal { Op::Bne } else { Op::Beq };
                        return self.branch(op, [rd, Register::Zero], target);
                    }
                };
                let (a, b) = (self.read(a), self.read(b));
                let rs = if swaps { [b, a] } else { [a, b] };
                return self.branch(op, rs, target);
            }
            _ => {}
        }
        let condition = self.read(condition);
        self.branch(if sense { Op::Bne } else { Op::Beq }, [condition, Register::Zero], target);
    }
}
