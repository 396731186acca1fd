// Floats beyond what integers hold, and what is no number, alone and in vectors.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = values[i];
    let signed = vec2<i32>(vec2<f32>(x, -x));
    let unsigned = vec2<u32>(vec2<f32>(x, -x));
    results[i] = vec4<u32>(bitcast<vec2<u32>>(signed), unsigned);
}
