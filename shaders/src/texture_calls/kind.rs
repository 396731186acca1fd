//! What a shader declares a texture as.
//!
//! Before: naga's image types. After: `texture_calls`, which finds the functions for it, and the host, which holds what is bound
//! against it.

use naga::{ImageClass, ImageDimension, ScalarKind, StorageAccess, StorageFormat, TypeInner};
use texture::Format;

/// The shape of a texture.
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
    /// `texture_3d`: the layers are slices.
    D3,
    /// `texture_multisampled_2d`: the layers are samples.
    D2Multisampled,
}

impl TextureDimension {
    /// Every shape.
    pub const ALL: [Self; 7] =
        [Self::D1, Self::D2, Self::D2Array, Self::Cube, Self::CubeArray, Self::D3, Self::D2Multisampled];

    /// Its name in WGSL, without the component type.
    pub const fn wgsl(self) -> &'static str {
        match self {
            Self::D1 => "texture_1d",
            Self::D2 => "texture_2d",
            Self::D2Array => "texture_2d_array",
            Self::Cube => "texture_cube",
            Self::CubeArray => "texture_cube_array",
            Self::D3 => "texture_3d",
            Self::D2Multisampled => "texture_multisampled_2d",
        }
    }

    /// How the prelude's functions for it end. Samples of a texel are loaded as layers are.
    pub(super) const fn suffix(self) -> &'static str {
        match self {
            Self::D1 => "1d",
            Self::D2 => "2d",
            Self::D2Array | Self::D2Multisampled => "2d_array",
            Self::Cube => "cube",
            Self::CubeArray => "cube_array",
            Self::D3 => "3d",
        }
    }

    /// Whether faces of cubes are its layers.
    pub const fn is_cube(self) -> bool {
        matches!(self, Self::Cube | Self::CubeArray)
    }
}

/// How a shader uses a texture's texels.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum TextureUse {
    /// Sampled or loaded, as `texture_2d<f32>` is.
    Sampled,
    /// One component, a depth that can be compared: `texture_depth_2d`.
    Depth,
    /// Loaded and stored without a sampler: `texture_storage_2d`.
    Storage {
        /// Of its texels.
        format: Format,
        /// Whether it may be stored to.
        is_written: bool,
    },
}

/// A texture type that shaders here may declare.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextureKind {
    /// Its shape.
    pub dimension: TextureDimension,
    /// f32, i32 or u32.
    pub component: ScalarKind,
    /// What for.
    pub usage: TextureUse,
}

/// The kind behind an image type; `None` if shaders here cannot have it.
pub fn texture_kind(ty: &TypeInner) -> Option<TextureKind> {
    let TypeInner::Image { dim, arrayed, class } = *ty else { return None };
    let (component, usage, is_multisampled) = match class {
        ImageClass::Sampled { kind, multi } => (kind, TextureUse::Sampled, multi),
        ImageClass::Depth { multi } => (ScalarKind::Float, TextureUse::Depth, multi),
        ImageClass::Storage { format, access } => {
            let is_written = access.contains(StorageAccess::STORE);
            let format = storage_format(format)?;
            let component = match format.sampled() {
                texture::Sampled::Float => ScalarKind::Float,
                texture::Sampled::Uint => ScalarKind::Uint,
                texture::Sampled::Sint => ScalarKind::Sint,
            };
            (component, TextureUse::Storage { format, is_written }, false)
        }
        ImageClass::External => return None,
    };
    let dimension = match (dim, arrayed, is_multisampled) {
        (ImageDimension::D1, false, false) => TextureDimension::D1,
        (ImageDimension::D2, false, false) => TextureDimension::D2,
        (ImageDimension::D2, true, false) => TextureDimension::D2Array,
        (ImageDimension::Cube, false, false) => TextureDimension::Cube,
        (ImageDimension::Cube, true, false) => TextureDimension::CubeArray,
        (ImageDimension::D3, false, false) => TextureDimension::D3,
        (ImageDimension::D2, false, true) => TextureDimension::D2Multisampled,
        _ => return None,
    };
    let has_component = matches!(component, ScalarKind::Float | ScalarKind::Sint | ScalarKind::Uint);
    has_component.then_some(TextureKind { dimension, component, usage })
}

