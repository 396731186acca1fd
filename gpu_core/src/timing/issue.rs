//! Issue: which warp of each slice executes its oldest instruction in this cycle, or why none does.
//!
//! Before: instruction buffers and scoreboard. After: operands, dispatch and a function unit; the result comes at a cycle that is
//! known at issue, except for memory's. A slice takes its warps in turn (Skybox, 2024).

use super::commit::NO_REGISTER;
use super::core::{Core, Event, Meaning};
use super::function_units::busy_reason;
use super::rows::{Pair, Row};
use super::scheduler::next_in_turn;
use crate::isa::table::{Op, Unit};
use crate::observe::{AccessInFlight, StallReason, TimedObserver};
use crate::retired::Effect;
use crate::units::{Address, ThreadMask, WarpId};

/// What a slice does in a cycle.
enum Slot {
    /// It issues for this warp.
    Issues(usize),
    /// It issues nothing: the reason, and the warp that waits for it.
    Idles(StallReason, Option<u8>),
}

impl Core {
    /// Lets each slice issue. Gives whether one did; `None` if an instruction trapped.
    #[inline]
    pub(super) fn issue<M: Meaning, O: TimedObserver>(&mut self, meaning: &mut M, observer: &mut O) -> Option<bool> {
        let mut has_issued = false;
        for slice in 0..self.slices {
            match self.choose(slice) {
                Slot::Idles(reason, warp) => self.idle[slice & 31] = Some((reason, warp)),
                Slot::Issues(warp) => {
                    if !self.issue_warp(slice, warp, meaning, observer) {
                        self.count_trapped_cycle(slice);
                        return None;
                    }
                    self.idle[slice & 31] = None;
                    has_issued = true;
                }
            }
        }
        Some(has_issued)
    }

    /// A cycle that ends at a trap counts if a slice before the trapping one had issued; the others then idle.
    fn count_trapped_cycle(&mut self, trapped: usize) {
        if self.idle[..trapped].contains(&None) {
            self.tally.cut_cycles = 1;
            let idle = self.idle[..trapped].iter().flatten().map(|(reason, _)| *reason);
            let rest = std::iter::repeat_n(StallReason::Ended, self.slices - trapped);
            for reason in idle.chain(rest) {
                self.tally.stalls[reason as usize] += 1;
            }
        }
    }

    #[inline]
    fn choose(&mut self, slice: usize) -> Slot {
        let warps = self.slice_warps[slice & 31];
        let mut ready = self.ready & warps;
        if ready == 0 {
            return self.nothing_ready(warps);
        }
        let last = self.last_issued[slice & 31].into();
        let free_at = self.collector_free_at[slice & 31];
        if free_at > self.now {
            self.next_free = self.next_free.min(free_at);
            return Slot::Idles(StallReason::Operands, Some(next_in_turn(ready, last) as u8));
        }
        let mut idle = None;
        while ready != 0 {
            let warp = next_in_turn(ready, last);
            let row = self.heads[warp as usize & 31].as_ref().expect("a ready warp has an instruction");
            let free_at = if row.pair == Pair::Second && self.units.continues(warp as usize) {
                0
            } else {
                self.units.free_at(row.unit, slice)
            };
            if free_at > self.now {
                self.next_free = self.next_free.min(free_at);
            } else if self.memory_takes(row.unit) {
                return Slot::Issues(warp as usize);
            }
            idle.get_or_insert((busy_reason(row.unit), warp));
            ready &= !(1 << warp);
        }
        let (reason, warp) = idle.expect("a ready warp that does not issue waits for its unit");
        Slot::Idles(reason, Some(warp as u8))
    }

    #[inline]
    fn memory_takes(&self, unit: Unit) -> bool {
        match unit {
            Unit::Lsu => self.memory.can_access(self.now),
            Unit::Texture => self.memory.can_sample(self.now),
            _ => true,
        }
    }

    /// Why a slice whose warps are not ready issues nothing: the first reason that holds for one of them.
    #[inline]
    fn nothing_ready(&self, warps: u32) -> Slot {
        let warps = warps & self.scheduler.active;
        let idles = |reason, set: u32| Slot::Idles(reason, Some(set.trailing_zeros() as u8));
        let blocked = self.front_end.buffered & !self.held & warps;
        if blocked != 0 {
            return idles(StallReason::Scoreboard, blocked);
        }
        if warps == 0 {
            return Slot::Idles(StallReason::Ended, None);
        }
        let (held, control, at_barrier) = (self.held, self.front_end.control, self.scheduler.barrier);
        if held & warps != 0 {
            return idles(StallReason::Synchronize, held & warps);
        }
        let fetched_for = warps & !control & !at_barrier;
        if fetched_for != 0 {
            return idles(StallReason::InstructionCache, fetched_for);
        }
        if control & warps != 0 {
            return idles(StallReason::Control, control & warps);
        }
        idles(StallReason::Barrier, warps)
    }

