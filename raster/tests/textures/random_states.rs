//! Random textures, samplers and questions: every backend gives the reference's bits, and those are what the model says.

use crate::drawing::{assert_equal, device, render};
use crate::model;
use crate::questions::{Question, answers, frame_of};
use crate::seeded::seeded;
use gpu_core::config::GpuConfig;
use proptest::prelude::*;
use raster::{MipFilter, Reference, Sampler, Texture, TextureDimension};
use texture::{Filter, Format, Image, Wrap};

const FORMATS: [Format; 17] = [
    Format::A8R8G8B8,
    Format::Rgba8,
    Format::R5G6B5,
    Format::A8L8,
    Format::R8,
    Format::Rg8,
    Format::Rgba8Srgb,
    Format::A8R8G8B8Srgb,
    Format::R8Snorm,
    Format::Rgba8Snorm,
    Format::R16Float,
    Format::Rgba16Float,
    Format::R32Float,
    Format::Rg32Float,
    Format::Rgba32Float,
    Format::Rgb10A2,
    Format::Rg11B10Float,
];

const DIMENSIONS: [TextureDimension; 5] = [
    TextureDimension::D1,
    TextureDimension::D2,
    TextureDimension::D2Array,
    TextureDimension::Cube,
    TextureDimension::CubeArray,
];

/// A texture of channels between 0 and 1 that a shift register gives.
fn any_texture() -> impl Strategy<Value = Texture> {
    let size = || prop_oneof![1u32..9, 1u32..40];
    (0..FORMATS.len(), 0..DIMENSIONS.len(), size(), size(), any::<u32>()).prop_map(
        |(format, kind, width, height, seed)| {
            let dimension = DIMENSIONS[kind];
            let (height, layers) = match dimension {
                TextureDimension::D1 => (1, 1),
                TextureDimension::D2 => (height, 1),
                TextureDimension::D2Array => (height, 3),
                TextureDimension::Cube => (width, 6),
                TextureDimension::CubeArray => (width, 12),
                other => unreachable!("{other:?} has tests of its own"),
            };
            let mut image = Image::blank_layers(FORMATS[format], width, height, 1, layers).expect("it is small");
            let mut state = seed | 1;
            for (layer, y, x) in
                (0..layers).flat_map(|l| (0..height).flat_map(move |y| (0..width).map(move |x| (l, y, x))))
            {
                let channels = [(); 4].map(|()| {
                    state ^= state << 13;
                    state ^= state >> 17;
                    state ^= state << 5;
                    ((state >> 8) as f32 / 16_777_216.0).to_bits()
                });
                image.set_channels(layer, 0, x, y, channels);
            }
            let image = image.with_mipmaps().expect("it is small");
            Texture::of_kind(image, dimension).expect("its size and layers are the kind's")
        },
    )
}

fn any_sampler() -> impl Strategy<Value = Sampler> {
    let wrap = || (0usize..4).prop_map(|code| Wrap::ALL[code]);
    let filter = || prop_oneof![Just(Filter::Point), Just(Filter::Bilinear)];
    let mip = prop_oneof![Just(MipFilter::None), Just(MipFilter::Nearest), Just(MipFilter::Linear)];
    let lod = prop_oneof![Just((0.0f32, 15.0f32)), (-2.0f32..2.0, 0.0f32..4.0)];
    (wrap(), wrap(), filter(), proptest::option::of(filter()), mip, lod, -1.5f32..1.5, any::<u32>(), 1u32..=16)
        .prop_map(|(wrap_u, wrap_v, filter, mag_filter, mip_filter, (lod_min, more), lod_bias, border, anisotropy)| {
            let has_point = filter == Filter::Point || mag_filter == Some(Filter::Point);
            let max_anisotropy = if has_point || anisotropy < 8 { 1 } else { anisotropy };
            let lod_max = lod_min + more;
            Sampler {
                wrap_u,
                wrap_v,
                filter,
                mag_filter,
                mip_filter,
                lod_min,
                lod_max,
                lod_bias,
                border,
                max_anisotropy,
                ..Sampler::POINT
            }
        })
}

fn any_questions(count: usize) -> impl Strategy<Value = Vec<Question>> {
    let coordinates = || proptest::array::uniform4(-3.0f32..3.0);
    let steps =
        || proptest::array::uniform4((-1.0f32..1.0, 0i32..6).prop_map(|(sign, scale)| sign * 0.5f32.powi(scale)));
    let level = prop_oneof![Just(f32::NAN), -1.5f32..7.0];
    let question = (coordinates(), steps(), steps(), -1i32..4, level)
        .prop_map(|(at, ddx, ddy, layer, level)| Question { at, ddx, ddy, layer, level, padding: [0; 2] });
    proptest::collection::vec(question, count)
}

/// What the 8 bits of a channel, of a weight (255ths or 256ths), of the level's fraction and of the target may add up to.
const TOLERANCE: f64 = 5.0 / 255.0;

proptest! {
    #![proptest_config(seeded(60))]

    #[test]
    fn the_device_gives_the_references_bits(
        texture in any_texture(), sampler in any_sampler(), questions in any_questions(96), lanes in 2u32..=5,
    ) {
        let frame = frame_of(&texture, sampler, &questions);
        let expected = render(&mut Reference::new(), &frame);
        let actual = render(&mut device(GpuConfig::wide(1, 4, 1 << lanes)), &frame);
        assert_equal(&expected, &actual, &format!("{:?} {:?} {sampler:?}", texture.dimension(), texture.image().format));
    }
}

proptest! {
    #![proptest_config(seeded(300))]

    #[test]
    fn the_reference_is_what_the_specification_says(
        texture in any_texture(), sampler in any_sampler(), questions in any_questions(96),
    ) {
        let image = texture.image();
        let got = answers(&mut Reference::new(), &texture, sampler, &questions);
        for (question, got) in questions.iter().zip(got) {
            if texture.dimension() == TextureDimension::D1 && question.level.is_nan() {
                continue;
            }
            let expected = model::answer(&image, texture.dimension(), sampler, question);
            if expected.is_delicate {
                continue;
            }
            let channels = [16, 8, 0, 24].map(|shift| f64::from(got >> shift & 255) / 255.0);
            for (got, expected) in channels.into_iter().zip(expected.color) {
                let expected = expected.clamp(0.0, 1.0);
                prop_assert!(
                    (got - expected).abs() <= TOLERANCE,
                    "{got} is not {expected}: {question:?} of {} {:?} of {:?}", image.width(), image.format, texture.dimension()
                );
            }
        }
    }
}
