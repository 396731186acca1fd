//! The same meaning sooner: predecoded instructions, each run as one vectorised loop over the lanes of a warp.
//!
//! Before: the run loop of `untimed` picks a warp and how many instructions it may run. After: the warp stands where the
//! plain engine would have brought it; whatever is rare (CSRs, atomics, barriers, anything that traps) is left for
//! [`step`](crate::semantics::step), one instruction at a time. So there is one meaning, and this room may be deleted.
//! Only `gpu` imports it.
//!
//! Gain, plain engine to this one with AVX2, nanoseconds a warp-instruction at 16 lanes on a busy 2-core AMD EPYC (Zen 3),
//! least of 80 runs of the kernels of `benchmark` (`cargo bench -p gpu_core --bench machine`): arithmetic 37 → 3.2
//! (5.1 G lane-instructions/s; at 32 lanes 3.6 and 8.9 G), memory 67 → 9.6, divergent 29 → 5.0; since then `calls` writes
//! host code, and a frame takes less than half of its time. The files below say what each adds.

mod access;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod calls;
mod control;
mod cross_lane;
#[cfg(test)]
mod differential;
#[cfg(target_arch = "x86_64")]
mod dispatch;
mod frame;
#[cfg(target_arch = "x86_64")]
mod host_code;
mod interpret;
mod lanes;
mod load_store;
mod no_lanes;
mod operation;
#[cfg(target_arch = "x86_64")]
mod row_cache;
#[cfg(target_arch = "x86_64")]
mod sample_rows;
mod texture_time;
#[cfg(target_arch = "x86_64")]
mod translate;
#[cfg(target_arch = "x86_64")]
mod translate_lanes;
#[cfg(target_arch = "x86_64")]
mod translate_memory;

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
#[cfg(target_arch = "x86_64")]
use calls::Calls;
use frame::{Board, Frame, NearHint, REGISTERS};
use lanes::Baseline;
use operation::{Operations, Register, Segment, UNIFORM_REGISTERS};
use std::sync::Arc;
pub use texture_time::TextureTime;

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

/// A program made ready for the warps of a machine.
#[derive(Debug)]
struct Prepared {
    level: HostLevel,
    /// What `operations` was made from. Holding it keeps `fence.i` from changing it in place.
    code: Arc<Code>,
    /// Lanes of a register.
    stride: usize,
    operations: Operations,
    /// `None` where there is no such thing for this stride, level or host.
    #[cfg(target_arch = "x86_64")]
    calls: Option<Calls>,
}

impl Prepared {
    /// Makes a program ready. An unavailable level falls back to the baseline.
    fn new(core: &CoreState, level: HostLevel) -> Self {
        let code = Arc::clone(&core.code);
        let stride = core.warps[0].registers.stride();
        let operations = Operations::new(&code);
        let level = if level.is_available() { level } else { HostLevel::Baseline };
        #[cfg(target_arch = "x86_64")]
        let calls = match (level, stride) {
            (HostLevel::Avx2, 8) => Calls::new::<1>(&operations),
            (HostLevel::Avx2, 16) => Calls::new::<2>(&operations),
            (HostLevel::Avx2, 32) => Calls::new::<4>(&operations),
            _ => None,
        };
        Self {
            level,
            code,
            stride,
            operations,
            #[cfg(target_arch = "x86_64")]
            calls,
        }
    }
}

/// What each instruction touched last, by operation.
#[derive(Clone, Debug)]
struct Hints {
    regions: Vec<Hint>,
    near: Vec<NearHint>,
}

impl Hints {
    fn new(prepared: &Prepared) -> Self {
        let count = prepared.operations.count();
        Self { regions: vec![0; count], near: vec![0; count] }
    }
}

/// A core's programs made ready, and what its runs have learnt of them.
#[derive(Clone, Debug)]
pub(crate) struct Fast {
    /// What was asked for, available or not.
    level: HostLevel,
    prepared: Arc<Prepared>,
    hints: Hints,
    /// Programs that ran before, the last one at the end: kernels alternate.
    others: Vec<(Arc<Prepared>, Hints)>,
    /// What texture samples took of the host's time, if it is measured.
    pub texture_time: Option<TextureTime>,
}

