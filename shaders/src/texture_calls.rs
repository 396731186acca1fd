//! Which function of the prelude tells which texture expression of WGSL, and with which arguments.
//!
//! Before: a texture expression and the type of its texture. After: `evaluate` and `translate`, which both ask here, so that
//! they cannot read one differently; `accepted` refuses what has no function.

use naga::{Expression, Handle, ImageClass, ImageDimension, ImageQuery, SampleLevel, ScalarKind, TypeInner};

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
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TextureArgument {
    /// An expression as it stands.
    Value(Handle<Expression>),
    /// An array index, which the named function of the prelude makes a part of a lookup word.
    Layer(Handle<Expression>, &'static str),
    /// Level 0, where none is written.
    LevelZero,
}

/// What kind of texture a shader declares.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum TextureDimension {
    /// `texture_1d`.
    D1,
    /// `texture_2d`.
    D2,
    /// `texture_2d_array`.
    D2Array,
    /// `texture_cube`.
    Cube,
    /// `texture_cube_array`.
    CubeArray,
}

impl TextureDimension {
    /// Its name in WGSL, without the component type.
    pub const fn wgsl(self) -> &'static str {
        match self {
            Self::D1 => "texture_1d",
            Self::D2 => "texture_2d",
            Self::D2Array => "texture_2d_array",
            Self::Cube => "texture_cube",
            Self::CubeArray => "texture_cube_array",
        }
    }

    /// How the prelude's functions for it end.
    const fn suffix(self) -> &'static str {
        match self {
            Self::D1 => "1d",
            Self::D2 => "2d",
            Self::D2Array => "2d_array",
            Self::Cube => "cube",
            Self::CubeArray => "cube_array",
        }
    }
}

/// Dimension and component type of a texture type that shaders here may declare.
pub fn texture_kind(ty: &TypeInner) -> Option<(TextureDimension, ScalarKind)> {
    let TypeInner::Image { dim, arrayed, class: ImageClass::Sampled { kind, multi: false } } = *ty else { return None };
    let dimension = match (dim, arrayed) {
        (ImageDimension::D1, false) => TextureDimension::D1,
        (ImageDimension::D2, false) => TextureDimension::D2,
        (ImageDimension::D2, true) => TextureDimension::D2Array,
        (ImageDimension::Cube, false) => TextureDimension::Cube,
        (ImageDimension::Cube, true) => TextureDimension::CubeArray,
        _ => return None,
    };
    matches!(kind, ScalarKind::Float | ScalarKind::Sint | ScalarKind::Uint).then_some((dimension, kind))
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
    use TextureArgument::{Layer, LevelZero, Value};
    let (dimension, component) = texture_kind(image)?;
    let suffix = dimension.suffix();
    let layer = |index: Handle<Expression>| {
        Layer(index, if kind(index) == ScalarKind::Sint { "texture_layer_i32" } else { "texture_layer_u32" })
    };
    match *expression {
        Expression::ImageSample {
            image,
            sampler,
            coordinate,
            array_index,
            level,
            clamp_to_edge,
            gather: None,
            offset: None,
            depth_ref: None,
        } if component == ScalarKind::Float => {
            let (how, extra) = match level {
                SampleLevel::Auto => ("", vec![]),
                SampleLevel::Exact(level) => ("_level", vec![level]),
                _ if dimension == TextureDimension::D1 => return None,
                SampleLevel::Bias(bias) => ("_bias", vec![bias]),
                SampleLevel::Gradient { x, y } => ("_grad", vec![x, y]),
                SampleLevel::Zero if clamp_to_edge => ("", vec![]),
                SampleLevel::Zero => return None,
            };
            let function = match (clamp_to_edge, dimension) {
                (true, TextureDimension::D2) => "texture_sample_base_clamp_to_edge".to_owned(),
                (true, _) => return None,
                (false, _) => format!("texture_sample{how}_{suffix}"),
            };
            let mut arguments = vec![Value(coordinate)];
            arguments.extend(array_index.map(layer));
            arguments.extend(extra.into_iter().map(Value));
            Some(TextureCall { function, image, stage: StageOf::Sampler(sampler), arguments })
        }
        Expression::ImageLoad { image, coordinate, array_index, sample: None, level }
            if !matches!(dimension, TextureDimension::Cube | TextureDimension::CubeArray) =>
        {
            let how = if component == ScalarKind::Float { "texture_load" } else { "texture_load_bits" };
            let mut arguments = vec![Value(coordinate)];
            arguments.extend(array_index.map(layer));
            arguments.push(level.map_or(LevelZero, Value));
            Some(TextureCall { function: format!("{how}_{suffix}"), image, stage: StageOf::Load, arguments })
        }
        Expression::ImageQuery { image, query } => {
            let (function, arguments) = match query {
                ImageQuery::Size { level } => {
                    let width_only = dimension == TextureDimension::D1;
                    let function = if width_only { "texture_width" } else { "texture_dimensions" };
                    (function, vec![level.map_or(LevelZero, Value)])
                }
                ImageQuery::NumLevels => ("texture_levels", vec![]),
                ImageQuery::NumLayers => ("texture_layers", vec![]),
                ImageQuery::NumSamples => return None,
            };
            Some(TextureCall { function: function.to_owned(), image, stage: StageOf::Any, arguments })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every name that `texture_call` can make is one of the prelude's.
    #[test]
    fn the_prelude_has_every_function() {
        let all = [
            TextureDimension::D1,
            TextureDimension::D2,
            TextureDimension::D2Array,
            TextureDimension::Cube,
            TextureDimension::CubeArray,
        ];
        for dimension in all {
            let suffix = dimension.suffix();
            for how in ["", "_level", "_bias", "_grad"] {
                if dimension != TextureDimension::D1 || matches!(how, "" | "_level") {
                    crate::prelude::function(&format!("texture_sample{how}_{suffix}"));
                }
            }
        }
        for suffix in ["1d", "2d", "2d_array"] {
            crate::prelude::function(&format!("texture_load_{suffix}"));
            crate::prelude::function(&format!("texture_load_bits_{suffix}"));
        }
        for name in ["texture_width", "texture_dimensions", "texture_levels", "texture_layers", "texture_layer_i32"] {
            crate::prelude::function(name);
        }
    }
}
