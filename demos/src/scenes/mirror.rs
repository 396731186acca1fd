//! A mirror and an outline by stencil: the mirror's pixels are marked first, and the room behind it is drawn there only; the
//! outline is a fatter copy of a thing, drawn where the thing is not.

use glam::{Mat4, Vec2, Vec3};
use raster::{
    BlendState, Clear, ColorFormat, ColorMask, Compare, Constants, Cull, DepthFormat, DepthState, Draw, Dynamic, Frame,
    FrontFace, State, StencilFace, StencilState,
};
use texture::Image;

use crate::camera::Camera;
use crate::patterns::Pattern;
use crate::scenes::surface::{Light, Surface, SurfaceError};
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::{Shape, quad};

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "mirror",
    about: "a mirror and an outline by stencil, with glass blended over the mirror",
    is_filtered: true,
    make: |texture| Ok(Box::new(Mirror::new(texture)?)),
};

/// The mirror stands in this plane of z.
const PLANE: f32 = -1.6;
/// Stencil values: the mirror's pixels, and those of the thing with an outline.
const IN_MIRROR: u32 = 1;
const IN_THING: u32 = 2;

const BASE: State = State::SOLID.on(ColorFormat::Rgba8, DepthFormat::Depth24Stencil8);

/// A thing as it is, and as the mirror shows it.
struct Thing {
    front: Surface,
    mirrored: Surface,
}

impl Thing {
    fn new(shape: &Shape, image: Image, state: State) -> Result<Self, SurfaceError> {
        // Mirrored triangles turn the other way round.
        let behind =
            State { front_face: FrontFace::Clockwise, stencil: StencilState::both(StencilFace::EQUAL), ..BASE };
        Ok(Self {
            front: Surface::new(shape, image.clone(), "lit", state)?,
            mirrored: Surface::new(shape, image, "lit", behind)?,
        })
    }
}

struct Mirror {
    floor: Thing,
    knot: Thing,
    ball: Thing,
    frame: Surface,
    /// Marks the mirror's pixels; then covers them with a little blue, and with its depth.
    mask: Surface,
    glass: Surface,
    outline: Surface,
}

impl Mirror {
    fn new(texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let image = |pattern: fn(u32) -> Pattern| Surface::image_or(texture, || pattern(256));
        let plain = || Surface::image_or(None, || Pattern::plain([255, 255, 255]));
        let knot = Shape::torus_knot(0.32, 144, 16, Vec2::new(2.0, 15.0));
        let mut fat = knot.clone();
        fat.corners.iter_mut().for_each(|corner| corner.position += corner.normal * 0.07);
        let (wide, high) = (1.9, 2.7);
        let pane = quad(Vec3::new(-wide, high, PLANE), Vec3::X * 2.0 * wide, Vec3::NEG_Y * (high - 0.12), [1.0; 2]);
        let mut bars = Shape::default();
        for (middle, half) in [
            (Vec3::new(-wide, high * 0.5, PLANE), Vec3::new(0.1, high * 0.5 + 0.1, 0.09)),
            (Vec3::new(wide, high * 0.5, PLANE), Vec3::new(0.1, high * 0.5 + 0.1, 0.09)),
            (Vec3::new(0.0, high, PLANE), Vec3::new(wide, 0.1, 0.09)),
            (Vec3::new(0.0, 0.08, PLANE), Vec3::new(wide, 0.08, 0.09)),
        ] {
            bars.append(&Shape::cube().moved(Mat4::from_translation(middle) * Mat4::from_scale(half)));
        }
        let marked = StencilState::both(StencilFace::REPLACE);
        let mask = State { stencil: marked, depth: DepthState::LESS, ..BASE };
        let outline = State {
            cull: Cull::None,
            depth: DepthState::LESS,
            stencil: StencilState::both(StencilFace { compare: Compare::NotEqual, ..StencilFace::OFF }),
            ..BASE
        };
        Ok(Self {
            floor: Thing::new(&Shape::plane(14.0, 1, 5.0), image(Pattern::tiles)?, BASE)?,
            knot: Thing::new(&knot, image(Pattern::bricks)?, State { stencil: marked, ..BASE })?,
            ball: Thing::new(&Shape::sphere(28, 18), image(Pattern::bands)?, BASE)?,
            frame: Surface::new(&bars, image(Pattern::wood)?, "lit", BASE)?,
            mask: Surface::new(&pane, plain()?, "unlit", mask.masked(ColorMask::NONE))?,
            glass: Surface::new(&pane, plain()?, "unlit", BASE.blended(BlendState::ALPHA))?,
            outline: Surface::new(&fat, plain()?, "unlit", outline)?,
        })
    }
}

/// The same draw with this stencil reference.
fn with_reference(draw: Draw, reference: u32) -> Draw {
    let constants = Constants { stencil_reference: [reference; 2], ..Constants::DEFAULT };
    draw.with_dynamic(Dynamic { constants, ..Dynamic::DEFAULT })
}

impl Scene for Mirror {
    fn camera(&self) -> Camera {
        Camera { target: Vec3::new(0.1, 1.0, -0.4), yaw: 0.5, pitch: 0.24, ..Camera::at_distance(6.2) }
    }

    fn frame(&self, view: &View) -> Frame {
        let (see, sampler, light) = (view.view_projection(), view.filter.sampler(), Light::daylight());
        let around = Vec2::from_angle(view.time * 0.7);
        let knot = Mat4::from_translation(Vec3::new(0.1, 1.25, 0.35))
            * Mat4::from_rotation_y(view.time * 0.5)
            * Mat4::from_rotation_x(1.1)
            * Mat4::from_scale(Vec3::splat(0.62));
        let ball = Mat4::from_translation(Vec3::new(1.55 * around.x, 0.42, 0.3 + 1.3 * around.y))
            * Mat4::from_scale(Vec3::splat(0.42));
        let things = [(&self.floor, Mat4::IDENTITY), (&self.knot, knot), (&self.ball, ball)];
        let mirrored = Mat4::from_translation(Vec3::Z * 2.0 * PLANE) * Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0));
        let mut draws = vec![with_reference(self.mask.draw(Mat4::IDENTITY, see, sampler, light), IN_MIRROR)];
        // The mirror's room, and then the pane with its depth, so that nothing of it shows beside the mirror.
        let [x, y, z] = light.direction;
        let turned = Light { direction: [x, y, -z], ..light };
        for (thing, model) in things {
            draws.push(with_reference(thing.mirrored.draw(mirrored * model, see, sampler, turned), IN_MIRROR));
        }
        let tint = Light { tint: [0.62, 0.72, 0.8, 0.18], ..light };
        draws.push(self.glass.draw(Mat4::IDENTITY, see, sampler, tint));
        draws.push(self.frame.draw(Mat4::IDENTITY, see, sampler, light));
        for (thing, model) in things {
            draws.push(with_reference(thing.front.draw(model, see, sampler, light), IN_THING));
        }
        let glow = Light { tint: [1.0, 0.78, 0.2, 1.0], ..light };
        draws.push(with_reference(self.outline.draw(knot, see, sampler, glow), IN_THING));
        let clear = Clear::to([0.52, 0.6, 0.68, 1.0]);
        Frame::new(view.width, view.height, clear, draws)
    }
}
