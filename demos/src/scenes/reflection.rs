//! Polished things under an open sky: a cube map seen in the direction that each pixel mirrors.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec3};
use raster::{Bindings, Buffer, Clear, Cull, DepthState, Frame, Pipeline, State, Texture};
use shaders::texture_calls::TextureDimension;
use texture::{Format, Image, ImageError};

use crate::camera::Camera;
use crate::noise::noise;
use crate::scenes::surface::{Surface, SurfaceError};
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::Shape;

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "reflection",
    about: "polished things that mirror a cube map of sky, hills and a tiled floor",
    is_filtered: true,
    make: |texture| Ok(Box::new(Reflection::new(texture)?)),
};

/// Texels along each side of a face.
const FACE: u32 = 128;

/// `struct Look` of `reflection.wgsl`.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
struct Look {
    eye: [f32; 3],
    blur: f32,
    metal: [f32; 4],
}

struct Reflection {
    backdrop: Surface,
    knot: Surface,
    ball: Surface,
    sky: Texture,
}

/// The colour that is seen in a direction.
fn sky(direction: Vec3) -> Vec3 {
    let mix = |from: Vec3, to: Vec3, t: f32| from + (to - from) * t.clamp(0.0, 1.0);
    let sun = Vec3::new(0.6, 0.42, 0.55).normalize();
    if direction.y < -0.02 {
        // A floor one unit below, tiled, fading into the distance.
        let place = Vec2::new(direction.x, direction.z) / -direction.y;
        let tile = (place.x * 1.4).floor() as i32 + (place.y * 1.4).floor() as i32;
        let color = if tile.rem_euclid(2) == 0 { Vec3::new(0.72, 0.66, 0.56) } else { Vec3::new(0.26, 0.22, 0.24) };
        return mix(color, Vec3::new(0.62, 0.64, 0.66), place.length() * 0.07);
    }
    let around = direction * Vec3::new(1.0, 0.0, 1.0);
    let hills = 0.03
        + 0.14 * noise(around.normalize_or_zero() * 2.6 + Vec3::splat(4.0))
        + 0.03 * noise(around.normalize_or_zero() * 13.0);
    if direction.y < hills {
        return mix(Vec3::new(0.22, 0.3, 0.26), Vec3::new(0.42, 0.5, 0.55), direction.y / hills * 0.8);
    }
    let color = mix(Vec3::new(0.78, 0.85, 0.92), Vec3::new(0.16, 0.38, 0.76), direction.y * 1.5);
    let above = direction * (2.2 / (direction.y + 0.25));
    let cloud = noise(above + Vec3::splat(9.0)) * 0.6 + noise(above * 2.7) * 0.28 + noise(above * 6.1) * 0.14;
    let cloudy = mix(color, Vec3::new(1.0, 0.99, 0.97), (cloud - 0.5) * 3.6);
    let shine = direction.dot(sun).max(0.0);
    let glow = shine * shine * shine * shine * shine * shine * shine * shine;
    mix(cloudy + Vec3::new(0.3, 0.24, 0.12) * glow, Vec3::new(1.0, 0.97, 0.86), (shine - 0.992) * 400.0)
}

/// The sky as six faces, with all their levels.
fn sky_map() -> Result<Image, ImageError> {
    let face = |number: u32| {
        let mut bytes = Vec::with_capacity((FACE * FACE * 4) as usize);
        for texel in 0..FACE * FACE {
            let place = |texel: u32| (texel as f32 + 0.5) / FACE as f32 * 2.0 - 1.0;
            let (s, t) = (place(texel % FACE), place(texel / FACE));
            // Vulkan, "Cube Map Face Selection".
            let direction = match number {
                0 => Vec3::new(1.0, -t, -s),
                1 => Vec3::new(-1.0, -t, s),
                2 => Vec3::new(s, 1.0, t),
                3 => Vec3::new(s, -1.0, -t),
                4 => Vec3::new(s, -t, 1.0),
                _ => Vec3::new(-s, -t, -1.0),
            };
            let color = sky(direction.normalize());
            bytes.extend(color.to_array().map(|channel| (channel.clamp(0.0, 1.0) * 255.0 + 0.5) as u8));
            bytes.push(255);
        }
        Image::new(Format::Rgba8, FACE, FACE, bytes)
    };
    let faces = (0..6).map(face).collect::<Result<Vec<_>, _>>()?;
    Image::from_layers(&faces)?.with_mipmaps()
}

impl Reflection {
    fn new(_: Option<&Image>) -> Result<Self, SurfaceError> {
        let pipeline = |entry, state| Pipeline::new("reflection.wgsl", include_str!("reflection.wgsl"), entry, state);
        let polished = pipeline("polished", State::SOLID)?;
        let behind = State { cull: Cull::None, depth: DepthState::OFF, ..State::FLAT };
        Ok(Self {
            backdrop: Surface::of(&Shape::cube(), &pipeline("backdrop", behind)?)?,
            knot: Surface::of(&Shape::torus_knot(0.36, 192, 28, Vec2::ONE), &polished)?,
            ball: Surface::of(&Shape::sphere(40, 24), &polished)?,
            sky: Texture::of_kind(sky_map()?, TextureDimension::Cube)?,
        })
    }
}

impl Scene for Reflection {
    fn camera(&self) -> Camera {
        Camera {
            target: Vec3::new(0.0, 0.1, 0.0),
            yaw: 2.6,
            pitch: 0.12,
            field_of_view: 1.0,
            ..Camera::at_distance(4.6)
        }
    }

    fn frame(&self, view: &View) -> Frame {
        let see = view.view_projection();
        let eye = view.camera.eye();
        let sampler = view.filter.sampler();
        let bindings = |metal: [f32; 3], blur: f32| {
            let look = Look { eye: eye.to_array(), blur, metal: [metal[0], metal[1], metal[2], 1.0] };
            Bindings::new().with(0, 0, &Buffer::from_value(&look)).with(0, 1, &self.sky).with(0, 2, sampler)
        };
        let round_the_eye = Mat4::from_translation(eye) * Mat4::from_scale(Vec3::splat(view.camera.distance * 8.0));
        let knot = Mat4::from_rotation_y(view.time * 0.3) * Mat4::from_rotation_x(1.2);
        let ball = |angle: f32, size: f32| {
            let place = Vec2::from_angle(angle + view.time * 0.25) * 2.1;
            Mat4::from_translation(Vec3::new(place.x, -0.35, place.y)) * Mat4::from_scale(Vec3::splat(size))
        };
        let draws = vec![
            self.backdrop.draw_with(round_the_eye, see, bindings([1.0; 3], 0.0)),
            self.knot.draw_with(knot, see, bindings([1.0, 0.8, 0.46], 0.0)),
            self.ball.draw_with(ball(0.2, 0.55), see, bindings([0.82, 0.85, 0.9], 0.0)),
            self.ball.draw_with(ball(2.4, 0.48), see, bindings([0.95, 0.55, 0.45], 2.5)),
            self.ball.draw_with(ball(4.3, 0.42), see, bindings([0.4, 0.62, 0.95], 0.0)),
        ];
        Frame::new(view.width, view.height, Clear::BLACK, draws)
    }
}
