//! One core in time: ticks its blocks last to first, so that each frees its place before the one behind fills it.
//!
//! Before: the run loop lets it run to the end of a window. After: counters, and requests that wait for the window's edge.
//! What instructions mean is done by [`Meaning`] at the moment of issue; time decides only when that is. A cycle in which
//! nothing can happen is not ticked: the core goes on at the next event, and the idle cycles count for the reason found last.

use super::calendar::Calendar;
use super::commit::{Commit, NO_REGISTER};
use super::core_memory::{CoreMemory, Fetch, Requester, Start};
use super::front_end::FrontEnd;
use super::function_units::FunctionUnits;
use super::rows::{Row, Rows};
use super::scheduler::Scheduler;
use super::scoreboard::Scoreboard;
use super::tally::Tally;
use crate::config::GpuConfig;
use crate::counters::{CoreCounters, Regions};
use crate::isa::encoding::Instruction;
use crate::isa::table::Unit;
use crate::observe::{AccessInFlight, Moment, StallReason, TimedObserver};
use crate::retired::Retired;
use crate::units::{CoreId, ThreadMask, WarpId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What instructions do: the core's only way to the machine's state, and it shows no register and no word of memory.
pub trait Meaning {
    /// Executes the next instruction of a warp in this cycle and records what it did; `false` if it trapped.
    fn step(&mut self, warp: usize, now: u64, out: &mut Retired) -> bool;
    /// Where a warp's next instruction is.
    fn pc(&self, warp: usize) -> u32;
    /// The active lanes of a warp.
    fn mask(&self, warp: usize) -> ThreadMask;
    /// Warps that have started and not ended.
    fn alive(&self) -> u32;
    /// Warps that could execute an instruction: not at a barrier, nor in `wspawn`, nor waiting for a request.
    fn ready(&self) -> u32;
    /// The instruction at an address outside the program's segments.
    fn instruction(&self, pc: u32) -> Option<Instruction>;
    /// The rows of the program as it is now.
    fn rows(&self) -> Arc<Rows>;
    /// The region that the program says it is in.
    fn region(&self) -> u32;
    /// Whether the next access to a control register may read a performance counter.
    fn wants_counters(&self) -> bool;
    /// What it will read.
    fn show_counters(&mut self, counters: &CoreCounters);
}

/// What happens at a cycle.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Event {
    /// A fetched word is there.
    Fetched {
        /// For whom.
        warp: u8,
    },
    /// An instruction's result is there.
    Result {
        /// Whose.
        warp: u8,
        /// What it writes.
        register: u8,
    },
    /// A load, store, atomic or `tex` is answered.
    Answer {
        /// Its token.
        token: u32,
        /// Whether the texture unit answers.
        is_texture: bool,
    },
    /// A control instruction has been executed.
    Control {
        /// Whose.
        warp: u8,
        /// What it writes.
        register: u8,
        /// Whether it ended its warp.
        is_end: bool,
        /// Warps that are fetched for from now on, having been started or held back.
        resumed: u32,
        /// Warps that a barrier lets go on.
        released: u32,
    },
}

/// Why a core came back from running.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It has come to the cycle it was to run to.
    Arrived,
    /// Nothing is left to do: its warps have ended and everything they did is done.
    Drained,
    /// An instruction trapped in this cycle.
    Trapped,
    /// It has issued as many instructions as it may.
    Exhausted,
}

