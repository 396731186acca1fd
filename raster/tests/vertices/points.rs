//! A point's side that a vertex shader writes. WGSL has no word for it; GLSL's is `gl_PointSize`.

use raster::{Dynamic, PointState};
use shaders::front_end::{GlslStage, Language, Module};

use super::*;

const SIZED: &str = "#version 450
    layout(location = 0) in vec2 place;
    layout(location = 1) in float side;
    layout(location = 0) out vec4 color;
    void main() {
        gl_PointSize = side;
        color = vec4(1.0);
        gl_Position = vec4(place, 0.5, 1.0);
    }";

/// Places of a picture of 16 × 16 pixels, and sides.
const POINTS: [([f32; 2], f32); 5] = [
    ([2.5, 2.5], 3.0),
    // The draw's own size, and none.
    ([8.5, 8.5], 0.0),
    ([13.5, 3.5], -4.0),
    ([3.5, 13.5], f32::NAN),
    // Less than a pixel is a pixel.
    ([12.5, 2.5], 0.25),
];

fn sized() -> VertexCall {
    let module = Module::parse_in(Language::Glsl(GlslStage::Vertex), "sized.vert", SIZED.as_bytes());
    let module = module.and_then(|module| module.select("main", &[])).unwrap_or_else(|error| panic!("{error}"));
    let layout =
        VertexBufferLayout::packed(StepMode::Vertex, &[(0, VertexFormat::Float32x2), (1, VertexFormat::Float32)]);
    let words = POINTS.map(|([x, y], side)| [x / 8.0 - 1.0, 1.0 - y / 8.0, side]);
    let program = VertexProgram::of_module(module, &[layout]).unwrap_or_else(|error| panic!("{error}"));
    program.call().with_buffer(0, &Buffer::from_slice(&words))
}

#[test]
fn a_vertex_shader_says_how_large_its_points_are() {
    let state = State { topology: Topology::PointList, point: PointState::SQUARE, ..State::FLAT };
    let dynamic = Dynamic { point_size: 5.0, ..Dynamic::DEFAULT };
    let draw = Draw::from_vertices(&pipeline(COLOR, state), &sized(), POINTS.len() as u32).with_dynamic(dynamic);
    let vertex = |([x, y], side): ([f32; 2], f32)| {
        Vertex::at(Vec4::new(x / 8.0 - 1.0, 1.0 - y / 8.0, 0.5, 1.0)).with(0, Vec4::ONE).with_point_size(side)
    };
    check_vertices(&draw, &POINTS.map(vertex));
    let squares = [(1..4, 1..4), (6..11, 6..11), (12..13, 2..3)];
    for mut backend in backends() {
        let target = render(&mut *backend, &frame(16, 16, vec![draw.clone()]));
        for (x, y) in (0..16).flat_map(|y| (0..16).map(move |x| (x, y))) {
            let is_covered = squares.iter().any(|(columns, rows)| columns.contains(&x) && rows.contains(&y));
            assert_eq!(target.color_at(x, y) != 0, is_covered, "{}: pixel {x}, {y}", backend.name());
        }
    }
}
