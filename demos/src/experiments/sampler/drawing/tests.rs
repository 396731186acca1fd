//! All samplers give the bits of the texture crate's model, on machines of every shape.

use super::*;
use crate::experiments::sampler::reference::reference;
use crate::experiments::sampler::source::source;

/// Draws with every sampler and filter, and compares.
#[track_caller]
fn check(machine: &str, mapping: Mapping, target: [u32; 2]) {
    let [width, height] = mapping.source_size(target);
    let image = source(width, height, 7).expect("it is small");
    check_image(machine, mapping, target, &image);
}

#[track_caller]
fn check_image(machine: &str, mapping: Mapping, target: [u32; 2], image: &Image) {
    let config = GpuConfig::from_name(machine).expect("it is a machine");
    let gpu = Gpu::new(config).expect("it is valid");
    let mut drawing = Drawing::new(gpu, image, mapping, target).expect("it fits");
    for filter in Filter::ALL {
        let expected = reference(image, mapping, drawing.coordinates(), filter, target).expect("it can be sampled");
        for sampler in Sampler::ALL {
            let drawn = drawing.draw(filter, sampler).unwrap_or_else(|error| panic!("{machine}: {error}"));
            let wrong = drawn.words.iter().zip(&expected.words).position(|(a, b)| a != b);
            assert_eq!(wrong, None, "{machine} {mapping:?} {filter:?} {sampler:?}: first wrong pixel");
            assert!(drawn.start_up.warp_instructions < drawn.report.warp_instructions);
        }
    }
}

#[test]
fn every_sampler_equals_the_model_at_every_lane_count() {
    for machine in ["vortex-1w1t", "vortex-2w2t", "vortex-4w4t", "vortex-2w8t", "3c2w5t", "8w16t", "vortex-2c1w32t"] {
        check(machine, Mapping::Shift, [37, 9]);
        check(machine, Mapping::Scale, [24, 12]);
    }
}

#[test]
fn every_mapping_draws_what_the_model_says() {
    for mapping in Mapping::ALL {
        check("vortex-4w4t", mapping, [48, 40]);
    }
}

#[test]
fn textures_of_one_texel_or_one_row_are_sampled() {
    for [width, height] in [[1, 1], [1, 9], [17, 1], [2, 3]] {
        let image = source(width, height, 3).expect("it is small");
        check_image("vortex-4w4t", Mapping::Shift, [width, height], &image);
    }
}

#[test]
fn the_generic_sampler_knows_every_narrow_format_and_wrap() {
    use texture::{Format, Sampling, Wrap, sample};
    let config = GpuConfig::from_name("8w16t").expect("it is a machine");
    let target = [18, 12];
    for format in Format::ALL.into_iter().filter(|format| format.is_narrow()) {
        let noise = source(13, 10, 5).expect("it is small");
        let image = Image::from_fn(format, 13, 10, |x, y| noise.color(0, x, y)).expect("it is small");
        let image = image.with_mipmaps().expect("it is small");
        let gpu = Gpu::new(config).expect("it is valid");
        // Pictures larger than the texture show what lies outside.
        let mut drawing = Drawing::new(gpu, &image, Mapping::Rotate, target).expect("it fits");
        for wrap in Wrap::ALL {
            for filter in [Filter::Point, Filter::Bilinear] {
                let sampling = Sampling { wrap_u: wrap, wrap_v: wrap, border: 0x1234_5678, ..sampling(filter) };
                let drawn = drawing.draw_with(filter, Sampler::Generic, sampling, &mut ToTheEnd).expect("it runs");
                let stage = image.stage(0, sampling).expect("it can be sampled");
                for (index, &word) in (0u32..).zip(&drawn.words) {
                    let [u, v] = drawing.coordinates().at(index % target[0], index / target[0]);
                    let expected = sample(&stage, u, v, 0, |address, bytes| image.fetch(address, bytes));
                    assert_eq!(word, expected, "{format:?} {wrap:?} {filter:?}, pixel {index}");
                }
            }
        }
    }
}
