// Marsaglia's generator with its state in a private variable.
@group(0) @binding(0) var<storage, read_write> results: array<vec4<u32>>;

var<private> state: u32 = 12345;
var<private> calls: u32;

fn next() -> u32 {
    calls++;
    state ^= state << 13u;
    state ^= state >> 17u;
    state ^= state << 5u;
    return state;
}

fn skip(count: u32) -> u32 {
    var last = 0u;
    for (var n = 0u; n < count; n++) { last = next(); }
    return last;
}

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    state ^= i;
    let first = next();
    let last = skip(first % 9u);
    let end = next();
    results[i] = vec4<u32>(first, last, end, calls);
}
