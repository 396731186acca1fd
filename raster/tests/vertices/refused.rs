//! Draws whose vertices cannot be made are refused by name, before anything is drawn.

use gpu_core::config::GpuConfig;

use super::*;

const FED: &str = "struct Out { @builtin(position) p: vec4<f32>, @location(0) color: vec4<f32> }
    @group(0) @binding(4) var<uniform> turn: mat4x4<f32>;
    @vertex fn vertex(@location(0) p: vec4<f32>, @location(1) c: vec4<f32>) -> Out { return Out(turn * p, c); }";

fn call() -> VertexCall {
    let layouts = [
        VertexBufferLayout::packed(StepMode::Vertex, &[(0, VertexFormat::Float32x3)]),
        VertexBufferLayout::packed(StepMode::Instance, &[(1, VertexFormat::Unorm8x4)]),
    ];
    program(FED, &layouts).call()
}

/// 3 vertices of 12 bytes, 2 instances of 4.
fn draw(call: &VertexCall) -> Draw {
    let turn = Buffer::from_slice(&[0.0f32; 16]);
    Draw::from_vertices(&pipeline(COLOR, State::FLAT), call, 3)
        .with_instance_range(0, 2)
        .with_bindings(Bindings::new().with(0, 4, &turn))
}

#[track_caller]
fn check_refused(draw: Draw, message: &str) {
    for mut backend in backends() {
        let error = backend.render(&frame(8, 8, vec![draw.clone()])).expect_err("it cannot be drawn");
        assert_eq!(error.to_string(), format!("draw 0: {message}"), "{}", backend.name());
        assert_eq!(backend.vertices(&draw).expect_err("nor made").to_string(), format!("draw 0: {message}"));
    }
}

#[test]
fn buffers_that_are_missing_or_too_small_are_refused() {
    let bytes = |count: usize| Buffer::from_bytes(&vec![0; count]);
    let good = call().with_buffer(0, &bytes(36)).with_buffer(1, &bytes(8));
    for mut backend in backends() {
        render(&mut *backend, &frame(8, 8, vec![draw(&good)]));
    }
    check_refused(draw(&call()), "vertex buffer 0 is not there");
    check_refused(draw(&call().with_buffer(0, &bytes(36))), "vertex buffer 1 is not there");
    let message = "vertex buffer 0 has 35 bytes from its offset on; 3 vertices of the draw need 36";
    check_refused(draw(&good.clone().with_buffer(0, &bytes(35))), message);
    let message = "vertex buffer 0 has 36 bytes from its offset on; 4 vertices of the draw need 48";
    check_refused(draw(&good).with_first_vertex(1), message);
    let message = "vertex buffer 1 has 4 bytes from its offset on; 2 instances of the draw need 8";
    check_refused(draw(&good.clone().with_buffer_at(1, &bytes(8), 4)), message);
    let message = "vertex buffer 1 has 8 bytes from its offset on; 4 instances of the draw need 16";
    check_refused(draw(&good).with_instance_range(3, 1), message);
    let message = "vertex buffer 1 has 0 bytes from its offset on; 2 instances of the draw need 8";
    check_refused(draw(&good.clone().with_buffer_at(1, &bytes(8), u32::MAX - 3)), message);
    let message = "vertex buffer 0 begins at offset 2, which is no multiple of 4";
    check_refused(draw(&good.clone().with_buffer_at(0, &bytes(64), 2)), message);
    let message = "it has 3 vertices from number 4294967294 on; numbers end at 4294967295";
    check_refused(draw(&good).with_first_vertex(u32::MAX - 1), message);
    let message = "up to 16777218 vertices in all instances; a vertex program makes at most 16777216";
    check_refused(draw(&good).with_instance_range(0, (1 << 24) / 3 + 1), message);
    let message = "index 1 is 3, but there are 3 vertices (0 to below that)";
    check_refused(draw(&good).with_indices(vec![0u32, 3, 1]), message);
    let unbound = draw(&good).with_bindings(Bindings::new());
    check_refused(unbound, "the shader reads `turn` at group 0, binding 4, and nothing is bound there");
}

#[test]
fn what_the_fragment_shader_reads_must_be_written() {
    let buffer = Buffer::from_bytes(&[0; 64]);
    let good = call().with_buffer(0, &buffer).with_buffer(1, &buffer);
    let reading = |inputs: &str| {
        let source = format!("@fragment fn main({inputs}) -> @location(0) vec4<f32> {{ return vec4<f32>(); }}");
        Draw { pipeline: pipeline(&source, State::FLAT), ..draw(&good) }
    };
    let message = "the fragment shader reads location 1 as f32 (perspective), the vertex shader does not write it";
    check_refused(reading("@location(1) a: f32"), message);
    let message =
        "the fragment shader reads location 0 as vec4<f32> (linear), the vertex shader writes vec4<f32> (perspective)";
    check_refused(reading("@location(0) @interpolate(linear) a: vec4<f32>"), message);
}

#[test]
fn a_loop_without_end_is_an_error() {
    let source = "@group(0) @binding(0) var<uniform> step: u32;
        @vertex fn vertex(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
            var i = v; while i != 77u { i += step; } return vec4<f32>(f32(i)); }";
    let call = program(source, &[]).call();
    let bindings = Bindings::new().with(0, 0, &Buffer::from_value(&0u32));
    let draw = Draw::from_vertices(&pipeline("@fragment fn main() {}", State::FLAT), &call, 3).with_bindings(bindings);
    let mut device = device(GpuConfig { progress_interval: 1000, ..GpuConfig::vortex(1, 2, 4) });
    let error = raster::Backend::vertices(&mut device, &draw).expect_err("it does not end");
    assert_eq!(error.to_string(), "draw 0 failed on the device");
}
