//! Makes the kernel smaller without changing what it does.
//!
//! Before: `translate`. After: `legalize`, `lower`.

#[allow(dead_code, reason = "the passes that read them follow")]
pub mod operands;

use crate::compile::CompileOptions;
use crate::ir::Kernel;

/// All passes, before addresses are absolute.
pub fn run(_kernel: &mut Kernel, _options: &CompileOptions) {}

/// The passes that find something in what `legalize` made.
pub fn run_again(_kernel: &mut Kernel, _options: &CompileOptions) {}
