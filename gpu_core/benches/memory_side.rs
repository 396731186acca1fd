//! How fast the memory side of the cycle model is on the host: `cargo bench -p gpu_core --bench memory_side`.
//!
//! A core of the default machine for measuring, which fetches each cycle, hands in an access every fourth, and lets its
//! memory side tick; with one window of 8 cycles after the other.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gpu_core::config::GpuConfig;
use gpu_core::retired::Retired;
use gpu_core::timing::core_memory::CoreMemory;
use gpu_core::timing::shared_level::SharedLevel;
use gpu_core::trap::AccessKind;
use gpu_core::units::{CoreId, ThreadMask};
use std::hint::black_box;

const CYCLES: u64 = 100_000;

/// What the lanes access.
#[derive(Copy, Clone)]
enum Traffic {
    /// Nothing: the cost of ticking.
    None,
    /// The same few lines: hits.
    Hits,
    /// Line after line: misses, and a store for every other load.
    Stream,
    /// Each lane a line of its own among 32 KB: bank conflicts, hits and misses.
    Gather,
    /// Bilinear samples of neighbouring texels, row after row.
    Texels,
}

fn run(lanes: u32, traffic: Traffic) -> u64 {
    let timing = GpuConfig::vortex(1, 4, lanes).timing.memory;
    let mut core = CoreMemory::new(&timing);
    let mut shared = SharedLevel::new(&timing, 1);
    let mut retired = Retired::default();
    let mask = ThreadMask::first(lanes);
    let (mut answers, mut position, mut random) = (0, 0u32, 1u32);
    let mut edge = shared.look_ahead();
    for now in 0..CYCLES {
        if now == edge {
            edge += shared.look_ahead();
            shared.collect(CoreId(0), &mut core);
            shared.serve();
            shared.deliver(CoreId(0), &mut core);
        }
        core.tick(now);
        answers += core.responses().len() as u64;
        core.responses().clear();
        black_box(core.fetch(now, 0, 0x8000_0000 + (now as u32 & 255) * 4));
        if now & 3 != 0 {
            continue;
        }
        let access = &mut retired.access;
        (access.kind, access.bytes) = (AccessKind::Load, 4);
        match traffic {
            Traffic::None => continue,
            Traffic::Texels => {
                if core.can_sample(now) {
                    retired.texels.tap_count = 4;
                    for lane in 0..lanes as usize {
                        let address = 0x10_0000 + 4 * (position + lane as u32);
                        for (tap, offset) in [0, 4, 8192, 8196].into_iter().enumerate() {
                            retired.texels.addresses[tap][lane] = address + offset;
                        }
                    }
                    position = (position + lanes) & 0x3ff;
                    core.sample(now, 0, mask, &retired.texels);
                }
                continue;
            }
            Traffic::Hits | Traffic::Stream => {
                for lane in 0..lanes {
                    access.addresses[lane as usize] = 0x10_0000 + 4 * (position + lane);
                }
                let is_hits = matches!(traffic, Traffic::Hits);
                position = (position + lanes) & if is_hits { 0xff } else { 0xf_ffff };
                if !is_hits && position & (2 * lanes) != 0 {
                    access.kind = AccessKind::Store;
                }
            }
            Traffic::Gather => {
                for lane in 0..lanes as usize {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    access.addresses[lane] = 0x10_0000 + (random >> 17 & !3);
                }
            }
        }
        if core.can_access(now) {
            core.access(now, 0, mask, access);
        }
    }
    answers
}

fn benchmark(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("memory_side");
    group.throughput(Throughput::Elements(CYCLES));
    group.sample_size(10);
    for lanes in [4, 32] {
        for (name, traffic) in [
            ("idle", Traffic::None),
            ("hits", Traffic::Hits),
            ("stream", Traffic::Stream),
            ("gather", Traffic::Gather),
            ("texels", Traffic::Texels),
        ] {
            group.bench_function(format!("{name}_{lanes}t"), |bench| bench.iter(|| run(black_box(lanes), traffic)));
        }
    }
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
