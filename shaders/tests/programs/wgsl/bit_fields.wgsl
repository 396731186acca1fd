// Fields of bits, also those that reach beyond the word.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<array<u32, 3>>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let word = input[id.x];
    let offset = id.x * 5u % 40u;
    let count = id.x * 3u % 41u;
    results[id.x][0] = extractBits(word, offset, count);
    results[id.x][1] = bitcast<u32>(extractBits(bitcast<i32>(word), offset, count));
    results[id.x][2] = insertBits(word, ~id.x, offset, count);
}
