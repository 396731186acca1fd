// Switches: the default first and in the middle, alone, within one another, left by `break` from inside a loop, asked once.
@group(0) @binding(0) var<storage, read_write> results: array<vec4<u32>>;

const THREE = 3u;
var<private> asked: u32;

fn selector(x: u32) -> u32 {
    asked += 1u;
    return x;
}
fn first_default(x: u32) -> u32 {
    switch selector(x) {
        default: { return 9u; }
        case 0u, 2u: { return 1u; }
        case THREE: { return 2u; }
        case THREE + 1u: { }
    }
    return 3u;
}
fn nested(x: u32) -> u32 {
    var word = 0u;
    switch x % 3u {
        case 0u: {
            switch x % 2u {
                case 0u: { break; }
                default: { word += 100u; }
            }
            word += 1u;
        }
        default { word += 10u; }
    }
    switch x { default { word += 1000u; } }
    return word;
}
fn left(x: u32) -> u32 {
    var word = 1u;
    for (var n = 0u; n < 6u; n++) {
        switch (n + x) % 4u {
            case 0u: { continue; }
            case 1u: {
                for (var k = 0u; k < 9u; k++) { if k == x % 3u { break; } word += 1u; }
                if n > 3u { break; }
                word *= 2u;
            }
            case 2u, default: { word += 5u; }
        }
        word = word * 3u + n;
        if word > 2000u { break; }
    }
    return word;
}

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let first = first_default(i % 6u);
    results[i] = vec4<u32>(first, nested(i), left(i), asked);
}
