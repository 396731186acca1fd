//! Local and global barriers, and what happens when they cannot be met.

use crate::support::{machine, program, run, trap_of, trap_of_program};
use gpu_core::config::GpuConfig;
use gpu_core::trap::{BarrierScope, TrapKind};

/// Case A10: a warp re-enters the barrier that it was just released from.
#[test]
fn a_thousand_barriers_keep_eight_warps_together() {
    // Each warp counts in its word; before each barrier it checks that no other is more than 1 away.
    let text = "
        start_warps 8, work
    work:
        csrr s0, warp_id
        slli s1, s0, 2
        li a0, OUT
        add s1, s1, a0
        li s2, 1000
        li s3, 0
    loop:
        addi s3, s3, 1
        sw s3, 0(s1)
        li s4, 0
        mv s5, a0
    compare:
        lw s6, 0(s5)
        sub s6, s6, s3
        addi s6, s6, 1
        sltiu s6, s6, 3
        bnez s6, near
        sw s3, 128(a0)
    near:
        addi s5, s5, 4
        addi s4, s4, 1
        slti s6, s4, 8
        bnez s6, compare
        li t0, 0
        li t1, 8
        bar t0, t1
        bne s3, s2, loop
        tmc x0";
    let out = run(GpuConfig::vortex(1, 8, 1), text);
    assert_eq!(out[..8], [1000; 8]);
    assert_eq!(out[32], 0, "two counters were more than 1 apart");
}

/// "`bar` counts arrivals only; a count below 2 is a no-op."
#[test]
fn a_count_below_2_is_a_no_op() {
    let text = "li t0, 0; li t1, 1; bar t0, t1; bar t0, x0; li t0, 99; bar t0, t1; li a0, OUT; sw t1, 0(a0); tmc x0";
    assert_eq!(run(GpuConfig::vortex(1, 1, 1), text)[0], 1);
}

/// "An id past the table traps."
#[test]
fn an_id_past_the_table_traps() {
    let trap = trap_of(GpuConfig::vortex(1, 4, 1), "li t0, 2; li t1, 2; bar t0, t1; tmc x0");
    assert_eq!(trap.kind, TrapKind::NoSuchBarrier { scope: BarrierScope::Local, id: 2, available: 2 });
    let trap = trap_of(GpuConfig::vortex(2, 4, 1), "li t0, 0x80000008; li t1, 2; bar t0, t1; tmc x0");
    assert_eq!(trap.kind, TrapKind::NoSuchBarrier { scope: BarrierScope::Global, id: 8, available: 8 });
    assert!(trap.to_string().ends_with("global barrier 8 does not exist, there are 8"), "{trap}");
}

/// Case A9, first form: a warp ends before a barrier that the other waits at. Completed stores stay visible.
#[test]
fn a_barrier_that_a_warp_left_is_a_deadlock_with_a_report() {
    let text = "
        start_warps 2, work
    work:
        csrr s0, warp_id
        slli s1, s0, 2
        li a0, OUT
        add s1, s1, a0
        li t0, 7
        sw t0, 0(s1)
        bnez s0, end
        li t0, 0
        li t1, 2
    wait:
        bar t0, t1
    end:
        tmc x0";
    let program = program(text);
    let (trap, gpu) = trap_of_program(GpuConfig::vortex(1, 2, 1), &program);
    assert_eq!(trap.kind, TrapKind::Deadlock { scope: BarrierScope::Local, id: 0, arrived: 1, expected: 2 });
    assert_eq!(trap.warp.0, 0);
    assert_eq!(Some(trap.pc), program.symbol("wait"));
    assert!(trap.to_string().contains("`bar t0, t1`"), "{trap}");
    assert!(trap.to_string().contains("deadlock at local barrier 0: 1 of 2 warps have arrived"), "{trap}");
    assert_eq!(crate::support::out_words(&gpu)[..2], [7, 7]);
}

/// Case A9, second form: lanes of one warp take `bar` on both sides of a split. Each side is an arrival of the warp;
/// the warp is one, so that the other one is never met.
#[test]
fn bar_on_both_sides_of_a_split_is_a_deadlock_with_a_report() {
    let text = "
        all_lanes
        csrr t0, thread_id
        li t2, 0
        li t3, 2
        split s0, t0
        beqz t0, else
        bar t2, t3
        j end
    else:
        bar t2, t3
    end:
        join s0
        tmc x0";
    let trap = trap_of(GpuConfig::vortex(1, 2, 2), text);
    assert_eq!(trap.kind, TrapKind::Deadlock { scope: BarrierScope::Local, id: 0, arrived: 1, expected: 2 });
}

