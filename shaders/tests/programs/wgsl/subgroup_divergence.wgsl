enable subgroups;

// Only lanes that are here take part: in branches, and in a loop that lanes leave one by one.
@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let word = words[i];
    var result = vec4<u32>();
    if (word & 1u) == 0u {
        result.x = subgroupAdd(word);
        if (word & 2u) == 0u {
            result.y = subgroupExclusiveAdd(word >> 2u);
        }
    } else {
        result.x = subgroupXor(word);
        result.y = countOneBits(subgroupBallot((word & 4u) != 0u).x);
    }
    for (var turn = 0u; turn < 8u; turn++) {
        if (word >> 8u) % 8u == turn { break; }
        result.z += subgroupInclusiveAdd(1u) * (turn + 1u);
        result.w = subgroupMax(word) + select(0u, 1u, subgroupAll((word >> 8u) % 8u > turn)) + subgroupBroadcastFirst(word % 16u);
    }
    results[i] = result;
}
