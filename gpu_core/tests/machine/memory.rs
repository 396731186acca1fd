//! Loads and stores: sizes, misaligned accesses, local memory, the I/O page, code.

use crate::support::{OUT, kernel, machine, one_warp, out_words, program, run, run_program, trap_of, trap_of_program};
use gpu_core::config::{GpuConfig, MisalignedPolicy};
use gpu_core::gpu::LaunchError;
use gpu_core::trap::{AccessKind, TrapKind};
use gpu_core::units::{Address, ThreadMask};

#[test]
fn loads_extend_and_stores_cut() {
    let text = "
        li a0, OUT
        li t0, 0x8182f384
        sw t0, 0(a0)
        lb t1, 0(a0); sw t1, 4(a0)
        lbu t1, 0(a0); sw t1, 8(a0)
        lh t1, 0(a0); sw t1, 12(a0)
        lhu t1, 2(a0); sw t1, 16(a0)
        sb t0, 20(a0); sh t0, 26(a0)
        flw f1, 0(a0); fsw f1, 28(a0)
        tmc x0";
    let out = run(one_warp(1), text);
    assert_eq!(out[1..8], [0xffff_ff84, 0x84, 0xffff_f384, 0x8182, 0x84, 0xf384_0000, 0x8182_f384]);
}

/// Case A6 and "Misaligned access: `split` … for ELF, raw and `.s` programs": one lane aligned, the others not.
#[test]
fn misaligned_accesses_are_split_in_bare_programs() {
    let text = "
        all_lanes
        li a0, OUT
        li t0, 0x44332211
        sw t0, 0(a0)
        li t0, 0x88776655
        sw t0, 4(a0)
        csrr t1, thread_id
        add a1, a0, t1
        li t2, 0xdeadbeef
        lw t2, 0(a1)
        lhu t3, 3(a0)
        lane_out a2
        sw t2, 64(a2)
        sw t3, 128(a2)
        # Each lane stores a half at an odd address.
        slli t1, t1, 3
        add a3, a0, t1
        li t4, 0xabcd
        sh t4, 259(a3)
        tmc x0";
    let out = run(one_warp(4), text);
    assert_eq!(out[16..20], [0x4433_2211, 0x5544_3322, 0x6655_4433, 0x7766_5544]);
    assert_eq!(out[32], 0x5544);
    assert_eq!(out[64..68], [0xcd00_0000, 0xab, 0xcd00_0000, 0xab]);
}

/// Case A6 and "`trap` for compiled kernels": rd is untouched in every lane, and the message has lane and address.
#[test]
fn misaligned_accesses_trap_in_kernels_and_touch_no_register() {
    let text = "
        all_lanes
        csrr t1, thread_id
        csrr a0, mscratch
        slli t1, t1, 1
        add a1, a0, t1
        li t2, 0xdeadbeef
        lw t2, 0(a1)
        tmc x0";
    let (trap, gpu) = trap_of_program(one_warp(4), &kernel(text));
    let expected = TrapKind::Misaligned { access: AccessKind::Load, lane: 1, address: Address(OUT.0 + 2), bytes: 4 };
    assert_eq!(trap.kind, expected);
    assert_eq!(trap.lanes, ThreadMask(0b1010));
    assert!(trap.to_string().contains("load of 4 bytes at 0x00010002 (lane 1) is misaligned"), "{trap}");
    assert_eq!(gpu.cores()[0].warps[0].integer(7), [0xdead_beef; 4]);
    // The setting wins over the kind of program.
    let config = GpuConfig { misaligned: MisalignedPolicy::Split, ..one_warp(4) };
    run_program(config, &kernel(text));
    let config = GpuConfig { misaligned: MisalignedPolicy::Trap, ..one_warp(4) };
    trap_of_program(config, &program(text));
}

/// "The trapping instruction takes effect in no lane": not even in the lanes before the one at fault.
#[test]
fn a_store_that_traps_stores_nothing() {
    let text =
        "all_lanes; li a0, OUT; csrr t0, thread_id; slli t1, t0, 10; add a0, a0, t1; li t2, 7; sw t2, 1020(a0); tmc x0";
    let (trap, gpu) = trap_of_program(one_warp(8), &program(text));
    assert!(matches!(trap.kind, TrapKind::OutsideMemory { access: AccessKind::Store, lane: 4, .. }), "{trap}");
    assert_eq!(trap.lanes, ThreadMask(0xf0));
    assert!(out_words(&gpu).iter().all(|&word| word == 0));
}

/// "Exact bounds": the word after the buffer is outside, and so is a word that begins in it.
#[test]
fn bounds_are_exact() {
    run(one_warp(1), "li a0, OUT + 4092; sw a0, 0(a0); tmc x0");
    let trap = trap_of(one_warp(1), "li a0, OUT + 4096; lw t0, 0(a0); tmc x0");
    assert!(trap.to_string().contains("load of 4 bytes at 0x00011000 (lane 0) lies outside every region"), "{trap}");
    let trap = trap_of(one_warp(1), "li a0, OUT + 4094; sw a0, 0(a0); tmc x0");
    assert!(matches!(trap.kind, TrapKind::OutsideMemory { access: AccessKind::Store, .. }), "{trap}");
    trap_of(one_warp(1), "li a0, -2; lw t0, 0(a0); tmc x0");
}

