//! Random vertex shaders over random layouts: device, interpreted kernel and evaluator make the same vertices.

use std::fmt::Write;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::seeded::seeded;
use super::*;

/// A shader's attribute: its format, how many components the shader declares, which of two buffers has it.
type Declared = (usize, u32, usize);

/// WGSL of a float made of attributes `a0` and so on and of the builtins: what `choices` say.
fn expression(attributes: &[Declared], choices: &[u32]) -> String {
    let mut text = String::from("f32(v) * 0.125 - f32(i)");
    for (step, &choice) in choices.iter().enumerate() {
        let number = choice as usize % attributes.len();
        let (_, components, _) = attributes[number];
        let component = ["x", "y", "z", "w"][(choice >> 8) as usize % components as usize];
        let leaf = if components == 1 { format!("f32(a{number})") } else { format!("f32(a{number}.{component})") };
        text = match (choice >> 16) % 7 {
            0 => format!("({text}) + {leaf}"),
            1 => format!("({text}) * {leaf}"),
            2 => format!("min({leaf}, {text})"),
            3 => format!("select({text}, {leaf}, ({text}) < f32(table[(v + {step}u) % 9u]))"),
            4 => format!("mix({leaf}, 0.75, clamp({text}, 0.0, 1.0))"),
            5 => format!("walk({leaf}, v & 7u)"),
            _ => format!("sin(clamp({leaf}, -9.0, 9.0)) - abs({text})"),
        };
    }
    text
}

fn source(attributes: &[Declared], choices: &[Vec<u32>]) -> String {
    let mut inputs = String::new();
    for (number, &(format, components, _)) in attributes.iter().enumerate() {
        use shaders::interface::NumericKind::{Float, Sint, Uint};
        let scalar = match VertexFormat::ALL[format].numeric() {
            Float => "f32",
            Sint => "i32",
            Uint => "u32",
        };
        let ty = if components == 1 { scalar.to_owned() } else { format!("vec{components}<{scalar}>") };
        write!(inputs, ", @location({}) a{number}: {ty}", 2 * number).expect("a String takes everything");
    }
    let values: Vec<_> = choices.iter().map(|choices| expression(attributes, choices)).collect();
    format!(
        "@group(0) @binding(0) var<storage, read> table: array<u32>;
         fn walk(start: f32, steps: u32) -> f32 {{
             var x = start;
             for (var n = 0u; n < steps; n++) {{ if x > 100.0 {{ return x; }} x = x * 1.5 + 0.25; }}
             return x; }}
         struct Out {{ @location(2) a: f32, @builtin(position) p: vec4<f32>, @location(5) @interpolate(flat) b: u32 }}
         @vertex fn vertex(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32{inputs}) -> Out {{
             return Out({}, vec4<f32>({}, {}, 0.5, {}), bitcast<u32>({})); }}",
        values[0], values[1], values[2], values[3], values[4]
    )
}

#[test]
fn random_shaders_and_layouts_make_the_same_vertices_everywhere() {
    let attribute = (0..VertexFormat::ALL.len(), 1u32..=4, 0usize..2);
    let strategy = (
        prop::collection::vec(attribute, 1..6),
        prop::collection::vec(prop::collection::vec(any::<u32>(), 1..4), 5),
        prop::collection::vec(any::<u8>(), 64..256),
        prop::collection::vec(0u16..11, 1..30),
        (0u32..5, 0u32..4, 1u32..3),
        // Which of the buffers has one element for all; 2 is none.
        0usize..6,
    );
    TestRunner::new(seeded(10))
        .run(&strategy, |(attributes, choices, bytes, indices, (first_vertex, first_instance, instances), shares)| {
            let layout = |buffer: usize, step| {
                let mine = attributes.iter().enumerate().filter(|(_, (_, _, of))| *of == buffer);
                let mine: Vec<_> = mine.map(|(n, &(format, _, _))| (2 * n as u32, VertexFormat::ALL[format])).collect();
                let packed = VertexBufferLayout::packed(step, &mine);
                VertexBufferLayout { stride: if shares == buffer { 0 } else { packed.stride }, ..packed }
            };
            let layouts = [layout(0, StepMode::Vertex), layout(1, StepMode::Instance)];
            // Random bytes are small numbers often enough, and huge ones and NaNs too.
            let filled = |layout: &VertexBufferLayout| {
                let length = layout.bytes_of(20) as usize;
                Buffer::from_bytes(&bytes.iter().copied().cycle().take(length).collect::<Vec<_>>())
            };
            let call = program(&source(&attributes, &choices), &layouts)
                .call()
                .with_buffer(0, &filled(&layouts[0]))
                .with_buffer(1, &filled(&layouts[1]));
            let table: Vec<u32> = (0..9).map(|n| n * n).collect();
            let points = State { topology: Topology::PointList, ..State::FLAT };
            let draw = Draw::from_vertices(&pipeline("@fragment fn main() {}", points), &call, 11)
                .with_indices(indices)
                .with_first_vertex(first_vertex)
                .with_instance_range(first_instance, instances)
                .with_bindings(Bindings::new().with(0, 0, &Buffer::from_slice(&table)));
            let wanted = Reference::new().vertices(&draw).expect("the evaluator runs it");
            check_vertices(&draw, &wanted);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}
