//! Every format on every backend, by values worked out here.

use super::*;

/// A draw of points whose shader gives location 0 of type `ty` on as its bits.
pub fn attribute_draw(ty: &str, format: VertexFormat, stride: u32, offset: u32, bytes: &[u8], count: u32) -> Draw {
    let source = format!(
        "struct Out {{ @builtin(position) p: vec4<f32>, @location(0) @interpolate(flat) bits: vec4<u32> }}
         @vertex fn vertex(@location(3) a: {ty}) -> Out {{ return Out(vec4<f32>(), bitcast<vec4<u32>>(a)); }}"
    );
    let attribute = VertexAttribute { format, offset, location: 3 };
    let layout = VertexBufferLayout { stride, step: StepMode::Vertex, attributes: vec![attribute] };
    let call = program(&source, &[layout]).call().with_buffer(0, &Buffer::from_bytes(bytes));
    let points = State { topology: Topology::PointList, ..State::FLAT };
    Draw::from_vertices(&pipeline("@fragment fn main() {}", points), &call, count)
}

pub fn type_of(format: VertexFormat) -> &'static str {
    use shaders::interface::NumericKind::{Float, Sint, Uint};
    match format.numeric() {
        Float => "vec4<f32>",
        Sint => "vec4<i32>",
        Uint => "vec4<u32>",
    }
}

/// Random bytes at the least stride, at an odd place, and one element for all; what `VertexFormat::fetch` gives is held against values worked out
/// by hand beside it.
#[test]
fn every_format_is_fetched_as_on_the_host() {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut byte = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    const COUNT: u32 = 19;
    for &format in VertexFormat::ALL {
        let least = format.bytes().next_multiple_of(4);
        for (stride, offset) in [(least, 0), (least + 8, format.alignment()), (least + 4, 4), (0, 4)] {
            let bytes: Vec<u8> = (0..(COUNT * stride).max(least + 4)).map(|_| byte()).collect();
            let expected = (0..COUNT).map(|number| {
                let start = (number * stride + offset) as usize;
                let fetched = format.fetch(&bytes[start..start + format.bytes() as usize]);
                let mut vertex = Vertex::at(Vec4::ZERO);
                vertex.locations[0] = fetched.map(f32::from_bits);
                vertex
            });
            let draw = attribute_draw(type_of(format), format, stride, offset, &bytes, COUNT);
            check_vertices(&draw, &expected.collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_shader_may_ask_for_fewer_components_or_more() {
    let bytes = [1.5f32, -2.0, 0.25, 8.0].map(f32::to_le_bytes).concat();
    let source = "struct Out { @builtin(position) p: vec4<f32>, @location(1) b: f32 }
        @vertex fn vertex(@location(0) a: vec4<f32>, @location(1) b: f32) -> Out { return Out(a, b); }";
    use VertexFormat::{Float32x2, Float32x4};
    let [narrow, wide] =
        [(0, Float32x2), (1, Float32x4)].map(|attribute| VertexBufferLayout::packed(StepMode::Vertex, &[attribute]));
    let buffer = Buffer::from_bytes(&bytes);
    let call = program(source, &[narrow, wide]).call().with_buffer_at(0, &buffer, 8).with_buffer(1, &buffer);
    let draw = Draw::from_vertices(&pipeline("@fragment fn main() {}", State::FLAT), &call, 1);
    let points = State { topology: Topology::PointList, ..State::FLAT };
    let draw = Draw { pipeline: pipeline("@fragment fn main() {}", points), ..draw };
    check_vertices(&draw, &[Vertex::at(Vec4::new(0.25, 8.0, 0.0, 1.0)).with(1, 1.5f32)]);
}

/// All halves, on one machine.
#[test]
fn every_half_is_fetched_as_on_the_host() {
    let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    let draw = attribute_draw("vec4<f32>", VertexFormat::Float16x4, 8, 0, &bytes, 1 << 14);
    let mut device = device(gpu_core::config::GpuConfig::wide(2, 4, 32));
    let made = raster::Backend::vertices(&mut device, &draw).unwrap_or_else(|error| panic!("{error:?}"));
    for (vertex, bytes) in made.iter().zip(bytes.chunks(8)) {
        assert_eq!(vertex.locations[0].map(f32::to_bits), VertexFormat::Float16x4.fetch(bytes), "{bytes:x?}");
    }
}
