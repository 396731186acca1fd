//! What a fragment entry point takes and gives, as rasterizer, linker and evaluator must all see it.
//!
//! Before: `front_end` (the module is parsed and validated). After: `link` and `evaluate`, which feed the inputs, and the
//! rasterizer's host stages, which make one attribute plane for each input slot.
//! The numbers defined here (input slots, buffer indices) are the contract between the three.

use std::collections::BTreeSet;

use naga::{Binding, BuiltIn, ScalarKind, Statement, TypeInner};

use crate::module::Module;

/// How a scalar input comes from the three vertices.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Perspective-correct, WGSL's default for floats.
    Perspective,
    /// Linear on the screen.
    Linear,
    /// The first vertex's value, bit for bit; all integers.
    Flat,
}

/// One scalar of a `@location` input.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct InputSlot {
    /// `@location`.
    pub location: u32,
    /// 0 to 3 for x to w.
    pub component: u32,
    /// How it is made.
    pub interpolation: Interpolation,
}

/// A uniform or read-only storage buffer the shader reads.
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

/// A texture as the shader reads it: what one sampler stage of the machine must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageBinding {
    /// The texture.
    pub texture: Place,
    /// The sampler; none for `textureLoad`, which wants point filter and clamp.
    pub sampler: Option<Place>,
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
        .map(|stage| StageBinding { texture: place(stage.texture), sampler: stage.sampler.map(place) })
        .collect()
}

/// The interface of one fragment entry point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FragmentInterface {
    /// The declared inputs' scalars, ascending by (location, component): the position in this list is the slot number.
    pub inputs: Vec<InputSlot>,
    /// The buffers it reads, ascending by (group, binding): the position is the index `resource_range` takes.
    pub buffers: Vec<BufferBinding>,
    /// Whether some path may `discard`.
    pub may_discard: bool,
}

/// An entry point the rasterizer cannot use.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterfaceError {
    /// There is no such fragment entry point.
    #[error("there is no fragment entry point `{0}`")]
    NoEntry(String),
    /// A builtin input nobody feeds.
    #[error("input `{0}` is not fed; a fragment shader here may read `position` and `front_facing`")]
    BuiltIn(String),
    /// An input of a type or interpolation nobody feeds.
    #[error("input at location {location}: {what} is not supported")]
    Input {
        /// `@location`.
        location: u32,
        /// The type or interpolation.
        what: String,
    },
    /// Something else than one colour comes out.
    #[error("a fragment shader must return one `@location(0) vec4<f32>` and nothing else")]
    Result,
    /// A buffer is written.
    #[error("`{0}` is writable; a fragment shader can only read its buffers")]
    WritableBuffer(String),
}

impl FragmentInterface {
    /// Reads the interface of the fragment entry point `entry` of a validated module.
    pub fn of(module: &naga::Module, info: &naga::valid::ModuleInfo, entry: &str) -> Result<Self, InterfaceError> {
        let index = module
            .entry_points
            .iter()
            .position(|point| point.name == entry && point.stage == naga::ShaderStage::Fragment)
            .ok_or_else(|| InterfaceError::NoEntry(entry.to_owned()))?;
        let function = &module.entry_points[index].function;
        let usage = info.get_entry_point(index);

        let mut inputs = Vec::new();
        for argument in &function.arguments {
            add_inputs(module, argument.ty, argument.binding.as_ref(), argument.name.as_deref(), &mut inputs)?;
        }
        inputs.sort_by_key(|slot| (slot.location, slot.component));
        check_result(module, function.result.as_ref())?;

        let mut buffers = Vec::new();
        for (handle, variable) in module.global_variables.iter() {
            let (Some(place), false) = (&variable.binding, usage[handle].is_empty()) else { continue };
            let name = variable.name.clone().unwrap_or_default();
            match variable.space {
                naga::AddressSpace::Uniform => {}
                naga::AddressSpace::Storage { access } if access == naga::StorageAccess::LOAD => {}
                naga::AddressSpace::Storage { .. } => return Err(InterfaceError::WritableBuffer(name)),
                _ => continue,
            }
            let bytes = module.types[variable.ty].inner.size(module.to_ctx());
            buffers.push(BufferBinding { group: place.group, binding: place.binding, name, bytes });
        }
        buffers.sort_by_key(|buffer| (buffer.group, buffer.binding));
        Ok(Self { inputs, buffers, may_discard: may_discard(module, function) })
    }

