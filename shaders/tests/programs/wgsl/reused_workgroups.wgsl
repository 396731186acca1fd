// Workgroup memory of every kind is zero when a workgroup begins, also where another one has just left its values.
struct Part { place: vec3<f32>, flags: array<bool, 3>, count: atomic<u32>, turn: mat2x3<f32> }

@group(0) @binding(0) var<storage, read_write> results: array<u32>;

var<workgroup> parts: array<Part, 40>;
var<workgroup> lone: u32;
var<workgroup> tally: atomic<i32>;

@compute @workgroup_size(8, 4)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    var wrong = lone + bitcast<u32>(atomicLoad(&tally));
    for (var n = i; n < 40u; n += 32u) {
        let part = &parts[n];
        wrong += u32(any((*part).place != vec3<f32>())) + atomicLoad(&(*part).count);
        for (var k = 0; k < 3; k++) { wrong += u32((*part).flags[k]); }
        wrong += u32(any((*part).turn[0] != vec3<f32>())) + u32(any((*part).turn[1] != vec3<f32>()));
    }
    workgroupBarrier();
    for (var n = i; n < 40u; n += 32u) {
        parts[n].place = vec3<f32>(-1.0, 2.0, f32(n) + 1.0);
        parts[n].flags = array<bool, 3>(true, true, true);
        atomicStore(&parts[n].count, 77u);
        parts[n].turn = mat2x3<f32>(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    }
    atomicSub(&tally, 5i);
    if i == 0u { lone = 9u; }
    workgroupBarrier();
    results[(group.x + 12u * group.y) * 32u + i] = wrong * 1000u + lone + bitcast<u32>(-atomicLoad(&tally));
}
