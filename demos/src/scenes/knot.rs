//! A bricked torus knot that passes in front of itself from every side: depth complexity and texture on one mesh.

use glam::{Mat4, Vec2};
use raster::{Clear, Frame, State};
use texture::Image;

use crate::camera::Camera;
use crate::patterns::Pattern;
use crate::scenes::surface::{Light, Surface, SurfaceError};
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::Shape;

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "knot",
    about: "a bricked torus knot, turning: one textured mesh that passes in front of itself",
    is_filtered: true,
    make: |texture| Ok(Box::new(Knot::new(texture)?)),
};

/// Radians a second.
const TURN: f32 = 0.5;

struct Knot {
    surface: Surface,
}

impl Knot {
    fn new(texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let image = Surface::image_or(texture, || Pattern::bricks(256))?;
        let shape = Shape::torus_knot(0.34, 192, 18, Vec2::new(2.0, 16.0));
        Ok(Self { surface: Surface::new(&shape, image, "lit", State::SOLID)? })
    }
}

impl Scene for Knot {
    fn camera(&self) -> Camera {
        Camera { pitch: 0.75, ..Camera::at_distance(4.4) }
    }

    fn frame(&self, view: &View) -> Frame {
        let model = Mat4::from_rotation_y(view.time * TURN);
        let draw = self.surface.draw(model, view.view_projection(), view.filter.sampler(), Light::daylight());
        let clear = Clear::to([0.09, 0.11, 0.16, 1.0]);
        Frame::new(view.width, view.height, clear, vec![draw])
    }
}
