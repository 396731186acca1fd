enable subgroups;

// Sums and products of floats whose roundings show the order: lane after lane, ascending, from the left.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<array<f32, 6>>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
    let v = values[g.x];
    results[g.x] = array<f32, 6>(
        subgroupAdd(v), subgroupInclusiveAdd(v), subgroupExclusiveAdd(v),
        subgroupMul(1.0 + v * 0.125), subgroupExclusiveMul(1.0 + v * 0.125), subgroupMax(v) - subgroupMin(v));
}
