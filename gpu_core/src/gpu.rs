//! The machine as its user holds it: allocate, upload, launch, read back.
//!
//! Before: a [`GpuConfig`] and a [`Program`]. After: memory as the program left it, and a [`LaunchReport`].
//! This is the only place that chooses an engine.

mod in_time;

#[cfg(feature = "fast")]
use crate::fast::Fast;
#[cfg(feature = "fast")]
pub use crate::fast::{HostLevel, TextureTime};

use crate::config::{ConfigError, GpuConfig, HEAP_BASE, LOCAL_MEMORY_BASE, STACK_TOP};
use crate::meeting::Outcome;
use crate::memory::{Access, Memory, MemoryError};
use crate::observe::{Issued, Observer};
use crate::program::{CODE_BASE, Program, ProgramKind};
use crate::semantics::{Code, CoreState};
use crate::timed::Timed;
pub use crate::timed::TimedReport;
use crate::trap::{SourceLocation, Trap};
use crate::units::{Address, CoreId};
use crate::untimed::engine::{Engine, Plain, Watched};
use crate::untimed::{Limits, Run};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::num::NonZeroUsize;
use std::sync::Arc;
use texture::{Stage, StageError};

/// Which engine executes programs. It changes no result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// One instruction after the other, by `semantics` alone.
    Plain,
    /// Predecoded blocks, vectorised for the host.
    #[cfg(feature = "fast")]
    Fast(HostLevel),
}

impl EngineChoice {
    /// The fastest there is on this host.
    pub fn fastest() -> Self {
        #[cfg(feature = "fast")]
        return Self::Fast(HostLevel::detect());
        #[cfg(not(feature = "fast"))]
        return Self::Plain;
    }
}

/// Whether time is modelled. Results of race-free programs are the same; see `docs/machine.md`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// As fast as the host allows; no cycles.
    #[default]
    Untimed,
    /// Every cycle of every block, as `GpuConfig::timing` says.
    Timed,
}

/// Memory that a bare program finds after its last segment.
const BARE_RAM_BYTES: u32 = 4 << 20;

/// Programs whose decoded code is kept: a frame's worth of kernels.
const KNOWN_PROGRAMS: usize = 32;

/// A simulated GPU and its memory. A clone is a machine of its own in the same state.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) config: GpuConfig,
    pub(crate) memory: Memory,
    pub(crate) cores: Vec<CoreState>,
    /// What the host put into the texture stages; each launch starts with it.
    pub(crate) stages: Vec<Stage>,
    pub(crate) loaded: Option<Loaded>,
    /// Programs that were launched lately, the last one at the end, so that their code is decoded once.
    known: Vec<(Arc<Program>, Arc<Code>)>,
    pub(crate) run: Run,
    pub(crate) mode: Mode,
    keeps_caches: bool,
    /// The timed run, if the last launch began in timed mode.
    pub(crate) timed: Option<Timed>,
    /// `None`: the current rayon threads.
    host_threads: Option<Arc<ThreadPool>>,
    engine: EngineChoice,
    /// One for each core, kept from launch to launch.
    #[cfg(feature = "fast")]
    fast: Vec<Fast>,
    /// What texture samples took of the host's time, if it is measured.
    #[cfg(feature = "fast")]
    texture_time: Option<TextureTime>,
}

/// The program in memory.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    pub program: Arc<Program>,
    /// Starts of the regions it was placed in.
    pub regions: Vec<Address>,
}

/// What a launch has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchReport {
    /// 0, or the exit status of the lowest core that ended with another: min(code, 255).
    pub exit_status: u8,
    /// The word each core ended with, if it stored one to 0x88, made the `exit` environment call, or set `tohost`.
    pub exit_codes: Vec<Option<u32>>,
    /// What the program wrote to the console, core after core.
    pub console: Vec<u8>,
    /// Instructions that warps executed.
    pub warp_instructions: u64,
    /// The same, each counted once for every active lane.
    pub lane_instructions: u64,
    /// Cycles and what they were spent on, in timed mode.
    pub timed: Option<TimedReport>,
}

