// Numbers of texels, layers and levels that a texture does not have: loads take the nearest, stores do nothing.
@group(0) @binding(0) var<storage, read_write> found: array<f32>;
@group(1) @binding(0) var layers: texture_2d_array<f32>;
@group(1) @binding(1) var stored: texture_storage_2d<r32uint, read_write>;

@compute @workgroup_size(36)
fn main(@builtin(local_invocation_index) i: u32) {
    let at = vec2<i32>(i32(i % 6u), i32(i / 6u)) - 1;
    found[2u * i] = textureLoad(layers, at, at.x + at.y - 1, 0).r;
    found[2u * i + 1u] = textureLoad(layers, at.yx, at.y, at.x - 1).r;
    textureStore(stored, at, textureLoad(stored, at) + 100u);
}
