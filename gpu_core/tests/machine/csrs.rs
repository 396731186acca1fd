//! Control and status registers.

use crate::support::{one_warp, run, run_untimed, trap_of};
use gpu_core::config::GpuConfig;
use gpu_core::trap::TrapKind;

#[test]
fn who_and_how_many() {
    let text = "
        start_warps 2, work
    work:
        all_lanes
        csrr t0, mhartid
        slli t1, t0, 5
        li a0, OUT
        add a0, a0, t1
        csrr t1, thread_id; sw t1, 0(a0)
        csrr t1, warp_id; sw t1, 4(a0)
        csrr t1, core_id; sw t1, 8(a0)
        csrr t1, num_threads; sw t1, 12(a0)
        csrr t1, num_warps; sw t1, 16(a0)
        csrr t1, num_cores; sw t1, 20(a0)
        csrr t1, local_mem_base; sw t1, 24(a0)
        sw t0, 28(a0)
        tmc x0";
    let out = run(GpuConfig::vortex(2, 2, 4), text);
    for core in 0..2 {
        for warp in 0..2 {
            for lane in 0..4 {
                let hart = (core * 2 + warp) * 4 + lane;
                let expected = [lane, warp, core, 4, 2, 2, 0xffff_0000, hart];
                assert_eq!(out[hart as usize * 8..][..8], expected);
            }
        }
    }
}

/// "Machine-mode ones are storage without effect; `mret` jumps to mepc."
#[test]
fn machine_mode_registers_store_and_mret_jumps_to_mepc() {
    let text = "
        li t0, 0x1234
        csrw mtvec, t0
        csrw satp, t0
        csrw pmpaddr3, t0
        csrw mstatus, t0
        csrsi mstatus, 3
        csrci mstatus, 4
        csrr t1, mtvec
        csrr t2, mstatus
        la t3, out
        csrw mepc, t3
        mret
        li t1, 0
    out:
        li a0, OUT
        sw t1, 0(a0)
        sw t2, 4(a0)
        tmc x0";
    assert_eq!(run(one_warp(1), text)[..2], [0x1234, 0x1233]);
}

/// "0xCC4 (mask) is read-only", and so is the rest of the upper quarter.
#[test]
fn read_only_registers_trap_on_a_write_alone() {
    for (text, number) in [
        ("csrw active_threads, t0", 0xcc4),
        ("csrrs t1, cycle, t0", 0xc00),
        ("csrwi mhartid, 0", 0xf14),
        ("csrci num_threads, 1", 0xfc0),
    ] {
        let trap = trap_of(one_warp(1), &format!("{text}; tmc x0"));
        assert_eq!(trap.kind, TrapKind::ReadOnlyCsr { number }, "{text}");
        assert!(trap.to_string().ends_with(&format!("CSR {number:#05x} is read-only")), "{trap}");
    }
    run(one_warp(1), "csrrs t1, cycle, x0; csrrci t1, active_threads, 0; tmc x0");
}

#[test]
fn an_unknown_register_traps() {
    let trap = trap_of(one_warp(1), "csrr t0, 0x7ff; tmc x0");
    assert_eq!(trap.kind, TrapKind::UnknownCsr { number: 0x7ff });
    assert!(trap.to_string().ends_with("no CSR 0x7ff"), "{trap}");
}

/// "minstret counts lane-instructions; untimed mcycle counts instructions issued by the core."
#[test]
fn counters_count_instructions_and_lanes() {
    let text = "all_lanes; csrr t0, mcycle; csrr t1, minstret; li a0, OUT; sw t0, 0(a0); sw t1, 4(a0); tmc x0";
    let (out, report) = run_untimed(one_warp(4), text);
    // Before `csrr mcycle`: li and tmc in one lane. Before `csrr minstret` that csrr, in four.
    assert_eq!(out[..2], [2, 2 + 4]);
    assert_eq!(report.warp_instructions, 8);
    assert_eq!(report.lane_instructions, 2 + 6 * 4);
}

/// "fflags is the OR over active lanes, per warp."
#[test]
fn fflags_is_the_or_over_active_lanes() {
    // Lane 0 divides by zero (DZ), lane 1 takes the root of −1 … in one instruction: lane 0: 1/0, lane 1: 0/0.
    let text = "
        all_lanes
        csrr t0, thread_id
        xori t1, t0, 1
        fcvt.s.w f1, t1
        fmv.w.x f2, x0
        li t2, 3
        tmc t2
        fsflags x0
        fdiv.s f3, f1, f2
        frflags t3
        li t2, 1
        fsflags x0
        fmul.s f4, f1, f1
        frflags t4
        li a0, OUT
        sw t3, 0(a0)
        sw t4, 4(a0)
        tmc x0";
    assert_eq!(run(one_warp(4), text)[..2], [0x18, 0]);
    // Inactive lanes raise nothing.
    let text = "
        all_lanes
        csrr t0, thread_id
        fcvt.s.w f1, t0
        fmv.w.x f2, x0
        only_lane 1
        fsflags x0
        fdiv.s f3, f1, f2
        frflags t3
        li a0, OUT
        sw t3, 0(a0)
        tmc x0";
    assert_eq!(run(one_warp(4), text)[0], 8);
}

