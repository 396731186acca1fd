//! A scene as a picture: the same view for the golden pictures, the differential tests and whoever wants to look.

use demos::scenes::{Filter, SceneInfo, View};
use raster::{Backend, Frame};

use crate::picture::Picture;

/// The moment that is drawn, in seconds: late enough that everything has turned a little.
pub const MOMENT: f32 = 1.25;

/// The frame of a scene as its own camera sees it at [`MOMENT`].
pub fn frame(info: &SceneInfo, filter: Filter, width: u32, height: u32) -> Frame {
    let scene = (info.make)(None).expect("scenes made in code are sound");
    scene.frame(&View { width, height, time: MOMENT, filter, camera: scene.camera() })
}

/// What a backend draws of a frame.
pub fn picture(backend: &mut dyn Backend, frame: &Frame) -> Picture {
    let target = backend.render(frame).expect("the frame of a scene can be drawn");
    Picture { width: target.width, height: target.height, rgba: target.to_rgba8() }
}
