// Vectors of truth values: compared, joined, chosen by, counted.
@group(0) @binding(0) var<storage, read> input: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> results: array<array<u32, 5>>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let v = input[i];
    let small = v < vec4<f32>(0.25);
    let near = abs(v) <= vec4<f32>(0.5);
    let both = small & near;
    var flags = small | !near;
    flags[i % 4u] = !flags[i % 4u];
    let chosen = select(vec4<u32>(1u, 2u, 4u, 8u), vec4<u32>(16u, 32u, 64u, 128u), flags);
    results[i] = array<u32, 5>(
        dot(vec4<u32>(both), vec4<u32>(1u, 2u, 4u, 8u)), chosen.x + chosen.y + chosen.z + chosen.w,
        u32(any(both)) + 2u * u32(all(flags)) + 4u * u32(all(small == near)), u32(any(small != flags)),
        dot(vec4<u32>(vec4<bool>(vec2<bool>(v.xy), flags.zw == near.zw)), vec4<u32>(1u, 2u, 4u, 8u)));
}
