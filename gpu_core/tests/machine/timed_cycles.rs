//! Cycle counts worked out by hand, block by block, on machines whose memory always hits.
//!
//! The pipeline with default figures: a warp scheduled in cycle s is decoded in s + 5 (instruction cache 4, decode 1), and
//! scheduled again in that cycle at the earliest; it can issue in s + 6. An instruction issued in t has its result in t + 2 (operands) + 4
//! (dispatch) + its unit's latency, commits in the next cycle, and an instruction that needs the result can issue in
//! that cycle. So arithmetic (latency 4) takes 11 cycles from issue to dependent issue. A control instruction holds its warp's
//! fetches until its result: a branch issued in t is followed by the next instruction in t + 10 + 6.

use crate::support::{OUT, machine, program};
use gpu_core::config::{GpuConfig, MemoryModel};
use gpu_core::gpu::{Gpu, Mode, RunState};
use gpu_core::isa::Extension;
use gpu_core::observe::{Moment, Stall, StallReason, TimedObserver};
use gpu_core::program::CODE_BASE;
use gpu_core::retired::Retired;
use gpu_core::trap::BarrierScope;
use gpu_core::units::{Address, ThreadMask, WarpId};

/// What a run showed.
#[derive(Default)]
struct Seen {
    /// Cycle, warp and number of the instruction in the program.
    issued: Vec<(u64, u8, u32)>,
    stalls: Vec<(StallReason, u64)>,
    barriers: Vec<String>,
    masks: Vec<(u64, u64, u64)>,
    accesses: Vec<(u64, u64)>,
}

impl TimedObserver for Seen {
    fn issued(&mut self, moment: Moment, warp: WarpId, _: u32, retired: &Retired) {
        self.issued.push((moment.cycle, warp.0, (retired.pc.0 - CODE_BASE.0) / 4));
    }
    fn stalled(&mut self, _: Moment, stall: Stall) {
        match self.stalls.iter_mut().find(|(reason, _)| *reason == stall.reason) {
            Some((_, cycles)) => *cycles += stall.cycles,
            None => self.stalls.push((stall.reason, stall.cycles)),
        }
    }
    fn access_began(&mut self, moment: Moment, _: gpu_core::observe::AccessInFlight) {
        self.accesses.push((moment.cycle, 0));
    }
    fn access_ended(&mut self, moment: Moment, _: gpu_core::observe::AccessInFlight) {
        let last = self.accesses.iter_mut().find(|(_, end)| *end == 0).expect("it began before it ended");
        last.1 = moment.cycle;
    }
    fn barrier_reached(&mut self, moment: Moment, warp: WarpId, scope: BarrierScope, id: u32) {
        self.barriers.push(format!("{}: warp {warp} at {scope} {id}", moment.cycle));
    }
    fn barrier_released(&mut self, moment: Moment, warps: u32) {
        self.barriers.push(format!("{}: released {warps:#b}", moment.cycle));
    }
    fn mask_changed(&mut self, moment: Moment, _: WarpId, _: Address, before: ThreadMask, after: ThreadMask) {
        self.masks.push((moment.cycle, before.0, after.0));
    }
}

/// A machine whose memory always hits.
fn hitting(cores: u32, warps: u32, lanes: u32) -> GpuConfig {
    let mut config = GpuConfig::vortex(cores, warps, lanes);
    config.timing.memory.model = MemoryModel::Perfect;
    config
}

#[track_caller]
fn run(config: GpuConfig, text: &str) -> (Seen, Gpu) {
    let mut gpu = machine(config);
    gpu.set_mode(Mode::Timed);
    gpu.start(&program(text), OUT).unwrap();
    let mut seen = Seen::default();
    assert_eq!(gpu.resume_cycles_observed(u64::MAX, &mut seen).unwrap(), RunState::Ended);
    let report = gpu.report().timed.expect("it ran in timed mode");
    assert_eq!(report.counters.cycles, gpu.cycle());
    (seen, gpu)
}

/// Cycles in which a warp's instructions were issued, in order.
fn cycles_of(seen: &Seen, warp: u8) -> Vec<u64> {
    seen.issued.iter().filter(|issue| issue.1 == warp).map(|issue| issue.0).collect()
}

#[track_caller]
fn check(config: GpuConfig, text: &str, issued: &[u64], cycles: u64) -> (Seen, Gpu) {
    let (seen, gpu) = run(config, text);
    assert_eq!(cycles_of(&seen, 0), issued);
    assert_eq!(gpu.cycle(), cycles);
    (seen, gpu)
}

