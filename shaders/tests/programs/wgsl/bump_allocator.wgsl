// Arrays that grow: everybody takes words of a common pool, fills them, and counts what it finds there.
@group(0) @binding(0) var<storage, read> counts: array<u32, 64>;
@group(0) @binding(1) var<storage, read_write> found: array<atomic<u32>, 64>;
@group(0) @binding(2) var<storage, read_write> total: atomic<u32>;

var<workgroup> pool: array<u32, 128>;
var<workgroup> top: atomic<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    let wanted = counts[id.x];
    let first = atomicAdd(&top, wanted);
    for (var n = 0u; n < wanted; n++) { pool[first + n] = id.x; }
    workgroupBarrier();
    let end = atomicLoad(&top);
    for (var n = i; n < end; n += 32u) { atomicAdd(&found[pool[n]], 1u); }
    if i == 0u { atomicAdd(&total, end); }
}
