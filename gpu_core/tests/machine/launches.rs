//! How a launch begins and ends.

use crate::support::{OUT, kernel, machine, one_warp, out_words, program, run, run_program};
use gpu_core::config::GpuConfig;
use gpu_core::gpu::{LaunchError, RunState};
use gpu_core::program::{CODE_BASE, Program, ProgramKind, Segment};
use gpu_core::units::{Address, CoreId, WarpId};

/// "Each core starts warp 0, lane 0, at the entry, `mscratch` = argument block, everything else zero."
#[test]
fn each_core_starts_one_lane_with_the_argument_in_mscratch() {
    let text = "
        csrr a0, mscratch
        csrr t0, core_id
        slli t1, t0, 4
        add a0, a0, t1
        csrr t2, active_threads; sw t2, 0(a0)
        csrr t2, active_warps; sw t2, 4(a0)
        csrr t2, fcsr; sw t2, 8(a0)
        or t3, s0, s1; or t3, t3, sp; or t3, t3, ra
        sw t3, 12(a0)
        li s0, -1
        li sp, -1
        tmc x0";
    let mut gpu = machine(GpuConfig::vortex(3, 2, 4));
    for _ in 0..2 {
        gpu.launch(&program(text), OUT).unwrap();
        assert_eq!(out_words(&gpu)[..12], [1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0]);
    }
}

/// The prologue of compiled kernels: "`wspawn`, then `tmc` all lanes, *then* loads its arguments".
#[test]
fn the_compiled_prologue_reaches_every_lane_once() {
    let text = "
        la t0, prologue
        csrr t1, num_warps
        wspawn t1, t0
    prologue:
        li t0, -1
        tmc t0
        csrr a0, mscratch
        csrr t0, mhartid
        slli t0, t0, 2
        add a0, a0, t0
        li t1, 1
        amoadd.w x0, t1, (a0)
        tmc x0";
    for config in [GpuConfig::vortex(2, 4, 4), GpuConfig::vortex(1, 1, 1), GpuConfig::vortex(3, 8, 32)] {
        let threads = (config.cores * config.warps * config.lanes) as usize;
        let (out, _) = run_program(config, &kernel(text));
        assert!(out[..threads].iter().all(|&word| word == 1) && out[threads..].iter().all(|&word| word == 0));
    }
}

/// Case A11: one lane and 32 lanes, one warp and 32 warps give the same results.
#[test]
fn any_shape_gives_the_same_results() {
    let text = "
        csrr t1, num_warps
        la t0, work
        wspawn t1, t0
    work:
        all_lanes
        csrr s0, num_threads
        csrr s1, num_warps
        mul s0, s0, s1
        csrr t0, mhartid
        csrr s1, active_threads
        li s2, 100
        sltu t1, t0, s2
        pred t1, s1
        beqz t1, end
    loop:
        mul t2, t0, t0
        slli t3, t0, 2
        li a0, OUT
        add a0, a0, t3
        sw t2, 0(a0)
        add t0, t0, s0
        sltu t1, t0, s2
        pred t1, s1
        bnez t1, loop
    end:
        tmc x0";
    for lanes in [1, 2, 4, 32] {
        for warps in [1, 2, 32] {
            let out = run(GpuConfig::vortex(1, warps, lanes), text);
            let expected: Vec<u32> = (0..100).map(|n| n * n).chain(std::iter::repeat_n(0, 924)).collect();
            assert_eq!(out, expected, "{warps} warps of {lanes} lanes");
        }
    }
}

/// "A program's exit status is min(code, 255), and never 0 for a failure."
#[test]
fn the_exit_status_is_at_most_255_and_never_0_for_a_failure() {
    for (code, status) in [(0u32, 0), (1, 1), (255, 255), (256, 255), (0x8000_0000, 255), (u32::MAX, 255)] {
        let (_, report) = run_program(one_warp(1), &program(&format!("li a0, {code}; sw a0, 0x88(x0); fence; tmc x0")));
        assert_eq!((report.exit_status, report.exit_codes), (status, vec![Some(code)]), "code {code}");
        let (_, report) = run_program(one_warp(4), &program(&format!("li a0, {code}; li a7, 93; ecall; j .")));
        assert_eq!(report.exit_status, status, "code {code} by ecall");
    }
    let (_, report) = run_program(one_warp(1), &program("tmc x0"));
    assert_eq!((report.exit_status, report.exit_codes), (0, vec![None]));
}

#[test]
fn the_lowest_core_that_failed_gives_the_exit_status() {
    let text = "csrr t0, core_id; slli t1, t0, 1; sw t1, 0x88(x0); tmc x0";
    let (_, report) = run_program(GpuConfig::vortex(3, 1, 1), &program(text));
    assert_eq!((report.exit_status, report.exit_codes), (2, vec![Some(0), Some(2), Some(4)]));
}

/// The convention of riscv-tests: a store to `tohost` ends the program, wherever its warps are.
#[test]
fn a_store_to_tohost_ends_the_program() {
    let text = "li t0, 7; la t1, tohost; sw t0, 0(t1); j .; .data; .align 6; tohost: .word 0, 0";
    let (_, report) = run_program(one_warp(1), &program(text));
    assert_eq!(report.exit_status, 3);
    let (_, report) = run_program(one_warp(1), &program(&text.replace("li t0, 7", "li t0, 1")));
    assert_eq!((report.exit_status, report.exit_codes), (0, vec![Some(0)]));
}

