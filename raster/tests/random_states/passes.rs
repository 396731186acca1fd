//! Several colour targets, samples, resolves, load and store operations, and what shaders give beside one colour.

use raster::state::{ColorTarget, MultisampleState};
use raster::{
    Backend, Clear, ColorAttachment, ColorFormat, Contents, DepthAttachment, Draw, Frame, Load, Pass, Pipeline,
    Samples, State, Store, Surface,
};

use crate::chance::Chance;
use crate::drawing::{pipeline, render};
use crate::scene::draw_of;
use crate::{fragment, primitive};

const SIZE: (u32, u32) = (16, 16);

/// Gives integers to targets 1 and 3, colours to target 0.
const INTEGERS: &str = "struct Out { @location(3) d: vec3<i32>, @location(0) a: vec4<f32>, @location(1) b: vec4<u32> }
     @fragment fn main(@location(0) color: vec4<f32>, @builtin(position) p: vec4<f32>) -> Out {
         let wide = vec4<i32>(color * 700.0) - 300;
         return Out(wide.zyx, color, bitcast<vec4<u32>>(p) * 3u + vec4<u32>(wide)); }";

const SHADERS: [&str; 8] = [
    "struct Out { @location(2) c: f32, @location(0) a: vec4<f32>, @location(3) d: vec3<f32>, @location(1) b: vec2<f32> }
     @fragment fn main(@location(0) color: vec4<f32>) -> Out { return Out(color.b, color, color.bgr * 0.5, color.ga); }",
    "struct Out { @location(0) a: vec4<f32>, @location(1) b: vec4<f32> }
     @fragment fn main(@location(0) @interpolate(perspective, sample) color: vec4<f32>, @builtin(position) p: vec4<f32>) -> Out {
         return Out(color + dpdx(color), fract(p)); }",
    "struct Out { @location(0) a: vec4<f32>, @builtin(frag_depth) d: f32 }
     @fragment fn main(@location(0) @interpolate(perspective, centroid) color: vec4<f32>) -> Out {
         if color.g > 0.6 { discard; }
         return Out(color, color.r * 1.5 - 0.25); }",
    "struct Out { @builtin(sample_mask) m: u32, @location(1) b: vec3<f32> }
     @fragment fn main(@location(0) @interpolate(linear) color: vec4<f32>, @builtin(sample_mask) m: u32) -> Out {
         return Out(select(m, 6u, color.b > 0.4), color.rgb * f32(m) * 0.1); }",
    "struct Out { @builtin(frag_depth) d: f32, @builtin(sample_mask) m: u32 }
     @fragment fn main(@location(0) @interpolate(flat) color: vec4<f32>, @builtin(sample_index) i: u32) -> Out {
         return Out(fract(color.r + f32(i) * 0.3), 11u); }",
    "@fragment fn main(@location(0) @interpolate(linear, centroid) color: vec4<f32>, @builtin(sample_index) i: u32) -> @location(0) vec4<f32> {
         return color * (1.0 - f32(i) * 0.25); }",
    "struct Out { @location(7) h: vec4<f32>, @location(0) a: vec4<f32>, @location(4) e: vec2<f32>, @location(6) g: f32, @location(5) f: vec3<f32> }
     @fragment fn main(@location(0) color: vec4<f32>) -> Out { return Out(color.gbra, color, color.ag, color.b, color.rrb); }",
    "@fragment fn main() {}",
];

/// Passes over surfaces of their own.
pub struct RandomPasses {
    pub state: State,
    pub frame: Frame,
    surfaces: Vec<Surface>,
}

fn load(chance: &mut Chance, attachment: ColorAttachment) -> ColorAttachment {
    let corner = |chance: &mut Chance| chance.below(9) as i32;
    let (x0, y0) = (corner(chance), corner(chance));
    let rectangle =
        raster::geometry::pixel_box::PixelBox { x0, y0, x1: x0 + corner(chance) - 1, y1: y0 + corner(chance) };
    let color = [0; 4].map(|_| chance.unit());
    let load = match chance.below(4) {
        0 => Load::Clear(color),
        1 if rectangle.x0 <= rectangle.x1 && rectangle.x1 <= 16 => Load::ClearRectangle(color, rectangle),
        _ => Load::Load,
    };
    let store = if chance.once_in(6) { Store::Discard } else { Store::Store };
    ColorAttachment { load, store, ..attachment }
}

