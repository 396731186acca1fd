//! The edge of a window: what happens where all cores have come to the same cycle.
//!
//! Before: every core has run the window alone. After: the next window, or the end of the run.

use super::TimedLimits;
use super::seat::{Pending, Seated};
use super::watchdog::Watchdog;
use crate::config::GpuConfig;
use crate::meeting::{Outcome, deadlock, end_by_tohost, release_global_barriers, trap_of_stop};
use crate::memory::Memory;
use crate::observe::TimedObserver;
use crate::retired::Request;
use crate::semantics::CoreState;
use crate::timing::core::Stop;
use crate::timing::shared_level::SharedLevel;
use crate::trap::{Trap, TrapKind};

/// Cores in the order of their numbers, in parts that may belong to different host threads; all but the last have the same length.
pub(super) type Parts<'p, 'a> = [&'p mut [Seated<'a>]];

/// What all cores do next.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// They run to the start of this cycle.
    pub end: u64,
    /// Instructions that each of them may issue.
    pub instructions: u64,
}

/// How the cores came out of a window.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Stops {
    /// One has trapped.
    pub is_trapped: bool,
    /// One has issued as much as it may.
    pub is_exhausted: bool,
    /// All have nothing left to do.
    pub is_drained: bool,
}

impl Stops {
    /// Before any core has run.
    pub const NONE: Self = Self { is_trapped: false, is_exhausted: false, is_drained: true };

    /// Adds how one core came out.
    fn add(&mut self, stop: Stop) {
        self.is_trapped |= stop == Stop::Trapped;
        self.is_exhausted |= stop == Stop::Exhausted;
        self.is_drained &= stop == Stop::Drained;
    }
}

impl Window {
    /// Lets some cores run the window.
    pub fn run_cores<O: TimedObserver>(self, cores: &mut [Seated<'_>], memory: &Memory, observer: &mut O) -> Stops {
        let mut stops = Stops::NONE;
        for core in cores {
            let issue_limit = core.seat.core.issued().saturating_add(self.instructions);
            stops.add(core.run(self.end, issue_limit, memory, observer));
        }
        stops
    }
}

/// What a launch keeps from run to run.
pub(super) struct RunState<'r> {
    pub shared: &'r mut SharedLevel,
    pub watchdog: &'r mut Watchdog,
    pub cycle: &'r mut u64,
    pub instructions: &'r mut u64,
}

/// A run under way.
pub(super) struct Run<'r> {
    memory: &'r Memory,
    shared: &'r mut SharedLevel,
    watchdog: &'r mut Watchdog,
    cycle: &'r mut u64,
    instructions: &'r mut u64,
    tohost: Option<crate::units::Address>,
    /// Cycles of a window.
    length: u64,
    progress_interval: u64,
    budget: u64,
    pause_at_cycle: u64,
    pause_at_instruction: u64,
    /// No core does anything before this cycle.
    wakes_at: u64,
    /// Cores that do something in the next window.
    awake: usize,
    /// Instructions issued so far by all cores.
    issued: u64,
}

impl<'r> Run<'r> {
    /// A run that goes on from `cycle`, where `instructions` had been executed at the last edge.
    pub fn new(
        state: RunState<'r>,
        config: &GpuConfig,
        memory: &'r Memory,
        limits: TimedLimits,
        parts: &Parts<'_, '_>,
    ) -> Self {
        let RunState { shared, watchdog, cycle, instructions } = state;
        let issued = issued(parts);
        Self {
            memory,
            tohost: limits.tohost,
            length: shared.look_ahead(),
            shared,
            progress_interval: config.progress_interval,
            budget: config.instruction_budget,
            pause_at_cycle: cycle.saturating_add(limits.cycles),
            pause_at_instruction: issued.saturating_add(limits.instructions),
            wakes_at: *cycle,
            awake: all(parts).count(),
            issued,
            watchdog,
            cycle,
            instructions,
        }
    }

    /// The next window: to the edge after the first cycle in which something happens.
    pub fn next_window(&self) -> Window {
        let edge = (self.wakes_at.max(*self.cycle) / self.length + 1) * self.length;
        let instructions = self.budget.min(self.pause_at_instruction).saturating_sub(self.issued);
        Window { end: edge.min(self.pause_at_cycle), instructions }
    }

