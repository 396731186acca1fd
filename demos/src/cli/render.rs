//! `warpaint render`: one picture to a PNG file.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::ensure;
use demos::inspect::heat::{self, HeatMap, ShadedTotals, SlotCycles, Summary};
use demos::load::write_png;
use demos::report::{self, Counted, Provenance};
use indicatif::{ProgressBar, ProgressStyle};
use raster::{Backend, Reference};
use serde::Serialize;

use crate::cli::arguments::BackendName;
use crate::cli::machine::counted;
use crate::cli::output::{emit, remark};
use crate::cli::{arguments, picture};

/// The machine-readable outcome.
#[derive(Serialize)]
struct Body {
    scene: String,
    machine: String,
    backend: String,
    filter: &'static str,
    width: u32,
    height: u32,
    time_seconds: f32,
    triangles: usize,
    out: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    heatmap: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<Frame>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timed: Option<Counted>,
    /// Why the picture was not drawn to its end, if it was not; figures are those up to there.
    #[serde(skip_serializing_if = "Option::is_none")]
    trap: Option<String>,
}

/// What the picture took on the machine.
#[derive(Serialize)]
struct Frame {
    /// Made by WGSL vertex shaders.
    vertices: u64,
    /// What of the launches and instructions was spent on them.
    vertex_launches: u64,
    vertex_warp_instructions: u64,
    vertex_lane_instructions: u64,
    /// In timed mode, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    vertex_cycles: Option<u64>,
    triangles: u64,
    entries: u64,
    tiles: u64,
    launches: u64,
    warp_instructions: u64,
    lane_instructions: u64,
}

/// A turning sign on standard error while a picture is drawn; nothing where that is no terminal.
fn spinner(message: String) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}").expect("the template is well formed");
    let spinner = ProgressBar::new_spinner().with_style(style).with_message(message);
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

/// Draws and writes.
pub fn run(options: &arguments::Render) -> anyhow::Result<ExitCode> {
    ensure!(
        options.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")),
        "`{}` does not end in .png, and PNG is what is written: try --out {}",
        options.out.display(),
        options.out.with_extension("png").display()
    );
    let named = picture::scene(&options.picture)?;
    let chosen = options.picture.machine.choose("wide")?;
    let is_device = options.backend == BackendName::Device;
    ensure!(
        is_device || !(options.measure.timed || options.tracing.trace.is_some() || options.heatmap.is_some()),
        "the reference is no machine and takes no time; leave out --timed, --trace and --heatmap, or --backend"
    );
    let mut device = if is_device { Some(picture::device(&chosen)?) } else { None };
    if let Some(device) = &mut device {
        device.gpu_mut().set_mode(options.measure.mode());
    }
    let size = options.picture.size;
    let view = picture::view(&options.picture, &named, options.time);
    let frame = named.scene.frame(&view);
    let mut runner = options.tracing.runner(&chosen)?;
    let sign = spinner(format!("drawing {}, {} x {}", named.name, size.width, size.height));
    let mut reference = Reference::for_machine(chosen.config.extensions);
    let mut map: Option<HeatMap> = None;
    let target = match (&mut device, options.heatmap) {
        (Some(device), Some(kind)) => heat::render(device, &frame, kind.into()).map(|(target, drawn)| {
            map = Some(drawn);
            target
        }),
        (Some(device), None) => device.render_by(&frame, runner.launcher()),
        (None, _) => reference.render(&frame),
    };
    sign.finish_and_clear();
    if runner.has_stopped() {
        return runner.finish().map(|()| ExitCode::FAILURE);
    }
    let backend: &dyn Backend = device.as_ref().map_or(&reference, |device| device);
    let taken = backend.report();
    let timed = counted(taken.and_then(|report| report.timed.as_ref()), &chosen.config);
    options.measure.write_csv(timed.as_ref())?;
    let failure = match target {
        Ok(target) => {
            match &map {
                Some(map) => write_map(options, map)?,
                None => write_png(&options.out, target.width, target.height, &target.to_rgba8())?,
            }
            None
        }
        // Without counters there is nothing to report but the error.
        Err(cause) if timed.is_none() => return Err(cause.into()),
        Err(cause) => Some(anyhow::Error::from(cause)),
    };
    let body = Body {
        scene: named.name,
        machine: chosen.name.clone(),
        backend: backend.name().to_string(),
        filter: view.filter.name(),
        width: size.width,
        height: size.height,
        time_seconds: options.time,
        triangles: frame.triangle_count(),
        out: options.out.display().to_string(),
        heatmap: map.as_ref().map(HeatMap::summary),
        frame: taken.map(|report| Frame {
            vertices: report.vertices,
            vertex_launches: report.vertex_work.launches,
            vertex_warp_instructions: report.vertex_work.warp_instructions,
            vertex_lane_instructions: report.vertex_work.lane_instructions,
            vertex_cycles: report.vertex_work.cycles,
            triangles: report.triangles,
            entries: report.entries,
            tiles: report.tiles,
            launches: report.launches,
            warp_instructions: report.warp_instructions,
            lane_instructions: report.lane_instructions,
        }),
        timed,
        trap: failure.as_ref().map(report::describe),
    };
    if options.json {
        let provenance = match &device {
            Some(device) => Provenance::of_machine(chosen.configuration(), device.programs()),
            None => Provenance::of_command(),
        };
        emit(report::to_json("render", &provenance, &body))?;
    } else {
        print(&body)?;
    }
    let traced = runner.finish();
    match failure {
        Some(failure) => Err(failure),
        None => traced.map(|()| ExitCode::SUCCESS),
    }
}

