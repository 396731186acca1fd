//! Gather, comparison, offsets, volumes, depths and samples, on the reference and on machines; every expected value is computed
//! here, from texels by number.

use crate::drawing::*;
use glam::Vec4;
use gpu_core::config::GpuConfig;
use raster::{
    Backend, Bindings, Compare, Device, MipFilter, Reference, Sampler, State, StorageBuffer, Texture, TextureDimension,
};
use texture::{Filter, Format, Image, Wrap};

/// Pixels of a row; each answers for one index `i`.
const COUNT: u32 = 32;

/// The `vec4<f32>` that an expression gives for each index, the same on every backend.
#[track_caller]
pub fn ask(declarations: &str, expression: &str, bindings: &Bindings) -> Vec<[f32; 4]> {
    let source = format!(
        "{declarations}
        @group(1) @binding(0) var<storage, read_write> answers: array<vec4<f32>>;
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {{
            let i = u32(p.x);
            let f = f32(i);
            answers[i] = {expression};
            return vec4<f32>();
        }}"
    );
    let pipeline = pipeline(&source, State::FLAT);
    let machine = |config| Box::new(Device::new(config).expect("a machine that draws"));
    let backends: [Box<dyn Backend>; 3] =
        [Box::new(Reference::new()), machine(GpuConfig::vortex(1, 2, 4)), machine(GpuConfig::wide(1, 4, 16))];
    let mut all = Vec::new();
    for mut backend in backends {
        let answers = StorageBuffer::of_words(4 * COUNT as usize);
        let (w, size) = (COUNT as f32, (COUNT, 1));
        let corners = [[0.0, 0.0], [w, 0.0], [w, 1.0], [0.0, 1.0]].map(|place| at_pixel(place, size, Vec4::ONE));
        let vertices = [0, 1, 2, 0, 2, 3].map(|corner: usize| corners[corner]).to_vec();
        let bindings = bindings.clone().with(1, 0, &answers);
        render(&mut *backend, &frame(COUNT, 1, vec![draw(&pipeline, vertices).with_bindings(bindings)]));
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&answers.bytes());
        all.push((backend.name().to_owned(), words));
    }
    for (name, words) in &all[1..] {
        let differs = words.iter().zip(&all[0].1).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{name} gives the reference's bits");
    }
    all[0].1.chunks(4).map(|words| std::array::from_fn(|n| f32::from_bits(words[n]))).collect()
}

#[track_caller]
pub fn assert_answers(answers: &[[f32; 4]], expected: impl Fn(u32) -> [f32; 4]) {
    for (i, answer) in (0..).zip(answers) {
        assert_eq!(*answer, expected(i), "index {i}");
    }
}

/// One texel for each number of `texel(layer, level, x, y)`.
pub fn image_of(
    format: Format,
    [width, height, layers, levels]: [u32; 4],
    texel: impl Fn(u32, usize, u32, u32) -> [u32; 4],
) -> Image {
    let mut image = Image::blank_layers(format, width, height, levels, layers).expect("it is small");
    let sizes = image.levels.clone();
    for (layer, (level, size)) in
        (0..layers).flat_map(|layer| sizes.iter().enumerate().map(move |level| (layer, level)))
    {
        for (x, y) in (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y))) {
            image.set_channels(layer, level, x, y, texel(layer, level, x, y));
        }
    }
    image
}

fn wrapped(wrap: Wrap, index: i32, size: i32) -> u32 {
    let phase = index.rem_euclid(2 * size);
    (match wrap {
        Wrap::Repeat => index.rem_euclid(size),
        Wrap::Mirror => phase.min(2 * size - 1 - phase),
        _ => index.clamp(0, size - 1),
    }) as u32
}

/// 5 × 3 texels and two layers; the four channels of each are four numbers that occur once.
pub fn numbers(layer: u32, level: usize, x: u32, y: u32) -> [f32; 4] {
    let number = (1000 * level as u32 + 100 * layer + 10 * y + x) as f32;
    [number, number + 0.25, number + 0.5, number + 0.75]
}

pub fn bits(values: [f32; 4]) -> [u32; 4] {
    values.map(f32::to_bits)
}

