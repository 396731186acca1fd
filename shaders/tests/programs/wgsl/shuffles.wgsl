// Values from other lanes of the warp.
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<array<u32, 5>>;

@compute @workgroup_size(64)
fn main(
    @builtin(local_invocation_index) i: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_size) lanes: u32,
) {
    let own = values[i];
    let swapped = subgroupShuffleXor(own, 3u);
    let mirrored = subgroupShuffle(own, lanes - 1u - lane);
    let next = subgroupShuffle(own, (lane + 1u) % lanes);
    let first = subgroupBroadcastFirst(own);
    let third = subgroupBroadcast(own, 2u);
    results[i] = array<u32, 5>(swapped, mirrored, next, first, third);
}
