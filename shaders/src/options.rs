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
    /// Thread masks: both sides of an `If` run with the lanes of the first.
    KeepFirstSide,
    /// Votes: the opposite of `a < b` is `b < a`.
    LoseEquality,
    /// A scope's end does not take off lanes that go further out.
    StopEscapes,
    /// A scope's end does not forget that lanes left to it.
    KeepEscapes,
    /// The mask of the lanes that stay is not set after those that leave have gone.
    LeaveWithStayers,
    /// Simplification: a load is taken for the one before a store.
    LoadBeforeStore,
    /// Simplification: variables hold at a loop's top what they held before it.
    HoldIntoLoops,
    /// Simplification: where ways meet, a variable holds what it held on the first.
    MeetFirst,
    /// Simplification: what is known in a branch stays known after it.
    KeepFacts,
    /// Rules: `(x >> s) << s` is `x`.
    ShiftBack,
    /// Rules: `a - (-b)` is `a - b`.
    LoseSign,
    /// Address folding: a constant part of an address is dropped.
    DropOffset,
    /// Dead writes: a loop's next turn reads nothing.
    ForgetNextTurn,
    /// Hoisting: a load of memory that the loop writes leaves it.
    HoistWritten,
    /// Fusion: the halves of a pair come in the order that does not fuse.
    FuseBackwards,
    /// Divergence: lanes agree on what they load.
    UniformLoads,
    /// Divergence: what lanes carry out of a loop at different times agrees.
    NoTemporalDivergence,
    /// Selection: a shift before an addition is one bit short.
    ShortShiftAdd,
    /// Selection: the sides of a select change places.
    SwapSelect,
    /// Selection: a signed minimum or maximum is unsigned.
    UnsignedExtremum,
    /// Selection: `a <= b` becomes `a < b` where b is a constant.
    TightBound,
    /// Selection: the inverted operand of `andn`, `orn`, `xnor` is the other one.
    InvertOther,
    /// Selection: floor rounds toward zero.
    TruncateFloor,
    /// Selection: a multiplication and an addition become one rounding.
    Contract,
    /// Spilling: what is held is read where control comes in from elsewhere.
    HoldOverLabels,
    /// Spilling: what is held is read by lanes that came back.
    HoldOverMasks,
    /// Spilling: memory that the kernel writes is loaded again.
    RemakeWritten,
    /// Spilling: a write does not reach the frame.
    KeepNothing,
    /// Spilling: the constant after the one that is meant.
    NextConstant,
    /// Allocation: a register is free one instruction before its last use.
    EndEarly,
    /// Allocation: a copy takes the register of what it copies, free or not.
    TakeHint,
    /// Emission: a loop's repeated test goes the other way.
    RotateWrong,
    /// Emission: constants forget that their low half is signed.
    UnsignedLow,
    /// Emission: a far branch is not inverted around its jump.
    FarSame,
}

impl Mutation {
    /// All but those that only a kernel made for them shows.
    pub const EVERY: [Self; 32] = [
        Self::AccumulateMasks,
        Self::ReuseConstants,
        Self::NoLoopExtension,
        Self::NoSnapshot,
        Self::KeepFirstSide,
        Self::StopEscapes,
        Self::KeepEscapes,
        Self::LeaveWithStayers,
        Self::LoadBeforeStore,
        Self::HoldIntoLoops,
        Self::MeetFirst,
        Self::KeepFacts,
        Self::ShiftBack,
        Self::ForgetNextTurn,
        Self::HoistWritten,
        Self::UniformLoads,
        Self::ShortShiftAdd,
        Self::SwapSelect,
        Self::UnsignedExtremum,
        Self::TightBound,
        Self::InvertOther,
        Self::TruncateFloor,
        Self::Contract,
        Self::HoldOverLabels,
        Self::HoldOverMasks,
        Self::RemakeWritten,
        Self::KeepNothing,
        Self::NextConstant,
        Self::EndEarly,
        Self::TakeHint,
        Self::RotateWrong,
        Self::UnsignedLow,
    ];
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

    /// Whether this fault is planted.
    pub(crate) fn plants(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
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
