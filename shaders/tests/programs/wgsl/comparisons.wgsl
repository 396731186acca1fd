// Depths compared with a reference: filtered, the four answers by themselves, and of one texel.
@group(0) @binding(0) var<storage, read> places: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> found: array<f32>;
@group(1) @binding(0) var depths: texture_depth_2d;
@group(2) @binding(0) var filtered: sampler_comparison;
@group(2) @binding(1) var nearest: sampler_comparison;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let at = places[i] + vec2<f32>(0.0625 / 8.0, 0.0625 / 4.0);
    let reference = f32(i % 8u) / 8.0 + 0.0625;
    found[6u * i] = textureSampleCompareLevel(depths, filtered, at, reference);
    let four = textureGatherCompare(depths, filtered, at, reference);
    for (var n = 0u; n < 4u; n++) { found[6u * i + 1u + n] = four[n]; }
    found[6u * i + 5u] = textureSampleCompareLevel(depths, nearest, at, reference);
}
