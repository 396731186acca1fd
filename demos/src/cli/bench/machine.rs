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
}

#[derive(Serialize)]
struct MachineBody {
    machine: String,
    engine: String,
    figures: Vec<MachineFigure>,
}

/// Rounds of a kernel in its first, shortest run.
const FIRST_ROUNDS: u32 = 1000;
/// More rounds than any budget of instructions allows are never asked for.
const MOST_ROUNDS: u32 = 1 << 24;

/// Lane-instructions per second of the three kernels, on one host thread and on all.
pub fn run(options: &Speed) -> anyhow::Result<ExitCode> {
    check_seconds(options.seconds)?;
    let mut chosen = options.machine.choose("wide")?;
    chosen.config.instruction_budget = LARGEST_BUDGET;
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads: Vec<usize> = if all > 1 { vec![1, all] } else { vec![1] };
    let bar = progress((Kernel::ALL.len() * threads.len()) as u64);
    let mut body = MachineBody {
        machine: chosen.name.clone(),
        engine: format!("{:?}", EngineChoice::fastest()),
        figures: Vec::new(),
    };
    for &host_threads in &threads {
        for kernel in Kernel::ALL {
            bar.set_message(format!("{} on {host_threads} host threads", kernel.name()));
            let mut gpu = Gpu::new(chosen.config)?;
            gpu.set_host_threads(NonZero::new(host_threads).expect("one thread or all"))?;
            // Twice as many rounds until a run is long enough to be timed.
            let mut rounds = FIRST_ROUNDS;
            let measured = loop {
                let measured = benchmark::measure(&mut gpu, &kernel.program(rounds))?;
                if measured.seconds >= options.seconds || rounds >= MOST_ROUNDS {
                    break measured;
                }
                rounds *= 2;
            };
            body.figures.push(MachineFigure {
                kernel: kernel.name(),
                host_threads,
                warp_instructions: measured.warp_instructions,
                lane_instructions: measured.lane_instructions,
                seconds: measured.seconds,
                lane_instructions_per_second: measured.lane_instructions_per_second(),
                nanoseconds_per_warp_instruction: measured.nanoseconds_per_warp_instruction(),
            });
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if options.json {
        // How many rounds a run has depends on the computer; the code does not.
        let programs = Kernel::ALL.map(|kernel| kernel.program(1));
        let provenance = Provenance::of_machine(chosen.configuration(), &programs);
        emit(report::to_json("bench machine", &provenance, &body))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("machine {}, untimed, engine {}\n", body.machine, body.engine);
    text += &format!("{:12} {:>12} {:>16} {:>20}\n", "kernel", "host threads", "G lane-ops/s", "ns/warp-instruction");
    for figure in &body.figures {
        let rate = figure.lane_instructions_per_second.unwrap_or(f64::NAN) / 1e9;
        let time = figure.nanoseconds_per_warp_instruction.unwrap_or(f64::NAN);
        text += &format!("{:12} {:>12} {rate:>16.2} {time:>20.2}\n", figure.kernel, figure.host_threads);
    }
    emit(text)?;
    Ok(ExitCode::SUCCESS)
}
