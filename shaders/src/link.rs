//! Linking: a fragment shader takes the place of `fn shade` in a kernel, while calls are inlined.
//!
//! Before: `front_end` (both modules selected: the kernel's @compute and the user's @fragment entry point; each keeps its
//! own names, spans and bindings), `interface` (what the shader takes and gives). After: as `translate`.
//!
//! The contract a kernel keeps, by name:
//!
//! ```wgsl
//! struct Fragment { x: f32, y: f32, z: f32, q: f32, front: bool, … }  // any order, any further members
//! struct Shaded { color: vec4<f32>, keep: bool }                       // keep = not discarded
//! fn shade(f: Fragment) -> Shaded                                      // replaced; the default body calls every hook once
//! fn smooth_input(slot: u32, f: Fragment) -> f32                       // slot: position in FragmentInterface::inputs
//! fn linear_input(slot: u32, f: Fragment) -> f32
//! fn flat_input(slot: u32, f: Fragment) -> u32                         // the bits
//! fn resource_range(index: u32, f: Fragment) -> vec2<u32>              // address and byte length of interface buffer `index`
//! fn sampling_state(stage: u32, f: Fragment) -> SamplingState          // of the shader's texture stage, as in the prelude
//! ```
//!
//! `@builtin(position)` is (x, y, z, q), `@builtin(front_facing)` is front. Every scalar input is fetched once, at the start
//! of `shade`; what the shader does not read is dropped with the code that computes it. `discard` demotes: the lane goes
//! on as a helper and `keep` is false. Private variables start afresh at every call.

use naga::{Span, TypeInner};

use crate::diagnostic::CompileError;
use crate::front_end::Module;
use crate::interface::FragmentInterface;
use crate::ir::Kernel;
use crate::translate::{Fragment, Options, translate_linked};

/// Translates the kernel with the fragment shader in place of `shade`. Both are selected modules.
pub fn link(kernel: &Module, fragment: &Module, options: &Options) -> Result<Kernel, CompileError> {
    link_fragment(kernel, fragment, options, false)
}

/// [`link`] with a planted fault, `discard` that ends the lane: to show that the tests would notice. Not for use.
#[doc(hidden)]
pub fn link_with_peeling_discard(
    kernel: &Module,
    fragment: &Module,
    options: &Options,
) -> Result<Kernel, CompileError> {
    link_fragment(kernel, fragment, options, true)
}

fn link_fragment(
    kernel: &Module,
    fragment: &Module,
    options: &Options,
    discard_peels: bool,
) -> Result<Kernel, CompileError> {
    let entry = &fragment.entry_point().name;
    let interface = FragmentInterface::of(&fragment.naga, &fragment.info, entry)
        .map_err(|error| CompileError::at(fragment, Span::UNDEFINED, error.to_string()))?;
    let shade = kernel.naga.functions.iter().map(|(_, function)| function);
    let shade = shade.filter(|function| function.name.as_deref() == Some("shade")).find(|f| f.arguments.len() == 1);
    let Some(shade) = shade else {
        return Err(CompileError::at(kernel, Span::UNDEFINED, "the kernel has no `fn shade(f: Fragment) -> Shaded`"));
    };
    let field = |name: &str| scalar_of(kernel, shade.arguments[0].ty, name);
    let fragment = Fragment {
        module: fragment,
        interface,
        position: [field("x")?, field("y")?, field("z")?, field("q")?],
        front: field("front")?,
        discard_peels,
    };
    let result = shade.result.as_ref().map(|result| &kernel.naga.types[result.ty].inner);
    let is_shaded = matches!(result, Some(TypeInner::Struct { members, .. })
        if members.iter().map(|m| m.name.as_deref()).eq([Some("color"), Some("keep")]));
    if !is_shaded {
        let message = "`shade` must return `struct Shaded { color: vec4<f32>, keep: bool }`";
        return Err(CompileError::at(kernel, Span::UNDEFINED, message));
    }
    translate_linked(kernel, Some(fragment), options)
}

/// Which scalar of a struct of scalars and vectors a scalar member is.
fn scalar_of(module: &Module, ty: naga::Handle<naga::Type>, name: &str) -> Result<usize, CompileError> {
    let mut scalar = 0;
    if let TypeInner::Struct { members, .. } = &module.naga.types[ty].inner {
        for member in members {
            let inner = &module.naga.types[member.ty].inner;
            if member.name.as_deref() == Some(name) && matches!(inner, TypeInner::Scalar(_)) {
                return Ok(scalar);
            }
            scalar += match inner {
                TypeInner::Vector { size, .. } => *size as usize,
                _ => 1,
            };
        }
    }
    Err(CompileError::at(module, Span::UNDEFINED, format!("the argument of `shade` has no scalar member `{name}`")))
}
