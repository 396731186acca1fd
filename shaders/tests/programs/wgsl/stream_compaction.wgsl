// Keeps the multiples of three of a group, in order.
@group(0) @binding(0) var<storage, read> input: array<i32>;
@group(0) @binding(1) var<storage, read_write> kept: array<i32>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;

var<workgroup> places: array<u32, 32>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    let value = input[group.x * 32u + i];
    let stays = value % 3 == 0;
    places[i] = u32(stays);
    workgroupBarrier();
    for (var distance = 1u; distance < 32u; distance <<= 1u) {
        let left = select(0u, places[max(i, distance) - distance], i >= distance);
        workgroupBarrier();
        places[i] += left;
        workgroupBarrier();
    }
    if stays { kept[group.x * 32u + places[i] - 1u] = value; }
    if i == 31u { counts[group.x] = places[i]; }
}
