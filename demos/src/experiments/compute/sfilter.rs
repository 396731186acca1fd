//! A 3 × 3 filter over a square picture of floats.

use gpu_core::config::GpuConfig;
use shaders::kernels::SFILTER;

use super::{bits, floats, lanes, warps, whole};
use crate::experiments::build::build;
use crate::experiments::error::ExperimentError;
use crate::experiments::workload::{Buffer, Expected, Step, Workload};

/// A sharpening filter with unequal weights, so that a mistaken tap shows.
const WEIGHTS: [[f32; 3]; 3] = [[-0.1, -0.2, -0.15], [-0.25, 3.0, -0.3], [-0.35, -0.4, -0.25]];

pub fn sfilter(side: u32, config: &GpuConfig) -> Result<Workload, ExperimentError> {
    let source_side = side as usize + 2;
    let source = floats(8, (source_side * source_side) as u32);
    let mut result = Vec::new();
    for (y, x) in (0..side as usize).flat_map(|y| (0..side as usize).map(move |x| (y, x))) {
        let mut sum = 0.0f32;
        for (row, weights) in WEIGHTS.iter().enumerate() {
            for (column, weight) in weights.iter().enumerate() {
                sum += source[(y + row) * source_side + x + column] * weight;
            }
        }
        result.push(sum);
    }
    // WGSL puts each row of weights at a multiple of 16 bytes, after the width.
    let rows = WEIGHTS.iter().flat_map(|row| row.iter().map(|weight| weight.to_bits()).chain([0]));
    let buffers = vec![
        Buffer { name: "job", words: [side, 0, 0, 0].into_iter().chain(rows).collect() },
        Buffer::of_floats("source", &source),
        Buffer::of_floats("result", &vec![0.0; result.len()]),
    ];
    let kernels = vec![build(&SFILTER, "main", &lanes(config), config)?];
    let steps = vec![Step { kernel: 0, grid: [warps(side, config), side, 1], bindings: whole(&buffers) }];
    let check = vec![Expected { buffer: 2, words: bits(&result) }];
    Ok(Workload { name: "sfilter", size: format!("{side} x {side}"), kernels, buffers, steps, check })
}
