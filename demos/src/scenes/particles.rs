//! A fountain of sparks: points whose size falls with the distance, with sprite coordinates, added to what is there.

use glam::{Mat4, Vec2, Vec3, Vec4};
use raster::{BlendState, Clear, DepthState, Draw, Frame, Pipeline, PointState, State, Topology, Vertex};
use texture::Image;

use crate::camera::Camera;
use crate::noise::chance;
use crate::patterns::Pattern;
use crate::scenes::surface::{Light, Surface, SurfaceError};
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::Shape;

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "particles",
    about: "a fountain of 1,500 sparks: point sprites, added up, hidden by what stands before them",
    is_filtered: true,
    make: |texture| Ok(Box::new(Particles::new(texture)?)),
};

const SPARKS: u32 = 1500;
/// Seconds from the fountain's mouth to the end; units a second, and a second squared.
const LIFE: f32 = 2.6;
const SPEED: f32 = 4.3;
const FALL: f32 = -3.4;
/// Scene units across a spark.
const SIZE: f32 = 0.16;

struct Particles {
    floor: Surface,
    basin: Surface,
    sparks: Pipeline,
}

impl Particles {
    fn new(texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let image = |pattern: fn(u32) -> Pattern| Surface::image_or(texture, || pattern(256));
        let mut basin = Shape::cone(24, 0.62, 0.5).moved(Mat4::from_scale(Vec3::new(1.0, 0.55, 1.0)));
        basin.append(
            &Shape::cone(24, 0.5, 0.0)
                .moved(Mat4::from_translation(Vec3::Y * 0.55) * Mat4::from_scale(Vec3::new(1.0, 0.12, 1.0))),
        );
        for index in 0..5u32 {
            let place = Vec2::from_angle(index as f32 * 1.2566) * 1.9;
            let at =
                Mat4::from_translation(Vec3::new(place.x, 0.0, place.y)) * Mat4::from_scale(Vec3::new(0.16, 1.5, 0.16));
            basin.append(&Shape::cone(12, 1.0, 0.8).moved(at));
        }
        let sparks = State {
            topology: Topology::PointList,
            point: PointState { sprite: Some(0), ..PointState::SQUARE },
            depth: DepthState::LESS,
            ..State::FLAT
        };
        Ok(Self {
            floor: Surface::new(&Shape::plane(24.0, 1, 9.0), image(Pattern::tiles)?, "lit", State::SOLID)?,
            basin: Surface::new(&basin, image(Pattern::bark)?, "lit", State::SOLID)?,
            sparks: Pipeline::new(
                "particles.wgsl",
                include_str!("particles.wgsl"),
                "spark",
                sparks.blended(BlendState::ADDITIVE),
            )?,
        })
    }
}

/// Where a spark is at its age, and its colour.
fn spark(index: u32, age: f32) -> (Vec3, Vec3) {
    let around = Vec2::from_angle(chance(index, 61) * std::f32::consts::TAU) * (0.12 + 0.3 * chance(index, 62));
    let speed = Vec3::new(around.x, 1.0, around.y) * SPEED * (0.75 + 0.25 * chance(index, 63));
    let mut place = Vec3::Y * 0.66 + speed * age + Vec3::Y * (0.5 * FALL * age * age);
    // They bounce once from the floor.
    if place.y < 0.05 {
        place.y = 0.05 + (0.05 - place.y) * 0.25;
    }
    let part = age / LIFE;
    let young = Vec3::new(1.0, 0.82, 0.45);
    let old = Vec3::new(0.9, 0.16 + 0.2 * chance(index, 64), 0.12 + 0.5 * chance(index, 65));
    (place, (young + (old - young) * part) * (1.0 - part) * 0.75)
}

impl Scene for Particles {
    fn camera(&self) -> Camera {
        Camera { target: Vec3::new(0.0, 1.35, 0.0), yaw: 0.5, pitch: 0.2, ..Camera::at_distance(6.4) }
    }

    fn frame(&self, view: &View) -> Frame {
        let (see, sampler) = (view.view_projection(), view.filter.sampler());
        let night = Light { ambient: 0.12, tint: [0.42, 0.44, 0.62, 1.0], ..Light::daylight() };
        let time = view.time;
        // Pixels that one unit takes at distance 1: half the height by the tangent of half the angle.
        let half = Vec2::from_angle(view.camera.field_of_view * 0.5);
        let scale = view.height as f32 * 0.5 * half.x / half.y;
        let vertex = move |index: u32| {
            let age = (time + chance(index, 60) * LIFE).rem_euclid(LIFE);
            let (place, color) = spark(index, age);
            let position: Vec4 = see * place.extend(1.0);
            let size = (SIZE * scale / position.w.max(0.1)).clamp(1.0, 400.0);
            Vertex::at(position).with(2, color.extend(1.0)).with_point_size(size)
        };
        let sparks = Draw::list(&self.sparks, SPARKS, vertex);
        let draws = vec![
            self.floor.draw(Mat4::IDENTITY, see, sampler, night),
            self.basin.draw(Mat4::IDENTITY, see, sampler, night),
            sparks,
        ];
        let clear = Clear::to([0.015, 0.015, 0.04, 1.0]);
        Frame::new(view.width, view.height, clear, draws)
    }
}
