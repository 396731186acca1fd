//! What the tests draw with: the backends, a shader that shows its input, and triangles given in pixels.
#![allow(dead_code)] // Each test file uses a part.

mod interpreted;

use std::sync::Arc;

use glam::Vec4;
use gpu_core::config::GpuConfig;
use gpu_core::gpu::Mode;
use raster::frame::position_of_pixel;
use raster::{Backend, BlendState, Clear, Device, Draw, Frame, Pipeline, Reference, State, Target, Vertex};

pub use interpreted::Interpreted;

/// The colour is `@location(0)`.
pub const COLOR: &str = "
    @fragment fn main(@location(0) color: vec4<f32>) -> @location(0) vec4<f32> { return color; }
";

pub const WHITE: Vec4 = Vec4::ONE;

/// Every backend, to be asked the same.
pub fn backends() -> Vec<Box<dyn Backend>> {
    let device = |config| Box::new(Device::new(config).expect("a machine that draws"));
    vec![
        Box::new(Reference::new()),
        Box::new(Interpreted::new(16, 3)),
        device(GpuConfig::vortex(1, 2, 4)),
        device(GpuConfig::wide(2, 4, 16)),
    ]
}

pub fn device(config: GpuConfig) -> Device {
    Device::new(config).unwrap_or_else(|error| panic!("{error}"))
}

/// A small machine that counts cycles, which must change no bit.
pub fn timed_device() -> Device {
    let mut device = device(GpuConfig::vortex(1, 2, 4));
    device.gpu_mut().set_mode(Mode::Timed);
    device
}

pub fn pipeline(source: &str, state: State) -> Pipeline {
    Pipeline::new("test.wgsl", source, "main", state).unwrap_or_else(|error| panic!("{error}"))
}

/// Triangles of these vertices.
pub fn draw(pipeline: &Pipeline, vertices: Vec<Vertex>) -> Draw {
    let vertices: Arc<[Vertex]> = vertices.into();
    Draw::list(pipeline, vertices.len() as u32, move |index| vertices[index as usize])
}

pub fn frame(width: u32, height: u32, draws: Vec<Draw>) -> Frame {
    Frame::new(width, height, Clear::to([0.0; 4]), draws)
}

pub fn render(backend: &mut dyn Backend, frame: &Frame) -> Target {
    backend.render(frame).unwrap_or_else(|error| panic!("{}: {error:?}", backend.name()))
}

/// A vertex at a place in pixels, at depth 0.5.
pub fn at_pixel([x, y]: [f32; 2], (width, height): (u32, u32), color: Vec4) -> Vertex {
    Vertex::at(position_of_pixel(x, y, 0.5, width, height)).with(0, color)
}

/// How often each pixel of a target is covered by triangles given in pixels: each adds 1/255 to every channel.
pub fn coverage(backend: &mut dyn Backend, size: (u32, u32), triangles: &[[[f32; 2]; 3]]) -> Vec<u32> {
    let pipeline = pipeline(COLOR, State::FLAT.blended(BlendState::ADDITIVE));
    let vertices = triangles.iter().flatten().map(|&place| at_pixel(place, size, Vec4::splat(1.0 / 255.0)));
    let target = render(backend, &frame(size.0, size.1, vec![draw(&pipeline, vertices.collect())]));
    let count = |word: u32| {
        assert_eq!(word, (word & 0xff) * 0x0101_0101, "every channel counts the same");
        word & 0xff
    };
    target.shown().map(count).collect()
}

/// Fails at the first pixel that differs.
#[track_caller]
pub fn assert_equal(expected: &Target, actual: &Target, what: &str) {
    let size = (expected.width, expected.height);
    assert_eq!(size, (actual.width, actual.height), "{what}");
    for (x, y) in (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y))) {
        let (wanted, found) = (expected.color_at(x, y), actual.color_at(x, y));
        assert_eq!(wanted, found, "{what}: colour of pixel {x}, {y} is {found:#010x}, not {wanted:#010x}");
        let (wanted, found) = (expected.depth_at(x, y), actual.depth_at(x, y));
        assert_eq!(wanted.to_bits(), found.to_bits(), "{what}: depth of pixel {x}, {y} is {found}, not {wanted}");
        let (wanted, found) = (expected.stencil_at(x, y), actual.stencil_at(x, y));
        assert_eq!(wanted, found, "{what}: stencil value of pixel {x}, {y} is {found}, not {wanted}");
    }
}
