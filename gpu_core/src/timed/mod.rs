//! Running in time: all cores advance in windows, and meet at the windows' edges.
//!
//! Before: `gpu` has started a program. After: it has ended, paused or trapped, and every core has counted its cycles.
//!
//! A window is no longer than the latency from a core to the level that cores share, so nothing that one core does in it can
//! reach another core before the edge. There, in the order (cycle, core, warp), the shared level serves what went out,
//! atomics and fences are completed, global barriers are met. So the cycles of a race-free program do not depend on how
//! many host threads run the cores, and every program repeats exactly with one.

mod edge;
mod seat;
mod watchdog;
mod workers;

use crate::config::GpuConfig;
use crate::counters::{Block, CoreCounters, Counters};
use crate::meeting::Outcome;
use crate::memory::Memory;
use crate::observe::{TimedObserver, Unwatched};
use crate::semantics::CoreState;
use crate::semantics::warp::WarpState;
use crate::timing::core::Core;
use crate::timing::core_memory::Start;
use crate::timing::shared_level::SharedLevel;
use crate::trap::Trap;
use crate::units::Address;
use edge::{Run, RunState};
use seat::{Left, Pending, Seat, Seated, rows_of};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use watchdog::Watchdog;

/// What a timed launch has come to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Timed {
    seats: Vec<Seat>,
    shared: SharedLevel,
    /// Every core that has something to do has come to this cycle.
    cycle: u64,
    /// Instructions at the last edge.
    instructions: u64,
    #[serde(skip)]
    watchdog: Watchdog,
}

/// What a timed launch took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedReport {
    /// From the first fetch to the end of the last access, and what the cycles were spent on.
    pub counters: Counters,
    /// The same of each core by region of the program, with the regions' numbers.
    pub regions: Vec<Vec<(u32, CoreCounters)>>,
}

impl TimedReport {
    /// Adds the counts of another launch of the same machine, core by core and region by region.
    pub fn add(&mut self, other: &Self) {
        self.counters.add(&other.counters);
        self.regions.resize_with(self.regions.len().max(other.regions.len()), Vec::new);
        for (regions, more) in self.regions.iter_mut().zip(&other.regions) {
            for (region, counted) in more {
                match regions.binary_search_by_key(region, |&(known, _)| known) {
                    Ok(place) => regions[place].1.add(counted),
                    Err(place) => regions.insert(place, (*region, counted.clone())),
                }
            }
        }
    }
}

/// Cycles or instructions that make it worth starting threads.
const WORTH_SHARING: u64 = 10_000;

/// How a timed run is bounded.
#[derive(Copy, Clone, Debug)]
pub(crate) struct TimedLimits {
    /// Cycles after which it pauses.
    pub cycles: u64,
    /// Instructions after which it pauses, about.
    pub instructions: u64,
    /// A word whose change from zero ends the program (riscv-tests' `tohost`).
    pub tohost: Option<Address>,
}

impl Timed {
    /// A run that has not begun, of cores that have been started.
    pub fn new(cores: &[CoreState]) -> Self {
        let rows = rows_of(&cores[0]);
        let seat = |state: &CoreState| Seat {
            core: Core::new(state.id, &state.config, Arc::clone(&rows)),
            left: Left::default(),
            is_drained: false,
        };
        let config = &cores[0].config;
        Self {
            seats: cores.iter().map(seat).collect(),
            shared: SharedLevel::new(&config.timing.memory, config.cores),
            cycle: 0,
            instructions: 0,
            watchdog: Watchdog::default(),
        }
    }

    /// The same, with the caches as the last launch, if it has ended, has left them.
    pub fn with_caches_of(last: Self, cores: &[CoreState]) -> Self {
        let mut new = Self::new(cores);
        if last.seats.len() == cores.len() && last.seats.iter().all(|seat| seat.core.memory().is_quiet()) {
            for (seat, last) in new.seats.iter_mut().zip(last.seats) {
                seat.core.keep_caches(last.core);
            }
            new.shared = last.shared;
            new.shared.restart(Start::Warm);
        }
        new
    }

    /// Takes up what a snapshot does not hold.
    pub fn restore(&mut self, cores: &mut [CoreState], memory: &Memory) {
        for (state, seat) in cores.iter_mut().zip(&mut self.seats) {
            Seated { state, seat }.restore(memory);
        }
    }

