// Neighbours change places, even and odd pairs by turns, until all are in order.
@group(0) @binding(0) var<storage, read_write> data: array<i32>;

const COUNT = 32u;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    for (var turn = 0u; turn < COUNT; turn++) {
        let left = id.x * 2u + turn % 2u;
        if left + 1u < COUNT && data[left] > data[left + 1u] {
            let kept = data[left];
            data[left] = data[left + 1u];
            data[left + 1u] = kept;
        }
        storageBarrier();
    }
}
