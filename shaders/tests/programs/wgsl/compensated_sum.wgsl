// Kahan's sum beside the plain one.
@group(0) @binding(0) var<storage, read> values: array<array<f32, 16>>;
@group(0) @binding(1) var<storage, read_write> sums: array<vec4<f32>>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var sum = 0.0;
    var lost = 0.0;
    var plain = 0.0;
    for (var n = 0; n < 16; n++) {
        let value = values[id.x][n];
        let put = value - lost;
        let next = sum + put;
        lost = (next - sum) - put;
        sum = next;
        plain += value;
    }
    sums[id.x] = vec4<f32>(sum, lost, plain, sum - plain);
}
