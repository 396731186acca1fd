//! What an entry point of the graphics pipeline takes and gives, as rasterizer, linker and evaluator must all see it.
//!
//! Before: `front_end` (the module is parsed and validated). After: `link` and `evaluate`, which feed the inputs, and the
//! rasterizer's host stages: of vertex shaders ([`vertex`]) they fetch the attributes, of fragment shaders ([`fragment`])
//! they make one attribute plane for each input slot; [`varying`] is what goes from one to the other.
//! The numbers defined here (input slots, buffer indices) are the contract between the three.

pub mod fragment;
pub mod varying;
pub mod vertex;

use naga::{Binding, TypeInner};

use crate::module::Module;
use crate::texture_calls::{TextureKind, TextureUse, texture_kind};

pub use fragment::{COLOR_TARGETS, FragmentInterface, InputSlot, Output};
pub use varying::{Interpolation, NumericKind, NumericType, Point, Varying, VaryingMismatch};
pub use vertex::{Attribute, VertexInterface, VertexOutput};

/// A uniform or storage buffer the shader uses, or the texels of a storage texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferBinding {
    /// `@group`.
    pub group: u32,
    /// `@binding`.
    pub binding: u32,
    /// Its WGSL name.
    pub name: String,
    /// Bytes the buffer must have at least (a runtime-sized array counts one element).
    pub bytes: u32,
    /// Whether it is `var<storage, read_write>`, or a texture that may be stored to.
    pub is_written: bool,
    /// A storage texture: the buffer is its texels.
    pub texture: Option<TextureKind>,
}

/// Where the program finds a texture or sampler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// `@group`.
    pub group: u32,
    /// `@binding`.
    pub binding: u32,
    /// Its WGSL name.
    pub name: String,
}

/// A texture as the shader reads it, and what one sampler stage of the machine must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageBinding {
    /// The texture.
    pub texture: Place,
    /// The sampler; none for `textureLoad`, which wants point filter and clamp.
    pub sampler: Option<Place>,
    /// What the shader declares the texture as.
    pub kind: TextureKind,
    /// Whether the sampler is a `sampler_comparison`.
    pub compares: bool,
    /// Whether a stage of the machine holds it; of others the shader asks for the state only.
    pub needs_hardware: bool,
}

/// The sampler stages of a selected module with their places, in the order of [`Module::texture_stages`].
pub fn stage_bindings(module: &Module) -> Vec<StageBinding> {
    let place = |handle| {
        let variable: &naga::GlobalVariable = &module.naga.global_variables[handle];
        let place = variable.binding.as_ref().expect("the validator asks every texture and sampler for a binding");
        Place { group: place.group, binding: place.binding, name: variable.name.clone().unwrap_or_default() }
    };
    let stages = module.texture_stages();
    stages
        .iter()
        .map(|stage| {
            let ty = &module.naga.types[module.naga.global_variables[stage.texture].ty].inner;
            let kind = texture_kind(ty).expect("`accepted` has let the texture pass");
            let is_comparison = |sampler| {
                let sampler: &naga::GlobalVariable = &module.naga.global_variables[sampler];
                matches!(module.naga.types[sampler.ty].inner, TypeInner::Sampler { comparison: true })
            };
            let compares = stage.sampler.is_some_and(is_comparison);
            StageBinding {
                texture: place(stage.texture),
                sampler: stage.sampler.map(place),
                kind,
                compares,
                needs_hardware: stage.needs_hardware,
            }
        })
        .collect()
}

/// The buffers and storage textures that an entry point uses, ascending by (group, binding).
fn buffers_of(module: &naga::Module, usage: &naga::valid::FunctionInfo) -> Vec<BufferBinding> {
    let mut buffers = Vec::new();
    for (handle, variable) in module.global_variables.iter() {
        let (Some(place), false) = (&variable.binding, usage[handle].is_empty()) else { continue };
        let name = variable.name.clone().unwrap_or_default();
        let inner = &module.types[variable.ty].inner;
        let (is_written, texture) = match variable.space {
            naga::AddressSpace::Uniform => (false, None),
            naga::AddressSpace::Storage { access } => (access != naga::StorageAccess::LOAD, None),
            _ => match texture_kind(inner) {
                Some(kind @ TextureKind { usage: TextureUse::Storage { is_written, .. }, .. }) => {
                    (is_written, Some(kind))
                }
                _ => continue,
            },
        };
        let bytes = if texture.is_some() { 0 } else { inner.size(module.to_ctx()) };
        let (group, binding) = (place.group, place.binding);
        buffers.push(BufferBinding { group, binding, name, bytes, is_written, texture });
    }
    buffers.sort_by_key(|buffer| (buffer.group, buffer.binding));
    buffers
}

