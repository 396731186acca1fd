// Calls with side effects happen from the left to the right, each once, and only where the others' answers want them.
@group(0) @binding(0) var<storage, read_write> results: array<array<u32, 6>>;

var<private> trace: u32;

fn note(digit: u32) -> u32 {
    trace = trace * 10u + digit;
    return digit;
}
fn joined(a: u32, b: u32, c: u32) -> u32 { return a * 100u + b * 10u + c; }
fn traced() -> u32 {
    let seen = trace;
    trace = 0u;
    return seen;
}

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    _ = note(1u) + note(2u) * note(3u);
    results[i][0] = traced();
    results[i][1] = joined(note(i % 3u), note(4u), note(5u)) + 1000u * traced();
    let v = vec3<u32>(note(1u), note(i % 2u), note(3u));
    results[i][2] = traced() + v.y;
    var cells = array<u32, 4>(10u, 20u, 30u, 40u);
    cells[note(i % 4u)] += note(5u);
    results[i][3] = traced() * 100u + cells[i % 4u];
    // Both values of `select` are asked, in whichever lane.
    results[i][4] = select(note(6u), note(7u), i % 2u == 0u) + 100u * traced();
    var turns = 0u;
    while note(i % 3u) != 2u && note(9u) == 9u && turns < 2u { turns++; }
    results[i][5] = traced();
}
