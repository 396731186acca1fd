// Lanes find their place by counting those before them that stay too.
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_invocation_id) lane: u32) {
    let stays = values[i] % 4u == 0u;
    let ballot = subgroupBallot(stays).x;
    let before = countOneBits(ballot & ((1u << lane) - 1u));
    if stays { results[i - lane + before] = values[i]; }
}
