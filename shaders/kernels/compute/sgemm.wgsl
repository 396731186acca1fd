// c = a * b for square matrices, row by row; every invocation makes one element and adds up in the order of k.

override LANES: u32 = 4u;

struct Job {
    size: u32,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = job.size;
    let column = id.x;
    let row = id.y;
    if column < size {
        var sum = 0.0;
        for (var k = 0u; k < size; k++) {
            sum += a[row * size + k] * b[k * size + column];
        }
        c[row * size + column] = sum;
    }
}
