//! Every trap is typed and names core, warp, lanes, pc, disassembly and source line. (Those of one family are tested
//! with it: divergence, barriers, CSRs, memory, progress.)

use crate::support::{kernel, one_warp, program, trap_of, trap_of_program};
use gpu_core::config::GpuConfig;
use gpu_core::isa::table::Extension;
use gpu_core::trap::TrapKind;
use gpu_core::units::{Address, ThreadMask};

#[test]
fn a_trap_names_core_warp_lanes_pc_instruction_and_source_line() {
    let text = "
        start_warps 2, work
        tmc x0
    work:
        csrr t0, core_id
        beqz t0, end
        all_lanes
    here:
        lw t1, 12(x0)
    end:
        tmc x0";
    let program = program(text);
    let (trap, _) = trap_of_program(GpuConfig::vortex(2, 2, 4), &program);
    let pc = program.symbol("here").unwrap();
    let line = program.location(pc).expect("the assembler keeps lines").line;
    assert_eq!((trap.core.0, trap.warp.0, trap.lanes, trap.pc), (1, 1, ThreadMask(0xf), pc));
    let expected = format!(
        "core 1 warp 1 lanes 0xf at {pc} (`lw t1, 12(zero)`, test.s:{line}:9): \
         load of 4 bytes at 0x0000000c (lane 0) lies outside every region"
    );
    assert_eq!(trap.to_string(), expected);
}

#[test]
fn an_illegal_word_traps() {
    let trap = trap_of(one_warp(1), "nop; .word 0xffffffff");
    assert_eq!(trap.kind, TrapKind::IllegalInstruction { word: u32::MAX });
    assert!(trap.to_string().contains("at 0x80000004 (`.word 0xffffffff`"), "{trap}");
    assert!(trap.to_string().ends_with("illegal instruction word 0xffffffff"), "{trap}");
    assert_eq!(trap_of(one_warp(1), ".word 0").kind, TrapKind::IllegalInstruction { word: 0 });
}

#[test]
fn an_instruction_of_an_extension_that_is_missing_traps_by_name() {
    let trap = trap_of(one_warp(1), "clz t0, t1; tmc x0");
    assert_eq!(trap.kind, TrapKind::MissingExtension { extension: Extension::Zbb });
    assert!(trap.to_string().contains("(`clz t0, t1`"), "{trap}");
    assert!(
        trap.to_string().ends_with("the instruction needs extension Zbb, which this machine does not have"),
        "{trap}"
    );
    crate::support::run(GpuConfig::wide(1, 1, 4), "clz t0, t1; tmc x0");
}

#[test]
fn units_to_come_trap() {
    for text in ["om t0, t1, t2", "rast t0"] {
        let trap = trap_of(one_warp(1), text);
        assert_eq!(trap.kind, TrapKind::MissingUnit);
        assert!(trap.to_string().ends_with("this machine has no unit for the instruction"), "{trap}");
    }
}

#[test]
fn leaving_the_program_traps() {
    let trap = trap_of_program(one_warp(1), &kernel("nop")).0;
    assert_eq!((trap.kind, trap.pc), (TrapKind::FetchOutside, Address(0x8000_0004)));
    assert!(trap.to_string().ends_with("fetch outside every region"), "{trap}");
    // A bare program has zeroed memory there, and a zero is no instruction.
    assert_eq!(trap_of(one_warp(1), "nop").kind, TrapKind::IllegalInstruction { word: 0 });
    assert_eq!(trap_of(one_warp(1), "li t0, 0x4000; jr t0").kind, TrapKind::FetchOutside);
}

#[test]
fn a_jump_to_no_multiple_of_4_traps_at_the_jump() {
    let text = "li ra, 7; la t0, here + 2; here: jalr ra, 0(t0)";
    let program = program(text);
    let (trap, gpu) = trap_of_program(one_warp(1), &program);
    let here = program.symbol("here").unwrap();
    assert_eq!((trap.kind, trap.pc), (TrapKind::JumpMisaligned { target: here.offset(2) }, here));
    assert!(trap.to_string().contains("which is no multiple of 4"), "{trap}");
    assert_eq!(gpu.cores()[0].warps[0].integer(1)[0], 7, "the link register is not written");
    let mut odd = program;
    odd.entry = Address(0x8000_0002);
    let (trap, _) = trap_of_program(one_warp(1), &odd);
    assert_eq!(trap.kind, TrapKind::FetchMisaligned);
    assert!(trap.to_string().ends_with("): fetch from an address that is no multiple of 4"), "{trap}");
}

#[test]
fn breakpoints_and_unknown_environment_calls_trap() {
    assert_eq!(trap_of(one_warp(1), "ebreak").kind, TrapKind::Breakpoint);
    let trap = trap_of(one_warp(1), "li a7, 64; ecall");
    assert_eq!(trap.kind, TrapKind::UnknownEnvironmentCall { service: 64 });
    assert!(trap.to_string().ends_with("environment call 64 is not known, only 93 (exit) is"), "{trap}");
    let trap = trap_of_program(one_warp(1), &kernel("li a7, 93; ecall")).0;
    assert_eq!(trap.kind, TrapKind::UnknownEnvironmentCall { service: 93 });
}

/// "Untimed: other cores run on, the lowest core is reported."
#[test]
fn other_cores_run_on_and_the_lowest_core_is_reported() {
    // Core 2 traps at once, core 1 late, core 0 never.
    let text = "
        csrr s0, core_id
        li t0, 2
        beq s0, t0, fail
        li t0, 300000
    delay:
        addi t0, t0, -1
        bnez t0, delay
        slli t1, s0, 2
        li a0, OUT
        add a0, a0, t1
        li t0, 9
        sw t0, 0(a0)
        beqz s0, end
    fail:
        ebreak
    end:
        tmc x0";
    let (trap, gpu) = trap_of_program(GpuConfig::vortex(3, 1, 1), &program(text));
    assert_eq!((trap.core.0, trap.kind), (1, TrapKind::Breakpoint));
    assert_eq!(crate::support::out_words(&gpu)[..3], [9, 9, 0]);
}
