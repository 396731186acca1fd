//! Wraps, filters, levels, layers, cubes and sRGB texels; anisotropic filters are left to the eye.
//!
//! Coordinates lie off the boundaries of texels, and levels of detail off the halves, wherever a step decides.

use glam::{Vec3, vec2, vec4};
use raster::{Bindings, Clear, Draw, Frame, MipFilter, Pipeline, Sampler, State, Texture, TextureDimension, Vertex};
use texture::{Filter, Format, Image, Wrap};

use crate::{compare, driver};

const SIDE: u32 = 64;

const PICTURE: &str = "
    @group(0) @binding(0) var picture: texture_2d<f32>;
    @group(0) @binding(1) var how: sampler;
    @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> { return textureSample(picture, how, uv); }";
const LAYERS: &str = "
    @group(0) @binding(0) var picture: texture_2d_array<f32>;
    @group(0) @binding(1) var how: sampler;
    @fragment fn main(@location(0) uv: vec2<f32>, @builtin(position) place: vec4<f32>) -> @location(0) vec4<f32> {
        return textureSample(picture, how, uv, i32(place.x) / 11);
    }";
const CUBE: &str = "
    @group(0) @binding(0) var picture: texture_cube<f32>;
    @group(0) @binding(1) var how: sampler;
    @fragment fn main(@location(1) direction: vec3<f32>) -> @location(0) vec4<f32> {
        return textureSample(picture, how, direction);
    }";

/// Smooth colours with a pattern, another one for each seed, with all levels.
fn image(format: Format, side: u32, seed: u32) -> Image {
    let color = |x: u32, y: u32| {
        let wave = |phase: u32| (x * 5 + y * 3 + phase * 40 + seed * 61) % 256;
        wave(3) << 24 | wave(0) << 16 | (y * 255 / side) << 8 | if (x / 4 + y / 4).is_multiple_of(2) { 200 } else { 60 }
    };
    Image::from_fn(format, side, side, color)
        .and_then(|image| image.with_mipmaps())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A turned square that shows the texture `scale` times as large as it is, at least in its middle.
fn frame(source: &str, texture: &Texture, sampler: Sampler, repeats: f32) -> Frame {
    let pipeline =
        Pipeline::new("textures.wgsl", source, "main", State::FLAT).unwrap_or_else(|error| panic!("{error}"));
    let draw = Draw::indexed(&pipeline, 4, vec![0u32, 1, 2, 2, 1, 3], move |index| {
        let (x, y) = ((index % 2) as f32 * 2.0 - 1.0, (index / 2) as f32 * 2.0 - 1.0);
        let uv = vec2(0.83 * x - 0.31 * y, 0.31 * x + 0.83 * y) * repeats + vec2(0.437, 0.519);
        // Looks over all six faces.
        let direction = Vec3::new(1.9 * x, 1.7 * y + 0.1, 1.0 - 1.3 * (x + y));
        Vertex::at(vec4(x, y, 0.5, 1.0)).with(0, uv).with(1, direction)
    });
    let bindings = Bindings::new().with(0, 0, texture).with(0, 1, sampler);
    Frame::new(SIDE, SIDE, Clear::BLACK, vec![draw.with_bindings(bindings)])
}

#[test]
fn every_wrap_and_filter() {
    let Some(driver) = driver() else { return };
    let picture = Texture::new(image(Format::Rgba8, 32, 1));
    for wrap_u in Wrap::ALL {
        for (wrap_v, filter) in
            [(Wrap::Repeat, Filter::Bilinear), (Wrap::Clamp, Filter::Point), (wrap_u, Filter::Bilinear)]
        {
            let sampler = Sampler { wrap_u, wrap_v, filter, border: 0xff00_0000, ..Sampler::POINT };
            let frame = frame(PICTURE, &picture, sampler, 0.9);
            compare(&format!("{wrap_u:?} {wrap_v:?} {filter:?}"), &driver, &frame, 2, 0.01);
        }
    }
}

#[test]
fn levels_by_every_filter_and_limit() {
    let Some(driver) = driver() else { return };
    let picture = Texture::new(image(Format::Rgba8, 64, 2));
    for mip_filter in [MipFilter::Nearest, MipFilter::Linear] {
        for repeats in [0.3, 1.1, 2.9, 7.3] {
            for (filter, mag_filter) in [
                (Filter::Bilinear, None),
                (Filter::Point, Some(Filter::Bilinear)),
                (Filter::Bilinear, Some(Filter::Point)),
            ] {
                for (lod_min, lod_max) in [(0.0, 15.0), (1.0, 2.25)] {
                    let sampler = Sampler { filter, mag_filter, mip_filter, lod_min, lod_max, ..Sampler::POINT };
                    let name = format!("{mip_filter:?} {filter:?} {mag_filter:?} {repeats} {lod_min}..{lod_max}");
                    // Mesa's logarithm is up to 0.043 low: a share of the step between two levels.
                    compare(&name, &driver, &frame(PICTURE, &picture, sampler, repeats), 6, 0.02);
                }
            }
        }
    }
}

#[test]
fn layers_cubes_and_srgb() {
    let Some(driver) = driver() else { return };
    let stack = |format, count: u32| {
        let pictures: Vec<Image> = (0..count).map(|seed| image(format, 32, seed)).collect();
        Image::from_layers(&pictures).unwrap_or_else(|error| panic!("{error}"))
    };
    for filter in [Filter::Point, Filter::Bilinear] {
        for format in [Format::Rgba8, Format::Rgba8Srgb] {
            let sampler = Sampler { filter, ..Sampler::POINT };
            let layers = Texture::new(stack(format, 6));
            compare(&format!("layers {filter:?} {format:?}"), &driver, &frame(LAYERS, &layers, sampler, 0.8), 2, 0.01);
            let flat = Texture::new(image(format, 32, 4));
            compare(&format!("flat {filter:?} {format:?}"), &driver, &frame(PICTURE, &flat, sampler, 0.4), 2, 0.01);
            let cube =
                Texture::of_kind(stack(format, 6), TextureDimension::Cube).unwrap_or_else(|error| panic!("{error}"));
            // Mesa filters over the edges of faces, ours within a face.
            let share = if filter == Filter::Point { 0.01 } else { 0.08 };
            compare(&format!("cube {filter:?} {format:?}"), &driver, &frame(CUBE, &cube, sampler, 1.0), 2, share);
        }
    }
}
