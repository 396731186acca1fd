//! Launches in timed mode: choosing it, and going on by cycles.
//!
//! Before: [`Gpu::start`] has set the cores up. After: `timed` runs them; the report has cycles and counters.

use super::{Gpu, Mode, RunState};
use crate::meeting::Outcome;
use crate::observe::TimedObserver;
use crate::timed::{Timed, TimedLimits};
use crate::trap::Trap;

impl Gpu {
    /// Models time, or does not, from the next [`Gpu::start`] or [`Gpu::launch`] on.
    pub fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
    }

    /// How launches run.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether launches in timed mode find the caches as the last one left them; otherwise they are empty.
    pub fn keep_caches(&mut self, keeps: bool) {
        self.keeps_caches = keeps;
    }

    /// Begins a timed run, in timed mode, of cores that have been started.
    pub(super) fn start_time(&mut self) {
        let last = self.timed.take();
        self.timed = match (self.mode, last) {
            (Mode::Untimed, _) => None,
            (Mode::Timed, Some(last)) if self.keeps_caches => Some(Timed::with_caches_of(last, &self.cores)),
            (Mode::Timed, _) => Some(Timed::new(&self.cores)),
        };
    }

    /// Cycles of the launch so far; none have passed in untimed mode. After a trap: the cycle of the trap.
    pub fn cycle(&self) -> u64 {
        self.timed.as_ref().map_or(0, Timed::cycle)
    }

    /// Runs the program, which was started in timed mode, on until it ends or `cycles` more have passed.
    ///
    /// # Errors
    /// As [`Gpu::resume`].
    ///
    /// # Panics
    /// The program was started in untimed mode.
    pub fn resume_cycles(&mut self, cycles: u64) -> Result<RunState, Box<Trap>> {
        self.resume_timed(cycles, u64::MAX)
    }

    /// The same, showing what happens in each cycle to `observer`; one host thread.
    ///
    /// # Errors
    /// As [`Gpu::resume`].
    ///
    /// # Panics
    /// The program was started in untimed mode.
    pub fn resume_cycles_observed(
        &mut self,
        cycles: u64,
        observer: &mut impl TimedObserver,
    ) -> Result<RunState, Box<Trap>> {
        self.resume_watched(cycles, u64::MAX, observer)
    }

    pub(super) fn resume_timed(&mut self, cycles: u64, instructions: u64) -> Result<RunState, Box<Trap>> {
        let limits = TimedLimits { cycles, instructions, tohost: self.limits(0).tohost };
        let Self { timed, cores, memory, host_threads, .. } = self;
        let timed = timed.as_mut().expect("the program was started in timed mode");
        let threads = host_threads.as_ref().map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads());
        let outcome = timed.run_shared(cores, memory, limits, threads);
        self.conclude_timed(outcome)
    }

    pub(super) fn resume_watched<O: TimedObserver>(
        &mut self,
        cycles: u64,
        instructions: u64,
        observer: &mut O,
    ) -> Result<RunState, Box<Trap>> {
        let limits = TimedLimits { cycles, instructions, tohost: self.limits(0).tohost };
        let Self { timed, cores, memory, .. } = self;
        let timed = timed.as_mut().expect("the program was started in timed mode");
        let outcome = timed.run_alone(cores, memory, limits, observer);
        self.conclude_timed(outcome)
    }

    fn conclude_timed(&self, outcome: Result<Outcome, Box<Trap>>) -> Result<RunState, Box<Trap>> {
        if let (Ok(Outcome::Ended), Some(timed)) = (&outcome, &self.timed) {
            debug_assert_eq!(timed.broken_laws(), Vec::<String>::new());
        }
        self.conclude(outcome)
    }
}
