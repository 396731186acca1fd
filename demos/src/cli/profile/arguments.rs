//! Options of `warpaint profile`.

use std::path::PathBuf;

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use demos::experiments::compute::Benchmark;
use demos::experiments::sampler::{Filter, Sampler};
use demos::inspect::profile::table::{By, Order};
use serde::Serialize;

use crate::cli::arguments::{Picture, moment};
use crate::cli::shader::Launched;
use crate::cli::tracing::Tracing;

/// Options of `profile`.
#[derive(Clone, Debug, Args)]
pub struct Profile {
    /// The program: ELF32, raw image, assembly text (.s), or a compute shader; or choose --scene, --model or --workload
    pub file: Option<PathBuf>,
    /// What a shader is launched with.
    #[command(flatten)]
    pub launched: Launched,
    /// A kernel with its data: sgemm, vecadd, sfilter, saxpy, nearn, gaussian, bfs, or a sampler as in
    /// sampler-bilinear-tex (point, bilinear, trilinear; tex, specialised, generic), which draws --size pixels
    #[arg(long, value_name = "NAME", conflicts_with_all = ["file", "scene", "model"])]
    pub workload: Option<String>,
    /// How large a compute workload is: side of its matrices or picture, elements, or nodes
    #[arg(long, value_name = "N")]
    pub workload_size: Option<u32>,
    /// The scene and the machine.
    #[command(flatten)]
    pub picture: Picture,
    /// The moment of the animation, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = moment)]
    pub time: f32,
    /// What a row is about
    #[arg(long, value_enum, default_value = "line")]
    pub by: ByName,
    /// Which row comes first
    #[arg(long, value_enum, default_value = "cost")]
    pub order: OrderName,
    /// Print so many rows, and the sum of the others [default: 20, or all with --order source]
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Write the profile to this file too, as a page with the whole source
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print the profile as JSON, with all rows
    #[arg(long)]
    pub json: bool,
    /// Whether to trace the same run.
    #[command(flatten)]
    pub tracing: Tracing,
}

/// What a row is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ByName {
    /// A source line
    Line,
    /// An instruction
    Instruction,
}

impl From<ByName> for By {
    fn from(name: ByName) -> Self {
        match name {
            ByName::Line => Self::Line,
            ByName::Instruction => Self::Instruction,
        }
    }
}

/// Which row comes first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderName {
    /// The one that cost most
    Cost,
    /// The first in the source
    Source,
}

impl From<OrderName> for Order {
    fn from(name: OrderName) -> Self {
        match name {
            OrderName::Cost => Self::Cost,
            OrderName::Source => Self::Source,
        }
    }
}

/// What is to be profiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A program of a file.
    Program(PathBuf),
    /// A compute shader of a file.
    Shader(PathBuf),
    /// A scene or a model.
    Scene,
    /// A benchmark.
    Compute(Benchmark),
    /// The sampler kernel.
    Sampler(Filter, Sampler),
}

impl Choice {
    /// The machine when none is named.
    pub const fn usual_machine(&self) -> &'static str {
        match self {
            Self::Scene | Self::Shader(_) => "wide",
            _ => "vortex-4w4t",
        }
    }
}

/// Rows of a table that is sorted by cost, when nobody says.
const USUAL_ROWS: usize = 20;

impl Profile {
    /// What is to be profiled.
    pub fn choice(&self) -> anyhow::Result<Choice> {
        let has_scene = self.picture.scene.is_some() || self.picture.model.is_some();
        // `requires` of clap does not hold beside an argument that excludes the required one.
        ensure!(
            self.workload_size.is_none() || self.workload.is_some(),
            "--workload-size is the size of a --workload, and none is named"
        );
        match (&self.file, &self.workload) {
            (Some(_), _) if has_scene => bail!("a program and a scene cannot be profiled in one run"),
            (Some(file), _) if self.launched.entry.is_shader(file) => Ok(Choice::Shader(file.clone())),
            (Some(file), _) => {
                self.launched.refuse(file)?;
                Ok(Choice::Program(file.clone()))
            }
            (None, Some(name)) => workload(name),
            (None, None) if has_scene => Ok(Choice::Scene),
            (None, None) => bail!("nothing to profile: name a program, --scene, --model or --workload"),
        }
    }

    /// How many rows are printed.
    pub fn row_count(&self) -> usize {
        let usual = if self.order == OrderName::Source { usize::MAX } else { USUAL_ROWS };
        self.top.unwrap_or(usual)
    }
}

/// A workload by name.
fn workload(name: &str) -> anyhow::Result<Choice> {
    if let Some(benchmark) = Benchmark::ALL.into_iter().find(|benchmark| benchmark.name() == name) {
        return Ok(Choice::Compute(benchmark));
    }
    let samplers = || Filter::ALL.into_iter().flat_map(|filter| Sampler::ALL.map(|sampler| (filter, sampler)));
    let named = |filter: Filter, sampler: Sampler| format!("sampler-{}-{}", filter.name(), sampler.name());
    if let Some((filter, sampler)) = samplers().find(|&(filter, sampler)| named(filter, sampler) == name) {
        return Ok(Choice::Sampler(filter, sampler));
    }
    let benchmarks = Benchmark::ALL.map(|benchmark| benchmark.name().to_owned());
    let known: Vec<String> =
        benchmarks.into_iter().chain(samplers().map(|(filter, sampler)| named(filter, sampler))).collect();
    bail!("there is no workload `{name}`; there are: {}", known.join(", "))
}
