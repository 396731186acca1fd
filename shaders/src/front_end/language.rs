//! The languages a shader may be written in, and what each of naga's front ends needs to hear.
//!
//! Before: the name of a file, or an explicit choice. After: `front_end`, which parses and validates.
//! GLSL is 450 and 460 (Vulkan's: textures and samplers apart). SPIR-V has no text, so its errors have no place.

use std::path::Path;

use naga::ShaderStage;
use naga::front::{glsl, spv};

use super::macros;
use crate::diagnostic::{CompileError, Mark};
use crate::module::ModuleFile;

/// A language, and for GLSL the stage, which its text does not say.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// WGSL: the product's own.
    Wgsl,
    /// GLSL 450 for one stage; the entry point is `main`.
    Glsl(GlslStage),
    /// SPIR-V, binary, little-endian.
    SpirV,
}

/// What a GLSL file is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum GlslStage {
    /// A vertex shader.
    Vertex,
    /// A fragment shader.
    Fragment,
    /// A compute shader.
    Compute,
}

impl Language {
    /// Every language with its name, which is also the extension of its files.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("wgsl", Self::Wgsl),
        ("comp", Self::Glsl(GlslStage::Compute)),
        ("frag", Self::Glsl(GlslStage::Fragment)),
        ("vert", Self::Glsl(GlslStage::Vertex)),
        ("spv", Self::SpirV),
    ];

    /// The language that a file's name tells. `.glsl` alone is a compute shader; `x.frag.glsl` is a fragment shader.
    pub fn of_file(path: &Path) -> Option<Self> {
        let of_extension = |path: &Path| {
            let extension = path.extension()?.to_str()?.to_ascii_lowercase();
            Self::NAMES.iter().find(|(name, _)| *name == extension).map(|(_, language)| *language)
        };
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("glsl")) {
            let before = path.file_stem().map(Path::new).and_then(of_extension);
            let staged = before.filter(|language| matches!(language, Self::Glsl(_)));
            return Some(staged.unwrap_or(Self::Glsl(GlslStage::Compute)));
        }
        of_extension(path)
    }
}

/// GLSL text becomes a module.
pub(super) fn parse_glsl(stage: GlslStage, source: &str, files: &[ModuleFile]) -> Result<naga::Module, CompileError> {
    if let Err((span, message)) = macros::check(source) {
        return Err(CompileError::in_files(files, source, message, &[Mark { span, text: String::new() }], &[]));
    }
    let stage = match stage {
        GlslStage::Vertex => ShaderStage::Vertex,
        GlslStage::Fragment => ShaderStage::Fragment,
        GlslStage::Compute => ShaderStage::Compute,
    };
    glsl::Frontend::default().parse(&glsl::Options::from(stage), source).map_err(|failure| {
        // The first error; those after it are often its consequences.
        let (message, marks) = match failure.errors.first() {
            Some(error) => (error.kind.to_string(), vec![Mark { span: error.meta, text: String::new() }]),
            None => ("the GLSL front end gives no reason".to_owned(), Vec::new()),
        };
        CompileError::in_files(files, source, message, &marks, &[])
    })
}

/// SPIR-V words become a module without spans: there is no text that they could speak of.
pub(super) fn parse_spirv(bytes: &[u8], name: &str) -> Result<naga::Module, CompileError> {
    // Clip space is WebGPU's already where the module comes from a WGSL compiler; Vulkan's differ in the direction of y.
    let options = spv::Options { adjust_coordinate_space: true, ..spv::Options::default() };
    spv::parse_u8_slice(bytes, &options).map_err(|error| {
        CompileError::render(name, "", format!("`{name}` is no SPIR-V that is understood: {error}"), &[], &[])
    })
}