/// Decoded in 5, 10, 15, 20. The second waits for the first: 6 + 11 = 17; the third 17 + 11 = 28; tmc follows in 29, its
/// result is there in 29 + 10 = 39, it commits in 40, and cycle 41 finds nothing left.
/// Slots: 0–5 and 7–10 wait for fetches (10), 11–16 and 18–27 for registers (16), 30–38 for tmc (9), 39 and 40 have no warp left.
#[test]
fn a_dependent_chain_of_arithmetic() {
    let text = "li t0, 1; addi t1, t0, 1; addi t2, t1, 1; tmc x0";
    let (mut seen, _) = check(hitting(1, 1, 1), text, &[6, 17, 28, 29], 41);
    seen.stalls.sort();
    let expected = [
        (StallReason::Scoreboard, 16),
        (StallReason::InstructionCache, 10),
        (StallReason::Control, 9),
        (StallReason::Ended, 2),
    ];
    assert_eq!(seen.stalls, expected);
}

/// Nothing waits but for fetches, one in five cycles: 6, 11, 16, 21. 21 + 10 + 2 = 33.
#[test]
fn independent_arithmetic_of_one_warp_goes_as_fast_as_it_is_fetched() {
    check(hitting(1, 1, 1), "li t0, 1; li t1, 1; li t2, 1; tmc x0", &[6, 11, 16, 21], 33);
}

/// x5 and x9 lie in bank 1: reading takes a cycle longer, 6 + 12 = 18.
/// Then x5 is written again while nothing reads it: write after write waits as well, 18 + 11 = 29.
#[test]
fn operands_of_one_bank_cost_a_cycle_and_a_write_waits_for_a_write() {
    let text = "add t1, x5, x9; addi x10, t1, 1; addi x10, x0, 3; tmc x0";
    check(hitting(1, 1, 1), text, &[6, 18, 29, 30], 30 + 12);
}

/// Divisions that do not depend on each other are decoded in 5 and 10; with a unit that takes one in 20 cycles the second waits for
/// 6 + 20 = 26 (from 11 on: 15 cycles). tmc at 27.
/// Results: 26 + 6 + 34 = 66, committed in 67.
#[test]
fn a_unit_takes_the_next_instruction_after_its_interval() {
    let mut config = hitting(1, 1, 1);
    config.timing.units.div.interval = 20;
    let (seen, _) = check(config, "div t0, t1, t2; div s0, s1, s2; tmc x0", &[6, 26, 27], 68);
    assert!(seen.stalls.contains(&(StallReason::Alu, 15)), "{:?}", seen.stalls);
}

/// A machine with the transcendental groups, whose unit takes an instruction in 20 cycles.
fn with_transcendental_unit() -> GpuConfig {
    let mut config = hitting(1, 1, 1);
    config.extensions = config.extensions.union(gpu_core::isa::ExtensionSet::TRANSCENDENTAL);
    config.timing.units.transcendental.interval = 20;
    config
}

/// Decoded in 5, 10, 15, 20. The cosine finds its result in the unit and waits for nothing: 11. It keeps the unit a cycle longer
/// than 6 + 20, so the exponential goes at 27. tmc at 28; the last result in 27 + 6 + 18 = 51, committed in 52.
#[test]
fn a_cosine_after_the_sine_of_the_same_argument_costs_a_cycle() {
    for pair in ["fsin.s ft0, fa0; fcos.s ft1, fa0", "fsinpi.s ft0, fa0; fcospi.s ft1, fa0"] {
        check(with_transcendental_unit(), &format!("{pair}; fexp.s ft2, fa1; tmc x0"), &[6, 11, 27, 28], 53);
    }
}

/// Each waits for the unit: 6, 26, 46; tmc at 47, the last result in 46 + 24 = 70, committed in 71.
#[test]
fn what_is_no_pair_does_not_fuse() {
    for pair in [
        "fcos.s ft0, fa0; fsin.s ft1, fa0",
        "fsin.s ft0, fa0; fcos.s ft1, fa2",
        "fsin.s ft0, fa0; fcospi.s ft1, fa0",
        "fsin.s ft0, fa0; fsin.s ft1, fa0",
    ] {
        check(with_transcendental_unit(), &format!("{pair}; fexp.s ft2, fa1; tmc x0"), &[6, 26, 46, 47], 72);
    }
}