#[test]
fn fcsr_is_frm_and_fflags() {
    let text = "li t0, 0x7f; csrw fcsr, t0; csrr t1, frm; csrr t2, fflags; csrwi frm, 1; csrr t3, fcsr
        li a0, OUT; sw t1, 0(a0); sw t2, 4(a0); sw t3, 8(a0); tmc x0";
    assert_eq!(run(one_warp(1), text)[..3], [3, 0x1f, 0x3f]);
}

/// "A reserved rounding mode traps."
#[test]
fn a_reserved_rounding_mode_traps() {
    for mode in [5, 6, 7] {
        let trap = trap_of(one_warp(1), &format!("csrwi frm, {mode}; fadd.s f0, f0, f0; tmc x0"));
        assert_eq!(trap.kind, TrapKind::ReservedRoundingMode { mode });
        assert!(trap.to_string().ends_with(&format!("reserved rounding mode {mode}")), "{trap}");
        // An instruction with its own mode does not look at frm.
        run(one_warp(1), &format!("csrwi frm, {mode}; fadd.s f0, f0, f0, rne; tmc x0"));
    }
    // fadd.s f0, f0, f0 with mode 5 in the word.
    let trap = trap_of(one_warp(1), ".word 0x00005053; tmc x0");
    assert_eq!(trap.kind, TrapKind::ReservedRoundingMode { mode: 5 });
}

/// Case A4 through the machine: a static mode wins over frm, and fnmadd negates before rounding.
#[test]
fn static_rounding_modes_are_obeyed() {
    let text = "
        li t0, 0x3f800001
        fmv.w.x f1, t0
        fmv.w.x f2, x0
        fnmadd.s f3, f1, f1, f2, rup
        fnmadd.s f4, f1, f1, f2, rdn
        fmadd.s f5, f1, f1, f2, rtz
        li a0, OUT
        fsw f3, 0(a0)
        fsw f4, 4(a0)
        fsw f5, 8(a0)
        tmc x0";
    assert_eq!(run(one_warp(1), text)[..3], [0xbf80_0002, 0xbf80_0003, 0x3f80_0002]);
}

#[test]
fn a_program_that_reads_no_flags_computes_the_same_values() {
    let arithmetic = "
        li t0, 0x3f800001; fmv.w.x f1, t0; li t0, 0x7f800001; fmv.w.x f2, t0; li t0, 0xc0490fdb; fmv.w.x f3, t0
        fmadd.s f4, f1, f3, f3; fdiv.s f5, f3, f1; fsqrt.s f6, f3; fmin.s f7, f2, f1; fcvt.w.s t1, f3; fadd.s f8, f2, f2
        li a0, OUT; fsw f4, 0(a0); fsw f5, 4(a0); fsw f6, 8(a0); fsw f7, 12(a0); sw t1, 16(a0); fsw f8, 20(a0)";
    let quick = run(one_warp(2), &format!("{arithmetic}; tmc x0"));
    let tracked = run(one_warp(2), &format!("{arithmetic}; frflags t0; sw t0, 64(a0); tmc x0"));
    assert_eq!(quick[..6], tracked[..6]);
    assert_eq!(tracked[16] & 0x10, 0x10);
    assert_eq!(quick[2..6], [0x7fc0_0000, 0x3f80_0001, -3i32 as u32, 0x7fc0_0000]);
}

#[test]
fn a_region_is_the_cores_and_a_number_below_32() {
    // Warp 1 marks region 37, of which the low five bits count; warp 0 sees it after warp 1 has ended.
    let text = "
        start_warps 2, work
    work:
        csrr t0, warp_id
        beqz t0, wait
        li t0, 37
        csrw region, t0
        csrwi counter_class, 2
        tmc x0
    wait:
        wspawn x0, x0
        csrr t0, region
        csrr t1, counter_class
        li a0, OUT
        sw t0, 0(a0)
        sw t1, 4(a0)
        tmc x0";
    assert_eq!(run(GpuConfig::vortex(1, 2, 1), text)[..2], [5, 2]);
}

/// Untimed runs count no stalls: the registers exist, read as 0, and ignore writes.
#[test]
fn counters_of_a_class_read_as_zero_when_time_is_not_modelled() {
    let text = "csrwi counter_class, 1; li t0, 7; csrw mpm0, t0; csrr t0, mpm0; csrr t1, mpmh28; li a0, OUT
        sw t0, 0(a0); sw t1, 4(a0); tmc x0";
    assert_eq!(run_untimed(one_warp(1), text).0[..2], [0, 0]);
}
