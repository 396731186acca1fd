//! What a caller may ask of the back half, what it may answer, and what it counts: the words that all its passes share.
//!
//! Before: nothing. After: every pass, and `compile`, which calls them.

use gpu_core::config::GpuConfig;
use gpu_core::isa::{Extension, ExtensionSet};

use crate::ir::Location;

pub use gpu_core::config::DivergenceMechanism;

/// How hard the compiler tries.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Optimization {
    /// Every statement as it stands.
    None,
    /// All passes.
    Full,
}

/// From where a loop's read-only loads may be taken out of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum LoadHoisting {
    /// From where the loop is sure to pass.
    Sure,
    /// From anywhere in its straight line: for kernels whose read-only addresses are good even where they are not used.
    Always,
}

/// A deliberate fault, to show that the tests would notice it. Not for use.
#[doc(hidden)]
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Mutation {
    /// Lanes that left are gathered in a lane register instead of being found by ballot.
    AccumulateMasks,
    /// A constant made under one mask is used under another.
    ReuseConstants,
    /// Intervals end at their last use even inside a loop.
    NoLoopExtension,
    /// `Get` does not take a copy.
    NoSnapshot,
    /// Thread masks: a mask that is read where no lane may be on lies in the frame.
    SpillMasks,
    /// Thread masks: loops, barriers and shared side effects are entered without lanes.
    EnterWithoutLanes,
}

/// What the code is made for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CompileOptions {
    /// Lanes of a warp, 1 to 32.
    pub lanes: u32,
    /// Warps of a core, 1 to 32. A workgroup of more warps takes turns on them.
    pub warps: u32,
    /// What the machine has beyond RV32IMAF and the SIMT extension is used.
    pub extensions: ExtensionSet,
    /// Integer registers that may hold values, 4 to 29 (`x0`, frame and address registers are not among them).
    pub integer_registers: u32,
    /// Float registers that may hold values, 4 to 32.
    pub float_registers: u32,
    /// How hard to try.
    pub optimization: Optimization,
    /// Which loads leave loops.
    pub load_hoisting: LoadHoisting,
    /// What divergent control flow becomes.
    pub divergence: DivergenceMechanism,
    #[doc(hidden)]
    pub mutation: Option<Mutation>,
}

impl CompileOptions {
    /// All registers, all passes, for a machine of so many lanes and warps.
    pub const fn new(lanes: u32, warps: u32, extensions: ExtensionSet) -> Self {
        Self {
            lanes,
            warps,
            extensions,
            integer_registers: 29,
            float_registers: 32,
            optimization: Optimization::Full,
            load_hoisting: LoadHoisting::Sure,
            divergence: DivergenceMechanism::Ipdom,
            mutation: None,
        }
    }

    /// The same for this machine, with the mechanism that it is to be programmed with.
    pub const fn for_machine(config: &GpuConfig) -> Self {
        Self { divergence: config.divergence, ..Self::new(config.lanes, config.warps, config.extensions) }
    }
}

/// Why a kernel cannot be compiled for a machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackEndError {
    /// An option out of range.
    #[error("{what} must be {least} to {most}, not {value}")]
    Option {
        /// Which option.
        what: &'static str,
        /// What it was.
        value: u32,
        /// Smallest that works.
        least: u32,
        /// Largest that works.
        most: u32,
    },
    /// The machine lacks what the divergence mechanism is made of.
    #[error(
        "kernel `{kernel}`: the divergence mechanism `{mechanism}` needs a machine with the extension {extension:?}; add it to the machine's extensions or take another mechanism"
    )]
    MissingExtension {
        /// The kernel.
        kernel: String,
        /// The mechanism's name.
        mechanism: &'static str,
        /// What it needs.
        extension: Extension,
    },
    /// Some invocations of a workgroup may not reach the barrier.
    #[error(
        "kernel `{kernel}`: this barrier is reached by some invocations of a workgroup only; move it out of control flow that depends on {cause}"
    )]
    DivergentBarrier {
        /// The kernel.
        kernel: String,
        /// "the invocation" or "the warp".
        cause: &'static str,
        /// Where the barrier is.
        at: Location,
    },
    /// A workgroup with barriers needs all its warps at once.
    #[error(
        "kernel `{kernel}` has barriers and workgroups of {wanted} warps of {lanes} lanes, a core has {available}; make the workgroup smaller"
    )]
    WorkgroupTooLarge {
        /// The kernel.
        kernel: String,
        /// Warps of a workgroup.
        wanted: u32,
        /// Warps of a core.
        available: u32,
        /// Lanes of a warp.
        lanes: u32,
    },
    /// The kernel was translated for a machine that has more than this one.
    #[error(
        "kernel `{kernel}` uses `{mnemonic}` of {extension:?}, which the machine lacks; translate it with the machine's extensions"
    )]
    Extension {
        /// The kernel.
        kernel: String,
        /// The instruction.
        mnemonic: &'static str,
        /// Its extension.
        extension: Extension,
    },
    /// A workgroup without invocations.
    #[error("kernel `{kernel}` has a workgroup size of {size:?}, every component must be at least 1")]
    EmptyWorkgroup {
        /// The kernel.
        kernel: String,
        /// Along x, y, z.
        size: [u32; 3],
    },
    /// Straight-line code beyond the reach of a jump.
    #[error("kernel `{kernel}` needs {instructions} instructions, a jump reaches 262144; make it smaller")]
    TooLong {
        /// The kernel.
        kernel: String,
        /// How many it has.
        instructions: usize,
    },
}

impl BackEndError {
    /// The place in the source that it speaks of, if it speaks of one.
    pub fn place(&self) -> Option<Location> {
        match self {
            Self::DivergentBarrier { at, .. } => Some(*at),
            _ => None,
        }
    }
}

/// What the compiler did.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Instructions in the program.
    pub instructions: u32,
    /// Virtual registers that live in the frame.
    pub spilled: u32,
    /// Virtual registers that are made anew at each use.
    pub remade: u32,
    /// Loads and stores of spilled registers in the program.
    pub spill_accesses: u32,
}