/// A jump to the cosine alone: the sine before it in memory was not what ran before it. The jump is issued in 6 and resolved in
/// 16, its target in 22, the exponential in 22 + 20 = 42, tmc in 43; 42 + 24 = 66, committed in 67.
#[test]
fn a_cosine_that_is_jumped_to_does_not_fuse() {
    let text = "j here; fsin.s ft0, fa0; here: fcos.s ft1, fa0; fexp.s ft2, fa1; tmc x0";
    check(with_transcendental_unit(), text, &[6, 22, 42, 43], 68);
}

/// A branch issued in t is resolved in t + 10, its successor is issued in t + 16.
/// li 6; addi waits for t0: 17; bnez: 28, resolved in 38, taken; addi 44; bnez 55, not taken; tmc 55 + 16 = 71; 71 + 12 = 83.
#[test]
fn a_branch_holds_fetches_until_it_is_resolved() {
    let text = "li t0, 2; loop: addi t0, t0, -1; bnez t0, loop; tmc x0";
    check(hitting(1, 1, 1), text, &[6, 17, 28, 44, 55, 71], 83);
}

/// Warp 0: li 6, auipc 11, addi (waits for it) 22, wspawn (waits for t1) 33; its result in 43 lets both warps be fetched for, warp 0
/// in 43 and warp 1 in 44. From there each has one fetch under way at a time: warp 0 issues in 49, 54, 59, 64, warp 1 a cycle later.
/// Warp 1's tmc: 65 + 12 = 77.
#[test]
fn warps_started_by_wspawn_take_turns() {
    let text = "li t0, 2; la t1, work; wspawn t0, t1; work: li t2, 1; li t3, 2; li t4, 3; tmc x0";
    let (seen, gpu) = check(hitting(1, 2, 1), text, &[6, 11, 22, 33, 49, 54, 59, 64], 77);
    assert_eq!(cycles_of(&seen, 1), [50, 55, 60, 65]);
    assert_eq!(gpu.report().timed.unwrap().counters.cores[0].control.spawned, 1);
}

/// As above until 43. Warp 0: li 49, li 54, bar waits for t3 (54 + 11) 65; it arrives then. Warp 1: 50, 55, bar 66, which is
/// the second arrival: its result in 76 releases warp 0, which is fetched for in 76 and issues in 82; warp 1 in 77 and 83.
/// 83 + 12 = 95.
#[test]
fn a_barrier_releases_with_the_result_of_its_last_arrival() {
    let text = "li t0, 2; la t1, work; wspawn t0, t1; work: li t2, 0; li t3, 2; bar t2, t3; tmc x0";
    let (seen, gpu) = check(hitting(1, 2, 1), text, &[6, 11, 22, 33, 49, 54, 65, 82], 95);
    assert_eq!(cycles_of(&seen, 1), [50, 55, 66, 83]);
    assert_eq!(seen.barriers, ["65: warp 0 at local 0", "66: warp 1 at local 0", "76: released 0b1"]);
    let control = &gpu.report().timed.unwrap().counters.cores[0].control;
    assert_eq!((control.barriers, control.barrier_cycles), (2, 76 - 65));
}

/// V8: a divergent `split` runs the true side, then the other from the instruction after it, and its region executes two
/// `join`s. li 6; tmc 17, over in 27; csrr 33; split waits for t1: 44, over in 54; beqz 60, over in 70 (lane 1, whose condition
/// holds, does not take it); li 76; join 81 (decoded in 80), over in 91, goes to the other side; beqz 97, over in 107, taken; join 113, over in 123,
/// restores; tmc 129; 129 + 12 = 141.
#[test]
fn v8_a_divergent_region_costs_both_sides_and_two_joins() {
    let text = "all_lanes; csrr t1, thread_id; split t2, t1; beqz t1, other; li t3, 1; other: join t2; tmc x0";
    let (seen, gpu) = check(hitting(1, 1, 2), text, &[6, 17, 33, 44, 60, 76, 81, 97, 113, 129], 141);
    let control = &gpu.report().timed.unwrap().counters.cores[0].control;
    assert_eq!((control.splits, control.divergences, control.joins), (1, 1, 2));
    assert_eq!(seen.masks, [(17, 0b01, 0b11), (44, 0b11, 0b10), (81, 0b10, 0b01), (113, 0b01, 0b11)]);
}

