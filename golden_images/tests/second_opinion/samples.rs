//! Four samples a pixel: coverage, depth and stencil of each, masks, alpha to coverage, and the resolve.

use glam::{Vec4, vec4};
use raster::state::MultisampleState;
use raster::{Clear, ColorFormat, DepthFormat, DepthState, Draw, Frame, Pipeline, Samples, State, Vertex};

use crate::{compare, driver};

const SIDE: u32 = 64;

const CENTRE: &str = "@fragment fn main(@location(0) color: vec4<f32>) -> @location(0) vec4<f32> { return color; }";
const SAMPLE: &str = "
    @fragment fn main(@location(0) @interpolate(perspective, sample) color: vec4<f32>, @builtin(sample_index) index: u32)
        -> @location(0) vec4<f32> { return color * (0.55 + 0.15 * f32(index)); }";
const MASKED: &str = "
    struct Out { @location(0) color: vec4<f32>, @builtin(sample_mask) mask: u32 }
    @fragment fn main(@builtin(position) place: vec4<f32>, @location(0) color: vec4<f32>) -> Out {
        return Out(color, u32(place.x) % 16u);
    }";

/// Two triangles that cut through each other, and a thin one.
fn frame(source: &str, state: State) -> Frame {
    let pipeline = Pipeline::new("samples.wgsl", source, "main", state).unwrap_or_else(|error| panic!("{error}"));
    let layers: [([[f32; 3]; 3], Vec4); 3] = [
        ([[-0.91, -0.87, 0.2], [0.63, -0.71, 0.8], [-0.37, 0.93, 0.5]], vec4(0.9, 0.3, 0.1, 0.9)),
        ([[0.91, 0.83, 0.3], [-0.69, 0.57, 0.9], [0.41, -0.93, 0.4]], vec4(0.2, 0.8, 0.5, 0.7)),
        ([[-0.97, 0.11, 0.1], [0.95, 0.171, 0.1], [0.93, 0.193, 0.1]], vec4(1.0, 1.0, 0.4, 1.0)),
    ];
    let draws = layers.into_iter().map(|(corners, color)| {
        Draw::list(&pipeline, 3, move |index| {
            let [x, y, z] = corners[index as usize];
            Vertex::at(vec4(x, y, z, 1.0)).with(0, color * (1.0 - 0.3 * index as f32))
        })
    });
    let clear = Clear::to([0.15, 0.35, 0.25, 0.5]);
    Frame::new(SIDE, SIDE, clear, draws.collect()).with_samples(Samples::Four)
}

#[test]
fn samples_are_covered_tested_and_averaged() {
    let Some(driver) = driver() else { return };
    for format in [ColorFormat::Rgba8, ColorFormat::Rgba8Srgb] {
        for depth_format in DepthFormat::ALL {
            let state = State { depth: DepthState::LESS_WRITE, ..State::FLAT }.on(format, depth_format);
            for (name, source) in [("centre", CENTRE), ("sample", SAMPLE)] {
                let name = format!("{name} {format:?} {depth_format:?}");
                compare(&name, &driver, &frame(source, state), 2, 0.005);
            }
        }
    }
}

#[test]
fn masks_choose_samples() {
    let Some(driver) = driver() else { return };
    let depth = State { depth: DepthState::LESS_WRITE, ..State::FLAT };
    compare("sample mask of the shader", &driver, &frame(MASKED, depth), 2, 0.005);
    for mask in [0b0000, 0b0101, 0b1110] {
        let state = State { multisample: MultisampleState { mask, alpha_to_coverage: false }, ..depth };
        compare(&format!("sample mask {mask:04b}"), &driver, &frame(CENTRE, state), 2, 0.005);
    }
}
