// Samples a few texels away, and samples that stay away from the edge.
@group(0) @binding(0) var<storage, read> places: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> found: array<f32>;
@group(1) @binding(0) var picture: texture_2d<f32>;
@group(2) @binding(0) var repeated: sampler;

@compute @workgroup_size(24)
fn main(@builtin(local_invocation_index) i: u32) {
    found[3u * i] = textureSampleLevel(picture, repeated, places[i], 0.0, vec2<i32>(3, -2)).r;
    found[3u * i + 1u] = textureSampleLevel(picture, repeated, places[i], 1.0, vec2<i32>(-1, 1)).g;
    found[3u * i + 2u] = textureSampleBaseClampToEdge(picture, repeated, places[i]).b;
}