/// A region of 10 bytes has room for two words and a half, whichever lanes ask.
#[test]
fn a_region_may_end_within_a_word() {
    let mut gpu = machine(one_warp(4));
    let odd = gpu.allocate(10, "odd").unwrap();
    let text = |instruction: &str, lanes: u32| {
        format!(
            "all_lanes; li t0, {}; csrr t1, thread_id; slli t1, t1, 2; add a0, t0, t1; li t2, {lanes}; tmc t2; {instruction}; tmc x0",
            odd.0
        )
    };
    gpu.launch(&program(&text("lw t3, 0(a0)", 0b011)), OUT).unwrap();
    gpu.launch(&program(&text("lhu t3, 0(a0)", 0b111)), OUT).unwrap();
    for instruction in ["lw t3, 0(a0)", "sw t3, 0(a0)", "amoadd.w t3, t3, (a0)"] {
        let Err(LaunchError::Trap(trap)) = gpu.launch(&program(&text(instruction, 0b111)), OUT) else {
            panic!("`{instruction}` must trap")
        };
        let address = odd.offset(8);
        assert!(matches!(trap.kind, TrapKind::OutsideMemory { lane: 2, address: at, .. } if at == address), "{trap}");
        assert_eq!(trap.lanes, ThreadMask(0b100));
    }
}

/// "Cores have private … local memory", and a launch begins with zeros in it.
#[test]
fn local_memory_belongs_to_a_core() {
    let text = "
        li a0, 0xffff0000
        csrr t0, core_id
        addi t1, t0, 5
        lw t2, 8(a0)
        sw t1, 8(a0)
        li t3, 0x80000000
        csrr t4, num_cores
        bar t3, t4
        lw t1, 8(a0)
        slli t0, t0, 3
        li a1, OUT
        add a1, a1, t0
        sw t1, 0(a1)
        sw t2, 4(a1)
        tmc x0";
    let mut gpu = machine(GpuConfig::vortex(2, 1, 1));
    for _ in 0..2 {
        gpu.launch(&program(text), OUT).unwrap();
        assert_eq!(out_words(&gpu)[..4], [5, 0, 6, 0]);
    }
    let trap = trap_of(GpuConfig { local_bytes: 64, ..one_warp(1) }, "li a0, 0xffff0040; lw t0, 0(a0); tmc x0");
    assert!(matches!(trap.kind, TrapKind::OutsideMemory { .. }), "{trap}");
}

#[test]
fn local_memory_can_end_the_address_space() {
    let text = "li a0, -4; li t0, 9; sb t0, 3(a0); lw t1, 0(a0); li a1, OUT; sw t1, 0(a1); tmc x0";
    assert_eq!(run(GpuConfig::wide(1, 1, 4), text)[0], 0x0900_0000);
}

/// "The low I/O page (0x40 console, 0x88 exit) exists only for ELF, raw and `.s` programs, so a null pointer traps in
/// kernels."
#[test]
fn the_io_page_is_for_bare_programs() {
    let text = "li a0, 0x40; li t0, 'o'; sb t0, 0(a0); li t0, 'k'; sb t0, 63(a0); li t0, 3; sw t0, 0x48(a0); lw t1, 0x48(a0); tmc x0";
    let (_, report) = run_program(one_warp(1), &program(text));
    assert_eq!(report.console, b"ok");
    assert_eq!((report.exit_status, &report.exit_codes[..]), (3, &[Some(3)][..]));
    let (trap, _) = trap_of_program(one_warp(1), &kernel(text));
    assert!(matches!(trap.kind, TrapKind::OutsideMemory { access: AccessKind::Store, .. }), "{trap}");
    for text in ["lw t0, 0(x0)", "sb x0, 0x40(x0)", "sw x0, 0x88(x0)", "lw t0, 0x90(x0)"] {
        trap_of_program(one_warp(1), &kernel(&format!("{text}; tmc x0")));
    }
    // Address 0 itself lies below the page.
    trap_of(one_warp(1), "lw t0, 0(x0); tmc x0");
}

/// "A fetch sees stores after that core's `fence.i` or a new launch."
#[test]
fn a_fetch_sees_stores_after_fence_i() {
    let text = "
        .section .code, \"awx\"
    _start:
        la a0, patch
        lw t0, replacement
        li t2, 0
        sw t0, 0(a0)
        call patch              # Still the old instruction.
        fence.i
        call patch
        li a1, OUT
        sw t2, 0(a1)
        tmc x0
    patch:
        addi t2, t2, 1
        ret
    replacement:
        addi t2, t2, 100
        ";
    let mut gpu = machine(one_warp(1));
    // A new launch places the program anew: the old instruction is back.
    for _ in 0..2 {
        gpu.launch(&program(text), OUT).unwrap();
        assert_eq!(out_words(&gpu)[0], 101);
    }
}

/// Code may also be made in a buffer: it is fetched from there.
#[test]
fn code_in_a_buffer_runs() {
    let text = "
        li a0, OUT + 256
        lw t0, first
        sw t0, 0(a0)
        lw t0, second
        sw t0, 4(a0)
        fence.i
        li t1, 1
        jalr ra, 0(a0)
        li a1, OUT
        sw t1, 0(a1)
        tmc x0
    first: addi t1, t1, 41
    second: ret";
    assert_eq!(run(one_warp(1), text)[0], 42);
}

#[test]
fn a_store_to_a_read_only_segment_traps() {
    let trap = trap_of(one_warp(1), "la a0, here; here: sw x0, 0(a0); tmc x0");
    assert!(matches!(trap.kind, TrapKind::ReadOnlyMemory { access: AccessKind::Store, lane: 0, .. }), "{trap}");
    assert!(trap.to_string().ends_with("(lane 0) lies in a read-only region"), "{trap}");
}

/// Bare programs have zeroed memory after their last segment, and stacks below 0xffff0000.
#[test]
fn bare_programs_have_memory_and_stacks() {
    let text = "la a0, end; lw t0, 0(a0); sw a0, 0(a0); lui sp, 0xffff0; sw a0, -4(sp); li a1, OUT; sw t0, 4(a1); sw a0, 0(a1); tmc x0; end:";
    assert_eq!(run(one_warp(1), text)[1], 0);
}
