//! What people run: scenes, loaders, the window, experiments, and the command-line program `warpaint`.

pub mod camera;
pub mod overlay;
#[cfg(feature = "window")]
pub mod window;
