//! Runs a branch structure in time and counts what its divergence costs.
//!
//! *Branch cycles* are the cycles of divergence instructions, for each thread: of every warp, the cycles from the issue of such
//! an instruction to the issue of the warp's next one, added up and divided by the number of warps (the threads of a warp go
//! together). Divergence instructions are `split`, `join`, branches and jumps; with thread masks the mask instructions and the
//! ballots they need. Memory always hits, so that nothing else differs.

use gpu_core::config::{DivergenceMechanism, FirstSide, GpuConfig, MemoryModel};
use gpu_core::gpu::{Gpu, LaunchError, LaunchReport, Mode, RunState};
use gpu_core::isa::table::{Extension, Op, Unit};
use gpu_core::isa::{assemble, decode};
use gpu_core::launcher::Launcher;
use gpu_core::observe::{Moment, Stall, StallReason, TimedObserver};
use gpu_core::program::Program;
use gpu_core::retired::Retired;
use gpu_core::units::{Address, WarpId};
use shaders::compile::{CompileOptions, compile};
use shaders::front_end::Module;
use shaders::launch::{BoundBuffer, launch_by};
use shaders::translate::{Bounds, Options, translate};

use super::by_hand;
use super::tree::Shape;
use crate::experiments::error::ExperimentError;
use crate::patterns::hash;

/// How a structure is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// As assembly by hand: what a compiler does is left out. Only the five shapes.
    Hand,
    /// As assembly that the tree writes, each condition right before it is needed.
    Assembly,
    /// As WGSL, compiled.
    Wgsl,
}

/// What one run cost.
#[derive(Copy, Clone, Debug, Default)]
pub struct Cost {
    /// Cycles of divergence instructions of a thread.
    pub branch_cycles: f64,
    /// How many of them a thread issues.
    pub branch_instructions: f64,
    /// Cycles of the whole run.
    pub cycles: f64,
    /// Issue slots lost to the scoreboard, of all cores.
    pub scoreboard: f64,
    /// Those of them in which a divergence instruction, a ballot among them, was what waited.
    pub scoreboard_at_divergence: f64,
    /// Issue slots lost to branches, jumps and changes of masks under way, of all cores.
    pub control: f64,
    /// Cycles in which the scheduler had no warp, of all cores.
    pub idle: f64,
}

/// The machine of a shape, as the published set-ups name it. The stack is the paper's baseline: one entry for each
/// divergence, visited twice, the side with more lanes first.
pub fn machine(cores: u32, warps: u32, lanes: u32) -> GpuConfig {
    let mut config = GpuConfig { first_side: FirstSide::Larger, ..GpuConfig::vortex(cores, warps, lanes) };
    config.timing.memory.model = MemoryModel::Perfect;
    config
}

/// Stack, then masks.
pub fn both(shape: &Shape, written: Written, config: &GpuConfig) -> Result<[Cost; 2], ExperimentError> {
    let [stack, masks] = DivergenceMechanism::EVERY.map(|mechanism| cost(shape, written, config, mechanism));
    Ok([stack?, masks?])
}

