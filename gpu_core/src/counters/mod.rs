//! What happened: counters of each core and of what the cores share, from one table of rows.
//!
//! Before: the blocks of `timing` count. After: reports format what the table names. Counts are plain numbers that start
//! at zero at a launch; rates are methods, and `None` where nothing happened.

mod classes;
mod law;
mod rates;
mod regions;
mod row;
mod rows;
#[cfg(test)]
mod tests;

pub use classes::{CLASSES, Class, shown};
pub use law::Breach;
pub use rates::{RATES, Rate};
pub use regions::Regions;
pub use row::{Block, Law, Role, Row};
pub use rows::*;

use serde::{Deserialize, Serialize};

/// The counters of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Cycles from the launch to the last event.
    pub cycles: u64,
    /// Of each core.
    pub cores: Vec<CoreCounters>,
    /// Of what they share.
    pub shared: SharedCounters,
}

impl Counters {
    /// The cores' counters added up: `cycles` are those of all cores together.
    pub fn sum(&self) -> CoreCounters {
        let mut sum = CoreCounters::default();
        self.cores.iter().for_each(|core| sum.add(core));
        sum
    }

    /// Adds the counts of another launch of the same machine, core by core.
    pub fn add(&mut self, other: &Self) {
        self.cycles += other.cycles;
        self.cores.resize_with(self.cores.len().max(other.cores.len()), CoreCounters::default);
        self.cores.iter_mut().zip(&other.cores).for_each(|(core, more)| core.add(more));
        self.shared.add(&other.shared);
    }

    /// Every rate with its name, of the whole machine: per cycle means per cycle of the launch, of all cores together.
    pub fn rates(&self, lanes: u32) -> Vec<(&'static str, Option<f64>)> {
        let machine = CoreCounters { cycles: self.cycles, ..self.sum() };
        RATES.iter().map(|rate| (rate.name, (rate.of)(&machine, &self.shared, lanes))).collect()
    }

    /// Which laws do not hold, and where; none is what a launch promises.
    pub fn breaches(&self) -> Vec<Breach> {
        let cores = self.cores.iter().enumerate();
        let of_cores = cores.flat_map(|(index, core)| law::breaches(&format!("core {index}"), "core", core));
        of_cores.chain(law::breaches("machine", "shared", &self.shared)).collect()
    }
}

/// The rows of a core's counters; their paths begin with `core.`.
pub fn core_rows() -> Vec<Row> {
    rows_of::<CoreCounters>("core")
}

/// The rows of what cores share; their paths begin with `shared.`.
pub fn shared_rows() -> Vec<Row> {
    rows_of::<SharedCounters>("shared")
}

fn rows_of<B: Block>(prefix: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    B::rows(prefix, &mut rows);
    rows
}
