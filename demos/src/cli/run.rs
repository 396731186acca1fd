//! `warpaint run FILE`: a program on the machine; the exit status is the program's.

use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use demos::report;
use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, LaunchReport};
use gpu_core::load::load_file;
use gpu_core::units::Address;
use serde::Serialize;

use crate::cli::arguments;
use crate::cli::output::{emit, remark};

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
    if options.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wgsl")) {
        bail!("`{file}` is a shader, which is no program; `warpaint disasm {file}` shows its machine code");
    }
    let program = load_file(&options.file).with_context(|| format!("cannot load program `{file}`"))?;
    ensure!(
        program.segments.iter().any(|segment| segment.is_executable && segment.bytes.len() >= 4),
        "`{file}` has no instructions; a program ends with `tmc x0` or `ecall`"
    );
    let mut config = GpuConfig::from_name(&options.machine)?;
    if let Some(budget) = options.budget {
        config.instruction_budget = budget;
    }
    let mut gpu = Gpu::new(config)?;
    let report = gpu.launch(&program, Address(0)).with_context(|| format!("`{file}` did not run to its end"))?;
    print(options, &file, &report)?;
    Ok(ExitCode::from(report.exit_status))
}

fn print(options: &arguments::Run, file: &str, launch: &LaunchReport) -> anyhow::Result<()> {
    if options.json {
        let body = Body {
            file: file.to_string(),
            machine: &options.machine,
            exit_status: launch.exit_status,
            exit_codes: &launch.exit_codes,
            warp_instructions: launch.warp_instructions,
            lane_instructions: launch.lane_instructions,
            console: String::from_utf8_lossy(&launch.console).into_owned(),
        };
        return emit(report::to_json("run", &body));
    }
    emit(&launch.console)?;
    remark(&format!(
        "{file}: exit status {}, {}, {}",
        launch.exit_status,
        report::count(launch.warp_instructions, "warp instruction"),
        report::count(launch.lane_instructions, "lane instruction")
    ));
    Ok(())
}
