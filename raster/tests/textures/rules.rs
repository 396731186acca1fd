//! Each rule of texture sampling with values worked out by hand, on every backend.

use crate::drawing::*;
use crate::questions::*;
use glam::{Vec2, Vec4};
use gpu_core::config::GpuConfig;
use raster::{Bindings, Buffer, Device, MipFilter, Sampler, State, Texture, TextureDimension, Vertex};
use texture::{Filter, Format, Image, Region, Wrap};

const RED: u32 = 0xffff_0000;
const GREEN: u32 = 0xff00_ff00;
const BLUE: u32 = 0xff00_00ff;
const WHITE: u32 = 0xffff_ffff;

/// Four texels in a row: red, green, blue, white.
fn row() -> Texture {
    let image = Image::from_fn(Format::A8R8G8B8, 4, 1, |x, _| [RED, GREEN, BLUE, WHITE][x as usize]);
    Texture::new(image.expect("it is small"))
}

/// The red channel of each level is its number times 40.
fn stack(side: u32) -> Texture {
    let mut image = Image::blank(Format::A8R8G8B8, side, side, 16).expect("it is small");
    for level in 0..image.levels.len() {
        let size = image.levels[level];
        for (x, y) in (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y))) {
            image.set_color(level, x, y, 0xff00_0000 | (40 * level as u32) << 16);
        }
    }
    Texture::new(image)
}

fn at_u(u: f32) -> Question {
    at_level(&[u, 0.5], 0.0)
}

fn by_steps(dx: [f32; 2], dy: [f32; 2]) -> Question {
    Question {
        at: [0.5, 0.5, 0.0, 0.0],
        ddx: [dx[0], dx[1], 0.0, 0.0],
        ddy: [dy[0], dy[1], 0.0, 0.0],
        level: f32::NAN,
        ..Question::default()
    }
}

fn reds(answers: &[u32]) -> Vec<u32> {
    answers.iter().map(|color| color >> 16 & 255).collect()
}

/// A20: i = floor(u), REPEAT is i mod N with the remainder from the left.
#[test]
fn repeat_takes_the_remainder_from_the_left() {
    let questions = [-0.125, -1.0, -1.0 / 1024.0, 1.0, 1.125].map(at_u);
    assert_eq!(answers_of_all(&row(), Sampler::POINT, &questions), [WHITE, RED, WHITE, RED, RED]);
    // Linear at −1/16: u = −¾ − … between white and red, three quarters white: 255·(255 − 64 of 255).
    let half_way = answers_of_all(&row(), Sampler::BILINEAR, &[at_u(-1.0 / 16.0)]);
    assert_eq!(half_way, [0xffff_bfbf]);
    let wild = [1e9, -1e9, f32::INFINITY, f32::NEG_INFINITY, f32::NAN].map(at_u);
    answers_of_all(&row(), Sampler::BILINEAR, &wild);
}

/// A21: CLAMP_TO_EDGE holds s within half a texel of the edge; REPEAT mixes with the other side.
#[test]
fn clamp_keeps_the_opposite_edge_out() {
    let clamp = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, ..Sampler::BILINEAR };
    let questions = [0.0, 0.125, 1.0].map(at_u);
    assert_eq!(answers_of_all(&row(), clamp, &questions), [RED, RED, WHITE]);
    assert_eq!(answers_of_all(&row(), Sampler::BILINEAR, &questions)[..2], [0xffff_7f7f, RED]);
}

/// MIRROR: (N − 1) − mirror((i mod 2N) − N); border beyond 0 to N − 1.
#[test]
fn mirror_and_border_beyond_the_edge() {
    let questions = [-0.125, 1.125, 1.875, 2.125].map(at_u);
    let mirror = Sampler { wrap_u: Wrap::Mirror, ..Sampler::POINT };
    assert_eq!(answers_of_all(&row(), mirror, &questions), [RED, WHITE, RED, RED]);
    let border = Sampler { wrap_u: Wrap::Border, border: 0x8040_2010, ..Sampler::POINT };
    assert_eq!(answers_of_all(&row(), border, &questions), [0x8040_2010; 4]);
    // Each axis has its own wrap.
    let both = Sampler { wrap_v: Wrap::Border, wrap_u: Wrap::Repeat, border: 7, ..Sampler::POINT };
    let places = [[1.125, 0.5], [0.5, 1.5]].map(|at| at_level(&at, 0.0));
    assert_eq!(answers_of_all(&row(), both, &places), [RED, 7]);
}

