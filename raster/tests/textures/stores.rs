//! Storage textures: what fragments store there, what a load finds, what happens outside; on the reference and on machines.

use crate::drawing::*;
use crate::forms::ask;
use glam::Vec4;
use raster::{Backend, Device};
use raster::{
    Bindings, Clear, ColorAttachment, ColorFormat, DepthAttachment, DepthFormat, DepthState, Frame, Pass, Reference,
    Sampler, Samples, State, Surface, Texture, TextureDimension,
};
use texture::{Format, Image};

fn texture(format: Format, [width, height, layers]: [u32; 3], dimension: TextureDimension) -> Texture {
    let image = Image::blank_layers(format, width, height, 1, layers).expect("it is small");
    Texture::of_kind(image, dimension).unwrap_or_else(|error| panic!("{error}"))
}

fn line(format: Format) -> Texture {
    texture(format, [32, 1, 1], TextureDimension::D2)
}

/// Stores `value` at (i, 0) of a line of texels and gives the bytes of the texel at `index`, after each backend alike.
#[track_caller]
fn stored(format: Format, name: &str, value: &str, index: usize) -> Vec<u8> {
    let target = line(format);
    let declarations = format!(
        "@group(0) @binding(0) var t: texture_storage_2d<{name}, write>;
        fn put(i: u32, f: f32) -> vec4<f32> {{ textureStore(t, vec2<u32>(i, 0u), {value}); return vec4<f32>(); }}"
    );
    // All backends store the same bytes, the last one into the texture that the others have filled.
    ask(&declarations, "put(i, f)", &Bindings::new().with(0, 0, &target));
    let (image, bytes) = (target.image(), format.bytes() as usize);
    image.bytes[index * bytes..][..bytes].to_vec()
}

#[test]
fn texels_are_the_nearest_of_each_format() {
    let floats = "vec4<f32>(f / 31.0, -0.25, 2.0, 0.7)";
    // 10/31 of 255 is 82.26; -0.25 is limited to 0, 2 to 1; 0.7 of 255 is 178.5 less a little.
    assert_eq!(stored(Format::Rgba8, "rgba8unorm", floats, 10), [82, 0, 255, 178]);
    assert_eq!(stored(Format::A8R8G8B8, "bgra8unorm", floats, 10), [255, 0, 82, 178]);
    // Of 127: 40.97, -31.75, limited, 88.9.
    assert_eq!(stored(Format::Rgba8Snorm, "rgba8snorm", floats, 10), [41, -32i8 as u8, 127, 89]);
    let halves = "vec4<f32>(f * 0.5, -0.25, 65504.0, 1e9)";
    // 1.25 · 2^2, -2^-2, the largest, infinity.
    let words: Vec<u8> = [0x4500u16, 0xb400, 0x7bff, 0x7c00].iter().flat_map(|half| half.to_le_bytes()).collect();
    assert_eq!(stored(Format::Rgba16Float, "rgba16float", halves, 10), words);
    let unsigned = "vec4<u32>(i, 300u, 70000u, 0xffffffffu)";
    assert_eq!(stored(Format::Rgba8Uint, "rgba8uint", unsigned, 9), [9, 255, 255, 255]);
    let words: Vec<u8> = [9u16, 300, 65535, 65535].iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(stored(Format::Rgba16Uint, "rgba16uint", unsigned, 9), words);
    let signed = "vec4<i32>(-i32(i), 200, -70000, 0x7fffffff)";
    assert_eq!(stored(Format::Rgba8Sint, "rgba8sint", signed, 9), [-9i8 as u8, 127, 0x80, 127]);
    let words: Vec<u8> = [-9i16, 200, -32768, 32767].iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(stored(Format::Rgba16Sint, "rgba16sint", signed, 9), words);
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let all = [5, 300, 70000, u32::MAX];
    assert_eq!(stored(Format::R32Uint, "r32uint", unsigned, 5), words(&all[..1]));
    assert_eq!(stored(Format::Rg32Uint, "rg32uint", unsigned, 5), words(&all[..2]));
    assert_eq!(stored(Format::Rgba32Uint, "rgba32uint", unsigned, 5), words(&all));
    let all = [-5, 200, -70000, i32::MAX].map(|word| word as u32);
    assert_eq!(stored(Format::R32Sint, "r32sint", signed, 5), words(&all[..1]));
    assert_eq!(stored(Format::Rg32Sint, "rg32sint", signed, 5), words(&all[..2]));
    assert_eq!(stored(Format::Rgba32Sint, "rgba32sint", signed, 5), words(&all));
    let all = [2.5f32, -0.25, 65504.0, 1e9].map(f32::to_bits);
    assert_eq!(stored(Format::R32Float, "r32float", halves, 5), words(&all[..1]));
    assert_eq!(stored(Format::Rg32Float, "rg32float", halves, 5), words(&all[..2]));
    assert_eq!(stored(Format::Rgba32Float, "rgba32float", halves, 5), words(&all));
}