impl RandomPasses {
    pub fn new(chance: &mut Chance) -> Self {
        let samples = if chance.flag() { Samples::Four } else { Samples::One };
        let state = primitive::choose(chance, State::FLAT);
        let mut state = fragment::choose(chance, state);
        state.multisample = MultisampleState {
            mask: if chance.once_in(3) { chance.below(16) } else { u32::MAX },
            alpha_to_coverage: chance.once_in(3),
        };
        for target in &mut state.targets {
            target.format = chance.pick(&[ColorFormat::Rgba8, ColorFormat::Rgba8, ColorFormat::Rgba8Srgb]);
        }
        // A sprite gives location 0, which one shader reads flat.
        state.point.sprite = None;
        let has_integers = chance.once_in(5);
        if has_integers {
            let kinds =
                [[ColorFormat::R32Uint, ColorFormat::Rgba8Uint], [ColorFormat::R32Sint, ColorFormat::Rgba8Sint]];
            for (target, formats) in [1, 3].into_iter().zip(kinds) {
                let format = chance.pick(&formats);
                state.targets[target] = ColorTarget { mask: state.targets[target].mask, ..ColorTarget::of(format) };
            }
        }
        let pipeline = pipeline(if has_integers { INTEGERS } else { chance.pick(&SHADERS) }, state);
        let depths = Surface::depth("depths", SIZE, state.depth_format, samples).expect("a small size");
        let mut surfaces = vec![depths.clone()];
        let mut attachments = Vec::new();
        for target in &state.targets[..1 + chance.below(8) as usize] {
            let surface = |samples| Surface::color("colour", SIZE, target.format, samples).expect("a small size");
            let many = surface(samples);
            let one = surface(Samples::One);
            let is_resolved = samples == Samples::Four && !target.format.is_integer() && chance.flag();
            surfaces.extend([many.clone(), one.clone()]);
            attachments.push(ColorAttachment { resolve: is_resolved.then_some(one), ..ColorAttachment::loaded(&many) });
        }
        let clears = attachments.iter().map(|attachment| {
            let color = [0; 4].map(|_| chance.unit());
            ColorAttachment { load: Load::Clear(color), ..attachment.clone() }
        });
        let clears = clears.collect();
        let depth = DepthAttachment {
            load: Load::Clear(chance.between(0.0, 1.0)),
            stencil_load: Load::Clear(chance.byte()),
            ..DepthAttachment::loaded(&depths)
        };
        let draws = |chance: &mut Chance, pipeline: &Pipeline| -> Vec<Draw> {
            (0..1 + chance.below(2)).map(|_| draw_of(chance, pipeline, 2)).collect()
        };
        let first = Pass { colors: clears, depth: Some(depth), draws: draws(chance, &pipeline), ..Pass::default() };
        let stencil_load = if chance.once_in(3) { Load::Clear(chance.byte()) } else { Load::Load };
        let depth = DepthAttachment { stencil_load, ..DepthAttachment::loaded(&depths) };
        let colors = attachments.into_iter().map(|attachment| load(chance, attachment)).collect();
        let second = Pass { colors, depth: Some(depth), draws: draws(chance, &pipeline), ..Pass::default() };
        let frame = Frame::new(4, 4, Clear::BLACK, Vec::new()).after(vec![first, second]);
        Self { state, frame, surfaces }
    }

    /// Draws the passes and reads every surface.
    pub fn draw(&self, backend: &mut dyn Backend) -> Vec<Contents> {
        render(backend, &self.frame);
        let read = |surface: &Surface| backend.read(surface).unwrap_or_else(|error| panic!("{error}"));
        self.surfaces.iter().map(read).collect()
    }

    /// Where two drawings differ first: surface (0 is depth), plane, pixel.
    pub fn difference(a: &[Contents], b: &[Contents]) -> Option<String> {
        for (surface, (a, b)) in a.iter().zip(b).enumerate() {
            for (plane, (a, b)) in a.planes.iter().zip(&b.planes).enumerate() {
                if let Some(pixel) = a.iter().zip(b).position(|(a, b)| a != b) {
                    let (wanted, found) = (a[pixel], b[pixel]);
                    return Some(format!(
                        "surface {surface}, plane {plane}, pixel {pixel}: {found:#010x}, not {wanted:#010x}"
                    ));
                }
            }
        }
        None
    }
}
