// Gaussian elimination without pivoting, one column a step: `factors`, then `eliminate`, for each step.

override LANES: u32 = 4u;

struct Job {
    size: u32,
    /// The column that is eliminated below the diagonal.
    step: u32,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<storage, read_write> matrix: array<f32>;
@group(0) @binding(2) var<storage, read_write> right_side: array<f32>;
/// Element (row, step) is what row `step` is multiplied by before it is taken from `row`.
@group(0) @binding(3) var<storage, read_write> multipliers: array<f32>;

@compute @workgroup_size(LANES)
fn factors(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x + job.step + 1u;
    if row < job.size {
        let at = row * job.size + job.step;
        multipliers[at] = matrix[at] / matrix[job.step * job.size + job.step];
    }
}

@compute @workgroup_size(LANES)
fn eliminate(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = job.size;
    let step = job.step;
    let row = id.y + step + 1u;
    let column = id.x + step;
    if column < size {
        let factor = multipliers[row * size + step];
        let at = row * size + column;
        matrix[at] = matrix[at] - factor * matrix[step * size + column];
        if column == step {
            right_side[row] = right_side[row] - factor * right_side[step];
        }
    }
}