/// One core.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Core {
    pub(super) id: CoreId,
    pub(super) config: GpuConfig,
    /// The next cycle.
    pub(super) now: u64,
    pub(super) scheduler: Scheduler,
    pub(super) front_end: FrontEnd,
    pub(super) scoreboard: Scoreboard,
    pub(super) units: FunctionUnits,
    pub(super) commit: Commit,
    pub(super) memory: CoreMemory,
    /// The next cycle in which the memory side has something to do.
    memory_wakes_at: u64,
    pub(super) calendar: Calendar<Event>,
    pub(super) tally: Tally,
    /// What has been counted in which region of the program.
    pub(super) regions: Regions,
    /// The region it is in.
    pub(super) region: u32,
    /// What the oldest waiting instruction of each warp costs, where one waits.
    #[serde(skip)]
    pub(super) heads: [Option<Row>; 32],
    #[serde(skip)]
    pub(super) rows: Arc<Rows>,
    /// Warps whose oldest instruction waits for no register.
    pub(super) ready: u32,
    /// Warps whose request waits for the window's edge.
    pub(super) held: u32,
    /// Warps that a barrier has let go on, from a later cycle.
    pub(super) waking: u32,
    /// Warps whose last instruction is under way.
    pub(super) ending: u32,
    /// Warps that have been started, from a later cycle.
    pub(super) starting: u32,
    /// Whether the program has ended on this core, though some of what it did is still under way.
    pub(super) is_over: bool,
    /// Whether warp 0 waits in `wspawn`.
    pub(super) is_spawning: bool,
    /// Instructions issued and not committed.
    pub(super) in_flight: u32,
    /// Accesses that have not been answered, for each warp.
    pub(super) accesses: [u32; 32],
    /// Tells accesses apart.
    pub(super) sequence: u32,
    /// Issue slices: up to 32 of what follows.
    pub(super) slices: usize,
    /// Cycles from the instruction cache's answer to the instruction buffer.
    after_fetch: u64,
    /// The slice of each warp.
    pub(super) slice_of: [u8; 32],
    /// The warps of each slice: those whose number leaves its number when divided by the number of slices.
    pub(super) slice_warps: [u32; 32],
    /// The warp that each slice issued for last.
    pub(super) last_issued: [u8; 32],
    /// First cycle in which each slice's operand collector is free.
    pub(super) collector_free_at: [u64; 32],
    /// Whether the last cycle that was ticked did something that lets the next one do something.
    pub(super) is_busy: bool,
    /// The first cycle in which something that blocked issue in the last cycle that was ticked is over.
    pub(super) next_free: u64,
    /// What each slice waits for in this cycle, and the warp that waits; `None` if it issued.
    pub(super) idle: [Option<(StallReason, Option<u8>)>; 32],
    #[serde(skip)]
    pub(super) retired: Retired,
}

impl Core {
    /// A core about to start warp 0 of a program.
    pub fn new(id: CoreId, config: &GpuConfig, rows: Arc<Rows>) -> Self {
        let warps = config.warps as usize;
        let slices = config.timing.issue.width as usize;
        Self {
            id,
            config: *config,
            now: 0,
            scheduler: Scheduler { active: 1, ..Scheduler::default() },
            front_end: FrontEnd::new(config.timing.front_end.buffer_entries),
            scoreboard: Scoreboard::default(),
            units: FunctionUnits::new(&config.timing),
            commit: Commit::default(),
            memory: CoreMemory::new(&config.timing.memory),
            memory_wakes_at: 0,
            calendar: Calendar::default(),
            tally: Tally::default(),
            regions: Regions::default(),
            region: 0,
            heads: [None; 32],
            rows,
            ready: 0,
            held: 0,
            waking: 0,
            ending: 0,
            starting: 0,
            is_over: false,
            is_spawning: false,
            in_flight: 0,
            accesses: [0; 32],
            sequence: 0,
            slices,
            after_fetch: (config.timing.front_end.fetch_latency + config.timing.front_end.decode_latency).into(),
            slice_of: std::array::from_fn(|warp| (warp % slices) as u8),
            slice_warps: std::array::from_fn(|slice| {
                (0..warps).filter(|warp| warp % slices == slice).fold(0, |set, warp| set | 1 << warp)
            }),
            last_issued: [31; 32],
            collector_free_at: [0; 32],
            is_busy: true,
            next_free: 0,
            idle: [None; 32],
            retired: Retired::default(),
        }
    }

    /// Begins with the caches that another core, whose launch has ended, has left.
    pub fn keep_caches(&mut self, last: Self) {
        if last.memory.is_quiet() {
            self.memory = last.memory;
            self.memory.restart(Start::Warm);
        }
    }

    /// Gives a core that was restored what is not saved.
    pub fn restore(&mut self, meaning: &impl Meaning) {
        self.rows = meaning.rows();
        self.heads = [None; 32];
        for warp in bits(self.front_end.buffered) {
            self.load_head(warp, meaning.pc(warp), meaning);
        }
    }

    /// Its memory side, for the shared level.
    pub fn memory_mut(&mut self) -> &mut CoreMemory {
        &mut self.memory
    }

