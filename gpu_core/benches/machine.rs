//! Host time of the machine's kernels, by lanes and engine: `cargo bench -p gpu_core --bench machine`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gpu_core::benchmark::{Kernel, measure};
use gpu_core::config::GpuConfig;
use gpu_core::gpu::{EngineChoice, Gpu};
use std::time::Duration;

fn engines() -> Vec<(&'static str, EngineChoice)> {
    #[cfg_attr(not(feature = "fast"), allow(unused_mut))]
    let mut engines = vec![("plain", EngineChoice::Plain)];
    #[cfg(feature = "fast")]
    {
        use gpu_core::gpu::HostLevel;
        engines.push(("baseline", EngineChoice::Fast(HostLevel::Baseline)));
        if HostLevel::Avx2.is_available() {
            engines.push(("avx2", EngineChoice::Fast(HostLevel::Avx2)));
        }
    }
    engines
}

fn kernels(criterion: &mut Criterion) {
    for kernel in Kernel::ALL {
        let mut group = criterion.benchmark_group(kernel.name());
        for lanes in [4, 16, 32] {
            for (name, engine) in engines() {
                let mut gpu = Gpu::new(GpuConfig::wide(1, 1, lanes)).expect("the configuration is valid");
                gpu.set_engine(engine);
                let program = kernel.program(5_000);
                let once = measure(&mut gpu, &program).expect("the kernel runs");
                group.throughput(Throughput::Elements(once.lane_instructions));
                group.bench_function(format!("{lanes} lanes, {name}"), |bencher| {
                    bencher.iter(|| measure(&mut gpu, &program).expect("the kernel runs"));
                });
            }
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = kernels
}
criterion_main!(benches);
