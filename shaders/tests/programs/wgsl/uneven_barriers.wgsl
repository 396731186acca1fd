// Fifteen invocations in a ring; the last warp of the workgroup is not full.
@group(0) @binding(0) var<storage, read_write> results: array<u32>;

var<workgroup> ring: array<u32, 15>;

@compute @workgroup_size(3, 5)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    ring[i] = i * i + group.y;
    for (var turn = 0u; turn < 4u; turn++) {
        workgroupBarrier();
        let next = ring[(i + 1u) % 15u] * 3u + turn;
        workgroupBarrier();
        ring[i] = next;
    }
    results[group.y * 15u + i] = ring[i];
}