    /// The slot of a scalar of a declared input.
    pub fn slot(&self, location: u32, component: u32) -> Option<u32> {
        let place = |slot: &InputSlot| slot.location == location && slot.component == component;
        self.inputs.iter().position(place).map(|slot| slot as u32)
    }
}

/// Whether a function or one it calls contains `discard`. (naga's own `may_kill` leaves out a `discard` whose condition it
/// takes for uniform, which an argument is to it.)
fn may_discard(module: &naga::Module, function: &naga::Function) -> bool {
    let (mut pending, mut seen) = (vec![&function.body], BTreeSet::new());
    while let Some(block) = pending.pop() {
        for statement in block.iter() {
            match statement {
                Statement::Kill => return true,
                Statement::Block(inner) => pending.push(inner),
                Statement::If { accept, reject, .. } => pending.extend([accept, reject]),
                Statement::Switch { cases, .. } => pending.extend(cases.iter().map(|case| &case.body)),
                Statement::Loop { body, continuing, .. } => pending.extend([body, continuing]),
                Statement::Call { function, .. } if seen.insert(*function) => {
                    pending.push(&module.functions[*function].body);
                }
                _ => {}
            }
        }
    }
    false
}

/// Appends the scalars of an argument, or of each member of a struct argument.
fn add_inputs(
    module: &naga::Module,
    ty: naga::Handle<naga::Type>,
    binding: Option<&Binding>,
    name: Option<&str>,
    inputs: &mut Vec<InputSlot>,
) -> Result<(), InterfaceError> {
    let (location, interpolation) = match binding {
        Some(Binding::BuiltIn(BuiltIn::Position { .. } | BuiltIn::FrontFacing)) => return Ok(()),
        Some(Binding::BuiltIn(_)) => return Err(InterfaceError::BuiltIn(name.unwrap_or("?").to_owned())),
        Some(Binding::Location { location, interpolation, .. }) => (*location, *interpolation),
        None => {
            let TypeInner::Struct { members, .. } = &module.types[ty].inner else { return Ok(()) };
            for member in members {
                add_inputs(module, member.ty, member.binding.as_ref(), member.name.as_deref(), inputs)?;
            }
            return Ok(());
        }
    };
    let refuse = |what: &str| Err(InterfaceError::Input { location, what: what.to_owned() });
    let (scalar, components) = match module.types[ty].inner {
        TypeInner::Scalar(scalar) => (scalar, 1),
        TypeInner::Vector { size, scalar } => (scalar, size as u32),
        _ => return refuse("this type"),
    };
    if scalar.width != 4 {
        return refuse("a scalar that is not 32 bits wide");
    }
    let interpolation = match (scalar.kind, interpolation) {
        (ScalarKind::Sint | ScalarKind::Uint, _) => Interpolation::Flat,
        (_, None | Some(naga::Interpolation::Perspective)) => Interpolation::Perspective,
        (_, Some(naga::Interpolation::Linear)) => Interpolation::Linear,
        (_, Some(naga::Interpolation::Flat)) => Interpolation::Flat,
        (_, Some(naga::Interpolation::PerVertex)) => return refuse("per-vertex interpolation"),
    };
    inputs.extend((0..components).map(|component| InputSlot { location, component, interpolation }));
    Ok(())
}

