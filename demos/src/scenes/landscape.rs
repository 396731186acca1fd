//! Hills that go over into the sky: fog by the distance from the eye, worked out for each fragment after its tests.

use glam::{Mat4, Vec2, Vec3, Vec4};
use raster::{Clear, Constants, Cull, Dynamic, Fog, FogState, Frame, State};
use texture::Image;

use crate::camera::Camera;
use crate::noise::{chance, noise};
use crate::patterns::Pattern;
use crate::scenes::surface::{Light, Surface, SurfaceError};
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::Shape;

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "landscape",
    about: "hills, firs and a lake in fog, exponential with the square of the distance",
    is_filtered: true,
    make: |texture| Ok(Box::new(Landscape::new(texture)?)),
};

/// Sides of the land in scene units, and quads along each.
const SIDE: f32 = 64.0;
const QUADS: u32 = 80;
/// Height of the lake's water.
const WATER: f32 = -0.55;
/// Firs that are tried; those that would stand in water or on rock are left out.
const FIRS: u32 = 620;
/// The fog's colour, which is the sky's.
const SKY: [f32; 4] = [0.73, 0.78, 0.83, 1.0];
/// One by the scene units after which about a third of a colour is left (1/e).
const DENSITY: f32 = 0.042;

struct Landscape {
    land: Surface,
    firs: Surface,
    water: Surface,
}

/// Height of the land; a valley runs away from the eye.
fn height(x: f32, z: f32) -> f32 {
    let at = Vec3::new(x, 0.5, z);
    let hills = (noise(at * 0.11) - 0.45) * 5.6 + (noise(at * 0.31) - 0.5) * 1.5 + (noise(at * 0.9) - 0.5) * 0.3;
    let valley = (x * 0.3 + (noise(Vec3::new(0.0, 3.5, z * 0.12)) - 0.5) * 2.4).abs().min(1.5);
    hills * (0.2 + 0.6 * valley) + valley * 1.1 - 0.85
}

fn land() -> (Shape, Vec<Vec4>) {
    let mut shape = Shape::plane(SIDE, QUADS, 26.0);
    let mut colors = Vec::new();
    for corner in &mut shape.corners {
        let (x, z) = (corner.position.x, corner.position.z);
        let here = height(x, z);
        corner.position.y = here;
        let slope = Vec2::new(height(x + 0.2, z) - here, height(x, z + 0.2) - here) / 0.2;
        corner.normal = Vec3::new(-slope.x, 1.0, -slope.y).normalize();
        let mix = |from: Vec3, to: Vec3, t: f32| from + (to - from) * t.clamp(0.0, 1.0);
        let green = mix(Vec3::new(0.9, 1.1, 0.75), Vec3::new(1.35, 1.25, 0.8), noise(Vec3::new(x, 7.0, z) * 0.4));
        let rock = mix(green, Vec3::new(1.25, 1.0, 1.7), (1.0 - corner.normal.y) * 6.0 - 0.9);
        let snow = mix(rock, Vec3::new(2.4, 2.0, 4.2), here * 0.9 - 2.0);
        colors.push(mix(Vec3::new(1.6, 1.2, 1.5), snow, (here - WATER) * 6.0).extend(1.0));
    }
    (shape, colors)
}

fn firs() -> (Shape, Vec<Vec4>) {
    let (mut all, mut colors) = (Shape::default(), Vec::new());
    for fir in 0..FIRS {
        let (x, z) = ((chance(fir, 51) - 0.5) * 40.0, 10.0 - chance(fir, 52) * 38.0);
        let foot = height(x, z);
        let is_wood = noise(Vec3::new(x, 9.0, z) * 0.25) > 0.42;
        if !(WATER + 0.15..=1.7).contains(&foot) || !is_wood {
            continue;
        }
        let high = 0.5 + 0.6 * chance(fir, 53);
        for (tier, (low, part)) in [(0.12f32, 0.5f32), (0.38, 0.4), (0.64, 0.36)].into_iter().enumerate() {
            let wide = high * (0.3 - 0.07 * tier as f32);
            let at = Mat4::from_translation(Vec3::new(x, foot + low * high, z))
                * Mat4::from_scale(Vec3::new(wide, part * high, wide));
            let cone = Shape::cone(7, 1.0, 0.0).moved(at);
            let shade = 0.75 + 0.35 * chance(fir, 54) + 0.1 * tier as f32;
            colors.extend(cone.corners.iter().map(|_| Vec4::new(0.16 * shade, 0.3 * shade, 0.2 * shade, 1.0)));
            all.append(&cone);
        }
    }
    (all, colors)
}

impl Landscape {
    fn new(texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let meadow = Surface::image_or(texture, || Pattern::meadow(256))?;
        let plain = || Surface::image_or(None, || Pattern::plain([255, 255, 255]));
        let (land, tints) = land();
        let (firs, greens) = firs();
        let lake = Shape::plane(SIDE, 1, 1.0).moved(Mat4::from_translation(Vec3::Y * WATER));
        let blue = vec![Vec4::new(0.36, 0.46, 0.52, 1.0); lake.corners.len()];
        let solid = State { fog: FogState::EXP2, ..State::SOLID };
        let open = State { cull: Cull::None, ..solid };
        Ok(Self {
            land: Surface::new(&land, meadow, "colored", solid)?.with_colors(&tints),
            firs: Surface::new(&firs, plain()?, "colored", open)?.with_colors(&greens),
            water: Surface::new(&lake, plain()?, "colored", solid)?.with_colors(&blue),
        })
    }
}

impl Scene for Landscape {
    fn camera(&self) -> Camera {
        Camera {
            target: Vec3::new(-0.6, 0.5, 4.0),
            yaw: 0.12,
            pitch: 0.13,
            field_of_view: 0.85,
            ..Camera::at_distance(7.5)
        }
    }

    fn frame(&self, view: &View) -> Frame {
        let (see, sampler) = (view.view_projection(), view.filter.sampler());
        let light =
            Light { direction: Vec3::new(0.7, 0.5, 0.25).normalize().to_array(), ambient: 0.35, ..Light::daylight() };
        let [red, green, blue, _] = SKY;
        let fog = Fog { color: [red, green, blue], density: DENSITY, ..Fog::DEFAULT };
        let fog = Dynamic { constants: Constants { fog, ..Constants::DEFAULT }, ..Dynamic::DEFAULT };
        let draws = [&self.land, &self.firs, &self.water]
            .map(|part| part.draw(Mat4::IDENTITY, see, sampler, light).with_dynamic(fog));
        Frame::new(view.width, view.height, Clear::to(SKY), draws.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn firs_stand_on_land() {
        let (shape, _) = firs();
        assert!(shape.indices.len() > 3000);
        assert!(shape.corners.iter().all(|corner| corner.position.y > WATER));
    }
}
