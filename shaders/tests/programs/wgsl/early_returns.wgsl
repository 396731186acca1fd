// A function that returns from everywhere, called twice.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

fn graded(value: u32) -> u32 {
    if value < 8u { return 1u; }
    if value < 16u {
        if value % 2u == 1u { return 2u; }
    } else if value < 32u {
        for (var n = 16u; n < 32u; n++) {
            if n * n > 10u * value { return n; }
        }
        return 99u;
    } else {
        return value / 8u;
    }
    return 3u;
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let value = input[id.x];
    results[id.x] = graded(value) * 100u + graded(63u - value);
}
