//! `warpaint view`: the window; without a display, the same picture in a PNG.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::cli::arguments::{self, BackendName};
use crate::cli::machine::Time;
use crate::cli::output::remark;
use crate::cli::render;
use crate::cli::tracing::Tracing;

/// Where the picture goes when there is no display.
const FALLBACK: &str = "warpaint.png";

/// Opens the window, or says in one line why not and renders to a file.
pub fn run(options: &arguments::View) -> anyhow::Result<ExitCode> {
    let Some(reason) = window(options)? else { return Ok(ExitCode::SUCCESS) };
    remark(&format!("no window ({reason}): writing the picture to {FALLBACK}"));
    render::run(&arguments::Render {
        picture: options.picture.clone(),
        out: PathBuf::from(FALLBACK),
        measure: Time { timed: options.timed, csv: None },
        tracing: Tracing::default(),
        time: 0.0,
        backend: BackendName::Device,
        heatmap: None,
        json: false,
    })
}

/// Runs the window until it is closed; the reason if there can be none.
#[cfg(feature = "window")]
fn window(options: &arguments::View) -> anyhow::Result<Option<String>> {
    use demos::window::app::{self, Ended};
    use demos::window::machines::{Machines, Viewed, offered};
    use demos::window::view_state::ViewState;

    use gpu_core::config::{DivergenceMechanism, GpuConfig};

    use crate::cli::machine::{Chosen, mode};
    use crate::cli::picture;

    let picture = &options.picture;
    let (scenes, scene) = picture::scenes(picture)?;
    let first = picture.machine.choose("wide")?;
    let (name, mode, options) = (first.name.clone(), mode(options.timed), picture.machine.clone());
    let divergence = first.config.divergence;
    let backend = Box::new(move |machine: &str, divergence: DivergenceMechanism| {
        // Memory and fields that were set are set for every machine that the window goes through.
        let chosen = if machine == first.name {
            first.clone()
        } else {
            Chosen { name: machine.to_owned(), config: options.changed(GpuConfig::from_name(machine)?)? }
        };
        let chosen = Chosen { config: chosen.config.with_divergence(divergence), ..chosen };
        let mut device = picture::device(&chosen)?;
        device.gpu_mut().set_mode(mode);
        Ok(Box::new(device) as Box<dyn Viewed>)
    });
    let machines = Machines::new(offered(&name), divergence, backend)?;
    let state = ViewState {
        scene,
        scene_count: scenes.len(),
        filter: picture.filter.into(),
        machine: 0,
        machine_count: machines.count(),
        divergence,
        is_paused: false,
        has_overlay: true,
        heat: None,
        camera: scenes[scene].scene.camera(),
        time: 0.0,
        width: picture.size.width,
        height: picture.size.height,
    };
    Ok(match app::run(scenes, machines, state)? {
        Ended::Closed => None,
        Ended::NoWindow(reason) => Some(reason),
    })
}

/// This build has no window.
#[cfg(not(feature = "window"))]
fn window(_: &arguments::View) -> anyhow::Result<Option<String>> {
    Ok(Some("this program was built without the feature `window`".to_string()))
}
