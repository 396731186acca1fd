//! Host time of timed runs: `cargo bench -p gpu_core --bench timed [-- MACHINE ROUNDS HOST_THREADS]`.
//!
//! Prints, for each kernel of timed runs, cycles, instructions a cycle, and millions of warp-instructions per second of host time and,
//! where the host tells it, of time that the first host thread spent on a host core.

use gpu_core::benchmark::{Kernel, measure};
use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, Mode};
use std::num::NonZeroUsize;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let machines = match given.first() {
        Some(name) => vec![name.as_str()],
        None => vec!["vortex-4w4t", "vortex-1c16w32t", "vortex-4c4w4t"],
    };
    let number = |place: usize, default: usize| {
        given.get(place).map_or(default, |text| text.parse().expect("rounds and host threads are numbers"))
    };
    println!(
        "{:16} {:8} {:>12} {:>12} {:>6} {:>10}",
        "machine", "kernel", "instructions", "cycles", "IPC", "M instr/s"
    );
    for machine in machines {
        for kernel in Kernel::TIMED {
            let config = GpuConfig::from_name(machine).expect("the machine exists");
            let mut gpu = Gpu::new(config).expect("the configuration is valid");
            gpu.set_mode(Mode::Timed);
            gpu.set_host_threads(NonZeroUsize::new(number(2, 1)).expect("a thread at least")).expect("threads start");
            let program = kernel.program(number(1, 4) as u32);
            let measured = measure(&mut gpu, &program).expect("the kernel runs");
            let cycles = gpu.cycle();
            let (instructions, seconds) = (measured.warp_instructions as f64, measured.seconds);
            let (ipc, speed) = (instructions / cycles as f64, instructions / seconds / 1e6);
            let core_speed = instructions / measured.core_seconds.unwrap_or(f64::NAN) / 1e6;
            println!(
                "{machine:16} {:8} {instructions:>12} {cycles:>12} {ipc:>6.3} {speed:>10.2} {core_speed:>14.2}",
                kernel.name()
            );
        }
    }
}
