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

use crate::memory::Memory;
use crate::semantics::warp::WarpState;
use crate::semantics::{CoreState, Fault, trap_at};
use crate::trap::{BarrierScope, Trap, TrapKind};
use crate::units::{Address, ThreadMask, WarpId};
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

/// Where a [`Run`] stands.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// All warps have ended.
    Ended,
    /// The limit was reached.
    Paused,
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
        let ready = cores.iter().find_map(|core| {
            let index = core.warps.iter().position(|warp| warp.state == WarpState::Ready)?;
            Some((core, WarpId(index as u8)))
        });
        let (core, warp) = ready.expect("a machine in which nothing can run has been finished, not stopped");
        trap_at(core, warp, memory, core.warps[warp.index()].pc, Fault { lanes: ThreadMask::EMPTY, kind })
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

/// Cores whose active warps have all arrived at a global barrier.
fn arrived_cores(cores: &[CoreState], id: usize) -> impl Iterator<Item = usize> {
    cores.iter().enumerate().filter_map(move |(index, core)| {
        let arrived = core.global_barriers[id].arrived;
        (arrived != 0 && arrived == core.active_warps()).then_some(index)
    })
}

/// Releases each global barrier that as many cores have reached as the lowest of them expects; whether there was one.
fn release_global_barriers(cores: &mut [CoreState]) -> bool {
    let mut is_released = false;
    for id in 0..cores[0].global_barriers.len() {
        let arrived: Vec<usize> = arrived_cores(cores, id).collect();
        let Some(&lowest) = arrived.first() else { continue };
        if (arrived.len() as u32) < cores[lowest].global_barriers[id].expected {
            continue;
        }
        for index in arrived {
            let warps = std::mem::take(&mut cores[index].global_barriers[id]).arrived;
            cores[index].wake(warps);
        }
        is_released = true;
    }
    is_released
}

/// Ends the program if the word at `address` is not zero any more; whether it is so. An odd word is
/// exit code << 1 | 1, by the convention of riscv-tests.
fn end_by_tohost(cores: &mut [CoreState], memory: &Memory, address: Address) -> bool {
    let word = memory.load(address, 4).unwrap_or(0);
    if word == 0 || cores.iter().all(|core| core.active_warps() == 0) {
        return false;
    }
    for core in &mut *cores {
        core.end_all_warps(memory);
    }
    cores[0].exit_code.get_or_insert(word >> 1);
    true
}

/// The trap of the lowest warp that waits at a barrier.
fn deadlock(cores: &[CoreState], memory: &Memory) -> Option<Box<Trap>> {
    let waiting = cores.iter().find_map(|core| {
        let mut warps = core.warps.iter().enumerate();
        let (index, scope, id) = warps.find_map(|(index, warp)| {
            let (scope, id) = warp.state.barrier()?;
            Some((index, scope, id))
        })?;
        Some((core, WarpId(index as u8), scope, id))
    });
    let (core, warp, scope, id) = waiting?;
    let (arrived, expected) = match scope {
        BarrierScope::Local => {
            let barrier = &core.barriers[id as usize];
            (barrier.arrived.count_ones(), barrier.expected)
        }
        BarrierScope::Global => {
            let arrived = arrived_cores(cores, id as usize).count() as u32;
            (arrived, core.global_barriers[id as usize].expected)
        }
    };
    // The warp waits after its `bar`.
    let pc = core.warps[warp.index()].pc.offset(4u32.wrapping_neg());
    let kind = TrapKind::Deadlock { scope, id, arrived, expected };
    Some(trap_at(core, warp, memory, pc, Fault { lanes: ThreadMask::EMPTY, kind }))
}