/// The storage formats of WebGPU's core: naga's, and the texels behind it.
pub(super) const STORAGE_FORMATS: [(StorageFormat, Format); 17] = [
    (StorageFormat::Rgba8Unorm, Format::Rgba8),
    (StorageFormat::Rgba8Snorm, Format::Rgba8Snorm),
    (StorageFormat::Rgba8Uint, Format::Rgba8Uint),
    (StorageFormat::Rgba8Sint, Format::Rgba8Sint),
    (StorageFormat::Bgra8Unorm, Format::A8R8G8B8),
    (StorageFormat::Rgba16Uint, Format::Rgba16Uint),
    (StorageFormat::Rgba16Sint, Format::Rgba16Sint),
    (StorageFormat::Rgba16Float, Format::Rgba16Float),
    (StorageFormat::R32Uint, Format::R32Uint),
    (StorageFormat::R32Sint, Format::R32Sint),
    (StorageFormat::R32Float, Format::R32Float),
    (StorageFormat::Rg32Uint, Format::Rg32Uint),
    (StorageFormat::Rg32Sint, Format::Rg32Sint),
    (StorageFormat::Rg32Float, Format::Rg32Float),
    (StorageFormat::Rgba32Uint, Format::Rgba32Uint),
    (StorageFormat::Rgba32Sint, Format::Rgba32Sint),
    (StorageFormat::Rgba32Float, Format::Rgba32Float),
];

/// The texels behind a storage format; `None` for those that WebGPU's core does not have.
pub fn storage_format(format: StorageFormat) -> Option<Format> {
    STORAGE_FORMATS.iter().find(|known| known.0 == format).map(|known| known.1)
}

impl TextureKind {
    /// Whether it is loaded and stored without a sampler.
    pub const fn is_storage(&self) -> bool {
        matches!(self.usage, TextureUse::Storage { .. })
    }

    /// Its type in WGSL, for messages.
    pub fn wgsl(&self) -> String {
        let name = self.dimension.wgsl().trim_start_matches("texture_");
        match self.usage {
            TextureUse::Sampled => {
                let component = match self.component {
                    ScalarKind::Sint => "i32",
                    ScalarKind::Uint => "u32",
                    _ => "f32",
                };
                format!("texture_{name}<{component}>")
            }
            TextureUse::Depth => format!("texture_depth_{name}"),
            TextureUse::Storage { format, .. } => format!("texture_storage_{name}<{format}>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WGSL, "Texel Formats": what a format of that name has in a shader is told by naga's parser, what its texels are by their crate.
    #[test]
    fn storage_formats_are_the_texels_of_the_same_name() {
        let mut found = Vec::new();
        for format in Format::ALL {
            let Some(name) = format.name() else { continue };
            let source = format!("@group(0) @binding(0) var t: texture_storage_2d<{name}, write>;");
            let Ok(module) = naga::front::wgsl::parse_str(&source) else { continue };
            let (_, variable) = module.global_variables.iter().next().expect("the shader has a texture");
            if let Some(kind) = texture_kind(&module.types[variable.ty].inner) {
                assert_eq!(kind.usage, TextureUse::Storage { format, is_written: true }, "{name}");
                assert_eq!(kind.wgsl(), format!("texture_storage_2d<{name}>"));
                found.push(name);
            }
        }
        found.sort_unstable();
        // WGSL's table "Texel Formats", sorted.
        let wanted = "bgra8unorm r32float r32sint r32uint rg32float rg32sint rg32uint rgba16float rgba16sint rgba16uint \
            rgba32float rgba32sint rgba32uint rgba8sint rgba8snorm rgba8uint rgba8unorm";
        assert_eq!(found.join(" "), wanted);
    }
}