#[test]
fn a_store_outside_is_dropped_and_a_load_outside_takes_the_nearest_texel() {
    let kinds = [
        ("1d", "i32(i) - 8", [16, 1, 1], TextureDimension::D1),
        ("2d", "vec2<i32>(i32(i) - 8, 2)", [16, 3, 1], TextureDimension::D2),
        ("2d", "vec2<i32>(3, i32(i) * 0x08000000)", [16, 1, 1], TextureDimension::D2),
        ("2d_array", "vec2<i32>(i32(i) - 8, 2), i32(i % 4u) - 1", [16, 3, 2], TextureDimension::D2Array),
        ("3d", "vec3<i32>(i32(i) - 8, 2, i32(i % 4u) - 1)", [16, 3, 2], TextureDimension::D3),
    ];
    for (name, place, size, dimension) in kinds {
        let target = texture(Format::R32Uint, size, dimension);
        let declarations = format!(
            "@group(0) @binding(0) var t: texture_storage_{name}<r32uint, read_write>;
            fn put(i: u32) -> vec4<f32> {{
                let found = textureLoad(t, {place});
                textureStore(t, {place}, vec4<u32>(i + 1u));
                return vec4<f32>(found);
            }}"
        );
        ask(&declarations, "vec4<f32>(put(i).yzw, 0.0)", &Bindings::new().with(0, 0, &target));
        let image = target.image();
        for (z, y, x) in (0..size[2]).flat_map(|z| (0..size[1]).flat_map(move |y| (0..16).map(move |x| (z, y, x)))) {
            let mut writers = (0..32u32).filter(|i| {
                let at = match (name, place.starts_with("vec2<i32>(3")) {
                    ("1d", _) => [*i as i32 - 8, 0, 0],
                    (_, true) => [3, (*i as i32).wrapping_mul(0x0800_0000), 0],
                    ("2d", _) => [*i as i32 - 8, 2, 0],
                    _ => [*i as i32 - 8, 2, (i % 4) as i32 - 1],
                };
                at == [x as i32, y as i32, z as i32]
            });
            let expected = writers.next_back().map_or(0, |i| i + 1);
            assert_eq!(image.channels(z, 0, x, y)[0], expected, "{name} {place}: texel {x}, {y}, {z}");
        }
    }
    let image = Image::new(Format::Rg32Uint, 2, 2, (0..32).collect()).expect("32 bytes");
    let word = |n: u32| u32::from_le_bytes([n, n + 1, n + 2, n + 3].map(|byte| byte as u8)) as f32;
    let declarations = "@group(0) @binding(0) var t: texture_storage_2d<rg32uint, read>;";
    let answers = ask(
        declarations,
        "vec4<f32>(textureLoad(t, vec2<i32>(i32(i) - 16, i32(i % 5u) - 2)))",
        &Bindings::new().with(0, 0, &Texture::new(image)),
    );
    for (i, answer) in (0u32..).zip(answers) {
        let (x, y) = (u32::from(i > 16), u32::from(i % 5 > 2));
        let first = 8 * (2 * y + x);
        assert_eq!(answer, [word(first), word(first + 4), 0.0, 1.0], "index {i}");
    }
}