/// Why a launch did not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The program's segments do not fit into memory.
    #[error("the program cannot be placed in memory")]
    Load(#[source] MemoryError),
    /// A segment would be hidden by the cores' local memory.
    #[error("segment `{segment}` at {address} lies where each core has its local memory")]
    LocalMemory {
        /// The segment's name.
        segment: String,
        /// Its first byte.
        address: Address,
    },
    /// The program trapped. Memory and registers hold the state before the trapping instruction.
    #[error(transparent)]
    Trap(#[from] Box<Trap>),
    /// Whoever ran it wanted no more of it, see [`Launcher`](crate::launcher::Launcher).
    #[error("the program was stopped before its end")]
    Stopped,
}

/// Why a texture stage cannot be filled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextureStageError {
    /// The machine has fewer stages.
    #[error("texture stage {index} does not exist, there are {available}")]
    NoSuchStage {
        /// The stage.
        index: u32,
        /// How many there are.
        available: u32,
    },
    /// The stage cannot be sampled as it was meant.
    #[error("texture stage {index} cannot be sampled")]
    Stage {
        /// The stage.
        index: u32,
        /// Why.
        #[source]
        cause: StageError,
    },
}

impl Gpu {
    /// A machine whose memory holds the stacks and nothing else; the configuration is validated.
    pub fn new(config: GpuConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        let mut memory = Memory::new();
        let stack_bytes = config.stack_bytes();
        let start = Address(STACK_TOP.0 - stack_bytes);
        memory.map("stacks", start, stack_bytes, Access::ReadWrite).expect("stacks lie below local memory");
        let cores = (0..config.cores).map(|id| CoreState::new(CoreId(id as u8), &config)).collect();
        let stages = vec![Stage::default(); config.texture_stages as usize];
        let run = Run::new(config.cores as usize);
        Ok(Self {
            config,
            memory,
            cores,
            stages,
            loaded: None,
            known: Vec::new(),
            run,
            mode: Mode::Untimed,
            keeps_caches: false,
            timed: None,
            host_threads: None,
            engine: EngineChoice::fastest(),
            #[cfg(feature = "fast")]
            fast: Vec::new(),
            #[cfg(feature = "fast")]
            texture_time: None,
        })
    }

    /// The machine's figures.
    pub fn config(&self) -> &GpuConfig {
        &self.config
    }

    /// Device memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The cores, as the last launch left them or, after a trap, before the trapping instruction.
    pub fn cores(&self) -> &[CoreState] {
        &self.cores
    }

    /// The program of the last launch.
    pub fn program(&self) -> Option<&Program> {
        self.loaded.as_ref().map(|loaded| &*loaded.program)
    }

    /// Makes a region of `bytes` zeros, at a multiple of 64, for programs to load from and store to.
    /// A touch of the byte after it traps unless another region is there.
    pub fn allocate(&mut self, bytes: u32, name: &str) -> Result<Address, MemoryError> {
        let gap = self.memory.find_gap(bytes, HEAP_BASE, CODE_BASE);
        let start = gap.map_err(|free| MemoryError::Full { name: name.to_owned(), bytes, free })?;
        self.memory.map(name, start, bytes, Access::ReadWrite)?;
        Ok(start)
    }

    /// Gives back a region that [`Gpu::allocate`] made.
    pub fn free(&mut self, start: Address) -> Result<(), MemoryError> {
        let is_ours = (HEAP_BASE..CODE_BASE).contains(&start);
        let is_program = self.loaded.as_ref().is_some_and(|loaded| loaded.regions.contains(&start));
        if !is_ours || is_program {
            return Err(MemoryError::NoRegion { address: start });
        }
        self.memory.unmap(start)
    }

    /// Copies bytes into device memory, all into one region.
    pub fn upload(&mut self, address: Address, data: &[u8]) -> Result<(), MemoryError> {
        self.memory.write(address, data)
    }

    /// Copies `bytes` bytes out of device memory, all from one region.
    pub fn read_back(&self, address: Address, bytes: u32) -> Result<Vec<u8>, MemoryError> {
        self.memory.check(address, bytes)?;
        let mut data = vec![0; bytes as usize];
        self.memory.read(address, &mut data)?;
        Ok(data)
    }

    /// Fills a texture stage of every core, from the next launch on. Stage = bank · 4 + the selector in `tex`.
    pub fn set_texture_stage(&mut self, index: u32, stage: &Stage) -> Result<(), TextureStageError> {
        let available = self.config.texture_stages;
        let slot = self.stages.get_mut(index as usize).ok_or(TextureStageError::NoSuchStage { index, available })?;
        stage.validate().map_err(|cause| TextureStageError::Stage { index, cause })?;
        *slot = *stage;
        Ok(())
    }

    /// Uses this many host threads from now on, instead of the current rayon pool. It changes no result.
    ///
    /// # Errors
    /// The host gives no threads.
    pub fn set_host_threads(&mut self, count: NonZeroUsize) -> Result<(), ThreadPoolBuildError> {
        self.host_threads = Some(Arc::new(ThreadPoolBuilder::new().num_threads(count.get()).build()?));
        Ok(())
    }