    /// Cores that do something in the next window, about.
    pub fn awake(&self) -> usize {
        self.awake
    }

    /// All cores have run the window. Gives how the run ends, if it does.
    pub fn meet<O: TimedObserver>(
        &mut self,
        parts: &mut Parts<'_, '_>,
        window: Window,
        stops: Stops,
        observer: &mut O,
    ) -> Option<Result<Outcome, Box<Trap>>> {
        self.issued = issued(parts);
        if stops.is_trapped {
            return Some(Err(self.first_trap(parts)));
        }
        if stops.is_exhausted {
            let running = all(parts).filter(|core| !core.seat.is_drained);
            *self.cycle = running.map(|core| core.seat.core.now()).min().unwrap_or(window.end);
            return Some(self.check_budget(parts).map(|()| Outcome::Paused));
        }
        if stops.is_drained {
            *self.cycle = all(parts).map(|core| core.seat.core.now()).max().expect("a machine has a core");
            return Some(Ok(Outcome::Ended));
        }
        *self.cycle = window.end;
        if window.end.is_multiple_of(self.length)
            && let Err(trap) = self.edge(parts, observer)
        {
            return Some(Err(trap));
        }
        if *self.cycle >= self.pause_at_cycle || self.issued >= self.pause_at_instruction {
            return Some(Ok(Outcome::Paused));
        }
        None
    }

    fn edge<O: TimedObserver>(&mut self, parts: &mut Parts<'_, '_>, observer: &mut O) -> Result<(), Box<Trap>> {
        let mut needs = Needs::default();
        for core in parts.iter_mut().flat_map(|part| part.iter_mut()) {
            needs.add(core);
        }
        if needs.asks_memory {
            self.serve_memory(parts);
        }
        if needs.has_requests {
            self.serve_requests(parts);
        }
        if needs.waits_globally {
            needs.is_progress |= release_global_barriers(&mut states(parts));
            for core in parts.iter_mut().flat_map(|part| part.iter_mut()) {
                core.release_global(self.memory, observer);
            }
        }
        if let Some(address) = self.tohost
            && end_by_tohost(&mut states(parts), self.memory, address)
        {
            needs.is_progress = true;
            for core in parts.iter_mut().flat_map(|part| part.iter_mut()) {
                core.seat.core.end_all();
            }
        }
        if needs.shows_counters {
            for core in parts.iter_mut().flat_map(|part| part.iter_mut()) {
                core.seat.left.shared = self.shared.counters();
            }
        }
        self.watch(parts, needs.is_progress)?;
        self.check_budget(parts)?;
        self.find_awake(parts)
    }

    /// Finds when the next core does something; a trap if none ever will.
    fn find_awake(&mut self, parts: &Parts<'_, '_>) -> Result<(), Box<Trap>> {
        let next_edge = *self.cycle + self.length;
        (self.wakes_at, self.awake) = (u64::MAX, 0);
        for wakes_at in all(parts).map(Seated::wakes_at) {
            self.wakes_at = self.wakes_at.min(wakes_at);
            self.awake += usize::from(wakes_at < next_edge);
        }
        if self.wakes_at == u64::MAX {
            let now: Vec<&CoreState> = all(parts).map(|core| &*core.state).collect();
            if let Some(trap) = deadlock(&now, self.memory) {
                return Err(trap);
            }
            // The last instruction has just been committed: the cores find out that they have ended.
            self.wakes_at = *self.cycle;
        }
        Ok(())
    }

    /// The shared level serves what the cores asked of it.
    fn serve_memory(&mut self, parts: &mut Parts<'_, '_>) {
        for core in parts.iter_mut().flat_map(|part| part.iter_mut()) {
            self.shared.collect(core.state.id, core.seat.core.memory_mut());
        }
        self.shared.serve();
        for core in parts.iter_mut().flat_map(|part| part.iter_mut()) {
            self.shared.deliver(core.state.id, core.seat.core.memory_mut());
            core.seat.core.answered_below();
        }
    }

