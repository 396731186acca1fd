// How long points of the plane stay near the origin.
@group(0) @binding(0) var<storage, read_write> turns: array<u32>;

@compute @workgroup_size(4, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let c = (vec2<f32>(id.xy) - vec2<f32>(5.0, 4.0)) * vec2<f32>(0.375, 0.3125);
    var z = vec2<f32>();
    var turn = 0u;
    for (; turn < 12u; turn++) {
        if z.x * z.x + z.y * z.y > 4.0 { break; }
        z = vec2<f32>(z.x * z.x - z.y * z.y + c.x, 2.0 * z.x * z.y + c.y);
    }
    turns[id.y * 8u + id.x] = turn;
}
