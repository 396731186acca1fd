//! `warpaint bench`: how fast this computer simulates.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::ensure;
use demos::report;
use demos::scenes::{SCENES, View};
use indicatif::{ProgressBar, ProgressStyle};
use raster::Backend;
use serde::Serialize;

use crate::cli::arguments::{self, BenchName};
use crate::cli::picture;

/// Shortest and longest time a figure may be measured, in seconds.
const SECONDS_RANGE: std::ops::RangeInclusive<f64> = 0.01..=600.0;

/// Measures and prints.
pub fn run(options: &arguments::Bench) -> anyhow::Result<ExitCode> {
    ensure!(SECONDS_RANGE.contains(&options.seconds), "--seconds {} is out of range: 0.01 to 600", options.seconds);
    match options.what {
        BenchName::Machine => anyhow::bail!("not yet"),
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

/// One scene at one filter.
#[derive(Serialize)]
struct FrameFigure {
    scene: &'static str,
    filter: &'static str,
    triangles: usize,
    frames: u32,
    seconds: f64,
    frames_per_second: f64,
}

#[derive(Serialize)]
struct FrameBody {
    machine: String,
    width: u32,
    height: u32,
    figures: Vec<FrameFigure>,
}

/// Frames per second of every scene at every filter, host stages and read-back included.
fn frame(options: &arguments::Bench) -> anyhow::Result<ExitCode> {
    let mut device = picture::device(&options.machine)?;
    let filters = demos::scenes::Filter::ALL;
    let bar = progress((SCENES.len() * filters.len()) as u64);
    let mut figures = Vec::new();
    for info in SCENES {
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
            });
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let body =
        FrameBody { machine: options.machine.clone(), width: options.size.width, height: options.size.height, figures };
    if options.json {
        print!("{}", report::to_json("bench frame", &body));
        return Ok(ExitCode::SUCCESS);
    }
    println!("machine {}, {} x {}, untimed", body.machine, body.width, body.height);
    println!("{:10} {:10} {:>9} {:>9}", "scene", "filter", "triangles", "frames/s");
    for figure in &body.figures {
        println!("{:10} {:10} {:>9} {:>9.1}", figure.scene, figure.filter, figure.triangles, figure.frames_per_second);
    }
    Ok(ExitCode::SUCCESS)
}
