//! Divergent `If`s by thread masks: both sides one after the other, without a stack and, where that is harmless, without a jump.
//!
//! *Flat*, as the source of the instructions has it: `mask.and a, ballot` · accept · `mask.xor b, a` · reject · `mask.or x0, b`.
//! Both sides issue even when no lane is on. So nothing in them may depend on a lane: what is computed stays unwritten, a
//! branch that lanes agree on may go either way, a vote leaves its register stale. Stale votes only ever meet `mask.and`
//! with the empty mask, which stays empty; the saved masks are written in every lane and never spilled, since a frame
//! cannot be read without a lane.
//!
//! *Skipping*: a side that holds a loop (it would not end), a barrier (it would arrive), an atomic or a control register
//! (shared side effects), or that lanes leave to a scope outside, is skipped by a branch on its ballot, taken before the mask
//! narrows; so is what is nested too deep to keep the masks in registers. Such an `If` lies in no flat side.

use gpu_core::isa::Op;
use gpu_core::isa::csr::Csr;

use crate::ir::{Block, Operation, Statement, Value};
use crate::machine_code::Register;
use crate::optimize::flow::leaves_outward;
use crate::options::{DivergenceMechanism, Mutation};

use super::Lowering;
use super::control::Context;

/// Integer registers that code needs besides the masks it keeps: the fewest that a kernel is compiled for.
const OTHER_REGISTERS: u32 = 4;
/// More masks are never kept: what is nested deeper is rare, and its sides are short of lanes.
const MOST_MASKS: u32 = 8;

impl Lowering<'_> {
    /// Whether lanes diverge by thread masks.
    pub fn has_masks(&self) -> bool {
        self.options.divergence == DivergenceMechanism::Mask
    }

    /// Takes lanes off: those of the mask that are not in this word, which is a part of it.
    pub fn narrow(&mut self, to: Register) {
        let op = if self.has_masks() { Op::MaskAnd } else { Op::Tmc };
        self.instruction(op, Register::Zero, &[to], 0);
    }

    /// Switches lanes on: this word, of which the mask is a part.
    pub fn widen(&mut self, to: Register) {
        let op = if self.has_masks() { Op::MaskOr } else { Op::Tmc };
        self.instruction(op, Register::Zero, &[to], 0);
    }

    /// Whether a divergent `If` may be flat.
    pub fn is_flat(&self, accept: &Block, reject: &Block) -> bool {
        let most = (self.options.integer_registers - OTHER_REGISTERS).min(MOST_MASKS);
        let masks = self.masks_of_if(accept, reject);
        masks.is_some_and(|masks| self.open_masks + masks <= most)
    }

    /// Masks that a divergent `If` keeps at once when it is flat; `None` if it cannot be.
    fn masks_of_if(&self, accept: &Block, reject: &Block) -> Option<u32> {
        if leaves_outward(accept) || leaves_outward(reject) {
            return None;
        }
        Some(1 + self.masks_of(accept)?.max(self.masks_of(reject)?))
    }

    fn masks_of(&self, block: &Block) -> Option<u32> {
        let enters = self.options.mutation == Some(Mutation::EnterWithoutLanes);
        block.iter().try_fold(0, |most: u32, statement| {
            let masks = match statement {
                Statement::Let { operation, .. } => is_harmless_without_lanes(operation).then_some(0)?,
                Statement::Set { .. } | Statement::Store { .. } | Statement::Leave { .. } => 0,
                Statement::Loop { body, .. } if enters => self.masks_of(body)?,
                Statement::WriteControl { .. } | Statement::Barrier { .. } if enters => 0,
                Statement::WriteControl { .. } | Statement::Barrier { .. } | Statement::Loop { .. } => return None,
                Statement::If { condition, accept, reject, .. } if self.divergence.is_uniform(*condition) => {
                    self.masks_of(accept)?.max(self.masks_of(reject)?)
                }
                Statement::If { accept, reject, .. } => self.masks_of_if(accept, reject)?,
                Statement::Scope { label, .. } if !enters && self.divergence.is_narrowing(*label) => return None,
                Statement::Scope { body, .. } => self.masks_of(body)?,
            };
            Some(most.max(masks))
        })
    }

    /// A divergent `If` whose sides are harmless without lanes.
    pub fn flat_if(&mut self, condition: Value, accept: &Block, reject: &Block) {
        let (sense, first, second) = if accept.is_empty() { (false, reject, accept) } else { (true, accept, reject) };
        let lanes = self.ballot_of(condition, sense);
        let saved = self.kept_mask();
        self.instruction(Op::MaskAnd, saved, &[lanes], 0);
        self.open_masks += 1;
        self.block(first);
        if second.is_empty() {
            self.instruction(Op::MaskOr, Register::Zero, &[saved], 0);
        } else {
            let others = self.kept_mask();
            let op = if self.options.plants(Mutation::KeepFirstSide) { Op::MaskOr } else { Op::MaskXor };
            self.instruction(op, others, &[saved], 0);
            self.block(second);
            self.instruction(Op::MaskOr, Register::Zero, &[others], 0);
        }
        self.open_masks -= 1;
    }

    /// A divergent `If` that no lane enters a side of when the side has none. Returns whether lanes pass its end on their
    /// way to a scope outside.
    pub fn skipping_if(&mut self, condition: Value, accept: &Block, reject: &Block) -> bool {
        // All under the mask that comes in (invariant I1).
        let saved = self.read_csr(Csr::ActiveThreads);
        let sides = [(true, accept), (false, reject)].map(|(sense, side)| {
            let lanes = (!side.is_empty()).then(|| self.ballot_of(condition, sense));
            lanes.map(|lanes| (lanes, side))
        });
        let mut passed = false;
        for (lanes, side) in sides.into_iter().flatten() {
            let (end, skip) = (self.code.label(), self.code.label());
            self.branch(Op::Beq, [lanes, Register::Zero], skip);
            self.narrow(lanes);
            self.contexts.push(Context::Join { end, is_passed: false });
            self.block(side);
            passed |= matches!(self.contexts.pop(), Some(Context::Join { is_passed: true, .. }));
            self.label(end);
            self.widen(saved);
            self.label(skip);
        }
        passed
    }

    /// A register for a mask that is written in every lane and read where no lane may be on: it is never spilled.
    fn kept_mask(&mut self) -> Register {
        let register = self.new_int();
        if let Register::Virtual(index) = register
            && self.options.mutation != Some(Mutation::SpillMasks)
        {
            self.code.registers[index as usize].is_fleeting = true;
        }
        register
    }
}

/// Whether an operation does nothing at all when no lane is on, and ends. Names every operation, so that a new one is judged.
fn is_harmless_without_lanes(operation: &Operation) -> bool {
    match operation {
        Operation::Constant(_)
        | Operation::Get(_)
        | Operation::Input(_)
        | Operation::BindingAddress(_)
        | Operation::BindingLength(_)
        | Operation::Unary(..)
        | Operation::Binary(..)
        | Operation::FusedMultiplyAdd(..)
        | Operation::MultiplyShiftAdd { .. }
        | Operation::Select { .. }
        | Operation::Load { .. }
        | Operation::Ballot(_)
        | Operation::Any(_)
        | Operation::All(_)
        | Operation::BroadcastFirst(_)
        | Operation::Shuffle(..)
        | Operation::Texture { .. } => true,
        // Shared side effects; and the second is a loop.
        Operation::Atomic { .. } | Operation::CompareExchange { .. } => false,
    }
}