/// A22: level sizes are max(1, floor(d / 2^k)), for every size.
#[test]
fn levels_of_any_size_are_halves_rounded_down() {
    let shader = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            let size = vec2<f32>(textureDimensions(t, i32(p.x)));
            return vec4<f32>(size, f32(textureNumLevels(t)), 255.0) / 255.0;
        }";
    let pipeline = pipeline(shader, State::FLAT);
    for (size, expected) in [
        ((5, 3), vec![(5, 3), (2, 1), (1, 1)]),
        ((11, 11), vec![(11, 11), (5, 5), (2, 2), (1, 1)]),
        ((7, 1), vec![(7, 1), (3, 1), (1, 1)]),
        ((1, 1), vec![(1, 1)]),
    ] {
        let image = Image::blank(Format::L8, size.0, size.1, 16).expect("it is small");
        let bindings = Bindings::new().with(0, 0, &Texture::new(image));
        let corners = [[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]].map(|at| at_pixel(at, (4, 1), Vec4::ONE)).to_vec();
        let frame = frame(4, 1, vec![draw(&pipeline, corners).with_bindings(bindings)]);
        for backend in &mut backends() {
            let target = render(&mut **backend, &frame);
            for (x, &(width, height)) in (0..).zip(&expected) {
                let expected = 0xff00_0000 | width << 16 | height << 8 | expected.len() as u32;
                assert_eq!(target.color_at(x, 0), expected, "level {x} of {size:?}");
            }
        }
    }
}

/// A23: levels out of range act as the nearest there is; the filter between levels is not the filter within.
#[test]
fn levels_are_clamped_and_filtered_by_their_own_filter() {
    let questions = [-5.0, 1.25, 1.5, 99.0].map(|level| at_level(&[0.5, 0.5], level));
    let between = Sampler { mip_filter: MipFilter::Linear, ..Sampler::POINT };
    assert_eq!(reds(&answers_of_all(&stack(8), between, &questions)), [0, 50, 60, 120]);
    // ceil(d + ½) − 1: halfway the finer.
    let nearest = Sampler { mip_filter: MipFilter::Nearest, ..Sampler::BILINEAR };
    assert_eq!(reds(&answers_of_all(&stack(8), nearest, &questions)), [0, 40, 40, 120]);
    let none = Sampler { mip_filter: MipFilter::None, ..Sampler::BILINEAR };
    assert_eq!(reds(&answers_of_all(&stack(8), none, &questions)), [0; 4]);
}

/// λ = log2 ρmax + bias, clamped: 4 texels a pixel are level 2, the longer axis counts, by its length.
#[test]
fn the_level_is_log2_of_the_longer_axis() {
    let texel = 1.0 / 16.0;
    let questions = [
        by_steps([4.0 * texel, 0.0], [0.0, texel]),
        by_steps([0.0, texel], [0.0, 2.0 * texel]),
        by_steps([1.2 * texel, 1.6 * texel], [0.0, 0.0]),
        by_steps([0.25 * texel, 0.0], [0.0, 0.0]),
        by_steps([0.0, 0.0], [0.0, 0.0]),
    ];
    let sampler = Sampler { filter: Filter::Point, ..Sampler::TRILINEAR };
    assert_eq!(reds(&answers_of_all(&stack(16), sampler, &questions)), [80, 40, 40, 0, 0]);
    let biased = Sampler { lod_bias: 1.5, lod_max: 3.0, lod_min: 0.5, ..sampler };
    assert_eq!(reds(&answers_of_all(&stack(16), biased, &questions)), [120, 100, 100, 20, 20]);
}

/// λ ≤ 0 is magnification, pixel by pixel.
#[test]
fn small_and_large_pixels_have_their_own_filters() {
    let texture = row();
    let at = |level| at_level(&[0.25, 0.5], level);
    let questions = [-1.0, 0.0, 0.25].map(at);
    // 255 · 127 / 255 and 255 · 128 / 255.
    let mixed = 0xff7f_8000;
    let magnified = Sampler { mag_filter: Some(Filter::Bilinear), wrap_v: Wrap::Clamp, ..Sampler::POINT };
    assert_eq!(answers_of_all(&texture, magnified, &questions), [mixed, mixed, GREEN]);
    let minified = Sampler { mag_filter: Some(Filter::Point), wrap_v: Wrap::Clamp, ..Sampler::BILINEAR };
    assert_eq!(answers_of_all(&texture, minified, &questions), [GREEN, GREEN, mixed]);
    // The bias and the limits come first.
    let never = Sampler { lod_min: 0.5, ..magnified };
    assert_eq!(answers_of_all(&texture, never, &questions), [GREEN; 3]);
    let always = Sampler { lod_bias: -1.0, ..magnified };
    assert_eq!(answers_of_all(&texture, always, &questions), [mixed; 3]);
}

