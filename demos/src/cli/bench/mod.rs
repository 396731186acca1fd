//! `warpaint bench`: how fast this computer simulates, and what the simulated machine is worth. A file each.

pub mod arguments;
mod fill;
mod frame;
mod host_time;
mod machine;
mod sampler;
mod vertices;

use std::process::ExitCode;

use anyhow::ensure;
use indicatif::{ProgressBar, ProgressStyle};

use arguments::Bench;

/// Shortest and longest time a figure may be measured, in seconds.
const SECONDS_RANGE: std::ops::RangeInclusive<f64> = 0.01..=600.0;

/// Measures and prints.
pub fn run(options: &Bench) -> anyhow::Result<ExitCode> {
    match options {
        Bench::Machine(options) => machine::run(options),
        Bench::Frame(options) if options.fill => fill::run(options),
        Bench::Frame(options) if options.vertices => vertices::run(options),
        Bench::Frame(options) => frame::run(options),
        Bench::Sampler(options) => sampler::run(options),
    }
}

fn check_seconds(seconds: f64) -> anyhow::Result<()> {
    ensure!(SECONDS_RANGE.contains(&seconds), "--seconds {seconds} is out of range: 0.01 to 600");
    Ok(())
}

/// A bar on standard error, `steps` long; nothing where that is no terminal.
pub fn progress(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}").expect("the template is well formed");
    bar.set_style(style);
    bar
}
