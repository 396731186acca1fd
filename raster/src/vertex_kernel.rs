//! The vertex kernel, specialised: for a machine's lanes and the formats of a program's attributes.
//!
//! Before: [`vertex_program`](crate::vertex_program). After: `device`, which launches it over vertices.

use std::sync::{Arc, LazyLock};

use gpu_core::isa::ExtensionSet;
use shaders::diagnostic::CompileError;
use shaders::front_end::Module;
use shaders::ir::Kernel;
use shaders::translate::{Bounds, Options};
use shaders::vertex_records::{FORMATS, vertex_kernel};

use crate::vertex_program::VertexProgram;

/// Bindings of the vertex kernel; the states of textures have a place of their own.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum VertexList {
    /// `Call`.
    Call = 0,
    /// Vertices by number.
    Numbers = 1,
    /// `Attribute`s.
    Attributes = 2,
    /// All vertex buffers.
    Data = 3,
    /// Address and byte length of the shader's buffers.
    Resources = 4,
    /// What the shader gives: word after word, each for all vertices.
    Results = 5,
    /// Of the shader's textures.
    Samplings = 6,
}

impl VertexList {
    /// Every list, by its number.
    pub const ALL: [Self; 7] =
        [Self::Call, Self::Numbers, Self::Attributes, Self::Data, Self::Resources, Self::Results, Self::Samplings];

    /// The list that a binding of the linked kernel stands for.
    pub fn of(binding: &shaders::ir::Binding) -> Self {
        let is_sampling = binding.name == shaders::translate::SAMPLING_STATES;
        if is_sampling { Self::Samplings } else { Self::ALL[binding.binding as usize] }
    }
}

/// The vertex kernel's source files, parsed, with overrides still open.
#[derive(Debug)]
pub struct VertexKernel {
    module: Arc<Module>,
}

/// Parsed once, as the tile kernel is.
static PARSED: LazyLock<Arc<Module>> =
    LazyLock::new(|| Arc::new(vertex_kernel().expect("the vertex kernel is valid WGSL; a test parses it")));

impl VertexKernel {
    /// The kernel.
    pub fn new() -> Self {
        Self { module: Arc::clone(&PARSED) }
    }

    /// A kernel of other source, parsed by [`Module::parse_files`]: for tests that plant faults.
    pub fn of(module: Module) -> Self {
        Self { module: Arc::new(module) }
    }

    /// The kernel for a program's formats.
    pub fn specialise(&self, program: &VertexProgram, lanes: u32) -> Result<Module, CompileError> {
        let formats = FORMATS.iter().zip(program.fetches());
        let formats = formats.map(|(&name, fetch)| (name, f64::from(fetch.attribute.format.code())));
        let overrides: Vec<_> = formats.chain([("LANES", lanes.into())]).collect();
        self.module.select("vertex_main", &overrides)
    }

    /// The specialised kernel with the program's shader in it, for a machine with these extensions.
    pub fn link(
        &self,
        program: &VertexProgram,
        lanes: u32,
        extensions: ExtensionSet,
    ) -> Result<(Module, Kernel), CompileError> {
        let specialised = self.specialise(program, lanes)?;
        let options = Options { bounds: Bounds::Trust, zero_workgroup_memory: false, extensions };
        let linked = shaders::link::link_vertex(&specialised, program.module(), &options)?;
        Ok((specialised, linked))
    }
}

impl Default for VertexKernel {
    fn default() -> Self {
        Self::new()
    }
}
