//! Runs launches in timed mode and shows them, cycle by cycle, to a trace and a profile.
//!
//! Before: whoever launches (a program, the graphics device, a workload) is given it as a [`Launcher`]. After: [`Watch::finish`].

use std::rc::Rc;

use gpu_core::gpu::{Gpu, LaunchError, LaunchReport, Mode, RunState};
use gpu_core::launcher::Launcher;
use gpu_core::observe::{AccessInFlight, Moment, Stall, StallReason, TimedObserver};
use gpu_core::program::Program;
use gpu_core::retired::Retired;
use gpu_core::trap::{BarrierScope, Trap};
use gpu_core::units::{Address, ThreadMask, WarpId};

use crate::inspect::code::Code;
use crate::inspect::profile::Profile;
use crate::inspect::trace::{Trace, TraceError, TraceSummary};

/// A launcher that watches.
#[derive(Debug, Default)]
pub struct Watch {
    trace: Option<Trace>,
    profile: Option<Profile>,
    /// Why launches are stopped.
    refusal: Option<TraceError>,
    /// Programs that were launched, and what is known of their instructions.
    known: Vec<(Program, Rc<Code>)>,
    last_issued: LastIssued,
    /// Whether what is seen now goes into the trace.
    is_traced: bool,
}

/// The instruction that each warp of each core issued last, as far as it was seen.
#[derive(Clone, Debug, Default)]
struct LastIssued {
    warps: usize,
    pcs: Vec<Option<Address>>,
}

impl LastIssued {
    fn new(cores: usize, warps: usize) -> Self {
        Self { warps, pcs: vec![None; cores * warps] }
    }

    fn of(&mut self, moment: Moment, warp: WarpId) -> &mut Option<Address> {
        &mut self.pcs[moment.core.index() * self.warps + warp.index()]
    }

    /// The instruction to blame for a stall. A branch, an atomic, a barrier has been issued and still holds its warp, whose
    /// next instruction is not at fault; for all other reasons it is the instruction that could not be issued.
    fn blamed(&mut self, moment: Moment, stall: &Stall) -> Option<(WarpId, Address)> {
        let (warp, next) = stall.warp?;
        let is_held = matches!(stall.reason, StallReason::Control | StallReason::Barrier | StallReason::Synchronize);
        let pc = self.of(moment, warp).filter(|_| is_held).unwrap_or(next);
        Some((warp, pc))
    }
}

impl Watch {
    /// Watches for a trace, a profile, both, or neither.
    pub fn new(trace: Option<Trace>, profile: Option<Profile>) -> Self {
        Self { trace, profile, ..Self::default() }
    }

    /// What was seen, after the last launch; also after one that trapped.
    ///
    /// # Errors
    /// There is no trace. If that is why a launch was stopped, its [`LaunchError::Stopped`] has nothing to add.
    pub fn finish(self) -> Result<(Option<TraceSummary>, Option<Profile>), TraceError> {
        if let Some(refusal) = self.refusal {
            return Err(refusal);
        }
        let summary = self.trace.map(Trace::finish).transpose()?;
        Ok((summary, self.profile))
    }

    /// Whether anything has been launched.
    pub fn has_launched(&self) -> bool {
        !self.known.is_empty()
    }

    /// Whether launches are stopped because the trace cannot go on.
    pub fn has_stopped(&self) -> bool {
        self.refusal.is_some()
    }

    fn code_of(&mut self, program: &Program) -> Rc<Code> {
        if let Some((_, code)) = self.known.iter().find(|(known, _)| known == program) {
            return Rc::clone(code);
        }
        let code = Rc::new(Code::new(program));
        self.known.push((program.clone(), Rc::clone(&code)));
        code
    }

