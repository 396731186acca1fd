//! One WGSL file as the front end leaves it: naga's module, what naga found out about it, and the text it came from.
//!
//! Before: `front_end`, which makes it. After: everything that reads WGSL.

pub mod resources;
pub(crate) mod texture_stages;

use naga::valid::ModuleInfo;
use naga::{Handle, ShaderStage};

/// One file of a module's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleFile {
    /// Its name, for messages and line tables.
    pub name: String,
    /// Where in [`Module::source`] it begins; it ends where the next one begins.
    pub start: usize,
}

/// One WGSL module, parsed and validated: a file, or several that were joined.
///
/// From [`Module::parse`] it holds every entry point and its overrides are open; from [`Module::select`] it holds one entry
/// point, overrides are constants, and everything in it is accepted by evaluator and compiler.
#[derive(Debug)]
pub struct Module {
    /// The name of its only file, or what its files are together.
    pub name: String,
    /// The text that spans refer to.
    pub source: String,
    /// The files of the text, in order; at least one, the first starts at 0.
    pub files: Vec<ModuleFile>,
    /// The module.
    pub naga: naga::Module,
    /// What the validator found out: expression types, uses of globals.
    pub info: ModuleInfo,
    /// Size, alignment and stride of every type, in bytes.
    pub layouts: naga::proc::Layouter,
}

/// A texture as an entry point uses it, with the state that its functions ask for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TextureStage {
    /// The texture's global variable.
    pub texture: Handle<naga::GlobalVariable>,
    /// The sampler's global variable; `None` for `textureLoad`, which wants point filter and clamp.
    pub sampler: Option<Handle<naga::GlobalVariable>>,
    /// Whether texels come through a stage of the sampler hardware. Of a storage texture, whose texels are words of memory, and of one that
    /// is only asked for its size, there is the state alone.
    pub needs_hardware: bool,
}

/// What an entry point is for, as far as the product runs it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EntryStage {
    /// A compute kernel.
    Compute,
    /// A vertex shader.
    Vertex,
    /// A fragment shader.
    Fragment,
    /// A stage that is not run here.
    Other,
}

impl Module {
    /// Names and stages of the entry points, in the order of the source.
    pub fn entries(&self) -> impl Iterator<Item = (&str, EntryStage)> {
        self.naga.entry_points.iter().map(|point| {
            let stage = match point.stage {
                ShaderStage::Compute => EntryStage::Compute,
                ShaderStage::Vertex => EntryStage::Vertex,
                ShaderStage::Fragment => EntryStage::Fragment,
                _ => EntryStage::Other,
            };
            (point.name.as_str(), stage)
        })
    }

    /// Name and text of each file.
    pub fn file_texts(&self) -> impl Iterator<Item = (&str, &str)> {
        (0..self.files.len())
            .map(|file| (self.files[file].name.as_str(), &self.source[file_range(&self.files, &self.source, file)]))
    }

    /// The word at a line and column of one of the files; undefined where there is none.
    pub fn span_at(&self, at: crate::ir::Location) -> naga::Span {
        let file = usize::from(at.file);
        if at.line == 0 || file >= self.files.len() {
            return naga::Span::UNDEFINED;
        }
        let range = file_range(&self.files, &self.source, file);
        let text = &self.source[range.clone()];
        let Some(line) = text.split_inclusive('\n').nth(at.line as usize - 1) else { return naga::Span::UNDEFINED };
        let rest_at = line.char_indices().nth((at.column as usize).saturating_sub(1)).map_or(line.len(), |(at, _)| at);
        let start = range.start + (line.as_ptr() as usize - text.as_ptr() as usize) + rest_at;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let rest = &line[rest_at..];
        let length = rest.find(|c| !is_word(c)).filter(|length| *length > 0).unwrap_or(rest.trim_end().len().min(1));
        naga::Span::from(start..start + length)
    }

    /// The entry point of a selected module.
    pub fn entry_point(&self) -> &naga::EntryPoint {
        self.naga.entry_points.first().expect("a selected module has one entry point")
    }

    /// What the validator knows of the entry point of a selected module.
    pub fn entry_info(&self) -> &naga::valid::FunctionInfo {
        self.info.get_entry_point(0)
    }

    /// Where the entry point of a selected module is declared: `fn name`.
    pub fn entry_span(&self) -> naga::Span {
        declaration_span(&self.source, &self.entry_point().name)
    }

    /// The stage of a selected module.
    pub fn stage(&self) -> ShaderStage {
        self.entry_point().stage
    }

    /// The sampler stages the entry point needs, in stage order: those of the hardware first; by (group, binding) of the texture, then of
    /// the sampler, a texture without sampler last.
    pub fn texture_stages(&self) -> Vec<TextureStage> {
        texture_stages::of(self)
    }

    /// Number of elements of an array type; `None` when it ends a buffer and has no fixed size.
    pub fn array_length(&self, size: naga::ArraySize) -> Option<u32> {
        match size.resolve(self.naga.to_ctx()).expect("overrides are resolved and the validator has seen the type") {
            naga::proc::IndexableLength::Known(length) => Some(length),
            naga::proc::IndexableLength::Dynamic => None,
        }
    }
}

/// Which of the files of a joined text holds a byte.
pub(crate) fn file_at(files: &[ModuleFile], offset: usize) -> usize {
    files.partition_point(|file| file.start <= offset).max(1) - 1
}

/// The bytes of one file in the joined text.
pub(crate) fn file_range(files: &[ModuleFile], source: &str, file: usize) -> std::ops::Range<usize> {
    files[file].start..files.get(file + 1).map_or(source.len(), |next| next.start)
}

/// The `fn name` of the source; naga keeps no spans of entry points. Undefined if it is written in some odd way.
pub fn declaration_span(source: &str, name: &str) -> naga::Span {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let found = source.match_indices("fn").find_map(|(start, _)| {
        let rest = source[start + 2..].trim_start();
        let after = rest.strip_prefix(name)?;
        let is_declaration = !source[..start].ends_with(is_word) && !after.starts_with(is_word);
        (is_declaration && !source[start + 2..].starts_with(is_word)).then(|| start..source.len() - after.len())
    });
    found.map_or(naga::Span::UNDEFINED, naga::Span::from)
}
