//! AMO, LR/SC and fences.

use crate::support::{one_warp, run, run_untimed, trap_of};
use gpu_core::config::GpuConfig;
use gpu_core::trap::{AccessKind, TrapKind};
use gpu_core::units::Address;

/// "Each AMO lane sees its predecessors."
#[test]
fn each_amo_lane_sees_its_predecessors() {
    let text = "all_lanes; li a0, OUT; li t0, 10; amoadd.w t1, t0, (a0); lane_out a1; sw t1, 64(a1); tmc x0";
    let out = run(one_warp(4), text);
    assert_eq!(out[0], 40);
    assert_eq!(out[16..20], [0, 10, 20, 30]);
}

#[test]
fn every_amo_computes_what_it_says() {
    let cases = [
        ("amoswap.w", 5, 9, 9),
        ("amoadd.w", u32::MAX, 2, 1),
        ("amoxor.w", 0b0110, 0b0101, 0b0011),
        ("amoand.w", 0b0110, 0b0101, 0b0100),
        ("amoor.w", 0b0110, 0b0101, 0b0111),
        ("amomin.w", -1i32 as u32, 1, -1i32 as u32),
        ("amomax.w", -1i32 as u32, 1, 1),
        ("amominu.w", -1i32 as u32, 1, 1),
        ("amomaxu.w", -1i32 as u32, 1, -1i32 as u32),
    ];
    for (mnemonic, old, operand, new) in cases {
        for base in ["OUT", "0xffff0000"] {
            let text = format!(
                "li a0, {base}; li a1, OUT; li t0, {old}; sw t0, 0(a0); li t1, {operand}
                {mnemonic} t2, t1, (a0); lw t3, 0(a0); sw t2, 8(a1); sw t3, 12(a1); tmc x0"
            );
            assert_eq!(run(one_warp(1), &text)[2..4], [old, new], "{mnemonic} at {base}");
        }
    }
}

/// "LR/SC reservations are per lane, one word, broken by any other lane's store to it."
#[test]
fn lr_sc_reservations_are_per_lane() {
    // All lanes reserve one word: the first sc of the warp succeeds and breaks the others' reservations.
    let text = "all_lanes; li a0, OUT; lr.w t0, (a0); csrr t1, thread_id; addi t1, t1, 5; sc.w t2, t1, (a0); lane_out a1; sw t2, 64(a1); tmc x0";
    let out = run(one_warp(4), text);
    assert_eq!(out[0], 5);
    assert_eq!(out[16..20], [0, 1, 1, 1]);
    // Each its own word: all succeed.
    let text = "all_lanes; lane_out a0; lr.w t0, (a0); li t1, 5; sc.w t2, t1, (a0); sw t2, 64(a0); tmc x0";
    let out = run(one_warp(4), text);
    assert_eq!(out[..4], [5; 4]);
    assert_eq!(out[16..20], [0; 4]);
}

#[test]
fn a_reservation_holds_one_word_and_one_sc() {
    let text = "
        li a0, OUT
        li t1, 5
        lr.w t0, (a0)
        addi a1, a0, 4
        lr.w t0, (a1)           # Moves the reservation.
        sc.w t2, t1, (a0); sw t2, 64(a0)
        sc.w t2, t1, (a1); sw t2, 68(a0)   # The failed sc has ended it.
        lr.w t0, (a1)
        sc.w t2, t1, (a1); sw t2, 72(a0)
        sc.w t2, t1, (a1); sw t2, 76(a0)
        tmc x0";
    let out = run(one_warp(1), text);
    assert_eq!(out[16..20], [1, 1, 0, 1]);
    assert_eq!(out[..2], [0, 5]);
}

/// A lane's own store keeps its reservation; another lane's store of even a byte, and of the same value, breaks it.
#[test]
fn stores_of_other_lanes_break_reservations() {
    for (store, lane, expected) in [("sw", 0, 0), ("sw", 1, 1), ("sb", 1, 1), ("amoadd.w", 1, 1)] {
        let store = if store == "amoadd.w" { "amoadd.w x0, x0, (a0)".to_owned() } else { format!("{store} x0, 0(a0)") };
        for base in ["OUT", "0xffff0000"] {
            let text = format!(
                "all_lanes; li a0, {base}; only_lane 0; lr.w t0, (a0); all_lanes; only_lane {lane}; {store}
                all_lanes; only_lane 0; li t1, 9; sc.w t2, t1, (a0); li a1, OUT; sw t2, 64(a1); tmc x0"
            );
            assert_eq!(run(one_warp(2), &text)[16], expected, "{store} by lane {lane} at {base}");
        }
    }
}

/// A lock in LR/SC, taken by every lane of every warp of every core in turn.
#[test]
fn lr_sc_counts_every_lane_of_every_core() {
    let text = "
        start_warps 2, work
    work:
        all_lanes
        csrr s0, active_threads
        li a0, OUT
    again:
        lr.w t0, (a0)
        addi t0, t0, 1
        sc.w t1, t0, (a0)
        pred t1, s0             # Lanes whose sc.w gave 0 leave.
        bnez t1, again
        tmc x0";
    for cores in [1, 3] {
        // How often a lane has to try depends on the others.
        let (out, _) = run_untimed(GpuConfig::vortex(cores, 2, 4), text);
        assert_eq!(out[0], cores * 2 * 4, "{cores} cores");
    }
}

/// "AMO, LR and SC always trap" when misaligned, in bare programs too.
#[test]
fn misaligned_atomics_trap_in_every_program() {
    for instruction in ["amoadd.w t1, t0, (a0)", "lr.w t1, (a0)", "sc.w t1, t0, (a0)"] {
        let trap = trap_of(one_warp(1), &format!("li a0, OUT + 2; {instruction}; tmc x0"));
        let expected =
            TrapKind::Misaligned { access: AccessKind::Atomic, lane: 0, address: Address(0x1_0002), bytes: 4 };
        assert_eq!(trap.kind, expected, "{instruction}");
    }
}

#[test]
fn atomics_of_the_io_page_trap() {
    let trap = trap_of(one_warp(1), "li a0, 0x40; amoadd.w t0, t0, (a0); tmc x0");
    assert!(matches!(trap.kind, TrapKind::OutsideMemory { access: AccessKind::Atomic, .. }), "{trap}");
}

/// A flag handed from core to core by AMO: what was stored before it is seen after it.
#[test]
fn stores_before_an_atomic_are_seen_after_it() {
    let text = "
        li a0, OUT
        csrr s0, core_id
        csrr s1, num_cores
    wait:
        amoadd.w t0, x0, (a0)
        bne t0, s0, wait
        lw t1, 4(a0)        # What the cores before have stored.
        addi t1, t1, 3
        sw t1, 4(a0)
        fence
        li t2, 1
        amoadd.w x0, t2, (a0)
        tmc x0";
    assert_eq!(run(GpuConfig::vortex(4, 1, 1), text)[..2], [4, 12]);
}
