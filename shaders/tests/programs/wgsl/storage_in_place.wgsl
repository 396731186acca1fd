// Texels read and written again and again by the invocation that owns them.
@group(1) @binding(0) var numbers: texture_storage_2d<r32uint, read_write>;
@group(1) @binding(1) var signed_numbers: texture_storage_2d<r32sint, read_write>;
@group(1) @binding(2) var floats: texture_storage_2d<r32float, read_write>;

@compute @workgroup_size(8, 2)
fn main(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    let at = vec2<u32>(local.x, local.y + 2u * group.x);
    loop {
        let value = textureLoad(numbers, at).r;
        if value <= 1u || value >= 5000u { break; }
        let next = select(3u * value + 1u, value / 2u, value % 2u == 0u);
        textureStore(numbers, at, vec4<u32>(next, 0u, 0u, 0u));
    }
    textureStore(signed_numbers, at, textureLoad(signed_numbers, at) * -3);
    textureStore(floats, at, textureLoad(floats, at) * 0.25 + 1.0);
}
