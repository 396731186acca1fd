// Counts by the top four bits: first for the workgroup, then for all.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 16>;

var<workgroup> own: array<atomic<u32>, 16>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    for (var n = 0u; n < 2u; n++) {
        atomicAdd(&own[input[group.x * 64u + n * 32u + i] >> 28u], 1u);
    }
    workgroupBarrier();
    if i < 16u { atomicAdd(&counts[i], atomicLoad(&own[i])); }
}
