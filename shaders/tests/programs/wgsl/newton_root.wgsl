// Square roots by Newton's method; how many turns it takes differs.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> roots: array<vec2<f32>>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    var root = values[i];
    var turns = 0.0;
    loop {
        let next = 0.5 * (root + values[i] / root);
        let moved = abs(next - root);
        root = next;
        turns += 1.0;
        if moved <= next * 0.0009765625 { break; }
    }
    roots[i] = vec2<f32>(root, turns);
}
