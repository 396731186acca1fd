//! `warpaint bench machine`: lane-operations per second of the simulator.

use std::num::NonZero;
use std::process::ExitCode;

use demos::report::{self, Provenance};
use gpu_core::benchmark::{self, Kernel};
use gpu_core::config::LARGEST_BUDGET;
use gpu_core::gpu::{EngineChoice, Gpu};
use serde::Serialize;

use crate::cli::bench::arguments::Speed;
use crate::cli::bench::{check_seconds, progress};
use crate::cli::output::emit;

/// One kernel on some host threads.
#[derive(Serialize)]
struct MachineFigure {
    kernel: &'static str,
    host_threads: usize,
    warp_instructions: u64,
    lane_instructions: u64,
    seconds: f64,
    lane_instructions_per_second: Option<f64>,
    nanoseconds_per_warp_instruction: Option<f64>,
    /// Simulated cycles, in timed mode.
    cycles: Option<u64>,
    /// Time that the measuring thread spent on a core of the host, where the host tells it and it was the only one.
    core_seconds: Option<f64>,
    warp_instructions_per_core_second: Option<f64>,
}

#[derive(Serialize)]
struct MachineBody {
    machine: String,
    mode: &'static str,
    engine: String,
    figures: Vec<MachineFigure>,
}

/// Rounds of a kernel in its first, shortest run. A round of the timed kernels is a whole pass over their data.
const FIRST_ROUNDS: u32 = 1000;
const FIRST_TIMED_ROUNDS: u32 = 1;
/// More rounds than any budget of instructions allows are never asked for.
const MOST_ROUNDS: u32 = 1 << 24;

/// Instructions per second of the kernels, on one host thread and on all.
pub fn run(options: &Speed) -> anyhow::Result<ExitCode> {
    check_seconds(options.seconds)?;
    let mode = crate::cli::machine::mode(options.timed);
    let mut chosen = options.machine.choose(if options.timed { "vortex-4w4t" } else { "wide" })?;
    chosen.config.instruction_budget = LARGEST_BUDGET;
    let kernels: &[Kernel] = if options.timed { &Kernel::TIMED } else { &Kernel::ALL };
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    // In time, one core of the machine is one thread's work.
    let is_shared = all > 1 && (!options.timed || chosen.config.cores > 1);
    let threads: Vec<usize> = if is_shared { vec![1, all] } else { vec![1] };
    let bar = progress((kernels.len() * threads.len()) as u64);
    let mut body = MachineBody {
        machine: chosen.name.clone(),
        mode: if options.timed { "timed" } else { "untimed" },
        // Timed runs issue instruction by instruction.
        engine: format!("{:?}", if options.timed { EngineChoice::Plain } else { EngineChoice::fastest() }),
        figures: Vec::new(),
    };
    for &host_threads in &threads {
        for &kernel in kernels {
            bar.set_message(format!("{} on {host_threads} host threads", kernel.name()));
            let mut gpu = Gpu::new(chosen.config)?;
            gpu.set_mode(mode);
            gpu.set_host_threads(NonZero::new(host_threads).expect("one thread or all"))?;
            // Twice as many rounds until a run is long enough to be timed.
            let mut rounds = if options.timed { FIRST_TIMED_ROUNDS } else { FIRST_ROUNDS };
            let measured = loop {
                let measured = benchmark::measure(&mut gpu, &kernel.program(rounds))?;
                if measured.seconds >= options.seconds || rounds >= MOST_ROUNDS {
                    break measured;
                }
                rounds *= 2;
            };
            let core_seconds = measured.core_seconds.filter(|_| host_threads == 1);
            body.figures.push(MachineFigure {
                kernel: kernel.name(),
                host_threads,
                warp_instructions: measured.warp_instructions,
                lane_instructions: measured.lane_instructions,
                seconds: measured.seconds,
                lane_instructions_per_second: measured.lane_instructions_per_second(),
                nanoseconds_per_warp_instruction: measured.nanoseconds_per_warp_instruction(),
                cycles: options.timed.then(|| gpu.cycle()),
                core_seconds,
                warp_instructions_per_core_second: core_seconds
                    .map(|seconds| measured.warp_instructions as f64 / seconds)
                    .filter(|speed| speed.is_finite()),
            });
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if options.json {
        // How many rounds a run has depends on the computer; the code does not.
        let programs: Vec<_> = kernels.iter().map(|kernel| kernel.program(1)).collect();
        let provenance = Provenance::of_machine(chosen.configuration(), &programs);
        emit(report::to_json("bench machine", &provenance, &body))?;
        return Ok(ExitCode::SUCCESS);
    }
    emit(if options.timed { timed_table(&body) } else { untimed_table(&body) })?;
    Ok(ExitCode::SUCCESS)
}

fn untimed_table(body: &MachineBody) -> String {
    let mut text = format!("machine {}, untimed, engine {}\n", body.machine, body.engine);
    text += &format!("{:12} {:>12} {:>16} {:>20}\n", "kernel", "host threads", "G lane-ops/s", "ns/warp-instruction");
    for figure in &body.figures {
        let rate = figure.lane_instructions_per_second.unwrap_or(f64::NAN) / 1e9;
        let time = figure.nanoseconds_per_warp_instruction.unwrap_or(f64::NAN);
        text += &format!("{:12} {:>12} {rate:>16.2} {time:>20.2}\n", figure.kernel, figure.host_threads);
    }
    text
}

fn timed_table(body: &MachineBody) -> String {
    let mut text = format!("machine {}, timed; M/s is millions of warp-instructions per second\n", body.machine);
    text += &format!(
        "{:8} {:>12} {:>12} {:>12} {:>6} {:>8} {:>12}\n",
        "kernel", "host threads", "instructions", "cycles", "IPC", "M/s", "M/CPU second"
    );
    for figure in &body.figures {
        let cycles = figure.cycles.unwrap_or(0);
        let ipc = figure.warp_instructions as f64 / cycles as f64;
        let speed = figure.warp_instructions as f64 / figure.seconds / 1e6;
        let core = figure.warp_instructions_per_core_second;
        let core_speed = core.map_or_else(|| "-".to_owned(), |speed| format!("{:.2}", speed / 1e6));
        let MachineFigure { kernel, host_threads, warp_instructions, .. } = figure;
        text += &format!(
            "{kernel:8} {host_threads:>12} {warp_instructions:>12} {cycles:>12} {ipc:>6.3} {speed:>8.2} {core_speed:>12}\n"
        );
    }
    text
}
