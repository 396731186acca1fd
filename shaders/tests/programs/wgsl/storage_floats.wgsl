// Floats stored: normalised formats limit and round them.
@group(1) @binding(0) var unsigned: texture_storage_2d<rgba8unorm, write>;
@group(1) @binding(1) var signed: texture_storage_2d<rgba8snorm, write>;
@group(1) @binding(2) var halves: texture_storage_2d<rgba16float, write>;
@group(1) @binding(3) var line: texture_storage_1d<r32float, write>;

@compute @workgroup_size(8, 4)
fn main(@builtin(local_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    let first = id.x * 5u + id.y * 7u;
    let color = vec4<f32>((vec4<u32>(first) + vec4<u32>(0u, 3u, 6u, 9u)) % 25u) / 8.0 - 1.4375;
    textureStore(unsigned, id.xy, color);
    textureStore(signed, vec2<i32>(id.xy), color);
    textureStore(halves, id.xy, color);
    textureStore(line, i, vec4<f32>(color.b / 4.0, 9.0, 9.0, 9.0));
}
