//! Random states: the device and the reference agree on every bit of colour, depth and stencil.
//!
//! A state chooses a kernel, and no list of cases holds all of them. `SEED=n` begins elsewhere; a failure names the seed
//! of its case, with which `SEED=n STATES=1` repeats it. To add a state: choose it in `fragment.rs` or in a file beside
//! it, and let `scene.rs` draw something on which it shows.

mod chance;
#[path = "../drawing/mod.rs"]
mod drawing;
mod fragment;
mod passes;
mod planted;
mod primitive;
mod scene;

use chance::Chance;
use drawing::{Interpreted, assert_equal, render, timed_device};
use gpu_core::config::GpuConfig;
use passes::RandomPasses;
use raster::tile_kernel::Variant;
use raster::{Backend, Device, Reference};
use scene::{Scene, Stock};

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

/// Draws random scenes with one of the backends each, and with the reference.
fn check(first_seed: u64, states: u64, backends: &mut [Box<dyn Backend>], adapt: fn(Scene) -> Scene) {
    let first_seed = number("SEED").unwrap_or(first_seed);
    println!("seeds from {first_seed}");
    let mut stock = Stock::new();
    let mut reference = Reference::new();
    for seed in first_seed..first_seed + number("STATES").unwrap_or(states) {
        let mut chance = Chance::new(seed);
        let scene = adapt(Scene::new(&mut chance, &mut stock));
        let expected = render(&mut reference, &scene.frame);
        let count = backends.len() as u32;
        let backend = &mut backends[chance.below(count) as usize];
        let actual = render(&mut **backend, &scene.frame);
        assert_equal(&expected, &actual, &format!("SEED={seed}, {}, {:?}", backend.name(), scene.state));
    }
}

fn device(config: GpuConfig) -> Box<dyn Backend> {
    Box::new(Device::new(config).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn the_device_agrees_with_the_reference_in_random_states() {
    let machines =
        [GpuConfig::vortex(1, 1, 4), GpuConfig::wide(1, 1, 8), GpuConfig::wide(1, 2, 16), GpuConfig::wide(1, 1, 32)];
    check(1, 300, &mut machines.map(device), |scene| scene);
}

/// Several targets, samples and resolves; what is loaded and stored; depth and masks from the shader.
#[test]
fn the_device_agrees_with_the_reference_in_random_passes() {
    let machines = [
        GpuConfig::vortex(1, 1, 4),
        GpuConfig::wide(1, 2, 8),
        GpuConfig { local_bytes: 64 << 10, ..GpuConfig::wide(1, 1, 16) },
        GpuConfig::wide(1, 1, 32),
    ];
    check_passes(3_000_001, 150, &mut machines.map(device));
}

/// Draws random passes with one of the backends each, and with the reference.
fn check_passes(first_seed: u64, states: u64, backends: &mut [Box<dyn Backend>]) {
    let first_seed = number("SEED").unwrap_or(first_seed);
    println!("seeds from {first_seed}");
    let mut reference = Reference::new();
    for seed in first_seed..first_seed + number("STATES").unwrap_or(states) {
        let mut chance = Chance::new(seed);
        let passes = RandomPasses::new(&mut chance);
        let expected = passes.draw(&mut reference);
        let count = backends.len() as u32;
        let backend = &mut backends[chance.below(count) as usize];
        let found = passes.draw(&mut **backend);
        let difference = RandomPasses::difference(&expected, &found);
        assert_eq!(difference, None, "SEED={seed} STATES=1, {}, {:?}", backend.name(), passes.state);
    }
}

/// Time changes no result: a few states on a machine that counts cycles.
#[test]
fn the_timed_device_agrees_with_the_reference_in_random_states() {
    check(2_000_001, 12, &mut [Box::new(timed_device())], |scene| scene);
}

/// The same for several targets, samples and resolves.
#[test]
fn the_timed_device_agrees_with_the_reference_in_random_passes() {
    check_passes(4_000_001, 16, &mut [Box::new(timed_device())]);
}

/// A state's kernel is compiled when it is first drawn, and then kept as long as somebody holds its pipeline. Prints what
/// that takes.
#[test]
fn each_state_is_compiled_once() {
    let mut device = Device::new(GpuConfig::wide(1, 1, 16)).unwrap_or_else(|error| panic!("{error}"));
    let (mut chance, mut stock) = (Chance::new(7), Stock::new());
    let scenes: Vec<_> = (0..20).map(|_| Scene::new(&mut chance, &mut stock)).collect();
    let pipelines = scenes.iter().map(|scene| &scene.frame.draws[1].pipeline);
    let start = std::time::Instant::now();
    for pipeline in pipelines.clone() {
        device.kernel(pipeline, Variant::default()).unwrap_or_else(|error| panic!("{error}"));
    }
    println!("{:.1} ms a state", start.elapsed().as_secs_f64() * 1e3 / scenes.len() as f64);
    for pipeline in pipelines {
        device.kernel(pipeline, Variant::default()).unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(device.programs().count(), scenes.len());
}

/// Where this fails too, the fault is before the code generator.
#[test]
fn the_interpreted_kernel_agrees_with_the_reference_in_random_states() {
    let interpreted = |lanes| Box::new(Interpreted::new(lanes, 3)) as Box<dyn Backend>;
    check(1_000_001, 60, &mut [interpreted(4), interpreted(16)], Scene::with_one_sample);
}