    /// The shared level has answered its memory side.
    pub fn answered_below(&mut self) {
        self.memory_wakes_at = self.memory.next_event(self.now.wrapping_sub(1)).unwrap_or(u64::MAX);
    }

    /// Its memory side.
    pub fn memory(&self) -> &CoreMemory {
        &self.memory
    }

    /// The cycle it has come to.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The next cycle in which it does something, as far as it knows; `u64::MAX` if it waits for others, or for ever.
    pub fn wakes_at(&self) -> u64 {
        if self.is_busy { self.now } else { self.next_event(self.now.saturating_sub(1), u64::MAX).max(self.now) }
    }

    /// The four masks.
    pub fn scheduler(&self) -> Scheduler {
        Scheduler { stalled: self.front_end.stalled(), ..self.scheduler }
    }

    /// Accesses of a warp that have not been answered.
    pub fn accesses_under_way(&self, warp: usize) -> u32 {
        self.accesses[warp]
    }

    /// Runs to the start of cycle `end`, issuing at most about `issue_limit` instructions in all.
    pub fn run<M: Meaning, O: TimedObserver>(
        &mut self,
        end: u64,
        issue_limit: u64,
        meaning: &mut M,
        observer: &mut O,
    ) -> Stop {
        while self.now < end {
            if self.scheduler.active == 0 && self.is_drained() {
                return Stop::Drained;
            }
            if self.tally.issued >= issue_limit {
                return Stop::Exhausted;
            }
            self.next_free = u64::MAX;
            self.write_back();
            let fetched = self.execute(observer);
            let Some(has_issued) = self.issue(meaning, observer) else { return Stop::Trapped };
            self.decode(fetched, meaning);
            let has_fetched = self.fetch(meaning);
            self.is_busy = has_issued || has_fetched || fetched != 0 || self.commit.is_waiting();
            self.memory_wakes_at = self.memory.next_event(self.now).unwrap_or(u64::MAX);
            let has_ended = self.scheduler.active == 0 && self.is_drained();
            let next = if self.is_busy || has_ended { self.now + 1 } else { self.next_event(self.now, end) };
            self.count_stalls(next - self.now, meaning, observer);
            if !has_fetched {
                self.count_idle_schedules(next - self.now);
            }
            self.now = next;
        }
        Stop::Arrived
    }

    /// The first cycle after `now` in which something can happen, `end` at the latest.
    fn next_event(&self, now: u64, end: u64) -> u64 {
        let calendar = self.calendar.next_after(now).unwrap_or(end);
        end.min(calendar).min(self.memory_wakes_at).min(self.next_free)
    }

    pub(super) fn moment(&self) -> Moment {
        Moment { cycle: self.now, core: self.id }
    }

    fn is_drained(&self) -> bool {
        self.in_flight == 0 && self.memory.is_quiet()
    }

    /// Commit: what finished in earlier cycles can be read from now on.
    #[inline]
    fn write_back(&mut self) {
        if !self.commit.is_waiting() {
            return;
        }
        for slice in 0..self.slices {
            let Some((warp, register)) = self.commit.next(slice) else { continue };
            self.in_flight -= 1;
            if register != NO_REGISTER {
                self.scoreboard.release(warp.into(), 1 << register);
                self.refresh(warp.into());
            }
        }
    }

    /// Execute: what ends in this cycle. Gives the warps whose fetched word is there.
    #[inline]
    fn execute<O: TimedObserver>(&mut self, observer: &mut O) -> u32 {
        let now = self.now;
        if self.memory_wakes_at <= now {
            self.memory.tick(now);
            self.take_answers();
        }
        let mut fetched = 0;
        if self.calendar.may_be_due(now) {
            let mut cursor = 0;
            while let Some(event) = self.calendar.next_due(now, &mut cursor) {
                match event {
                    Event::Fetched { warp } => fetched |= 1 << (warp & 31),
                    Event::Result { warp, register } => self.finish(warp, register),
                    Event::Answer { token, is_texture } => self.answer(token, is_texture, observer),
                    Event::Control { .. } => self.control_done(event, observer),
                }
            }
        }
        fetched
    }

