// The lesser and the greater of numbers, zeros of both signs, and what is no number.
@group(0) @binding(0) var<storage, read> pairs: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> results: array<array<u32, 5>>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let a = pairs[i].x;
    let b = pairs[i].y;
    results[i] = array<u32, 5>(
        bitcast<u32>(min(a, b)), bitcast<u32>(max(a, b)), bitcast<u32>(clamp(a, 1.0, 2.0)), bitcast<u32>(clamp(b, 2.0, 1.0)),
        bitcast<u32>(saturate(a)));
}
