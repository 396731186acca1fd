// Pairs of numbers at the edges compared; zeros of both signs are equal.
@group(0) @binding(0) var<storage, read> values: array<f32, 8>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let a = values[id.x / 8u];
    let b = values[id.x % 8u];
    var word = u32(a < b) | (u32(a <= b) << 1u) | (u32(a == b) << 2u);
    word |= (u32(a != b) << 3u) | (u32(a > b) << 4u) | (u32(a >= b) << 5u);
    var least = min(a, b);
    var most = max(a, b);
    if a == b {
        least = abs(least);
        most = abs(most);
    }
    results[id.x] = vec4<u32>(word, bitcast<u32>(least), bitcast<u32>(most), bitcast<u32>(-a));
}
