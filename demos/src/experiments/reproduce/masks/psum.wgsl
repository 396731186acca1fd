// Partial sums: each workgroup, a warp, adds up its words in a tree in workgroup memory.

override LANES: u32 = 32u;

@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

var<workgroup> part: array<u32, 32>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    part[lane] = words[id.x];
    workgroupBarrier();
    for (var width = LANES / 2u; width > 0u; width = width / 2u) {
        if lane < width {
            part[lane] = part[lane] + part[lane + width];
        }
        workgroupBarrier();
    }
    if lane == 0u {
        sums[group.x] = part[0];
    }
}
