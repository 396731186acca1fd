// Shifts by computed counts, also of 32 and more, and a rotation made of two.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let word = input[id.x];
    let count = id.x + 16u;
    results[id.x].x = word << count;
    results[id.x].y = word >> count;
    results[id.x].z = bitcast<u32>(bitcast<i32>(word) >> count);
    results[id.x].w = (word << id.x) | (word >> ((32u - id.x) % 32u));
}
