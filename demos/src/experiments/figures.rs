//! What a run took, whatever ran: instructions always, cycles and counters where the machine was timed.

use gpu_core::counters::{Block, CoreCounters, Counters};
use gpu_core::gpu::LaunchReport;

use crate::experiments::error::ExperimentError;

/// The clock that milliseconds are counted at, as in the published measurements.
pub const CLOCK_HZ: f64 = 200e6;

/// What one launch, or several after each other, took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Instructions that warps executed.
    pub warp_instructions: u64,
    /// The same, each counted once for every active lane.
    pub lane_instructions: u64,
    /// Cycles from the first fetch to the last store, and the cores' counters added up; `None` in untimed runs.
    pub timed: Option<Timed>,
}

/// What only a timed run knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timed {
    /// Cycles of the machine.
    pub cycles: u64,
    /// Of all cores together.
    pub sum: CoreCounters,
    /// Cycles in which lines were on their way from or to memory, of all its channels.
    pub memory_busy: u64,
    /// Laws of the counters that do not hold: none, unless the model has a fault.
    pub breaches: usize,
}

impl Figures {
    /// The figures of launches that ran one after the other.
    pub fn of(reports: &[LaunchReport]) -> Self {
        let mut figures = Self { timed: Some(Timed::default()), ..Self::default() };
        for report in reports {
            figures.warp_instructions += report.warp_instructions;
            figures.lane_instructions += report.lane_instructions;
            figures.timed = figures.timed.zip(counters(report)).map(|(timed, counters)| timed.and(counters));
        }
        figures
    }

    /// What the timed run knows.
    ///
    /// # Errors
    /// It was not timed.
    pub fn timed(&self) -> Result<&Timed, ExperimentError> {
        self.timed.as_ref().ok_or(ExperimentError::Untimed)
    }

    /// Cycles, if the machine was timed.
    pub fn cycles(&self) -> Option<u64> {
        self.timed.as_ref().map(|timed| timed.cycles)
    }

    /// Milliseconds at [`CLOCK_HZ`].
    pub fn milliseconds(&self) -> Option<f64> {
        self.cycles().map(|cycles| cycles as f64 / CLOCK_HZ * 1e3)
    }

    /// Instructions of warps per cycle of the machine, all cores together.
    pub fn ipc(&self) -> Option<f64> {
        self.per_cycle(self.warp_instructions)
    }

    /// Instructions of lanes per cycle of the machine, all cores together: what Vortex calls IPC.
    pub fn lane_ipc(&self) -> Option<f64> {
        self.per_cycle(self.lane_instructions)
    }

    fn per_cycle(&self, count: u64) -> Option<f64> {
        self.cycles().filter(|&cycles| cycles > 0).map(|cycles| count as f64 / cycles as f64)
    }
}

impl Timed {
    fn and(mut self, counters: &Counters) -> Self {
        self.cycles += counters.cycles;
        self.sum.add(&counters.sum());
        self.memory_busy += counters.shared.dram.busy;
        self.breaches += counters.breaches().len();
        self
    }
}

/// The counters of a launch.
fn counters(report: &LaunchReport) -> Option<&Counters> {
    report.timed.as_ref().map(|timed| &timed.counters)
}
