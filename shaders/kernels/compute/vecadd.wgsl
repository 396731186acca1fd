// c = a + b, element by element.

override LANES: u32 = 4u;

struct Job {
    count: u32,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < job.count {
        c[id.x] = a[id.x] + b[id.x];
    }
}
