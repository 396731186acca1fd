// One invocation reads how many steps all of its group take.
@group(0) @binding(0) var<storage, read> steps: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

var<workgroup> count: u32;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    if i == 31u { count = steps[group.x]; }
    let agreed = workgroupUniformLoad(&count);
    var word = i;
    for (var n = 0u; n < agreed; n++) {
        word = word * 1664525u + 1013904223u;
        if n == 50u { workgroupBarrier(); }
    }
    results[group.x * 32u + i] = word;
}
