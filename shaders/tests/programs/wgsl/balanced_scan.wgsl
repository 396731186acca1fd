// Blelloch's scan: sums up a balanced tree, then down again.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

const COUNT = 64u;
var<workgroup> tree: array<u32, COUNT>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>) {
    let first = group.x * COUNT;
    for (var n = id.x; n < COUNT; n += 32u) { tree[n] = input[first + n]; }
    var offset = 1u;
    for (var nodes = COUNT / 2u; nodes > 0u; nodes /= 2u) {
        workgroupBarrier();
        if id.x < nodes {
            let left = offset * (2u * id.x + 1u) - 1u;
            tree[left + offset] += tree[left];
        }
        offset *= 2u;
    }
    workgroupBarrier();
    if id.x == 0u { tree[COUNT - 1u] = 0u; }
    for (var nodes = 1u; nodes < COUNT; nodes *= 2u) {
        offset /= 2u;
        workgroupBarrier();
        if id.x < nodes {
            let left = offset * (2u * id.x + 1u) - 1u;
            let kept = tree[left];
            tree[left] = tree[left + offset];
            tree[left + offset] += kept;
        }
    }
    workgroupBarrier();
    for (var n = id.x; n < COUNT; n += 32u) { sums[first + n] = tree[n]; }
}
