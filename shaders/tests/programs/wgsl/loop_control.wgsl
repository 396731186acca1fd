// What other compilers got wrong in loops: `break if` after the last step, cases that do not fall through, `continue` within a
// switch, a loop's variable that is zero in every turn. Lanes go different ways.
@group(0) @binding(0) var<storage, read_write> results: array<vec4<u32>>;

fn steps(limit: u32) -> u32 {
    var c = 0u;
    loop {
        c += 1u;
        continuing { break if c == limit; }
    }
    return c;
}
fn added(x: u32) -> u32 {
    var r = 0u;
    switch x {
        case 1u: { r += 1u; }
        case 2u: { r += 2u; }
        default: { r += 8u; }
    }
    return r;
}
fn skipped(which: u32) -> u32 {
    var s = 0u;
    for (var i = 0u; i < 5u; i++) {
        switch i ^ which {
            case 2u: { continue; }
            default: {}
        }
        s += i;
    }
    return s;
}
fn fresh(n: u32) -> u32 {
    var s = 0u;
    for (var i = 0u; i < n; i++) {
        var t: u32;
        t += 1u;
        s += t;
    }
    return s;
}

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    results[i] = vec4<u32>(steps(i % 7u + 1u), added(i % 4u), skipped(i % 8u), fresh(i % 5u));
}
