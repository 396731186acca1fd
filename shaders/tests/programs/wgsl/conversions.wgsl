// Every conversion between scalars, at the edges.
@group(0) @binding(0) var<storage, read> floats: array<f32, 16>;
@group(0) @binding(1) var<storage, read> words: array<u32, 16>;
@group(0) @binding(2) var<storage, read_write> results: array<array<u32, 6>>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = floats[i];
    let word = words[i];
    results[i][0] = bitcast<u32>(i32(x));
    results[i][1] = u32(x);
    results[i][2] = bitcast<u32>(f32(bitcast<i32>(word)));
    results[i][3] = bitcast<u32>(f32(word));
    results[i][4] = u32(bool(x));
    results[i][5] = u32(i32(word));
}