/// The place of an entry point in its module.
fn entry_index(module: &naga::Module, entry: &str, stage: naga::ShaderStage) -> Result<usize, InterfaceError> {
    let is_it = |point: &naga::EntryPoint| point.name == entry && point.stage == stage;
    module.entry_points.iter().position(is_it).ok_or_else(|| InterfaceError::NoEntry {
        stage: if stage == naga::ShaderStage::Vertex { "vertex" } else { "fragment" },
        entry: entry.to_owned(),
    })
}

/// Visits what an argument or result binds: itself, or each member of a structure.
fn each_binding<'a>(
    module: &'a naga::Module,
    ty: naga::Handle<naga::Type>,
    (binding, name): (Option<&'a Binding>, Option<&'a str>),
    visit: &mut impl FnMut(&'a Binding, &'a TypeInner, Option<&'a str>) -> Result<(), InterfaceError>,
) -> Result<(), InterfaceError> {
    match (binding, &module.types[ty].inner) {
        (Some(binding), inner) => visit(binding, inner, name),
        (None, TypeInner::Struct { members, .. }) => members.iter().try_for_each(|member| {
            each_binding(module, member.ty, (member.binding.as_ref(), member.name.as_deref()), visit)
        }),
        (None, _) => Ok(()),
    }
}

/// Visits what the arguments of an entry point bind.
fn each_input<'a>(
    module: &'a naga::Module,
    function: &'a naga::Function,
    visit: &mut impl FnMut(&'a Binding, &'a TypeInner, Option<&'a str>) -> Result<(), InterfaceError>,
) -> Result<(), InterfaceError> {
    function.arguments.iter().try_for_each(|argument| {
        each_binding(module, argument.ty, (argument.binding.as_ref(), argument.name.as_deref()), visit)
    })
}

/// Visits what the result of an entry point binds.
fn each_output<'a>(
    module: &'a naga::Module,
    function: &'a naga::Function,
    visit: &mut impl FnMut(&'a Binding, &'a TypeInner, Option<&'a str>) -> Result<(), InterfaceError>,
) -> Result<(), InterfaceError> {
    let Some(result) = &function.result else { return Ok(()) };
    each_binding(module, result.ty, (result.binding.as_ref(), None), visit)
}

/// An entry point the rasterizer cannot use.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterfaceError {
    /// There is no such entry point of this stage.
    #[error("there is no {stage} entry point `{entry}`")]
    NoEntry {
        /// "vertex" or "fragment".
        stage: &'static str,
        /// Its name.
        entry: String,
    },
    /// A builtin input nobody feeds.
    #[error(
        "input `{0}` is not fed; a fragment shader here may read `position`, `front_facing`, `sample_index`, `sample_mask`, `subgroup_size` and `subgroup_invocation_id`"
    )]
    BuiltIn(String),
    /// An input of a type or interpolation nobody feeds.
    #[error("input at location {location}: {what} is not supported")]
    Input {
        /// `@location`.
        location: u32,
        /// The type or interpolation.
        what: String,
    },
    /// A colour of a type no target takes.
    #[error("output at location {location}: only f32, i32, u32 and vectors of them are colours")]
    OutputType {
        /// `@location`.
        location: u32,
    },
    /// More colours than there can be targets.
    #[error("output at location {location}: there are {COLOR_TARGETS} colour targets, at locations 0 to {}", COLOR_TARGETS - 1)]
    OutputLocation {
        /// `@location`.
        location: u32,
    },
    /// A builtin output nobody takes.
    #[error("output `{0}` is not taken; a fragment shader here may write colours, `frag_depth` and `sample_mask`")]
    Output(String),
    /// A builtin input no vertex has.
    #[error("input `{0}` is not fed; a vertex shader here may read `vertex_index` and `instance_index`")]
    VertexBuiltIn(String),
    /// An output of a type or interpolation no fragment shader reads.
    #[error("output at location {location}: {what} is not supported")]
    VertexOutput {
        /// `@location`.
        location: u32,
        /// The type or interpolation.
        what: String,
    },
    /// A builtin output nobody takes.
    #[error("output `{0}` is not taken; a vertex shader here may write `position`, a point size and locations")]
    VertexBuiltInOutput(String),
    /// A buffer that a vertex shader would write.
    #[error("`{name}` at group {group}, binding {binding} is writable; a vertex shader may only read buffers")]
    VertexWrites {
        /// Its name.
        name: String,
        /// `@group`.
        group: u32,
        /// `@binding`.
        binding: u32,
    },
}
