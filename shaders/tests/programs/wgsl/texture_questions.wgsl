// What textures say of themselves.
@group(0) @binding(0) var<storage, read_write> answers: array<u32>;
@group(1) @binding(0) var line: texture_1d<f32>;
@group(1) @binding(1) var plane: texture_2d<f32>;
@group(1) @binding(2) var layers: texture_2d_array<f32>;
@group(1) @binding(3) var volume: texture_3d<f32>;
@group(1) @binding(4) var cubes: texture_cube_array<f32>;
@group(1) @binding(5) var stored: texture_storage_2d<rgba8unorm, write>;
@group(1) @binding(6) var cube: texture_cube<f32>;
@group(1) @binding(7) var stored_layers: texture_storage_2d_array<r32float, write>;

fn answer(n: u32, first: vec3<u32>, second: vec3<u32>, levels: u32, count: u32) {
    answers[8u * n] = first.x;
    answers[8u * n + 1u] = first.y;
    answers[8u * n + 2u] = first.z;
    answers[8u * n + 3u] = second.x;
    answers[8u * n + 4u] = second.y;
    answers[8u * n + 5u] = second.z;
    answers[8u * n + 6u] = levels;
    answers[8u * n + 7u] = count;
}

@compute @workgroup_size(1)
fn main() {
    answer(0u, vec3<u32>(textureDimensions(line), 0u, 0u), vec3<u32>(textureDimensions(line, 0), 0u, 0u), textureNumLevels(line), 0u);
    let plane_size = vec3<u32>(textureDimensions(plane), 0u);
    answer(1u, plane_size, vec3<u32>(textureDimensions(plane, 1), 0u), textureNumLevels(plane), 0u);
    let layer_size = vec3<u32>(textureDimensions(layers), 0u);
    let layer_half = vec3<u32>(textureDimensions(layers, 1), 0u);
    answer(2u, layer_size, layer_half, textureNumLevels(layers), textureNumLayers(layers));
    answer(3u, textureDimensions(volume), textureDimensions(volume, 1), textureNumLevels(volume), 0u);
    let cube_half = vec3<u32>(textureDimensions(cubes, 1), 0u);
    answer(4u, vec3<u32>(textureDimensions(cubes), 0u), cube_half, textureNumLevels(cubes), textureNumLayers(cubes));
    answers[40] = textureDimensions(stored).x;
    answers[41] = textureDimensions(stored).y;
    answers[42] = textureDimensions(cube).x;
    answers[43] = textureDimensions(cube, 0).y;
    answers[44] = textureDimensions(stored_layers).x;
    answers[45] = textureDimensions(stored_layers).y;
    answers[46] = textureNumLayers(stored_layers);
}
