//! A selected WGSL module becomes one compute kernel in the intermediate form: every call inlined, every composite split
//! into scalars, every pointer resolved to variables or memory.
//!
//! Before: `front_end` (one entry point, overrides resolved, constructs accepted); `link` puts a fragment shader into a
//! kernel on the way through here. After: `divergence`, `optimize`, `lower`. What holds afterwards is `ir::verify`.
//!
//! The files, in the order a value passes them: `layout` (types), `builder` (writes the form), `places` and `indexing`
//! (pointers), `expressions`, `operators`, `builtins`, `textures` (values), `statements`, `control` (order), `atomics`,
//! `subgroups` (exchange), `calls` (inlining, intrinsics), `entry` (what the outside provides).

mod atomics;
mod builder;
mod builtins;
mod calls;
mod control;
mod entry;
mod expressions;
mod indexing;
mod large;
mod layout;
mod operators;
mod places;
mod statements;
mod subgroups;
mod textures;
mod vertex;

use crate::interface::{FragmentInterface, Output};
use std::collections::BTreeMap;
use std::rc::Rc;

use gpu_core::isa::ExtensionSet;
use naga::{Expression, GlobalVariable, Handle, Span, TypeInner};

use crate::diagnostic::CompileError;
use crate::front_end::Module;
use crate::ir::{Binding, Kernel, Label, Location, Value, Variable};
use crate::module::file_at;

use builder::Builder;
use indexing::{Indexed, Indexing};
use layout::Types;
use places::{Memory, Place};
pub(crate) use vertex::Vertex;

/// Whether a computed index is kept inside its array.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// Taken as unsigned and limited to the last element: WGSL's robust access, for everybody's shaders.
    Clamp,
    /// Trusted: for kernels of this repository, whose indices are proved otherwise.
    Trust,
}

/// What the caller decides.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// For the kernel's own module; a linked fragment shader is always clamped.
    pub bounds: Bounds,
    /// Whether workgroup memory starts as zero, as WGSL says; off for kernels that fill it themselves.
    pub zero_workgroup_memory: bool,
    /// What the machine has: its transcendental instructions stand for builtins.
    pub extensions: ExtensionSet,
}

impl Default for Options {
    fn default() -> Self {
        Self { bounds: Bounds::Clamp, zero_workgroup_memory: true, extensions: ExtensionSet::NONE }
    }
}

/// Name of the binding a compute kernel gets when it samples textures: one `SamplingState` of the prelude for each of
/// the module's `texture_stages`.
pub const SAMPLING_STATES: &str = "sampling states";

/// Translates the compute entry point of a selected module.
pub fn translate(module: &Module, options: &Options) -> Result<Kernel> {
    translate_linked(module, None, options)
}

/// A shader that takes the place of a kernel's function.
pub(crate) enum Linked<'a> {
    /// Of `shade`.
    Fragment(Fragment<'a>),
    /// Of `shade_vertex`.
    Vertex(Vertex<'a>),
}

/// The same, with `shade` or `shade_vertex` of the kernel replaced by a shader (`link` documents the contract).
pub(crate) fn translate_linked(kernel: &Module, linked: Option<Linked>, options: &Options) -> Result<Kernel> {
    if kernel.stage() != naga::ShaderStage::Compute {
        let message = format!("`{}` is not a @compute entry point", kernel.entry_point().name);
        return Err(CompileError::at(kernel, Span::UNDEFINED, message));
    }
    let mut modules = vec![Source::new(kernel, options.bounds, 0)];
    let (fragment, vertex) = match linked {
        None => (None, None),
        Some(Linked::Fragment(fragment)) => (Some(fragment), None),
        Some(Linked::Vertex(vertex)) => (None, Some(vertex)),
    };
    let shader = fragment.as_ref().map(|fragment| fragment.module).or(vertex.as_ref().map(|vertex| vertex.module));
    modules.extend(shader.map(|shader| Source::new(shader, Bounds::Clamp, kernel.files.len())));
    let mut translator = Translator {
        build: Builder::new(),
        extensions: options.extensions,
        modules,
        fragment,
        vertex,
        shading: None,
        bindings: Vec::new(),
        workgroup_bytes: 0,
        private_bytes: 0,
        private_end: 0,
        tables: Vec::new(),
        table_bytes: 0,
    };
    translator.entry()?;
    let files = translator.modules.iter().flat_map(|source| &source.module.files);
    let files = files.map(|file| file.name.clone()).collect();
    let mut body = translator.build.take_body();
    translator.place_tables(&mut body);
    let kernel = Kernel {
        name: kernel.entry_point().name.clone(),
        workgroup_size: kernel.entry_point().workgroup_size,
        workgroup_bytes: translator.workgroup_bytes,
        zero_workgroup_memory: options.zero_workgroup_memory,
        private_bytes: translator.private_bytes,
        files,
        bindings: translator.bindings,
        values: translator.build.values,
        variables: translator.build.variables,
        body,
    };
    debug_assert_eq!(crate::ir::verify::verify(&kernel), Ok(()), "translate makes well-formed kernels:\n{kernel}");
    Ok(kernel)
}

type Result<T> = std::result::Result<T, CompileError>;

/// Index into [`Translator::modules`].
type ModuleIndex = usize;

/// A module that takes part.
struct Source<'a> {
    module: &'a Module,
    is_prelude: bool,
    bounds: Bounds,
    indexing: Rc<Indexing>,
    /// Its first file's index in [`Kernel::files`].
    first_file: usize,
    /// Byte offset of each line's start.
    lines: Vec<u32>,
    globals: BTreeMap<Handle<GlobalVariable>, Slot>,
    /// The texels of storage textures.
    texels: BTreeMap<Handle<GlobalVariable>, Memory>,
}

