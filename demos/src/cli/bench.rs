//! `warpaint bench`: how fast this computer simulates.

use std::num::NonZero;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::ensure;
use demos::report;
use demos::scenes::{SCENES, SceneInfo, View};
use gpu_core::benchmark::{self, Kernel};
use gpu_core::config::{GpuConfig, LARGEST_BUDGET};
use gpu_core::gpu::{EngineChoice, Gpu};
use indicatif::{ProgressBar, ProgressStyle};
use raster::Backend;
use serde::Serialize;

use crate::cli::arguments::{self, BenchName};
use crate::cli::output::emit;
use crate::cli::picture;

/// Shortest and longest time a figure may be measured, in seconds.
const SECONDS_RANGE: std::ops::RangeInclusive<f64> = 0.01..=600.0;

/// Measures and prints.
pub fn run(options: &arguments::Bench) -> anyhow::Result<ExitCode> {
    ensure!(SECONDS_RANGE.contains(&options.seconds), "--seconds {} is out of range: 0.01 to 600", options.seconds);
    match options.what {
        BenchName::Machine => machine(options),
        BenchName::Frame => frame(options),
    }
}

/// A bar on standard error, `steps` long; nothing where that is no terminal.
fn progress(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}").expect("the template is well formed");
    bar.set_style(style);
    bar
}

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
fn machine(options: &arguments::Bench) -> anyhow::Result<ExitCode> {
    ensure!(options.scene.is_none(), "--scene is for `bench frame`; `bench machine` draws nothing");
    let mut config = GpuConfig::from_name(&options.machine)?;
    config.instruction_budget = LARGEST_BUDGET;
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads: Vec<usize> = if all > 1 { vec![1, all] } else { vec![1] };
    let bar = progress((Kernel::ALL.len() * threads.len()) as u64);
    let mut body = MachineBody {
        machine: options.machine.clone(),
        engine: format!("{:?}", EngineChoice::fastest()),
        figures: Vec::new(),
    };
    for &host_threads in &threads {
        for kernel in Kernel::ALL {
            bar.set_message(format!("{} on {host_threads} host threads", kernel.name()));
            let mut gpu = Gpu::new(config)?;
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
        emit(report::to_json("bench machine", &body))?;
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

/// One scene at one filter.
#[derive(Serialize)]
struct FrameFigure {
    scene: &'static str,
    filter: &'static str,
    triangles: usize,
    frames: u32,
    seconds: f64,
    frames_per_second: f64,
    /// Of the last frame.
    warp_instructions: u64,
}

#[derive(Serialize)]
struct FrameBody {
    machine: String,
    width: u32,
    height: u32,
    figures: Vec<FrameFigure>,
}

/// Frames per second of every scene, or of the one asked for, at every filter, host stages and read-back included.
fn frame(options: &arguments::Bench) -> anyhow::Result<ExitCode> {
    let scenes: Vec<&SceneInfo> = match &options.scene {
        Some(name) => vec![picture::named(name)?],
        None => SCENES.iter().collect(),
    };
    let mut device = picture::device(&options.machine)?;
    let filters = demos::scenes::Filter::ALL;
    let bar = progress((scenes.len() * filters.len()) as u64);
    let mut figures = Vec::new();
    for info in scenes {
        let scene = (info.make)(None)?;
        for filter in filters {
            bar.set_message(format!("{} {}", info.name, filter.name()));
            let mut view = View {
                width: options.size.width,
                height: options.size.height,
                time: 0.0,
                filter,
                camera: scene.camera(),
            };
            // The first frame compiles the kernel and uploads textures.
            let triangles = {
                let first = scene.frame(&view);
                device.render(&first)?;
                first.triangle_count()
            };
            let (start, mut frames) = (Instant::now(), 0);
            while start.elapsed().as_secs_f64() < options.seconds {
                view.time += 1.0 / 60.0;
                device.render(&scene.frame(&view))?;
                frames += 1;
            }
            let seconds = start.elapsed().as_secs_f64();
            figures.push(FrameFigure {
                scene: info.name,
                filter: filter.name(),
                triangles,
                frames,
                seconds,
                frames_per_second: f64::from(frames) / seconds,
                warp_instructions: device.report().warp_instructions,
            });
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let body =
        FrameBody { machine: options.machine.clone(), width: options.size.width, height: options.size.height, figures };
    if options.json {
        emit(report::to_json("bench frame", &body))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("machine {}, {} x {}, untimed\n", body.machine, body.width, body.height);
    text +=
        &format!("{:10} {:10} {:>9} {:>9} {:>23}\n", "scene", "filter", "triangles", "frames/s", "M warp-instructions");
    for figure in &body.figures {
        let millions = figure.warp_instructions as f64 / 1e6;
        let FrameFigure { scene, filter, triangles, frames_per_second, .. } = figure;
        text += &format!("{scene:10} {filter:10} {triangles:>9} {frames_per_second:>9.1} {millions:>23.2}\n");
    }
    emit(text)?;
    Ok(ExitCode::SUCCESS)
}
