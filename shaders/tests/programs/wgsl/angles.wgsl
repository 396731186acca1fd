// Circular functions and their inverses.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<array<f32, 8>>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = values[i];
    let s = x / 4.0;
    results[i] = array<f32, 8>(sin(x), cos(x), atan(s), atan2(x + 4.0, s), asin(s), acos(s), degrees(x), radians(x));
}
