//! A program file that is to run on the machine.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use gpu_core::load::load_file;
use gpu_core::program::Program;

/// Loads an ELF32, raw or `.s` file that has instructions.
pub fn load(path: &Path) -> anyhow::Result<Program> {
    let file = path.display();
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wgsl")) {
        bail!("`{file}` is a shader, which is no program; `warpaint disasm {file}` shows its machine code");
    }
    let program = load_file(path).with_context(|| format!("cannot load program `{file}`"))?;
    ensure!(
        program.segments.iter().any(|segment| segment.is_executable && segment.bytes.len() >= 4),
        "`{file}` has no instructions; a program ends with `tmc x0` or `ecall`"
    );
    Ok(program)
}
