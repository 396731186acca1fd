// A polynomial whose factors are a constant array.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;

const FACTORS = array<f32, 6>(0.25, -1.5, 3.0, 0.125, -7.0, 1.0);

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var sum = 0.0;
    for (var n = 0; n < 6; n++) { sum = sum * values[id.x] + FACTORS[n]; }
    results[id.x] = sum;
}
