//! Gaussian elimination of a square system, two launches for each column.

use gpu_core::config::GpuConfig;
use shaders::kernels::GAUSSIAN;

use super::{bits, floats, lanes, warps, whole};
use crate::experiments::build::build;
use crate::experiments::error::ExperimentError;
use crate::experiments::workload::{Binding, Buffer, Expected, Step, Workload};

/// A step's record starts at a multiple of this many words.
const JOB_WORDS: u32 = 16;

pub fn gaussian(side: u32, config: &GpuConfig) -> Result<Workload, ExperimentError> {
    let n = side as usize;
    let mut matrix = floats(9, side * side);
    for diagonal in 0..n {
        // Larger than the rest of the row together: no pivoting is needed.
        matrix[diagonal * n + diagonal] += side as f32;
    }
    let right_side = floats(10, side);
    let (solved, solved_right) = eliminated(n, &matrix, &right_side);
    let jobs = (0..side.max(2) - 1).flat_map(|step| [side, step].into_iter().chain([0; JOB_WORDS as usize - 2]));
    let buffers = vec![
        Buffer { name: "jobs", words: jobs.collect() },
        Buffer::of_floats("matrix", &matrix),
        Buffer::of_floats("right side", &right_side),
        Buffer::of_floats("multipliers", &vec![0.0; n * n]),
    ];
    let mut steps = Vec::new();
    for step in 0..side - 1 {
        let mut bindings = whole(&buffers);
        bindings[0] = Binding { buffer: 0, offset: step * JOB_WORDS * 4, bytes: 8 };
        let below = side - step - 1;
        steps.push(Step { kernel: 0, grid: [warps(below, config), 1, 1], bindings: bindings.clone() });
        steps.push(Step { kernel: 1, grid: [warps(below + 1, config), below, 1], bindings });
    }
    let kernels = ["factors", "eliminate"].map(|entry| build(&GAUSSIAN, entry, &lanes(config), config));
    let kernels = kernels.into_iter().collect::<Result<_, _>>()?;
    let check = vec![Expected { buffer: 1, words: bits(&solved) }, Expected { buffer: 2, words: bits(&solved_right) }];
    Ok(Workload { name: "gaussian", size: format!("{side} x {side}"), kernels, buffers, steps, check })
}

/// The same in plain Rust.
fn eliminated(n: usize, matrix: &[f32], right_side: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let (mut matrix, mut right_side) = (matrix.to_vec(), right_side.to_vec());
    for step in 0..n {
        for row in step + 1..n {
            let factor = matrix[row * n + step] / matrix[step * n + step];
            for column in step..n {
                matrix[row * n + column] -= factor * matrix[step * n + column];
            }
            right_side[row] -= factor * right_side[step];
        }
    }
    (matrix, right_side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elimination_leaves_nothing_below_the_diagonal() {
        // 2x + y = 3, 4x + 5y = 9: the second less twice the first is 3y = 3.
        let (matrix, right_side) = eliminated(2, &[2.0, 1.0, 4.0, 5.0], &[3.0, 9.0]);
        assert_eq!((matrix, right_side), (vec![2.0, 1.0, 0.0, 3.0], vec![3.0, 3.0]));
    }
}