/// sRGB is linear before it is filtered; alpha never is encoded.
#[test]
fn srgb_is_filtered_in_linear_light() {
    let image = Image::new(Format::Rgba8Srgb, 2, 1, vec![255, 0, 188, 0, 0, 0, 188, 255]).expect("two texels");
    let sampler = Sampler { wrap_u: Wrap::Clamp, ..Sampler::BILINEAR };
    let middle = answers_of_all(&Texture::new(image), sampler, &[at_u(0.5)]);
    // Half of white is 128 of 255 linear, and stays linear in this target; 188 decodes to 0.5029.
    assert_eq!(middle, [0x8080_0080]);
}

/// Beyond 8 bits: a half of 1024 filtered with −1022 shows as 1.
#[test]
fn floats_are_filtered_as_floats() {
    for format in [Format::R16Float, Format::Rg16Float, Format::Rgba16Float, Format::R32Float, Format::Rgba32Float] {
        let mut image = Image::blank(format, 2, 1, 1).expect("it is small");
        image.set_channels(0, 0, 0, 0, [1024.0f32, 0.5, 0.0, 3.0].map(f32::to_bits));
        image.set_channels(0, 0, 1, 0, [-1022.0f32, 0.5, 2.0, -3.0].map(f32::to_bits));
        let sampler = Sampler { wrap_u: Wrap::Clamp, ..Sampler::BILINEAR };
        let middle = answers_of_all(&Texture::new(image), sampler, &[at_u(0.5)])[0];
        let expected = match format.channels() {
            1 => 0xffff_0000,
            2 => 0xffff_8000,
            _ => 0x00ff_80ff,
        };
        assert_eq!(middle, expected, "{format:?}");
    }
}

/// Layers do not mix, and an index beyond the last is the last.
#[test]
fn layers_are_pictures_of_their_own() {
    let picture = |color| Image::from_fn(Format::A8R8G8B8, 3, 2, |_, _| color).expect("it is small");
    let image = Image::from_layers(&[RED, GREEN, BLUE].map(picture)).expect("they are alike");
    let ask = |layer, v| Question { layer, ..at_level(&[0.5, v], 0.0) };
    let questions = [ask(-1, 0.0), ask(0, 1.0), ask(1, 0.0), ask(2, 0.999), ask(9, 0.5)];
    let answers = answers_of_all(&Texture::new(image), Sampler::BILINEAR, &questions);
    assert_eq!(answers, [RED, RED, GREEN, BLUE, BLUE]);
}

/// Vulkan, "Cube Map Face Selection": the major axis, and which way s and t run on each face.
#[test]
fn cubes_have_their_faces_where_vulkan_says() {
    // Green grows with s, blue with t, red is the face.
    let face = |face: u32| {
        let texel = |x, y| 0xff00_0000 | ((face + 1) * 40) << 16 | (x * 100) << 8 | (y * 100);
        Image::from_fn(Format::A8R8G8B8, 2, 2, texel).expect("it is small")
    };
    let cube = |cube: u32| [0, 1, 2, 3, 4, 5].map(|side| face(side + 10 * cube));
    let image = Image::from_layers(&cube(0)).expect("they are alike");
    let texture = Texture::of_kind(image, TextureDimension::Cube).expect("six squares");
    let color = |face: u32, s: u32, t: u32| 0xff00_0000 | ((face + 1) * 40) << 16 | (s * 100) << 8 | (t * 100);
    let cases = [
        // +x: s runs with −z, t with −y.
        ([1.0, 0.5, -0.5], color(0, 1, 0)),
        ([1.0, -0.5, 0.5], color(0, 0, 1)),
        // −x: s with +z.
        ([-1.0, 0.5, 0.5], color(1, 1, 0)),
        // +y: s with +x, t with +z; −y: t with −z.
        ([0.5, 1.0, 0.5], color(2, 1, 1)),
        ([0.5, -1.0, 0.5], color(3, 1, 0)),
        // +z: s with +x, t with −y; −z: s with −x.
        ([0.5, 0.5, 1.0], color(4, 1, 0)),
        ([0.5, 0.5, -1.0], color(5, 0, 0)),
        // Of equal magnitudes z, then y.
        ([1.0, 1.0, 1.0], color(4, 1, 0)),
        ([1.0, -1.0, 0.5], color(3, 1, 0)),
    ];
    let questions = cases.map(|(at, _)| at_level(&at, 0.0));
    assert_eq!(answers_of_all(&texture, Sampler::POINT, &questions), cases.map(|(_, color)| color));
    // Samples stay within their face, whatever the wrap: at the very edge the other side does not show.
    let edge = at_level(&[1.0, 0.5, 0.9999], 0.0);
    assert_eq!(answers_of_all(&texture, Sampler::BILINEAR, &[edge]), [color(0, 0, 0)]);
}

