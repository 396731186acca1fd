//! Machines for measurements: their programs take time.

use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, Mode};

use crate::experiments::compute::Benchmark;
use crate::experiments::error::ExperimentError;
use crate::experiments::figures::Figures;

/// A machine whose launches are timed.
pub fn timed(config: GpuConfig) -> Result<Gpu, ExperimentError> {
    let mut gpu = Gpu::new(config)?;
    gpu.set_mode(Mode::Timed);
    Ok(gpu)
}

/// A benchmark on a timed machine, its results checked.
pub fn measure(benchmark: Benchmark, size: u32, config: &GpuConfig) -> Result<Figures, ExperimentError> {
    let workload = benchmark.workload(size, config)?;
    Ok(Figures::of(&workload.run(&mut timed(*config)?)?))
}
