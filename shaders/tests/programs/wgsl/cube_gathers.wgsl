// Four texels of a cube's face: of floats and integers, of one cube and of the cubes of an array, also before the first and beyond the last.
@group(0) @binding(0) var<storage, read> ways: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> found: array<vec4<f32>>;
@group(1) @binding(0) var cube: texture_cube<f32>;
@group(1) @binding(1) var cubes: texture_cube_array<f32>;
@group(1) @binding(2) var unsigned: texture_cube<u32>;
@group(1) @binding(3) var signed: texture_cube_array<i32>;
@group(2) @binding(0) var smooth_sampler: sampler;
@group(2) @binding(1) var nearest: sampler;

@compute @workgroup_size(54)
fn main(@builtin(local_invocation_index) i: u32) {
    let way = ways[i].xyz;
    found[4u * i] = textureGather(0, cube, smooth_sampler, way);
    found[4u * i + 1u] = textureGather(2, cubes, smooth_sampler, way, i % 3u);
    found[4u * i + 2u] = vec4<f32>(textureGather(1, unsigned, nearest, way));
    found[4u * i + 3u] = vec4<f32>(textureGather(3, signed, nearest, way, i32(i % 4u) - 1));
}
