//! `warpaint bench sampler`: the texture unit against software.

use std::process::ExitCode;

use demos::experiments::sampler::case::Extent;
use demos::experiments::sampler::experiment::experiment;
use demos::experiments::sampler::run::SEED;
use demos::report::Provenance;
use demos::{plot, report};
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::arguments::Size;
use crate::cli::bench::arguments::Sampler;
use crate::cli::output::{emit, remark};

const USUAL: Size = Size { width: 1920, height: 1080 };
const QUICK: Size = Size { width: 128, height: 72 };

/// Measures, checks and prints.
pub fn run(options: &Sampler) -> anyhow::Result<ExitCode> {
    if let Some(path) = &options.plot {
        plot::check_path(path)?;
    }
    let chosen = options.machine.choose("vortex-4w4t")?;
    let config = chosen.config;
    let own_latency = config.timing.memory.dram.latency;
    let pair = |size: Size| [size.width, size.height];
    let extent = Extent {
        target: pair(options.size.unwrap_or(if options.quick { QUICK } else { USUAL })),
        source: options.source.map(pair),
        cores: options.cores.clone(),
        has_sweep: options.full || options.plot.is_some(),
        own_latency,
        is_full: options.full,
    };
    let bar = ProgressBar::new(0);
    let style = "{bar:30} {percent} % {elapsed}, {eta} left, {msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is well formed"));
    let outcome = experiment(&chosen.name, &config, &extent, |step| {
        bar.set_length(step.total);
        bar.set_position(step.done);
        bar.set_message(step.name.clone());
    });
    bar.finish_and_clear();
    let outcome = outcome?;
    if let Some(path) = &options.plot {
        outcome.chart(own_latency).write(path)?;
        remark(&format!("the chart is in {}", path.display()));
    }
    let provenance = Provenance::of_machine(chosen.configuration(), []).with_seed(SEED.into());
    emit(if options.json { report::to_json("bench sampler", &provenance, &outcome.json()) } else { outcome.text() })?;
    Ok(ExitCode::SUCCESS)
}
