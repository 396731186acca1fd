//! `warpaint run FILE`: a program on the machine; the exit status is the program's. Shaders are `run_shader`'s.

use std::process::ExitCode;

use anyhow::Context;
use demos::report::{self, Counted, Provenance};
use gpu_core::gpu::{Gpu, LaunchError, LaunchReport};
use gpu_core::program::Program;
use gpu_core::races::{Race, Races};
use gpu_core::units::Address;
use serde::Serialize;

use crate::cli::machine::counted;
use crate::cli::output::{emit, remark};
use crate::cli::{arguments, program, run_shader};

/// The machine-readable outcome.
#[derive(Serialize)]
struct Body<'a> {
    file: &'a str,
    machine: &'a str,
    exit_status: u8,
    exit_codes: &'a [Option<u32>],
    warp_instructions: u64,
    lane_instructions: u64,
    console: String,
    /// Why the program ended early, if it did; figures are those up to there.
    #[serde(skip_serializing_if = "Option::is_none")]
    trap: Option<String>,
    /// Races, if they were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    races: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timed: Option<Counted>,
}

/// Loads, runs, prints the console, and takes over the exit status.
pub fn run(options: &arguments::Run) -> anyhow::Result<ExitCode> {
    if options.launched.entry.is_shader(&options.file) {
        return run_shader::run(options);
    }
    options.launched.refuse(&options.file)?;
    options.results.refuse(&options.file)?;
    let file = options.file.display().to_string();
    let program = program::load(&options.file)?;
    let mut chosen = options.machine.choose("vortex-4w4t")?;
    if let Some(budget) = options.budget {
        chosen.config.set_field("instruction_budget", &budget.to_string())?;
    }
    let mut gpu = Gpu::new(chosen.config)?;
    gpu.set_mode(options.time.mode());
    let mut runner = options.tracing.runner(&chosen)?;
    let mut races = options.races.then(|| Races::new(chosen.config.cores));
    let outcome = match &mut races {
        Some(races) => gpu.launch_observed(&program, Address(0), races),
        None => runner.launcher().launch(&mut gpu, &program, Address(0)),
    };
    if runner.has_stopped() {
        return runner.finish().map(|()| ExitCode::FAILURE);
    }
    // A trap ends the program, not the report.
    let (launch, failure) = match outcome {
        Ok(launch) => (launch, None),
        Err(cause @ LaunchError::Trap(_)) => (gpu.report(), Some(cause)),
        Err(cause) => return Err(cause).with_context(|| format!("`{file}` did not run to its end")),
    };
    let timed = counted(launch.timed.as_ref(), &chosen.config);
    options.time.write_csv(timed.as_ref())?;
    let failure = failure.map(|cause| anyhow::Error::from(cause).context(format!("`{file}` did not run to its end")));
    let body = Body {
        file: &file,
        machine: &chosen.name,
        exit_status: launch.exit_status,
        exit_codes: &launch.exit_codes,
        warp_instructions: launch.warp_instructions,
        lane_instructions: launch.lane_instructions,
        console: String::from_utf8_lossy(&launch.console).into_owned(),
        trap: failure.as_ref().map(report::describe),
        races: races.map(|races| races.found().iter().map(|race| told(race, &program)).collect()),
        timed,
    };
    if options.json {
        emit(report::to_json("run", &Provenance::of_machine(chosen.configuration(), [&program]), &body))?;
    } else {
        print(&body, &launch)?;
    }
    let traced = runner.finish();
    match failure {
        Some(failure) => Err(failure),
        None => traced.map(|()| ExitCode::from(launch.exit_status)),
    }
}

/// The console, and the rest on standard error.
fn print(body: &Body, launch: &LaunchReport) -> anyhow::Result<()> {
    emit(&launch.console)?;
    let end = match body.trap {
        Some(_) => "trapped".to_owned(),
        None => format!("exit status {}", body.exit_status),
    };
    let instructions = [(body.warp_instructions, "warp"), (body.lane_instructions, "lane")];
    let [warps, lanes] = instructions.map(|(number, kind)| report::count(number, &format!("{kind} instruction")));
    // A trap's own message is enough where nothing was timed.
    if body.trap.is_none() || body.timed.is_some() {
        remark(&format!("{}: {end}, {warps}, {lanes}", body.file));
    }
    if let Some(races) = &body.races {
        remark(&format!("{}: {} between cores", body.file, report::count(races.len() as u64, "race")));
        races.iter().for_each(|race| remark(race));
    }
    if let Some(timed) = &body.timed {
        remark(timed.to_text().trim_end());
    }
    Ok(())
}

/// A race, with the source lines of its two instructions where they are known.
pub fn told(race: &Race, program: &Program) -> String {
    let place = |pc| program.location(pc).map_or_else(|| "?".to_owned(), |at| format!("{}:{}", at.file, at.line));
    format!("{race} ({}, {})", place(race.first.pc), place(race.second.pc))
}
