// Texels by number: of a line, of a plane's levels, of layers, of a volume's levels.
@group(0) @binding(0) var<storage, read_write> found: array<vec4<f32>>;
@group(1) @binding(0) var line: texture_1d<f32>;
@group(1) @binding(1) var plane: texture_2d<f32>;
@group(1) @binding(2) var layers: texture_2d_array<f32>;
@group(1) @binding(3) var volume: texture_3d<f32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    found[4u * i] = textureLoad(line, i % 8u, 0);
    let level = i % 3u;
    let size = max(textureDimensions(plane) >> vec2<u32>(level), vec2<u32>(1u));
    found[4u * i + 1u] = textureLoad(plane, vec2<u32>(i / 3u, i / 5u) % size, level);
    found[4u * i + 2u] = textureLoad(layers, vec2<i32>(i32(i % 3u), i32(i / 7u % 2u)), i % 4u, 0);
    let depth_level = i32(i % 2u);
    let depth_size = max(textureDimensions(volume) >> vec3<u32>(i % 2u), vec3<u32>(1u));
    let place = vec3<u32>(i, i / 4u, i / 5u) % depth_size;
    found[4u * i + 3u] = textureLoad(volume, vec3<i32>(place), depth_level);
}
