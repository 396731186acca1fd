//! `warpaint disasm FILE`: machine code as text, a shader's with its source lines.

use std::process::ExitCode;

use anyhow::Context;
use demos::{listing, report};
use gpu_core::program;
use serde::Serialize;

use crate::cli::arguments;

#[derive(Serialize)]
struct Body {
    file: String,
    lines: Vec<listing::Line>,
}

/// Loads or compiles, and prints.
pub fn run(options: &arguments::Disasm) -> anyhow::Result<ExitCode> {
    let file = options.file.display().to_string();
    let bytes = std::fs::read(&options.file).with_context(|| format!("cannot read program `{file}`"))?;
    let program = program::load(&file, &bytes).with_context(|| format!("cannot load program `{file}`"))?;
    let lines = listing::of_program(&program);
    if options.json {
        print!("{}", report::to_json("disasm", &Body { file, lines }));
    } else {
        print!("{}", listing::to_text(&lines));
    }
    Ok(ExitCode::SUCCESS)
}
