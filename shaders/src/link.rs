//! Linking: a fragment shader takes the place of `fn shade` in a kernel, while calls are inlined; `vertex` does the same for
//! vertex shaders.
//!
//! Before: `front_end` (both modules selected: the kernel's @compute and the user's @fragment entry point; each keeps its
//! own names, spans and bindings), `interface` (what the shader takes and gives). After: as `translate`.
//!
//! The contract a kernel keeps, by name:
//!
//! ```wgsl
//! struct Fragment { x: f32, y: f32, z: f32, q: f32, front: bool, … }  // any order, any further members; live: bool,
//!                                  // sample_index: u32, sample_mask: u32 are asked for by shaders that need them
//! struct Shaded { color: vec4<f32>, keep: bool, … }                    // keep = not discarded; any order; also
//!                                  // color_1 … color_7: vec4<f32>, depth: f32, mask: u32
//! fn shade(f: Fragment) -> Shaded                                      // replaced; the default body calls every hook once
//! fn smooth_input(slot: u32, f: Fragment) -> f32                       // slot: position in FragmentInterface::inputs
//! fn linear_input(slot: u32, f: Fragment) -> f32
//! fn smooth_input_at(slot: u32, f: Fragment) -> f32                    // at the centroid or the sample, where asked
//! fn linear_input_at(slot: u32, f: Fragment) -> f32
//! fn flat_input(slot: u32, f: Fragment) -> u32                         // the bits
//! fn resource_range(index: u32, f: Fragment) -> vec2<u32>              // address and byte length of interface buffer `index`
//! fn sampling_state(stage: u32, f: Fragment) -> SamplingState          // of the shader's texture stage, as in the prelude
//! ```
//!
//! `@builtin(position)` is (x, y, z, q), `@builtin(front_facing)` is front. Every scalar input is fetched once, at the start
//! of `shade`; what the shader does not read is dropped with the code that computes it. `discard` demotes: the lane goes
//! on as a helper and `keep` is false; a buffer is written where `live` holds and nothing was discarded before. Of what the
//! shader does not write, `depth` is z, `mask` is all ones, a colour's missing components are 0 and its alpha 1.
//! Private variables start afresh at every call.

mod vertex;

use naga::{Span, TypeInner};

use crate::diagnostic::CompileError;
use crate::front_end::Module;
use crate::interface::{COLOR_TARGETS, FragmentInterface, Output};
use crate::ir::Kernel;
use crate::translate::{Fragment, Linked, Options, Shaded, translate_linked};

pub use vertex::link_vertex;

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
    let field = |name: &str| scalar_of(kernel, shade.arguments[0].ty, "shade", name);
    let needed = |is_needed: bool, name: &str| is_needed.then(|| field(name)).transpose();
    let result = shade.result.as_ref().map(|result| &kernel.naga.types[result.ty].inner);
    let fragment = Fragment {
        module: fragment,
        position: [field("x")?, field("y")?, field("z")?, field("q")?],
        front: field("front")?,
        live: needed(interface.writes_storage(), "live")?,
        sample_index: needed(interface.reads_sample_index, "sample_index")?,
        sample_mask: needed(interface.reads_sample_mask, "sample_mask")?,
        shaded: shaded_scalars(kernel, result, &interface)?,
        interface,
        discard_peels,
    };
    translate_linked(kernel, Some(Linked::Fragment(fragment)), options)
}

/// What the scalars of the kernel's `Shaded` are; refuses a kernel that has no place for what the shader writes.
fn shaded_scalars(
    kernel: &Module,
    result: Option<&TypeInner>,
    interface: &FragmentInterface,
) -> Result<Vec<Shaded>, CompileError> {
    let vec4 = TypeInner::Vector { size: naga::VectorSize::Quad, scalar: naga::Scalar::F32 };
    let members = match result {
        Some(TypeInner::Struct { members, .. }) => &members[..],
        _ => &[],
    };
    let mut scalars = Vec::new();
    for member in members {
        let inner = &kernel.naga.types[member.ty].inner;
        let colors: [_; COLOR_TARGETS] =
            ["color", "color_1", "color_2", "color_3", "color_4", "color_5", "color_6", "color_7"];
        let name = member.name.as_deref().unwrap_or_default();
        match (name, inner) {
            ("keep", TypeInner::Scalar(naga::Scalar::BOOL)) => scalars.push(Shaded::Keep),
            ("depth", TypeInner::Scalar(naga::Scalar::F32)) => scalars.push(Shaded::Output(Output::Depth)),
            ("mask", TypeInner::Scalar(naga::Scalar::U32)) => scalars.push(Shaded::Output(Output::Mask)),
            (color, inner) if *inner == vec4 && colors.contains(&color) => {
                let target = colors.iter().position(|known| *known == color).expect("it is one of them") as u32;
                let output = |component| Shaded::Output(Output::Color { target, component });
                scalars.extend((0..4).map(output));
            }
            _ => {
                let message = format!("`Shaded` has a member `{name}` that no shader gives (see `link`)");
                return Err(CompileError::at(kernel, Span::UNDEFINED, message));
            }
        }
    }
    let has = |scalar: Shaded| scalars.contains(&scalar);
    if !has(Shaded::Keep) || !has(Shaded::Output(Output::Color { target: 0, component: 0 })) {
        let message = "`shade` must return `struct Shaded { color: vec4<f32>, keep: bool, … }`";
        return Err(CompileError::at(kernel, Span::UNDEFINED, message));
    }
    if let Some(missing) = interface.outputs.iter().find(|output| !has(Shaded::Output(**output))) {
        let message = format!("the fragment shader writes {missing:?}, for which the kernel's `Shaded` has no member");
        return Err(CompileError::at(kernel, Span::UNDEFINED, message));
    }
    Ok(scalars)
}

/// Which scalar of a struct of scalars and vectors, the argument of `function`, a scalar member is.
fn scalar_of(module: &Module, ty: naga::Handle<naga::Type>, function: &str, name: &str) -> Result<usize, CompileError> {
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
    let message = format!("the argument of `{function}` has no scalar member `{name}`");
    Err(CompileError::at(module, Span::UNDEFINED, message))
}
