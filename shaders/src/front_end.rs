//! WGSL text (or GLSL, or SPIR-V) becomes a validated naga module with one entry point and no overrides left.
//!
//! Before: source text. After: `link`, `translate` and `evaluate`, which see only what `accepted` lets through.
//! Rules: the WGSL specification as naga 30 implements it; what this product takes of it is in `accepted`.
//!
//! Input comes from outside and may be anything, so naga runs on a thread of its own with a large stack, behind limits on
//! size and nesting (`nesting`), and a panic in it becomes a [`CompileError`].

mod enables;
mod language;
mod macros;

use std::collections::BTreeSet;

use naga::back::pipeline_constants::{PipelineConstantError, process_overrides};
use naga::valid::{
    Capabilities, ShaderStages, SubgroupOperationSet, TypeError, ValidationFlags, Validator, WidthError,
};

pub use self::language::{GlslStage, Language};
use crate::diagnostic::{CompileError, Mark};
use crate::module::declaration_span;
pub use crate::module::{EntryStage, Module, ModuleFile, TextureStage};
use crate::{accepted, nesting};

/// The longest source taken, in bytes.
pub const LONGEST_SOURCE_BYTES: usize = 1 << 20;

/// The thread that naga runs on: a panic there becomes an error, so a program need not show it.
pub const FRONT_END_THREAD: &str = "wgsl front end";

/// Stack of the thread naga runs on. The deepest recursion that `nesting` lets through takes about a tenth of it.
const FRONT_END_STACK_BYTES: usize = 256 << 20;

impl Module {
    /// Parses and validates a file called `name`.
    pub fn parse(name: &str, source: &str) -> Result<Self, CompileError> {
        Self::parse_text(name, source, vec![ModuleFile { name: name.to_owned(), start: 0 }])
    }

    /// Parses and validates one module whose declarations stand in several files, (name, text) each; messages and line
    /// tables speak of the files.
    pub fn parse_files(name: &str, texts: &[(&str, &str)]) -> Result<Self, CompileError> {
        let (mut source, mut files) = (String::new(), Vec::new());
        for (name, text) in texts {
            files.push(ModuleFile { name: (*name).to_owned(), start: source.len() });
            source.push_str(text);
            source.push('\n');
        }
        Self::parse_text(name, &source, files)
    }

    /// The same for a file in any language; one that is not binary must be UTF-8.
    pub fn parse_in(language: Language, name: &str, bytes: &[u8]) -> Result<Self, CompileError> {
        // There is no place in the file to show, so the message names it.
        let refuse = |message: String| CompileError::render(name, "", format!("`{name}`: {message}"), &[], &[]);
        if bytes.len() > LONGEST_SOURCE_BYTES {
            return Err(refuse(too_long(bytes.len())));
        }
        let files = vec![ModuleFile { name: name.to_owned(), start: 0 }];
        if language == Language::SpirV {
            let parse = || {
                let naga = language::parse_spirv(bytes, name)?;
                validated(name, "", &files, naga)
            };
            let failed = |reason| Err(refuse(format!("the SPIR-V front end failed: {reason}")));
            return on_large_stack(parse).unwrap_or_else(failed);
        }
        let source = std::str::from_utf8(bytes)
            .map_err(|error| refuse(format!("the file is no text: byte {} is not UTF-8", error.valid_up_to())))?;
        match language {
            Language::Glsl(stage) => {
                Self::parse_by(name, source, files, |source, files| language::parse_glsl(stage, source, files))
            }
            _ => Self::parse_text(name, source, files),
        }
    }

    fn parse_text(name: &str, source: &str, files: Vec<ModuleFile>) -> Result<Self, CompileError> {
        Self::parse_by(name, source, files, parse_wgsl)
    }

    fn parse_by(
        name: &str,
        source: &str,
        files: Vec<ModuleFile>,
        parse: impl Fn(&str, &[ModuleFile]) -> Result<naga::Module, CompileError> + Sync,
    ) -> Result<Self, CompileError> {
        let refuse = |message: String| Err(CompileError::render(name, source, message, &[], &[]));
        if source.len() > LONGEST_SOURCE_BYTES {
            return Err(CompileError::render(name, "", too_long(source.len()), &[], &[]));
        }
        if let Err((span, message)) = nesting::check(source) {
            return Err(CompileError::in_files(&files, source, message, &[Mark { span, text: String::new() }], &[]));
        }
        match on_large_stack(|| validated(name, source, &files, parse(source, &files)?)) {
            Ok(result) => result,
            Err(reason) => refuse(format!("the front end failed: {reason}")),
        }
    }

