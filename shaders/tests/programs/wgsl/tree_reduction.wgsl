// Sum and maximum of 32 floats, halving the number of those who work.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<vec2<f32>>;

var<workgroup> pairs: array<vec2<f32>, 32>;

@compute @workgroup_size(4, 8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>) {
    let i = id.y * 4u + id.x;
    pairs[i] = vec2<f32>(input[group.x * 32u + i]);
    workgroupBarrier();
    for (var half = 16u; half > 0u; half >>= 1u) {
        if i < half {
            pairs[i].x += pairs[i + half].x;
            pairs[i].y = max(pairs[i].y, pairs[i + half].y);
        }
        workgroupBarrier();
    }
    if i == 0u { results[group.x] = pairs[0]; }
}
