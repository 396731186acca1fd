//! `warpaint render`: one picture to a PNG file.

use std::process::ExitCode;

use demos::load::write_png;
use demos::report;
use demos::scenes::View;
use serde::Serialize;

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

/// Draws and writes.
pub fn run(options: &arguments::Render) -> anyhow::Result<ExitCode> {
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
    let target = backend.render(&frame)?;
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
        print!("{}", report::to_json("render", &body));
    } else {
        println!(
            "{}: scene {}, {} x {}, {} triangles, filter {}, {}",
            body.out, body.scene, body.width, body.height, body.triangles, body.filter, body.backend
        );
    }
    Ok(ExitCode::SUCCESS)
}
