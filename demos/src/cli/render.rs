//! `warpaint render`: one picture to a PNG file.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::ensure;
use demos::load::write_png;
use demos::report;
use demos::scenes::View;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::cli::output::emit;
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
    let mut backend = picture::backend(options.backend, &options.picture.machine)?;
    let size = options.picture.size;
    let view = View {
        width: size.width,
        height: size.height,
        time: options.time,
        filter: options.picture.filter.into(),
        camera: named.scene.camera(),
    };
    let frame = named.scene.frame(&view);
    let sign = spinner(format!("drawing {}, {} x {}", named.name, size.width, size.height));
    let target = backend.render(&frame);
    sign.finish_and_clear();
    let target = target?;
    write_png(&options.out, target.width, target.height, &target.to_rgba8())?;
    let body = Body {
        scene: named.name,
        machine: options.picture.machine.clone(),
        backend: backend.name().to_string(),
        filter: view.filter.name(),
        width: size.width,
        height: size.height,
        time_seconds: options.time,
        triangles: frame.triangle_count(),
        out: options.out.display().to_string(),
    };
    if options.json {
        emit(report::to_json("render", &body))?;
    } else {
        emit(format!(
            "{}: scene {}, {} x {}, {}, filter {}, {}\n",
            body.out,
            body.scene,
            body.width,
            body.height,
            report::count(body.triangles as u64, "triangle"),
            body.filter,
            body.backend
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
