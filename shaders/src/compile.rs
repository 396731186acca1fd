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

use gpu_core::isa::{ExtensionSet, Op};
use gpu_core::program::{Program, SourceFile};

use crate::abi::ArgumentLayout;
use crate::ir::{Binary, Binding, Block, Kernel, Operation, Statement, Unary};
pub use crate::options::{
    BackEndError, CompileOptions, DivergenceMechanism, LoadHoisting, Mutation, Optimization, Statistics,
};
use crate::{allocate, divergence, emit, legalize, lower, optimize};

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
    /// What the code loads from the argument block instead of making it.
    pub constants: Vec<u32>,
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
    let divergence = divergence::analyze_with(&kernel, options.lanes, options.mutation);
    let lowered = lower::run(&kernel, &divergence, options);
    let layout = ArgumentLayout { binding_count: kernel.bindings.len() as u32 };
    let allocated = allocate::run(lowered.code, lowered.private_words, layout, options);
    let program = emit::run(&kernel, sources, &allocated, options.mutation)?;
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
        constants: allocated.constants,
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
    if let Some(extension) = options.divergence.extension()
        && !options.extensions.contains(extension)
    {
        let (kernel, mechanism) = (kernel.name.clone(), options.divergence.name());
        return Err(BackEndError::MissingExtension { kernel, mechanism, extension });
    }
    if kernel.workgroup_size.contains(&0) {
        return Err(BackEndError::EmptyWorkgroup { kernel: kernel.name.clone(), size: kernel.workgroup_size });
    }
    if let Some(op) = missing_instruction(&kernel.body, options.extensions) {
        let (mnemonic, extension) = (op.spec().mnemonic, op.spec().extension);
        return Err(BackEndError::Extension { kernel: kernel.name.clone(), mnemonic, extension });
    }
    let wanted = lower::warps_of_workgroup(kernel, options.lanes);
    if wanted > options.warps && divergence::has_barrier(&kernel.body) {
        let (available, lanes) = (options.warps, options.lanes);
        return Err(BackEndError::WorkgroupTooLarge { kernel: kernel.name.clone(), wanted, available, lanes });
    }
    Ok(())
}

/// A transcendental instruction of the kernel that a machine with these extensions lacks.
fn missing_instruction(block: &Block, extensions: ExtensionSet) -> Option<Op> {
    block.iter().find_map(|statement| match statement {
        Statement::Let {
            operation:
                Operation::Unary(Unary::Transcendental(op), _) | Operation::Binary(Binary::Transcendental(op), ..),
            ..
        } => (!extensions.contains(op.spec().extension)).then_some(*op),
        Statement::If { accept, reject, .. } => {
            missing_instruction(accept, extensions).or_else(|| missing_instruction(reject, extensions))
        }
        Statement::Scope { body, .. } | Statement::Loop { body, .. } => missing_instruction(body, extensions),
        _ => None,
    })
}
