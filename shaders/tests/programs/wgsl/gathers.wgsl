// The four texels of a bilinear footprint: of a channel, moved by an offset, of integers.
@group(0) @binding(0) var<storage, read> places: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> found: array<vec4<f32>>;
@group(1) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(1) var integers: texture_2d<u32>;
@group(2) @binding(0) var repeated: sampler;
@group(2) @binding(1) var clamped: sampler;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    // Not on the edge between two footprints.
    let at = places[i] + vec2<f32>(0.0625 / 8.0, 0.0625 / 4.0);
    found[3u * i] = textureGather(0, picture, repeated, at);
    found[3u * i + 1u] = textureGather(3, picture, clamped, at, vec2<i32>(-2, 1));
    found[3u * i + 2u] = vec4<f32>(textureGather(1, integers, clamped, at));
}