#[test]
fn segments_stay_until_the_next_launch_and_start_afresh_with_it() {
    let text = "la a0, counter; lw t0, 0(a0); addi t0, t0, 1; sw t0, 0(a0); tmc x0; .data; counter: .word 5";
    let program = program(text);
    let counter = program.symbol("counter").unwrap();
    let mut gpu = machine(one_warp(1));
    for _ in 0..2 {
        gpu.launch(&program, OUT).unwrap();
        assert_eq!(gpu.read_back(counter, 4).unwrap(), [6, 0, 0, 0]);
    }
    gpu.launch(&crate::support::program("tmc x0"), OUT).unwrap();
}

#[test]
fn a_program_that_does_not_fit_is_refused_by_name() {
    let segment = |address, size_bytes| Segment {
        name: ".text".to_owned(),
        address: Address(address),
        bytes: Vec::new(),
        size_bytes,
        is_writable: false,
        is_executable: true,
    };
    let program = |segments| Program {
        kind: ProgramKind::Bare,
        entry: CODE_BASE,
        segments,
        symbols: Vec::new(),
        lines: Vec::new(),
        files: Vec::new(),
    };
    let mut gpu = machine(one_warp(1));
    let refused = gpu.launch(&program(vec![segment(0x8000_0000, 4), segment(0x1_0800, 4)]), OUT).unwrap_err();
    let cause = std::error::Error::source(&refused).expect("it says why").to_string();
    assert!(cause.contains("overlaps region `out` at 0x00010000"), "{cause}");
    let refused = gpu.launch(&program(vec![segment(0xffff_0000, 4)]), OUT).unwrap_err();
    assert!(matches!(refused, LaunchError::LocalMemory { .. }));
    assert_eq!(refused.to_string(), "segment `.text` at 0xffff0000 lies where each core has its local memory");
    // The first segment of the refused program is not in the way.
    gpu.launch(&crate::support::program("tmc x0"), OUT).unwrap();
}

#[test]
fn allocation_is_zeroed_aligned_and_given_back() {
    let mut gpu = machine(one_warp(1));
    let a = gpu.allocate(10, "a").unwrap();
    let b = gpu.allocate(100, "b").unwrap();
    assert!(a.0.is_multiple_of(64) && b.0.is_multiple_of(64) && b.0 >= a.0 + 10);
    gpu.upload(a, &[7; 10]).unwrap();
    gpu.free(a).unwrap();
    assert!(gpu.free(a).is_err());
    assert_eq!(gpu.allocate(10, "c").unwrap(), a);
    assert_eq!(gpu.read_back(a, 10).unwrap(), [0; 10]);
    let message = gpu.allocate(0x8000_0000, "huge").unwrap_err().to_string();
    assert!(message.starts_with("no room for region `huge` of 2147483648 bytes: "), "{message}");
    assert!(gpu.read_back(b, u32::MAX).is_err());
}

/// A large region costs what is used of it: 2 GiB less what is taken, on any host.
#[test]
fn regions_are_lazy() {
    let mut gpu = machine(one_warp(1));
    let start = gpu.allocate(0x7000_0000, "huge").unwrap();
    gpu.upload(start.offset(0x6fff_fff0), &[1; 16]).unwrap();
    assert_eq!(gpu.read_back(start.offset(0x6fff_ffef), 2).unwrap(), [0, 1]);
}

#[test]
fn a_launch_can_pause_and_resume() {
    let text = "li a0, OUT; li t0, 1000; loop: addi t1, t1, 3; sw t1, 0(a0); addi t0, t0, -1; bnez t0, loop; tmc x0";
    let program = program(text);
    let mut gpu = machine(GpuConfig::vortex(2, 1, 1));
    gpu.start(&program, OUT).unwrap();
    assert_eq!(gpu.resume(100).unwrap(), RunState::Paused);
    assert_eq!(gpu.report().warp_instructions, 200);
    let mut copy = gpu.clone();
    assert_eq!(gpu.resume(u64::MAX).unwrap(), RunState::Ended);
    while copy.resume(77).unwrap() == RunState::Paused {}
    assert_eq!(out_words(&gpu)[0], 3000);
    assert_eq!(out_words(&copy), out_words(&gpu));
    assert_eq!(copy.report(), gpu.report());
}

#[test]
fn an_observer_sees_every_instruction() {
    let text = "all_lanes; lane_out a0; sw a0, 0(a0); amoadd.w x0, x0, (a0); fence; tmc x0";
    for cores in [1, 2] {
        let mut seen = Vec::new();
        let mut gpu = machine(GpuConfig::vortex(cores, 1, 2));
        let mut observer = |core: CoreId, warp: WarpId, retired: &gpu_core::semantics::Retired| {
            seen.push((core.0, warp.0, retired.pc, retired.instruction.op, retired.mask, retired.access.addresses[1]));
        };
        let report = gpu.launch_observed(&program(text), OUT, &mut observer).unwrap();
        assert_eq!(seen.len() as u64, report.warp_instructions);
        let store = seen.iter().find(|entry| entry.3 == gpu_core::isa::Op::Sw).unwrap();
        assert_eq!((store.4.0, store.5), (0b11, OUT.0 + 4));
        assert_eq!(seen.iter().filter(|entry| entry.3 == gpu_core::isa::Op::AmoAdd).count() as u32, cores);
    }
}
