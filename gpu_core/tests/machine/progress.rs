//! The watchdog: a machine that would run for ever ends by itself, and one that would not is left alone.

use crate::support::{OUT, machine, one_warp, out_words, program, run, trap_of};
use gpu_core::config::GpuConfig;
use gpu_core::gpu::LaunchError;
use gpu_core::trap::TrapKind;

fn quick(config: GpuConfig) -> GpuConfig {
    GpuConfig { progress_interval: 1000, ..config }
}

/// Case A8: a spin lock inside a warp. The winner waits at the join for lanes that wait for it.
#[test]
fn a_spin_lock_inside_a_warp_ends_with_a_diagnosis() {
    let text = "
        all_lanes
        csrr s0, active_threads
        li a0, OUT
        li t0, 1
    try:
        amoswap.w t1, t0, (a0)
        snez t1, t1
        pred t1, s0
        bnez t1, try
        amoswap.w x0, x0, (a0)
        tmc x0";
    let trap = trap_of(quick(one_warp(4)), text);
    assert!(matches!(trap.kind, TrapKind::NoProgress { instructions: 1000.. }), "{trap}");
    assert!(trap.to_string().contains("no progress: the machine's state repeats"), "{trap}");
    assert_eq!(trap.lanes.0, 0b1110);
}

#[test]
fn an_empty_loop_ends_with_a_diagnosis_on_any_machine() {
    for config in [one_warp(1), GpuConfig::vortex(3, 2, 4)] {
        let trap = trap_of(quick(config), "j .");
        assert!(matches!(trap.kind, TrapKind::NoProgress { .. }), "{trap}");
        assert_eq!((trap.core.0, trap.warp.0), (0, 0));
    }
    // Storing the same word again is no progress, nor is a loop that is longer than a turn.
    let text = "li a0, OUT\nloop: sw a0, 0(a0)\n.rept 3000\nnop\n.endr\nj loop";
    assert!(matches!(trap_of(quick(one_warp(1)), text).kind, TrapKind::NoProgress { .. }));
}

/// "`NoProgress` only if the machine's state repeats": a long computation without a store is not cut off.
#[test]
fn a_long_computation_without_stores_is_left_alone() {
    let text = "li t0, 200000; loop: addi t0, t0, -1; bnez t0, loop; li a0, OUT; li t1, 1; sw t1, 0(a0); tmc x0";
    assert_eq!(run(quick(one_warp(1)), text)[0], 1);
}

/// One core spins while the other computes: the machine's state does not repeat.
#[test]
fn a_core_that_waits_for_one_that_computes_is_left_alone() {
    let text = "
        li a0, OUT
        csrr t0, core_id
        bnez t0, compute
    wait:
        amoadd.w t1, x0, (a0)
        beqz t1, wait
        sw t1, 4(a0)
        tmc x0
    compute:
        li t0, 100000
    loop:
        addi t0, t0, -1
        bnez t0, loop
        li t1, 8
        amoadd.w x0, t1, (a0)
        tmc x0";
    assert_eq!(run(quick(GpuConfig::vortex(2, 1, 1)), text)[..2], [8, 8]);
}

/// A loop that waits for the cycle counter sees time pass, though its registers look the same at every round: it is as
/// long as a round of the watchdog, which falls on its idle part.
#[test]
fn a_loop_that_reads_a_counter_is_left_alone() {
    let text = "
        li t1, 200000
    loop:
        csrr t0, mcycle
        sltu t2, t0, t1
        li t0, 0
        .rept 60
        nop
        .endr
        bnez t2, loop
        li a0, OUT
        sw t1, 0(a0)
        tmc x0";
    assert_eq!(run(quick(one_warp(1)), text)[0], 200000);
}

/// Whoever steps through a loop sees no trap, however often: pauses are not the program's doing.
#[test]
fn pausing_in_a_loop_is_no_cycle() {
    let mut gpu = machine(GpuConfig { progress_interval: 1, ..one_warp(1) });
    gpu.start(&program("loop: nop; j loop"), OUT).unwrap();
    for step in 0..100 {
        assert_eq!(gpu.resume(step % 3).unwrap(), gpu_core::gpu::RunState::Paused);
    }
    assert_eq!(gpu.report().warp_instructions, 99);
}

/// "Separately an absolute budget."
#[test]
fn the_budget_ends_a_program_that_makes_progress_for_ever() {
    let config = GpuConfig { instruction_budget: 10_000, ..one_warp(1) };
    let trap = trap_of(config, "li a0, OUT; loop: addi t0, t0, 1; sw t0, 0(a0); j loop");
    assert_eq!(trap.kind, TrapKind::Budget { budget: 10_000 });
    assert!(trap.to_string().ends_with("the budget of 10000 instructions is used up"), "{trap}");
}

/// "State before the trap stays readable."
#[test]
fn state_before_the_budget_trap_stays_readable() {
    let mut gpu = machine(GpuConfig { instruction_budget: 3 * 1000 + 1, ..one_warp(1) });
    let error = gpu.launch(&program("li a0, OUT; loop: addi t0, t0, 1; sw t0, 0(a0); j loop"), OUT).unwrap_err();
    assert!(matches!(error, LaunchError::Trap(_)));
    assert_eq!(out_words(&gpu)[0], 1000);
    assert_eq!(gpu.report().warp_instructions, 3001);
}
