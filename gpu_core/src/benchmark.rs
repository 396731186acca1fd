//! How fast the machine is simulated: three kernels, in assembly text, and a measurement.
//!
//! Before: a [`Gpu`] with its configuration and engine. After: warp- and lane-instructions per second of host time, for
//! the command line and for `benches/machine.rs`. All warps of all cores run the kernel.

use crate::gpu::{Gpu, LaunchError};
use crate::isa::assemble;
use crate::program::Program;
use crate::units::Address;
use std::time::Instant;

/// What is measured.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Half float, half integer arithmetic, all lanes active.
    Arithmetic,
    /// Loads and stores of adjacent words, and stores that permute lanes.
    Memory,
    /// A branch that lanes take differently.
    Divergent,
    /// The product of two matrices, 64 × 64 each.
    Sgemm,
    /// a · x + y over 16384 words.
    Saxpy,
}

impl Kernel {
    /// Those that show what an engine does with each kind of instruction.
    pub const ALL: [Self; 3] = [Self::Arithmetic, Self::Memory, Self::Divergent];
    /// Those that timed runs are measured with.
    pub const TIMED: [Self; 2] = [Self::Sgemm, Self::Saxpy];

    /// Its name, for tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arithmetic => "arithmetic",
            Self::Memory => "memory",
            Self::Divergent => "divergent",
            Self::Sgemm => "sgemm",
            Self::Saxpy => "saxpy",
        }
    }

    /// The kernel in assembly text, without the definition of `ROUNDS`.
    pub const fn source(self) -> &'static str {
        match self {
            Self::Arithmetic => include_str!("benchmark/arithmetic.s"),
            Self::Memory => include_str!("benchmark/memory.s"),
            Self::Divergent => include_str!("benchmark/divergent.s"),
            Self::Sgemm => include_str!("benchmark/sgemm.s"),
            Self::Saxpy => include_str!("benchmark/saxpy.s"),
        }
    }

    /// The program that runs this many rounds, of about 30 instructions each (`Sgemm`, `Saxpy`: once over the data), in every warp.
    pub fn program(self, rounds: u32) -> Program {
        let text = format!("    .equ ROUNDS, {rounds}\n{}", self.source());
        assemble(self.name(), &text).expect("the kernels assemble")
    }
}

/// What a run took.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Instructions that warps executed.
    pub warp_instructions: u64,
    /// The same, each counted once for every active lane.
    pub lane_instructions: u64,
    /// Host time in seconds, loading included.
    pub seconds: f64,
    /// Seconds that the measuring thread spent on a core of the host, where the host tells it (Linux): on a busy host less than
    /// `seconds`. What other threads spent is not in it.
    pub core_seconds: Option<f64>,
}

impl Measurement {
    /// Lane-instructions per second of host time; `None` if no time passed.
    pub fn lane_instructions_per_second(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.lane_instructions as f64 / self.seconds)
    }

    /// Host nanoseconds for each warp-instruction; `None` if there was none.
    pub fn nanoseconds_per_warp_instruction(&self) -> Option<f64> {
        (self.warp_instructions > 0).then(|| self.seconds * 1e9 / self.warp_instructions as f64)
    }
}

/// Runs a program of [`Kernel::program`] once.
///
/// # Errors
/// The program does not fit beside what is in memory already.
pub fn measure(gpu: &mut Gpu, program: &Program) -> Result<Measurement, LaunchError> {
    let (start, core_start) = (Instant::now(), core_seconds());
    let report = gpu.launch(program, Address(0))?;
    Ok(Measurement {
        warp_instructions: report.warp_instructions,
        lane_instructions: report.lane_instructions,
        seconds: start.elapsed().as_secs_f64(),
        core_seconds: core_seconds().zip(core_start).map(|(end, start)| end - start),
    })
}

/// Seconds that this thread has spent on a core of the host so far.
fn core_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GpuConfig;
    use crate::gpu::EngineChoice;

    /// Counted by hand: 32, 32 and 28 or 27 instructions a round, depending on the side that a lane takes.
    #[test]
    fn kernels_run_as_many_instructions_as_they_say() {
        for (kernel, least) in [(Kernel::Arithmetic, 32), (Kernel::Memory, 32), (Kernel::Divergent, 15)] {
            let (short, long) = (kernel.program(4), kernel.program(14));
            let mut counts = Vec::new();
            for engine in [EngineChoice::Plain, EngineChoice::fastest()] {
                let mut gpu = Gpu::new(GpuConfig::wide(2, 3, 8)).expect("the configuration is valid");
                gpu.set_engine(engine);
                let short = measure(&mut gpu, &short).expect("it fits");
                let long = measure(&mut gpu, &long).expect("it fits");
                let lane_instructions = long.lane_instructions - short.lane_instructions;
                assert!(lane_instructions >= 10 * least * 2 * 3 * 8, "{kernel:?}: {lane_instructions}");
                counts.push((short.warp_instructions, long.warp_instructions, lane_instructions));
            }
            assert_eq!(counts[0], counts[1], "{kernel:?}: both engines count alike");
        }
    }
}
