//! Linking a vertex shader: it takes the place of `fn shade_vertex` in a kernel.
//!
//! Before: `front_end` (both modules selected), `interface`. After: as `translate`.
//!
//! The contract a kernel keeps, by name:
//!
//! ```wgsl
//! struct Vertex { index: u32, instance: u32, … }         // any order, any further members
//! fn shade_vertex(v: Vertex)                             // replaced; the default body calls every hook once
//! fn fetch_attribute(number: u32, v: Vertex) -> vec4<u32>      // bits; number: position in VertexInterface::attributes
//! fn resource_range(index: u32, v: Vertex) -> vec2<u32>  // address and byte length of interface buffer `index`
//! fn vertex_output(word: u32, bits: u32, v: Vertex)      // word: position in VertexInterface::outputs
//! ```
//!
//! Every attribute is fetched once, at the start; components that the shader does not declare are dropped with the code that
//! fetches them. A shader that reads textures finds their states in the binding `translate::SAMPLING_STATES`.

use naga::Span;

use super::scalar_of;
use crate::diagnostic::CompileError;
use crate::front_end::Module;
use crate::interface::VertexInterface;
use crate::ir::Kernel;
use crate::translate::{Linked, Options, Vertex, translate_linked};

/// Translates the kernel with the vertex shader in place of `shade_vertex`. Both are selected modules.
pub fn link_vertex(kernel: &Module, vertex: &Module, options: &Options) -> Result<Kernel, CompileError> {
    let entry = &vertex.entry_point().name;
    let interface = VertexInterface::of(&vertex.naga, &vertex.info, entry)
        .map_err(|error| CompileError::at(vertex, vertex.entry_span(), error.to_string()))?;
    let named = |f: &&naga::Function| f.name.as_deref() == Some("shade_vertex") && f.arguments.len() == 1;
    let Some(shade) = kernel.naga.functions.iter().map(|(_, function)| function).find(named) else {
        return Err(CompileError::at(kernel, Span::UNDEFINED, "the kernel has no `fn shade_vertex(v: Vertex)`"));
    };
    let field = |name: &str| scalar_of(kernel, shade.arguments[0].ty, "shade_vertex", name);
    let (index, instance) = (field("index")?, field("instance")?);
    translate_linked(kernel, Some(Linked::Vertex(Vertex { module: vertex, interface, index, instance })), options)
}
