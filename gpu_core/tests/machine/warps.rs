//! Lane order, scalar operands, `tmc`, `pred`, `wspawn`.

use crate::support::{one_warp, run, trap_of};
use gpu_core::config::GpuConfig;
use gpu_core::trap::TrapKind;

/// "Lane order is ascending everywhere: of several lanes storing to one address the highest wins."
#[test]
fn of_several_lanes_storing_to_one_address_the_highest_wins() {
    let text = "all_lanes; li a0, OUT; csrr t0, thread_id; sw t0, 0(a0); sb t0, 4(a0); li t1, 0x7; tmc t1; sh t0, 8(a0); tmc x0";
    let out = run(one_warp(8), text);
    assert_eq!((out[0], out[1], out[2]), (7, 7, 2));
}

/// "Scalar operands come from the highest active lane."
#[test]
fn scalar_operands_come_from_the_highest_active_lane() {
    // Each lane holds mask 1 << lane; lanes 0 to 2 are active, so lane 2's value is taken.
    let text = "
        all_lanes
        csrr t0, thread_id
        li t1, 1
        sll t1, t1, t0
        li t2, 7
        tmc t2
        tmc t1
        csrr t3, active_threads
        li a0, OUT
        sw t3, 0(a0)
        tmc x0";
    assert_eq!(run(one_warp(4), text)[0], 0b100);
}

#[test]
fn tmc_is_trimmed_to_the_warp() {
    let text = "li t0, -1; tmc t0; csrr t1, active_threads; li a0, OUT; sw t1, 0(a0); tmc x0";
    assert_eq!(run(one_warp(4), text)[0], 0xf);
    assert_eq!(run(one_warp(32), text)[0], u32::MAX);
    assert_eq!(run(one_warp(3), text)[0], 0b111);
}

/// A mask whose bits all lie above the warp is empty, and "only `tmc 0` (and `pred` restoring 0) ends a warp".
#[test]
fn an_empty_mask_ends_the_warp() {
    let text = "li a0, OUT; li t0, 0x10; li t1, 1; sw t1, 0(a0); tmc t0; sw t1, 4(a0)";
    assert_eq!(run(one_warp(4), text)[..2], [1, 0]);
    let text = "li a0, OUT; li t1, 1; sw t1, 0(a0); pred x0, x0; sw t1, 4(a0)";
    assert_eq!(run(one_warp(4), text)[..2], [1, 0]);
}

/// `pred` narrows a loop's mask as lanes leave, and restores it when the last has left.
#[test]
fn pred_keeps_the_lanes_whose_condition_holds_and_restores_when_none_does() {
    // Lane l stays for max(l, 1) rounds. Lanes that have left keep a condition of 0, so that the branch is uniform.
    let text = "
        all_lanes
        csrr s0, active_threads
        csrr s1, thread_id
        li s2, 0
        li s5, 0
    loop:
        addi s2, s2, 1
        sltu s3, s2, s1
        pred s3, s0
        csrr s4, active_threads
        slli s5, s5, 4
        or s5, s5, s4
        bnez s3, loop
        lane_out a0
        sw s2, 0(a0)
        sw s5, 64(a0)
        tmc x0";
    let out = run(one_warp(4), text);
    assert_eq!(out[..4], [1, 1, 2, 3]);
    // The masks that each lane has seen, a digit a round.
    assert_eq!(out[16..20], [0xf, 0xf, 0xcf, 0xc8f]);
}

#[test]
fn pred_n_keeps_the_lanes_whose_condition_fails() {
    let text = "all_lanes; csrr t1, active_threads; csrr t0, thread_id; pred.n t0, t1; csrr t2, active_threads; li a0, OUT; sw t2, 0(a0); tmc x0";
    assert_eq!(run(one_warp(4), text)[0], 0b0101);
}

/// "`wspawn` … starts warps 1…n−1 at the pc with lane 0 … New warps have zero registers."
#[test]
fn wspawn_starts_the_other_warps_with_lane_0_and_zero_registers() {
    let text = "
        li s0, 77
        li t0, 3
        la t1, worker
        wspawn t0, t1
        li t0, 1
        la t1, worker
        wspawn t0, t1       # Waits until the workers have ended.
        li a0, OUT
        sw s0, 0(a0)
        lw t2, 4(a0)
        sw t2, 64(a0)       # The workers have stored before.
        tmc x0
    worker:
        csrr t2, warp_id
        slli t3, t2, 2
        li a0, OUT
        add a0, a0, t3
        csrr t4, active_threads
        slli t2, t2, 8
        or t4, t4, t2
        or t4, t4, s0
        sw t4, 0(a0)
        tmc x0";
    let out = run(GpuConfig::vortex(1, 4, 4), text);
    assert_eq!(out[..4], [77, 0x101, 0x201, 0]);
    assert_eq!(out[16], 0x101);
}

/// "n of 0 or 1 only waits", and n is clamped to the warps there are.
#[test]
fn wspawn_takes_any_count() {
    for (count, expected) in [(0, 0), (1, 0), (2, 0b10), (100, 0b1110), (u32::MAX, 0b1110)] {
        let text = format!(
            "li t0, {count}; la t1, worker; wspawn t0, t1; li t0, 1; wspawn t0, t1; tmc x0
            worker: csrr t0, warp_id; li t1, 1; sll t1, t1, t0; li a0, OUT; amoor.w t2, t1, (a0); tmc x0"
        );
        assert_eq!(run(GpuConfig::vortex(1, 4, 2), &text)[0], expected, "count {count}");
    }
}

/// "`wspawn` only from warp 0."
#[test]
fn wspawn_outside_warp_0_traps() {
    let trap = trap_of(
        GpuConfig::vortex(1, 2, 2),
        "li t0, 2; la t1, worker; wspawn t0, t1; tmc x0; worker: li t0, 2; la t1, worker; wspawn t0, t1; tmc x0",
    );
    assert_eq!(trap.kind, TrapKind::WspawnOutsideWarp0);
    assert_eq!(trap.warp.0, 1);
}

/// Case A5, through the machine.
#[test]
fn division_by_zero_does_not_trap() {
    let text = "
        li a0, OUT
        li t0, 0x80000000
        li t1, -1
        div t2, t0, t1; sw t2, 0(a0)
        rem t2, t0, t1; sw t2, 4(a0)
        li t0, 7
        div t2, t0, x0; sw t2, 8(a0)
        divu t2, t0, x0; sw t2, 12(a0)
        rem t2, t0, x0; sw t2, 16(a0)
        remu t2, t0, x0; sw t2, 20(a0)
        tmc x0";
    assert_eq!(run(one_warp(1), text)[..6], [0x8000_0000, 0, u32::MAX, u32::MAX, 7, 7]);
}

#[test]
fn imadd_shifts_the_64_bit_product() {
    let text = "
        li a0, OUT
        li t0, -0x40000000
        li t1, 0x00800000
        li t2, 5
        imadd t3, t0, t1, t2, 0; sw t3, 0(a0)
        imadd t3, t0, t1, t2, 3; sw t3, 4(a0)
        tmc x0";
    let product = -0x4000_0000i64 * 0x0080_0000;
    let expected = [product as u32, (product >> 24) as u32].map(|word| word.wrapping_add(5));
    assert_eq!(run(one_warp(1), text)[..2], expected);
}