/// How many of them are kept.
const OTHERS: usize = 15;

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
    /// Makes the program of a core ready.
    pub fn new(core: &CoreState, level: HostLevel) -> Self {
        let prepared = Prepared::new(core, level);
        let hints = Hints::new(&prepared);
        Self { level, prepared: Arc::new(prepared), hints, others: Vec::new(), texture_time: None }
    }

    /// Makes `engines` one for each core, for the code they hold, keeping what fits.
    pub fn prepare(engines: &mut Vec<Self>, cores: &[CoreState], level: HostLevel) {
        if engines.len() != cores.len() || engines.iter().any(|engine| engine.level != level) {
            *engines = cores.first().map_or(Vec::new(), |core| vec![Self::new(core, level); cores.len()]);
        }
        if let ([first, rest @ ..], [core, ..]) = (engines.as_mut_slice(), cores) {
            first.turn_to(core);
            for engine in rest {
                engine.adopt(&first.prepared);
            }
        }
    }

    /// Runs the core's program from now on.
    fn turn_to(&mut self, core: &CoreState) {
        if Arc::ptr_eq(&core.code, &self.prepared.code) {
            return;
        }
        let known = self.others.iter().find(|(other, _)| Arc::ptr_eq(&core.code, &other.code));
        let prepared = known.map_or_else(|| Arc::new(Prepared::new(core, self.level)), |(known, _)| Arc::clone(known));
        self.adopt(&prepared);
    }

    /// Runs this program from now on.
    fn adopt(&mut self, prepared: &Arc<Prepared>) {
        if Arc::ptr_eq(prepared, &self.prepared) {
            return;
        }
        let next = match self.others.iter().position(|(other, _)| Arc::ptr_eq(prepared, other)) {
            Some(index) => self.others.remove(index),
            None => (Arc::clone(prepared), Hints::new(prepared)),
        };
        if self.others.len() == OTHERS {
            self.others.remove(0);
        }
        let last = (std::mem::replace(&mut self.prepared, next.0), std::mem::replace(&mut self.hints, next.1));
        self.others.push(last);
    }

    /// Runs at most `budget` instructions of a warp that is ready; stops before the first that the plain engine must
    /// run. Counter CSRs are never read here, so `core.counters` may be stale.
    fn run(&mut self, core: &mut CoreState, warp: WarpId, memory: &Memory, budget: u64, sharing: Sharing) -> Run {
        self.turn_to(core);
        let prepared = Arc::clone(&self.prepared);
        let operations = &prepared.operations;
        #[cfg(target_arch = "x86_64")]
        if prepared.level == HostLevel::Avx2 {
            let calls = prepared.calls.as_ref();
            match prepared.stride {
                8 => {
                    return self
                        .run_rows(core, warp, memory, budget, sharing, |f| dispatch::run::<1>(f, operations, calls));
                }
                16 => {
                    return self
                        .run_rows(core, warp, memory, budget, sharing, |f| dispatch::run::<2>(f, operations, calls));
                }
                32 => {
                    return self
                        .run_rows(core, warp, memory, budget, sharing, |f| dispatch::run::<4>(f, operations, calls));
                }
                _ => {}
            }
        }
        if prepared.stride.is_multiple_of(4) {
            return self.run_rows(core, warp, memory, budget, sharing, |frame| run_baseline(frame, operations));
        }
        Run::default()
    }

    /// Runs with rows of `LANES` lanes, of which every register has a whole number.
    fn run_rows<const LANES: usize, const CHUNKS: usize>(
        &mut self,
        core: &mut CoreState,
        warp: WarpId,
        memory: &Memory,
        budget: u64,
        sharing: Sharing,
        run_frame: impl Fn(&mut Frame<LANES, CHUNKS>),
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
        // With another dynamic mode results are rounded otherwise.
        if warp.rounding_mode != 0 {
            return Run::default();
        }
        let chunks = warp.registers.stride() / LANES;
        let space = Space::new(memory, &mut core.local, sharing, least);
        let board = Board::new(memory, &space, registers, warp.pc.0);
        let rows = warp.registers.words_mut().as_chunks_mut::<LANES>().0;
        assert_eq!(rows.len(), usize::from(REGISTERS) * chunks, "a register is a whole number of rows");
        let mut frame = Frame {
            rows,
            chunks,
            space,
            hints: &mut self.hints.regions,
            near_hints: &mut self.hints.near,
            stages: &core.stages,
            texture_time: self.texture_time.as_mut(),
            divergences: &mut warp.divergences,
            capacity: core.config.ipdom_capacity,
            first_side: core.config.first_side,
            first_stage: (warp.texture_bank as usize).saturating_mul(4),
            first_thread,
            all: core.config.full_mask().0,
            active: 0,
            last_active: warp.last_mask.0,
            board,
            executed: 0,
            budget,
            lane_instructions: 0,
        };
        if !warp.mask.is_empty() {
            frame.set_active(warp.mask.0);
        }
        run_frame(&mut frame);
        let (pc, active, last_active) = (frame.board.pc, frame.active, frame.last_active);
        let bank = frame.board.registers[Register::TextureBank as usize];
        let run = Run {
            instructions: frame.executed,
            lane_instructions: frame.lane_instructions,
            is_progress: frame.board.is_changed,
        };
        warp.pc.0 = pc;
        warp.texture_bank = bank;
        if active == 0 {
            warp.set_mask(ThreadMask(last_active));
        }
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
    let run_block = |frame: &mut Frame<4, 0>, segment: &Segment, index: usize, length: usize| {
        let operations = &segment.operations[index..index + length];
        let refused = operations.iter().position(|o| frame.execute::<Baseline, true>(o.op, o).is_none());
        refused.unwrap_or(length)
    };
    frame.run_on(operations, |frame| frame.run(operations, run_block));
}