    /// Keeps one entry point, gives the overrides their values, and refuses what the product cannot run.
    ///
    /// `overrides` are (name or numeric id, value); those not given keep their default.
    pub fn select(&self, entry: &str, overrides: &[(&str, f64)]) -> Result<Self, CompileError> {
        let whole =
            |message: String, notes: &[String]| CompileError::render(&self.name, &self.source, message, &[], notes);
        let Some(point) = self.naga.entry_points.iter().find(|point| point.name == entry) else {
            let known: Vec<_> = self.naga.entry_points.iter().map(|point| format!("`{}`", point.name)).collect();
            let note = if known.is_empty() { "it has none".into() } else { format!("it has {}", known.join(", ")) };
            return Err(whole(format!("no entry point `{entry}` in this file"), &[note]));
        };
        let stage = point.stage;
        for (n, &(key, value)) in overrides.iter().enumerate() {
            self.check_override(key, value)?;
            if overrides[..n].iter().any(|&(other, _)| other == key) {
                return Err(whole(format!("override `{key}` is given twice"), &[]));
            }
        }
        let values = overrides.iter().map(|&(key, value)| (key.to_owned(), value)).collect();
        let selected = on_large_stack(|| {
            let (naga, info) = process_overrides(&self.naga, &self.info, Some((stage, entry)), &values)
                .map_err(|error| self.override_error(error))?;
            let (naga, info) = (naga.into_owned(), info.into_owned());
            let layouts = layouts(&naga).map_err(|message| whole(message, &[]))?;
            let (name, source, files) = (self.name.clone(), self.source.clone(), self.files.clone());
            let module = Self { name, source, files, naga, info, layouts };
            accepted::check(&module)?;
            Ok(module)
        });
        selected.unwrap_or_else(|reason| Err(whole(format!("the WGSL front end failed: {reason}"), &[])))
    }

    /// The override of a name, or of a number.
    fn declared_override(&self, key: &str) -> Option<naga::Handle<naga::Override>> {
        let is_meant = |o: &naga::Override| match o.id {
            Some(id) => id.to_string() == key,
            None => o.name.as_deref() == Some(key),
        };
        self.naga.overrides.iter().find(|(_, o)| is_meant(o)).map(|(handle, _)| handle)
    }

    /// Refuses a number that its override's type does not have; naga would not say whose it was.
    fn check_override(&self, key: &str, value: f64) -> Result<(), CompileError> {
        let Some(handle) = self.declared_override(key) else { return Ok(()) };
        let naga::TypeInner::Scalar(scalar) = self.naga.types[self.naga.overrides[handle].ty].inner else {
            return Ok(());
        };
        // WebGPU: integers are what is left of a number without its fraction.
        let (range, numbers) = match scalar.kind {
            naga::ScalarKind::Sint => (f64::from(i32::MIN)..=f64::from(i32::MAX), "an i32, -2147483648 to 2147483647"),
            naga::ScalarKind::Uint => (0.0..=f64::from(u32::MAX), "a u32, 0 to 4294967295"),
            naga::ScalarKind::Float => (f64::from(f32::MIN)..=f64::from(f32::MAX), "an f32, -3.4e38 to 3.4e38"),
            _ => return Ok(()),
        };
        if range.contains(&value.trunc()) {
            return Ok(());
        }
        let message = format!("override `{key}` is {numbers}; {value} is not among these");
        Err(CompileError::at(self, self.naga.overrides.get_span(handle), message))
    }

    fn override_error(&self, error: PipelineConstantError) -> CompileError {
        match error {
            PipelineConstantError::ValidationError(error) => {
                spanned(&self.files, &self.source, error.with_entry_span(&self.source))
            }
            PipelineConstantError::MissingValue(key) => {
                let declared = self.naga.overrides.iter().find(|(_, o)| {
                    o.name.as_deref() == Some(key.as_str())
                        || o.id.map(|id| id.to_string()).as_deref() == Some(key.as_str())
                });
                let span = declared.map_or(naga::Span::UNDEFINED, |(handle, _)| self.naga.overrides.get_span(handle));
                CompileError::at(self, span, format!("override `{key}` has no default, and no value was given"))
            }
            PipelineConstantError::NotFound(key) => {
                let known: BTreeSet<_> = self.naga.overrides.iter().filter_map(|(_, o)| o.name.as_deref()).collect();
                let known: Vec<_> = known.into_iter().map(|name| format!("`{name}`")).collect();
                let note = if known.is_empty() { "it has none".into() } else { format!("it has {}", known.join(", ")) };
                let message = format!("a value was given for override `{key}`, which this file does not declare");
                CompileError::render(&self.name, &self.source, message, &[], &[note])
            }
            PipelineConstantError::NegativeWorkgroupSize => {
                let message = "the overrides make a side of the workgroup 0 or less; each is at least 1";
                CompileError::render(&self.name, &self.source, message.to_owned(), &[], &[])
            }
            other => CompileError::render(&self.name, &self.source, format!("overrides: {other}"), &[], &[]),
        }
    }
}