/// One run; its results are those of plain Rust, or it is refused.
pub fn cost(
    shape: &Shape,
    written: Written,
    config: &GpuConfig,
    mechanism: DivergenceMechanism,
) -> Result<Cost, ExperimentError> {
    let config = config.with_divergence(mechanism);
    let mut gpu = Gpu::new(config)?;
    gpu.set_mode(Mode::Timed);
    let warps = config.cores * config.warps;
    let threads = warps * config.lanes;
    let words: Vec<u32> = (0..threads).map(|thread| hash(thread, 7) >> 8).collect();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let place = gpu.allocate(bytes.len() as u32, "words")?;
    gpu.upload(place, &bytes)?;
    let mut watch = Watch { last: vec![None; 1024], ..Watch::default() };
    let report = match written {
        Written::Hand | Written::Assembly => {
            let text = match written {
                Written::Hand => by_hand::program(&shape.name, mechanism).to_owned(),
                _ => shape.assembly(mechanism),
            };
            let program = assemble(&format!("{}.s", shape.name), &text).expect("what is written here assembles");
            let told = |cause| ExperimentError::Program { name: shape.name.clone(), cause };
            watch.launch(&mut gpu, &program, place).map_err(told)?
        }
        Written::Wgsl => {
            let module = Module::parse("shape.wgsl", &shape.wgsl(config.lanes))?.select("main", &[])?;
            let options =
                Options { bounds: Bounds::Trust, zero_workgroup_memory: false, extensions: config.extensions };
            let compiled = compile(&translate(&module, &options)?, &[], &CompileOptions::for_machine(&config))?;
            let bound = [BoundBuffer { address: place, bytes: bytes.len() as u32 }];
            launch_by(&mut gpu, &compiled, &bound, [warps, 1, 1], &mut watch)?
        }
    };
    let got = gpu.read_back(place, bytes.len() as u32)?;
    for (thread, (got, &x)) in got.as_chunks::<4>().0.iter().zip(&words).enumerate() {
        let (got, expected) = (u32::from_le_bytes(*got), shape.compute(x, thread as u32 % config.lanes));
        if got != expected {
            let (name, mechanism) = (&shape.name, mechanism.name());
            return Err(ExperimentError::Guard(format!(
                "{name} with {mechanism}: thread {thread} has {got:#x}, plain Rust {expected:#x}"
            )));
        }
    }
    let sum = report.timed.as_ref().ok_or(ExperimentError::Untimed)?.counters.sum();
    let of_thread = |all: u64| all as f64 / f64::from(warps);
    Ok(Cost {
        branch_cycles: of_thread(watch.cycles),
        branch_instructions: of_thread(watch.instructions),
        cycles: gpu.cycle() as f64,
        scoreboard: sum.issue.stall.scoreboard as f64,
        scoreboard_at_divergence: watch.waited as f64,
        control: sum.issue.stall.control as f64,
        idle: sum.fetch.idle as f64,
    })
}

/// How much less the second is than the first, as a share.
pub fn saving(stack: f64, masks: f64) -> f64 {
    if stack == 0.0 { 0.0 } else { 1.0 - masks / stack }
}

#[derive(Default)]
struct Watch {
    /// By core and warp: when the last instruction was issued, if it was one of divergence.
    last: Vec<Option<u64>>,
    cycles: u64,
    instructions: u64,
    /// Where the program's divergence instructions lie, in order.
    places: Vec<Address>,
    /// Slots in which one of them waited for a register.
    waited: u64,
}

fn is_divergence(op: Op) -> bool {
    let spec = op.spec();
    matches!(op, Op::Split | Op::SplitN | Op::Join | Op::VoteBallot)
        || spec.unit == Unit::Branch
        || spec.extension == Extension::ThreadMask
}

impl TimedObserver for Watch {
    fn issued(&mut self, moment: Moment, warp: WarpId, _: u32, retired: &Retired) {
        let is_one = is_divergence(retired.instruction.op);
        let last = &mut self.last[moment.core.index() * 32 + warp.index()];
        if let Some(before) = std::mem::replace(last, is_one.then_some(moment.cycle)) {
            self.cycles += moment.cycle - before;
        }
        self.instructions += u64::from(is_one);
    }

    fn stalled(&mut self, _: Moment, stall: Stall) {
        let waits = stall.warp.is_some_and(|(_, pc)| self.places.binary_search(&pc).is_ok());
        if stall.reason == StallReason::Scoreboard && waits {
            self.waited += stall.cycles;
        }
    }
}

impl Launcher for Watch {
    fn launch(&mut self, gpu: &mut Gpu, program: &Program, argument: Address) -> Result<LaunchReport, LaunchError> {
        let code = program.segments.iter().filter(|segment| segment.is_executable);
        let words = code.flat_map(|segment| {
            let words = segment.bytes.as_chunks::<4>().0.iter().enumerate();
            words.map(|(n, word)| (Address(segment.address.0 + 4 * n as u32), u32::from_le_bytes(*word)))
        });
        let is_one = |word| decode(word).is_some_and(|instruction| is_divergence(instruction.op));
        self.places = words.filter(|&(_, word)| is_one(word)).map(|(place, _)| place).collect();
        self.places.sort_unstable();
        gpu.start(program, argument)?;
        match gpu.resume_cycles_observed(u64::MAX, self).map_err(LaunchError::Trap)? {
            RunState::Ended => Ok(gpu.report()),
            RunState::Paused => Err(LaunchError::Stopped),
        }
    }
}
