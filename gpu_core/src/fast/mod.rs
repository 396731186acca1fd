//! The same meaning sooner: predecoded instructions, each run as one vectorised loop over the lanes of a warp.
//!
//! Before: the run loop of `untimed` picks a warp and how many instructions it may run. After: the warp stands where the
//! plain engine would have brought it; whatever is rare (CSRs, atomics, barriers, anything that traps) is left for
//! [`step`](crate::semantics::step), one instruction at a time. So there is one meaning, and this room may be deleted.
//! Only `gpu` imports it.
//!
//! Gain, plain engine to this one with AVX2, nanoseconds a warp-instruction at 16 lanes on a busy 2-core AMD EPYC (Zen 3),
//! least of 60 runs of the kernels of `benchmark` (`cargo bench -p gpu_core --bench machine`): arithmetic 37 → 3.8
//! (4.3 G lane-instructions/s), memory 67 → 11, divergent 29 → 6.1. The files below say what each adds.

mod access;
#[cfg(test)]
mod differential;
mod frame;
mod interpret;
mod lanes;
mod operation;

use crate::config::LOCAL_MEMORY_BASE;
use crate::isa::csr::Csr;
use crate::memory::Memory;
use crate::program::ProgramKind;
use crate::semantics::Retired;
use crate::semantics::core_state::IO_END;
use crate::semantics::warp::WarpState;
use crate::semantics::{Code, CoreState};
use crate::trap::Trap;
use crate::units::{ThreadMask, WarpId};
use crate::untimed::engine::{Engine, Plain, Turn, WarpRun};
use access::{Hint, Sharing, Space};
use frame::{Frame, MAX_CHUNKS, REGISTERS};
use interpret::Stop;
use lanes::Baseline;
use operation::{Operations, Register, UNIFORM_REGISTERS};
use std::sync::Arc;

/// Which of the host's instruction sets is used. Results do not depend on it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum HostLevel {
    /// What the compilation target promises.
    Baseline,
    /// x86-64 with AVX2, FMA and BMI.
    Avx2,
}

impl HostLevel {
    /// The best one this host has.
    pub fn detect() -> Self {
        if Self::Avx2.is_available() { Self::Avx2 } else { Self::Baseline }
    }

    /// Whether this host has it.
    pub fn is_available(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 => false,
        }
    }
}

/// A program made ready, and what one core's run of it has learnt.
#[derive(Clone, Debug)]
pub(crate) struct Fast {
    level: HostLevel,
    /// What `operations` was made from. Holding it keeps `fence.i` from changing it in place.
    code: Arc<Code>,
    operations: Arc<Operations>,
    hints: Vec<Hint>,
}

/// What a run did.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Run {
    /// Instructions executed.
    pub instructions: u64,
    /// The same, counted once for every active lane.
    pub lane_instructions: u64,
    /// Whether a store changed a word.
    pub is_progress: bool,
}

impl Fast {
    /// Makes a program ready. An unavailable level falls back to the baseline.
    pub fn new(code: &Arc<Code>, level: HostLevel) -> Self {
        let operations = Operations::new(code);
        let hints = vec![0; operations.count()];
        let level = if level.is_available() { level } else { HostLevel::Baseline };
        Self { level, code: Arc::clone(code), operations: Arc::new(operations), hints }
    }

    /// Makes `engines` one for each core, for the code they hold, keeping what fits.
    pub fn prepare(engines: &mut Vec<Self>, cores: &[CoreState], level: HostLevel) {
        let Some(code) = cores.first().map(|core| &core.code) else { return };
        let fits = |engine: &Self| engine.level == level && Arc::ptr_eq(&engine.code, code);
        if engines.len() != cores.len() || !engines.iter().all(fits) {
            *engines = vec![Self::new(code, level); cores.len()];
        }
    }

    /// Runs at most `budget` instructions of a warp that is ready; stops before the first that the plain engine must
    /// run. Counter CSRs are never read here, so `core.counters` may be stale.
    fn run(&mut self, core: &mut CoreState, warp: WarpId, memory: &Memory, budget: u64, sharing: Sharing) -> Run {
        if !Arc::ptr_eq(&core.code, &self.code) {
            *self = Self::new(&core.code, self.level);
        }
        let stride = core.warps[warp.index()].registers.stride();
        match self.level {
            // Sixteen lanes, the demo machine's, have loops of their own.
            HostLevel::Avx2 if stride == 16 => self.run_rows::<8, 2>(core, warp, memory, budget, sharing, run_avx2),
            HostLevel::Avx2 if stride.is_multiple_of(8) => {
                self.run_rows::<8, 0>(core, warp, memory, budget, sharing, run_avx2)
            }
            _ if stride.is_multiple_of(4) => self.run_rows::<4, 0>(core, warp, memory, budget, sharing, run_baseline),
            _ => Run::default(),
        }
    }