#[test]
fn a_load_beyond_the_layers_takes_the_nearest_one() {
    for (name, place, dimension) in [
        ("2d_array", "vec2<i32>(1, 0), i32(i % 6u) - 2", TextureDimension::D2Array),
        ("3d", "vec3<i32>(1, 0, i32(i % 6u) - 2)", TextureDimension::D3),
    ] {
        let mut image = Image::blank_layers(Format::R32Uint, 2, 1, 1, 3).expect("it is small");
        for layer in 0..3 {
            image.set_channels(layer, 0, 1, 0, [10 + layer, 0, 0, 0]);
        }
        let layers = Texture::of_kind(image, dimension).expect("three layers");
        let declarations = format!("@group(0) @binding(0) var t: texture_storage_{name}<r32uint, read>;");
        let expression = format!("vec4<f32>(textureLoad(t, {place}))");
        let answers = ask(&declarations, &expression, &Bindings::new().with(0, 0, &layers));
        for (i, answer) in (0i32..).zip(answers) {
            // A layer counts as unsigned, a slice of a volume is signed.
            let layer = match (i % 6 - 2, dimension) {
                (..0, TextureDimension::D2Array) => 2,
                (number, _) => number.clamp(0, 2),
            };
            assert_eq!(answer[0], (10 + layer) as f32, "{name}, index {i}");
        }
    }
}

/// The reference, a machine with small tiles and one with large ones.
fn machines() -> [Box<dyn Backend>; 3] {
    let device = |config| Box::new(Device::new(config).expect("a machine that draws"));
    use gpu_core::config::GpuConfig;
    [Box::new(Reference::new()), device(GpuConfig::vortex(1, 4, 4)), device(GpuConfig::wide(2, 4, 16))]
}

#[test]
fn only_covered_fragments_that_are_not_discarded_store_and_later_passes_read() {
    let source = "@group(0) @binding(0) var t: texture_storage_2d<r32uint, read_write>;
        @fragment fn main(@builtin(position) p: vec4<f32>, @location(0) c: vec4<f32>) -> @location(0) vec4<f32> {
            let at = vec2<i32>(p.xy);
            if at.x == 2 { discard; }
            textureStore(t, at, textureLoad(t, at) * 2u + vec4<u32>(1u));
            return c; }";
    let state = State { depth: DepthState::LESS_WRITE, ..State::FLAT };
    let writing = pipeline(source, state);
    let source = "@group(0) @binding(0) var t: texture_2d<u32>;
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            return vec4<f32>(f32(textureLoad(t, vec2<u32>(p.xy), 0).x), f32(textureDimensions(t).x), 0.0, 255.0) / 255.0; }";
    let showing = pipeline(source, State::FLAT);
    let size = (6, 3);
    // Columns 1 to 4 of all rows.
    let columns = |pipeline: &raster::Pipeline| {
        let corners = [[1.0, 0.0], [5.0, 0.0], [5.0, 3.0], [1.0, 3.0]].map(|place| at_pixel(place, size, Vec4::ONE));
        draw(pipeline, [0, 1, 2, 0, 2, 3].map(|corner: usize| corners[corner]).to_vec())
    };
    let everything = |pipeline: &raster::Pipeline| {
        let corners = [[0.0, 0.0], [6.0, 0.0], [6.0, 3.0], [0.0, 3.0]].map(|place| at_pixel(place, size, Vec4::ONE));
        draw(pipeline, [0, 1, 2, 0, 2, 3].map(|corner: usize| corners[corner]).to_vec())
    };
    for mut backend in machines() {
        let target = texture(Format::R32Uint, [6, 3, 1], TextureDimension::D2);
        let bindings = || Bindings::new().with(0, 0, &target);
        let surface = Surface::color("unused", size, ColorFormat::Rgba8, Samples::One).expect("a small size");
        let zs = Surface::depth("depths", size, DepthFormat::Depth32Float, Samples::One).expect("a small size");
        // 0 becomes 1 in the first pass and 3 in the second.
        let pass = |draws| Pass {
            colors: vec![ColorAttachment::cleared(&surface, [0.0; 4])],
            depth: Some(DepthAttachment::cleared(&zs, 1.0)),
            draws,
            ..Pass::default()
        };
        let first = pass(vec![columns(&writing).with_bindings(bindings())]);
        let second = pass(vec![columns(&writing).with_bindings(bindings())]);
        let shown = everything(&showing).with_bindings(bindings());
        let frame = Frame::new(6, 3, Clear::to([0.0; 4]), vec![shown]).after(vec![first, second]);
        let picture = render(&mut *backend, &frame);
        for (x, y) in (0..3).flat_map(|y| (0..6).map(move |x| (x, y))) {
            let expected = [0, 3, 0, 3, 3, 0][x as usize];
            assert_eq!(target.image().channels(0, 0, x, y)[0], expected, "{}: texel {x}, {y}", backend.name());
            assert_eq!(picture.color_at(x, y), 0xff00_0600 | expected << 16, "{}: pixel {x}, {y}", backend.name());
        }
    }
}