    /// Uses this engine from now on, instead of the fastest. It changes no result.
    pub fn set_engine(&mut self, engine: EngineChoice) {
        self.engine = engine;
    }

    /// Measures from now on how long the host takes for texture samples, or no longer. Only the fast engine is measured; launches
    /// take a little longer.
    #[cfg(feature = "fast")]
    pub fn measure_textures(&mut self, measures: bool) {
        self.texture_time = measures.then(TextureTime::default);
    }

    /// What has been measured since then.
    #[cfg(feature = "fast")]
    pub fn texture_time(&self) -> Option<TextureTime> {
        self.texture_time
    }

    /// Runs a program to its end: [`Gpu::start`], then [`Gpu::resume`] without a limit.
    ///
    /// # Errors
    /// The program does not fit, or it traps; [`Gpu::report`] then says how far it came.
    pub fn launch(&mut self, program: &Program, argument: Address) -> Result<LaunchReport, LaunchError> {
        self.start(program, argument)?;
        self.resume(u64::MAX)?;
        Ok(self.report())
    }

    /// The same, showing every instruction to `observer`; one host thread.
    ///
    /// # Errors
    /// As [`Gpu::launch`].
    pub fn launch_observed(
        &mut self,
        program: &Program,
        argument: Address,
        observer: &mut impl Observer,
    ) -> Result<LaunchReport, LaunchError> {
        self.start(program, argument)?;
        self.resume_observed(u64::MAX, observer)?;
        Ok(self.report())
    }

    /// Places a program in memory, in place of the last one, and makes each core ready to start: warp 0, lane 0 at the
    /// entry, `argument` in `mscratch`, every other register and local memory zero, texture stages as the host filled
    /// them.
    ///
    /// # Errors
    /// The program does not fit; then no program is in memory.
    pub fn start(&mut self, program: &Program, argument: Address) -> Result<(), LaunchError> {
        for start in self.loaded.take().iter().flat_map(|loaded| &loaded.regions) {
            self.memory.unmap(*start).expect("the program's regions stay until it is replaced");
        }
        let (program, code) = self.decoded(program);
        let regions = self.place(&program)?;
        self.memory.clear_reservations();
        for core in &mut self.cores {
            core.start(program.kind, code.clone(), program.entry, argument);
            core.stages.copy_from_slice(&self.stages);
        }
        self.run = Run::new(self.cores.len());
        self.start_time();
        self.loaded = Some(Loaded { program, regions });
        Ok(())
    }

    /// The program and its decoded code, from an earlier launch if there was one.
    fn decoded(&mut self, program: &Program) -> (Arc<Program>, Arc<Code>) {
        let entry = match self.known.iter().position(|(known, _)| **known == *program) {
            Some(index) => self.known.remove(index),
            None => (Arc::new(program.clone()), Arc::new(Code::new(program, self.config.extensions))),
        };
        if self.known.len() == KNOWN_PROGRAMS {
            self.known.remove(0);
        }
        self.known.push(entry.clone());
        entry
    }

    /// Makes a region for each segment of a program and fills it; gives their starts.
    fn place(&mut self, program: &Program) -> Result<Vec<Address>, LaunchError> {
        let mut regions = Vec::new();
        let result = program.segments.iter().filter(|segment| segment.size_bytes > 0).try_for_each(|segment| {
            let address = segment.address;
            if segment.end() > u64::from(LOCAL_MEMORY_BASE.0) && self.config.local_bytes > 0 {
                return Err(LaunchError::LocalMemory { segment: segment.name.clone(), address });
            }
            // A region starts at a word; the bytes before the segment are zero.
            let start = Address(address.0 & !3);
            let bytes = segment.size_bytes.saturating_add(address.0 - start.0);
            let access = if segment.is_writable { Access::ReadWrite } else { Access::ReadOnly };
            let map = self.memory.map(&segment.name, start, bytes, access);
            map.map_err(LaunchError::Load)?;
            regions.push(start);
            self.memory.write(address, &segment.bytes).map_err(LaunchError::Load)
        });
        let result = result.and_then(|()| {
            regions.extend(self.place_ram(program).map_err(LaunchError::Load)?);
            Ok(())
        });
        match result {
            Ok(()) => Ok(regions),
            Err(error) => {
                for start in regions {
                    self.memory.unmap(start).expect("the region was just made");
                }
                Err(error)
            }
        }
    }

