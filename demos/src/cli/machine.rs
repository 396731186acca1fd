//! Options that choose a machine, the same for every command that runs one.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use demos::load::write_atomically;
use demos::report::{Configuration, Counted};
use gpu_core::config::{DivergenceMechanism, GpuConfig};
use gpu_core::gpu::{Mode, TimedReport};

/// Which machine. The later change the earlier: name, file or report; memory; single fields.
#[derive(Clone, Debug, Default, Args)]
pub struct Machine {
    /// A preset (`wide`, `vortex-4w4t`, …; `warpaint machines` lists them), cores, warps and lanes as in `2c8w16t`, or a
    /// TOML file [default: vortex-4w4t for a program, otherwise wide]
    #[arg(help_heading = "Machine", long, value_name = "NAME|FILE.toml")]
    pub machine: Option<String>,
    /// The machine of a report that was written with --json
    #[arg(help_heading = "Machine", long, value_name = "REPORT.json", conflicts_with = "machine")]
    pub config: Option<PathBuf>,
    /// The machine's memory: default, perfect or through-dcache
    #[arg(help_heading = "Machine", long, value_name = "NAME")]
    pub memory: Option<String>,
    /// How compiled programs let lanes diverge: `ipdom` (the stack of split and join) or `mask` (thread masks, which the
    /// machine is given if it lacks them) [default: the machine's own, ipdom]
    #[arg(help_heading = "Machine", long, value_name = "ipdom|mask", value_parser = mechanism)]
    pub divergence: Option<DivergenceMechanism>,
    /// Set one field, for example dcache.ports=2; may be given several times
    #[arg(help_heading = "Machine", long = "set", value_name = "FIELD=VALUE")]
    pub fields: Vec<String>,
}

/// Whether time is modelled, and where counters go.
#[derive(Clone, Debug, Default, Args)]
pub struct Time {
    /// Model every cycle: slower, the same results, with cycles and counters
    #[arg(help_heading = "Time", long)]
    pub timed: bool,
    /// Write all counters to this file as comma-separated values
    #[arg(help_heading = "Time", long, value_name = "FILE", requires = "timed")]
    pub csv: Option<PathBuf>,
}

impl Time {
    /// Writes the file of `--csv`, if it was asked for and something was counted.
    pub fn write_csv(&self, counted: Option<&Counted>) -> anyhow::Result<()> {
        match (&self.csv, counted) {
            (Some(path), Some(counted)) => Ok(write_atomically(path, counted.to_csv().as_bytes())?),
            _ => Ok(()),
        }
    }

    /// How the machine is to run.
    pub fn mode(&self) -> Mode {
        mode(self.timed)
    }
}

/// How a machine runs that is timed or not.
pub fn mode(timed: bool) -> Mode {
    if timed { Mode::Timed } else { Mode::Untimed }
}

/// What a machine counted, for reports; nothing if it ran untimed.
pub fn counted(timed: Option<&TimedReport>, config: &GpuConfig) -> Option<Counted> {
    timed.map(|timed| Counted::new(&timed.counters, &timed.regions, config.lanes))
}

/// The machine that was chosen.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// What it is called: the name, the file or the report.
    pub name: String,
    /// All its fields; they fit together.
    pub config: GpuConfig,
}

impl Chosen {
    /// For reports.
    pub fn configuration(&self) -> Configuration {
        Configuration::new(&self.name, &self.config)
    }
}

fn mechanism(name: &str) -> Result<DivergenceMechanism, String> {
    DivergenceMechanism::of_name(name).ok_or_else(|| "there are `ipdom` and `mask`".to_owned())
}

/// Whether a text names a TOML file and not a preset.
fn is_file(text: &str) -> bool {
    Path::new(text).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

impl Machine {
    /// What the machine is called; `default` if the options name none.
    pub fn name(&self, default: &str) -> String {
        match &self.config {
            Some(report) => report.display().to_string(),
            None => self.machine.as_deref().unwrap_or(default).to_owned(),
        }
    }

    /// The machine; `default` if the options name none.
    pub fn choose(&self, default: &str) -> anyhow::Result<Chosen> {
        let name = self.name(default);
        let config = match &self.config {
            Some(report) => Configuration::of_report(report)?,
            None if is_file(&name) => {
                let text =
                    std::fs::read_to_string(&name).with_context(|| format!("cannot read machine file `{name}`"))?;
                GpuConfig::from_toml(&text).with_context(|| format!("machine file `{name}`"))?
            }
            None => GpuConfig::from_name(&name)?,
        };
        let config = self.changed(config)?;
        Ok(Chosen { name, config })
    }

    /// A machine with the memory and fields of these options.
    pub fn changed(&self, mut config: GpuConfig) -> anyhow::Result<GpuConfig> {
        if let Some(memory) = &self.memory {
            config.set_memory(memory)?;
        }
        for field in &self.fields {
            let Some((path, value)) = field.split_once('=') else {
                bail!("`--set {field}` has no value; write --set FIELD=VALUE, for example --set dcache.ports=2");
            };
            config.set_field(path.trim(), value).with_context(|| format!("--set {field}"))?;
        }
        if let Some(divergence) = self.divergence {
            config = config.with_divergence(divergence);
        }
        config.validate()?;
        Ok(config)
    }
}