#[test]
fn depths_and_samples_of_an_earlier_pass_are_read() {
    let size = (8, 4);
    let half = |x0: f32, x1: f32, z: f32, rgba| {
        let corners = [[x0, 0.0], [x1, 0.0], [x1, 4.0], [x0, 4.0]].map(|place| {
            let mut vertex = at_pixel(place, size, rgba);
            vertex.position.z = z;
            vertex
        });
        let state = State { depth: DepthState::LESS_WRITE, depth_format: DepthFormat::Depth16, ..State::FLAT };
        draw(&pipeline(COLOR, state), [0, 1, 2, 0, 2, 3].map(|corner: usize| corners[corner]).to_vec())
    };
    let source = "@group(0) @binding(0) var color: texture_multisampled_2d<f32>;
        @group(0) @binding(1) var depth: texture_depth_multisampled_2d;
        @group(0) @binding(2) var flat_depth: texture_depth_2d;
        @group(0) @binding(3) var s: sampler_comparison;
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            let at = vec2<i32>(p.xy);
            var covered = 0.0;
            for (var n = 0u; n < textureNumSamples(color); n++) { covered += textureLoad(color, at, n).r; }
            return vec4<f32>(covered, 255.0 * textureLoad(depth, at, 3), 64.0 * textureSampleCompareLevel(flat_depth, s, p.xy / vec2<f32>(8.0, 4.0), 0.3), 255.0) / 255.0; }";
    let showing = pipeline(source, State::FLAT);
    for mut backend in machines() {
        let surface = |samples| Surface::color("many", size, ColorFormat::Rgba8, samples).expect("a small size");
        let depth = |samples| Surface::depth("depths", size, DepthFormat::Depth16, samples).expect("a small size");
        let (many, many_depths) = (surface(Samples::Four), depth(Samples::Four));
        let (one, one_depth) = (surface(Samples::One), depth(Samples::One));
        let pass = |color: &Surface, zs: &Surface| Pass {
            colors: vec![ColorAttachment::cleared(color, [0.0; 4])],
            depth: Some(DepthAttachment::cleared(zs, 1.0)),
            // To the middle of column 3, whose samples 0 and 2 lie left of it.
            draws: vec![half(0.0, 3.5, 0.2, Vec4::ONE)],
            ..Pass::default()
        };
        let corners = [[0.0, 0.0], [8.0, 0.0], [8.0, 4.0], [0.0, 4.0]].map(|place| at_pixel(place, size, Vec4::ONE));
        let bindings = Bindings::new().with(0, 0, &many).with(0, 1, &many_depths).with(0, 2, &one_depth);
        let bindings = bindings.with(0, 3, Sampler::SHADOW);
        let shown = draw(&showing, [0, 1, 2, 0, 2, 3].map(|corner: usize| corners[corner]).to_vec());
        let frame = Frame::new(8, 4, Clear::to([0.0; 4]), vec![shown.with_bindings(bindings)])
            .after(vec![pass(&many, &many_depths), pass(&one, &one_depth)]);
        let picture = render(&mut *backend, &frame);
        for x in 0..8 {
            let [blue, green, red, _] = picture.color_at(x, 2).to_le_bytes();
            let covered = [4, 4, 4, 2, 0, 0, 0, 0][x as usize];
            assert_eq!(red, covered, "{}: column {x}", backend.name());
            // Sample 3 lies at 10/16; a depth of 0.2 is 51 of 255.
            assert_eq!(green, if x < 3 { 51 } else { 255 }, "{}: column {x}", backend.name());
            // 0.3 is not nearer than 0.2, but nearer than what was cleared.
            assert_eq!(blue, if x < 3 { 0 } else { 64 }, "{}: column {x}", backend.name());
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    #[track_caller]
    fn check(declaration: &str, call: &str, bindings: Bindings, expected: &str) {
        let source =
            format!("{declaration} @fragment fn main() -> @location(0) vec4<f32> {{ {call} return vec4<f32>(); }}");
        let corners = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]].map(|place| at_pixel(place, (4, 4), Vec4::ONE));
        let made = draw(&pipeline(&source, State::FLAT), corners.to_vec()).with_bindings(bindings);
        for mut backend in machines() {
            let error = backend.render(&frame(4, 4, vec![made.clone()])).expect_err("it is wrong");
            assert_eq!(error.to_string(), expected, "{}", backend.name());
        }
    }
    let store = "textureStore(t, vec2<i32>(), vec4<f32>());";
    let bound = |texture: &Texture| Bindings::new().with(0, 0, texture);
    let other = "draw 0: `t` at group 0, binding 0 is a texture_storage_2d<rgba8unorm>, but a texture_2d of A8R8G8B8 with 1 level is bound there";
    let rgba8 = "@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, write>;";
    check(rgba8, store, bound(&line(Format::A8R8G8B8)), other);
    let levels = Image::blank(Format::Rgba8, 4, 4, 3).expect("it is small");
    let other = "draw 0: `t` at group 0, binding 0 is a texture_storage_2d<rgba8unorm>, but a texture_2d of Rgba8 with 3 levels is bound there";
    check(rgba8, store, bound(&Texture::new(levels)), other);
    let depth = "@group(0) @binding(0) var t: texture_depth_2d;";
    let load = "let d = textureLoad(t, vec2<i32>(), 0);";
    let other = "draw 0: `t` at group 0, binding 0 is a texture_depth_2d, but a texture_2d of Rgba8 with 1 level is bound there";
    check(depth, load, bound(&line(Format::Rgba8)), other);
    let sampled = "@group(0) @binding(0) var t: texture_depth_2d; @group(0) @binding(1) var s: sampler_comparison;";
    let compare = "let d = textureSampleCompareLevel(t, s, vec2<f32>(), 0.5);";
    let plain = bound(&line(Format::R32Float)).with(0, 1, Sampler::BILINEAR);
    check(
        sampled,
        compare,
        plain,
        "draw 0: `s` is a sampler_comparison in the shader, and the sampler bound there has no `compare`",
    );
    // Read through one binding and written through another in one pass.
    let both = "@group(0) @binding(0) var t: texture_storage_2d<r32float, write>; @group(0) @binding(1) var u: texture_2d<f32>;";
    let texture = line(Format::R32Float);
    let copy = "textureStore(t, vec2<i32>(), textureLoad(u, vec2<i32>(), 0));";
    let twice = bound(&texture).with(0, 1, &texture);
    let pipeline = pipeline(
        &format!("{both} @fragment fn main() -> @location(0) vec4<f32> {{ {copy} return vec4<f32>(); }}"),
        State::FLAT,
    );
    let corners = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]].map(|place| at_pixel(place, (4, 4), Vec4::ONE));
    let made = draw(&pipeline, corners.to_vec()).with_bindings(twice);
    let error = Reference::new().render(&frame(4, 4, vec![made])).expect_err("one texture, two uses");
    assert!(matches!(error, raster::RenderError::Pass { .. }), "{error}");
}
