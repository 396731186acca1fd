// A bitonic network over 64 words of workgroup memory, two words an invocation.
@group(0) @binding(0) var<storage, read_write> data: array<u32>;

var<workgroup> words: array<u32, 64>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    let first = group.x * 64u;
    words[i] = data[first + i];
    words[i + 32u] = data[first + i + 32u];
    workgroupBarrier();
    for (var size = 2u; size <= 64u; size <<= 1u) {
        for (var stride = size >> 1u; stride > 0u; stride >>= 1u) {
            let low = (i & ~(stride - 1u)) * 2u + (i & (stride - 1u));
            let high = low + stride;
            let a = words[low];
            let b = words[high];
            let is_ascending = (low & size) == 0u;
            if (a > b) == is_ascending {
                words[low] = b;
                words[high] = a;
            }
            workgroupBarrier();
        }
    }
    data[first + i] = words[i];
    data[first + i + 32u] = words[i + 32u];
}
