// Samples by number.
@group(0) @binding(0) var<storage, read_write> found: array<f32>;
@group(1) @binding(0) var samples: texture_multisampled_2d<f32>;

@compute @workgroup_size(12)
fn main(@builtin(local_invocation_index) i: u32) {
    let at = vec2<u32>(i % 3u, i / 3u % 2u);
    var sum = 0.0;
    for (var n = 0u; n < textureNumSamples(samples); n++) { sum += textureLoad(samples, at, n).r; }
    found[3u * i] = sum;
    found[3u * i + 1u] = textureLoad(samples, at, i % 4u).r;
    found[3u * i + 2u] = f32(textureNumSamples(samples));
}
