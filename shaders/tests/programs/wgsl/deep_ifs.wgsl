// Six decisions, one a bit of the invocation's number, each inside the other.
@group(0) @binding(0) var<storage, read_write> results: array<u32>;

fn decide(word: u32, bit: bool) -> u32 {
    var next = word * 3u;
    if bit { next += 2u; } else { next += 1u; }
    return next;
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = id.x;
    var word = 1u;
    if (n & 1u) == 0u {
        word = word * 3u + 1u;
        if (n & 2u) == 0u {
            word = word * 3u + 1u;
            if (n & 4u) == 0u { word = word * 3u + 1u; } else { word = word * 3u + 2u; }
        } else {
            word = word * 3u + 2u;
            if (n & 4u) == 0u { word = word * 3u + 1u; } else { word = word * 3u + 2u; }
        }
    } else {
        word = word * 3u + 2u;
        if (n & 2u) == 0u {
            word = word * 3u + 1u;
            if (n & 4u) == 0u { word = word * 3u + 1u; } else { word = word * 3u + 2u; }
        } else {
            word = word * 3u + 2u;
            word = decide(word, (n & 4u) != 0u);
        }
    }
    for (var bit = 3u; bit < 6u; bit++) { word = decide(word, ((n >> bit) & 1u) != 0u); }
    results[n] = word;
}
