//! Counters of timed launches, as reports and as programs see them, on machines of every kind.

use crate::seeded::seeded;
use crate::support::{machine, one_warp, out_words, program};
use gpu_core::config::{GpuConfig, Kind, rows};
use gpu_core::counters::{Block, CoreCounters};
use gpu_core::gpu::{Mode, TimedReport};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::RefCell;

/// Three loads, each of which the next waits for, two stores, two marks.
const WORK: &str = "
    csrwi region, 3
    li a0, OUT
    lw t0, 0(a0)
    add a1, a0, t0
    lw t0, 64(a1)
    add a1, a1, t0
    lw t0, 128(a1)
    sw t0, 4(a0)
    csrwi region, 1
    sw t0, 8(a0)
    tmc x0";

#[track_caller]
fn timed(config: GpuConfig, text: &str) -> (Vec<u32>, TimedReport) {
    let mut gpu = machine(config);
    gpu.set_mode(Mode::Timed);
    let report = gpu.launch(&program(text), gpu_core::units::Address(0)).unwrap_or_else(|error| panic!("{error}"));
    (out_words(&gpu), report.timed.expect("it was timed"))
}

/// 0xB0D are loads, 0xB12 instructions of control registers, 0xB06 of class 2 reads of the data cache.
#[test]
fn a_program_reads_the_counters_of_the_class_it_chooses() {
    let text = "
        li a0, OUT
        lw t0, 0(a0)
        add a1, a0, t0
        lw t0, 64(a1)
        add a1, a1, t0
        csrwi counter_class, 1
        csrr t1, mpm10
        csrr t2, mpm15
        csrwi counter_class, 2
        csrr t3, mpm3
        csrr t4, mpmh3
        csrwi counter_class, 0
        csrr t5, mpm3
        sw t1, 0(a0); sw t2, 4(a0); sw t3, 8(a0); sw t4, 12(a0); sw t5, 16(a0)
        tmc x0";
    let (out, report) = timed(one_warp(1), text);
    // Two loads have been answered; the write of the class and the read before it are two instructions of the unit.
    assert_eq!(out[..5], [2, 2, 2, 0, 0]);
    let core = &report.counters.cores[0];
    assert_eq!((core.lsu.loads, core.lsu.stores, core.issue.unit.csr, core.dcache.reads), (2, 5, 8, 2));
}

#[test]
fn counters_start_at_zero_at_each_launch() {
    let mut gpu = machine(GpuConfig::vortex(2, 4, 4));
    gpu.set_mode(Mode::Timed);
    let work = program(WORK);
    let launches: Vec<_> =
        (0..2).map(|_| gpu.launch(&work, gpu_core::units::Address(0)).expect("it runs").timed).collect();
    assert!(launches[0].is_some());
    assert_eq!(launches[0], launches[1]);
}

#[test]
fn every_counter_is_the_sum_of_its_regions() {
    let (_, report) = timed(one_warp(1), WORK);
    let regions = &report.regions[0];
    let loads: Vec<(u32, u64)> = regions.iter().map(|(region, counted)| (*region, counted.lsu.loads)).collect();
    assert_eq!(loads, [(0, 0), (1, 0), (3, 3)]);
    let mut sum = CoreCounters::default();
    regions.iter().for_each(|(_, counted)| sum.add(counted));
    assert_eq!(sum, report.counters.cores[0]);
    // What follows the first mark: li, lw, add, lw, add, lw, sw, and the second mark itself.
    let third = &regions[2].1;
    assert_eq!((third.issue.issued, third.issue.unit.csr), (8, 1));
}

/// A value that a row allows, from a random number; sizes and latencies stay where a test is quick.
fn allowed(kind: Kind, random: u32) -> String {
    let random = u64::from(random);
    match kind {
        Kind::Number { least, most } => (least + random % (most.min(least + 40) - least + 1)).to_string(),
        Kind::Power { least, most } => {
            let steps = u64::from(most.min(1 << 20).ilog2() - least.ilog2()) + 1;
            (least << (random % steps)).to_string()
        }
        Kind::Multiple { of, least, most } => ((least / of + random % ((most - least) / of + 1)) * of).to_string(),
        Kind::Flag => (random % 2 == 1).to_string(),
        Kind::Choice(words) => words[random as usize % words.len()].to_owned(),
        Kind::Extensions => "vortex".to_owned(),
    }
}

/// A machine whose fields are set at random is refused with a reason or runs: same results, laws kept (the launch checks
/// them), no cycle lost.
#[test]
fn machines_of_any_figures_are_refused_or_run() {
    let shape = (1..=3_u32, 1..=9_u32, 1..=9_u32);
    // A few fields at a time: with all of them at once hardly any machine fits together.
    let fields = prop::collection::vec((0..rows().len(), any::<u32>()), 0..12);
    let text = "
        start_warps 3, work
    work:
        all_lanes
        csrr t0, mhartid
        slli t0, t0, 3
        li a0, OUT
        add a0, a0, t0
        lw t1, 4(a0)
        fcvt.s.w f1, t0
        fdiv.s f1, f1, f1
        sw t0, 0(a0)
        lw t2, 0(a0)
        mul t2, t2, t2
        add t2, t2, t1
        sw t2, 4(a0)
        csrr a1, local_mem_base
        tmc x0";
    // How many were refused, and how many ran.
    let counts = RefCell::new((0, 0));
    let result = TestRunner::new(seeded(300)).run(&(shape, fields), |((cores, warps, lanes), fields)| {
        let mut config = GpuConfig::vortex(cores, warps, lanes);
        for (index, random) in fields {
            let row = &rows()[index];
            if matches!(row.path.as_str(), "cores" | "warps" | "lanes" | "progress_interval" | "instruction_budget") {
                continue;
            }
            let value = allowed(row.kind, random);
            config.set_field(&row.path, &value).unwrap_or_else(|error| panic!("{} = {value}: {error}", row.path));
        }
        let mut counts = counts.borrow_mut();
        if let Err(error) = config.validate() {
            prop_assert!(!error.to_string().is_empty());
            counts.0 += 1;
            return Ok(());
        }
        counts.1 += 1;
        let program = program(text);
        let (mut plain, mut timed) = (machine(config), machine(config));
        timed.set_mode(Mode::Timed);
        let launches = [&mut plain, &mut timed].map(|gpu| gpu.launch(&program, gpu_core::units::Address(0)));
        let [plain_report, timed_report] = launches.map(|launch| launch.unwrap_or_else(|error| panic!("{error}")));
        prop_assert_eq!(out_words(&timed), out_words(&plain));
        prop_assert_eq!(timed_report.warp_instructions, plain_report.warp_instructions);
        let counters = timed_report.timed.expect("it was timed").counters;
        prop_assert_eq!(counters.breaches(), vec![]);
        prop_assert_eq!(counters.sum().issue.issued, plain_report.warp_instructions);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let (refused, ran) = counts.into_inner();
    assert!(refused > 20 && ran > 100, "{refused} refused, {ran} ran");
}
