//! What cannot be sampled is refused by name, before anything is drawn.

use crate::drawing::backends;
use crate::questions::{Question, frame_of};
use raster::{Bindings, MipFilter, RenderError, Sampler, Texture, TextureDimension};
use texture::{Format, Image};

/// The message and its causes, of every backend alike.
#[track_caller]
fn check(bound: &Texture, declared: &Texture, sampler: Sampler, expected: &str) {
    // The shader is that of `declared`, the texture bound is `bound`.
    let mut frame = frame_of(declared, Sampler::POINT, &[Question::default()]);
    let draw = frame.draws.pop().expect("there is one draw");
    let bindings = Bindings::clone(&draw.bindings).with(0, 0, bound).with(0, 1, sampler);
    frame.draws.push(draw.with_bindings(bindings));
    for backend in &mut backends() {
        if backend.name() == "interpreted kernel" {
            continue;
        }
        let error: RenderError = backend.render(&frame).expect_err("it is wrong");
        let mut message = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            message += ": ";
            message += &cause.to_string();
            source = cause.source();
        }
        assert_eq!(message, expected, "{}", backend.name());
    }
}

fn picture(format: Format) -> Texture {
    Texture::new(Image::blank(format, 4, 4, 1).expect("it is small"))
}

#[test]
fn another_kind_of_texture() {
    let cube = Image::blank_layers(Format::Rgba8, 4, 4, 1, 6).expect("it is small");
    let array = Texture::new(cube.clone());
    let cube = Texture::of_kind(cube, TextureDimension::Cube).expect("six squares");
    let flat = picture(Format::Rgba8);
    check(
        &flat,
        &cube,
        Sampler::POINT,
        "draw 0: `t` at group 0, binding 0 is a texture_cube<f32>, but a texture_2d<f32> is bound there",
    );
    check(
        &array,
        &flat,
        Sampler::POINT,
        "draw 0: `t` at group 0, binding 0 is a texture_2d<f32>, but a texture_2d_array<f32> is bound there",
    );
    check(
        &picture(Format::R8Uint),
        &flat,
        Sampler::POINT,
        "draw 0: `t` at group 0, binding 0 is a texture_2d<f32>, but a texture_2d<u32> is bound there",
    );
}

#[test]
fn an_incomplete_mip_chain() {
    let flat = picture(Format::Rgba8);
    check(
        &flat,
        &flat,
        Sampler::TRILINEAR,
        "draw 0: the mip chain of texture `t` is incomplete: 1 of 3 levels; give all, or limit lod_max to 0",
    );
    // A sampler that never asks for the missing levels may be used.
    let limited = Sampler { mip_filter: MipFilter::Linear, lod_max: 0.0, ..Sampler::POINT };
    let frame = frame_of(&flat, limited, &[Question::default()]);
    backends()[0].render(&frame).expect("level 0 is there");
}

#[test]
fn a_sampler_without_meaning() {
    let flat = picture(Format::Rgba8);
    let sampler = Sampler { max_anisotropy: 99, ..Sampler::BILINEAR };
    check(
        &flat,
        &flat,
        sampler,
        "draw 0: the sampler of texture `t` cannot be used: max_anisotropy is 99, it must be 1 to 16",
    );
    let sampler = Sampler { lod_min: f32::NAN, ..Sampler::BILINEAR };
    check(
        &flat,
        &flat,
        sampler,
        "draw 0: the sampler of texture `t` cannot be used: the level of detail is limited to NaN to 15",
    );
}
