//! `warpaint run FILE`: a program on the machine; the exit status is the program's.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use demos::report;
use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, LaunchReport};
use gpu_core::load::load_file;
use gpu_core::units::Address;
use serde::Serialize;

use crate::cli::arguments;

/// The machine-readable outcome.
#[derive(Serialize)]
struct Body<'a> {
    file: String,
    machine: &'a str,
    exit_status: u8,
    exit_codes: &'a [Option<u32>],
    warp_instructions: u64,
    lane_instructions: u64,
    console: String,
}

/// Loads, runs, prints the console, and takes over the exit status.
pub fn run(options: &arguments::Run) -> anyhow::Result<ExitCode> {
    let file = options.file.display().to_string();
    let program = load_file(&options.file).with_context(|| format!("cannot load program `{file}`"))?;
    let mut config = GpuConfig::from_name(&options.machine)?;
    if let Some(budget) = options.budget {
        config.instruction_budget = budget;
    }
    let mut gpu = Gpu::new(config)?;
    let report = gpu.launch(&program, Address(0)).with_context(|| format!("`{file}` did not run to its end"))?;
    print(options, &file, &report)?;
    Ok(ExitCode::from(report.exit_status))
}

fn print(options: &arguments::Run, file: &str, report: &LaunchReport) -> anyhow::Result<()> {
    if options.json {
        let body = Body {
            file: file.to_string(),
            machine: &options.machine,
            exit_status: report.exit_status,
            exit_codes: &report.exit_codes,
            warp_instructions: report.warp_instructions,
            lane_instructions: report.lane_instructions,
            console: String::from_utf8_lossy(&report.console).into_owned(),
        };
        print!("{}", report::to_json("run", &body));
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    out.write_all(&report.console).context("cannot write to standard output")?;
    out.flush().context("cannot write to standard output")?;
    eprintln!(
        "{file}: exit status {}, {} warp instructions, {} lane instructions",
        report.exit_status, report.warp_instructions, report.lane_instructions
    );
    Ok(())
}
