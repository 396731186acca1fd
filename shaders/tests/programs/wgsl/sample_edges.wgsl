// Numbers of samples and texels that a multisampled texture does not have: the nearest one is taken.
@group(0) @binding(0) var<storage, read_write> found: array<f32>;
@group(0) @binding(1) var<storage, read_write> counted: array<u32>;
@group(1) @binding(0) var samples: texture_multisampled_2d<f32>;
@group(1) @binding(1) var depths: texture_depth_multisampled_2d;
@group(1) @binding(2) var integers: texture_multisampled_2d<u32>;

const NUMBERS = array<i32, 11>(-2147483647, -65535, -1, 0, 1, 2, 3, 4, 65537, 131072, 2147483647);

@compute @workgroup_size(55)
fn main(@builtin(local_invocation_index) i: u32) {
    let at = vec2<i32>(i32(i % 5u), i32(i / 5u % 4u)) - 1;
    let n = NUMBERS[i % 11u];
    found[3u * i] = textureLoad(samples, at, n).r;
    found[3u * i + 1u] = textureLoad(samples, at, bitcast<u32>(n)).r;
    found[3u * i + 2u] = textureLoad(depths, at, n);
    counted[i] = textureLoad(integers, at, bitcast<u32>(n)).g;
}
