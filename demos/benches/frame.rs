//! Host time of one frame of each scene at 160 x 120 on the machine `wide`: `cargo bench -p demos --bench frame`.

use criterion::{Criterion, criterion_group, criterion_main};
use demos::scenes::{Filter, SCENES, View};
use gpu_core::config::GpuConfig;
use raster::{Backend, Device};
use std::time::Duration;

fn frames(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frame");
    for info in SCENES {
        let scene = (info.make)(None).expect("scenes made in code are sound");
        let config = GpuConfig::from_name("wide").expect("it is a preset");
        let mut device = Device::new(config).expect("the machine can draw");
        let view = View { width: 160, height: 120, time: 0.0, filter: Filter::Trilinear, camera: scene.camera() };
        // The first frame compiles the kernel and uploads textures.
        device.render(&scene.frame(&view)).expect("the scene can be drawn");
        group.bench_function(info.name, |bencher| {
            bencher.iter(|| device.render(&scene.frame(&view)).expect("the scene can be drawn"));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = frames
}
criterion_main!(benches);
