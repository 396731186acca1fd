//! Layers, biases and gradients of the forms: each builtin takes its layer and its level from where it says.

use crate::forms::{ask, assert_answers, bits, image_of, numbers};
use raster::{Bindings, Compare, MipFilter, Sampler, Texture, TextureDimension};
use texture::{Format, Wrap};

#[test]
fn comparisons_look_at_their_layer() {
    let sampler = Sampler { compare: Some(Compare::Less), ..Sampler::SHADOW };
    // Layers, or cubes, are 0 and 1 all over: the second is above the reference.
    for (name, dimension, faces, place) in [
        ("texture_depth_2d_array", TextureDimension::D2Array, 1, "vec2<f32>(0.5)"),
        ("texture_depth_cube_array", TextureDimension::CubeArray, 6, "vec3<f32>(0.1, 1.0, -0.2)"),
    ] {
        let image = image_of(Format::R32Float, [2, 2, 2 * faces, 1], |layer, _, _, _| {
            bits([(layer / faces) as f32, 0.0, 0.0, 0.0])
        });
        let depths = Texture::of_kind(image, dimension).expect("layers enough");
        let declarations =
            format!("@group(0) @binding(0) var t: {name}; @group(0) @binding(1) var s: sampler_comparison;");
        let all = format!("t, s, {place}, i32(i % 2u), 0.5");
        let expression = format!(
            "vec4<f32>(textureSampleCompare({all}), textureSampleCompareLevel({all}), textureGatherCompare({all}).xz)"
        );
        let bindings = Bindings::new().with(0, 0, &depths).with(0, 1, sampler);
        assert_answers(&ask(&declarations, &expression, &bindings), |i| [(i % 2) as f32; 4]);
    }
}

#[test]
fn offsets_go_with_biases_gradients_and_levels() {
    // A level of detail of one half and a sampler's bias of one half: level 1, 4 × 2 texels.
    let sampler = Sampler { mip_filter: MipFilter::Nearest, lod_bias: 0.5, wrap_u: Wrap::Repeat, ..Sampler::POINT };
    for (name, dimension, layers, layer) in
        [("texture_2d", TextureDimension::D2, 1, None), ("texture_2d_array", TextureDimension::D2Array, 2, Some(1))]
    {
        let image =
            image_of(Format::Rgba32Float, [8, 4, layers, 4], |layer, level, x, y| bits(numbers(layer, level, x, y)));
        let texture = Texture::of_kind(image, dimension).expect("layers enough");
        let declarations = format!("@group(0) @binding(0) var t: {name}<f32>; @group(0) @binding(1) var s: sampler;");
        // A texel from pixel to pixel: what the derivatives say is 0.
        let place = format!(
            "t, s, vec2<f32>((f32(i % 8u) + 0.5) / 8.0, 0.6){}",
            layer.map_or(String::new(), |layer| format!(", {layer}"))
        );
        // 0.177 · 8 is the square root of 2 and little more, along y alone.
        let expression = format!(
            "vec4<f32>(textureSampleBias({place}, 0.5, vec2<i32>(1, 0)).x,
                textureSampleGrad({place}, vec2<f32>(0.0), vec2<f32>(0.177, 0.0), vec2<i32>(1, 0)).x,
                textureSampleLevel({place}, 0.5, vec2<i32>(1, 0)).x, 0.0)"
        );
        let bindings = Bindings::new().with(0, 0, &texture).with(0, 1, sampler);
        assert_answers(&ask(&declarations, &expression, &bindings), |i| {
            let number = numbers(layer.unwrap_or(0), 1, (i % 8 / 2 + 1) % 4, 1)[0];
            [number, number, number, 0.0]
        });
    }
}
