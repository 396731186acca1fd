//! V5: more cores.

use gpu_core::config::GpuConfig;

use super::{Agreement, Claim, Finding, Kind, Setting, figure};
use crate::experiments::compute::Benchmark;
use crate::experiments::error::ExperimentError;
use crate::experiments::machine::measure;
use crate::plot::{Chart, Line};

pub const V5: Claim = Claim {
    id: "V5",
    kind: Kind::Shape,
    published: "1 to 16 cores: IPC of sgemm, vecadd, sfilter almost linear; saxpy, gaussian, bfs still gain; nearn is bound by its square root",
    tests: &[],
    measure: v5,
};

/// Of the number of cores, what counts as almost linear.
const ALMOST: f64 = 0.7;

/// Those that the text calls almost linear; nearn among them, since it is said to be bound by arithmetic too.
const LINEAR: [Benchmark; 4] = [Benchmark::Sgemm, Benchmark::Vecadd, Benchmark::Sfilter, Benchmark::Nearn];

/// Red, green, blue of each benchmark's line.
const COLORS: [[u8; 3]; 7] =
    [[31, 119, 180], [214, 39, 40], [44, 160, 44], [148, 103, 189], [255, 127, 14], [140, 86, 75], [23, 190, 207]];

/// IPC against one core, a line for each benchmark, and what linear would be.
fn chart(counts: &[u32], lines: Vec<(Benchmark, Vec<f64>)>) -> Chart {
    let points = |ratios: &[f64]| counts.iter().map(|&cores| f64::from(cores)).zip(ratios.iter().copied()).collect();
    let linear: Vec<f64> = counts.iter().map(|&cores| f64::from(cores)).collect();
    let measured = lines.iter().zip(COLORS).map(|((benchmark, ratios), color)| Line {
        name: benchmark.name().to_owned(),
        color,
        is_dashed: false,
        points: points(ratios),
    });
    let linear = Line { name: "linear".to_owned(), color: [130; 3], is_dashed: true, points: points(&linear) };
    Chart {
        title: "V5: IPC by cores, 4W-4T".to_owned(),
        x_label: "cores".to_owned(),
        y_label: "IPC against one core".to_owned(),
        lines: measured.chain([linear]).collect(),
        marks: Vec::new(),
    }
}

fn v5(setting: &Setting) -> Result<Finding, ExperimentError> {
    let mut figures = Vec::new();
    let mut parts = Vec::new();
    let mut holds = Vec::new();
    let mut lines = Vec::new();
    // With the most cores: cycles in which memory moves a line, as a share.
    let mut busy = 0.0;
    let mut busiest = (0.0, Benchmark::Sgemm);
    let counts: Vec<u32> = [1, 2, 4, 8, 16].into_iter().filter(|&cores| cores <= setting.most_cores).collect();
    for benchmark in Benchmark::ALL {
        let size = match benchmark {
            Benchmark::Sgemm | Benchmark::Sfilter => setting.matrix,
            Benchmark::Vecadd | Benchmark::Saxpy | Benchmark::Nearn => setting.vector,
            Benchmark::Gaussian => setting.matrix / 2,
            Benchmark::Bfs => setting.vector / 4,
        };
        let mut ratios = Vec::new();
        let mut first = None;
        for &cores in &counts {
            let run = measure(benchmark, size, &GpuConfig::vortex(cores, 4, 4))?;
            let ipc = run.lane_ipc().unwrap_or(0.0);
            let timed = run.timed()?;
            busy = timed.memory_busy as f64 / timed.cycles.max(1) as f64;
            figures.push(figure(format!("{} IPC, {cores} cores", benchmark.name()), ipc));
            ratios.push(ipc / *first.get_or_insert(ipc));
        }
        let (most, gain) = (f64::from(*counts.last().expect("one core at least")), *ratios.last().expect("likewise"));
        busiest = if busy > busiest.0 { (busy, benchmark) } else { busiest };
        holds.push(if LINEAR.contains(&benchmark) { gain >= ALMOST * most } else { gain > 1.1 });
        let shown: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.1}")).collect();
        parts.push(format!("{} {}", benchmark.name(), shown.join("/")));
        lines.push((benchmark, ratios));
    }
    Ok(Finding {
        measured: format!("IPC against one core at {counts:?} cores: {}", parts.join("; ")),
        agreement: Agreement::of_parts(&holds),
        reason: format!(
            "the one channel of memory is not full yet (busiest in {}: {:.0} % of the cycles), so cores hinder each other little; \
             gaussian and bfs are many short launches, each with cold caches and often fewer rows than warps",
            busiest.1.name(),
            100.0 * busiest.0
        ),
        figures,
        charts: vec![chart(&counts, lines)],
    })
}
