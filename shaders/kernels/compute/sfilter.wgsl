// A filter of 3 x 3 weights over a picture of floats with a border of one pixel.

override LANES: u32 = 4u;

struct Job {
    /// Of the result; a row of the source has two pixels more.
    width: u32,
    /// Nine weights, row by row.
    weights: array<vec4<f32>, 3>,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<storage, read> source: array<f32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let width = job.width;
    if id.x < width {
        var sum = 0.0;
        for (var row = 0u; row < 3u; row++) {
            let at = (id.y + row) * (width + 2u) + id.x;
            let weights = job.weights[row];
            sum += source[at] * weights.x;
            sum += source[at + 1u] * weights.y;
            sum += source[at + 2u] * weights.z;
        }
        result[id.y * width + id.x] = sum;
    }
}
