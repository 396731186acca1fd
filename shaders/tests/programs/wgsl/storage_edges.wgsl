// Stores to layers and slices that a storage texture does not have change nothing, nor does the texture behind it change.
@group(1) @binding(0) var layers: texture_storage_2d_array<r32uint, write>;
@group(1) @binding(1) var behind: texture_storage_2d_array<r32uint, read_write>;
@group(1) @binding(2) var unsigned: texture_storage_2d_array<rg32sint, write>;
@group(1) @binding(3) var volume: texture_storage_3d<r32uint, write>;

const NUMBERS = array<i32, 8>(-2147483647, -1, 0, 1, 2, 3, 4, 2147483647);

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    let at = vec2<i32>(i32(i % 4u), i32(i / 4u % 2u));
    let layer = NUMBERS[i / 8u];
    textureStore(layers, at, layer, vec4<u32>(i + 100u));
    textureStore(unsigned, vec2<u32>(at), bitcast<u32>(layer), vec4<i32>(i32(i), -i32(i), 0, 0));
    textureStore(volume, vec3<i32>(at, layer), vec4<u32>(i + 200u));
    if layer >= 0 && layer < 3 {
        textureStore(behind, at, layer, textureLoad(behind, at, layer) + 1u);
    }
}
