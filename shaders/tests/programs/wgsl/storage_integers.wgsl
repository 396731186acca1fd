// Integers stored into layers and volumes.
@group(1) @binding(0) var bytes: texture_storage_2d_array<rgba8uint, write>;
@group(1) @binding(1) var halves: texture_storage_3d<rgba16sint, write>;
@group(1) @binding(2) var words: texture_storage_3d<r32uint, write>;
@group(1) @binding(3) var pairs: texture_storage_2d_array<rg32sint, write>;

fn hash(n: u32, seed: u32) -> u32 {
    var h = n ^ (seed * 0x9e3779b9u);
    h = (h ^ (h >> 16u)) * 0x85ebca6bu;
    h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
    return h ^ (h >> 16u);
}

@compute @workgroup_size(4, 4, 2)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    let h = hash(id.x + 4u * (id.y + 4u * id.z), 31u);
    let value = (vec4<u32>(h) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(63u);
    textureStore(bytes, id.xy, id.z, value);
    textureStore(halves, id, 5 - vec4<i32>(value));
    textureStore(words, vec3<i32>(id), value * 1000000u);
    textureStore(pairs, id.xy, i32(id.z), vec4<i32>(value) * -1000000);
}