impl<'a> Source<'a> {
    fn new(module: &'a Module, bounds: Bounds, first_file: usize) -> Self {
        let starts = module.source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(starts.map(|(at, _)| at as u32 + 1)).collect();
        let is_prelude = std::ptr::eq(module, crate::prelude::module());
        let indexing = Rc::new(Indexing::of(module));
        Self {
            module,
            is_prelude,
            bounds,
            indexing,
            first_file,
            lines,
            globals: BTreeMap::new(),
            texels: BTreeMap::new(),
        }
    }
}

/// What an expression stands for.
#[derive(Clone, Debug)]
enum Slot {
    /// A value: its scalars.
    Values(Rc<[Value]>),
    /// A value that has so many scalars that it stays in memory.
    Large(Memory),
    /// A pointer.
    Place(Place),
    /// A texture or sampler.
    Handle(Handle<GlobalVariable>),
}

/// One inlined function.
struct Frame<'a> {
    module: ModuleIndex,
    function: &'a naga::Function,
    info: &'a naga::valid::FunctionInfo,
    indexed: Indexed,
    arguments: Vec<Slot>,
    locals: Vec<Place>,
    /// By expression; what was evaluated so far.
    evaluated: Vec<Option<Slot>>,
    /// Values that a loop's `continuing` block reads although the body has an escape in between.
    exported: BTreeMap<Handle<Expression>, Rc<[Variable]>>,
    exit: Exit,
    targets: Vec<control::Targets>,
    /// The value that the statement after this one stores.
    stored_next: Option<Handle<Expression>>,
}

/// How an inlined function gives its result.
enum Exit {
    /// Its only `return` is its last statement.
    Direct(Option<Rc<[Value]>>),
    /// Through variables, leaving the scope from where it is not the natural end.
    Variables { variables: Rc<[Variable]>, label: Label, is_left: bool },
    /// In memory, likewise.
    Memory { memory: Memory, label: Label, is_left: bool },
}

/// A fragment shader and where the kernel's `Fragment` keeps what it may ask for.
pub(crate) struct Fragment<'a> {
    pub module: &'a Module,
    pub interface: FragmentInterface,
    /// Scalars x, y, z, q of `Fragment`.
    pub position: [usize; 4],
    /// Scalar `front` of `Fragment`.
    pub front: usize,
    /// Scalar `live`; a shader that writes no buffer does without.
    pub live: Option<usize>,
    /// Scalars `sample_index` and `sample_mask`, if the shader reads them.
    pub sample_index: Option<usize>,
    pub sample_mask: Option<usize>,
    /// What the scalars of the kernel's `Shaded` are.
    pub shaded: Vec<Shaded>,
    /// A deliberate fault: `discard` ends the lane, and its neighbours lose their derivatives.
    pub discard_peels: bool,
}

/// A scalar of the kernel's `Shaded`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shaded {
    Output(Output),
    /// 0 if the fragment was discarded.
    Keep,
}

struct Translator<'a> {
    extensions: ExtensionSet,
    build: Builder,
    modules: Vec<Source<'a>>,
    fragment: Option<Fragment<'a>>,
    vertex: Option<Vertex<'a>>,
    /// Set while the linked shader is being inlined.
    shading: Option<calls::Shading>,
    bindings: Vec<Binding>,
    workgroup_bytes: u32,
    private_bytes: u32,
    /// Where the next private allocation goes.
    private_end: u32,
    /// Constant arrays that are indexed dynamically: offset from `TABLES`, and (offset within, bits) of each word.
    tables: Vec<(u32, Vec<(u32, u32)>)>,
    table_bytes: u32,
}

impl<'a> Translator<'a> {
    fn types(&self, module: ModuleIndex) -> Types<'a> {
        Types(self.modules[module].module)
    }

    fn is_clamped(&self, module: ModuleIndex) -> bool {
        self.modules[module].bounds == Bounds::Clamp
    }

    /// Makes a source span the place of the statements to come. Inlined prelude code keeps the place of its call: nobody
    /// profiles or debugs the prelude.
    fn go_to(&mut self, module: ModuleIndex, span: Span) {
        let (Some(range), false) = (span.to_range(), self.modules[module].is_prelude) else { return };
        let source = &self.modules[module];
        let line = source.lines.partition_point(|start| *start <= range.start as u32);
        let start = source.lines[line - 1] as usize;
        let column = source.module.source.get(start..range.start).map_or(0, |text| text.chars().count());
        let file = file_at(&source.module.files, range.start);
        // Every file begins with a line.
        let line = line - source.lines.partition_point(|start| (*start as usize) < source.module.files[file].start);
        let file = (source.first_file + file) as u16;
        self.build.at = Location { file, line: line as u32, column: column as u32 + 1 };
    }

    /// "Not supported", at the expression or statement with this span.
    fn refuse<T>(&self, module: ModuleIndex, span: Span, message: impl Into<String>) -> Result<T> {
        Err(CompileError::at(self.modules[module].module, span, message))
    }
}

impl<'a> Frame<'a> {
    fn inner(&self, module: &'a Module, expression: Handle<Expression>) -> &TypeInner {
        self.info[expression].ty.inner_with(&module.naga.types)
    }

    fn span(&self, expression: Handle<Expression>) -> Span {
        self.function.expressions.get_span(expression)
    }
}

/// What a pointer type points to.
fn pointee(types: Types, inner: &TypeInner) -> Option<TypeInner> {
    match *inner {
        TypeInner::Pointer { base, .. } => Some(types.inner(base).clone()),
        TypeInner::ValuePointer { size: Some(size), scalar, .. } => Some(TypeInner::Vector { size, scalar }),
        TypeInner::ValuePointer { size: None, scalar, .. } => Some(TypeInner::Scalar(scalar)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
