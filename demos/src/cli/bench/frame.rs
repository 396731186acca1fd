//! `warpaint bench frame`: frames per second of the scenes.

use std::process::ExitCode;

use demos::report::{self, Counted, Provenance};
use demos::scenes::{SCENES, SceneInfo, View};
use raster::{Backend, Device};
use serde::Serialize;

use crate::cli::bench::arguments::Frame;
use crate::cli::bench::host_time::{self, HostTime, Measured};
use crate::cli::bench::{check_seconds, progress};
use crate::cli::machine::{counted, mode};
use crate::cli::output::emit;
use crate::cli::picture;

/// One scene at one filter.
#[derive(Serialize)]
struct FrameFigure {
    scene: &'static str,
    filter: &'static str,
    triangles: usize,
    frames: u32,
    seconds: f64,
    frames_per_second: f64,
    host_time: HostTime,
    /// Of the last frame.
    warp_instructions: u64,
    /// Of the last frame, made by WGSL shaders, and what of the instructions was spent on them.
    vertices: u64,
    vertex_warp_instructions: u64,
    /// Of the last frame, in timed mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    timed: Option<Counted>,
}

#[derive(Serialize)]
struct FrameBody {
    machine: String,
    width: u32,
    height: u32,
    figures: Vec<FrameFigure>,
}

/// Frames per second of every scene, or of the one asked for, at every filter, host stages and read-back included.
pub fn run(options: &Frame) -> anyhow::Result<ExitCode> {
    check_seconds(options.seconds)?;
    let scenes: Vec<&SceneInfo> = match &options.scene {
        Some(name) => vec![picture::named(name)?],
        None => SCENES.iter().collect(),
    };
    let chosen = options.machine.choose("wide")?;
    let mut device = picture::device(&chosen)?;
    device.gpu_mut().set_mode(mode(options.timed));
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
            let triangles = scene.frame(&view).triangle_count();
            let draw = |device: &mut Device| {
                device.render(&scene.frame(&view))?;
                view.time += 1.0 / 60.0;
                Ok(())
            };
            let Measured { frames, seconds, host_time, .. } = host_time::measure(&mut device, options.seconds, draw)?;
            figures.push(FrameFigure {
                scene: info.name,
                filter: filter.name(),
                triangles,
                frames,
                seconds,
                frames_per_second: f64::from(frames) / seconds,
                host_time,
                warp_instructions: device.report().warp_instructions,
                vertices: device.report().vertices,
                vertex_warp_instructions: device.report().vertex_work.warp_instructions,
                timed: counted(device.report().timed.as_ref(), device.gpu().config()),
            });
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let body =
        FrameBody { machine: chosen.name.clone(), width: options.size.width, height: options.size.height, figures };
    if options.json {
        let provenance = Provenance::of_machine(chosen.configuration(), device.programs());
        emit(report::to_json("bench frame", &provenance, &body))?;
        return Ok(ExitCode::SUCCESS);
    }
    let kind = if options.timed { "timed" } else { "untimed" };
    let mut text = format!("machine {}, {} x {}, {kind}\n", body.machine, body.width, body.height);
    text +=
        &format!("{:10} {:10} {:>10} {:>9} {:>23}", "scene", "filter", "primitives", "frames/s", "M warp-instructions");
    text += HostTime::HEADING;
    text += if options.timed { "         cycles\n" } else { "\n" };
    for figure in &body.figures {
        let millions = figure.warp_instructions as f64 / 1e6;
        let FrameFigure { scene, filter, triangles, frames_per_second, timed, host_time, .. } = figure;
        text += &format!(
            "{scene:10} {filter:10} {triangles:>10} {frames_per_second:>9.1} {millions:>23.2}{}",
            host_time.row()
        );
        text += &timed.as_ref().map_or("\n".to_owned(), |timed| format!(" {:>14}\n", timed.cycles()));
    }
    text += host_time::LEGEND;
    emit(text)?;
    Ok(ExitCode::SUCCESS)
}
