//! A trace: what happened in which cycle, as a file that Perfetto and chrome://tracing open.
//!
//! Before: `watch` lets the machine run in steps, and says what was seen. After: a file, whole or not at all. Events go to it step by step;
//! before each step is written it is known that the trace could end there and be small enough.

mod core_trace;
mod error;
mod event;
mod header;
#[cfg(test)]
mod tests;
mod window;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use gpu_core::config::GpuConfig;
use gpu_core::observe::{AccessInFlight, Moment, Stall};
use gpu_core::retired::Retired;
use gpu_core::trap::{BarrierScope, Trap};
use gpu_core::units::{Address, ThreadMask, WarpId};

pub use error::TraceError;
pub use window::{Limit, Window};

use crate::inspect::code::Code;
use crate::load::PendingFile;
use core_trace::CoreTrace;
use event::{Details, Event, Events, Track};

/// Cycles of a step: counters are shown for as many.
pub const STEP_CYCLES: u64 = 64;

/// What ends the file.
const FOOTER: &[u8] = b"\n]}\n";

/// What the text of another window may take more in the header.
const SLACK_BYTES: u64 = 64;

/// What is to be traced, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceOptions {
    /// The file.
    pub file: PathBuf,
    /// Which cycles.
    pub window: Window,
    /// The most bytes.
    pub limit: Limit,
}

/// A trace being written.
#[derive(Debug)]
pub struct Trace {
    options: TraceOptions,
    file: PendingFile,
    /// Bytes in the file.
    written: u64,
    /// Events that are not in it yet.
    events: Events,
    /// Cycles of the launches before this one.
    before: u64,
    launches: u32,
    code: Rc<Code>,
    cores: Vec<CoreTrace>,
    /// The traced cycles of this launch.
    traced: Option<[u64; 2]>,
    /// Up to here the window fits.
    fits: Option<u64>,
}

/// What a finished trace is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceSummary {
    /// Where it lies.
    pub file: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// The cycles it shows.
    pub window: Window,
}

impl Trace {
    /// Begins the file; `machine` is what the machine is called.
    ///
    /// # Errors
    /// It cannot be written there.
    pub fn create(options: TraceOptions, machine: &str, config: &GpuConfig) -> Result<Self, TraceError> {
        let file = PendingFile::create(&options.file)?;
        let slots = config.timing.issue.width;
        let cores = 0..config.cores as usize;
        Ok(Self {
            file,
            written: 0,
            events: Events(header::header(&options, machine, config)),
            before: 0,
            launches: 0,
            code: Rc::new(Code::default()),
            cores: cores.map(|core| CoreTrace::new(core, config.warps as usize, slots as usize)).collect(),
            traced: None,
            fits: None,
            options,
        })
    }

    /// Where it will lie.
    pub fn path(&self) -> &Path {
        &self.options.file
    }

    /// A launch of this code begins.
    pub fn begin_launch(&mut self, code: &Rc<Code>) {
        self.code = Rc::clone(code);
        self.traced = None;
    }

    /// How far a launch that has come to `cycle` may run on, and whether that is to be seen.
    pub fn next_step(&self, cycle: u64) -> (u64, bool) {
        let Window { start, end } = self.options.window;
        let now = self.before + cycle;
        if now < start {
            (start - now, false)
        } else if now >= end {
            (u64::MAX, false)
        } else {
            ((STEP_CYCLES - (now - start) % STEP_CYCLES).min(end - now), true)
        }
    }

    /// All of a step has been seen.
    ///
    /// # Errors
    /// The trace becomes too large, or the system refuses to write.
    pub fn end_step(&mut self, from: u64, to: u64) -> Result<(), TraceError> {
        let [from, to] = [from, to].map(|cycle| self.before + cycle);
        for core in &mut self.cores {
            core.sample([from, to], &mut self.events);
        }
        self.traced = Some([self.traced.map_or(from, |[first, _]| first), to]);
        let mut closing = Events::default();
        self.close(&mut closing);
        let bytes = [self.events.0.len(), closing.0.len(), FOOTER.len()].map(|bytes| bytes as u64);
        let TraceOptions { window, limit, .. } = self.options;
        if self.written + bytes.iter().sum::<u64>() + SLACK_BYTES > limit.0 {
            return Err(match self.fits {
                Some(end) => TraceError::TooLarge { limit, fits: Window { start: window.start, end } },
                None => TraceError::TooSmall { limit, cycles: to - window.start },
            });
        }
        self.flush()?;
        self.fits = Some(to);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), TraceError> {
        self.file.write(&self.events.0)?;
        self.written += self.events.0.len() as u64;
        self.events.0.clear();
        Ok(())
    }