/// The map with its legend.
fn write_map(options: &arguments::Render, map: &HeatMap) -> anyhow::Result<()> {
    let (width, height, words) = map.picture();
    let bytes = |word: &u32| [(word >> 16) as u8, (word >> 8) as u8, *word as u8, 255];
    Ok(write_png(&options.out, width, height, &words.iter().flat_map(bytes).collect::<Vec<u8>>())?)
}

/// The map's figures in words.
fn describe_map(map: &Summary) -> String {
    let number = |value: Option<f32>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let totals = &map.totals;
    let mut text = format!(
        "heat map {}, {}: {} to {}, mean {}; colours from 0 to {}\n",
        map.kind.name(),
        map.about,
        number(map.least),
        number(map.most),
        number(map.mean),
        number(Some(map.scale[1])),
    );
    if let Some(ShadedTotals { pixels, fragments, helpers }) = totals.shaded {
        text += &format!(
            "{} on {}, {} in their quads ({:.1} %)\n",
            report::count(fragments, "fragment"),
            report::count(pixels, "pixel"),
            report::count(helpers, "helper"),
            100.0 * helpers as f64 / (fragments + helpers).max(1) as f64,
        );
    }
    if let Some(SlotCycles { on_tiles, on_vertices, on_none }) = totals.slot_cycles {
        text += &format!("{on_tiles} slot cycles on tiles, {on_vertices} on vertices, {on_none} on none\n");
    }
    let lanes = totals.lane_instructions as f64 / totals.warp_instructions.max(1) as f64;
    text + &format!("{lanes:.2} lanes active in the mean instruction\n")
}

fn print(body: &Body) -> anyhow::Result<()> {
    if body.trap.is_none() {
        emit(format!(
            "{}: scene {}, {} x {}, {}, filter {}, {}\n",
            body.out,
            body.scene,
            body.width,
            body.height,
            report::count(body.triangles as u64, "primitive"),
            body.filter,
            body.backend
        ))?;
    }
    if let Some(map) = &body.heatmap {
        emit(describe_map(map))?;
    }
    if let Some(frame) = body.frame.as_ref().filter(|frame| frame.vertex_launches > 0) {
        let cycles =
            frame.vertex_cycles.map_or(String::new(), |cycles| format!(", {}", report::count(cycles, "cycle")));
        let Frame { vertices, vertex_launches, vertex_warp_instructions, launches, warp_instructions, .. } = frame;
        emit(format!(
            "vertices made by shaders: {vertices}, in {vertex_launches} of {launches} launches and \
             {vertex_warp_instructions} of {warp_instructions} warp-instructions{cycles}\n"
        ))?;
    }
    if let Some(timed) = &body.timed {
        remark(timed.to_text().trim_end());
    }
    Ok(())
}
