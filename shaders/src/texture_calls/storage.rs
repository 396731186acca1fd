//! Which functions of the prelude tell how texels of storage textures are found, taken apart and put together.
//!
//! Before: `textureLoad` and `textureStore` of a storage texture. After: `evaluate` and `translate`, which read and write the words
//! of a texel as those of a buffer: the texture's one level, layer after layer as `texture::Image` lays it out.

use naga::{Expression, Handle, ScalarKind, Statement, TypeInner};
use texture::Format;

use super::{StageOf, TextureArgument, TextureCall, TextureKind, TextureUse, texture_kind};

/// A load or store of a texel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorageCall {
    /// Gives the byte at which the texel lies. Of a load it is always one of the texture's, of a store [`Self::OUTSIDE`] where
    /// there is none.
    pub offset: TextureCall,
    /// Makes four components of the words, or words of the components.
    pub convert: String,
    /// Words of a texel.
    pub words: u32,
}

impl StorageCall {
    /// Where a store outside the texture would go; it is dropped.
    pub const OUTSIDE: u32 = u32::MAX;

    fn new(
        how: &str,
        (kind, format): (TextureKind, Format),
        image: Handle<Expression>,
        coordinate: Handle<Expression>,
        layer: Option<TextureArgument>,
    ) -> Self {
        let mut arguments = vec![TextureArgument::Value(coordinate)];
        arguments.extend(layer);
        arguments.push(TextureArgument::Integers(vec![format.bytes()]));
        let function = format!("storage_{how}_{}", kind.dimension.suffix());
        let offset = TextureCall { function, image, stage: StageOf::Any, arguments, takes_first: false };
        let convert = if how == "load" { "decode" } else { "encode" };
        let convert = format!("storage_{convert}_{}", format!("{format:?}").to_lowercase());
        Self { offset, convert, words: format.bytes() / 4 }
    }
}

fn storage_kind(image: &TypeInner) -> Option<(TextureKind, Format)> {
    let kind = texture_kind(image)?;
    match kind.usage {
        TextureUse::Storage { format, .. } => Some((kind, format)),
        _ => None,
    }
}

/// The layer's number as unsigned: below 0 it is far outside.
fn layer(index: Handle<Expression>, kind: impl Fn(Handle<Expression>) -> ScalarKind) -> TextureArgument {
    let is_signed = kind(index) == ScalarKind::Sint;
    TextureArgument::Through(index, if is_signed { "storage_layer_i32" } else { "storage_layer_u32" })
}

/// The load behind a `textureLoad` of a storage texture.
pub fn storage_load(
    expression: &Expression,
    image_type: &TypeInner,
    kind: impl Fn(Handle<Expression>) -> ScalarKind,
) -> Option<StorageCall> {
    let Expression::ImageLoad { image, coordinate, array_index, .. } = *expression else { return None };
    let layer = array_index.map(|index| layer(index, kind));
    Some(StorageCall::new("load", storage_kind(image_type)?, image, coordinate, layer))
}

/// The store behind a `textureStore`.
pub fn storage_store(
    statement: &Statement,
    image_type: &TypeInner,
    kind: impl Fn(Handle<Expression>) -> ScalarKind,
) -> Option<StorageCall> {
    let Statement::ImageStore { image, coordinate, array_index, .. } = *statement else { return None };
    let layer = array_index.map(|index| layer(index, kind));
    Some(StorageCall::new("store", storage_kind(image_type)?, image, coordinate, layer))
}

#[cfg(test)]
mod tests {
    use super::super::TextureDimension;
    use super::super::kind::STORAGE_FORMATS;

    #[test]
    fn the_prelude_has_every_function() {
        let has = |name: String| assert!(crate::prelude::function(&name).1.result.is_some());
        let shapes = [TextureDimension::D1, TextureDimension::D2, TextureDimension::D2Array, TextureDimension::D3];
        for how in ["load", "store"] {
            shapes.iter().for_each(|shape| has(format!("storage_{how}_{}", shape.suffix())));
        }
        for name in STORAGE_FORMATS.map(|(_, format)| format!("{format:?}").to_lowercase()) {
            has(format!("storage_decode_{name}"));
            has(format!("storage_encode_{name}"));
        }
    }
}
