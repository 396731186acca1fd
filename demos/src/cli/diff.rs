//! `warpaint diff A.json B.json`: what moved between two reports.

use std::process::ExitCode;

use demos::report::{self, Difference, Provenance};

use crate::cli::arguments;
use crate::cli::output::emit;

/// Compares and prints.
pub fn run(options: &arguments::Diff) -> anyhow::Result<ExitCode> {
    let difference = Difference::of_files(&options.a, &options.b)?;
    let text = if options.json {
        report::to_json("diff", &Provenance::of_command(), &difference)
    } else {
        difference.to_text()
    };
    emit(text)?;
    Ok(ExitCode::SUCCESS)
}
