//! What people run: scenes, loaders, the window, experiments, and the command-line program `warpaint`.

pub mod camera;
pub mod experiments;
pub mod inspect;
pub mod listing;
pub mod load;
pub mod noise;
pub mod overlay;
pub mod patterns;
pub mod plot;
pub mod report;
pub mod scenes;
pub mod shader;
pub mod shapes;
#[cfg(feature = "window")]
pub mod window;
