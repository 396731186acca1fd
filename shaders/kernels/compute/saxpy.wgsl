// y = factor * x + y, element by element; the product is rounded before the sum.

override LANES: u32 = 4u;

struct Job {
    count: u32,
    factor: f32,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < job.count {
        y[id.x] = job.factor * x[id.x] + y[id.x];
    }
}
