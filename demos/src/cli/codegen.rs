//! `warpaint codegen`: what the compiler makes of twenty shaders.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use demos::experiments::codegen::{Row, measure, page};
use demos::load::write_atomically;
use demos::report::{self, Provenance};
use serde::Serialize;

use crate::cli::output::{emit, remark};

/// Options of `codegen`.
#[derive(Clone, Debug, Args)]
pub struct Codegen {
    /// Write the page to this file instead of printing it
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct Body<'a> {
    shaders: &'a [Row],
}

/// Measures and prints.
pub fn run(options: &Codegen) -> anyhow::Result<ExitCode> {
    let rows = measure()?;
    if let Some(file) = &options.write {
        write_atomically(file, page(&rows).as_bytes())?;
        remark(&format!("{}: {} shaders", file.display(), rows.len()));
    }
    if options.json {
        emit(report::to_json("codegen", &Provenance::of_command(), &Body { shaders: &rows }))?;
    } else if options.write.is_none() {
        emit(page(&rows))?;
    }
    Ok(ExitCode::SUCCESS)
}