/// "Global barriers gather a core's active warps … and span the machine."
#[test]
fn a_global_barrier_gathers_all_warps_of_all_cores() {
    // Every warp adds 1; after the barrier every warp must see all of them.
    let text = "
        start_warps 4, work
    work:
        li a0, OUT
        li t0, 1
        amoadd.w x0, t0, (a0)
        li t0, 0x80000001
        csrr t1, num_cores
        bar t0, t1
        lw t2, 0(a0)
        csrr t3, mhartid
        slli t3, t3, 2
        add t3, t3, a0
        sw t2, 64(t3)
        tmc x0";
    let out = run(GpuConfig::vortex(3, 4, 1), text);
    assert_eq!(out[16..28], [12; 12]);
}

#[test]
fn a_global_barrier_waits_for_the_slowest_warp() {
    // Warp 1 of each core comes late, after more than a slice, and stores before it arrives.
    let text = "
        start_warps 2, work
    work:
        li a0, OUT
        csrr s0, mhartid
        slli s1, s0, 2
        add s1, s1, a0
        csrr s0, warp_id
        beqz s0, arrive
        li t0, 100000
    delay:
        addi t0, t0, -1
        bnez t0, delay
        sw s0, 0(s1)
    arrive:
        li t0, 0x80000000
        li t1, 2
        bar t0, t1
        lw t0, 4(a0)
        lw t1, 12(a0)
        slli t0, t0, 1
        or t0, t0, t1
        sw t0, 64(s1)
        tmc x0";
    assert_eq!(run(GpuConfig::vortex(2, 2, 1), text)[16..20], [3; 4]);
}

/// "Global barriers … are re-evaluated when a warp ends."
#[test]
fn a_global_barrier_does_not_wait_for_warps_that_end() {
    // Warp 1 of each core ends late, without arriving.
    let text = "
        start_warps 2, work
    work:
        csrr s0, warp_id
        beqz s0, wait
        li t0, 5000
    delay:
        addi t0, t0, -1
        bnez t0, delay
        tmc x0
    wait:
        li t0, 0x80000000
        li t1, 2
        bar t0, t1
        li a0, OUT
        li t0, 1
        amoadd.w x0, t0, (a0)
        tmc x0";
    assert_eq!(run(GpuConfig::vortex(2, 2, 1), text)[0], 2);
}

#[test]
fn a_global_barrier_that_a_core_left_is_a_deadlock_of_cores() {
    let text = "csrr t0, core_id; bnez t0, end; li t0, 0x80000003; li t1, 2; bar t0, t1; end: tmc x0";
    let trap = trap_of(GpuConfig::vortex(2, 1, 1), text);
    assert_eq!(trap.kind, TrapKind::Deadlock { scope: BarrierScope::Global, id: 3, arrived: 1, expected: 2 });
    assert!(trap.to_string().contains("deadlock at global barrier 3: 1 of 2 cores have arrived"), "{trap}");
}

/// Warp 0 waits in `wspawn` for a warp that waits at a barrier: the barrier is what is reported.
#[test]
fn a_wspawn_that_waits_for_a_stuck_warp_is_a_deadlock() {
    let text = "
        start_warps 2, work
        li t0, 1
        wspawn t0, t0
        tmc x0
    work:
        li t0, 1
        li t1, 2
        bar t0, t1
        tmc x0";
    let trap = trap_of(GpuConfig::vortex(1, 4, 1), text);
    assert_eq!(trap.kind, TrapKind::Deadlock { scope: BarrierScope::Local, id: 1, arrived: 1, expected: 2 });
    assert_eq!(trap.warp.0, 1);
}

/// "Completed stores before it stay visible", and the machine can be launched again after any trap.
#[test]
fn a_machine_runs_again_after_a_deadlock() {
    let mut gpu = machine(GpuConfig::vortex(1, 2, 1));
    let stuck = program("li t0, 0; li t1, 2; bar t0, t1; tmc x0");
    gpu.launch(&stuck, crate::support::OUT).unwrap_err();
    let fine = program("li a0, OUT; li t0, 3; sw t0, 0(a0); tmc x0");
    gpu.launch(&fine, crate::support::OUT).unwrap();
    assert_eq!(crate::support::out_words(&gpu)[0], 3);
}
