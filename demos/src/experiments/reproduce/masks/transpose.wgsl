// A matrix written column by column; invocations beyond its edges do nothing.

override LANES: u32 = 32u;

struct Job {
    width: u32,
    height: u32,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<storage, read> rows: array<u32>;
@group(0) @binding(2) var<storage, read_write> columns: array<u32>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < job.width {
        if id.y < job.height {
            columns[id.x * job.height + id.y] = rows[id.y * job.width + id.x];
        }
    }
}
