//! What a fragment entry point takes and gives.

use std::collections::BTreeSet;

use naga::{Binding, BuiltIn, ScalarKind, Statement, TypeInner};

use super::varying::{Interpolation, Point, Varying};
use super::{BufferBinding, InterfaceError, buffers_of, each_input, each_output, entry_index};

/// One scalar of a `@location` input.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct InputSlot {
    /// `@location`.
    pub location: u32,
    /// 0 to 3 for x to w.
    pub component: u32,
    /// How it is made.
    pub interpolation: Interpolation,
    /// Where; has no meaning for flat inputs.
    pub point: Point,
}

/// Colour targets a shader can write, from `@location(0)` on: as many as WebGPU has at least (`maxColorAttachments`).
pub const COLOR_TARGETS: usize = 8;

/// What a scalar of the entry point's result is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// A component of `@location(target)`.
    Color {
        /// `@location`.
        target: u32,
        /// 0 to 3 for red to alpha.
        component: u32,
    },
    /// `@builtin(frag_depth)`.
    Depth,
    /// `@builtin(sample_mask)`.
    Mask,
}

/// The interface of one fragment entry point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FragmentInterface {
    /// The declared inputs' scalars, ascending by (location, component): the position in this list is the slot number.
    pub inputs: Vec<InputSlot>,
    /// The same inputs, ascending by location.
    pub varyings: Vec<Varying>,
    /// What the scalars of its result are, in their order.
    pub outputs: Vec<Output>,
    /// What numbers it writes to each colour target: floats, or integers of 32 bits.
    pub color_kinds: [Option<ScalarKind>; COLOR_TARGETS],
    /// The buffers it uses, ascending by (group, binding): the position is the index `resource_range` takes.
    pub buffers: Vec<BufferBinding>,
    /// Whether some path may `discard`.
    pub may_discard: bool,
    /// Whether it reads `@builtin(sample_index)`.
    pub reads_sample_index: bool,
    /// Whether it reads `@builtin(sample_mask)`.
    pub reads_sample_mask: bool,
}

impl FragmentInterface {
    /// Reads the interface of the fragment entry point `entry` of a validated module.
    pub fn of(module: &naga::Module, info: &naga::valid::ModuleInfo, entry: &str) -> Result<Self, InterfaceError> {
        let index = entry_index(module, entry, naga::ShaderStage::Fragment)?;
        let function = &module.entry_points[index].function;
        let usage = info.get_entry_point(index);

        let mut interface = Self { may_discard: may_discard(module, function), ..Self::default() };
        each_input(module, function, &mut |binding, inner, name| interface.add_input(binding, inner, name))?;
        interface.varyings.sort_by_key(|varying| varying.location);
        interface.inputs = interface.varyings.iter().flat_map(Varying::slots).collect();
        each_output(module, function, &mut |binding, inner, name| interface.add_output(binding, inner, name))?;

        interface.buffers = buffers_of(module, usage);
        Ok(interface)
    }

    /// Components written to a colour target; 0 if it is not written. Those that are missing are 0, a missing alpha is 1
    /// (of integers the integer).
    pub fn color_components(&self, target: u32) -> usize {
        self.outputs.iter().filter(|output| matches!(output, Output::Color { target: t, .. } if *t == target)).count()
    }

    /// Whether a colour target gets integers.
    pub fn is_integer(&self, target: u32) -> bool {
        matches!(self.color_kinds[target as usize], Some(ScalarKind::Sint | ScalarKind::Uint))
    }

    /// Bits of a component that the shader does not write.
    pub fn missing_component(&self, target: u32, component: u32) -> u32 {
        match (component, self.is_integer(target)) {
            (3, true) => 1,
            (3, false) => 1.0f32.to_bits(),
            _ => 0,
        }
    }

    /// Whether it writes `@builtin(frag_depth)`.
    pub fn writes_depth(&self) -> bool {
        self.outputs.contains(&Output::Depth)
    }

    /// Whether it writes `@builtin(sample_mask)`.
    pub fn writes_mask(&self) -> bool {
        self.outputs.contains(&Output::Mask)
    }

    /// Whether it may write a buffer.
    pub fn writes_storage(&self) -> bool {
        self.buffers.iter().any(|buffer| buffer.is_written)
    }

    /// Whether it runs once for each covered sample instead of once for each pixel.
    pub fn runs_per_sample(&self) -> bool {
        self.reads_sample_index || self.inputs.iter().any(|input| input.point == Point::Sample)
    }

    /// Whether it has an input that is not taken at the pixel's centre.
    pub fn leaves_the_center(&self) -> bool {
        self.inputs.iter().any(|input| input.point != Point::Center)
    }

    /// The slot of a scalar of a declared input.
    pub fn slot(&self, location: u32, component: u32) -> Option<u32> {
        let place = |slot: &InputSlot| slot.location == location && slot.component == component;
        self.inputs.iter().position(place).map(|slot| slot as u32)
    }

