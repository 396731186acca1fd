//! An independent implementation draws the same frames: Mesa's CPU driver through wgpu.
//!
//! Where there is no such driver the tests say so and skip; with `WARPAINT_NEEDS_SECOND_OPINION` set (as `.ci/run` does, which
//! installs the driver) they fail instead.
//!
//! Both may be right and still differ: at edges by how vertices are snapped, in filters by the bits of weights and of the
//! level of detail. The tolerances are those that such differences explain; a wrong rule shows in far more pixels.
#![cfg(feature = "wgpu")]

mod fragments;
mod primitives;
mod programs;
mod samples;
mod scenes;
mod textures;

use golden_images::compare::{difference, panels};
use golden_images::picture::Picture;
use golden_images::scene_picture::picture;
use golden_images::wgpu_backend::WgpuBackend;
use raster::{Frame, Reference};

/// The driver, or none with a reason printed.
fn driver() -> Option<WgpuBackend> {
    match WgpuBackend::on_the_cpu() {
        Ok(backend) => Some(backend),
        Err(reason) if std::env::var_os("WARPAINT_NEEDS_SECOND_OPINION").is_none() => {
            println!("skipped: {reason}");
            None
        }
        Err(reason) => panic!("a second opinion is asked for, but {reason}"),
    }
}

/// Draws with both, and asserts that at most `share` of the pixels differ by more than `channel` of 255.
#[track_caller]
fn compare(name: &str, driver: &WgpuBackend, frame: &Frame, channel: u8, share: f64) {
    let theirs = driver.render(frame).unwrap_or_else(|error| panic!("{name}: {error}"));
    if let Err(failure) = judge(name, frame, &theirs, channel, share) {
        panic!("{failure}");
    }
}

/// [`compare`], with a picture that the driver has drawn already.
fn judge(name: &str, frame: &Frame, theirs: &Picture, channel: u8, share: f64) -> Result<(), String> {
    let ours = picture(&mut Reference::new(), frame);
    let found = difference(theirs, &ours, channel);
    let part = found.count as f64 / f64::from(frame.width * frame.height);
    println!("{name}: {:.3} % of pixels differ by more than {channel}, the worst by {}", 100.0 * part, found.worst);
    if part <= share {
        return Ok(());
    }
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.second_opinion.png"));
    panels(theirs, &ours).write(&path).map_err(|error| error.to_string())?;
    Err(format!("{name}: {:.3} % of pixels differ from the driver's; see {}", 100.0 * part, path.display()))
}
