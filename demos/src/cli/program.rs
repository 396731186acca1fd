//! A program file that is to run on the machine.

use std::path::Path;

use anyhow::{Context, ensure};
use gpu_core::load::load_file;
use gpu_core::program::Program;

/// Loads an ELF32, raw or `.s` file that has instructions.
pub fn load(path: &Path) -> anyhow::Result<Program> {
    let file = path.display();
    let program = load_file(path).with_context(|| format!("cannot load program `{file}`"))?;
    ensure!(
        program.segments.iter().any(|segment| segment.is_executable && segment.bytes.len() >= 4),
        "`{file}` has no instructions; a program ends with `tmc x0` or `ecall`"
    );
    Ok(program)
}
