// Each invocation follows the arrows of a map until it comes to a place without one; lanes stop at different times.
@group(0) @binding(0) var<storage, read_write> found: array<u32>;
@group(1) @binding(0) var map: texture_2d<u32>;

fn arrow(of_map: texture_2d<u32>, at: vec2<u32>) -> u32 {
    return textureLoad(of_map, at, 0).r;
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var at = vec2<u32>(id.x % 8u, id.x / 8u);
    var steps = 0u;
    while steps < 20u {
        let way = arrow(map, at);
        if way > 3u { break; }
        switch way {
            case 0u: { at.x += 1u; }
            case 1u: { at.x -= 1u; }
            case 2u: { at.y += 1u; }
            default: { at.y -= 1u; }
        }
        at &= vec2<u32>(7u);
        steps++;
    }
    found[id.x] = steps * 64u + at.y * 8u + at.x;
}