    /// Appends an argument or a member of one.
    fn add_input(&mut self, binding: &Binding, inner: &TypeInner, name: Option<&str>) -> Result<(), InterfaceError> {
        match *binding {
            Binding::BuiltIn(BuiltIn::Position { .. } | BuiltIn::FrontFacing) => {}
            // A subgroup is a quad.
            Binding::BuiltIn(BuiltIn::SubgroupSize | BuiltIn::SubgroupInvocationId) => {}
            Binding::BuiltIn(BuiltIn::SampleIndex) => self.reads_sample_index = true,
            Binding::BuiltIn(BuiltIn::SampleMask) => self.reads_sample_mask = true,
            Binding::BuiltIn(_) => return Err(InterfaceError::BuiltIn(name.unwrap_or("?").to_owned())),
            Binding::Location { location, interpolation, sampling, .. } => {
                let varying = Varying::of(location, inner, interpolation, sampling);
                self.varyings.push(varying.map_err(|what| InterfaceError::Input { location, what })?);
            }
        }
        Ok(())
    }

    /// Appends the scalars of the result or of a member of it.
    fn add_output(&mut self, binding: &Binding, inner: &TypeInner, name: Option<&str>) -> Result<(), InterfaceError> {
        match *binding {
            Binding::Location { location, blend_src, .. } => {
                let (components, scalar) = match *inner {
                    TypeInner::Scalar(scalar) => (1, scalar),
                    TypeInner::Vector { size, scalar } => (size as u32, scalar),
                    _ => return Err(InterfaceError::OutputType { location }),
                };
                if !matches!(scalar.kind, ScalarKind::Float | ScalarKind::Sint | ScalarKind::Uint) || scalar.width != 4
                {
                    return Err(InterfaceError::OutputType { location });
                }
                if location as usize >= COLOR_TARGETS {
                    return Err(InterfaceError::OutputLocation { location });
                }
                if blend_src.is_some() {
                    return Err(InterfaceError::Output(name.unwrap_or("blend_src").to_owned()));
                }
                self.color_kinds[location as usize] = Some(scalar.kind);
                let component = |component| Output::Color { target: location, component };
                self.outputs.extend((0..components).map(component));
            }
            Binding::BuiltIn(BuiltIn::FragDepth) => self.outputs.push(Output::Depth),
            Binding::BuiltIn(BuiltIn::SampleMask) => self.outputs.push(Output::Mask),
            Binding::BuiltIn(_) => return Err(InterfaceError::Output(name.unwrap_or("?").to_owned())),
        }
        Ok(())
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
        let slot =
            |location, component, interpolation| InputSlot { location, component, interpolation, point: Point::Center };
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
        assert_eq!(interface_of(vertex), Err(InterfaceError::NoEntry { stage: "fragment", entry: "main".to_owned() }));
        let ninth = "@fragment fn main() -> @location(8) vec4<f32> { return vec4<f32>(); }";
        assert_eq!(interface_of(ninth), Err(InterfaceError::OutputLocation { location: 8 }));
        let index = "@fragment fn main(@builtin(primitive_index) i: u32) -> @location(0) vec4<f32> { return vec4<f32>(f32(i)); }";
        assert_eq!(
            interface_of(&format!("enable primitive_index; {index}")),
            Err(InterfaceError::BuiltIn("i".to_owned()))
        );
    }

    #[test]
    fn outputs_are_the_results_scalars_in_order() {
        let interface = interface_of(
            "struct Out { @builtin(frag_depth) d: f32, @location(2) c: vec2<f32>, @builtin(sample_mask) m: u32,
                          @location(0) a: f32 }
             @fragment fn main() -> Out { return Out(0.5, vec2<f32>(), 1u, 0.0); }",
        )
        .expect("a supported shader");
        let color = |target, component| Output::Color { target, component };
        assert_eq!(interface.outputs, [Output::Depth, color(2, 0), color(2, 1), Output::Mask, color(0, 0)]);
        assert_eq!([0, 1, 2, 3].map(|target| interface.color_components(target)), [1, 0, 2, 0]);
        assert!(interface.writes_depth() && interface.writes_mask() && !interface.runs_per_sample());
        let nothing = interface_of("@fragment fn main() {}").expect("a shader for depth alone");
        assert_eq!(nothing, FragmentInterface::default());
    }

    #[test]
    fn what_makes_a_shader_run_for_each_sample() {
        let interface = |argument: &str| {
            let source =
                format!("@fragment fn main({argument}) -> @location(0) vec4<f32> {{ return vec4<f32>(f32(a)); }}");
            interface_of(&source).expect("a supported shader")
        };
        assert!(interface("@builtin(sample_index) a: u32").runs_per_sample());
        assert!(interface("@location(0) @interpolate(linear, sample) a: f32").runs_per_sample());
        let centroid = interface("@location(0) @interpolate(perspective, centroid) a: f32");
        assert_eq!((centroid.inputs[0].point, centroid.runs_per_sample()), (Point::Centroid, false));
        assert!(centroid.leaves_the_center());
        let mask = interface("@builtin(sample_mask) a: u32");
        assert!(mask.reads_sample_mask && !mask.runs_per_sample());
    }

    #[test]
    fn writable_buffers_are_told_apart() {
        let interface = interface_of(
            "@group(0) @binding(1) var<storage, read_write> log: array<atomic<u32>>;
             @group(0) @binding(0) var<storage, read> table: array<u32>;
             @fragment fn main() -> @location(0) vec4<f32> { atomicAdd(&log[0], table[1]); return vec4<f32>(); }",
        )
        .expect("a supported shader");
        let found: Vec<_> = interface.buffers.iter().map(|b| (b.name.as_str(), b.is_written)).collect();
        assert_eq!(found, [("table", false), ("log", true)]);
        assert!(interface.writes_storage());
    }
}
