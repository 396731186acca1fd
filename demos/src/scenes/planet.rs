//! A planet of more than a hundred thousand triangles, most of them about a pixel: what small triangles cost.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec3, Vec4};
use raster::{Bindings, Buffer, Clear, Cull, Frame, Pipeline, State};
use texture::Image;

use crate::camera::Camera;
use crate::noise::{chance, noise};
use crate::scenes::surface::{Surface, SurfaceError};
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::{Corner, Shape};

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "planet",
    about: "a planet of 102,400 small triangles with seas, hills and ice, before the stars",
    is_filtered: false,
    make: |texture| Ok(Box::new(Planet::new(texture)?)),
};

/// Quads round the equator and from pole to pole; two triangles each.
const QUADS: (u32, u32) = (320, 160);
/// Radians a second.
const TURN: f32 = 0.15;
/// Stars, and their distance in radii of the planet.
const STARS: (u32, f32) = (350, 60.0);

/// `struct Light` of `planet.wgsl`.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
struct Light {
    sun: [f32; 3],
    padding_0: f32,
    eye: [f32; 3],
    padding_1: f32,
}

struct Planet {
    ground: Surface,
    stars: Surface,
}

impl Planet {
    fn new(_: Option<&Image>) -> Result<Self, SurfaceError> {
        let pipeline = |entry, state| Pipeline::new("planet.wgsl", include_str!("planet.wgsl"), entry, state);
        let (shape, colors) = ground();
        let (sky, brightness) = stars();
        let back = State { cull: Cull::None, ..State::FLAT };
        Ok(Self {
            ground: Surface::of(&shape, &pipeline("planet", State::SOLID)?)?.with_colors(&colors),
            stars: Surface::of(&sky, &pipeline("star", back)?)?.with_colors(&brightness),
        })
    }
}

impl Scene for Planet {
    fn camera(&self) -> Camera {
        Camera { yaw: -0.5, pitch: 0.3, ..Camera::at_distance(2.9) }
    }

    fn frame(&self, view: &View) -> Frame {
        let see = view.view_projection();
        let light = Light {
            sun: Vec3::new(0.55, 0.35, 0.75).normalize().to_array(),
            padding_0: 0.0,
            eye: view.camera.eye().to_array(),
            padding_1: 0.0,
        };
        let bindings = || Bindings::new().with(0, 0, &Buffer::from_value(&light));
        let turned = Mat4::from_rotation_z(0.3) * Mat4::from_rotation_y(view.time * TURN);
        let draws =
            vec![self.stars.draw_with(Mat4::IDENTITY, see, bindings()), self.ground.draw_with(turned, see, bindings())];
        let clear = Clear::to([0.01, 0.012, 0.03, 1.0]);
        Frame::new(view.width, view.height, clear, draws)
    }
}

/// Height over the sea, about −0.5 to 0.5.
fn height(direction: Vec3) -> f32 {
    let octaves = [(1.7, 0.5), (3.9, 0.26), (8.3, 0.14), (17.1, 0.07), (33.0, 0.035)];
    octaves.iter().map(|&(scale, weight)| (noise(direction * scale + Vec3::splat(11.3)) - 0.5) * weight).sum::<f32>()
        * 2.0
        - 0.04
}

/// Colour and shine of a place.
fn color(direction: Vec3, height: f32) -> Vec4 {
    let mix = |low: Vec3, high: Vec3, t: f32| low + (high - low) * t.clamp(0.0, 1.0);
    let cold = direction.y.abs() + height * 0.5 + (noise(direction * 9.0) - 0.5) * 0.14;
    if cold > 0.86 {
        return Vec4::new(0.92, 0.95, 1.0, 0.25);
    }
    if height < 0.0 {
        return mix(Vec3::new(0.08, 0.36, 0.5), Vec3::new(0.01, 0.07, 0.24), -height * 6.0).extend(0.8);
    }
    let dry = noise(direction * 2.3 + Vec3::splat(5.0)) - direction.y.abs() * 0.4;
    let low = mix(Vec3::new(0.13, 0.36, 0.1), Vec3::new(0.72, 0.58, 0.3), (dry - 0.35) * 5.0);
    let land = if height < 0.02 { Vec3::new(0.76, 0.68, 0.45) } else { low };
    let high = mix(land, Vec3::new(0.36, 0.3, 0.26), (height - 0.1) * 9.0);
    mix(high, Vec3::new(0.95, 0.95, 0.98), (height - 0.24) * 14.0).extend(0.03)
}

/// The sphere, raised where there is land; its normals are the raised surface's.
fn ground() -> (Shape, Vec<Vec4>) {
    let mut shape = Shape::sphere(QUADS.0, QUADS.1);
    let mut colors = Vec::with_capacity(shape.corners.len());
    let raised = |direction: Vec3| direction * (1.0 + height(direction).max(0.0) * 0.18);
    for corner in &mut shape.corners {
        let direction = corner.normal;
        let here = height(direction);
        colors.push(color(direction, here));
        corner.position = raised(direction);
        if here > 0.0 {
            // From three near places, as if the land rose four times as steeply: it is seen from far away.
            let east = direction.cross(Vec3::new(0.3, 1.0, 0.2)).normalize();
            let north = east.cross(direction);
            const STEP: f32 = 0.01;
            let slope = |along: Vec3| (height((direction + along * STEP).normalize()).max(0.0) - here) / STEP;
            corner.normal = (direction - (east * slope(east) + north * slope(north)) * 0.7).normalize();
        }
    }
    (shape, colors)
}

/// Small triangles all round, each with its brightness.
fn stars() -> (Shape, Vec<Vec4>) {
    let (mut shape, mut colors) = (Shape::default(), Vec::new());
    for star in 0..STARS.0 {
        let around = Vec2::from_angle(chance(star, 1) * std::f32::consts::TAU);
        let up = chance(star, 2) * 2.0 - 1.0;
        let level = (1.0 - up * up).sqrt();
        let direction = Vec3::new(level * around.x, up, level * around.y);
        let side = direction.cross(Vec3::new(0.1, 0.9, 0.3)).normalize();
        let over = side.cross(direction);
        let size = 0.1 + 0.16 * chance(star, 3);
        let first = shape.corners.len() as u32;
        for (right, high) in [(-0.87, -0.5), (0.87, -0.5), (0.0, 1.0)] {
            let position = direction * STARS.1 + (side * right + over * high) * size;
            shape.corners.push(Corner { position, normal: -direction, uv: Vec2::ZERO });
            let warm = chance(star, 4);
            let bright = 0.35 + 0.65 * chance(star, 5);
            colors.push((Vec3::new(0.8 + 0.2 * warm, 0.9, 1.0 - 0.25 * warm) * bright).extend(1.0));
        }
        shape.indices.extend([first, first + 1, first + 2]);
    }
    (shape, colors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_a_hundred_thousand_triangles() {
        let (shape, colors) = ground();
        assert_eq!(shape.indices.len() / 3, 102_400);
        assert_eq!(colors.len(), shape.corners.len());
        assert!(shape.corners.iter().all(|corner| (corner.normal.length() - 1.0).abs() < 1e-4));
        let land = shape.corners.iter().filter(|corner| corner.position.length() > 1.0).count() as f32;
        let share = land / shape.corners.len() as f32;
        assert!((0.2..0.7).contains(&share), "land and sea: {share}");
    }
}
