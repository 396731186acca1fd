// How many steps of halving, or of tripling and adding one, lead to one.
@group(0) @binding(0) var<storage, read_write> steps: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var n = id.x + 1u;
    var count = 0u;
    while n != 1u {
        if n % 2u == 0u { n /= 2u; } else { n = 3u * n + 1u; }
        count++;
    }
    steps[id.x] = count;
}
