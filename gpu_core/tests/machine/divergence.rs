//! `split`, `join`, and branches that diverge without them.

use crate::support::{one_warp, run, trap_of};
use gpu_core::config::{FirstSide, GpuConfig};
use gpu_core::trap::TrapKind;
use gpu_core::units::ThreadMask;

/// Lanes 0 and 2 take one side, 1 and 3 the other; nested inside, lane 3 alone takes a third.
const NESTED: &str = "
        all_lanes
        csrr t0, thread_id
        andi t1, t0, 1
        split s0, t1
        beqz t1, even
        addi t2, t0, 100
        srli t3, t0, 1
        split s1, t3
        beqz t3, not_three
        addi t2, t2, 1000
    not_three:
        join s1
        addi t2, t2, 500
        j end
    even:
        addi t2, t0, 200
    end:
        join s0
        addi t2, t2, 1
        lane_out a0
        sw t2, 0(a0)
        csrr t4, active_threads
        sw t4, 64(a0)
        tmc x0";

/// "Which side runs first is a setting" and never changes a result.
#[test]
fn either_side_may_run_first() {
    for first_side in [FirstSide::True, FirstSide::False, FirstSide::Larger, FirstSide::Smaller] {
        let out = run(GpuConfig { first_side, ..one_warp(4) }, NESTED);
        assert_eq!(out[..4], [201, 602, 203, 1604], "{first_side:?}");
        assert_eq!(out[16..20], [0xf; 4], "{first_side:?}");
    }
}

/// The setting is obeyed: the first side to store its mark is seen by the second.
#[test]
fn the_first_side_setting_chooses_the_side() {
    let text = "
        all_lanes
        csrr t0, thread_id
        seqz t1, t0             # Lane 0 alone: the smaller side is the true one.
        li a0, OUT
        split s0, t1
        amoadd.w t2, x0, (a0)
        csrr t3, active_threads
        bnez t2, second
        sw t3, 0(a0)
    second:
        join s0
        tmc x0";
    let first = |first_side| run(GpuConfig { first_side, ..one_warp(4) }, text)[0];
    assert_eq!(first(FirstSide::True), 0b0001);
    assert_eq!(first(FirstSide::False), 0b1110);
    assert_eq!(first(FirstSide::Larger), 0b1110);
    assert_eq!(first(FirstSide::Smaller), 0b0001);
}

/// "`split` writes rd in all active lanes *before* it narrows the mask."
#[test]
fn split_writes_the_depth_in_all_active_lanes() {
    let text = "
        all_lanes
        li s0, 55
        csrr t0, thread_id
        split s0, t0
        join s0
        lane_out a0
        sw s0, 0(a0)
        tmc x0";
    // Lane 1 runs first, joins, lane 0 runs and joins: both must know the depth.
    assert_eq!(run(one_warp(2), text)[..2], [0, 0]);
}

#[test]
fn a_uniform_split_pushes_nothing() {
    let text = "
        all_lanes
        li t0, 1
        split s0, t0
        split s1, x0
        split.n s2, x0
        csrr t1, active_threads
        join s2
        join s1
        join s0
        lane_out a0
        sw s2, 0(a0)
        sw t1, 64(a0)
        tmc x0";
    let out = run(one_warp(4), text);
    assert_eq!((out[0], out[16]), (0, 0xf));
}

#[test]
fn split_n_inverts_the_condition() {
    let text = "all_lanes; csrr t0, thread_id; split.n s0, t0; csrr t1, active_threads
        li a0, OUT; lw t3, 4(a0); bnez t3, skip; sw t1, 4(a0); skip: join s0; tmc x0";
    assert_eq!(run(one_warp(4), text)[1], 0b0101);
}

/// "On an empty stack [`join`] is a no-op (upstream aborts)."
#[test]
fn join_on_an_empty_stack_is_a_no_op() {
    let text = "all_lanes; li t0, 5; join t0; csrr t1, active_threads; li a0, OUT; sw t1, 0(a0); tmc x0";
    assert_eq!(run(one_warp(4), text)[0], 0xf);
}

/// "A pointer above the depth of a non-empty stack traps."
#[test]
fn join_above_the_depth_traps() {
    let trap = trap_of(one_warp(4), "all_lanes; csrr t0, thread_id; split s0, t0; li t1, 2; join t1; tmc x0");
    assert_eq!(trap.kind, TrapKind::JoinAboveDepth { pointer: 2, depth: 1 });
    assert!(trap.to_string().ends_with("`join` to depth 2, above the divergence stack's depth 1"), "{trap}");
}

#[test]
fn the_divergence_stack_overflows_with_a_trap() {
    let config = GpuConfig { ipdom_capacity: 1, ..one_warp(4) };
    let trap = trap_of(config, "all_lanes; csrr t0, thread_id; split s0, t0; srli t1, t0, 1; split s1, t1; tmc x0");
    assert_eq!(trap.kind, TrapKind::StackOverflow { capacity: 1 });
    assert!(trap.to_string().contains("divergence stack overflow: 1 nested divergences are the limit"), "{trap}");
    // The default has room for as many as lanes allow.
    let deep = "
        all_lanes
        csrr t0, thread_id
        li t1, 0
        .rept 3
        addi t1, t1, 1
        slt t2, t1, t0
        split s0, t2
        .endr
        tmc x0";
    run(one_warp(4), deep);
}

/// "Lanes that disagree on a branch … without `split` trap."
#[test]
fn a_divergent_branch_traps_and_names_both_sides() {
    let trap = trap_of(one_warp(4), "all_lanes; csrr t0, thread_id; beqz t0, out; nop; out: tmc x0");
    let (taken, not_taken) = (ThreadMask(1), ThreadMask(0b1110));
    assert_eq!(trap.kind, TrapKind::DivergentBranch { taken, not_taken });
    assert!(trap.to_string().contains("divergent branch: lanes 0x1 take it, lanes 0xe do not"), "{trap}");
    assert_eq!(trap.lanes, ThreadMask(0xf));
}

/// "Lanes that disagree on … a `jalr` target … trap."
#[test]
fn a_divergent_jump_traps() {
    let trap = trap_of(
        one_warp(4),
        "all_lanes; csrr t0, thread_id; slli t0, t0, 2; la t1, out; add t0, t0, t1; jr t0; out: tmc x0",
    );
    assert!(matches!(trap.kind, TrapKind::DivergentJump { others: ThreadMask(0b0111), .. }), "{trap}");
    assert!(trap.to_string().contains("divergent jump: the highest active lane goes to 0x8000"), "{trap}");
}