/// min(ceil(ρmax / ρmin), max) taps along the longer axis at i / (N + 1) − ½, the level that of ρmax / N.
#[test]
fn anisotropic_samples_lie_along_the_longer_axis() {
    // 4 : 1 on 16 texels: level 0 and four taps at ±0.3 and ±0.1 of four texels from the middle.
    let image = Image::from_fn(Format::A8R8G8B8, 16, 16, |x, _| {
        0xff00_0000 | (x * 10) << 16 | if x % 2 == 0 { 0 } else { 255 }
    });
    let texture = Texture::new(image.expect("it is small").with_mipmaps().expect("it is small"));
    let texel = 1.0 / 16.0;
    let mut question = by_steps([4.0 * texel, 0.0], [0.0, texel]);
    question.at[0] = 8.5 * texel;
    let answers = answers_of_all(&texture, Sampler::ANISOTROPIC, &[question]);
    // u − ½ = 8 ± 1.2 and ± 0.4: red is linear there, 80 on average.
    assert!((answers[0] >> 16 & 255).abs_diff(80) <= 1, "{:#x}", answers[0]);
    // Blue at 6.8, 7.6, 8.4, 9.2: 0.8, 0.4, 0.4, 0.8 of 255 is 0.6 on average; level 2 would be 0.5 everywhere.
    assert!((answers[0] & 255).abs_diff(153) <= 1, "{:#x}", answers[0]);
    // At most two taps: the level is that of 2 texels.
    let two = Sampler { max_anisotropy: 2, ..Sampler::ANISOTROPIC };
    question.at[0] = 0.25;
    let stacked = answers_of_all(&stack(16), two, &[question, by_steps([8.0 * texel, 0.0], [0.0, 0.0])]);
    assert_eq!(reds(&stacked), [40, 80]);
}

/// Texels by number: integers as they are, floats, layers; beyond the edge the nearest texel.
#[test]
fn texels_are_loaded_by_number() {
    let source = |kind: &str, load: &str| {
        format!(
            "@group(0) @binding(0) var t: {kind};
            @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {{
                return vec4<f32>({load}) / 255.0; }}"
        )
    };
    #[track_caller]
    fn check(texture: &Texture, source: &str, expected: u32) {
        let pipeline = pipeline(source, State::FLAT);
        let corners = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]].map(|at| at_pixel(at, (1, 1), Vec4::ONE)).to_vec();
        let bindings = Bindings::new().with(0, 0, texture);
        let frame = frame(1, 1, vec![draw(&pipeline, corners).with_bindings(bindings)]);
        for backend in &mut backends() {
            assert_eq!(render(&mut **backend, &frame).color_at(0, 0), expected, "{}: {source}", backend.name());
        }
    }
    let with_texel = |format: Format, texel: [u32; 4]| {
        let mut image = Image::blank_layers(format, 3, 2, 1, 2).expect("it is small");
        image.set_channels(1, 0, 2, 1, texel);
        Texture::new(image)
    };
    let unsigned =
        source("texture_2d_array<u32>", "textureLoad(t, vec2<i32>(2, 1), 1, 0) >> vec4<u32>(24u, 0u, 0u, 0u)");
    check(&with_texel(Format::Rgba32Uint, [0x7f00_0001, 2, 3, 4]), &unsigned, 0x047f_0203);
    check(&with_texel(Format::Rg16Uint, [0x7f00_0001, 2, 3, 4]), &unsigned, 0x0100_0200);
    let signed = source("texture_2d_array<i32>", "-textureLoad(t, vec2<u32>(7u, 9u), 5u, 0)");
    let minus = [1, 2, 3, 4].map(|n: i32| -n as u32);
    for format in [Format::Rgba8Sint, Format::Rgba16Sint, Format::Rgba32Sint] {
        check(&with_texel(format, minus), &signed, 0x0401_0203);
    }
    let floats = source("texture_2d_array<f32>", "textureLoad(t, vec2<i32>(2, 1), 1, 0) * 2.0");
    check(&with_texel(Format::Rgba16Float, [5.5f32, 6.0, 7.0, 8.0].map(f32::to_bits)), &floats, 0x100b_0c0e);
    let queries = source(
        "texture_2d_array<f32>",
        "f32(textureNumLayers(t)), f32(textureNumLevels(t)), vec2<f32>(textureDimensions(t))",
    );
    check(&with_texel(Format::R8, [0; 4]), &queries, 0x0202_0103);
    let line = Texture::of_kind(Image::blank(Format::L8, 9, 1, 16).expect("it is small"), TextureDimension::D1);
    let line = line.expect("one row");
    check(
        &line,
        &source("texture_1d<f32>", "f32(textureDimensions(t)), f32(textureNumLevels(t)), 0.0, 1.0"),
        0x0109_0400,
    );
}

