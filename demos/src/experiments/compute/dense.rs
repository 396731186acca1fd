//! Benchmarks with one launch, an invocation for each element of the result.

use gpu_core::config::GpuConfig;
use shaders::kernels::{KernelSource, NEARN, SAXPY, SGEMM, VECADD};

use super::{bits, floats, lanes, warps, whole};
use crate::experiments::build::build;
use crate::experiments::error::ExperimentError;
use crate::experiments::workload::{Buffer, Expected, Step, Workload};

/// One kernel over all buffers, the last of which holds the result.
struct Dense<'a> {
    name: &'static str,
    size: String,
    source: &'a KernelSource,
    buffers: Vec<Buffer>,
    result: &'a [f32],
    /// Invocations along x, and workgroups along y.
    invocations: [u32; 2],
}

impl Dense<'_> {
    fn workload(self, config: &GpuConfig) -> Result<Workload, ExperimentError> {
        let kernels = vec![build(self.source, "main", &lanes(config), config)?];
        let grid = [warps(self.invocations[0], config), self.invocations[1], 1];
        let steps = vec![Step { kernel: 0, grid, bindings: whole(&self.buffers) }];
        let check = vec![Expected { buffer: self.buffers.len() - 1, words: bits(self.result) }];
        Ok(Workload { name: self.name, size: self.size, kernels, buffers: self.buffers, steps, check })
    }
}

pub fn vecadd(count: u32, config: &GpuConfig) -> Result<Workload, ExperimentError> {
    let (a, b) = (floats(1, count), floats(2, count));
    let result: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let buffers = vec![
        Buffer { name: "job", words: vec![count] },
        Buffer::of_floats("a", &a),
        Buffer::of_floats("b", &b),
        Buffer::of_floats("c", &vec![0.0; count as usize]),
    ];
    let size = format!("{count}");
    Dense { name: "vecadd", size, source: &VECADD, buffers, result: &result, invocations: [count, 1] }.workload(config)
}

pub fn saxpy(count: u32, config: &GpuConfig) -> Result<Workload, ExperimentError> {
    const FACTOR: f32 = 2.7;
    let (x, y) = (floats(3, count), floats(4, count));
    let result: Vec<f32> = x.iter().zip(&y).map(|(x, y)| FACTOR * x + y).collect();
    let buffers = vec![
        Buffer { name: "job", words: vec![count, FACTOR.to_bits()] },
        Buffer::of_floats("x", &x),
        Buffer::of_floats("y", &y),
    ];
    let size = format!("{count}");
    Dense { name: "saxpy", size, source: &SAXPY, buffers, result: &result, invocations: [count, 1] }.workload(config)
}

pub fn nearn(count: u32, config: &GpuConfig) -> Result<Workload, ExperimentError> {
    const TARGET: [f32; 2] = [30.0, 90.0];
    let places: Vec<f32> = floats(5, 2 * count).iter().map(|value| value * 90.0).collect();
    let distance = |place: &[f32]| {
        let (north, east) = (place[0] - TARGET[0], place[1] - TARGET[1]);
        (north * north + east * east).sqrt()
    };
    let result: Vec<f32> = places.chunks(2).map(distance).collect();
    let buffers = vec![
        Buffer { name: "job", words: vec![count, TARGET[0].to_bits(), TARGET[1].to_bits()] },
        Buffer::of_floats("places", &places),
        Buffer::of_floats("distances", &vec![0.0; count as usize]),
    ];
    let size = format!("{count}");
    Dense { name: "nearn", size, source: &NEARN, buffers, result: &result, invocations: [count, 1] }.workload(config)
}

pub fn sgemm(side: u32, config: &GpuConfig) -> Result<Workload, ExperimentError> {
    let (a, b) = (floats(6, side * side), floats(7, side * side));
    let n = side as usize;
    let mut result = vec![0.0f32; n * n];
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        for k in 0..n {
            result[row * n + column] += a[row * n + k] * b[k * n + column];
        }
    }
    let buffers = vec![
        Buffer { name: "job", words: vec![side] },
        Buffer::of_floats("a", &a),
        Buffer::of_floats("b", &b),
        Buffer::of_floats("c", &vec![0.0; n * n]),
    ];
    let size = format!("{side} x {side} x {side}");
    Dense { name: "sgemm", size, source: &SGEMM, buffers, result: &result, invocations: [side, side] }.workload(config)
}
