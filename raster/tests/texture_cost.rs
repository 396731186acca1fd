//! What sampling costs beyond the plain case, in warp-instructions a block: figures to be kept an eye on.

mod drawing;

use drawing::*;
use glam::{Vec2, Vec4};
use gpu_core::config::GpuConfig;
use raster::{Bindings, Device, MipFilter, Sampler, State, Texture, TextureDimension, Vertex};
use texture::{Filter, Format, Image};

/// Warp-instructions of a block of a quad over the whole target whose texels are `step` from pixel to pixel.
fn cost(texture: &Texture, sampler: Sampler, [across, down]: [f32; 2]) -> u64 {
    let kind = texture.dimension();
    let coordinate = match kind {
        TextureDimension::D1 => "uv.x",
        TextureDimension::D2 => "uv",
        TextureDimension::D2Array => "uv, 1",
        TextureDimension::Cube => "vec3<f32>(uv, 1.0)",
        TextureDimension::CubeArray => "vec3<f32>(uv, 1.0), 1",
        other => unreachable!("{other:?} is not measured here"),
    };
    let source = format!(
        "@group(0) @binding(0) var t: {}<f32>; @group(0) @binding(1) var s: sampler;
        @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {{ return textureSample(t, s, {coordinate}); }}",
        kind.wgsl()
    );
    let pipeline = pipeline(&source, State::FLAT);
    let instructions = |side: u32| {
        let size = side as f32 / 64.0;
        let corner = |x: f32, y: f32| {
            Vertex::at(Vec4::new(x, y, 0.5, 1.0)).with(0, Vec2::new(x * across, y * down) * (0.5 * size))
        };
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let vertices = [0, 1, 2, 0, 2, 3].map(|index: usize| corners[index]).to_vec();
        let bindings = Bindings::new().with(0, 0, texture).with(0, 1, sampler);
        let frame = frame(side, side, vec![draw(&pipeline, vertices).with_bindings(bindings)]);
        let mut device = Device::new(GpuConfig::wide(1, 4, 16)).unwrap_or_else(|error| panic!("{error}"));
        render(&mut device, &frame);
        device.report().warp_instructions
    };
    let (small, large) = (64, 128);
    (instructions(large) - instructions(small)) / u64::from((large * large - small * small) / 16)
}

fn texture(format: Format, layers: u32, dimension: TextureDimension) -> Texture {
    let image = Image::blank_layers(format, 64, if dimension == TextureDimension::D1 { 1 } else { 64 }, 1, layers);
    let image = image.expect("it is small").with_mipmaps().expect("it is small");
    Texture::of_kind(image, dimension).expect("size and layers are the kind's")
}

#[track_caller]
fn check(name: &str, texture: &Texture, sampler: Sampler, texels: [f32; 2], most: u64) {
    let cost = cost(texture, sampler, texels);
    println!("{name}: {cost} warp-instructions a block");
    assert!(cost <= most, "{name}: a block costs {cost} warp-instructions, it was {most} at most");
}

#[test]
fn each_kind_of_sample_costs_no_more_than_it_did() {
    let flat = |format| texture(format, 1, TextureDimension::D2);
    let plain = flat(Format::A8R8G8B8);
    let same = [1.0, 1.0];
    let magnified = Sampler { mag_filter: Some(Filter::Point), ..Sampler::BILINEAR };
    let nearest = Sampler { mip_filter: MipFilter::Nearest, ..Sampler::BILINEAR };
    check("bilinear", &plain, Sampler::BILINEAR, same, 88);
    check("nearest level", &plain, nearest, same, 154);
    check("trilinear", &plain, Sampler::TRILINEAR, same, 188);
    check("two filters", &plain, magnified, same, 149);
    check("one channel of f32", &flat(Format::R32Float), Sampler::BILINEAR, same, 91);
    check("sRGB", &flat(Format::Rgba8Srgb), Sampler::BILINEAR, same, 110);
    check("sRGB trilinear", &flat(Format::Rgba8Srgb), Sampler::TRILINEAR, same, 246);
    check("array", &texture(Format::A8R8G8B8, 2, TextureDimension::D2Array), Sampler::BILINEAR, same, 88);
    check("cube trilinear", &texture(Format::A8R8G8B8, 6, TextureDimension::Cube), Sampler::TRILINEAR, same, 372);
    check("anisotropic, 1 tap", &plain, Sampler::ANISOTROPIC, same, 328);
    check("anisotropic, 8 taps", &plain, Sampler::ANISOTROPIC, [8.0, 1.0], 470);
}
