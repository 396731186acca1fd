//! What a core's pipeline counts, in a form that costs little, and as rows of the counter table.
//!
//! Before: the stages of `core` count. After: [`Core::counters`] for reports, regions and the program's own counter registers.

use super::core::{Core, Meaning};
use super::function_units::UNITS;
use crate::counters::CoreCounters;
use crate::isa::table::Op;
use crate::observe::{Stall, StallReason, TimedObserver};
use crate::retired::Effect;
use crate::units::{Address, WarpId};
use serde::{Deserialize, Serialize};

/// Counts of a core's pipeline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub issued: u64,
    pub lanes: u64,
    /// Idle cycles of slices, by [`StallReason`].
    pub stalls: [u64; StallReason::EVERY.len()],
    /// Instructions, by `Unit`.
    pub units: [u64; UNITS],
    pub conflicts: u64,
    pub fetches: u64,
    pub fetch_latency: u64,
    pub idle_schedules: u64,
    pub buffer_full: u64,
    /// 1 after a trap in a cycle in which another slice had issued: the cycle counts.
    pub cut_cycles: u64,
    branches: u64,
    taken: u64,
    splits: u64,
    divergences: u64,
    joins: u64,
    barriers: u64,
    pub barrier_cycles: u64,
    pub spawned: u64,
    fences: u64,
    /// When each warp's fetch under way began.
    pub fetch_began: [u64; 32],
    /// When each warp that waits at a barrier arrived.
    pub barrier_reached: [u64; 32],
}

impl Core {
    /// Instructions issued.
    pub fn issued(&self) -> u64 {
        self.tally.issued
    }

    /// What it has counted up to now.
    pub fn counters(&self) -> CoreCounters {
        self.counters_after(0)
    }

    /// What it has counted, if after all it did it has waited for so many cycles more.
    pub fn counters_after(&self, waited: u64) -> CoreCounters {
        let tally = &self.tally;
        let cycles = self.now + tally.cut_cycles + waited;
        let mut counters = CoreCounters { cycles, ..CoreCounters::default() };
        let issue = &mut counters.issue;
        let slices = self.slices as u64;
        issue.slots = cycles * slices;
        issue.issued = tally.issued;
        issue.lanes = tally.lanes;
        let stall = &mut issue.stall;
        [
            stall.alu,
            stall.fpu,
            stall.lsu,
            stall.sfu,
            stall.texture,
            stall.operands,
            stall.scoreboard,
            stall.synchronize,
            stall.instruction_cache,
            stall.control,
            stall.barrier,
            stall.ended,
        ] = tally.stalls;
        stall.ended += waited * slices;
        let unit = &mut issue.unit;
        [
            unit.alu,
            unit.branch,
            unit.mul,
            unit.div,
            unit.fma,
            unit.fdiv,
            unit.fsqrt,
            unit.fcmp,
            unit.fcvt,
            unit.lsu,
            unit.csr,
            unit.system,
            unit.warp_control,
            unit.vote,
            unit.texture,
            unit.graphics,
            unit.transcendental,
        ] = tally.units;
        counters.fetch.fetches = tally.fetches;
        counters.fetch.latency = tally.fetch_latency;
        counters.fetch.idle = tally.idle_schedules + waited;
        counters.fetch.buffer_full = tally.buffer_full;
        counters.operands.conflicts = tally.conflicts;
        let control = &mut counters.control;
        control.branches = tally.branches;
        control.taken = tally.taken;
        control.splits = tally.splits;
        control.divergences = tally.divergences;
        control.joins = tally.joins;
        control.barriers = tally.barriers;
        control.barrier_cycles = tally.barrier_cycles;
        control.spawned = tally.spawned;
        counters.lsu.fences = tally.fences;
        self.memory.count(&mut counters);
        counters
    }

    /// The counters by region of the program, after so many cycles of waiting.
    pub fn regions_after(&self, waited: u64) -> Vec<(u32, CoreCounters)> {
        self.regions.at(&self.counters_after(waited))
    }

    /// Takes up the region that the program says it is in.
    pub(super) fn enter_region(&mut self, region: u32) {
        if region != self.region {
            self.region = region;
            let counters = self.counters();
            self.regions.enter(region, &counters);
        }
    }

    /// Every slice that issued nothing did so for `cycles` cycles.
    #[inline]
    pub(super) fn count_stalls<O: TimedObserver>(&mut self, cycles: u64, meaning: &impl Meaning, observer: &mut O) {
        for slot in 0..self.slices {
            let Some((reason, warp)) = self.idle[slot & 31] else { continue };
            self.tally.stalls[reason as usize] += cycles;
            if O::IS_WATCHING {
                let warp = warp.map(|warp| (WarpId(warp), Address(meaning.pc(warp.into()))));
                observer.stalled(self.moment(), Stall { slot: slot as u32, cycles, reason, warp });
            }
        }
    }

    /// No warp was scheduled for so many cycles.
    #[inline]
    pub(super) fn count_idle_schedules(&mut self, cycles: u64) {
        self.tally.idle_schedules += cycles;
        if self.front_end.full & self.scheduler.active != 0 {
            self.tally.buffer_full += cycles;
        }
    }

    /// Counts the instruction that a warp has just executed, beyond that it was one.
    #[inline]
    pub(super) fn count_control(&mut self, warp: usize, meaning: &impl Meaning) {
        match self.retired.effect {
            Effect::Branch { is_taken } => {
                self.tally.branches += 1;
                self.tally.taken += u64::from(is_taken);
            }
            Effect::Fence => self.tally.fences += 1,
            Effect::Barrier { .. } => {
                self.tally.barriers += 1;
                self.tally.barrier_reached[warp & 31] = self.now;
            }
            Effect::Mask => match self.retired.instruction.op {
                Op::Split | Op::SplitN => {
                    self.tally.splits += 1;
                    self.tally.divergences += u64::from(meaning.mask(warp) != self.retired.mask);
                }
                Op::Join => self.tally.joins += 1,
                _ => {}
            },
            _ => {}
        }
    }
}
