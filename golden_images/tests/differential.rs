//! Two ways agree: the device draws what the plain reference draws, bit for bit, whatever the machine's shape and
//! however many host threads simulate it.

use demos::scenes::{Filter, SCENES};
use golden_images::scene_picture::{frame, picture};
use gpu_core::config::{DivergenceMechanism, GpuConfig};
use gpu_core::gpu::EngineChoice;
#[cfg(feature = "fast")]
use gpu_core::gpu::HostLevel;
use raster::{Device, Reference};

/// Pixels; small, since every machine draws every scene.
const SIZE: (u32, u32) = (75, 53);

/// Machines of every lane count that graphics accepts, with few and many warps and cores.
const MACHINES: [&str; 6] = ["wide", "vortex-4w4t", "1c1w4t", "3c2w8t", "2c32w16t", "4c4w32t"];

fn device(machine: &str) -> Device {
    let config = GpuConfig::from_name(machine).expect("a machine's name");
    Device::new(config).expect("a machine that draws")
}

#[test]
fn the_device_draws_what_the_reference_draws_on_machines_of_every_shape() {
    for info in SCENES {
        for &filter in info.filters() {
            let frame = frame(info, filter, SIZE.0, SIZE.1);
            let expected = picture(&mut Reference::new(), &frame);
            let colors: std::collections::BTreeSet<&[u8]> = expected.rgba.chunks_exact(4).collect();
            assert!(colors.len() > 10, "{} shows something: {} colours", info.name, colors.len());
            // Every machine filters by the same code: one filter on all of them, the others on two.
            let machines = if filter == Filter::Trilinear { &MACHINES[..] } else { &MACHINES[..2] };
            for machine in machines {
                let actual = picture(&mut device(machine), &frame);
                assert!(actual == expected, "{} {} on {machine} differs from the reference", info.name, filter.name());
            }
        }
    }
}

/// M7: stack and thread masks leave the same results.
#[test]
fn every_scene_is_the_same_with_thread_masks() {
    for info in SCENES {
        let frame = frame(info, Filter::Trilinear, SIZE.0, SIZE.1);
        let draw = |divergence| {
            let config = GpuConfig::from_name("wide").expect("a machine's name").with_divergence(divergence);
            let mut device = Device::new(config).expect("a machine that draws");
            (picture(&mut device, &frame), device.report().warp_instructions)
        };
        let [(stack, instructions), (masks, others)] = DivergenceMechanism::EVERY.map(draw);
        assert!(stack == masks, "{} with thread masks differs from the stack", info.name);
        assert_ne!(instructions, others, "{}: the code is another", info.name);
    }
}

#[test]
fn a34_host_threads_do_not_change_a_picture() {
    let frame = frame(&SCENES[0], Filter::Trilinear, SIZE.0, SIZE.1);
    let draw = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be made");
        pool.install(|| picture(&mut device("4c4w16t"), &frame))
    };
    let one = draw(1);
    for threads in [2, 3, 8] {
        assert!(draw(threads) == one, "{threads} host threads draw another picture than one");
    }
}

/// Every engine of this host, by name.
fn engines() -> Vec<(&'static str, EngineChoice)> {
    #[allow(unused_mut, reason = "without the fast engine there is one")]
    let mut engines = vec![("plain", EngineChoice::Plain)];
    #[cfg(feature = "fast")]
    for (name, level) in [("baseline", HostLevel::Baseline), ("AVX2", HostLevel::Avx2)] {
        if level.is_available() {
            engines.push((name, EngineChoice::Fast(level)));
        } else {
            println!("this host has no {name}: that engine is left out");
        }
    }
    engines
}

#[test]
fn a34_every_engine_draws_the_same_picture() {
    for info in SCENES {
        let frame = frame(info, Filter::Trilinear, SIZE.0, SIZE.1);
        let pictures = engines().into_iter().map(|(name, engine)| {
            let mut device = device("wide");
            device.gpu_mut().set_engine(engine);
            (name, picture(&mut device, &frame), device.report().clone())
        });
        let pictures: Vec<_> = pictures.collect();
        let (_, expected, report) = &pictures[0];
        for (name, actual, counted) in &pictures[1..] {
            assert!(actual == expected, "{} on the {name} engine differs from the plain one", info.name);
            assert_eq!(counted, report, "{} on the {name} engine", info.name);
        }
    }
}

#[test]
fn a11_machines_that_cannot_draw_are_refused_by_name() {
    for lanes in [1, 2, 5, 31] {
        let config = GpuConfig::from_name(&format!("1c4w{lanes}t")).expect("a machine for computing");
        let message = Device::new(config).expect_err("graphics needs quads of lanes").to_string();
        assert!(message.contains("lanes") && message.contains(&lanes.to_string()), "{message}");
    }
    for machine in ["1c4w0t", "1c4w33t", "1c0w4t", "1c33w4t", "0c4w4t", "33c4w4t"] {
        let message = GpuConfig::from_name(machine).expect_err(machine).to_string();
        assert!(message.contains("32"), "{machine}: {message}");
    }
}
