// A blur by way of workgroup memory: each group loads its tile with the border around it.
@group(1) @binding(0) var picture: texture_2d<u32>;
@group(1) @binding(1) var blurred: texture_storage_2d<r32uint, write>;

var<workgroup> tile: array<array<u32, 10>, 10>;

@compute @workgroup_size(8, 8)
fn main(
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) i: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let first = vec2<i32>(group.xy) * 8 - 1;
    for (var n = i; n < 100u; n += 64u) {
        let at = clamp(first + vec2<i32>(i32(n % 10u), i32(n / 10u)), vec2<i32>(0), vec2<i32>(textureDimensions(picture)) - 1);
        tile[n / 10u][n % 10u] = textureLoad(picture, at, 0).r;
    }
    workgroupBarrier();
    var sum = 0u;
    for (var y = 0u; y < 3u; y++) {
        for (var x = 0u; x < 3u; x++) {
            sum += tile[local.y + y][local.x + x] * ((1u << (x & 1u)) << (y & 1u));
        }
    }
    textureStore(blurred, group.xy * 8u + local.xy, vec4<u32>(sum, 0u, 0u, 0u));
}
