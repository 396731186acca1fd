//! One triangle that is larger than the screen on every side: the whole picture is its inside, and its shader paints it.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec4};
use raster::{Bindings, Buffer, Clear, Draw, Frame, Pipeline, State, Vertex};
use texture::Image;

use crate::camera::Camera;
use crate::scenes::surface::SurfaceError;
use crate::scenes::{Scene, SceneInfo, View};

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "sunset",
    about: "the sun over the sea: one triangle, larger than the screen, painted by its shader",
    is_filtered: false,
    make: |texture| Ok(Box::new(Sunset::new(texture)?)),
};

/// The triangle's corners in screens from the middle: its sides pass the screen's corners at a distance.
const CORNERS: [Vec2; 3] = [Vec2::new(-7.0, -5.0), Vec2::new(11.0, -5.0), Vec2::new(-1.0, 13.0)];

/// `struct Moment` of `sunset.wgsl`.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
struct Moment {
    time: f32,
}

struct Sunset {
    pipeline: Pipeline,
}

impl Sunset {
    fn new(_: Option<&Image>) -> Result<Self, SurfaceError> {
        Ok(Self { pipeline: Pipeline::new("sunset.wgsl", include_str!("sunset.wgsl"), "sunset", State::FLAT)? })
    }
}

impl Scene for Sunset {
    fn camera(&self) -> Camera {
        Camera { yaw: 0.0, pitch: 0.0, ..Camera::at_distance(4.0) }
    }

    /// The camera looks along the sea: it turns and rises with the mouse, and the wheel draws the sun nearer.
    fn frame(&self, view: &View) -> Frame {
        let aspect = view.width as f32 / view.height as f32;
        let Camera { yaw, pitch, distance, target, .. } = view.camera;
        let zoom = distance / 4.0;
        let middle = Vec2::new(target.x * 0.25 - yaw, target.y * 0.25 - pitch);
        let draw = Draw::list(&self.pipeline, 3, move |corner| {
            let at = CORNERS[corner as usize];
            // In picture heights from the horizon, which lies a little below the middle.
            let place = Vec2::new(at.x * aspect, at.y) * 0.5 * zoom + middle + Vec2::new(0.0, 0.13);
            Vertex::at(Vec4::new(at.x, at.y, 0.5, 1.0)).with(0, place)
        });
        let moment = Moment { time: view.time };
        let draw = draw.with_bindings(Bindings::new().with(0, 0, &Buffer::from_value(&moment)));
        Frame::new(view.width, view.height, Clear::BLACK, vec![draw])
    }
}
