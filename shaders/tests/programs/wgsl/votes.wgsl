// What a warp agrees on, outside and inside of a branch.
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;

@compute @workgroup_size(64)
fn main(
    @builtin(local_invocation_index) i: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_size) lanes: u32,
) {
    let is_odd = values[i] % 2u == 1u;
    let ballot = subgroupBallot(is_odd).x;
    let answer = u32(subgroupAny(is_odd)) | (u32(subgroupAll(is_odd)) << 1u);
    var inside = 0u;
    if is_odd { inside = u32(subgroupAll(is_odd)) | (subgroupBallot(true).x << 1u); }
    results[i] = vec4<u32>(ballot, answer, inside, (lanes << 8u) | lane);
}