    /// Executes a warp's oldest instruction, and enters when its result comes. Gives whether it did not trap.
    #[inline]
    fn issue_warp<M: Meaning, O: TimedObserver>(
        &mut self,
        slice: usize,
        warp: usize,
        meaning: &mut M,
        observer: &mut O,
    ) -> bool {
        let row = self.heads[warp & 31].expect("a ready warp has an instruction");
        if row.unit == Unit::Csr && meaning.wants_counters() {
            meaning.show_counters(&self.counters());
        }
        if !meaning.step(warp, self.now, &mut self.retired) {
            return false;
        }
        self.tally.issued += 1;
        self.tally.lanes += u64::from(self.retired.mask.count());
        self.tally.units[row.unit as usize] += 1;
        self.tally.conflicts += u64::from(row.collector_cycles) - 1;
        self.last_issued[slice & 31] = warp as u8;
        self.collector_free_at[slice & 31] = self.now + u64::from(row.collector_cycles);
        self.units.take(row.unit, row.pair, slice, warp, self.now);
        self.scoreboard.reserve(warp, row.defines);
        self.in_flight += 1;
        let has_more = self.front_end.issue(warp, row.is_control);
        if O::IS_WATCHING {
            self.show_issue(slice, warp, meaning, observer);
        }
        self.count_control(warp, meaning);
        self.dispatch(warp, &row, meaning, observer);
        if row.unit == Unit::Csr {
            self.enter_region(meaning.region());
        }
        if self.retired.request.is_some() {
            self.held |= 1 << warp;
        }
        // What it did may have emptied the buffer: the end of the program, or new code.
        if has_more && self.front_end.count(warp) > 0 {
            self.load_head(warp, self.retired.next_pc.0, meaning);
        } else {
            self.heads[warp & 31] = None;
        }
        self.refresh(warp);
        true
    }

    /// Hands the instruction just executed to its unit.
    #[inline]
    fn dispatch<M: Meaning, O: TimedObserver>(&mut self, warp: usize, row: &Row, meaning: &M, observer: &mut O) {
        let done = self.now + u64::from(row.latency);
        let register = if row.defines == 0 { NO_REGISTER } else { row.defines.trailing_zeros() as u8 };
        let result = Event::Result { warp: warp as u8, register };
        match self.retired.effect {
            Effect::Memory => {
                // The I/O page answers without memory.
                let mask = self.retired.mask.without(self.retired.access.io);
                if mask.is_empty() {
                    return self.calendar.enter(done, result);
                }
                let token = self.begin_access(warp, register, Unit::Lsu, observer);
                self.memory.access(done, token, mask, &self.retired.access);
            }
            Effect::Texture if self.retired.mask != ThreadMask::EMPTY => {
                let token = self.begin_access(warp, register, Unit::Texture, observer);
                self.memory.sample(done, token, self.retired.mask, &self.retired.texels);
            }
            _ if row.is_control => {
                let event = self.control(warp, register, meaning);
                self.calendar.enter(done, event);
            }
            _ => self.calendar.enter(done, result),
        }
    }

    /// The token of an access: whose it is, what it writes, and a number that tells those under way apart.
    fn begin_access<O: TimedObserver>(&mut self, warp: usize, register: u8, unit: Unit, observer: &mut O) -> u32 {
        self.sequence = (self.sequence + 1) & 0xf_ffff;
        self.accesses[warp & 31] += 1;
        let token = warp as u32 | u32::from(register) << 5 | self.sequence << 12;
        if O::IS_WATCHING {
            let access = AccessInFlight { number: token, unit, warp: WarpId(warp as u8), pc: Some(self.retired.pc) };
            observer.access_began(self.moment(), access);
        }
        token
    }

    fn show_issue<O: TimedObserver>(&self, slice: usize, warp: usize, meaning: &impl Meaning, observer: &mut O) {
        let (moment, id, retired) = (self.moment(), WarpId(warp as u8), &self.retired);
        observer.issued(moment, id, slice as u32, retired);
        match retired.effect {
            Effect::Barrier { scope, id: barrier, .. } => observer.barrier_reached(moment, id, scope, barrier),
            Effect::Mask => {
                let after = meaning.mask(warp);
                let is_other_side = retired.instruction.op == Op::Join && retired.next_pc != retired.pc.offset(4);
                if after != retired.mask || is_other_side {
                    observer.mask_changed(moment, id, Address(retired.pc.0), retired.mask, after);
                }
            }
            _ => {}
        }
    }
}