/// Accepts `@location(0) vec4<f32>`, alone or as the only member of a struct.
fn check_result(module: &naga::Module, result: Option<&naga::FunctionResult>) -> Result<(), InterfaceError> {
    let result = result.ok_or(InterfaceError::Result)?;
    let (ty, binding) = match (&module.types[result.ty].inner, &result.binding) {
        (TypeInner::Struct { members, .. }, None) if members.len() == 1 => (members[0].ty, &members[0].binding),
        (_, binding) => (result.ty, binding),
    };
    let is_color = matches!(binding, Some(Binding::Location { location: 0, blend_src: None, .. }));
    let vec4 = TypeInner::Vector { size: naga::VectorSize::Quad, scalar: naga::Scalar::F32 };
    if is_color && module.types[ty].inner == vec4 { Ok(()) } else { Err(InterfaceError::Result) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interface_of(source: &str) -> Result<FragmentInterface, InterfaceError> {
        let module = naga::front::wgsl::parse_str(source).expect("the test's WGSL parses");
        let flags = naga::valid::ValidationFlags::all();
        let info = naga::valid::Validator::new(flags, naga::valid::Capabilities::all())
            .validate(&module)
            .expect("the test's WGSL is valid");
        FragmentInterface::of(&module, &info, "main")
    }

    #[test]
    fn slots_ascend_by_location_and_component() {
        let interface = interface_of(
            "struct In { @location(2) uv: vec2<f32>, @builtin(position) p: vec4<f32>, @location(0) @interpolate(flat) id: u32 }
             @fragment fn main(in: In, @location(1) @interpolate(linear) x: f32) -> @location(0) vec4<f32> {
                 return vec4<f32>(in.uv, x, f32(in.id)); }",
        )
        .expect("a supported shader");
        let slot = |location, component, interpolation| InputSlot { location, component, interpolation };
        assert_eq!(
            interface.inputs,
            [
                slot(0, 0, Interpolation::Flat),
                slot(1, 0, Interpolation::Linear),
                slot(2, 0, Interpolation::Perspective),
                slot(2, 1, Interpolation::Perspective),
            ]
        );
        assert_eq!(interface.slot(2, 1), Some(3));
        assert_eq!(interface.slot(2, 2), None);
    }

    #[test]
    fn only_the_buffers_that_are_read_count() {
        let interface = interface_of(
            "@group(1) @binding(0) var<uniform> b: mat4x4<f32>;
             @group(0) @binding(3) var<storage, read> a: array<vec4<f32>>;
             @group(0) @binding(0) var<uniform> unused: vec4<f32>;
             @fragment fn main() -> @location(0) vec4<f32> { return b * a[1]; }",
        )
        .expect("a supported shader");
        let found: Vec<_> = interface.buffers.iter().map(|b| (b.group, b.binding, b.name.as_str(), b.bytes)).collect();
        assert_eq!(found, [(0, 3, "a", 16), (1, 0, "b", 64)]);
    }

    #[test]
    fn a_discard_deep_in_a_callee_is_seen() {
        let discarding = "fn cut(x: f32) { if x < 0.5 { loop { discard; } } }
             @fragment fn main(@location(0) x: f32) -> @location(0) vec4<f32> {
                 if x > 0.1 { cut(x); } return vec4<f32>(x); }";
        assert!(interface_of(discarding).expect("a supported shader").may_discard);
        let plain = "@fragment fn main(@location(0) x: f32) -> @location(0) vec4<f32> { return vec4<f32>(x); }";
        assert!(!interface_of(plain).expect("a supported shader").may_discard);
    }

    #[test]
    fn what_nobody_feeds_is_refused_by_name() {
        let vertex = "@vertex fn main() -> @builtin(position) vec4<f32> { return vec4<f32>(); }";
        assert_eq!(interface_of(vertex), Err(InterfaceError::NoEntry("main".to_owned())));
        let depth = "struct Out { @location(0) c: vec4<f32>, @builtin(frag_depth) d: f32 }
             @fragment fn main() -> Out { return Out(vec4<f32>(), 0.5); }";
        assert_eq!(interface_of(depth), Err(InterfaceError::Result));
        let integer = "@fragment fn main() -> @location(0) vec4<u32> { return vec4<u32>(); }";
        assert_eq!(interface_of(integer), Err(InterfaceError::Result));
        let sample =
            "@fragment fn main(@builtin(sample_index) i: u32) -> @location(0) vec4<f32> { return vec4<f32>(f32(i)); }";
        assert_eq!(interface_of(sample), Err(InterfaceError::BuiltIn("i".to_owned())));
        let store = "@group(0) @binding(0) var<storage, read_write> log: array<u32>;
             @fragment fn main() -> @location(0) vec4<f32> { log[0] = 1u; return vec4<f32>(); }";
        assert_eq!(interface_of(store), Err(InterfaceError::WritableBuffer("log".to_owned())));
    }
}
