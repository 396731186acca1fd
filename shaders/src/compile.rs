//! From the intermediate form to a program: the passes in order, and what holds after each.
//!
//! | pass | after it |
//! | --- | --- |
//! | `optimize` | no constant branch, no dead value, no variable that one dominating `Set` explains |
//! | `legalize` | workgroup and private addresses are absolute; selects of floats are selects of bits |
//! | `optimize` again | what those made is shared and hoisted |
//! | `divergence` | which values, variables and branches the lanes of a warp agree on; barriers are where all arrive |
//! | `lower` | machine instructions over virtual registers; every divergent construct has one entry and one exit |
//! | `allocate` | every register has a number; the rest lives in the warp's frame or is made anew |
//! | `emit` | words, line table, symbols |

use gpu_core::isa::ExtensionSet;
use gpu_core::program::{Program, SourceFile};

use crate::ir::{Binding, Kernel, Location};
use crate::{allocate, divergence, emit, legalize, lower, optimize};

/// How divergent control flow becomes machine code.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DivergenceMechanism {
    /// `split` and `join` where lanes come together again, `tmc` where some have left.
    Ipdom,
}

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

/// A program and what a launch must know of it.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledKernel {
    /// The entry point.
    pub name: String,
    /// Code and line table.
    pub program: Program,
    /// In the order of the argument block.
    pub bindings: Vec<Binding>,
    /// Invocations of a workgroup along x, y, z.
    pub workgroup_size: [u32; 3],
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u32,
    /// Lanes of a warp that the code was made for.
    pub lanes: u32,
    /// Warps that a workgroup occupies.
    pub warps_per_workgroup: u32,
    /// Bytes of frame (spilled registers and private memory) of one warp.
    pub frame_bytes: u32,
    /// What the compiler did.
    pub statistics: Statistics,
}

impl CompiledKernel {
    /// The code as text: address, word, instruction, and the source line wherever it changes.
    pub fn listing(&self) -> String {
        use std::fmt::Write as _;

        use gpu_core::isa::disassembler::disassemble_word;

        let mut text = String::new();
        for segment in &self.program.segments {
            for (index, word) in segment.bytes.chunks_exact(4).enumerate() {
                let pc = segment.address.offset(index as u32 * 4);
                let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
                let starts_line = self.program.lines.binary_search_by_key(&pc, |entry| entry.address).is_ok();
                if let Some(location) = self.program.location(pc)
                    && starts_line
                {
                    let _ = writeln!(text, "; {}:{}: {}", location.file, location.line, location.text.trim());
                }
                let _ = writeln!(text, "{pc}  {word:08x}  {}", disassemble_word(word, pc));
            }
        }
        text
    }
}

/// Compiles one kernel. `sources` are the texts of [`Kernel::files`], in that order; it may be empty.
pub fn compile(
    kernel: &Kernel,
    sources: &[SourceFile],
    options: &CompileOptions,
) -> Result<CompiledKernel, BackEndError> {
    check(kernel, options)?;
    let optimized = options.optimization == Optimization::Full;
    let mut kernel = kernel.clone();
    if optimized {
        optimize::run(&mut kernel, options);
        debug_assert_eq!(crate::ir::verify::verify(&kernel), Ok(()), "the passes keep the rules of the form");
    }
    // Barriers are judged before addresses lose their spaces.
    divergence::analyze(&kernel, options.lanes).check_barriers(&kernel)?;
    legalize::run(&mut kernel, options);
    if optimized {
        optimize::run(&mut kernel, options);
    }
    let divergence = divergence::analyze(&kernel, options.lanes);
    let lowered = lower::run(&kernel, &divergence, options);
    let allocated = allocate::run(lowered.code, lowered.private_words, options);
    let program = emit::run(&kernel, sources, &allocated)?;
    let statistics = Statistics {
        instructions: program.segments.iter().map(|segment| segment.bytes.len() as u32 / 4).sum(),
        ..allocated.statistics
    };
    Ok(CompiledKernel {
        name: kernel.name,
        program,
        bindings: kernel.bindings,
        workgroup_size: kernel.workgroup_size,
        workgroup_bytes: kernel.workgroup_bytes,
        lanes: options.lanes,
        warps_per_workgroup: lowered.warps_per_workgroup,
        frame_bytes: allocated.frame_words * options.lanes * 4,
        statistics,
    })
}

/// Refuses what no pass could handle.
fn check(kernel: &Kernel, options: &CompileOptions) -> Result<(), BackEndError> {
    for (what, value, least, most) in [
        ("the lanes of a warp", options.lanes, 1, 32),
        ("the warps of a core", options.warps, 1, 32),
        ("the number of integer registers", options.integer_registers, 4, 29),
        ("the number of float registers", options.float_registers, 4, 32),
    ] {
        if !(least..=most).contains(&value) {
            return Err(BackEndError::Option { what, value, least, most });
        }
    }
    if kernel.workgroup_size.contains(&0) {
        return Err(BackEndError::EmptyWorkgroup { kernel: kernel.name.clone(), size: kernel.workgroup_size });
    }
    let wanted = warps_of_workgroup(kernel, options.lanes);
    if wanted > options.warps && divergence::has_barrier(&kernel.body) {
        let (available, lanes) = (options.warps, options.lanes);
        return Err(BackEndError::WorkgroupTooLarge { kernel: kernel.name.clone(), wanted, available, lanes });
    }
    Ok(())
}

/// Warps that the invocations of a workgroup fill.
pub(crate) fn warps_of_workgroup(kernel: &Kernel, lanes: u32) -> u32 {
    kernel.workgroup_size.iter().product::<u32>().div_ceil(lanes)
}
