//! `warpaint view`: the window; without a display, the same picture in a PNG.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::cli::arguments::{self, BackendName};
use crate::cli::output::remark;
use crate::cli::render;

/// Where the picture goes when there is no display.
const FALLBACK: &str = "warpaint.png";

/// Opens the window, or says in one line why not and renders to a file.
pub fn run(options: &arguments::View) -> anyhow::Result<ExitCode> {
    let Some(reason) = window(options)? else { return Ok(ExitCode::SUCCESS) };
    remark(&format!("no window ({reason}): writing the picture to {FALLBACK}"));
    render::run(&arguments::Render {
        picture: options.picture.clone(),
        out: PathBuf::from(FALLBACK),
        time: 0.0,
        backend: BackendName::Device,
        json: false,
    })
}

/// Runs the window until it is closed; the reason if there can be none.
#[cfg(feature = "window")]
fn window(options: &arguments::View) -> anyhow::Result<Option<String>> {
    use demos::window::app::{self, Ended};
    use demos::window::machines::{Machines, offered};
    use demos::window::view_state::ViewState;

    use crate::cli::picture;

    let picture = &options.picture;
    let (scenes, scene) = picture::scenes(picture)?;
    let backend = Box::new(|machine: &str| Ok(Box::new(picture::device(machine)?) as Box<dyn raster::Backend>));
    let machines = Machines::new(offered(&picture.machine), backend)?;
    let state = ViewState {
        scene,
        scene_count: scenes.len(),
        filter: picture.filter.into(),
        machine: 0,
        machine_count: machines.count(),
        is_paused: false,
        has_overlay: true,
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