    /// Runs the started program to its end, in steps where it is traced.
    fn run(&mut self, gpu: &mut Gpu) -> Result<(), LaunchError> {
        loop {
            let from = gpu.cycle();
            let (cycles, is_traced) = self.trace.as_ref().map_or((u64::MAX, false), |trace| trace.next_step(from));
            self.is_traced = is_traced;
            let outcome = if is_traced || self.profile.is_some() {
                gpu.resume_cycles_observed(cycles, self)
            } else {
                gpu.resume_cycles(cycles)
            };
            if let Some(trace) = self.trace.as_mut().filter(|_| is_traced)
                && let Err(refusal) = trace.end_step(from, gpu.cycle())
            {
                self.refusal = Some(refusal);
                return Err(LaunchError::Stopped);
            }
            if outcome? == RunState::Ended {
                return Ok(());
            }
        }
    }

    fn end_launch(&mut self, report: &LaunchReport, trap: Option<&Trap>) {
        let timed = report.timed.as_ref().expect("the launch was timed");
        if let Some(trace) = &mut self.trace {
            trace.end_launch(timed.counters.cycles, trap);
        }
        if let Some(profile) = &mut self.profile {
            profile.end_launch(&timed.counters);
        }
    }
}

impl Launcher for Watch {
    fn launch(&mut self, gpu: &mut Gpu, program: &Program, argument: Address) -> Result<LaunchReport, LaunchError> {
        if self.refusal.is_some() {
            return Err(LaunchError::Stopped);
        }
        gpu.set_mode(Mode::Timed);
        gpu.start(program, argument)?;
        let code = self.code_of(program);
        self.last_issued = LastIssued::new(gpu.config().cores as usize, gpu.config().warps as usize);
        if let Some(trace) = &mut self.trace {
            trace.begin_launch(&code);
        }
        if let Some(profile) = &mut self.profile {
            profile.begin_launch(&code);
        }
        let outcome = self.run(gpu);
        let report = gpu.report();
        let trap = match &outcome {
            Err(LaunchError::Trap(trap)) => Some(&**trap),
            _ => None,
        };
        self.end_launch(&report, trap);
        outcome.map(|()| report)
    }
}

impl TimedObserver for Watch {
    fn issued(&mut self, moment: Moment, warp: WarpId, slot: u32, retired: &Retired) {
        *self.last_issued.of(moment, warp) = Some(retired.pc);
        if let Some(profile) = &mut self.profile {
            profile.issued(retired);
        }
        if let Some(trace) = self.trace.as_mut().filter(|_| self.is_traced) {
            trace.issued(moment, warp, slot, retired);
        }
    }

    fn stalled(&mut self, moment: Moment, stall: Stall) {
        let warp = self.last_issued.blamed(moment, &stall);
        if let Some(profile) = &mut self.profile {
            profile.stalled(&stall, warp.map(|(_, pc)| pc));
        }
        if let Some(trace) = self.trace.as_mut().filter(|_| self.is_traced) {
            trace.stalled(moment, stall, warp);
        }
    }

    fn access_began(&mut self, moment: Moment, access: AccessInFlight) {
        if let Some(trace) = self.trace.as_mut().filter(|_| self.is_traced) {
            trace.access_began(moment, access);
        }
    }

    fn access_ended(&mut self, moment: Moment, access: AccessInFlight) {
        if let Some(trace) = self.trace.as_mut().filter(|_| self.is_traced) {
            trace.access_ended(moment, access);
        }
    }

    fn barrier_reached(&mut self, moment: Moment, warp: WarpId, scope: BarrierScope, id: u32) {
        if let Some(trace) = self.trace.as_mut().filter(|_| self.is_traced) {
            trace.barrier_reached(moment, warp, scope, id);
        }
    }

    fn barrier_released(&mut self, moment: Moment, warps: u32) {
        if let Some(trace) = self.trace.as_mut().filter(|_| self.is_traced) {
            trace.barrier_released(moment, warps);
        }
    }

    fn mask_changed(&mut self, moment: Moment, warp: WarpId, pc: Address, before: ThreadMask, after: ThreadMask) {
        if let Some(trace) = self.trace.as_mut().filter(|_| self.is_traced) {
            trace.mask_changed(moment, warp, pc, [before, after]);
        }
    }
}
