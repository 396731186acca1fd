// Integers that leave their range, alone and in vectors.
@group(0) @binding(0) var<storage, read> input: array<i32>;
@group(0) @binding(1) var<storage, read_write> results: array<array<i32, 12>>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let a = input[i];
    let b = input[(i * 5u + 1u) % 32u];
    let v = vec3<i32>(a, b, 3);
    let w = vec3<i32>(b, input[0], a);
    let quotients = v / w;
    let remainders = v % w;
    let u = bitcast<vec3<u32>>(v);
    results[i] = array<i32, 12>(
        abs(a), -a, a * b, sign(a), dot(v, w), bitcast<i32>(dot(u, u.zxy)), quotients.x + quotients.y, quotients.z + remainders.y,
        remainders.x + remainders.z, clamp(a, 10, -10), min(a, b) - max(a, b), bitcast<i32>(clamp(u.x, 10u, u.y)));
}
