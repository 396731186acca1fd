//! Options of a trace, the same for every command that can make one.

use std::path::PathBuf;

use clap::Args;
use demos::inspect::trace::{Limit, Trace, TraceOptions, TraceSummary, Window};
use demos::inspect::watch::Watch;
use gpu_core::launcher::{Launcher, ToTheEnd};

use crate::cli::machine::Chosen;
use crate::cli::output::remark;

/// Whether to trace, and what.
#[derive(Clone, Debug, Default, Args)]
pub struct Tracing {
    /// Write what happened in each cycle to this file, for Perfetto (ui.perfetto.dev) or chrome://tracing; the run is timed
    #[arg(help_heading = "Trace", long, value_name = "FILE.json")]
    pub trace: Option<PathBuf>,
    /// Trace only these cycles, counted from the first launch; either end may be left out
    #[arg(help_heading = "Trace", long, value_name = "START..END", requires = "trace")]
    pub trace_window: Option<Window>,
    /// Refuse a trace that is larger, in bytes; 64K, 256M and 1G are understood [default: 256M]
    #[arg(help_heading = "Trace", long, value_name = "SIZE", requires = "trace")]
    pub trace_limit: Option<Limit>,
}

impl Tracing {
    /// The trace that was asked for; its file is begun now, so that a place that cannot be written is refused before the run.
    pub fn begin(&self, chosen: &Chosen) -> anyhow::Result<Option<Trace>> {
        let begin = |file: &PathBuf| {
            let window = self.trace_window.unwrap_or(Window::ALL);
            let limit = self.trace_limit.unwrap_or(Limit::USUAL);
            Trace::create(TraceOptions { file: file.clone(), window, limit }, &chosen.name, &chosen.config)
        };
        Ok(self.trace.as_ref().map(begin).transpose()?)
    }

    /// Who runs launches.
    pub fn runner(&self, chosen: &Chosen) -> anyhow::Result<Runner> {
        Ok(match self.begin(chosen)? {
            Some(trace) => Runner::Watched(Box::new(Watch::new(Some(trace), None))),
            None => Runner::Alone(ToTheEnd),
        })
    }
}

/// Who runs launches: one who traces them, or nobody in particular.
pub enum Runner {
    /// For a trace.
    Watched(Box<Watch>),
    /// For nothing.
    Alone(ToTheEnd),
}

impl Runner {
    /// The launcher.
    pub fn launcher(&mut self) -> &mut dyn Launcher {
        match self {
            Self::Watched(watch) => &mut **watch,
            Self::Alone(to_the_end) => to_the_end,
        }
    }

    /// Whether launches were stopped because the trace cannot go on; [`Runner::finish`] says why.
    pub fn has_stopped(&self) -> bool {
        matches!(self, Self::Watched(watch) if watch.has_stopped())
    }

    /// Ends the trace, if there is one, and says where it lies.
    pub fn finish(self) -> anyhow::Result<()> {
        if let Self::Watched(watch) = self
            && let (Some(summary), _) = watch.finish()?
        {
            tell(&summary);
        }
        Ok(())
    }
}

/// Says on standard error what a trace has become.
pub fn tell(summary: &TraceSummary) {
    let TraceSummary { file, bytes, window } = summary;
    remark(&format!(
        "{}: a trace of cycles {window}, {bytes} bytes; open it in ui.perfetto.dev or chrome://tracing",
        file.display()
    ));
}