    /// Completes atomics and fences in the order (cycle, core, warp). A fence waits for its warp's accesses.
    fn serve_requests(&mut self, parts: &mut Parts<'_, '_>) {
        let mut due: Vec<(usize, Pending)> = Vec::new();
        for (index, core) in parts.iter_mut().flat_map(|part| part.iter_mut()).enumerate() {
            let seat = &mut *core.seat;
            let is_due = |pending: &mut Pending| {
                let under_way = seat.core.accesses_under_way(pending.warp.index());
                pending.retired.request != Some(Request::Fence) || under_way == 0
            };
            due.extend(seat.left.pending.extract_if(.., is_due).map(|pending| (index, pending)));
        }
        due.sort_by_key(|(core, pending)| (pending.cycle, *core, pending.warp));
        let length = parts[0].len();
        for (core, pending) in due {
            parts[core / length][core % length].serve(pending, self.memory);
        }
    }

    /// Lets the watchdog see a window.
    fn watch(&mut self, parts: &mut Parts<'_, '_>, is_progress: bool) -> Result<(), Box<Trap>> {
        let executed = self.issued - std::mem::replace(self.instructions, self.issued);
        if is_progress {
            self.watchdog.note_progress();
            return Ok(());
        }
        if !self.watchdog.wants_to_look(executed, self.progress_interval) {
            return Ok(());
        }
        let cores = parts.iter_mut().flat_map(|part| part.iter_mut());
        let moved: Vec<u32> = cores.map(|core| std::mem::take(&mut core.seat.left.moved)).collect();
        let now: Vec<&CoreState> = all(parts).map(|core| &*core.state).collect();
        if self.watchdog.sees_cycle(&now, &moved, self.memory) {
            let kind = TrapKind::NoProgress { instructions: self.watchdog.idle_instructions() };
            return Err(trap_of_stop(&now, self.memory, kind));
        }
        Ok(())
    }

    fn check_budget(&self, parts: &Parts<'_, '_>) -> Result<(), Box<Trap>> {
        if self.issued < self.budget || all(parts).all(|core| core.state.active_warps() == 0) {
            return Ok(());
        }
        let now: Vec<&CoreState> = all(parts).map(|core| &*core.state).collect();
        Err(trap_of_stop(&now, self.memory, TrapKind::Budget { budget: self.budget }))
    }

    /// The trap of the smallest (cycle, core, warp).
    fn first_trap(&mut self, parts: &Parts<'_, '_>) -> Box<Trap> {
        let trapped = all(parts).filter_map(|core| Some((core.seat.core.now(), core.seat.left.trap.as_ref()?)));
        let (cycle, trap) = trapped.min_by_key(|(cycle, _)| *cycle).expect("a core has trapped");
        *self.cycle = cycle;
        trap.clone()
    }
}

/// What the cores need at an edge.
#[derive(Default)]
struct Needs {
    asks_memory: bool,
    has_requests: bool,
    waits_globally: bool,
    shows_counters: bool,
    is_progress: bool,
}

impl Needs {
    fn add(&mut self, core: &mut Seated<'_>) {
        let left = &mut core.seat.left;
        self.has_requests |= !left.pending.is_empty();
        self.waits_globally |= left.waits_globally;
        self.is_progress |= std::mem::take(&mut left.is_progress);
        self.shows_counters |= core.state.counter_class != 0;
        self.asks_memory |= !core.seat.core.memory_mut().outgoing().is_empty();
    }
}

/// All cores.
fn all<'s, 'p, 'a>(parts: &'s Parts<'p, 'a>) -> impl Iterator<Item = &'s Seated<'a>> + use<'s, 'p, 'a> {
    parts.iter().flat_map(|part| part.iter())
}

fn states<'s>(parts: &'s mut Parts<'_, '_>) -> Vec<&'s mut CoreState> {
    parts.iter_mut().flat_map(|part| part.iter_mut()).map(|core| &mut *core.state).collect()
}

/// Instructions that all cores have issued.
fn issued(parts: &Parts<'_, '_>) -> u64 {
    all(parts).map(|core| core.seat.core.issued()).sum()
}
