//! Trees and grass from flat cards: the alpha of their textures says where a leaf is, and what fails the test leaves neither
//! colour nor depth behind.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Mat4, Quat, Vec2, Vec3};
use raster::{Clear, Compare, Constants, Cull, Dynamic, Frame, Sampler, State};
use texture::{Image, Wrap};

use crate::camera::Camera;
use crate::noise::chance;
use crate::patterns::Pattern;
use crate::scenes::surface::{Light, Surface, SurfaceError};
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::Shape;

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "foliage",
    about: "trees and grass from cards whose alpha is tested",
    is_filtered: true,
    make: |texture| Ok(Box::new(Foliage::new(texture)?)),
};

/// Alpha below this is not drawn.
const CUTOFF: f32 = 0.5;
/// Cards of a crown, and tufts of grass.
const LEAVES: u32 = 64;
const TUFTS: u32 = 420;
/// Where trees stand, and how high they are.
const TREES: [(Vec2, f32); 6] = [
    (Vec2::new(-1.4, 0.3), 2.3),
    (Vec2::new(1.9, -0.9), 2.7),
    (Vec2::new(0.3, -3.4), 3.1),
    (Vec2::new(-4.3, -2.6), 2.6),
    (Vec2::new(4.6, -4.2), 2.9),
    (Vec2::new(-2.4, -6.6), 3.3),
];

struct Foliage {
    meadow: Surface,
    trunks: Surface,
    crowns: Surface,
    grass: Surface,
}

impl Foliage {
    fn new(texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let cards = State { cull: Cull::None, alpha_test: Compare::GreaterEqual, ..State::SOLID };
        let meadow = Surface::image_or(texture, || Pattern::meadow(256))?;
        let bark = Surface::image_or(texture, || Pattern::bark(64))?;
        let leaves = Surface::image_or(None, || Pattern::leaves(128))?;
        let tuft = Surface::image_or(None, || Pattern::tuft(128))?;
        Ok(Self {
            meadow: Surface::new(&Shape::plane(80.0, 1, 24.0), meadow, "lit", State::SOLID)?,
            trunks: Surface::new(&trunks(), bark, "lit", State::SOLID)?,
            crowns: Surface::new(&crowns(), leaves, "lit", cards)?,
            grass: Surface::new(&grass(), tuft, "lit", cards)?,
        })
    }
}

impl Scene for Foliage {
    fn camera(&self) -> Camera {
        Camera { target: Vec3::new(0.0, 1.15, -1.0), yaw: 0.25, pitch: 0.14, ..Camera::at_distance(5.6) }
    }

    fn frame(&self, view: &View) -> Frame {
        let (see, sampler) = (view.view_projection(), view.filter.sampler());
        let edge = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, ..sampler };
        // The wind leans what grows, more the higher it is.
        let lean = Quat::from_rotation_y(view.time * 1.3) * Vec3::X * 0.02;
        let mut wind = Mat4::IDENTITY;
        wind.y_axis += lean.extend(0.0);
        let light = Light::daylight();
        let leaves = Light { ambient: 0.42, ..light };
        let constants = Constants { alpha_reference: CUTOFF, ..Constants::DEFAULT };
        let tested = Dynamic { constants, ..Dynamic::DEFAULT };
        let draws = vec![
            self.meadow.draw(Mat4::IDENTITY, see, sampler, light),
            self.trunks.draw(wind, see, sampler, light),
            self.crowns.draw(wind, see, edge, leaves).with_dynamic(tested),
            self.grass.draw(wind, see, edge, leaves).with_dynamic(tested),
        ];
        let clear = Clear::to([0.66, 0.8, 0.92, 1.0]);
        Frame::new(view.width, view.height, clear, draws)
    }
}

fn trunks() -> Shape {
    let mut all = Shape::default();
    for (place, high) in TREES {
        let scale = Vec3::new(high * 0.07, high * 0.62, high * 0.07);
        let at = Mat4::from_translation(Vec3::new(place.x, 0.0, place.y)) * Mat4::from_scale(scale);
        all.append(&Shape::cone(9, 1.0, 0.55).moved(at));
    }
    all
}

fn crowns() -> Shape {
    let mut all = Shape::default();
    for (tree, (place, high)) in (0u32..).zip(TREES) {
        let middle = Vec3::new(place.x, high * 0.72, place.y);
        for leaf in 0..LEAVES {
            let seed = tree * LEAVES + leaf;
            let (yaw, pitch) = (chance(seed, 21) * TAU, (chance(seed, 22) - 0.5) * 2.6);
            let turn = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch);
            // In an egg, denser outside.
            let out = turn * Vec3::Z * (0.35 + 0.65 * chance(seed, 23)) * high;
            let from_middle = out * Vec3::new(0.3, 0.32, 0.3);
            let roll = Quat::from_rotation_z(chance(seed, 24) * TAU);
            let tilt = Quat::from_rotation_x((chance(seed, 25) - 0.5) * 1.6);
            let card = Mat4::from_rotation_translation(turn * tilt * roll, middle + from_middle)
                * Mat4::from_scale(Vec3::splat(high * 0.17));
            let mut card = Shape::card().moved(card);
            // Lit as the crown is, not as the card lies.
            let normal = (from_middle + Vec3::Y * 0.1 * high).normalize();
            card.corners.iter_mut().for_each(|corner| corner.normal = normal);
            all.append(&card);
        }
    }
    all
}

fn grass() -> Shape {
    let mut all = Shape::default();
    for tuft in 0..TUFTS {
        let place = Vec3::new(chance(tuft, 31) * 13.0 - 6.5, 0.0, 3.4 - chance(tuft, 32) * chance(tuft, 35) * 14.0);
        let high = 0.14 + 0.16 * chance(tuft, 33);
        let yaw = chance(tuft, 34) * PI;
        for crossing in [0.0, FRAC_PI_2] {
            let card = Mat4::from_translation(place + Vec3::Y * high)
                * Mat4::from_rotation_y(yaw + crossing)
                * Mat4::from_scale(Vec3::splat(high));
            let mut card = Shape::card().moved(card);
            card.corners.iter_mut().for_each(|corner| corner.normal = Vec3::Y);
            all.append(&card);
        }
    }
    all
}
