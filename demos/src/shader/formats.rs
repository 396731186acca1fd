//! Texel formats by the names that WebGPU has for them.

use texture::Format;

/// Name and format; depths are floats here.
const NAMES: [(&str, Format); 35] = [
    ("r8unorm", Format::R8),
    ("rg8unorm", Format::Rg8),
    ("rgba8unorm", Format::Rgba8),
    ("rgba8unorm-srgb", Format::Rgba8Srgb),
    ("bgra8unorm", Format::A8R8G8B8),
    ("bgra8unorm-srgb", Format::A8R8G8B8Srgb),
    ("r8snorm", Format::R8Snorm),
    ("rg8snorm", Format::Rg8Snorm),
    ("rgba8snorm", Format::Rgba8Snorm),
    ("r16float", Format::R16Float),
    ("rg16float", Format::Rg16Float),
    ("rgba16float", Format::Rgba16Float),
    ("r32float", Format::R32Float),
    ("rg32float", Format::Rg32Float),
    ("rgba32float", Format::Rgba32Float),
    ("rgb10a2unorm", Format::Rgb10A2),
    ("rg11b10ufloat", Format::Rg11B10Float),
    ("r8uint", Format::R8Uint),
    ("rg8uint", Format::Rg8Uint),
    ("rgba8uint", Format::Rgba8Uint),
    ("r8sint", Format::R8Sint),
    ("rg8sint", Format::Rg8Sint),
    ("rgba8sint", Format::Rgba8Sint),
    ("r16uint", Format::R16Uint),
    ("rg16uint", Format::Rg16Uint),
    ("rgba16uint", Format::Rgba16Uint),
    ("r16sint", Format::R16Sint),
    ("rg16sint", Format::Rg16Sint),
    ("rgba16sint", Format::Rgba16Sint),
    ("r32uint", Format::R32Uint),
    ("rg32uint", Format::Rg32Uint),
    ("rgba32uint", Format::Rgba32Uint),
    ("r32sint", Format::R32Sint),
    ("rg32sint", Format::Rg32Sint),
    ("rgba32sint", Format::Rgba32Sint),
];

/// The format of this name.
pub fn by_name(name: &str) -> Option<Format> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
}

/// The name of a format.
pub fn name(format: Format) -> &'static str {
    NAMES.iter().find(|(_, known)| *known == format).map_or("a format without a name", |(name, _)| name)
}

/// All names that a texture of such texels may have.
pub fn names_of(sampled: texture::Sampled) -> String {
    let fitting = NAMES.iter().filter(|(_, format)| format.sampled() == sampled);
    fitting.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}
