//! The whole experiment: all measurements of an extent, then the anchor row, and an outcome if every guard holds.

use gpu_core::config::GpuConfig;

use crate::experiments::error::ExperimentError;
use crate::experiments::sampler::case::{Case, Extent, anchor_cases, cases};
use crate::experiments::sampler::report::Outcome;
use crate::experiments::sampler::run::Runner;

/// How far an experiment is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Work done, of `total`: instructions, roughly.
    pub done: u64,
    /// All the work.
    pub total: u64,
    /// What comes next.
    pub name: String,
}

/// The measurements of an extent on machines like `config`, and the anchor row.
pub fn experiment(
    machine: &str,
    config: &GpuConfig,
    extent: &Extent,
    mut progress: impl FnMut(&Step),
) -> Result<Outcome, ExperimentError> {
    let cases = cases(extent);
    // A machine that cannot be is refused before anything is measured.
    for case in &cases {
        case.memory.apply(GpuConfig { cores: case.cores, ..*config }).validate()?;
    }
    let mut runner = Runner::default();
    let mut step = Step { done: 0, total: cases.iter().map(Case::work).sum(), name: String::new() };
    let mut rows = Vec::with_capacity(cases.len());
    for case in &cases {
        step.name = case.name();
        progress(&step);
        rows.push(runner.run(case, config)?);
        step.done += case.work();
    }
    let anchor = GpuConfig::vortex(1, 4, 4);
    let anchor = anchor_cases().iter().map(|case| runner.run(case, &anchor)).collect::<Result<_, _>>()?;
    let differing = runner.differing(extent.target).unwrap_or(0.0);
    Ok(Outcome { machine: machine.to_owned(), rows, anchor, differing })
}
