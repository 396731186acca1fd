// Directions meet the texels of a cube's faces, and of the second cube of two.
@group(0) @binding(0) var<storage, read> ways: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> found: array<vec4<f32>>;
@group(1) @binding(0) var cube: texture_cube<f32>;
@group(1) @binding(1) var cubes: texture_cube_array<f32>;
@group(2) @binding(0) var nearest: sampler;

@compute @workgroup_size(24)
fn main(@builtin(local_invocation_index) i: u32) {
    found[2u * i] = textureSampleLevel(cube, nearest, ways[i].xyz, 0.0);
    found[2u * i + 1u] = textureSampleLevel(cubes, nearest, ways[i].xyz, 1, 0.0);
}
