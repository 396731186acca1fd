//! What a timed run counted: as JSON, as a short text, and as comma-separated values.

use std::fmt::Write as _;

use gpu_core::counters::{Block, CoreCounters, Counters, RATES, Rate, Row, SharedCounters, core_rows, shared_rows};
use serde::Serialize;
use serde_json::{Map, Value};

/// Counters by core, in sum, by region, and their rates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counted {
    /// From the launch to the last event; of several launches, added up.
    cycles: u64,
    rates: Map<String, Value>,
    /// Of all cores together.
    core: CoreCounters,
    shared: SharedCounters,
    /// By region, of all cores together; only where the program marks regions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    regions: Vec<Region>,
    /// One after the other.
    cores: Vec<CoreCounters>,
}

/// What was counted in a region.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Region {
    region: u32,
    core: CoreCounters,
}

/// A rate in JSON.
fn number(rate: Option<f64>) -> Value {
    rate.map_or(Value::Null, Value::from)
}

impl Counted {
    /// Of a machine with this many lanes in a warp; `regions` are those of each core, with their numbers.
    pub fn new(counters: &Counters, regions: &[Vec<(u32, CoreCounters)>], lanes: u32) -> Self {
        let mut by_region: Vec<Region> = Vec::new();
        for (region, counted) in regions.iter().flatten() {
            match by_region.binary_search_by_key(region, |known| known.region) {
                Ok(place) => by_region[place].core.add(counted),
                Err(place) => by_region.insert(place, Region { region: *region, core: counted.clone() }),
            }
        }
        // Region 0 alone says nothing that the sum does not.
        if matches!(by_region[..], [Region { region: 0, .. }]) {
            by_region.clear();
        }
        let rates = counters.rates(lanes).into_iter().map(|(name, rate)| (name.to_owned(), number(rate)));
        Self {
            cycles: counters.cycles,
            rates: rates.collect(),
            core: counters.sum(),
            shared: counters.shared.clone(),
            regions: by_region,
            cores: counters.cores.clone(),
        }
    }

    /// Cycles of the launch.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// The share of each kind of slot, the largest first, and the rates that there are: a few lines.
    pub fn to_text(&self) -> String {
        let mut text = format!("{} cycles", self.cycles);
        for Rate { name, .. } in RATES {
            if let Some(rate) = self.rates.get(*name).and_then(Value::as_f64) {
                let _ = write!(text, ", {name} {rate:.3}");
            }
        }
        text += &format!("\nslots: {}\n", self.slots(&self.core));
        for Region { region, core } in &self.regions {
            text += &format!("region {region}: {} core-cycles; slots: {}\n", core.cycles, self.slots(core));
        }
        text
    }

    /// `issued 61.2 %, scoreboard 20.0 %, …` of all slots.
    fn slots(&self, core: &CoreCounters) -> String {
        let mut shares: Vec<(String, u64)> = paths(&core_rows())
            .zip(core.values())
            .filter_map(|(path, value)| Some((path.strip_prefix("core.issue.stall.")?.to_owned(), value)))
            .filter(|(_, value)| *value > 0)
            .collect();
        shares.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        shares.insert(0, ("issued".to_owned(), core.issue.issued));
        let share = |value: u64| 100.0 * value as f64 / core.issue.slots.max(1) as f64;
        let shares = shares.iter().map(|(name, value)| format!("{name} {:.1} %", share(*value)));
        shares.collect::<Vec<_>>().join(", ")
    }

    /// A line for each counter of the machine, of each core, and of each region: `scope,counter,unit,value`.
    pub fn to_csv(&self) -> String {
        let mut text = "scope,counter,unit,value\n".to_owned();
        let mut lines = |scope: &str, rows: &[Row], values: Vec<u64>| {
            for (row, value) in rows.iter().zip(values) {
                let _ = writeln!(text, "{scope},{},{},{value}", row.path, row.unit);
            }
        };
        let (core, shared) = (core_rows(), shared_rows());
        lines("machine", &core, self.core.values());
        lines("machine", &shared, self.shared.values());
        for (index, counters) in self.cores.iter().enumerate() {
            lines(&format!("core {index}"), &core, counters.values());
        }
        for Region { region, core: counters } in &self.regions {
            lines(&format!("region {region}"), &core, counters.values());
        }
        text
    }
}

fn paths(rows: &[Row]) -> impl Iterator<Item = &str> {
    rows.iter().map(|row| row.path.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two cores: 100 cycles, of which one issues in 60 and waits for the scoreboard in 40, the other issues in 20 and
    /// has ended for 80.
    fn counters() -> Counters {
        let core = |issued, scoreboard, ended| {
            let mut core = CoreCounters { cycles: 100, ..CoreCounters::default() };
            (core.issue.slots, core.issue.issued, core.issue.lanes) = (100, issued, 3 * issued);
            (core.issue.stall.scoreboard, core.issue.stall.ended) = (scoreboard, ended);
            core
        };
        Counters { cycles: 100, cores: vec![core(60, 40, 0), core(20, 0, 80)], ..Counters::default() }
    }

    #[test]
    fn sums_and_rates_are_in_the_report() {
        let counted = Counted::new(&counters(), &[], 4);
        let json = serde_json::to_value(&counted).expect("it is JSON");
        assert_eq!(json["core"]["issue"]["issued"], 80);
        assert_eq!(json["cores"][1]["issue"]["stall"]["ended"], 80);
        // 80 instructions in 100 cycles; 3 of 4 lanes.
        assert_eq!((&json["rates"]["ipc"], &json["rates"]["simd_efficiency"]), (&0.8.into(), &0.75.into()));
        assert_eq!((&json["rates"]["dcache_hit_rate"], json.get("regions")), (&Value::Null, None));
        let text = counted.to_text();
        assert!(text.contains("100 cycles, ipc 0.800"), "{text}");
        assert!(text.contains("slots: issued 40.0 %, ended 40.0 %, scoreboard 20.0 %"), "{text}");
    }

    #[test]
    fn regions_of_all_cores_come_together() {
        let counted = |cycles| CoreCounters { cycles, ..CoreCounters::default() };
        let regions =
            [vec![(0, counted(1)), (3, counted(10))], vec![(0, counted(2)), (1, counted(5)), (3, counted(20))]];
        let counted = Counted::new(&counters(), &regions, 4);
        let found: Vec<(u32, u64)> = counted.regions.iter().map(|region| (region.region, region.core.cycles)).collect();
        assert_eq!(found, [(0, 3), (1, 5), (3, 30)]);
    }

    #[test]
    fn every_counter_is_a_line_of_the_csv_file() {
        let text = Counted::new(&counters(), &[vec![(2, CoreCounters::default())]], 4).to_csv();
        let lines: Vec<&str> = text.lines().collect();
        // The machine, two cores, one region.
        assert_eq!(lines.len(), 1 + 4 * core_rows().len() + shared_rows().len());
        for line in ["machine,core.issue.issued,instructions,80", "core 1,core.issue.stall.ended,slots,80"] {
            assert!(lines.contains(&line), "{line}");
        }
        assert!(lines.iter().all(|line| line.split(',').count() == 4));
    }
}