/// A thread-mask instruction is one pass through warp control, as `tmc` is: issued in t, its result in t + 10 lets the warp be
/// fetched for, and its successor issues in t + 16. No side is gone back for, so an if/else is three of them: li 6, and waits for
/// t0: 17, xor 33, or 49, tmc 65, 65 + 12 = 77. Lane 1 is off from the start and never on.
#[test]
fn a_mask_instruction_is_one_pass_through_warp_control() {
    let mut config = hitting(1, 1, 2);
    config.extensions = config.extensions.with(Extension::ThreadMask);
    let text = "li t0, 0; mask.and s0, t0; mask.xor s1, s0; mask.or s2, s1; tmc x0";
    let (seen, gpu) = check(config, text, &[6, 17, 33, 49, 65], 77);
    assert_eq!(seen.masks, [(17, 1, 0), (33, 0, 1)]);
    let control = &gpu.report().timed.unwrap().counters.cores[0].control;
    assert_eq!((control.splits, control.joins), (0, 0));
}

/// V8: a uniform `split` changes nothing and its region executes one `join`: li 6, split 17, over in 27; join 33; tmc 33 + 16.
#[test]
fn v8_a_uniform_split_costs_one_join() {
    let (seen, gpu) = check(hitting(1, 1, 2), "li t1, 1; split t2, t1; join t2; tmc x0", &[6, 17, 33, 49], 61);
    let control = &gpu.report().timed.unwrap().counters.cores[0].control;
    assert_eq!((control.splits, control.divergences, control.joins), (1, 0, 1));
    assert_eq!(seen.masks, []);
}

/// A load issued in t reaches the load-store unit in t + 6, the cache in t + 7, and its data is there 4 cycles later, in t + 11;
/// commit and the instruction that uses it in t + 12. li: lui 6; lw 17; addi 17 + 12 = 29; tmc 30.
#[test]
fn a_load_is_used_twelve_cycles_after_its_issue() {
    let (seen, _) = check(hitting(1, 1, 1), "lui t0, 0x10; lw t1, 0(t0); addi t2, t1, 1; tmc x0", &[6, 17, 29, 30], 42);
    assert_eq!(seen.accesses, [(17, 28)]);
}

/// A store issued in t is taken by the cache in t + 7 and done in t + 8; nobody waits for it. lui 6, sw 17, addi 18, tmc 21 (decoded in 20).
#[test]
fn nobody_waits_for_a_store() {
    let (seen, _) = check(hitting(1, 1, 1), "lui t0, 0x10; sw t0, 0(t0); li t2, 1; tmc x0", &[6, 17, 18, 21], 33);
    assert_eq!(seen.accesses, [(17, 25)]);
}

/// A fence is completed at the edge of its window (8 cycles): issued in 18, the warp goes on in 24. addi, decoded in 20, issues then;
/// tmc 26. 26 + 12 = 38.
#[test]
fn a_fence_waits_for_the_edge_of_the_window() {
    let text = "li t0, 1; addi t1, t0, 1; fence; li t2, 1; tmc x0";
    let (seen, _) = check(hitting(1, 1, 1), text, &[6, 17, 18, 24, 26], 38);
    assert!(seen.stalls.contains(&(StallReason::Synchronize, 5)), "{:?}", seen.stalls);
}

/// A fence also waits for its warp's loads: lw, issued in 17, is answered in 28, so the fence of 18 is completed at the edge 32.
#[test]
fn a_fence_waits_for_the_accesses_before_it() {
    let text = "lui t0, 0x10; lw t1, 0(t0); fence; li t2, 1; tmc x0";
    check(hitting(1, 1, 1), text, &[6, 17, 18, 32, 33], 45);
}

/// Atomics of core-local memory meet no other core: they are served at once. The warp does not wait for the edge: auipc-free
/// li (lui) 6, amoadd 17, li 18 (decoded in 15), tmc 21.
#[test]
fn an_atomic_of_local_memory_waits_for_no_edge() {
    let text = "lui t0, 0xffff0; amoadd.w t1, t0, (t0); li t2, 1; tmc x0";
    let (seen, _) = run(hitting(1, 1, 1), text);
    assert_eq!(cycles_of(&seen, 0), [6, 17, 18, 21]);
    let elsewhere = "lui t0, 0x10; amoadd.w t1, t0, (t0); li t2, 1; tmc x0";
    let (seen, _) = run(hitting(1, 1, 1), elsewhere);
    // Issued in 17, the edge is 24.
    assert_eq!(cycles_of(&seen, 0), [6, 17, 24, 25]);
}

