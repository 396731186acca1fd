//! Stencil, depth formats, blending, masks and sRGB targets.
//!
//! WebGPU has no alpha test, fog or logic operations; those rest on the rules' own tests.

use glam::{Vec4, vec4};
use raster::state::{
    BlendComponent, BlendFactor, BlendOperation, BlendState, ColorMask, Constants, StencilFace, StencilOperation,
    StencilState,
};
use raster::{Clear, ColorFormat, Compare, DepthFormat, DepthState, Draw, Dynamic, Frame, Pipeline, State, Vertex};

use crate::{compare, driver};

const SIDE: u32 = 64;

const PLAIN: &str = "@fragment fn main(@location(0) color: vec4<f32>) -> @location(0) vec4<f32> { return color; }";

/// A triangle of three corners (x, y, depth) in one colour.
fn layer(state: State, corners: [[f32; 3]; 3], color: Vec4, constants: Constants) -> Draw {
    let pipeline = Pipeline::new("plain.wgsl", PLAIN, "main", state).unwrap_or_else(|error| panic!("{error}"));
    let mut draw = Draw::list(&pipeline, 3, move |index| {
        let [x, y, z] = corners[index as usize];
        // The colour fades towards the last corner, so that many values meet.
        Vertex::at(vec4(x, y, z, 1.0)).with(0, color * (1.0 - 0.3 * index as f32))
    });
    draw.dynamic = Dynamic { constants, ..Dynamic::DEFAULT };
    draw
}

const LEFT: [[f32; 3]; 3] = [[-0.91, -0.87, 0.2], [0.63, -0.71, 0.8], [-0.37, 0.93, 0.5]];
const RIGHT: [[f32; 3]; 3] = [[0.91, 0.83, 0.3], [-0.69, 0.57, 0.9], [0.41, -0.93, 0.4]];
/// Turns the other way.
const UPPER: [[f32; 3]; 3] = [[-0.83, 0.77, 0.6], [0.87, 0.61, 0.1], [0.13, -0.59, 0.7]];
const COLORS: [Vec4; 3] = [vec4(0.9, 0.3, 0.1, 0.8), vec4(0.2, 0.8, 0.5, 0.35), vec4(0.4, 0.4, 1.0, 0.6)];

fn frame(states: [State; 3], constants: Constants) -> Frame {
    let draws = [LEFT, RIGHT, UPPER]
        .into_iter()
        .zip(COLORS)
        .zip(states)
        .map(|((corners, color), state)| layer(state, corners, color, constants))
        .collect();
    let clear = Clear { color: [0.15, 0.35, 0.25, 0.5], depth: 0.95, stencil: 0xfe };
    Frame::new(SIDE, SIDE, clear, draws)
}

const CONSTANTS: Constants = Constants { blend: [0.25, 0.5, 0.75, 0.4], ..Constants::DEFAULT };

#[test]
fn blending_by_every_factor_and_operation() {
    let Some(driver) = driver() else { return };
    let constant_alpha = [BlendFactor::ConstantAlpha, BlendFactor::OneMinusConstantAlpha];
    for operation in BlendOperation::ALL {
        for (index, source) in BlendFactor::ALL.into_iter().enumerate() {
            // Each factor on either side at least twice, with others beside it.
            let destination = BlendFactor::ALL[(index * 4 + 7 + operation as usize) % BlendFactor::ALL.len()];
            if constant_alpha.contains(&source) || constant_alpha.contains(&destination) {
                continue;
            }
            let color = BlendComponent { source, destination, operation };
            let alpha = BlendComponent { source: destination, destination: source, operation: BlendOperation::Add };
            for format in [ColorFormat::Rgba8, ColorFormat::Rgba8Srgb] {
                let state = State::FLAT.blended(BlendState { color, alpha }).on(format, DepthFormat::Depth32Float);
                // Three layers: each may round to another side, and a factor of one hands that on.
                compare(&format!("{color:?} {format:?}"), &driver, &frame([state; 3], CONSTANTS), 4, 0.005);
            }
        }
    }
}

#[test]
fn masks_keep_what_they_cover() {
    let Some(driver) = driver() else { return };
    for number in 0..16 {
        let bit = |bit: u32| number & bit != 0;
        let mask = ColorMask { red: bit(1), green: bit(2), blue: bit(4), alpha: bit(8) };
        let state = State::FLAT.blended(BlendState::ALPHA).masked(mask);
        compare(&format!("{mask:?}"), &driver, &frame([state; 3], CONSTANTS), 2, 0.005);
    }
}

#[test]
fn depth_tests_on_every_format() {
    let Some(driver) = driver() else { return };
    for format in DepthFormat::ALL {
        for test in Compare::ALL {
            let state =
                |compare| State { depth: DepthState { compare, write: true }, depth_format: format, ..State::FLAT };
            let states = [state(Compare::Less), state(test), state(test)];
            compare(&format!("{format:?} {test:?}"), &driver, &frame(states, CONSTANTS), 1, 0.005);
        }
    }
}

#[test]
fn stencils_by_every_operation_and_comparison() {
    let Some(driver) = driver() else { return };
    for format in [DepthFormat::Depth24Stencil8, DepthFormat::Depth32FloatStencil8] {
        for (index, pass) in StencilOperation::ALL.into_iter().enumerate() {
            let other = |step: usize| StencilOperation::ALL[(index + step) % StencilOperation::ALL.len()];
            let front = StencilFace { pass, fail: other(3), depth_fail: other(5), ..StencilFace::OFF };
            let back = StencilFace { pass: other(1), fail: other(6), depth_fail: other(2), ..StencilFace::OFF };
            let write = StencilState { front, back };
            // Each comparison with two operations on each format.
            for test in [Compare::ALL[index], Compare::ALL[(index + 3) % Compare::ALL.len()]] {
                let masked =
                    |face: StencilFace, mask| StencilFace { read_mask: mask, write_mask: 0x7f, compare: test, ..face };
                let test = StencilState { front: masked(front, 0x3f), back: masked(back, 0x3f) };
                let state = |stencil, depth| State { stencil, depth, depth_format: format, ..State::FLAT };
                let states = [
                    state(write, DepthState::LESS_WRITE),
                    state(test, DepthState::LESS_WRITE),
                    state(test, DepthState::OFF),
                ];
                let constants = CONSTANTS.with_stencil_reference(0xfe);
                compare(
                    &format!("{format:?} {pass:?} {:?}", test.front.compare),
                    &driver,
                    &frame(states, constants),
                    1,
                    0.005,
                );
            }
        }
    }
}