#[test]
fn gather_takes_the_footprints_texels_counter_clockwise() {
    let image = image_of(Format::Rgba32Float, [5, 3, 2, 1], |layer, level, x, y| bits(numbers(layer, level, x, y)));
    let array = Texture::of_kind(image, TextureDimension::D2Array).expect("two layers");
    let declarations = "@group(0) @binding(0) var t: texture_2d_array<f32>; @group(0) @binding(1) var s: sampler;";
    // i·0.34 − 5 texels to the right, i·0.3 − 3 down: no coordinate in the middle between two texels.
    let expression = "textureGather(2, t, s, vec2<f32>((f * 0.34 - 4.97) / 5.0, (f * 0.3 - 2.95) / 3.0), i32(i & 1u), vec2<i32>(1, -2))";
    for (wrap_u, wrap_v) in [(Wrap::Repeat, Wrap::Mirror), (Wrap::Mirror, Wrap::Clamp), (Wrap::Clamp, Wrap::Repeat)] {
        let sampler = Sampler { wrap_u, wrap_v, ..Sampler::BILINEAR };
        let answers = ask(declarations, expression, &Bindings::new().with(0, 0, &array).with(0, 1, sampler));
        assert_answers(&answers, |i| {
            let x = (f64::from(i) * 0.34 - 4.97 - 0.5).floor() as i32 + 1;
            let y = (f64::from(i) * 0.3 - 2.95 - 0.5).floor() as i32 - 2;
            [(0, 1), (1, 1), (1, 0), (0, 0)]
                .map(|(dx, dy)| numbers(i & 1, 0, wrapped(wrap_u, x + dx, 5), wrapped(wrap_v, y + dy, 3))[2])
        });
    }
}

#[test]
fn gather_of_integers_and_of_cubes() {
    let image = image_of(Format::Rg16Sint, [4, 4, 1, 1], |_, _, x, y| [x, (-((4 * y + x) as i32)) as u32, 0, 0]);
    let bindings = Bindings::new().with(0, 0, &Texture::new(image)).with(0, 1, Sampler::POINT);
    let declarations = "@group(0) @binding(0) var t: texture_2d<i32>; @group(0) @binding(1) var s: sampler;";
    let answers =
        ask(declarations, "vec4<f32>(textureGather(i32(1), t, s, vec2<f32>((f + 1.0) / 4.0, 0.25)))", &bindings);
    assert_answers(&answers, |i| [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(dx, dy)| -((4 * dy + (i + dx) % 4) as f32)));
    // A channel that the format lacks: alpha is 1, blue 0.
    let alpha = ask(declarations, "vec4<f32>(textureGather(3, t, s, vec2<f32>(0.5)))", &bindings);
    assert_answers(&alpha, |_| [1.0; 4]);

    let image = image_of(Format::Rgba32Float, [2, 2, 6, 1], |layer, level, x, y| bits(numbers(layer, level, x, y)));
    let cube = Texture::of_kind(image, TextureDimension::Cube).expect("six squares");
    let declarations = "@group(0) @binding(0) var t: texture_cube<f32>; @group(0) @binding(1) var s: sampler;
        const AXES = array<vec3<f32>, 6>(vec3(1., 0., 0.), vec3(-1., 0., 0.), vec3(0., 1., 0.), vec3(0., -1., 0.), vec3(0., 0., 1.), vec3(0., 0., -1.));";
    let bindings = Bindings::new().with(0, 0, &cube).with(0, 1, Sampler::BILINEAR);
    let answers = ask(declarations, "textureGather(0, t, s, AXES[i % 6u])", &bindings);
    // The middle of a face of 2 × 2 lies between all its texels.
    assert_answers(&answers, |i| [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(x, y)| numbers(i % 6, 0, x, y)[0]));
}

/// A depth texture whose texels are (x + 4·y) / 16.
fn depths() -> Texture {
    let image = image_of(Format::R32Float, [4, 4, 1, 3], |_, level, x, y| {
        let side = 4 >> level;
        [((x + side * y) as f32 / 16.0).to_bits(), 0, 0, 0]
    });
    Texture::new(image)
}

const DEPTH: &str = "@group(0) @binding(0) var t: texture_depth_2d; @group(0) @binding(1) var s: sampler_comparison;";

