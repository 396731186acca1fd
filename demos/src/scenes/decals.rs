//! Two floors with the same signs painted on them, in the same plane as the floor: on the left the depths of floor and signs
//! fight, on the right a depth offset lifts the signs.

use glam::{Mat4, Vec3};
use raster::{Clear, Cull, DepthOffset, DepthState, Dynamic, Frame, State};
use texture::Image;

use crate::camera::Camera;
use crate::patterns::Pattern;
use crate::scenes::surface::{Light, Surface, SurfaceError};
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::Shape;

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "decals",
    about: "signs in the plane of the floor: without a depth offset they fight (left), with one they do not (right)",
    is_filtered: true,
    make: |texture| Ok(Box::new(Decals::new(texture)?)),
};

/// Half the width and length of a floor.
const HALF: (f32, f32) = (2.1, 5.0);

struct Decals {
    floor: Surface,
    signs: Surface,
    kerb: Surface,
}

/// Arrows and bars on a floor, each of its own corners, so that its depths round differently from the floor's.
fn signs() -> Shape {
    let mut signs = Shape::default();
    let mut bar = |x: f32, z: f32, wide: f32, long: f32, turn: f32| {
        let at = Mat4::from_translation(Vec3::new(x, 0.0, z)) * Mat4::from_rotation_y(turn);
        signs.append(&Shape::plane(2.0, 6, 1.0).moved(at * Mat4::from_scale(Vec3::new(wide, 1.0, long))));
    };
    for step in 0..6 {
        let z = -4.2 + step as f32 * 1.7;
        bar(-1.7, z, 0.07, 0.5, 0.0);
        bar(1.7, z, 0.07, 0.5, 0.0);
    }
    for z in [-2.9, 0.1, 3.1] {
        // An arrow: a shaft and two barbs.
        bar(0.0, z + 0.45, 0.13, 0.75, 0.0);
        bar(-0.29, z - 0.12, 0.13, 0.52, -0.85);
        bar(0.29, z - 0.12, 0.13, 0.52, 0.85);
    }
    signs
}

impl Decals {
    fn new(texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let (wide, long) = HALF;
        // Of many quads, as the signs are: each rounds its corners on its own.
        let ground = Shape::plane(2.0, 22, 4.0).moved(Mat4::from_scale(Vec3::new(wide, 1.0, long)));
        let mut kerb = Shape::default();
        for side in [-1.0, 1.0] {
            let at = Mat4::from_translation(Vec3::new(side * (wide + 0.08), 0.0, 0.0))
                * Mat4::from_scale(Vec3::new(0.08, 0.12, long));
            kerb.append(&Shape::cube().moved(at));
        }
        let painted = State { cull: Cull::None, depth: DepthState::LESS_EQUAL_WRITE, ..State::SOLID };
        let plain = Surface::image_or(None, || Pattern::plain([255, 255, 255]))?;
        Ok(Self {
            floor: Surface::new(&ground, Surface::image_or(texture, || Pattern::asphalt(256))?, "lit", State::SOLID)?,
            signs: Surface::new(&signs(), plain.clone(), "lit", painted)?,
            kerb: Surface::new(&kerb, plain, "lit", State::SOLID)?,
        })
    }
}

impl Scene for Decals {
    fn camera(&self) -> Camera {
        Camera { target: Vec3::new(0.0, 0.0, -0.6), yaw: 0.14, pitch: 0.42, ..Camera::at_distance(8.2) }
    }

    fn frame(&self, view: &View) -> Frame {
        let (see, sampler, light) = (view.view_projection(), view.filter.sampler(), Light::daylight());
        let yellow = Light { tint: [1.0, 0.83, 0.25, 1.0], ..light };
        let grey = Light { tint: [0.72, 0.72, 0.7, 1.0], ..light };
        let lifted = Dynamic { depth_offset: DepthOffset { factor: -1.0, units: -2.0 }, ..Dynamic::DEFAULT };
        // A slow turn shows how the pattern of the fight runs over the signs.
        let turn = Mat4::from_rotation_y(view.time * 0.05);
        let mut draws = Vec::new();
        for (side, dynamic) in [(-1.0, Dynamic::DEFAULT), (1.0, lifted)] {
            let place = turn * Mat4::from_translation(Vec3::new(side * (HALF.0 + 0.3), 0.0, 0.0));
            draws.push(self.floor.draw(place, see, sampler, light));
            draws.push(self.kerb.draw(place, see, sampler, grey));
            draws.push(self.signs.draw(place, see, sampler, yellow).with_dynamic(dynamic));
        }
        let clear = Clear::to([0.47, 0.55, 0.42, 1.0]);
        Frame::new(view.width, view.height, clear, draws)
    }
}
