//! Every benchmark gives the bits of plain Rust, at sizes that fill no warp, on machines of every shape and
//! with either mechanism of divergence.

use gpu_core::config::DivergenceMechanism;
use gpu_core::gpu::Gpu;

use super::*;

#[test]
fn every_benchmark_is_right_at_every_lane_count() {
    for machine in ["vortex-1w1t", "vortex-8w2t", "vortex-4w4t", "3c2w5t", "vortex-2w8t", "2c4w16t", "vortex-2c2w32t"] {
        for divergence in DivergenceMechanism::EVERY {
            let config = GpuConfig::from_name(machine).expect("it is a machine").with_divergence(divergence);
            let mut gpu = Gpu::new(config).expect("it is valid");
            for benchmark in Benchmark::ALL {
                for size in [1, 2, 19] {
                    let workload = benchmark.workload(size, &config).expect("it compiles");
                    let reports = workload.run(&mut gpu).unwrap_or_else(|error| panic!("{machine}: {error}"));
                    assert_eq!(reports.len(), workload.steps.len());
                }
            }
        }
    }
}

#[test]
fn a_wrong_word_is_named() {
    let config = GpuConfig::vortex(1, 4, 4);
    let mut gpu = Gpu::new(config).expect("it is valid");
    let mut workload = Benchmark::Vecadd.workload(8, &config).expect("it compiles");
    workload.buffers[1].words[5] ^= 1 << 20;
    let error = workload.run(&mut gpu).expect_err("an input was changed after the result was computed").to_string();
    assert!(error.contains("`c` of vecadd (8): word 5 is"), "{error}");
}

#[test]
fn sizes_out_of_range_are_refused() {
    let config = GpuConfig::vortex(1, 4, 4);
    for (benchmark, size) in [(Benchmark::Sgemm, 0), (Benchmark::Gaussian, 2049), (Benchmark::Bfs, u32::MAX)] {
        let error = benchmark.workload(size, &config).expect_err("out of range").to_string();
        assert!(error.starts_with("the size of a benchmark must be 1 to "), "{error}");
    }
}