/// A changed part shows in the next frame, on a device that has the texture already.
#[test]
fn an_update_shows_in_the_next_frame() {
    let image = Image::from_fn(Format::A8R8G8B8, 4, 4, |_, _| RED).expect("it is small");
    let texture = Texture::new(image.with_mipmaps().expect("it is small"));
    let questions = [at_level(&[0.125, 0.125], 0.0), at_level(&[0.625, 0.375], 0.0), at_level(&[0.5, 0.5], 2.0)];
    let sampler = Sampler { mip_filter: MipFilter::Nearest, ..Sampler::POINT };
    let mut backends = backends();
    let mut check = |expected: [u32; 3]| {
        for backend in &mut backends {
            assert_eq!(answers(&mut **backend, &texture, sampler, &questions), expected, "{}", backend.name());
        }
    };
    check([RED; 3]);
    let region = Region { layer: 0, level: 0, x: 2, y: 1, width: 1, height: 2 };
    texture.update(region, &[GREEN, BLUE].map(u32::to_le_bytes).concat()).expect("it lies inside");
    check([RED, GREEN, RED]);
    texture.update(Region { level: 2, x: 0, y: 0, height: 1, ..region }, &BLUE.to_le_bytes()).expect("it lies inside");
    check([RED, GREEN, BLUE]);
}

/// More textures than a bank has stages: sixteen, each shows its own colour.
#[test]
fn sixteen_textures_at_once() {
    let declared: String = (0..16).map(|n| format!("@group(0) @binding({n}) var t{n}: texture_2d<f32>;\n")).collect();
    let summed: Vec<String> = (0..16).map(|n| format!("textureSample(t{n}, s, uv) * weights[{n}]")).collect();
    let source = format!(
        "{declared}@group(0) @binding(16) var s: sampler; @group(0) @binding(17) var<storage, read> weights: array<f32>;
        @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {{ return {}; }}",
        summed.join(" + ")
    );
    let pipeline = pipeline(&source, State::FLAT);
    let mut draws = Vec::new();
    let dot = |color: u32| Image::from_fn(Format::A8R8G8B8, 1, 1, |_, _| 0xff00_0000 | color).expect("it is small");
    let textures: Vec<_> = (0..16).map(|n| Texture::new(dot(n))).collect();
    for shown in 0..16 {
        let mut weights = [0.0f32; 16];
        weights[shown] = 1.0;
        let mut bindings = Bindings::new().with(0, 16, Sampler::POINT).with(0, 17, &Buffer::from_slice(&weights));
        for (n, texture) in (0..).zip(&textures) {
            bindings = bindings.with(0, n, texture);
        }
        let at = |x: f32, y: f32| {
            let place = raster::frame::position_of_pixel(shown as f32 + x, y, 0.5, 16, 1);
            Vertex::at(place).with(0, Vec2::new(x, y))
        };
        draws.push(
            draw(&pipeline, vec![at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.1), at(1.0, 0.0), at(1.0, 1.1), at(0.0, 1.1)])
                .with_bindings(bindings),
        );
    }
    let frame = frame(16, 1, draws);
    for backend in &mut backends() {
        let target = render(&mut **backend, &frame);
        let shown: Vec<u32> = (0..16).map(|x| target.color_at(x, 0) & 255).collect();
        assert_eq!(shown, (0..16).collect::<Vec<_>>(), "{}", backend.name());
    }
}

