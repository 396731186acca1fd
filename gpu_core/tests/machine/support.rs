//! Assembles a program, runs it, and gives what it stored or the trap it ended in.

use gpu_core::config::GpuConfig;
use gpu_core::counters::Law;
use gpu_core::gpu::{EngineChoice, Gpu, LaunchError, LaunchReport, Mode};
use gpu_core::isa::assemble;
use gpu_core::program::{Program, ProgramKind};
use gpu_core::trap::{Trap, TrapKind};
use gpu_core::units::Address;

/// Where the output buffer lies; the first region that is allocated.
pub const OUT: Address = Address(0x1_0000);
/// Its length.
pub const OUT_BYTES: u32 = 4096;

/// What every program can use.
const PRELUDE: &str = "
.equ OUT, 0x10000
.macro all_lanes            # clobbers t6
    li t6, -1
    tmc t6
.endm
.macro lane_out register    # register = OUT + 4 * lane; clobbers t6
    csrr t6, thread_id
    slli t6, t6, 2
    li \\register, OUT
    add \\register, \\register, t6
.endm
.macro only_lane number     # clobbers t6
    li t6, 1 << \\number
    tmc t6
.endm
.macro start_warps count, target   # clobbers t5, t6
    li t6, \\count
    la t5, \\target
    wspawn t6, t5
.endm
";

/// One core, one warp, this many lanes.
pub fn one_warp(lanes: u32) -> GpuConfig {
    GpuConfig::vortex(1, 1, lanes)
}

#[track_caller]
pub fn program(text: &str) -> Program {
    // Line numbers in traps are those of the text.
    let text = format!("{} {text}", PRELUDE);
    assemble("test.s", &text).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
pub fn kernel(text: &str) -> Program {
    Program { kind: ProgramKind::Kernel, ..program(text) }
}

/// A machine with the output buffer.
#[track_caller]
pub fn machine(config: GpuConfig) -> Gpu {
    let mut gpu = Gpu::new(config).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(gpu.allocate(OUT_BYTES, "out"), Ok(OUT));
    gpu
}

pub fn out_words(gpu: &Gpu) -> Vec<u32> {
    let bytes = gpu.read_back(OUT, OUT_BYTES).expect("the output buffer stays");
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// Launches on the machine's fastest engine and on the plain one, which must agree on all that can be seen.
#[track_caller]
fn launch_on_both(config: GpuConfig, program: &Program) -> (Gpu, Result<LaunchReport, LaunchError>) {
    let mut plain = machine(config);
    plain.set_engine(EngineChoice::Plain);
    let plain_result = plain.launch(program, OUT);
    let mut gpu = machine(config);
    let result = gpu.launch(program, OUT);
    assert_eq!(format!("{result:?}"), format!("{plain_result:?}"), "the engines disagree");
    assert_eq!(out_words(&gpu), out_words(&plain), "the engines disagree");
    assert!(gpu.cores() == plain.cores(), "the engines disagree");
    assert_eq!(gpu.report(), plain.report(), "the engines disagree");
    (gpu, result)
}

/// The same, and in timed mode.
#[track_caller]
fn launch_on_all(config: GpuConfig, program: &Program) -> (Gpu, Result<LaunchReport, LaunchError>) {
    let (gpu, result) = launch_on_both(config, program);
    check_timed(config, program, &gpu, &result);
    (gpu, result)
}

/// Launches in timed mode as well, which must agree on all that a program leaves but for counters.
#[track_caller]
fn check_timed(
    config: GpuConfig,
    program: &Program,
    untimed: &Gpu,
    untimed_result: &Result<LaunchReport, LaunchError>,
) {
    let mut gpu = machine(config);
    gpu.set_mode(Mode::Timed);
    let result = gpu.launch(program, OUT);
    match (&result, untimed_result) {
        (Ok(report), Ok(untimed_report)) => {
            assert_eq!(report.exit_codes, untimed_report.exit_codes, "timed mode disagrees");
            assert_eq!(report.console, untimed_report.console, "timed mode disagrees");
        }
        // Of several traps, the first in time is reported, and not that of the lowest core.
        (Err(error), Err(untimed_error)) if config.cores > 1 => {
            let (LaunchError::Trap(trap), LaunchError::Trap(untimed)) = (error, untimed_error) else {
                panic!("{error} and {untimed_error}")
            };
            assert_eq!(std::mem::discriminant(&trap.kind), std::mem::discriminant(&untimed.kind), "{trap} {untimed}");
        }
        // How far it had come when the watchdog saw it differs.
        (Err(LaunchError::Trap(trap)), Err(LaunchError::Trap(untimed)))
            if matches!(trap.kind, TrapKind::NoProgress { .. }) =>
        {
            assert!(matches!(untimed.kind, TrapKind::NoProgress { .. }), "{untimed}");
        }
        (Err(error), Err(untimed_error)) => {
            assert_eq!(error.to_string(), untimed_error.to_string(), "timed mode disagrees")
        }
        _ => panic!("timed mode disagrees: {result:?}, {untimed_result:?}"),
    }
    if result.is_ok() || config.cores == 1 {
        assert_eq!(out_words(&gpu), out_words(untimed), "timed mode disagrees");
    }
    if result.is_ok() {
        for (core, untimed) in gpu.cores().iter().zip(untimed.cores()) {
            assert!(core.warps == untimed.warps, "timed mode disagrees");
            assert_eq!(core.local, untimed.local, "timed mode disagrees");
        }
    }
    let report = gpu.report().timed.expect("it was launched in timed mode");
    // Laws of accesses hold when none is under way.
    let is_whole = |law| result.is_ok() || matches!(law, Law::Issue | Law::Units);
    let breaches: Vec<_> = report.counters.breaches().into_iter().filter(|breach| is_whole(breach.law)).collect();
    assert_eq!(breaches, []);
}

/// Runs a program to its end; gives the words of the output buffer and the report.
#[track_caller]
pub fn run_program(config: GpuConfig, program: &Program) -> (Vec<u32>, LaunchReport) {
    let (gpu, result) = launch_on_all(config, program);
    (out_words(&gpu), result.unwrap_or_else(|error| panic!("{error}")))
}

/// Runs a text that may see time or the order of atomics, in untimed mode alone; gives the words of the output buffer.
#[track_caller]
pub fn run_untimed(config: GpuConfig, text: &str) -> (Vec<u32>, LaunchReport) {
    let (gpu, result) = launch_on_both(config, &program(text));
    (out_words(&gpu), result.unwrap_or_else(|error| panic!("{error}")))
}

/// Runs a text to its end; gives the words of the output buffer.
#[track_caller]
pub fn run(config: GpuConfig, text: &str) -> Vec<u32> {
    run_program(config, &program(text)).0
}

/// Runs a program that must trap.
#[track_caller]
pub fn trap_of_program(config: GpuConfig, program: &Program) -> (Trap, Gpu) {
    let (gpu, result) = launch_on_all(config, program);
    match result {
        Err(LaunchError::Trap(trap)) => (*trap, gpu),
        other => panic!("it must trap, not {other:?}"),
    }
}

/// Runs a text that must trap.
#[track_caller]
pub fn trap_of(config: GpuConfig, text: &str) -> Trap {
    trap_of_program(config, &program(text)).0
}
