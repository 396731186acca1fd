//! V1 to V3: 16 threads a core, divided into warps and lanes in three ways.

use gpu_core::config::GpuConfig;

use super::{Agreement, Claim, Finding, Kind, Setting, figure, main_stall, percent};
use crate::experiments::compute::Benchmark;
use crate::experiments::error::ExperimentError;
use crate::experiments::figures::{Figures, Timed};
use crate::experiments::machine::measure;

pub const V1: Claim = Claim {
    id: "V1",
    kind: Kind::Shape,
    published: "16 threads a core, 4W-4T to 2W-8T: sgemm about +20 % faster",
    tests: &[],
    measure: v1,
};

pub const V2: Claim = Claim {
    id: "V2",
    kind: Kind::Shape,
    published: "4W-4T to 8W-2T: IPC of sgemm about -36 % (IPC counts threads)",
    tests: &[],
    measure: v2,
};

pub const V3: Claim = Claim {
    id: "V3",
    kind: Kind::Ours,
    published: "on a memory-bound kernel the order inverts: more warps hide latency better (direction only)",
    tests: &[],
    measure: v3,
};

/// (warps, lanes) of 16 threads, from wide to narrow.
const WIDE: (u32, u32) = (2, 8);
const SQUARE: (u32, u32) = (4, 4);
const NARROW: (u32, u32) = (8, 2);

fn name((warps, lanes): (u32, u32)) -> String {
    format!("{warps}W-{lanes}T")
}

/// A benchmark on one division of the threads.
fn on(benchmark: Benchmark, size: u32, (warps, lanes): (u32, u32)) -> Result<(Figures, Timed), ExperimentError> {
    let figures = measure(benchmark, size, &GpuConfig::vortex(1, warps, lanes))?;
    let timed = figures.timed()?.clone();
    Ok((figures, timed))
}

/// Where the slots of two machines go.
fn stalls(machines: &[((u32, u32), &Timed)]) -> String {
    let parts = machines.iter().map(|(shape, timed)| {
        let (reason, share) = main_stall(&timed.sum);
        let issued = timed.sum.ipc().unwrap_or(0.0);
        format!(
            "{} issues in {:.0} % of its slots and loses {:.0} % to {reason}",
            name(*shape),
            100.0 * issued,
            100.0 * share
        )
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn v1(setting: &Setting) -> Result<Finding, ExperimentError> {
    let (_, square) = on(Benchmark::Sgemm, setting.matrix, SQUARE)?;
    let (_, wide) = on(Benchmark::Sgemm, setting.matrix, WIDE)?;
    let gain = square.cycles as f64 / wide.cycles as f64 - 1.0;
    Ok(Finding {
        measured: format!("{} faster", percent(gain)),
        agreement: Agreement::of_change(0.20, gain),
        reason: format!("half the instructions for the same work, but {}", stalls(&[(SQUARE, &square), (WIDE, &wide)])),
        figures: vec![
            figure("cycles 4W-4T", square.cycles as f64),
            figure("cycles 2W-8T", wide.cycles as f64),
            figure("gain", gain),
        ],
        charts: Vec::new(),
    })
}

fn v2(setting: &Setting) -> Result<Finding, ExperimentError> {
    let (square_figures, square) = on(Benchmark::Sgemm, setting.matrix, SQUARE)?;
    let (narrow_figures, narrow) = on(Benchmark::Sgemm, setting.matrix, NARROW)?;
    let ipc = |figures: &Figures| figures.lane_ipc().unwrap_or(0.0);
    let (before, after) = (ipc(&square_figures), ipc(&narrow_figures));
    let change = after / before - 1.0;
    Ok(Finding {
        measured: format!("IPC {before:.2} to {after:.2}, {}", percent(change)),
        agreement: Agreement::of_change(-0.36, change),
        reason: format!(
            "one issue slot a cycle: at most 2 threads instead of 4, and more warps to fill it; {}",
            stalls(&[(SQUARE, &square), (NARROW, &narrow)])
        ),
        figures: vec![figure("IPC 4W-4T", before), figure("IPC 8W-2T", after), figure("change", change)],
        charts: Vec::new(),
    })
}

/// Cycles of saxpy on the three divisions, from wide to narrow; `queue` sets the loads in flight of a core.
fn saxpy(setting: &Setting, queue: Option<u32>) -> Result<Vec<Timed>, ExperimentError> {
    let run = |(warps, lanes)| {
        let mut config = GpuConfig::vortex(1, warps, lanes);
        if let Some(queue) = queue {
            config.timing.memory.lsu.queue = queue;
        }
        Ok(measure(Benchmark::Saxpy, setting.vector, &config)?.timed()?.clone())
    };
    [WIDE, SQUARE, NARROW].into_iter().map(run).collect()
}

fn v3(setting: &Setting) -> Result<Finding, ExperimentError> {
    // What the widest has by default.
    let most = GpuConfig::vortex(1, WIDE.0, WIDE.1).timing.memory.lsu.queue;
    let runs = saxpy(setting, None)?;
    let equal = saxpy(setting, Some(most))?;
    let shown = |runs: &[Timed]| {
        let parts = [WIDE, SQUARE, NARROW].into_iter().zip(runs);
        parts.map(|(shape, timed)| format!("{} {}", name(shape), timed.cycles)).collect::<Vec<_>>().join(", ")
    };
    let figures = [("", &runs), (", equal queues", &equal)].into_iter().flat_map(|(what, runs)| {
        let parts = [WIDE, SQUARE, NARROW].into_iter().zip(runs);
        parts.map(move |(shape, timed)| figure(format!("cycles {}{what}", name(shape)), timed.cycles as f64))
    });
    Ok(Finding {
        measured: format!("saxpy, cycles: {}", shown(&runs)),
        agreement: Agreement::of_parts(&[runs[1].cycles < runs[0].cycles, runs[2].cycles < runs[1].cycles]),
        reason: format!(
            "a core holds as many accesses in flight as a warp has lanes, so narrow warps wait for the load-store unit ({}); with {most} \
             for every shape (lsu.queue): {}",
            stalls(&[(WIDE, &runs[0]), (NARROW, &runs[2])]),
            shown(&equal)
        ),
        figures: figures.collect(),
        charts: Vec::new(),
    })
}
