//! What changes the pc or the mask of a warp in the fast engine.
//!
//! Before: `interpret` has found the instruction. After: `Board::pc`, the active lanes and the divergence stack as the plain
//! engine leaves them; `None`, and nothing changed, if the plain engine must run it.

use super::frame::Frame;
use super::lanes::Host;
use super::no_lanes::updated;
use super::operation::Operation;
use crate::config::FirstSide;
use crate::isa::table::Op;
use crate::semantics::warp::Divergence;
use crate::units::{Address, ThreadMask};

impl<const LANES: usize, const CHUNKS: usize> Frame<'_, LANES, CHUNKS> {
    /// Sets the pc if the branch is taken; `None` if lanes disagree.
    #[inline(always)]
    pub fn branch<H: Host, const MASKED: bool>(
        &mut self,
        o: &Operation,
        condition: impl Fn(u32, u32) -> bool,
    ) -> Option<()> {
        let taken = self.where_both::<H, MASKED>(o, condition);
        if taken == self.active::<MASKED>() {
            self.board.pc = o.pc.wrapping_add(o.immediate);
            return Some(());
        }
        (taken == 0).then_some(())
    }

    #[inline(always)]
    pub fn jump_register<H: Host, const MASKED: bool>(&mut self, o: &Operation) -> Option<()> {
        let base = self.scalar(o.rs1);
        let target = base.wrapping_add(o.immediate) & !1;
        if self.where_one::<H, MASKED>(o, |a| a != base) != 0 || !target.is_multiple_of(4) {
            return None;
        }
        self.link::<MASKED>(o);
        self.board.pc = target;
        Some(())
    }

    #[inline(always)]
    pub fn link<const MASKED: bool>(&mut self, o: &Operation) {
        if o.rd != 0 {
            self.splat::<MASKED>(o.rd, o.pc.wrapping_add(4));
        }
    }

    #[inline(always)]
    pub fn narrow(&mut self, active: u64) -> Option<()> {
        let active = active & self.all;
        if active == 0 {
            return None;
        }
        self.set_active(active);
        Some(())
    }

    /// A thread-mask instruction; one that leaves no lane on is left to `no_lanes`, as is all that follows it.
    #[inline(always)]
    pub fn update_mask(&mut self, op: Op, o: &Operation) -> Option<()> {
        let (old, all) = (self.active, self.all);
        let active = updated(op, old, self.scalar(o.rs1).into())? & all;
        if active == 0 {
            return None;
        }
        if o.rd != 0 {
            // In every lane of the warp, which may have fewer than its rows.
            self.set_active(all);
            self.splat::<true>(o.rd, old as u32);
        }
        self.set_active(active);
        Some(())
    }

    #[inline(always)]
    pub fn predicate<H: Host, const MASKED: bool>(&mut self, o: &Operation, keep: u32) -> Option<()> {
        let kept = self.where_one::<H, MASKED>(o, |a| a & 1 == keep);
        let restored = u64::from(self.scalar(o.rs2));
        self.narrow(if kept == 0 { restored } else { kept })
    }

    #[inline(always)]
    pub fn split<H: Host, const MASKED: bool>(&mut self, o: &Operation, keep: u32) -> Option<()> {
        let all = self.active;
        let taken = self.where_one::<H, MASKED>(o, |a| a & 1 == keep);
        let other = all & !taken;
        let is_divergent = taken != 0 && other != 0;
        let depth = self.divergences.len() as u32;
        if is_divergent && depth >= self.capacity {
            return None;
        }
        if o.rd != 0 {
            self.splat::<MASKED>(o.rd, depth);
        }
        if is_divergent {
            let (first, pending) = match self.first_side {
                FirstSide::True => (taken, other),
                FirstSide::False => (other, taken),
                FirstSide::Larger if taken.count_ones() >= other.count_ones() => (taken, other),
                FirstSide::Smaller if taken.count_ones() <= other.count_ones() => (taken, other),
                FirstSide::Larger | FirstSide::Smaller => (other, taken),
            };
            let entry = Divergence {
                full: ThreadMask(all),
                pending: ThreadMask(pending),
                resume: Address(o.pc.wrapping_add(4)),
            };
            self.divergences.push(entry);
            self.set_active(first);
        }
        Some(())
    }

    #[inline(always)]
    pub fn join(&mut self, o: &Operation) -> Option<()> {
        let pointer = self.scalar(o.rs1);
        let depth = self.divergences.len() as u32;
        let Some(top) = self.divergences.last_mut() else { return Some(()) };
        if pointer >= depth {
            return (pointer == depth).then_some(());
        }
        if top.pending.is_empty() {
            let all = top.full.0;
            self.divergences.pop();
            self.set_active(all);
        } else {
            let pending = std::mem::take(&mut top.pending).0;
            self.board.pc = top.resume.0;
            self.set_active(pending);
        }
        Some(())
    }
}