    /// Enters what memory has answered.
    #[inline]
    fn take_answers(&mut self) {
        for response in self.memory.responses().drain(..) {
            let token = response.token;
            let (delay, event) = match response.requester {
                Requester::Fetch => (self.after_fetch, Event::Fetched { warp: token as u8 }),
                Requester::Access => (0, Event::Answer { token, is_texture: false }),
                Requester::Sample => (0, Event::Answer { token, is_texture: true }),
            };
            self.calendar.enter(response.cycle + delay, event);
        }
    }

    pub(super) fn finish(&mut self, warp: u8, register: u8) {
        self.commit.finish(self.slice_of[usize::from(warp & 31)].into(), warp, register);
    }

    fn answer<O: TimedObserver>(&mut self, token: u32, is_texture: bool, observer: &mut O) {
        let (warp, register) = ((token & 31) as u8, (token >> 5 & 127) as u8);
        self.accesses[usize::from(warp & 31)] -= 1;
        self.finish(warp, register);
        if O::IS_WATCHING {
            let unit = if is_texture { Unit::Texture } else { Unit::Lsu };
            let access = AccessInFlight { number: token, unit, warp: WarpId(warp), pc: None };
            observer.access_ended(self.moment(), access);
        }
    }

    /// Decode: fetched words enter the instruction buffers, to be issued in the next cycle at the earliest.
    #[inline]
    fn decode(&mut self, fetched: u32, meaning: &impl Meaning) {
        for warp in bits(fetched) {
            if self.scheduler.active >> warp & 1 == 0 {
                self.front_end.fetching &= !(1 << warp);
                continue;
            }
            self.tally.fetch_latency += self.now - self.tally.fetch_began[warp & 31];
            let pc = self.fetch_pc(warp, meaning);
            let row = self.find_row(pc, meaning);
            self.front_end.decode(warp, row.is_control);
            if self.front_end.count(warp) == 1 {
                self.heads[warp & 31] = Some(row);
                self.refresh(warp);
            }
        }
    }

    /// Schedule and fetch: one warp is taken, and its next word asked for. Gives whether one was.
    #[inline]
    fn fetch(&mut self, meaning: &impl Meaning) -> bool {
        let refused = self.front_end.refused.take().filter(|warp| self.scheduler.active >> warp & 1 != 0);
        let warp = match refused {
            Some(warp) => warp.into(),
            None => {
                self.scheduler.stalled = self.front_end.stalled();
                let Some(warp) = self.scheduler.take(self.config.timing.scheduler.policy) else { return false };
                self.front_end.fetching |= 1 << warp;
                self.tally.fetch_began[warp & 31] = self.now;
                self.tally.fetches += 1;
                warp
            }
        };
        let pc = self.fetch_pc(warp, meaning);
        match self.memory.fetch(self.now, warp as u32, pc) {
            Fetch::Hit(cycle) => {
                self.calendar.enter(cycle + self.after_fetch, Event::Fetched { warp: warp as u8 });
            }
            Fetch::Miss => {}
            Fetch::Refused => {
                self.front_end.refused = Some(warp as u8);
                return true;
            }
        }
        true
    }

    /// The address of the word that follows those in a warp's buffer.
    #[inline]
    fn fetch_pc(&self, warp: usize, meaning: &impl Meaning) -> u32 {
        meaning.pc(warp).wrapping_add(4 * self.front_end.count(warp))
    }

    #[inline]
    fn find_row(&self, pc: u32, meaning: &impl Meaning) -> Row {
        match self.rows.find(pc) {
            Some(row) => *row,
            None => {
                let next = meaning.instruction(pc.wrapping_add(4));
                Row::new(meaning.instruction(pc).as_ref(), next.as_ref(), &self.config)
            }
        }
    }

    /// The instruction at `pc` is a warp's oldest one.
    #[inline]
    pub(super) fn load_head(&mut self, warp: usize, pc: u32, meaning: &impl Meaning) {
        self.heads[warp & 31] = Some(self.find_row(pc, meaning));
    }

    /// Looks again whether a warp's oldest instruction can be issued.
    #[inline]
    pub(super) fn refresh(&mut self, warp: usize) {
        let bit = 1 << warp;
        self.ready &= !bit;
        if let Some(row) = &self.heads[warp & 31]
            && self.held & bit == 0
            && !self.scoreboard.blocks(warp, row.registers)
        {
            self.ready |= bit;
        }
    }
}

/// The numbers of the bits of a set, lowest first.
pub(super) fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as usize;
            set &= set - 1;
            bit
        })
    })
}