/// What naga may let through. Everything else is refused by the validator with a message of its own.
fn capabilities() -> Capabilities {
    // SHADER_FLOAT16_IN_FLOAT32 is packing halves into words; there is no type f16. `barrier()` of GLSL is a barrier of the
    // subgroup too.
    Capabilities::SUBGROUP
        | Capabilities::SUBGROUP_BARRIER
        | Capabilities::MULTISAMPLED_SHADING
        | Capabilities::SHADER_FLOAT16_IN_FLOAT32
        | Capabilities::CUBE_ARRAY_TEXTURES
}

fn too_long(length: usize) -> String {
    format!("the source is {length} bytes long, the limit is {LONGEST_SOURCE_BYTES} bytes")
}

fn parse_wgsl(source: &str, files: &[ModuleFile]) -> Result<naga::Module, CompileError> {
    if let Some((span, message)) = enables::refused(source) {
        return Err(CompileError::in_files(files, source, message, &[Mark { span, text: String::new() }], &[]));
    }
    naga::front::wgsl::parse_str(&enables::without_subgroups(source)).map_err(|error| {
        let marks: Vec<_> = error.labels().map(|(span, text)| Mark { span, text: text.to_owned() }).collect();
        let notes: Vec<_> = error.notes().map(str::to_owned).collect();
        CompileError::in_files(files, source, error.message().to_owned(), &marks, &notes)
    })
}

/// What the validator lets through.
fn validated(name: &str, source: &str, files: &[ModuleFile], naga: naga::Module) -> Result<Module, CompileError> {
    let mut validator = Validator::new(ValidationFlags::all(), capabilities());
    validator.subgroup_stages(ShaderStages::COMPUTE | ShaderStages::FRAGMENT);
    validator.subgroup_operations(SubgroupOperationSet::all());
    let info = validator.validate(&naga).map_err(|error| spanned(files, source, error.with_entry_span(source)))?;
    // Array sizes that depend on overrides have no layout yet; `select` computes the final ones.
    let layouts = layouts(&naga).unwrap_or_default();
    Ok(Module { name: name.to_owned(), source: source.to_owned(), files: files.to_vec(), naga, info, layouts })
}

fn layouts(naga: &naga::Module) -> Result<naga::proc::Layouter, String> {
    let mut layouts = naga::proc::Layouter::default();
    layouts.update(naga.to_ctx()).map_err(|error| format!("a type has no layout: {error}"))?;
    Ok(layouts)
}

/// Gives an error about an entry point the place of its declaration, if it has none.
trait WithEntrySpan {
    fn with_entry_span(self, source: &str) -> Self;
}

impl WithEntrySpan for naga::WithSpan<naga::valid::ValidationError> {
    fn with_entry_span(self, source: &str) -> Self {
        let span = match self.as_inner() {
            naga::valid::ValidationError::EntryPoint { name, .. } if self.spans().len() == 0 => {
                declaration_span(source, name)
            }
            // A type without a name has no place either; the first mention of its scalar is one.
            naga::valid::ValidationError::Type {
                source: TypeError::WidthError(WidthError::MissingCapability { name, .. }),
                ..
            } if self.spans().len() == 0 => word_span(source, name),
            _ => naga::Span::UNDEFINED,
        };
        self.with_span(span, "")
    }
}

/// The first place of a word in a text.
fn word_span(source: &str, word: &str) -> naga::Span {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut places = source.match_indices(word).map(|(start, _)| start..start + word.len());
    let whole =
        places.find(|place| !source[..place.start].ends_with(is_word) && !source[place.end..].starts_with(is_word));
    whole.map_or(naga::Span::UNDEFINED, naga::Span::from)
}

/// A validation error: the outermost message is the headline, the causes are notes.
fn spanned<E: std::error::Error>(files: &[ModuleFile], source: &str, error: naga::WithSpan<E>) -> CompileError {
    let marks: Vec<_> = error
        .spans()
        .map(|(span, text)| Mark {
            span: *span,
            text: if text.starts_with("naga::") { String::new() } else { text.clone() },
        })
        .collect();
    let mut notes = Vec::new();
    let mut cause = std::error::Error::source(error.as_inner());
    while let Some(next) = cause {
        // naga names a switch of its own, of which a user knows nothing.
        notes.push(match next.downcast_ref::<TypeError>() {
            Some(TypeError::WidthError(WidthError::MissingCapability { name, .. })) => {
                format!("WebGPU's core has no type `{name}`")
            }
            _ => next.to_string(),
        });
        cause = next.source();
    }
    CompileError::in_files(files, source, error.as_inner().to_string(), &marks, &notes)
}

/// Runs `work` with a large stack; a panic comes back as its text.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name(FRONT_END_THREAD.into())
            .stack_size(FRONT_END_STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|error| format!("no thread for it: {error}"))?;
        thread.join().map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
                .unwrap_or_else(|| "it panicked".into())
        })
    })
}

#[cfg(test)]
mod tests;
