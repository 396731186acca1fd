//! A shader's file: its language, its entry points, its code for a machine.

use std::io::Read;
use std::path::{Path, PathBuf};

use gpu_core::config::GpuConfig;
use gpu_core::program::SourceFile;
use shaders::compile::{CompileOptions, CompiledKernel, compile};
use shaders::diagnostic::CompileError;
use shaders::front_end::{EntryStage, LONGEST_SOURCE_BYTES, Language, Module};
use shaders::translate::{Options, translate};

/// Why a shader's file gives no code.
#[derive(Debug, thiserror::Error)]
pub enum ShaderError {
    /// The system refuses.
    #[error("cannot read shader `{}`", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// A file whose name tells no language.
    #[error("`{}` does not say by its name which language it is in; choose one with --language: {}", file.display(), language_names())]
    Language {
        /// The file.
        file: PathBuf,
    },
    /// Which entry point to take is not clear.
    #[error("`{file}` {problem}")]
    Entry {
        /// The file.
        file: String,
        /// What is wrong, and which there are.
        problem: String,
    },
    /// It is not a shader that is taken.
    #[error(transparent)]
    Compile(#[from] CompileError),
}

fn language_names() -> String {
    Language::NAMES.map(|(name, _)| name).join(", ")
}

/// A file that has been read and validated.
#[derive(Debug)]
pub struct ShaderFile {
    /// Its name, as given.
    pub name: String,
    /// What is in it.
    pub module: Module,
}

/// An entry point with values for its overrides.
#[derive(Debug)]
pub struct Selected {
    /// The module with nothing else in it.
    pub module: Module,
    /// What it is for.
    pub stage: EntryStage,
}

impl ShaderFile {
    /// Reads a file; its name tells the language unless one is given.
    pub fn open(path: &Path, language: Option<Language>) -> Result<Self, ShaderError> {
        let language = language.or_else(|| Language::of_file(path));
        let language = language.ok_or_else(|| ShaderError::Language { file: path.to_owned() })?;
        let bytes = read(path).map_err(|source| ShaderError::Read { file: path.to_owned(), source })?;
        Self::of_bytes(&path.display().to_string(), &bytes, language)
    }

    /// The same of what is in memory already.
    pub fn of_bytes(name: &str, bytes: &[u8], language: Language) -> Result<Self, ShaderError> {
        Ok(Self { name: name.to_owned(), module: Module::parse_in(language, name, bytes)? })
    }

    /// The entry point of this name, or the only one.
    pub fn select(&self, entry: Option<&str>, overrides: &[(&str, f64)]) -> Result<Selected, ShaderError> {
        let entries: Vec<(&str, EntryStage)> = self.module.entries().collect();
        let refuse = |problem: String| Err(ShaderError::Entry { file: self.name.clone(), problem });
        let names = || entries.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let (name, stage) = match (entry, entries.as_slice()) {
            (_, []) => return refuse("has no entry point".to_owned()),
            (Some(wanted), _) => match entries.iter().find(|(name, _)| *name == wanted) {
                Some(found) => *found,
                None => return refuse(format!("has no entry point `{wanted}`; it has: {}", names())),
            },
            (None, [only]) => *only,
            (None, _) => {
                return refuse(format!("has several entry points; choose one with --entry: {}", names()));
            }
        };
        Ok(Selected { module: self.module.select(name, overrides)?, stage })
    }
}

/// A file, or as much of it as shows that it is too long.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LONGEST_SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Selected {
    /// Its code for a machine; it must be a compute shader.
    pub fn compile(&self, config: &GpuConfig) -> Result<CompiledKernel, ShaderError> {
        let kernel = translate(&self.module, &Options { extensions: config.extensions, ..Options::default() })?;
        let files = self.module.file_texts();
        let files: Vec<_> =
            files.map(|(name, text)| SourceFile { name: name.to_owned(), text: text.to_owned() }).collect();
        let target = CompileOptions::for_machine(config);
        Ok(compile(&kernel, &files, &target).map_err(|error| CompileError::of_back_end(&self.module, &error))?)
    }
}
