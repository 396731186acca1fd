// Four and two numbers in a word.
@group(0) @binding(0) var<storage, read> parts: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let p = parts[i];
    results[i] = vec4<u32>(pack4x8unorm(p), pack4x8snorm(p), pack2x16unorm(p.xy), pack2x16snorm(p.zw));
}
