// Filtered samples at explicit levels: between levels, mirrored, and single texels.
@group(0) @binding(0) var<storage, read> places: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> found: array<f32>;
@group(1) @binding(0) var picture: texture_2d<f32>;
@group(2) @binding(0) var repeated: sampler;
@group(2) @binding(1) var mirrored: sampler;
@group(2) @binding(2) var nearest: sampler;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    let color = textureSampleLevel(picture, repeated, places[i], f32(i % 12u) * 0.25 - 0.25);
    found[6u * i] = color.r;
    found[6u * i + 1u] = color.g;
    found[6u * i + 2u] = color.b;
    found[6u * i + 3u] = color.a;
    found[6u * i + 4u] = textureSampleLevel(picture, mirrored, places[i], f32(i % 3u)).r;
    let middle = places[i] + vec2<f32>(0.0625 / 8.0, 0.0625 / 4.0);
    found[6u * i + 5u] = textureSampleLevel(picture, nearest, middle, 0.0).g;
}
