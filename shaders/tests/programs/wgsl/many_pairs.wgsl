// Six textures by four samplers: more pairs than sixteen, beside a load and a store.
@group(0) @binding(0) var<storage, read> places: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> found: array<f32>;
@group(1) @binding(0) var t0: texture_2d<f32>;
@group(1) @binding(1) var t1: texture_2d<f32>;
@group(1) @binding(2) var t2: texture_2d<f32>;
@group(1) @binding(3) var t3: texture_2d<f32>;
@group(1) @binding(4) var t4: texture_2d<f32>;
@group(1) @binding(5) var t5: texture_2d<f32>;
@group(1) @binding(6) var stored: texture_storage_1d<r32uint, write>;
@group(2) @binding(0) var s0: sampler;
@group(2) @binding(1) var s1: sampler;
@group(2) @binding(2) var s2: sampler;
@group(2) @binding(3) var s3: sampler;

fn all_four(picture: texture_2d<f32>, at: vec2<f32>) -> vec4<f32> {
    let middle = at + vec2<f32>(0.0625 / 8.0, 0.0625 / 4.0);
    return vec4<f32>(
        textureSampleLevel(picture, s0, at, 0.0).r, textureSampleLevel(picture, s1, at, 0.0).r,
        textureSampleLevel(picture, s2, at, 0.0).r, textureSampleLevel(picture, s3, middle, 0.0).r);
}

fn four(i: u32, n: u32, colors: vec4<f32>) {
    for (var k = 0u; k < 4u; k++) { found[25u * i + 4u * n + k] = colors[k]; }
}

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    four(i, 0u, all_four(t0, places[i]));
    four(i, 1u, all_four(t1, places[i]));
    four(i, 2u, all_four(t2, places[i]));
    four(i, 3u, all_four(t3, places[i]));
    four(i, 4u, all_four(t4, places[i]));
    four(i, 5u, all_four(t5, places[i]));
    found[25u * i + 24u] = textureLoad(t5, vec2<u32>(i % 8u, i / 8u), 0).r;
    textureStore(stored, i, vec4<u32>(i + textureDimensions(t0).x, 0u, 0u, 0u));
}
