//! The chart of the experiment: how many times faster `tex` is, against the latency of DRAM.

use std::collections::BTreeSet;

use crate::experiments::sampler::case::Memory;
use crate::experiments::sampler::report::{Outcome, SIMX};
use crate::experiments::sampler::{Filter, Sampler};
use crate::plot::{Chart, Line, Mark};

/// Published for bilinear, 2021.
const PUBLISHED: f64 = 2.0;

const fn color(filter: Filter) -> [u8; 3] {
    match filter {
        Filter::Point => [0, 114, 178],
        Filter::Bilinear => [213, 94, 0],
        Filter::Trilinear => [0, 140, 100],
    }
}

impl Outcome {
    /// The chart of the headline over the sweep; the default memory stands at the machine's own latency.
    pub fn chart(&self, own_latency: u32) -> Chart {
        let mut lines = Vec::new();
        for filter in Filter::ALL {
            for sampler in [Sampler::Specialised, Sampler::Generic] {
                let points = self.points(filter, sampler, own_latency);
                lines.push(Line {
                    name: format!("{} against {}", filter.name(), sampler.name()),
                    color: color(filter),
                    is_dashed: sampler == Sampler::Generic,
                    points,
                });
            }
        }
        let simx = SIMX[1].1;
        let [width, height] = self.rows.first().map_or([0, 0], |row| row.case.target);
        Chart {
            title: format!("tex against software, {width} x {height}, {}", self.machine),
            x_label: "latency of DRAM in cycles".to_owned(),
            y_label: "times faster".to_owned(),
            lines,
            marks: vec![
                Mark { name: format!("published, bilinear: {PUBLISHED}x"), y: PUBLISHED },
                Mark { name: format!("SimX, bilinear: {simx}x"), y: simx },
            ],
        }
    }

    /// (latency, ratio) of the headline of the first number of cores.
    fn points(&self, filter: Filter, sampler: Sampler, own_latency: u32) -> Vec<(f64, f64)> {
        let memories: BTreeSet<Memory> = self.rows.iter().map(|row| row.case.memory).collect();
        let point = |memory| {
            let latency = match memory {
                Memory::Latency(cycles) => cycles,
                Memory::Default => own_latency,
                Memory::Perfect | Memory::ThroughDcache => return None,
            };
            Some((f64::from(latency), self.speed_up(filter, sampler, memory)?))
        };
        let mut points: Vec<(f64, f64)> = memories.into_iter().filter_map(point).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::figures::{Figures, Timed};
    use crate::experiments::sampler::case::{Case, Extent, cases};
    use crate::experiments::sampler::run::Row;

    #[test]
    fn a_point_for_each_latency() {
        let extent = Extent {
            target: [32, 18],
            source: None,
            cores: vec![1, 2],
            has_sweep: true,
            own_latency: 100,
            is_full: false,
        };
        // `tex` takes 100 cycles and the latency, software 400 and the latency.
        let row = |case: Case| {
            let latency = match case.memory {
                Memory::Latency(cycles) => u64::from(cycles),
                Memory::Default => 100,
                _ => 0,
            };
            let own = if case.sampler == Sampler::Tex { 100 } else { 400 };
            let timed = Some(Timed { cycles: own + latency, ..Timed::default() });
            let figures = Figures { timed, ..Figures::default() };
            Row { case, start_up: figures.clone(), figures, inside: 1.0, instructions_per_pixel: 1.0 }
        };
        let rows = cases(&extent).into_iter().map(row).collect();
        let outcome = Outcome { machine: "m".to_owned(), rows, anchor: Vec::new(), differing: 1.0 };
        let chart = outcome.chart(100);
        assert_eq!(chart.lines.len(), 6);
        for line in &chart.lines {
            let latencies: Vec<f64> = line.points.iter().map(|point| point.0).collect();
            assert_eq!(latencies, [0.0, 20.0, 60.0, 100.0, 200.0], "{}", line.name);
            assert_eq!(line.points[3].1, 500.0 / 200.0, "{}", line.name);
        }
        assert_eq!([chart.marks[0].y, chart.marks[1].y], [2.0, 9.3]);
    }
}
