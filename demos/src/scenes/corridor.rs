//! A long hall whose floor, walls and ceiling are seen at ever flatter angles: what mip levels and anisotropic filtering are for.

use glam::{Mat4, Vec3};
use raster::{Clear, Frame, Sampler, State};
use texture::Image;

use crate::camera::Camera;
use crate::patterns::Pattern;
use crate::scenes::surface::{Light, Surface, SurfaceError};
use crate::scenes::{Filter, Scene, SceneInfo, View};
use crate::shapes::{Shape, quad};

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "corridor",
    about: "a tiled hall to the vanishing point: mip levels, and on the right half anisotropic filtering",
    is_filtered: true,
    make: |texture| Ok(Box::new(Corridor::new(texture)?)),
};

/// Half the hall's width and height, and its length.
const HALF: (f32, f32) = (1.6, 1.2);
const LENGTH: f32 = 90.0;
/// Distance of the pillars along the walls.
const PILLARS: f32 = 3.0;
/// Scene units a second.
const SPEED: f32 = 1.2;

struct Corridor {
    /// The left and the right half.
    floor: [Surface; 2],
    walls: Surface,
    ceiling: [Surface; 2],
    pillars: Surface,
}

impl Corridor {
    fn new(texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let (wide, high) = HALF;
        let down = Vec3::NEG_Z * LENGTH;
        let image = |pattern: fn(u32) -> Pattern| Surface::image_or(texture, || pattern(256));
        let strip = |from: f32, high: f32, right: f32, down: Vec3, start: f32| {
            quad(Vec3::new(from, high, start), Vec3::X * right, down, [1.0, LENGTH / 1.6])
        };
        let (floor, ceiling) =
            (|from| strip(from, -high, wide, -down, -LENGTH), |from| strip(from, high, wide, down, 0.0));
        let mut walls = quad(Vec3::new(-wide, high, 0.0), down, Vec3::NEG_Y * 2.0 * high, [LENGTH / 2.4, 1.0]);
        walls.append(&quad(Vec3::new(wide, high, -LENGTH), -down, Vec3::NEG_Y * 2.0 * high, [LENGTH / 2.4, 1.0]));
        let mut pillars = Shape::default();
        for index in 0..(LENGTH / PILLARS) as i32 {
            for side in [-1.0, 1.0] {
                let place = Vec3::new(side * (wide - 0.12), -high, -(index as f32 + 0.5) * PILLARS);
                let scale = Vec3::new(0.13, 2.0 * high, 0.13);
                pillars
                    .append(&Shape::cone(10, 1.0, 0.8).moved(Mat4::from_translation(place) * Mat4::from_scale(scale)));
            }
        }
        let halves = |shape: &dyn Fn(f32) -> Shape, image: Image| -> Result<[Surface; 2], SurfaceError> {
            let half = |from: f32| Surface::new(&shape(from), image.clone(), "lit", State::SOLID);
            Ok([half(-wide)?, half(0.0)?])
        };
        Ok(Self {
            floor: halves(&floor, image(Pattern::tiles)?)?,
            walls: Surface::new(&walls, image(Pattern::bricks)?, "lit", State::SOLID)?,
            ceiling: halves(&ceiling, image(Pattern::wood)?)?,
            pillars: Surface::new(&pillars, image(Pattern::bark)?, "lit", State::SOLID)?,
        })
    }
}

impl Scene for Corridor {
    fn camera(&self) -> Camera {
        Camera {
            target: Vec3::new(0.0, -0.15, -4.0),
            yaw: 0.06,
            pitch: 0.02,
            field_of_view: 1.1,
            ..Camera::at_distance(3.6)
        }
    }

    fn frame(&self, view: &View) -> Frame {
        let (see, sampler) = (view.view_projection(), view.filter.sampler());
        // Everything repeats with the pillars, the tiles five times in eight: after 24 units all is as before.
        let walk = Mat4::from_translation(Vec3::Z * (view.time * SPEED % 24.0));
        let light =
            Light { direction: Vec3::new(0.35, 0.8, 0.5).normalize().to_array(), ambient: 0.5, ..Light::daylight() };
        // Where levels are used, the right half of floor and ceiling shows what is gained by looking along the footprint.
        let along = match view.filter {
            Filter::Trilinear => Sampler::ANISOTROPIC,
            Filter::Point | Filter::Bilinear => sampler,
        };
        let mut draws = Vec::new();
        for [left, right] in [&self.floor, &self.ceiling] {
            draws.push(left.draw(walk, see, sampler, light));
            draws.push(right.draw(walk, see, along, light));
        }
        draws.extend([&self.walls, &self.pillars].map(|part| part.draw(walk, see, sampler, light)));
        let clear = Clear::to([0.62, 0.58, 0.5, 1.0]);
        Frame::new(view.width, view.height, clear, draws)
    }
}
