//! A checkered plain to the horizon: point sampling sparkles, bilinear shimmers far away, trilinear is calm.

use glam::{Mat4, Vec3};
use raster::{Clear, Frame, State};
use texture::Image;

use crate::camera::Camera;
use crate::patterns::Pattern;
use crate::scenes::surface::{Light, Surface, SurfaceError};
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::Shape;

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "ground",
    about: "a checkered plain to the horizon: shows what the three filters do",
    is_filtered: true,
    make: |texture| Ok(Box::new(Ground::new(texture)?)),
};

/// Side of the plain in scene units; the texture repeats every two.
const SIDE: f32 = 160.0;
/// Scene units a second by which the plain slides towards the eye.
const SPEED: f32 = 1.0;

struct Ground {
    plain: Surface,
    cube: Surface,
}

impl Ground {
    fn new(texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let checker = Surface::image_or(texture, || Pattern::checker(256, 4, [236, 232, 220], [52, 84, 120]))?;
        let bands = Surface::image_or(texture, || Pattern::bands(128))?;
        Ok(Self {
            plain: Surface::new(&Shape::plane(SIDE, 1, SIDE / 2.0), checker, "unlit", State::SOLID)?,
            cube: Surface::new(&Shape::cube(), bands, "lit", State::SOLID)?,
        })
    }
}

impl Scene for Ground {
    fn camera(&self) -> Camera {
        Camera { target: Vec3::new(0.0, 0.6, 0.0), yaw: 0.35, pitch: 0.16, ..Camera::at_distance(5.0) }
    }

    fn frame(&self, view: &View) -> Frame {
        let (see, sampler) = (view.view_projection(), view.filter.sampler());
        // Two units are one repetition, so the jump back is not seen.
        let slide = (view.time * SPEED) % 2.0;
        let plain = Mat4::from_translation(Vec3::new(0.0, 0.0, slide));
        let cube = Mat4::from_translation(Vec3::new(0.0, 1.0, 0.0)) * Mat4::from_rotation_y(view.time * 0.4);
        let draws = vec![
            self.plain.draw(plain, see, sampler, Light::daylight()),
            self.cube.draw(cube, see, sampler, Light::daylight()),
        ];
        let clear = Clear::to([0.62, 0.74, 0.86, 1.0]);
        Frame::new(view.width, view.height, clear, draws)
    }
}
