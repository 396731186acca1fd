// Depths by number: one component.
@group(0) @binding(0) var<storage, read_write> found: array<f32>;
@group(1) @binding(0) var depths: texture_depth_2d;
@group(1) @binding(1) var layers: texture_depth_2d_array;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    found[3u * i] = textureLoad(depths, vec2<u32>(i % 4u, i / 4u), 0);
    found[3u * i + 1u] = textureLoad(depths, vec2<u32>(i % 2u, i / 4u % 2u), 1);
    found[3u * i + 2u] = textureLoad(layers, vec2<u32>(i % 4u, i / 4u % 2u), i % 3u, 0);
}
