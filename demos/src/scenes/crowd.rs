//! Many objects: a field of cubes and spheres, each tinted and turning on its own, one draw each.

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
    name: "crowd",
    about: "a field of 121 turning cubes and spheres, one draw each, hiding one another",
    is_filtered: true,
    make: |texture| Ok(Box::new(Crowd::new(texture)?)),
};

/// Objects along each side of the field; odd, so that one stands in the middle.
const SIDE: i32 = 11;
/// Scene units between neighbours.
const SPACING: f32 = 1.5;

struct Crowd {
    cube: Surface,
    sphere: Surface,
}

impl Crowd {
    fn new(texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let bands = Surface::image_or(texture, || Pattern::bands(128))?;
        let checker = Surface::image_or(texture, || Pattern::checker(128, 8, [255, 255, 255], [150, 150, 160]))?;
        Ok(Self {
            cube: Surface::new(&Shape::cube(), checker, "lit", State::SOLID)?,
            sphere: Surface::new(&Shape::sphere(24, 14), bands, "lit", State::SOLID)?,
        })
    }
}

impl Scene for Crowd {
    fn camera(&self) -> Camera {
        Camera { pitch: 0.5, ..Camera::at_distance(11.0) }
    }

    fn frame(&self, view: &View) -> Frame {
        let (see, sampler) = (view.view_projection(), view.filter.sampler());
        let mut draws = Vec::new();
        for row in -(SIDE / 2)..=SIDE / 2 {
            for column in -(SIDE / 2)..=SIDE / 2 {
                let phase = (row * 7 + column * 3) as f32;
                let place = Vec3::new(column as f32, 0.0, row as f32) * SPACING;
                let turn = Mat4::from_rotation_y(view.time + phase) * Mat4::from_rotation_x(0.3 * phase);
                let model = Mat4::from_translation(place) * turn * Mat4::from_scale(Vec3::splat(0.5));
                let warm = (column + SIDE / 2) as f32 / (SIDE - 1) as f32;
                let cool = (row + SIDE / 2) as f32 / (SIDE - 1) as f32;
                let light =
                    Light { tint: [0.4 + 0.6 * warm, 0.55 + 0.3 * cool, 1.0 - 0.6 * warm, 1.0], ..Light::daylight() };
                let surface = if (row + column) % 2 == 0 { &self.cube } else { &self.sphere };
                draws.push(surface.draw(model, see, sampler, light));
            }
        }
        let clear = Clear::to([0.05, 0.05, 0.08, 1.0]);
        Frame::new(view.width, view.height, clear, draws)
    }
}