    /// What is still to be said of this launch if nothing more is seen of it.
    fn close(&self, out: &mut Events) {
        let Some(traced) = self.traced else { return };
        for core in &self.cores {
            core.close(traced[1], &self.code, out);
        }
        let name = format!("launch {}", self.launches);
        let note = self.code.name();
        let details = Details { note: Some(&note), ..Details::default() };
        out.push(&Event::complete("launch", name, Track::LAUNCHES, traced, details));
    }

    /// The launch has ended, after so many cycles, at a trap or at its end.
    pub fn end_launch(&mut self, cycles: u64, trap: Option<&Trap>) {
        let mut events = std::mem::take(&mut self.events);
        self.close(&mut events);
        if let (Some(trap), Some([_, last])) = (trap, self.traced)
            && last == self.before + cycles
        {
            let note = trap.to_string();
            let details = Details { note: Some(&note), ..Details::default() };
            let track = Track::warp(trap.core.index(), trap.warp.index());
            events.push(&Event::instant("trap", "trap", track, last, details));
        }
        self.events = events;
        self.cores.iter_mut().for_each(CoreTrace::forget);
        self.before += cycles;
        self.launches += 1;
        self.traced = None;
    }

    /// Ends the file and puts it in its place.
    ///
    /// # Errors
    /// The run ended before the window began, or the system refuses to write.
    pub fn finish(mut self) -> Result<TraceSummary, TraceError> {
        let window = self.options.window;
        if self.before <= window.start {
            return Err(TraceError::Missed { cycles: self.before, window });
        }
        self.flush()?;
        self.file.write(FOOTER)?;
        let bytes = self.written + FOOTER.len() as u64;
        self.file.commit()?;
        let end = window.end.min(self.before);
        Ok(TraceSummary { file: self.options.file, bytes, window: Window { end, ..window } })
    }

    /// Splits into the core that something happened on, when, and what the event needs.
    fn at(&mut self, moment: Moment) -> (&mut CoreTrace, u64, &Code, &mut Events) {
        (&mut self.cores[moment.core.index()], self.before + moment.cycle, &self.code, &mut self.events)
    }

    /// A warp issued an instruction.
    pub fn issued(&mut self, moment: Moment, warp: WarpId, slot: u32, retired: &Retired) {
        let (core, now, code, out) = self.at(moment);
        core.issued(now, warp, slot, retired, code, out);
    }

    /// An issue slot issued nothing; `warp` is the warp and instruction to blame.
    pub fn stalled(&mut self, moment: Moment, stall: Stall, warp: Option<(WarpId, Address)>) {
        let (core, now, code, out) = self.at(moment);
        core.stalled(now, stall, warp, code, out);
    }

    /// An access was handed to its unit.
    pub fn access_began(&mut self, moment: Moment, access: AccessInFlight) {
        let (core, now, code, out) = self.at(moment);
        core.access_began(now, access, code, out);
    }

    /// Its last answer came.
    pub fn access_ended(&mut self, moment: Moment, access: AccessInFlight) {
        let (core, now, code, out) = self.at(moment);
        core.access_ended(now, access, code, out);
    }

    /// A warp arrived at a barrier.
    pub fn barrier_reached(&mut self, moment: Moment, warp: WarpId, scope: BarrierScope, id: u32) {
        let (core, now, code, out) = self.at(moment);
        core.barrier_reached(now, warp, scope, id, code, out);
    }

    /// A barrier let these warps go on.
    pub fn barrier_released(&mut self, moment: Moment, warps: u32) {
        let (core, now, code, out) = self.at(moment);
        core.barrier_released(now, warps, code, out);
    }

    /// Other lanes of a warp are active.
    pub fn mask_changed(&mut self, moment: Moment, warp: WarpId, pc: Address, masks: [ThreadMask; 2]) {
        let (core, now, code, out) = self.at(moment);
        core.mask_changed(now, warp, pc, masks, code, out);
    }
}