    /// Whether what a snapshot holds is a timed run of these cores.
    pub fn check(&self, config: &GpuConfig, cores: &[CoreState]) -> Result<(), &'static str> {
        let holds = |is_so: bool, what| if is_so { Ok(()) } else { Err(what) };
        holds(self.seats.len() == cores.len(), "the timed run has another number of cores")?;
        for (index, (seat, state)) in self.seats.iter().zip(cores).enumerate() {
            seat.core.check(index, config, state.active_warps())?;
            let requesting = |pending: &Pending| {
                let warp = state.warps.get(pending.warp.index());
                warp.is_some_and(|warp| warp.state == WarpState::Requesting) && pending.retired.mask.fits(config.lanes)
            };
            holds(seat.left.pending.iter().all(requesting), "a request is none of its warp")?;
        }
        Ok(())
    }

    /// Cycles that have passed.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// What has been counted; a core that has nothing left to do waits for the others.
    pub fn report(&self) -> TimedReport {
        let waited = |seat: &Seat| if seat.is_drained { self.cycle.saturating_sub(seat.core.now()) } else { 0 };
        let cores = self.seats.iter().map(|seat| seat.core.counters_after(waited(seat))).collect();
        let regions = self.seats.iter().map(|seat| seat.core.regions_after(waited(seat))).collect();
        let counters = Counters { cycles: self.cycle, cores, shared: self.shared.counters() };
        TimedReport { counters, regions }
    }

    /// The conservation laws that do not hold, in words, for a launch that has ended: none.
    pub fn broken_laws(&self) -> Vec<String> {
        let breaches = self.report().counters.breaches();
        let mut broken: Vec<String> = breaches.iter().map(|breach| breach.to_string()).collect();
        let mut below = [0; 3];
        for (index, seat) in self.seats.iter().enumerate() {
            let memory = seat.core.memory();
            let law = memory.broken_law();
            broken.extend(law.map(|(block, law)| format!("core {index}, {block}: {law}")));
            below.iter_mut().zip(memory.sent_below()).for_each(|(sum, part)| *sum += part);
        }
        let law = self.shared.broken_law(below);
        broken.extend(law.map(|law| format!("shared: {law:?}")));
        broken
    }

    /// Runs until the program has ended, pauses or traps, on the calling thread.
    pub fn run_alone<O: TimedObserver>(
        &mut self,
        cores: &mut [CoreState],
        memory: &Memory,
        limits: TimedLimits,
        observer: &mut O,
    ) -> Result<Outcome, Box<Trap>> {
        let (mut run, mut all) = self.begin(cores, memory, limits);
        loop {
            let window = run.next_window();
            let stops = window.run_cores(&mut all, memory, observer);
            if let Some(outcome) = run.meet(&mut [&mut all], window, stops, observer) {
                return outcome;
            }
        }
    }

    /// The same on up to `host_threads` threads.
    pub fn run_shared(
        &mut self,
        cores: &mut [CoreState],
        memory: &Memory,
        limits: TimedLimits,
        host_threads: usize,
    ) -> Result<Outcome, Box<Trap>> {
        let threads = host_threads.min(cores.len() / workers::CORES_PER_THREAD);
        if threads < 2 || limits.cycles < WORTH_SHARING || limits.instructions < WORTH_SHARING {
            return self.run_alone(cores, memory, limits, &mut Unwatched);
        }
        let (mut run, mut all) = self.begin(cores, memory, limits);
        workers::run_shared(&mut run, &mut all, memory, threads)
    }

    /// Seats the cores.
    fn begin<'r>(
        &'r mut self,
        cores: &'r mut [CoreState],
        memory: &'r Memory,
        limits: TimedLimits,
    ) -> (Run<'r>, Vec<Seated<'r>>) {
        let config = cores[0].config;
        let Self { seats, shared, cycle, instructions, watchdog } = self;
        let mut all: Vec<Seated<'r>> =
            cores.iter_mut().zip(seats).map(|(state, seat)| Seated { state, seat }).collect();
        let state = RunState { shared, watchdog, cycle, instructions };
        let run = Run::new(state, &config, memory, limits, &[&mut all]);
        (run, all)
    }
}
