//! A warp that no lane is on in: thread masks may be empty, and what is computed then stays unwritten.
//!
//! Before: a run stopped before a thread-mask instruction that leaves no lane on, or began without one. After: the warp
//! stands where lanes are on again, or where the plain engine must go on. Nothing but pc, mask and what thread-mask
//! instructions write can change meanwhile, so instructions need only be counted.
//! Gain: the scene `sunset` by thread masks 0.5 → 4.5 frames/s (by the stack 34), `RAYON_NUM_THREADS=1 warpaint bench frame
//! --scene sunset --divergence mask` on a busy 2-core AMD EPYC.

use super::frame::Frame;
use super::operation::{Operation, Operations, Place, place};
use crate::isa::table::Op;

/// The mask after a thread-mask instruction, before it is trimmed to the warp; `None` for any other.
#[inline(always)]
pub(super) fn updated(op: Op, mask: u64, operand: u64) -> Option<u64> {
    Some(match op {
        Op::MaskAnd => mask & operand,
        Op::MaskOr => mask | operand,
        Op::MaskXor => mask ^ operand,
        Op::MaskAndn2 => operand & !mask,
        Op::MaskOrn2 => operand | !mask,
        Op::MaskNand => !(mask & operand),
        Op::MaskNor => !(mask | operand),
        Op::MaskXnor => !(mask ^ operand),
        _ => return None,
    })
}

impl<const LANES: usize, const CHUNKS: usize> Frame<'_, LANES, CHUNKS> {
    /// Goes on while no lane is on, beginning with the instruction that switches the last ones off; whether some are on again.
    pub fn run_without_lanes(&mut self, operations: &Operations) -> bool {
        while self.budget > 0 {
            let pc = self.board.pc;
            let Some(segment) = operations.find(pc) else { return false };
            let o = &segment.operations[segment.index_of(pc).expect("the segment was found by it")];
            if o.block_length == 0 {
                return false;
            }
            if let Some(mask) = updated(o.op, self.active, self.last_scalar(o.rs1).into()) {
                self.board.pc = pc.wrapping_add(4);
                let old = self.active;
                self.account(1, old.count_ones());
                if old != 0 {
                    self.last_active = old;
                }
                if o.rd != 0 {
                    self.set_active(self.all);
                    self.splat::<true>(o.rd, old as u32);
                }
                self.active = mask & self.all;
                if self.active != 0 {
                    self.set_active(self.active);
                    return true;
                }
                continue;
            }
            // Others are run here only where they find no lane, and then do no more than find the next.
            if self.active != 0 {
                return false;
            }
            let Some(next) = self.next_without_lanes(o) else { return false };
            self.board.pc = next;
            self.account(1, 0);
        }
        false
    }

    /// Where an instruction goes that finds no lane; `None` if the plain engine must run it.
    fn next_without_lanes(&self, o: &Operation) -> Option<u32> {
        let next = o.pc.wrapping_add(4);
        let (a, b) = (self.last_scalar(o.rs1), self.last_scalar(o.rs2));
        let is_taken = match o.op {
            Op::Beq => a == b,
            Op::Bne => a != b,
            Op::Blt => (a as i32) < b as i32,
            Op::Bge => a as i32 >= b as i32,
            Op::Bltu => a < b,
            Op::Bgeu => a >= b,
            Op::Jal => return Some(o.immediate),
            Op::Jalr | Op::Tmc | Op::Split | Op::SplitN | Op::Join | Op::Pred | Op::PredN | Op::Csrrw => return None,
            // A block length says that it is run here, and then it is an access to a register that only reads.
            Op::Csrrs => return Some(next),
            op => return (!matches!(place(op), Place::Plain)).then_some(next),
        };
        Some(if is_taken { o.pc.wrapping_add(o.immediate) } else { next })
    }

    /// The value in the highest lane that is on, or was when some last were.
    fn last_scalar(&self, register: u8) -> u32 {
        let mask = if self.active == 0 { self.last_active } else { self.active };
        let lane = (63 - mask.leading_zeros()) as usize;
        self.row(register, lane / LANES)[lane % LANES]
    }
}
