//! Shadows by counting: the stencil of a pixel counts how many shadow volumes its view ray enters and leaves before it meets a
//! surface; where the count is not zero, the surface gets no direct light.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use raster::{
    Bindings, BlendState, Buffer, Clear, ColorFormat, ColorMask, Compare, Cull, DepthFormat, DepthState, Draw, Frame,
    Pipeline, State, StencilFace, StencilState, Vertex,
};
use texture::Image;

use crate::camera::Camera;
use crate::patterns::Pattern;
use crate::scenes::surface::{FLAT_SHADER, Light, Surface, SurfaceError};
use crate::scenes::volume::Caster;
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::Shape;

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "shadows",
    about: "shadow volumes counted in the stencil, up and down in one draw, with a moving light",
    is_filtered: true,
    make: |texture| Ok(Box::new(Shadows::new(texture)?)),
};

/// How far volumes reach.
const REACH: f32 = 40.0;
/// Ambient light alone, and what the lamp adds.
const AMBIENT: f32 = 0.3;
const LAMP: f32 = 0.85;

/// A thing: drawn twice, in the dark and in the light, and what it shadows.
struct Thing {
    dark: Surface,
    lit: Surface,
    /// None for the floor.
    caster: Option<Caster>,
}

struct Shadows {
    floor: Thing,
    knot: Thing,
    ball: Thing,
    cube: Thing,
    volumes: Pipeline,
}

/// Every pipeline is for a target with stencil.
const BASE: State = State::SOLID.on(ColorFormat::Rgba8, DepthFormat::Depth24Stencil8);

impl Thing {
    fn new(shape: &Shape, image: Image, casts: bool) -> Result<Self, SurfaceError> {
        // Where nothing shadows, the lamp's light is added to what is there already.
        let lit = State {
            depth: DepthState { compare: Compare::Equal, write: false },
            stencil: StencilState::both(StencilFace::EQUAL),
            ..BASE
        };
        Ok(Self {
            dark: Surface::new(shape, image.clone(), "unlit", BASE)?,
            lit: Surface::new(shape, image, "lit", lit.blended(BlendState::ADDITIVE))?,
            caster: casts.then(|| Caster::new(shape)),
        })
    }
}

impl Shadows {
    fn new(texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let image = |pattern: fn(u32) -> Pattern| Surface::image_or(texture, || pattern(256));
        // Counted from behind, so that an eye inside a volume counts right; wrapping, so that the order does not matter.
        let counting = State {
            cull: Cull::None,
            depth: DepthState::LESS,
            stencil: StencilState { front: StencilFace::COUNT_DOWN_BEHIND, back: StencilFace::COUNT_UP_BEHIND },
            ..BASE
        };
        Ok(Self {
            floor: Thing::new(&Shape::plane(30.0, 1, 10.0), image(Pattern::tiles)?, false)?,
            knot: Thing::new(&Shape::torus_knot(0.3, 128, 14, Vec2::new(2.0, 14.0)), image(Pattern::bricks)?, true)?,
            ball: Thing::new(&Shape::sphere(28, 18), image(Pattern::bands)?, true)?,
            cube: Thing::new(&Shape::cube(), image(Pattern::wood)?, true)?,
            volumes: Pipeline::new("flat.wgsl", FLAT_SHADER, "all_one", counting.masked(ColorMask::NONE))?,
        })
    }

    /// The volume of a thing that stands at `model`, seen by a lamp at `lamp`.
    fn volume(&self, caster: &Caster, model: Mat4, lamp: Vec3, see: Mat4) -> Draw {
        let corners: Arc<[Vec3]> = caster.volume(model.inverse().transform_point3(lamp), REACH).into();
        let count = corners.len() as u32;
        let to_clip = see * model;
        let bindings = Bindings::new().with(0, 0, &Buffer::from_value(&[0.0f32; 4]));
        let vertex = move |index: u32| Vertex::at(to_clip * corners[index as usize].extend(1.0));
        Draw::list(&self.volumes, count, vertex).with_bindings(bindings)
    }
}

impl Scene for Shadows {
    fn camera(&self) -> Camera {
        Camera { target: Vec3::new(0.0, 0.75, 0.0), yaw: 0.45, pitch: 0.42, ..Camera::at_distance(7.2) }
    }

    fn frame(&self, view: &View) -> Frame {
        let (see, sampler) = (view.view_projection(), view.filter.sampler());
        let around = Vec2::from_angle(view.time * 0.5 + 0.9);
        let lamp = Vec3::new(around.x * 3.0, 4.6, around.y * 3.0);
        let standing = |x, y, z, turn: Mat4, size| {
            Mat4::from_translation(Vec3::new(x, y, z)) * turn * Mat4::from_scale(Vec3::splat(size))
        };
        let things = [
            (&self.floor, Mat4::IDENTITY),
            (
                &self.knot,
                standing(-0.9, 1.5, -0.3, Mat4::from_rotation_y(view.time * 0.4) * Mat4::from_rotation_x(0.9), 0.72),
            ),
            (&self.ball, standing(1.5, 0.85, 0.9, Mat4::from_rotation_y(view.time), 0.55)),
            (&self.cube, standing(1.3, 0.6, -1.6, Mat4::from_rotation_y(0.5 + view.time * 0.2), 0.6)),
        ];
        // Towards the lamp from the middle of each: it is far away enough for one direction.
        let light = |model: Mat4| Light {
            direction: (lamp - model.w_axis.truncate()).normalize().to_array(),
            ambient: 0.0,
            tint: [LAMP, LAMP, LAMP, 1.0],
            ..Light::daylight()
        };
        let dark = things.iter().map(|(thing, model)| {
            let night = Light { tint: [AMBIENT * 0.9, AMBIENT * 0.95, AMBIENT * 1.15, 1.0], ..Light::daylight() };
            thing.dark.draw(*model, see, sampler, night)
        });
        let volumes = things.iter().filter_map(|(thing, model)| {
            let caster = thing.caster.as_ref()?;
            Some(self.volume(caster, *model, lamp, see))
        });
        let lit = things.iter().map(|(thing, model)| thing.lit.draw(*model, see, sampler, light(*model)));
        let draws: Vec<Draw> = dark.chain(volumes).chain(lit).collect();
        let clear = Clear::to([0.05, 0.06, 0.1, 1.0]);
        Frame::new(view.width, view.height, clear, draws)
    }
}