    /// Bare programs find zeroed memory after their last segment: raw images do not say how much they need, and C
    /// libraries have their heap there.
    fn place_ram(&mut self, program: &Program) -> Result<Option<Address>, MemoryError> {
        let end = program.segments.iter().map(|segment| segment.end().next_multiple_of(4)).max().unwrap_or(0);
        let start = Address(u32::try_from(end).unwrap_or(!3));
        let next = self.memory.regions().iter().map(|region| region.start).filter(|&next| next >= start).min();
        let room = next.map_or(0, |next| next.0 - start.0);
        if program.kind != ProgramKind::Bare || room == 0 {
            return Ok(None);
        }
        self.memory.map("ram", start, room.min(BARE_RAM_BYTES), Access::ReadWrite)?;
        Ok(Some(start))
    }

    /// Runs the started program on until it ends or has executed about `warp_instructions` more.
    ///
    /// # Errors
    /// It trapped; the trap names its source line if the program has a line table.
    pub fn resume(&mut self, warp_instructions: u64) -> Result<RunState, Box<Trap>> {
        if self.timed.is_some() {
            return self.resume_timed(u64::MAX, warp_instructions);
        }
        let limits = self.limits(warp_instructions);
        let outcome = match self.engine {
            EngineChoice::Plain => {
                let mut engines = vec![Plain; self.cores.len()];
                self.run_with(limits, &mut engines)
            }
            #[cfg(feature = "fast")]
            EngineChoice::Fast(level) => {
                let mut engines = std::mem::take(&mut self.fast);
                Fast::prepare(&mut engines, &self.cores, level);
                let measured = self.texture_time.is_some();
                engines.iter_mut().for_each(|engine| engine.texture_time = measured.then(TextureTime::default));
                let outcome = self.run_with(limits, &mut engines);
                if let Some(time) = &mut self.texture_time {
                    engines.iter().filter_map(|engine| engine.texture_time.as_ref()).for_each(|more| time.add(more));
                }
                self.fast = engines;
                outcome
            }
        };
        self.conclude(outcome)
    }

    /// Runs on with one engine for each core.
    fn run_with<E: Engine + Send>(&mut self, limits: Limits, engines: &mut [E]) -> Result<Outcome, Box<Trap>> {
        let Self { run, cores, memory, host_threads, .. } = self;
        let mut run = || run.run_shared(cores, memory, limits, engines);
        match host_threads {
            Some(pool) => pool.install(run),
            None => run(),
        }
    }

    /// The same, showing every instruction to `observer`; one host thread.
    ///
    /// # Errors
    /// As [`Gpu::resume`].
    pub fn resume_observed(
        &mut self,
        warp_instructions: u64,
        observer: &mut impl Observer,
    ) -> Result<RunState, Box<Trap>> {
        if self.timed.is_some() {
            return self.resume_watched(u64::MAX, warp_instructions, &mut Issued(observer));
        }
        let limits = self.limits(warp_instructions);
        let outcome = self.run.run_alone(&mut self.cores, &self.memory, limits, &mut Watched(observer));
        self.conclude(outcome)
    }

    fn limits(&self, pause_after: u64) -> Limits {
        let bare = self.program().filter(|program| program.kind == ProgramKind::Bare);
        Limits { pause_after, tohost: bare.and_then(|program| program.symbol("tohost")) }
    }

    fn conclude(&self, outcome: Result<Outcome, Box<Trap>>) -> Result<RunState, Box<Trap>> {
        match outcome {
            Ok(Outcome::Ended) => Ok(RunState::Ended),
            Ok(Outcome::Paused) => Ok(RunState::Paused),
            Err(mut trap) => {
                let location = self.program().and_then(|program| program.location(trap.pc));
                trap.source_location = location.map(|location| SourceLocation {
                    file: location.file.to_owned(),
                    line: location.line,
                    column: location.column,
                });
                Err(trap)
            }
        }
    }

    /// What the launch has done so far.
    pub fn report(&self) -> LaunchReport {
        let exit_codes: Vec<Option<u32>> = self.cores.iter().map(|core| core.exit_code).collect();
        let timed = self.timed.as_ref().map(Timed::report);
        let issued = timed.as_ref().map(|timed| timed.counters.cores.iter().map(|core| core.issue.issued).sum());
        let failure = exit_codes.iter().flatten().find(|&&code| code != 0);
        LaunchReport {
            exit_status: failure.map_or(0, |&code| code.min(255) as u8),
            exit_codes,
            console: self.cores.iter().flat_map(|core| &core.console).copied().collect(),
            warp_instructions: issued.unwrap_or_else(|| self.cores.iter().map(|core| core.counters.cycles).sum()),
            lane_instructions: self.cores.iter().map(|core| core.counters.lane_instructions).sum(),
            timed,
        }
    }
}

/// Where a started program stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// All its warps have ended.
    Ended,
    /// It can be resumed.
    Paused,
}