#[test]
fn each_texel_is_compared_and_the_answers_are_filtered() {
    let holds = |compare: Compare, reference: f32, texel: f32| match compare {
        Compare::Never => false,
        Compare::Less => reference < texel,
        Compare::Equal => reference == texel,
        Compare::LessEqual => reference <= texel,
        Compare::Greater => reference > texel,
        Compare::NotEqual => reference != texel,
        Compare::GreaterEqual => reference >= texel,
        Compare::Always => true,
    };
    for compare in Compare::ALL {
        let passes = |reference: f32, x: i32, y: i32| {
            let texel = (wrapped(Wrap::Clamp, x, 4) + 4 * wrapped(Wrap::Clamp, y, 4)) as f32 / 16.0;
            f32::from(u8::from(holds(compare, reference, texel)))
        };
        let bindings = |filter| {
            let sampler = Sampler { compare: Some(compare), filter, ..Sampler::SHADOW };
            Bindings::new().with(0, 0, &depths()).with(0, 1, sampler)
        };
        // A quarter of a texel right of a texel's middle and half a texel below: weights that binary fractions hold.
        let place = "vec2<f32>((f32(i % 4u) + 0.75) / 4.0, (f32(i / 8u) + 1.0) / 4.0), f32(i % 8u) / 8.0";
        let expression = format!(
            "vec4<f32>(textureSampleCompareLevel(t, s, {place}), textureSampleCompareLevel(t, s, {place}, vec2<i32>(-1, 1)), textureGatherCompare(t, s, {place}).xz)"
        );
        let answers = ask(DEPTH, &expression, &bindings(Filter::Bilinear));
        assert_answers(&answers, |i| {
            let (x, y, reference) = ((i % 4) as i32, (i / 8) as i32, (i % 8) as f32 / 8.0);
            let filtered = |x: i32, y: i32| {
                let row = |y| 0.75 * passes(reference, x, y) + 0.25 * passes(reference, x + 1, y);
                0.5 * row(y) + 0.5 * row(y + 1)
            };
            [filtered(x, y), filtered(x - 1, y + 1), passes(reference, x, y + 1), passes(reference, x + 1, y)]
        });
        // A point sampler compares the texel that holds the place.
        let answers =
            ask(DEPTH, &format!("vec4<f32>(textureSampleCompareLevel(t, s, {place}))"), &bindings(Filter::Point));
        assert_answers(&answers, |i| [passes((i % 8) as f32 / 8.0, (i % 4) as i32, (i / 8 + 1) as i32); 4]);
    }
    // A NaN is in no relation but "unequal".
    for (compare, expected) in [(Compare::NotEqual, 1.0), (Compare::LessEqual, 0.0), (Compare::Always, 1.0)] {
        let sampler = Sampler { compare: Some(compare), ..Sampler::SHADOW };
        let bindings = Bindings::new().with(0, 0, &depths()).with(0, 1, sampler);
        let nan = ask(
            DEPTH,
            "vec4<f32>(textureSampleCompareLevel(t, s, vec2<f32>(0.5), bitcast<f32>(0x7fc00000u + i)))",
            &bindings,
        );
        assert_answers(&nan, |_| [expected; 4]);
    }
}

#[test]
fn comparison_chooses_a_level_by_derivatives() {
    let sampler =
        Sampler { mip_filter: MipFilter::Nearest, filter: Filter::Point, wrap_u: Wrap::Repeat, ..Sampler::SHADOW };
    let bindings = Bindings::new().with(0, 0, &depths()).with(0, 1, sampler);
    // Two texels of level 0 from pixel to pixel: level 1, whose lower row is 2 and 3 sixteenths.
    let expression = "vec4<f32>(textureSampleCompare(t, s, vec2<f32>(f / 2.0 + 0.25, 0.9), 2.5 / 16.0))";
    assert_answers(&ask(DEPTH, expression, &bindings), |i| [(i % 2) as f32; 4]);
}

#[test]
fn depth_textures_give_one_component_and_take_integer_levels() {
    let declarations = "@group(0) @binding(0) var t: texture_depth_2d; @group(0) @binding(1) var s: sampler;";
    let sampler = Sampler { mip_filter: MipFilter::Nearest, filter: Filter::Point, ..Sampler::POINT };
    let bindings = Bindings::new().with(0, 0, &depths()).with(0, 1, sampler);
    let expression = "vec4<f32>(textureSampleLevel(t, s, vec2<f32>(0.9, 0.1), i % 3u), textureLoad(t, vec2<i32>(i32(i % 4u), 2), 0), textureSample(t, s, vec2<f32>(0.6, 0.1)), textureGather(t, s, vec2<f32>(0.5)).x)";
    assert_answers(&ask(declarations, expression, &bindings), |i| {
        let level = [3.0, 1.0, 0.0][i as usize % 3];
        [level, (i % 4 + 8) as f32, 2.0, 9.0].map(|sixteenths| sixteenths / 16.0)
    });
}

