//! Which function of the prelude tells which texture expression of WGSL, and with which arguments.
//!
//! Before: a texture expression and the type of its texture. After: `evaluate` and `translate`, which both ask here, so that
//! they cannot read one differently; `accepted` refuses what has no function.

mod kind;
mod storage;

pub use kind::{TextureDimension, TextureKind, TextureUse, storage_format, texture_kind};
pub use storage::{StorageCall, storage_load, storage_store};

pub use naga::ScalarKind;
use naga::{Expression, Handle, ImageQuery, SampleLevel, TypeInner};

/// A call of the prelude. The first argument is the stage's number, then come these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureCall {
    /// The function's name.
    pub function: String,
    /// The texture.
    pub image: Handle<Expression>,
    /// How the stage is found.
    pub stage: StageOf,
    /// What follows the stage.
    pub arguments: Vec<TextureArgument>,
    /// Whether of the function's four components only the first is the answer, as depth textures have it.
    pub takes_first: bool,
}

/// Which of the stages of a texture is meant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StageOf {
    /// That of the texture with this sampler.
    Sampler(Handle<Expression>),
    /// That of `textureLoad`.
    Load,
    /// Any: all know the size.
    Any,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextureArgument {
    /// An expression as it stands.
    Value(Handle<Expression>),
    /// An expression that the named function of the prelude converts first: an array index, an integer level.
    Through(Handle<Expression>, &'static str),
    /// Integers where nothing is written: level 0, no offset, a channel.
    Integers(Vec<u32>),
    /// The float level 0.
    LevelZero,
}

/// The texture that an expression samples, loads from or asks about.
pub fn image_of(expression: &Expression) -> Option<Handle<Expression>> {
    match *expression {
        Expression::ImageSample { image, .. }
        | Expression::ImageLoad { image, .. }
        | Expression::ImageQuery { image, .. } => Some(image),
        _ => None,
    }
}

/// The call behind a texture expression, `None` if the prelude has none. `image` is the type of its texture, `kind` gives the
/// component type of an expression.
pub fn texture_call(
    expression: &Expression,
    image: &TypeInner,
    kind: impl Fn(Handle<Expression>) -> ScalarKind,
) -> Option<TextureCall> {
    let texture = texture_kind(image)?;
    match *expression {
        Expression::ImageSample { .. } => sample_call(expression, texture, &kind),
        Expression::ImageLoad { image, coordinate, array_index, sample, level }
            if !texture.dimension.is_cube() && !matches!(texture.usage, TextureUse::Storage { .. }) =>
        {
            let how = if texture.component == ScalarKind::Float { "texture_load" } else { "texture_load_bits" };
            let mut arguments = vec![TextureArgument::Value(coordinate)];
            arguments.extend(array_index.or(sample).map(|index| layer(index, &kind)));
            arguments.push(level.map_or(TextureArgument::Integers(vec![0]), TextureArgument::Value));
            Some(TextureCall {
                function: format!("{how}_{}", texture.dimension.suffix()),
                image,
                stage: StageOf::Load,
                arguments,
                takes_first: texture.usage == TextureUse::Depth,
            })
        }
        Expression::ImageQuery { image, query } => {
            let (function, arguments) = match query {
                ImageQuery::Size { level } => {
                    let function = match texture.dimension {
                        TextureDimension::D1 => "texture_width",
                        TextureDimension::D3 => "texture_dimensions_3d",
                        _ => "texture_dimensions",
                    };
                    (function, vec![level.map_or(TextureArgument::Integers(vec![0]), TextureArgument::Value)])
                }
                ImageQuery::NumLevels => ("texture_levels", vec![]),
                ImageQuery::NumLayers | ImageQuery::NumSamples => ("texture_layers", vec![]),
            };
            let function = function.to_owned();
            Some(TextureCall { function, image, stage: StageOf::Any, arguments, takes_first: false })
        }
        _ => None,
    }
}

/// The part of a lookup word for an array element or sample.
fn layer(index: Handle<Expression>, kind: impl Fn(Handle<Expression>) -> ScalarKind) -> TextureArgument {
    let is_signed = kind(index) == ScalarKind::Sint;
    TextureArgument::Through(index, if is_signed { "texture_layer_i32" } else { "texture_layer_u32" })
}

/// The call behind everything that takes a sampler.
fn sample_call(
    expression: &Expression,
    texture: TextureKind,
    kind: impl Fn(Handle<Expression>) -> ScalarKind,
) -> Option<TextureCall> {
    use TextureArgument::{Integers, LevelZero, Through, Value};
    let Expression::ImageSample {
        image,
        sampler,
        coordinate,
        array_index,
        level,
        clamp_to_edge,
        gather,
        offset,
        depth_ref,
    } = *expression
    else {
        return None;
    };
    let TextureKind { dimension, component, usage } = texture;
    let suffix = dimension.suffix();
    let offset_or_none = |components| match (dimension.is_cube(), offset) {
        (true, _) => None,
        (false, Some(offset)) => Some(Value(offset)),
        (false, None) => Some(Integers(vec![0; components])),
    };
    let mut arguments = vec![Value(coordinate)];
    arguments.extend(array_index.map(|index| layer(index, &kind)));
    let mut takes_first = false;
    let function = match (gather, depth_ref) {
        (Some(_), Some(reference)) => {
            arguments.push(Value(reference));
            arguments.extend(offset_or_none(2));
            format!("texture_gather_compare_{suffix}")
        }
        (Some(channel), None) => {
            arguments.push(Integers(vec![channel as u32]));
            arguments.extend(offset_or_none(2));
            let bits = if component == ScalarKind::Float { "" } else { "_bits" };
            format!("texture_gather{bits}_{suffix}")
        }
        (None, Some(reference)) => {
            let level = match level {
                SampleLevel::Auto => "",
                SampleLevel::Zero => "_level",
                _ => return None,
            };
            arguments.push(Value(reference));
            arguments.extend(offset_or_none(2));
            format!("texture_compare{level}_{suffix}")
        }
        (None, None) if clamp_to_edge => "texture_sample_base_clamp_to_edge".to_owned(),
        (None, None) => {
            let (how, extra) = match level {
                SampleLevel::Auto => ("", vec![]),
                SampleLevel::Zero => ("_level", vec![LevelZero]),
                SampleLevel::Exact(level) => match kind(level) {
                    ScalarKind::Sint => ("_level", vec![Through(level, "texture_lod_i32")]),
                    ScalarKind::Uint => ("_level", vec![Through(level, "texture_lod_u32")]),
                    _ => ("_level", vec![Value(level)]),
                },
                _ if dimension == TextureDimension::D1 => return None,
                SampleLevel::Bias(bias) => ("_bias", vec![Value(bias)]),
                SampleLevel::Gradient { x, y } => ("_grad", vec![Value(x), Value(y)]),
            };
            arguments.extend(extra);
            takes_first = usage == TextureUse::Depth;
            if dimension == TextureDimension::D3 {
                arguments.extend(offset_or_none(3));
                format!("texture_sample{how}_{suffix}")
            } else if let Some(offset) = offset {
                arguments.push(Value(offset));
                format!("texture_sample{how}_offset_{suffix}")
            } else {
                format!("texture_sample{how}_{suffix}")
            }
        }
    };
    Some(TextureCall { function, image, stage: StageOf::Sampler(sampler), arguments, takes_first })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every name that `texture_call` can make is one of the prelude's.
    #[test]
    fn the_prelude_has_every_function() {
        let has = |name: String| assert!(crate::prelude::function(&name).1.result.is_some());
        for dimension in TextureDimension::ALL {
            let suffix = dimension.suffix();
            for how in ["", "_level", "_bias", "_grad"] {
                if dimension != TextureDimension::D1 || matches!(how, "" | "_level") {
                    has(format!("texture_sample{how}_{suffix}"));
                }
                if suffix.starts_with("2d") {
                    has(format!("texture_sample{how}_offset_{suffix}"));
                }
            }
            if !matches!(dimension, TextureDimension::D1 | TextureDimension::D3) {
                for how in ["gather", "gather_bits", "gather_compare", "compare", "compare_level"] {
                    has(format!("texture_{how}_{suffix}"));
                }
            }
            if !dimension.is_cube() {
                has(format!("texture_load_{suffix}"));
                has(format!("texture_load_bits_{suffix}"));
            }
        }
        let others = ["width", "dimensions", "dimensions_3d", "levels", "layers", "layer_i32", "layer_u32", "lod_i32"];
        others.into_iter().chain(["lod_u32"]).for_each(|name| has(format!("texture_{name}")));
    }
}
