//! V9: the scheduler's four masks.

use gpu_core::config::GpuConfig;

use super::{Agreement, Claim, Finding, Kind, Setting, figure};
use crate::experiments::compute::Benchmark;
use crate::experiments::error::ExperimentError;
use crate::experiments::machine::measure;

pub const V9: Claim = Claim {
    id: "V9",
    kind: Kind::Exact,
    published: "four masks (active, stalled, barrier, visible): each cycle one warp is taken from visible, which is refilled when empty; a barrier entry holds count and mask",
    tests: &[
        ("gpu_core/src/timing/scheduler.rs", "v9_visible_is_emptied_warp_by_warp_and_refilled"),
        ("gpu_core/src/timing/scheduler.rs", "warps_at_a_barrier_or_stalled_are_left_out_of_the_refill"),
    ],
    measure: v9,
};

fn v9(setting: &Setting) -> Result<Finding, ExperimentError> {
    let config = GpuConfig::vortex(1, 4, 4);
    let figures = measure(Benchmark::Saxpy, setting.vector, &config)?;
    let timed = figures.timed()?;
    let issue = &timed.sum.issue;
    // One slot a cycle, and every slot is an instruction or one reason why not.
    let breaches = timed.breaches;
    let holds = [issue.slots == timed.sum.cycles, breaches == 0, issue.issued == figures.warp_instructions];
    Ok(Finding {
        measured: format!(
            "{} cycles, {} slots, {} issued, the rest each with one reason",
            timed.cycles, issue.slots, issue.issued
        ),
        agreement: Agreement::of_parts(&holds),
        reason: "one warp is scheduled a cycle; the order within a refill is by number, which the source leaves open"
            .to_owned(),
        figures: vec![figure("slots", issue.slots as f64), figure("issued", issue.issued as f64)],
        charts: Vec::new(),
    })
}