#[test]
fn offsets_count_texels_of_the_level_that_is_looked_at() {
    let image = image_of(Format::Rgba32Float, [8, 4, 2, 4], |layer, level, x, y| bits(numbers(layer, level, x, y)));
    let array = Texture::of_kind(image, TextureDimension::D2Array).expect("two layers");
    let declarations = "@group(0) @binding(0) var t: texture_2d_array<f32>; @group(0) @binding(1) var s: sampler;";
    for mip_filter in [MipFilter::Nearest, MipFilter::Linear] {
        let sampler = Sampler { mip_filter, ..Sampler::POINT };
        let bindings = Bindings::new().with(0, 0, &array).with(0, 1, sampler);
        let level = if mip_filter == MipFilter::Linear { "f32(i % 2u) + 0.5" } else { "f32(i % 4u)" };
        let place = "t, s, vec2<f32>((f32(i % 8u) + 0.5) / 8.0, 0.6), 1";
        let expression = format!("textureSampleLevel({place}, {level}, vec2<i32>(-3, 1))");
        assert_answers(&ask(declarations, &expression, &bindings), |i| {
            let texel = |level: u32| {
                let (w, h) = ((8 >> level).max(1), (4 >> level).max(1));
                let x = ((i % 8) as f64 + 0.5) / 8.0 * f64::from(w);
                let y = 0.6 * f64::from(h);
                let (x, y) = (x.floor() as i32 - 3, y.floor() as i32 + 1);
                numbers(1, level as usize, wrapped(Wrap::Repeat, x, w), wrapped(Wrap::Repeat, y, h))
            };
            match mip_filter {
                MipFilter::Linear => {
                    let (finer, coarser) = (texel(i % 2), texel(i % 2 + 1));
                    std::array::from_fn(|n| 0.5 * finer[n] + 0.5 * coarser[n])
                }
                _ => texel(i % 4),
            }
        });
    }
    // An offset of nothing changes nothing, in any form and format.
    let image =
        Image::from_fn(Format::A8R8G8B8, 7, 5, |x, y| 0xff00_0000 | (x * 36) << 16 | (y * 63) << 8 | (x * y * 9));
    let bindings = Bindings::new().with(0, 0, &Texture::new(image.expect("it is small"))).with(0, 1, Sampler::BILINEAR);
    let declarations = "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;
        const NONE = vec2<i32>();";
    let place = "t, s, vec2<f32>(f * 0.07, f * 0.033)";
    let expression = format!(
        "abs(textureSample({place}, NONE) - textureSample({place})) + abs(textureSampleBias({place}, -1.0, NONE) - textureSampleBias({place}, -1.0)) + abs(textureSampleGrad({place}, vec2(0.1), vec2(0.0), NONE) - textureSampleGrad({place}, vec2(0.1), vec2(0.0)))"
    );
    assert_answers(&ask(declarations, &expression, &bindings), |_| [0.0; 4]);
}

#[test]
fn a_volume_is_filtered_along_its_depth_too() {
    let size = [4, 2, 3, 1];
    let value = |x: u32, y: u32, z: u32| (x + 10 * y + 100 * z) as f32;
    let image = image_of(Format::Rgba32Float, size, |z, _, x, y| bits([value(x, y, z), z as f32, 1.0, 0.0]));
    let volume = Texture::of_kind(image, TextureDimension::D3).expect("any number of slices");
    let declarations = "@group(0) @binding(0) var t: texture_3d<f32>; @group(0) @binding(1) var s: sampler;";
    for wrap in [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror] {
        for filter in [Filter::Point, Filter::Bilinear] {
            let sampler = Sampler { wrap_u: wrap, wrap_v: wrap, wrap_w: wrap, filter, ..Sampler::POINT };
            let bindings = Bindings::new().with(0, 0, &volume).with(0, 1, sampler);
            // From two textures before to three behind; a quarter between texels along x and y.
            let expression =
                "textureSampleLevel(t, s, vec3<f32>(0.4375, 0.625, (f * 0.5 - 6.25) / 3.0), 0.0, vec3<i32>(0, 0, 1))";
            let answers = ask(declarations, expression, &bindings);
            for (i, answer) in (0..).zip(&answers) {
                let w = f64::from(i) * 0.5 - 6.25 + 1.0;
                let slice = |z: f64| f64::from(wrapped(wrap, z as i32, 3));
                let depth = match filter {
                    Filter::Point => slice(w.floor()),
                    Filter::Bilinear => {
                        let first = (w - 0.5).floor();
                        let weight = w - 0.5 - first;
                        slice(first) * (1.0 - weight) + slice(first + 1.0) * weight
                    }
                };
                let flat = if filter == Filter::Point { 11.0 } else { 1.25 + 7.5 };
                // A weight is cut off to 256ths, and the slices beside it may be two apart.
                let expected = flat + 100.0 * depth;
                assert!(
                    (f64::from(answer[0]) - expected).abs() <= 200.0 / 256.0,
                    "{wrap:?} {filter:?} {i}: {answer:?}, {expected}"
                );
                assert!((f64::from(answer[1]) - depth).abs() <= 2.0 / 256.0, "{wrap:?} {filter:?} {i}: {answer:?}");
            }
        }
    }
}

