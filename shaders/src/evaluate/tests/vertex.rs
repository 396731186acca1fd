//! Vertex programs: inputs, results in order, resources.

use super::*;

fn evaluator(source: &str) -> Evaluator {
    let module = Module::parse("test.wgsl", source).and_then(|module| module.select("main", &[]));
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    Evaluator::new(&module).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn results_come_vertex_by_vertex_in_the_order_of_the_struct() {
    let source = "struct Out { @location(1) @interpolate(flat) n: u32, @builtin(position) p: vec4<f32> }
        @group(0) @binding(1) var<uniform> add: u32;
        @group(0) @binding(0) var<storage, read> table: array<u32>;
        @vertex fn main(@builtin(instance_index) i: u32, @location(4) scale: vec2<f32>, @location(0) a: i32,
                        @builtin(vertex_index) v: u32) -> Out {
            return Out(add + table[v], vec4<f32>(scale * f32(a), f32(v), f32(i))); }";
    let table: Vec<u8> = (0..600u32).flat_map(|i| (i * i).to_le_bytes()).collect();
    let add = 7u32.to_le_bytes();
    let buffers = [FragmentBuffer::Read(&table), FragmentBuffer::Read(&add)];
    let resources = FragmentResources { buffers: &buffers, textures: &[] };
    // More than run together at once.
    let inputs: Vec<_> = (0..600)
        .map(|v| {
            let mut input = VertexInput { vertex_index: v, instance_index: 9, ..VertexInput::default() };
            input.attributes[0][0] = (-3i32) as u32;
            input.attributes[1][..2].copy_from_slice(&[0.5f32.to_bits(), (v as f32).to_bits()]);
            input
        })
        .collect();
    let mut words = Vec::new();
    evaluator(source).run_vertices(&inputs, &resources, &mut words).unwrap_or_else(|error| panic!("{error}"));
    let expected = (0..600u32).flat_map(|v| {
        let position = [-1.5, -3.0 * v as f32, v as f32, 9.0];
        std::iter::once(7 + v * v).chain(position.map(f32::to_bits))
    });
    assert_eq!(words, expected.collect::<Vec<_>>());
}

#[test]
fn private_variables_start_afresh_and_early_returns_are_kept_apart() {
    let source = "var<private> count: i32 = 4;
        @vertex fn main(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
            count += i32(v);
            if v % 2u == 1u { return vec4<f32>(f32(count)); }
            for (var i = 0u; i < v; i++) { count *= 2; }
            return vec4<f32>(f32(-count)); }";
    let inputs = [0, 1, 2, 3, 4].map(|v| VertexInput { vertex_index: v, ..VertexInput::default() });
    let mut words = Vec::new();
    let mut evaluator = evaluator(source);
    for _ in 0..2 {
        words.clear();
        evaluator.run_vertices(&inputs, &FragmentResources::default(), &mut words).expect("it runs");
        let expected = [-4.0f32, 5.0, -24.0, 7.0, -128.0].map(|x| [x.to_bits(); 4]);
        assert_eq!(words, expected.as_flattened());
    }
}

#[test]
fn what_is_no_vertex_shader_or_lacks_a_buffer_is_refused() {
    let mut words = Vec::new();
    let mut fragment = evaluator("@fragment fn main() {}");
    let error = fragment.run_vertices(&[], &FragmentResources::default(), &mut words).expect_err("a fragment shader");
    assert_eq!(error.to_string(), "`main` is a fragment shader, run it with run_quads");
    let source = "@group(2) @binding(3) var<uniform> p: vec4<f32>;
        @vertex fn main() -> @builtin(position) vec4<f32> { return p; }";
    let mut vertex = evaluator(source);
    let error = vertex.run_vertices(&[], &FragmentResources::default(), &mut words).expect_err("no buffer");
    assert_eq!(error.to_string(), "`main` uses buffer @group(2) @binding(3), which was not given");
    let error = vertex.run_quads(&[], &FragmentResources::default(), &mut []).expect_err("a vertex shader");
    assert_eq!(error.to_string(), "`main` is a vertex shader, run it with run_vertices");
}
