enable subgroups;

// Every join of every type, in a workgroup whose last subgroup may be a part of one.
@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> unsigned_results: array<array<u32, 8>>;
@group(0) @binding(2) var<storage, read_write> signed_results: array<array<i32, 5>>;

@compute @workgroup_size(40)
fn main(@builtin(local_invocation_index) i: u32) {
    let word = words[i];
    unsigned_results[i] = array<u32, 8>(
        subgroupAdd(word), subgroupMul(word | 1u), subgroupMin(word), subgroupMax(word),
        subgroupAnd(word | 0xffff0000u), subgroupOr(word & 0x11111111u), subgroupXor(word), subgroupInclusiveMul(word | 1u));
    let pair = vec2<i32>(bitcast<i32>(word), bitcast<i32>(~word));
    let least = subgroupMin(pair);
    signed_results[i] = array<i32, 5>(
        least.x, subgroupMax(pair).y, subgroupExclusiveAdd(pair).x, subgroupInclusiveAdd(pair).y,
        bitcast<i32>(subgroupExclusiveMul(word | 1u)));
}