/// V13: an inactive lane changes no register and no cache line. Lanes of four store 64 bytes apart; lanes 0 and 2 are active: two
/// requests, two lines. The mask can be read as a CSR.
#[test]
fn v13_an_inactive_lane_changes_no_register_and_no_cache_line() {
    let text = "
        all_lanes
        csrr s0, thread_id
        slli s1, s0, 6
        li a0, OUT
        add s1, s1, a0
        li s2, 7
        li t0, 5
        tmc t0
        li s2, 9
        csrr s3, active_threads
        sw s3, 0(s1)
        tmc x0";
    let config = GpuConfig::vortex(1, 1, 4);
    let (_, gpu) = run(config, text);
    let counters = gpu.report().timed.unwrap().counters;
    let core = &counters.cores[0];
    assert_eq!((core.lsu.lanes, core.lsu.requests, core.dcache.write_misses), (2, 2, 2));
    assert_eq!(gpu.cores()[0].warps[0].integer(18), [9, 7, 9, 7]);
    let words = crate::support::out_words(&gpu);
    assert_eq!((words[0], words[16], words[32], words[48]), (5, 0, 5, 0));
}

/// Caches are cold at each launch unless asked to stay warm: then the second launch of two fetches and loads what the first left.
#[test]
fn caches_are_cold_unless_kept() {
    let program = program("lui t0, 0x10; lw t1, 0(t0); addi t2, t1, 1; tmc x0");
    let mut gpu = machine(GpuConfig::vortex(1, 1, 1));
    gpu.set_mode(Mode::Timed);
    let launch = |gpu: &mut Gpu| {
        let counters = gpu.launch(&program, OUT).unwrap().timed.unwrap().counters;
        (counters.cycles, counters.cores[0].icache.fills, counters.cores[0].dcache.fills)
    };
    let cold = launch(&mut gpu);
    assert_eq!((cold.1, cold.2), (1, 1));
    assert_eq!(launch(&mut gpu), cold);
    gpu.keep_caches(true);
    // As on a machine whose memory always hits: see `a_load_is_used_twelve_cycles_after_its_issue`.
    assert_eq!(launch(&mut gpu), (42, 0, 0));
}

/// Pausing is not seen by the program: every cycle alone, and every two, take as many as all at once.
#[test]
fn single_cycles_add_up() {
    let text = "li t0, 2; la t1, work; wspawn t0, t1; work: li t2, 0; li t3, 2; bar t2, t3; fence; tmc x0";
    for config in [hitting(1, 2, 1), GpuConfig::vortex(3, 2, 1)] {
        let whole = run(config, text).1.cycle();
        for step in [1, 2, 7] {
            let mut gpu = machine(config);
            gpu.set_mode(Mode::Timed);
            gpu.start(&program(text), OUT).unwrap();
            while gpu.resume_cycles(step).unwrap() == RunState::Paused {}
            assert_eq!(gpu.cycle(), whole, "{step} at a time");
        }
    }
}

/// Atomics of a window are served in the order (cycle, core, warp): core 1 issues its own 33 cycles before core 0, both in
/// the first window of 512, and finds the word untouched; core 0 finds what core 1 left. In the other order, cores of equal cycles: core 0 first.
#[test]
fn atomics_of_a_window_are_served_by_cycle_then_core() {
    let mut config = hitting(2, 1, 1);
    config.timing.memory.shared.latency = 512;
    let found = |delayed: u32| {
        let text = format!(
            "csrr t0, core_id; li a0, OUT; slli t1, t0, 2; add a1, a0, t1; addi t2, t0, 1; li t3, {delayed}; bne t0, t3, go
                addi t2, t2, 0; addi t2, t2, 0; addi t2, t2, 0
            go: amoadd.w t4, t2, (a0); sw t4, 64(a1); tmc x0"
        );
        let (_, gpu) = run(config, &text);
        crate::support::out_words(&gpu)[16..18].to_vec()
    };
    assert_eq!(found(0), [2, 0], "core 0 comes later and finds core 1's 2");
    assert_eq!(found(1), [0, 1], "core 1 comes later and finds core 0's 1");
    assert_eq!(found(7), [0, 1], "neither does: the lower core goes first");
}
