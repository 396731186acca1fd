//! Running without time: every core as far as it can go, meeting the others between rounds.
//!
//! Before: `gpu` has started a program. After: it has ended, paused or trapped.
//!
//! A round: each core runs a slice alone, on whatever host thread; then, in core order, the requests they left are
//! served (atomics, fences), global barriers are released, and the watchdog looks. What a core does in its slice
//! depends on its own state and on memory only, so a race-free program gives the same results for any number of host
//! threads, and every program repeats exactly with one.

pub(crate) mod engine;
mod slice;
mod watchdog;

use crate::meeting::{Outcome, deadlock, end_by_tohost, release_global_barriers, trap_of_stop};
use crate::memory::Memory;
use crate::semantics::CoreState;
use crate::trap::{Trap, TrapKind};
use crate::units::Address;
use engine::{Engine, Requests, Turn};
use rayon::prelude::*;
use slice::CoreRun;
use watchdog::Watchdog;

/// Instructions of a core's slice: a millisecond or so of host work, so that meeting costs little.
const SLICE: u64 = 1 << 16;
/// Rounds with fewer instructions in all are run on one host thread: waking others would take longer.
const WORTH_SHARING: u64 = 4096;

/// What the run loop remembers of a launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    cores: Vec<CoreRun>,
    watchdog: Watchdog,
    /// Instructions of all cores so far.
    pub instructions: u64,
    /// Instructions of all cores in the last round; `None` before the first one, which is taken to be long.
    last_round: Option<u64>,
}

/// How the run loop is bounded.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Limits {
    /// Instructions after which it pauses.
    pub pause_after: u64,
    /// A word whose change from zero ends the program (riscv-tests' `tohost`).
    pub tohost: Option<Address>,
}

impl Run {
    /// A run that has not begun, for this many cores.
    pub fn new(core_count: usize) -> Self {
        Self { cores: (0..core_count).map(|_| CoreRun::default()).collect(), ..Self::default() }
    }

    /// A run that was saved between rounds. The watchdog begins anew.
    pub fn restored(next_warps: &[usize], instructions: u64) -> Self {
        let cores = next_warps.iter().map(|&next_warp| CoreRun { next_warp, ..CoreRun::default() });
        Self { cores: cores.collect(), instructions, ..Self::default() }
    }

    /// The warp of each core whose turn is next.
    pub fn next_warps(&self) -> Vec<usize> {
        self.cores.iter().map(|run| run.next_warp).collect()
    }

    /// Runs until the program has ended, pauses or traps, cores shared out to the current rayon threads.
    pub fn run_shared<E: Engine + Send>(
        &mut self,
        cores: &mut [CoreState],
        memory: &Memory,
        limits: Limits,
        engines: &mut [E],
    ) -> Result<Outcome, Box<Trap>> {
        let requests = requests_of(cores);
        self.run(cores, memory, limits, |run, cores, memory, phase| match phase {
            Phase::Slice(limit) => {
                let runnable = run.cores.iter().zip(&*cores).filter(|(run, core)| run.can_run(core)).count();
                let was_long = run.last_round.is_none_or(|instructions| instructions >= WORTH_SHARING);
                let is_shared = runnable > 1 && was_long && rayon::current_num_threads() > 1;
                let slice = Turn { memory, requests, is_alone: !is_shared, limit };
                if is_shared {
                    let all = run.cores.par_iter_mut().zip(cores.par_iter_mut()).zip(engines.par_iter_mut());
                    all.for_each(|((run, core), engine)| run.run_slice(core, slice, engine));
                } else {
                    for ((run, core), engine) in run.cores.iter_mut().zip(cores).zip(&mut *engines) {
                        run.run_slice(core, slice, engine);
                    }
                }
            }
            Phase::Serve => {
                for ((run, core), engine) in run.cores.iter_mut().zip(cores).zip(&mut *engines) {
                    run.serve_request(core, memory, engine);
                }
            }
        })
    }

