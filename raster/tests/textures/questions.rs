//! Questions to a texture, a pixel each.

use crate::drawing::*;
use glam::Vec4;
use raster::{Backend, Bindings, Buffer, Frame, Sampler, State, Texture, TextureDimension};

/// Where and how one pixel samples.
#[derive(Copy, Clone, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Question {
    /// Coordinates, as many as the kind has.
    pub at: [f32; 4],
    pub ddx: [f32; 4],
    pub ddy: [f32; 4],
    pub layer: i32,
    /// The level; not a number: by gradients.
    pub level: f32,
    pub padding: [u32; 2],
}

/// Pixels in a row of the frame.
const WIDTH: u32 = 32;

/// A shader that answers the questions.
pub fn shader(dimension: TextureDimension) -> String {
    let (at, layer) = match dimension {
        TextureDimension::D1 => (".x", ""),
        TextureDimension::D2 => (".xy", ""),
        TextureDimension::D2Array => (".xy", ", q.layer"),
        TextureDimension::Cube => (".xyz", ""),
        TextureDimension::CubeArray => (".xyz", ", q.layer"),
        other => unreachable!("{other:?} has tests of its own"),
    };
    // One-dimensional textures have no gradients in WGSL.
    let gradients = if dimension == TextureDimension::D1 {
        "textureSampleLevel(t, s, q.at.x, 0.0)".to_owned()
    } else {
        format!("textureSampleGrad(t, s, q.at{at}{layer}, q.ddx{at}, q.ddy{at})")
    };
    format!(
        "struct Question {{ at: vec4<f32>, ddx: vec4<f32>, ddy: vec4<f32>, layer: i32, level: f32 }}
        @group(0) @binding(0) var t: {kind}<f32>;
        @group(0) @binding(1) var s: sampler;
        @group(0) @binding(2) var<storage, read> questions: array<Question>;
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {{
            let index = min(u32(p.y) * {WIDTH}u + u32(p.x), arrayLength(&questions) - 1u);
            let q = questions[index];
            var color = vec4<f32>();
            if q.level == q.level {{
                color = textureSampleLevel(t, s, q.at{at}{layer}, q.level);
            }} else {{
                color = {gradients};
            }}
            return color;
        }}",
        kind = dimension.wgsl()
    )
}

/// A frame of questions.
pub fn frame_of(texture: &Texture, sampler: Sampler, questions: &[Question]) -> Frame {
    let pipeline = pipeline(&shader(texture.dimension()), State::FLAT);
    let bindings = Bindings::new().with(0, 0, texture).with(0, 1, sampler).with(0, 2, &Buffer::from_slice(questions));
    let size = (WIDTH, (questions.len() as u32).div_ceil(WIDTH));
    let (w, h) = (size.0 as f32, size.1 as f32);
    let corners = [[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]].map(|place| at_pixel(place, size, Vec4::ONE));
    let vertices = [0, 1, 2, 0, 2, 3].map(|corner: usize| corners[corner]).to_vec();
    frame(size.0, size.1, vec![draw(&pipeline, vertices).with_bindings(bindings)])
}

/// The answers, 0xAARRGGBB.
pub fn answers(backend: &mut dyn Backend, texture: &Texture, sampler: Sampler, questions: &[Question]) -> Vec<u32> {
    let target = render(backend, &frame_of(texture, sampler, questions));
    (0..questions.len() as u32).map(|index| target.color_at(index % WIDTH, index / WIDTH)).collect()
}

/// The answers of every backend, which must agree.
#[track_caller]
pub fn answers_of_all(texture: &Texture, sampler: Sampler, questions: &[Question]) -> Vec<u32> {
    let all: Vec<_> = backends().iter_mut().map(|b| answers(&mut **b, texture, sampler, questions)).collect();
    for other in &all[1..] {
        assert_eq!(*other, all[0], "every backend gives the reference's bits");
    }
    all.into_iter().next().expect("there are backends")
}

/// At coordinates, at a level.
pub fn at_level(at: &[f32], level: f32) -> Question {
    let mut question = Question { level, ..Question::default() };
    question.at[..at.len()].copy_from_slice(at);
    question
}
