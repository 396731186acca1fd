//! A few overlapping primitives on a tiny target, drawn with a random state over what a plain one left.

use glam::Vec4;
use raster::{
    Bindings, Clear, ColorFormat, DepthFormat, DepthState, Draw, Dynamic, Frame, Pipeline, Sampler, Samples, State,
    StencilFace, StencilState, Texture, Vertex,
};
use texture::{Format, Image};

use crate::chance::Chance;
use crate::drawing::{draw, pipeline};
use crate::{fragment, primitive};

/// Shows its input.
const PLAIN: &str = "
    @fragment fn main(@location(0) color: vec4<f32>) -> @location(0) vec4<f32> { return color; }
";
/// Throws some pixels away, some of them in one branch of two.
const DISCARDING: &str = "
    @fragment fn main(@location(0) color: vec4<f32>, @builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
        if color.r > 0.7 { if (u32(p.x) & 1u) == 0u { discard; } }
        return color + dpdx(color) * 0.25;
    }
";

/// Bytes of a texture go straight into the target where nothing is done with them: the compiler knows, and blending and
/// fog must make it forget.
const TEXTURED: &str = "
    @group(0) @binding(0) var picture: texture_2d<f32>;
    @group(0) @binding(1) var how: sampler;
    @fragment fn main(@location(0) color: vec4<f32>) -> @location(0) vec4<f32> {
        return textureSample(picture, how, color.xy);
    }
";

/// The state, the shader and the draws of one case; the state of the first draw is plain.
pub struct Scene {
    pub state: State,
    pub frame: Frame,
}

/// Pipelines that many scenes share.
pub struct Stock {
    /// Writes everything: one for each pair of formats.
    plain: Vec<((ColorFormat, DepthFormat), Pipeline)>,
    picture: Texture,
}

impl Stock {
    pub fn new() -> Self {
        let image = Image::from_fn(Format::A8R8G8B8, 8, 8, |x, y| x << 29 | x << 21 | y << 13 | (x ^ y) << 5);
        Self { plain: Vec::new(), picture: Texture::new(image.expect("a small picture")) }
    }

    fn plain(&mut self, color: ColorFormat, depth: DepthFormat) -> Pipeline {
        if let Some((_, known)) = self.plain.iter().find(|(formats, _)| *formats == (color, depth)) {
            return known.clone();
        }
        let stencil = if depth.has_stencil() { StencilState::both(StencilFace::REPLACE) } else { StencilState::OFF };
        let state = State { depth: DepthState::LESS_WRITE, stencil, ..State::FLAT }.on(color, depth);
        let pipeline = pipeline(PLAIN, state);
        self.plain.push(((color, depth), pipeline.clone()));
        pipeline
    }
}

fn vertices(chance: &mut Chance, triangles: u32) -> Vec<Vertex> {
    // Equal depths are common, so that every comparison has something to tell.
    let depth = if chance.flag() { Some(chance.between(0.2, 0.6)) } else { None };
    let vertex = |chance: &mut Chance| {
        let w = if depth.is_some() { 1.0 } else { chance.between(0.3, 3.0) };
        let z = depth.unwrap_or_else(|| chance.between(-0.05, 1.05));
        let place = Vec4::new(chance.between(-1.6, 1.6) * w, chance.between(-1.6, 1.6) * w, z * w, w);
        let size = if chance.flag() { 0.0 } else { chance.between(-0.5, 9.0) };
        let color = Vec4::new(chance.unit(), chance.unit(), chance.unit(), chance.unit());
        Vertex::at(place).with(0, color).with_point_size(size)
    };
    (0..3 * triangles).map(|_| vertex(chance)).collect()
}

/// One of several draws with one pipeline, with values of its own.
pub fn draw_of(chance: &mut Chance, pipeline: &Pipeline, triangles: u32) -> Draw {
    let constants = fragment::constants(chance);
    let draw = draw(pipeline, vertices(chance, triangles)).with_dynamic(primitive::dynamic(chance, constants));
    primitive::order(chance, draw)
}

impl Scene {
    pub fn new(chance: &mut Chance, stock: &mut Stock) -> Self {
        let state = primitive::choose(chance, State::FLAT);
        let state = fragment::choose(chance, state);
        let first = stock.plain(state.targets[0].format, state.depth_format);
        let second = pipeline(chance.pick(&[PLAIN, DISCARDING, TEXTURED]), state);
        let how = chance.pick(&[Sampler::POINT, Sampler::BILINEAR]);
        let bindings = Bindings::new().with(0, 0, &stock.picture).with(0, 1, how);
        let plain = Dynamic { constants: fragment::constants(chance), ..Dynamic::DEFAULT };
        let plain = draw(&first, vertices(chance, 2)).with_dynamic(plain);
        let draws = [plain, draw_of(chance, &second, 2), draw_of(chance, &second, 2)];
        let draws = draws.map(|draw| draw.with_bindings(bindings.clone())).to_vec();
        let clear =
            Clear { color: [0; 4].map(|_| chance.unit()), depth: chance.between(0.0, 1.0), stencil: chance.byte() };
        let samples = if chance.once_in(4) { Samples::Four } else { Samples::One };
        Self { state, frame: Frame::new(16, 16, clear, draws).with_samples(samples) }
    }

    /// The same with one sample a pixel, which is all that the interpreted kernel is run with.
    pub fn with_one_sample(self) -> Self {
        Self { frame: self.frame.with_samples(Samples::One), ..self }
    }
}