/// Sixteen textures by three samplers, each pixel a pair: stages beyond the sixteenth are told at run time. A machine with fewer
/// stages says so.
#[test]
fn forty_eight_pairs_at_once() {
    let declared: String = (0..16).map(|n| format!("@group(0) @binding({n}) var t{n}: texture_2d<f32>;\n")).collect();
    let samplers: String = (0..3).map(|n| format!("@group(1) @binding({n}) var s{n}: sampler;\n")).collect();
    let pairs = (0..16).flat_map(|t| (0..3).map(move |s| (t, s)));
    let chosen: String = pairs
        .map(|(t, s)| {
            format!(
                "if pair == {} {{ color = textureSampleLevel(t{t}, s{s}, vec2<f32>(-0.25, 0.5), 0.0); }}\n",
                3 * t + s
            )
        })
        .collect();
    let source = format!(
        "{declared}{samplers}@fragment fn main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {{
            let pair = i32(at.x); var color = vec4<f32>(); {chosen} return color; }}"
    );
    // Two texels n and n + 100: clamped on the left the first, repeated the second, mirrored the first.
    let pair =
        |n: u32| Image::from_fn(Format::A8R8G8B8, 2, 1, |x, _| 0xff00_0000 | (n + 100 * x)).expect("it is small");
    let clamped = Sampler { wrap_u: texture::Wrap::Clamp, ..Sampler::POINT };
    let mut bindings = Bindings::new().with(1, 0, clamped).with(1, 1, Sampler::POINT);
    bindings = bindings.with(1, 2, Sampler { wrap_u: texture::Wrap::Mirror, ..Sampler::POINT });
    for n in 0..16 {
        bindings = bindings.with(0, n, &Texture::new(pair(n)));
    }
    let at = |x: f32, y: f32| Vertex::at(raster::frame::position_of_pixel(x, y, 0.5, 48, 1));
    let vertices = vec![at(-1.0, -1.0), at(100.0, -1.0), at(-1.0, 3.0)];
    let frame = frame(48, 1, vec![draw(&pipeline(&source, State::FLAT), vertices).with_bindings(bindings)]);
    let expected: Vec<u32> = (0..48).map(|n| n / 3 + if n % 3 == 1 { 100 } else { 0 }).collect();
    for backend in &mut backends() {
        let target = render(&mut **backend, &frame);
        let shown: Vec<u32> = (0..48).map(|x| target.color_at(x, 0) & 255).collect();
        assert_eq!(shown, expected, "{}", backend.name());
    }
    let small = GpuConfig { texture_stages: 44, ..GpuConfig::wide(1, 4, 8) };
    let error =
        raster::Backend::render(&mut Device::new(small).expect("it draws"), &frame).expect_err("it is too small");
    let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    assert!(cause.contains("need 48 texture stages, the machine has 44"), "{error}: {cause}");
}

/// Derivatives are those of the 2 × 2 quad, and a pixel beyond the triangle's edge extrapolates: a seam inside a quad shows the same
/// level as one triangle over both halves.
#[test]
fn helper_pixels_keep_the_level_at_edges() {
    let source = "
        @group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;
        @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> { return textureSample(t, s, uv); }";
    let pipeline = pipeline(source, State::FLAT);
    let bindings = Bindings::new().with(0, 0, &stack(16)).with(0, 1, Sampler::TRILINEAR);
    let size = (9, 9);
    // Two texels a pixel: level 1 everywhere.
    let at = |x: f32, y: f32| {
        Vertex::at(raster::frame::position_of_pixel(x, y, 0.5, size.0, size.1)).with(0, Vec2::new(x, y) / 8.0)
    };
    // The seam runs through pixels (4, y) and, slanted, through many quads.
    let vertices = vec![
        at(0.0, 0.0),
        at(9.0, 0.0),
        at(4.3, 9.0),
        at(9.0, 0.0),
        at(9.0, 9.0),
        at(4.3, 9.0),
        at(0.0, 0.0),
        at(4.3, 9.0),
        at(0.0, 9.0),
    ];
    let frame = frame(size.0, size.1, vec![draw(&pipeline, vertices).with_bindings(bindings)]);
    for backend in &mut backends() {
        let target = render(&mut **backend, &frame);
        for (x, y) in (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y))) {
            assert_eq!(target.color_at(x, y), 0xff28_0000, "{}: pixel {x}, {y}", backend.name());
        }
    }
}