    /// Runs with rows of `LANES` lanes, of which every register has a whole number.
    fn run_rows<const LANES: usize, const CHUNKS: usize>(
        &mut self,
        core: &mut CoreState,
        warp: WarpId,
        memory: &Memory,
        budget: u64,
        sharing: Sharing,
        run_frame: impl Fn(&mut Frame<LANES, CHUNKS>, &Operations),
    ) -> Run {
        let config = &core.config;
        let mut registers = [0; UNIFORM_REGISTERS];
        for (register, value) in [
            (Register::Mscratch, core.machine_csrs.get(&Csr::Mscratch.spec().number).copied().unwrap_or(0)),
            (Register::WarpId, warp.0.into()),
            (Register::CoreId, core.id.0.into()),
            (Register::NumThreads, config.lanes),
            (Register::NumWarps, config.warps),
            (Register::NumCores, config.cores),
            (Register::LocalMemBase, LOCAL_MEMORY_BASE.0),
            (Register::TextureBank, core.warps[warp.index()].texture_bank),
        ] {
            registers[register as usize] = value;
        }
        let first_thread = (u32::from(core.id.0) * config.warps + u32::from(warp.0)) * config.lanes;
        let least = if core.program_kind == ProgramKind::Bare { IO_END.0 } else { 0 };
        let warp = &mut core.warps[warp.index()];
        // With an empty mask operands come from another lane; with another dynamic mode results are rounded otherwise.
        if warp.mask.is_empty() || warp.rounding_mode != 0 {
            return Run::default();
        }
        let chunks = warp.registers.stride() / LANES;
        let rows = warp.registers.words_mut().as_chunks_mut::<LANES>().0;
        assert_eq!(rows.len(), usize::from(REGISTERS) * chunks, "a register is a whole number of rows");
        let mut frame = Frame {
            rows,
            chunks,
            space: Space::new(memory, &mut core.local, sharing, least),
            hints: &mut self.hints,
            stages: &core.stages,
            divergences: &mut warp.divergences,
            capacity: core.config.ipdom_capacity,
            first_side: core.config.first_side,
            first_stage: (warp.texture_bank as usize).saturating_mul(4),
            registers,
            first_thread,
            all: core.config.full_mask().0,
            pc: warp.pc.0,
            active: 0,
            mask: [[0; LANES]; MAX_CHUNKS],
            executed: 0,
            budget,
            lane_instructions: 0,
            is_progress: false,
        };
        frame.set_active(warp.mask.0);
        run_frame(&mut frame, &self.operations);
        let (pc, active) = (frame.pc, frame.active);
        let bank = frame.registers[Register::TextureBank as usize];
        let run = Run {
            instructions: frame.executed,
            lane_instructions: frame.lane_instructions,
            is_progress: frame.is_progress,
        };
        warp.pc.0 = pc;
        warp.texture_bank = bank;
        warp.set_mask(ThreadMask(active));
        run
    }
}

impl Engine for Fast {
    fn run_warp(
        &mut self,
        core: &mut CoreState,
        warp: WarpId,
        turn: Turn<'_>,
        out: &mut Retired,
        run: &mut WarpRun,
    ) -> Result<(), Box<Trap>> {
        let end = run.instructions + turn.limit;
        let sharing = if turn.is_alone { Sharing::Alone } else { Sharing::Shared };
        while run.instructions < end && core.warps[warp.index()].state == WarpState::Ready {
            let done = self.run(core, warp, turn.memory, end - run.instructions, sharing);
            run.instructions += done.instructions;
            run.is_progress |= done.is_progress;
            core.counters.cycles += done.instructions;
            core.counters.lane_instructions += done.lane_instructions;
            if run.instructions < end {
                Plain.run_warp(core, warp, Turn { limit: 1, ..turn }, out, run)?;
                if out.request.is_some() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn completed(&mut self, _: &CoreState, _: WarpId, _: &Retired) {}
}

/// Any host, and registers of four lanes: results are always blended, one loop less to compile.
fn run_baseline(frame: &mut Frame<4, 0>, operations: &Operations) {
    while frame.run::<Baseline, true>(operations) == Stop::MaskChanged {}
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
fn run_avx2<const CHUNKS: usize>(frame: &mut Frame<8, CHUNKS>, operations: &Operations) {
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    fn with_features<const CHUNKS: usize>(frame: &mut Frame<8, CHUNKS>, operations: &Operations) {
        loop {
            let stop = if frame.is_full() {
                frame.run::<lanes::Avx2, false>(operations)
            } else {
                frame.run::<lanes::Avx2, true>(operations)
            };
            if stop != Stop::MaskChanged {
                return;
            }
        }
    }
    // SAFETY: `Fast::new` sets this level only after the host has said that it has these features.
    unsafe { with_features(frame, operations) }
}

#[cfg(not(target_arch = "x86_64"))]
fn run_avx2<const CHUNKS: usize>(_: &mut Frame<8, CHUNKS>, _: &Operations) {
    // Not reached: the level is not available.
}
