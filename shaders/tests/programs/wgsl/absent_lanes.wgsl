// Values from lanes that are not there, by number or because they went another way: the reader's own value, on which it may branch.
@group(0) @binding(0) var<storage, read_write> results: array<array<u32, 6>>;

fn counted(limit: u32) -> u32 {
    var turns = 0u;
    while turns < limit % 5u { turns++; }
    if limit % 2u == 1u { turns += 100u; }
    return turns;
}

@compute @workgroup_size(64)
fn main(
    @builtin(local_invocation_index) i: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_size) lanes: u32,
) {
    results[i][0] = counted(subgroupShuffle(i, lanes));
    results[i][1] = counted(subgroupBroadcast(i, 100u));
    results[i][2] = counted(subgroupShuffleUp(i, lanes + 1u)) + 1000u * counted(subgroupShuffleDown(i, 64u));
    results[i][3] = counted(subgroupShuffleXor(i, lanes)) + 1000u * counted(subgroupShuffle(i, 0x80000001u));
    if lane != 0u {
        results[i][4] = counted(subgroupShuffle(i, 0u)) + 1000u * counted(subgroupBroadcastFirst(i));
    }
    if lane % 4u > 1u {
        results[i][5] = counted(quadBroadcast(i, 1u)) + 1000u * counted(quadSwapY(i));
    }
}