#[test]
fn volumes_have_levels_texels_and_dimensions() {
    let texel =
        |z: u32, level: usize, x: u32, y: u32| 0xff00_0000 | (40 * level as u32) << 16 | (16 * z) << 8 | (4 * y + x);
    let mut image = Image::blank_layers(Format::A8R8G8B8, 8, 4, 4, 6).expect("it is small");
    for (z, level) in (0..6).flat_map(|z| (0..4).map(move |level| (z, level))) {
        let size = image.levels[level];
        for (x, y) in (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y))) {
            image.set_layer_color(z, level, x, y, texel(z, level, x, y));
        }
    }
    let volume = Texture::of_kind(image, TextureDimension::D3).expect("any number of slices");
    let declarations = "@group(0) @binding(0) var t: texture_3d<f32>; @group(0) @binding(1) var s: sampler;";
    let bindings =
        Bindings::new().with(0, 0, &volume).with(0, 1, Sampler { mip_filter: MipFilter::Linear, ..Sampler::POINT });
    let sizes =
        ask(declarations, "vec4<f32>(vec3<f32>(textureDimensions(t, i % 5u)), f32(textureNumLevels(t)))", &bindings);
    assert_answers(&sizes, |i| {
        [[8, 4, 6], [4, 2, 3], [2, 1, 1], [1, 1, 1], [1, 1, 1]][i as usize % 5]
            .map(|side| side as f32)
            .into_iter()
            .chain([4.0])
            .collect::<Vec<_>>()
            .try_into()
            .expect("four")
    });
    // Out of range is the nearest texel.
    let loads = ask(declarations, "255.0 * textureLoad(t, vec3<i32>(i32(i) - 4, 1, i32(i) - 8), 1)", &bindings);
    assert_answers(&loads, |i| {
        let (x, z) = (wrapped(Wrap::Clamp, i as i32 - 4, 4), wrapped(Wrap::Clamp, i as i32 - 8, 3));
        let [blue, green, red, alpha] = texel(z, 1, x, 1).to_le_bytes();
        [red, green, blue, alpha].map(|byte| 255.0 * (f32::from(byte) / 255.0))
    });
    // Halfway between level 0 and 1: their reds are 0 and 40.
    let between =
        ask(declarations, "round(255.0 * textureSampleLevel(t, s, vec3<f32>(0.5, 0.5, 0.1), 0.5).rrrr)", &bindings);
    assert_answers(&between, |_| [20.0; 4]);
    // One whole texture from pixel to pixel along w alone is 6 texels: level log2 6, held at most 3.
    let by_depth =
        ask(declarations, "round(255.0 * textureSample(t, s, vec3<f32>(0.5, 0.5, f / 6.0 * 2.0)).rrrr)", &bindings);
    assert_answers(&by_depth, |_| [40.0; 4]);
}

/// A sampler for small pixels and one for large pixels that are filtered differently.
fn two_filters(filter: Filter, mag_filter: Filter) -> Sampler {
    Sampler { filter, mag_filter: Some(mag_filter), ..Sampler::POINT }
}

