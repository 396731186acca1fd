// Four bytes in a word: products, and sums with limits.
@group(0) @binding(0) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let a = pairs[id.x].x;
    let b = pairs[id.x].y;
    results[id.x] = vec4<u32>(
        dot4U8Packed(a, b),
        bitcast<u32>(dot4I8Packed(a, b)),
        pack4xU8Clamp(unpack4xU8(a) + unpack4xU8(b)),
        pack4xI8Clamp(unpack4xI8(a) + unpack4xI8(b)),
    );
}
