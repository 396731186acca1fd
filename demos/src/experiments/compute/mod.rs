//! The compute benchmarks of the published measurements, each checked bit for bit against plain Rust.
//!
//! A benchmark becomes a [`Workload`] for a machine and a size; inputs come from fixed seeds.

mod bfs;
mod dense;
mod gaussian;
mod sfilter;

use gpu_core::config::GpuConfig;
use serde::Serialize;

use crate::experiments::error::ExperimentError;
use crate::experiments::workload::{Binding, Buffer, Workload};
use crate::patterns::hash;

/// A benchmark by name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Benchmark {
    /// Product of square matrices.
    Sgemm,
    /// Sum of two vectors.
    Vecadd,
    /// `y = factor · x + y`.
    Saxpy,
    /// A 3 × 3 filter over a picture.
    Sfilter,
    /// Distances to a place, with a square root each.
    Nearn,
    /// Gaussian elimination, two launches a column.
    Gaussian,
    /// Breadth-first search of a random graph, two launches a level.
    Bfs,
}

impl Benchmark {
    /// All of them; those bound by arithmetic first, as the published text groups them.
    pub const ALL: [Self; 7] =
        [Self::Sgemm, Self::Vecadd, Self::Sfilter, Self::Saxpy, Self::Nearn, Self::Gaussian, Self::Bfs];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sgemm => "sgemm",
            Self::Vecadd => "vecadd",
            Self::Saxpy => "saxpy",
            Self::Sfilter => "sfilter",
            Self::Nearn => "nearn",
            Self::Gaussian => "gaussian",
            Self::Bfs => "bfs",
        }
    }

    /// What one is made of when nobody says: side of the matrices or picture, elements, nodes.
    pub const fn usual_size(self) -> u32 {
        match self {
            Self::Sgemm | Self::Sfilter => 64,
            Self::Gaussian => 32,
            Self::Vecadd | Self::Saxpy | Self::Nearn => 16384,
            Self::Bfs => 4096,
        }
    }

    /// The largest size.
    const fn most(self) -> u32 {
        match self {
            Self::Sgemm | Self::Sfilter | Self::Gaussian => 2048,
            Self::Vecadd | Self::Saxpy | Self::Nearn | Self::Bfs => 1 << 22,
        }
    }

    /// Makes the workload: a size as [`Benchmark::usual_size`] counts it, for the lanes and warps of a machine.
    pub fn workload(self, size: u32, config: &GpuConfig) -> Result<Workload, ExperimentError> {
        let most = self.most();
        if !(1..=most).contains(&size) {
            return Err(ExperimentError::Size { what: "the size of a benchmark", value: size, least: 1, most });
        }
        match self {
            Self::Sgemm => dense::sgemm(size, config),
            Self::Vecadd => dense::vecadd(size, config),
            Self::Saxpy => dense::saxpy(size, config),
            Self::Sfilter => sfilter::sfilter(size, config),
            Self::Nearn => dense::nearn(size, config),
            Self::Gaussian => gaussian::gaussian(size, config),
            Self::Bfs => bfs::bfs(size, config),
        }
    }
}

/// `count` floats from -1 to 1, all multiples of 2^-20.
fn floats(seed: u32, count: u32) -> Vec<f32> {
    // 21 bits are exact in a float.
    (0..count).map(|index| (hash(index, seed) >> 11) as f32 / (1 << 20) as f32 - 1.0).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// The whole of each buffer, in order.
fn whole(buffers: &[Buffer]) -> Vec<Binding> {
    (0..).zip(buffers).map(|(index, buffer)| Binding { buffer: index, offset: 0, bytes: buffer.bytes() }).collect()
}

/// Workgroups of one warp for so many invocations.
const fn warps(invocations: u32, config: &GpuConfig) -> u32 {
    invocations.div_ceil(config.lanes)
}

/// The override that makes a workgroup one warp.
fn lanes(config: &GpuConfig) -> [(&'static str, f64); 1] {
    [("LANES", f64::from(config.lanes))]
}

#[cfg(test)]
mod tests;