    /// The same on the calling thread alone, one engine for all cores.
    pub fn run_alone<E: Engine>(
        &mut self,
        cores: &mut [CoreState],
        memory: &Memory,
        limits: Limits,
        engine: &mut E,
    ) -> Result<Outcome, Box<Trap>> {
        let requests = requests_of(cores);
        self.run(cores, memory, limits, |run, cores, memory, phase| {
            for (run, core) in run.cores.iter_mut().zip(cores) {
                match phase {
                    Phase::Slice(limit) => {
                        run.run_slice(core, Turn { memory, requests, is_alone: true, limit }, engine);
                    }
                    Phase::Serve => run.serve_request(core, memory, engine),
                }
            }
        })
    }

    fn run(
        &mut self,
        cores: &mut [CoreState],
        memory: &Memory,
        limits: Limits,
        mut cores_do: impl FnMut(&mut Self, &mut [CoreState], &Memory, Phase),
    ) -> Result<Outcome, Box<Trap>> {
        let config = cores[0].config;
        let pause_at = self.instructions.saturating_add(limits.pause_after);
        loop {
            let left = pause_at.min(config.instruction_budget).saturating_sub(self.instructions);
            let wanted = self.watchdog.slice_limit().unwrap_or(SLICE);
            let slice = wanted.min(left);
            cores_do(self, cores, memory, Phase::Slice(slice));
            cores_do(self, cores, memory, Phase::Serve);
            let mut is_progress = release_global_barriers(cores);
            if limits.tohost.is_some_and(|address| end_by_tohost(cores, memory, address)) {
                is_progress = true;
            }
            is_progress |= self.cores.iter().any(|run| run.round.is_progress);
            let executed = self.cores.iter().map(|run| run.round.instructions).sum();
            self.last_round = Some(executed);
            self.instructions += executed;

            if self.cores.iter().zip(&*cores).all(|(run, core)| !run.can_run(core)) {
                return self.finish(cores, memory);
            }
            if is_progress {
                self.watchdog.note_progress();
            } else if slice < wanted {
                self.watchdog.note_short_round();
            } else if self.watchdog.sees_cycle(executed, config.progress_interval, cores, &self.cores, memory) {
                let kind = TrapKind::NoProgress { instructions: self.watchdog.idle_instructions() };
                return Err(self.stop(cores, memory, kind));
            }
            if self.instructions >= config.instruction_budget {
                return Err(self.stop(cores, memory, TrapKind::Budget { budget: config.instruction_budget }));
            }
            if self.instructions >= pause_at {
                return Ok(Outcome::Paused);
            }
        }
    }

    /// Nothing can run: the program has ended, a core has trapped (the lowest is reported), or barriers wait for ever.
    fn finish(&mut self, cores: &[CoreState], memory: &Memory) -> Result<Outcome, Box<Trap>> {
        if let Some(trap) = self.cores.iter_mut().find_map(|run| run.trap.take()) {
            return Err(trap);
        }
        match deadlock(cores, memory) {
            Some(trap) => Err(trap),
            None => Ok(Outcome::Ended),
        }
    }

    /// The trap of a machine that is stopped from outside, at the lowest warp that could run; a core's own trap first.
    fn stop(&mut self, cores: &[CoreState], memory: &Memory, kind: TrapKind) -> Box<Trap> {
        if let Some(trap) = self.cores.iter_mut().find_map(|run| run.trap.take()) {
            return trap;
        }
        trap_of_stop(cores, memory, kind)
    }
}

/// What all cores do next.
#[derive(Copy, Clone, Debug)]
enum Phase {
    /// Run for at most this many instructions.
    Slice(u64),
    /// Serve the request that the slice left.
    Serve,
}

fn requests_of(cores: &[CoreState]) -> Requests {
    if cores.len() == 1 { Requests::AtOnce } else { Requests::Deferred }
}
