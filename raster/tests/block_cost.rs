//! What a block of pixels costs in warp-instructions: a number that decides frames per second and is easily lost.
//!
//! The same quad is drawn into targets of two sizes; the difference is what the larger one's further blocks cost, with
//! their share of loading and storing the tile.

mod drawing;

use drawing::*;
use glam::{Vec2, Vec4};
use gpu_core::config::GpuConfig;
use raster::{
    Bindings, BlendState, ColorFormat, Compare, DepthFormat, DepthState, Device, FogState, Sampler, Samples, State,
    StencilFace, StencilOperation, StencilState, Texture, Vertex,
};
use texture::{Format, Image};

const TEXTURED: &str = "
    @group(0) @binding(0) var picture: texture_2d<f32>;
    @group(0) @binding(1) var how: sampler;
    @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> { return textureSample(picture, how, uv); }
";

/// Warp-instructions of a quad over the whole target.
fn instructions(lanes: u32, side: u32, state: State, samples: Samples) -> u64 {
    let pipeline = pipeline(TEXTURED, state);
    let corner = |x: f32, y: f32| Vertex::at(Vec4::new(x, y, 0.5, 1.0)).with(0, Vec2::new(x, y));
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    let vertices = [0, 1, 2, 0, 2, 3].map(|index: usize| corners[index]).to_vec();
    let image = Image::from_fn(Format::A8R8G8B8, 8, 8, |x, y| x << 16 | y).expect("a small picture");
    let bindings = Bindings::new().with(0, 0, &Texture::new(image)).with(0, 1, Sampler::BILINEAR);
    let frame = frame(side, side, vec![draw(&pipeline, vertices).with_bindings(bindings)]).with_samples(samples);
    let mut device = Device::new(GpuConfig::wide(1, 4, lanes)).unwrap_or_else(|error| panic!("{error}"));
    render(&mut device, &frame);
    device.report().warp_instructions
}

#[track_caller]
fn check(state: State, most: [u64; 4]) {
    check_from(256, state, most);
}

/// What the larger of two targets costs, whose sides are `small` and twice that: smaller ones take less time, and
/// divide the costs of a tile among its blocks as well.
#[track_caller]
fn check_from(small: u32, state: State, most: [u64; 4]) {
    check_samples(small, state, Samples::One, most);
}

#[track_caller]
fn check_samples(small: u32, state: State, samples: Samples, most: [u64; 4]) {
    for (lanes, most) in [4, 8, 16, 32].into_iter().zip(most) {
        let large = 2 * small;
        let blocks = u64::from((large * large - small * small) / lanes);
        let [larger, smaller] = [large, small].map(|side| instructions(lanes, side, state, samples));
        let cost = (larger - smaller) / blocks;
        println!("{lanes} lanes: {cost} warp-instructions a block");
        assert!(cost <= most, "{lanes} lanes: a block costs {cost} warp-instructions, it was {most} at most");
    }
}

/// The prototype's tuned kernel took 94, 89, 88 and 96, without clearing and storing rows.
#[test]
fn a_bilinear_block_stays_cheap() {
    check(State::FLAT, [87, 81, 79, 81]);
}

/// The prototype's took 168, 163 and 162 at 4, 8 and 16 lanes.
#[test]
fn a_block_with_depth_stays_cheap() {
    check(State { depth: DepthState::LESS_WRITE, ..State::FLAT }, [116, 109, 108, 110]);
}

/// A block with an operation. A plain one is spared what blending and fog must do: take its texture's bytes apart and put them
/// together again.
#[track_caller]
fn check_operation(state: State, most: [u64; 4]) {
    check_from(64, state, most);
}

/// The prototype's blending took 51 more at 16 lanes.
#[test]
fn blending_stays_cheap() {
    check_operation(State::FLAT.blended(BlendState::ALPHA), [145, 139, 137, 141]);
}

#[test]
fn blending_for_an_encoded_target_stays_cheap() {
    let state = State::FLAT.on(ColorFormat::Rgba8Srgb, DepthFormat::Depth32Float);
    check_operation(state.blended(BlendState::ALPHA), [177, 170, 167, 171]);
}

/// The prototype's took 71 more at 16 lanes.
#[test]
fn a_stencil_test_stays_cheap() {
    let stencil = StencilState::both(StencilFace { pass: StencilOperation::IncrementClamp, ..StencilFace::EQUAL });
    let state = State { stencil, ..State::FLAT };
    check_operation(state.on(ColorFormat::Rgba8, DepthFormat::Depth24Stencil8), [125, 117, 116, 119]);
}

/// The prototype's took 31 more at 16 lanes.
#[test]
fn exponential_fog_stays_cheap() {
    check_operation(State { fog: FogState::EXP2, ..State::FLAT }, [150, 144, 141, 145]);
}

#[test]
fn an_alpha_test_stays_cheap() {
    check_operation(State { alpha_test: Compare::GreaterEqual, ..State::FLAT }, [99, 92, 90, 93]);
}

#[test]
fn a_24_bit_depth_stays_cheap() {
    let state = State { depth: DepthState::LESS_WRITE, ..State::FLAT };
    check_operation(state.on(ColorFormat::Rgba8, DepthFormat::Depth24Stencil8), [128, 121, 120, 124]);
}

/// Four samples a pixel, averaged when the tile goes out: writing and averaging them is what costs.
#[test]
fn four_samples_stay_cheap() {
    check_samples(64, State::FLAT, Samples::Four, [199, 194, 198, 221]);
}

#[test]
fn four_samples_with_depth_stay_cheap() {
    let state = State { depth: DepthState::LESS_WRITE, ..State::FLAT };
    check_samples(64, state, Samples::Four, [333, 330, 339, 364]);
}
