//! Vertex shaders in WGSL on every backend: closures give the same vertices; formats, steps, numbers; what is refused.

mod drawing;
#[path = "../src/seeded.rs"]
mod seeded;

#[path = "vertices/buffers.rs"]
mod buffers;
#[path = "vertices/formats.rs"]
mod formats;
#[path = "vertices/machines.rs"]
mod machines;
#[path = "vertices/paths.rs"]
mod paths;
#[path = "vertices/planted.rs"]
mod planted;
#[path = "vertices/points.rs"]
mod points;
#[path = "vertices/random.rs"]
mod random;
#[path = "vertices/refused.rs"]
mod refused;

use drawing::*;
use glam::Vec4;
use raster::{
    Backend, Bindings, Buffer, Draw, Frame, Indices, Reference, State, StepMode, Topology, Vertex, VertexAttribute,
    VertexBufferLayout, VertexCall, VertexFormat, VertexProgram,
};

fn program(source: &str, layouts: &[VertexBufferLayout]) -> VertexProgram {
    VertexProgram::new("test.wgsl", source, "vertex", layouts).unwrap_or_else(|error| panic!("{error}"))
}

/// A vertex as bits.
fn bits(vertex: &Vertex) -> Vec<u32> {
    let position = vertex.position.to_array();
    position.iter().chain(vertex.locations.as_flattened()).chain([&vertex.point_size]).map(|x| x.to_bits()).collect()
}

/// Fails unless every backend makes these vertices, bit for bit.
#[track_caller]
fn check_vertices(draw: &Draw, expected: &[Vertex]) {
    let expected: Vec<_> = expected.iter().map(bits).collect();
    for mut backend in backends() {
        let made = backend.vertices(draw).unwrap_or_else(|error| panic!("{}: {error:?}", backend.name()));
        assert_eq!(made.len(), expected.len(), "{}", backend.name());
        for (number, (made, expected)) in made.iter().map(bits).zip(&expected).enumerate() {
            assert_eq!(&made, expected, "{}: vertex {number}", backend.name());
        }
    }
}
