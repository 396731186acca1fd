// What packing makes of numbers beyond its range, of infinities and of what is no number.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<array<u32, 6>>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = values[i];
    let word = pack4x8unorm(vec4<f32>(x, 0.0, 1.0, x));
    results[i] = array<u32, 6>(
        word, pack4x8snorm(vec4<f32>(x, 0.0, -1.0, 1.0)), pack2x16unorm(vec2<f32>(x, 1.0)), pack2x16snorm(vec2<f32>(1.0, x)),
        bitcast<u32>(unpack4x8unorm(word).w), bitcast<u32>(unpack4x8snorm(0x80817fffu)[i % 4u]));
}