#[test]
fn comparisons_and_volumes_have_filters_for_small_and_large_pixels() {
    for (small, large) in [(Filter::Point, Filter::Bilinear), (Filter::Bilinear, Filter::Point)] {
        let sampler = two_filters(small, large);
        // Half way between texels 0 and 1 of the upper row: a half of them lies below the reference; the nearer one does not.
        let compared = |filter| if filter == Filter::Bilinear { 0.5 } else { 0.0 };
        let shadow = Sampler { wrap_u: Wrap::Repeat, compare: Some(Compare::Greater), ..sampler };
        let bindings = Bindings::new().with(0, 0, &depths()).with(0, 1, shadow);
        // Two texels from pixel to pixel are a level of detail of 1, the same place is one below 0. Texels 2 and 3 are no less.
        let expression = "vec4<f32>(
            textureSampleCompareLevel(t, s, vec2<f32>(0.25, 0.125), 0.5 / 16.0),
            textureSampleCompare(t, s, vec2<f32>(0.25, 0.125), 0.5 / 16.0),
            textureSampleCompare(t, s, vec2<f32>(f * 0.5 + 0.25, 0.125), 0.5 / 16.0), 1.0)";
        assert_answers(&ask(DEPTH, expression, &bindings), |i| {
            [compared(large), compared(large), if i % 2 == 0 { compared(small) } else { 0.0 }, 1.0]
        });

        let image = image_of(Format::Rgba32Float, [1, 1, 2, 1], |z, _, _, _| bits([100.0 * z as f32; 4]));
        let volume = Texture::of_kind(image, TextureDimension::D3).expect("any number of slices");
        let declarations = "@group(0) @binding(0) var t: texture_3d<f32>; @group(0) @binding(1) var s: sampler;";
        let bindings = Bindings::new().with(0, 0, &volume).with(0, 1, sampler);
        let expression = "textureSampleLevel(t, s, vec3<f32>(0.5), f32(i % 2u) * 0.375)";
        let value = |filter| if filter == Filter::Bilinear { 50.0 } else { 100.0 };
        assert_answers(&ask(declarations, expression, &bindings), |i| {
            [if i % 2 == 0 { value(large) } else { value(small) }; 4]
        });

        // Four bytes a texel, which are weighed as bytes.
        let mut image = Image::blank_layers(Format::A8R8G8B8, 1, 1, 1, 2).expect("it is small");
        image.set_layer_color(1, 0, 0, 0, 0xc8c8_c8c8);
        let volume = Texture::of_kind(image, TextureDimension::D3).expect("any number of slices");
        let bindings = Bindings::new().with(0, 0, &volume).with(0, 1, sampler);
        for (i, answer) in (0..).zip(ask(declarations, &format!("255.0 * {expression}"), &bindings)) {
            let wanted = 2.0 * value(if i % 2 == 0 { large } else { small });
            // The weight of one half is 128 of 255 or of 256, and the sum is rounded.
            assert!((answer[0] - wanted).abs() <= 1.0, "index {i}: {answer:?}, {wanted}");
        }
    }
}

#[test]
fn comparisons_obey_the_samplers_bias() {
    // A texel from pixel to pixel, and a bias of 1: level 1, whose lower row is 2 and 3 sixteenths; level 0 has 12 and more there.
    let sampler = Sampler { mip_filter: MipFilter::Nearest, filter: Filter::Point, lod_bias: 1.0, ..Sampler::SHADOW };
    let expected = |i: u32| [(i / 2 % 2) as f32; 4];
    let u = "(f32(i % 4u) / 4.0 + 0.125)";
    let depth = |layers: u32, kind: TextureDimension| {
        let image = image_of(Format::R32Float, [4, 4, layers, 3], |_, level, x, y| {
            [((x + (4 >> level) * y) as f32 / 16.0).to_bits(), 0, 0, 0]
        });
        Texture::of_kind(image, kind).expect("layers enough")
    };
    // On the face of +x s runs against z, and t against y.
    let forms = [
        ("texture_depth_2d", depth(1, TextureDimension::D2), format!("vec2<f32>({u}, 0.875), 2.5 / 16.0")),
        (
            "texture_depth_2d_array",
            depth(2, TextureDimension::D2Array),
            format!("vec2<f32>({u}, 0.875), 1, 2.5 / 16.0"),
        ),
        (
            "texture_depth_cube",
            depth(6, TextureDimension::Cube),
            format!("vec3<f32>(1.0, -0.75, 1.0 - 2.0 * {u}), 2.5 / 16.0"),
        ),
    ];
    for (name, texture, place) in forms {
        let declarations =
            format!("@group(0) @binding(0) var t: {name}; @group(0) @binding(1) var s: sampler_comparison;");
        let bindings = Bindings::new().with(0, 0, &texture).with(0, 1, sampler);
        let answers = ask(&declarations, &format!("vec4<f32>(textureSampleCompare(t, s, {place}))"), &bindings);
        assert_answers(&answers, expected);
    }
}
