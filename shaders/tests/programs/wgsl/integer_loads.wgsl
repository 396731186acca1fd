// Texels that are integers of 8, 16 and 32 bits; what a format lacks is 0, alpha 1.
@group(0) @binding(0) var<storage, read_write> unsigned: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> integers: array<vec4<i32>>;
@group(1) @binding(0) var bytes: texture_2d<u32>;
@group(1) @binding(1) var words: texture_3d<u32>;
@group(1) @binding(2) var signed_bytes: texture_2d<i32>;
@group(1) @binding(3) var halves: texture_2d<i32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    let at = vec2<u32>(i % 4u, i / 4u);
    unsigned[2u * i] = textureLoad(bytes, at, 0);
    unsigned[2u * i + 1u] = textureLoad(words, vec3<u32>(i % 4u, i / 4u % 2u, i / 8u), 0);
    integers[2u * i] = textureLoad(signed_bytes, at, 0);
    integers[2u * i + 1u] = textureLoad(halves, vec2<u32>(i % 2u, i / 2u % 2u), 1);
}
