// Hillis and Steele: each turn adds the word twice as far to the left.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

var<workgroup> words: array<u32, 32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    words[i] = input[id.x];
    workgroupBarrier();
    for (var distance = 1u; distance < 32u; distance *= 2u) {
        var left = 0u;
        if i >= distance { left = words[i - distance]; }
        workgroupBarrier();
        words[i] += left;
        workgroupBarrier();
    }
    sums[id.x] = words[i];
}
