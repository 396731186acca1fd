//! What a vertex entry point takes and gives.

use naga::{Binding, BuiltIn, TypeInner};

use super::varying::{NumericType, Varying};
use super::{BufferBinding, InterfaceError, buffers_of, each_input, each_output, entry_index};

/// A `@location` input: what a vertex buffer feeds.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// `@location`.
    pub location: u32,
    /// Its type.
    pub ty: NumericType,
}

/// What a scalar of the entry point's result is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum VertexOutput {
    /// A component of `@builtin(position)`: 0 to 3 for x to w.
    Position(u32),
    /// A component of `@location(location)`.
    Location {
        /// `@location`.
        location: u32,
        /// 0 to 3 for x to w.
        component: u32,
    },
    /// The side of a point in pixels. (WGSL cannot say it; other front ends of naga can.)
    PointSize,
}

/// The interface of one vertex entry point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexInterface {
    /// The declared inputs, ascending by location; the position is the number that kernels and the evaluator know it by.
    pub attributes: Vec<Attribute>,
    /// What the scalars of its result are, in their order.
    pub outputs: Vec<VertexOutput>,
    /// The outputs with a location, ascending.
    pub varyings: Vec<Varying>,
    /// The buffers it reads, ascending by (group, binding): the position is the index `resource_range` takes.
    pub buffers: Vec<BufferBinding>,
}

impl VertexInterface {
    /// Reads the interface of the vertex entry point `entry` of a validated module.
    pub fn of(module: &naga::Module, info: &naga::valid::ModuleInfo, entry: &str) -> Result<Self, InterfaceError> {
        let index = entry_index(module, entry, naga::ShaderStage::Vertex)?;
        let function = &module.entry_points[index].function;
        let mut interface = Self { buffers: buffers_of(module, info.get_entry_point(index)), ..Self::default() };
        if let Some(BufferBinding { group, binding, name, .. }) = interface.buffers.iter().find(|b| b.is_written) {
            let (group, binding, name) = (*group, *binding, name.clone());
            return Err(InterfaceError::VertexWrites { name, group, binding });
        }
        each_input(module, function, &mut |binding, inner, name| interface.add_input(binding, inner, name))?;
        interface.attributes.sort_by_key(|attribute| attribute.location);
        each_output(module, function, &mut |binding, inner, name| interface.add_output(binding, inner, name))?;
        interface.varyings.sort_by_key(|varying| varying.location);
        Ok(interface)
    }

    /// The number of the attribute at a location.
    pub fn attribute(&self, location: u32) -> Option<usize> {
        self.attributes.iter().position(|attribute| attribute.location == location)
    }

    /// Appends an argument or a member of one.
    fn add_input(&mut self, binding: &Binding, inner: &TypeInner, name: Option<&str>) -> Result<(), InterfaceError> {
        match *binding {
            Binding::BuiltIn(BuiltIn::VertexIndex | BuiltIn::InstanceIndex) => {}
            Binding::BuiltIn(_) => return Err(InterfaceError::VertexBuiltIn(name.unwrap_or("?").to_owned())),
            Binding::Location { location, .. } => {
                let ty = NumericType::of(inner).map_err(|what| InterfaceError::Input { location, what })?;
                self.attributes.push(Attribute { location, ty });
            }
        }
        Ok(())
    }

    /// Appends the result or a member of it.
    fn add_output(&mut self, binding: &Binding, inner: &TypeInner, name: Option<&str>) -> Result<(), InterfaceError> {
        match *binding {
            Binding::BuiltIn(BuiltIn::Position { .. }) => self.outputs.extend((0..4).map(VertexOutput::Position)),
            Binding::BuiltIn(BuiltIn::PointSize) => self.outputs.push(VertexOutput::PointSize),
            Binding::BuiltIn(_) => return Err(InterfaceError::VertexBuiltInOutput(name.unwrap_or("?").to_owned())),
            Binding::Location { location, interpolation, sampling, .. } => {
                let varying = Varying::of(location, inner, interpolation, sampling);
                let varying = varying.map_err(|what| InterfaceError::VertexOutput { location, what })?;
                let scalar = |component| VertexOutput::Location { location, component };
                self.outputs.extend((0..varying.ty.components).map(scalar));
                self.varyings.push(varying);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FragmentInterface, NumericKind};
    use super::*;

    fn parsed(source: &str) -> (naga::Module, naga::valid::ModuleInfo) {
        let module = naga::front::wgsl::parse_str(source).expect("the test's WGSL parses");
        let flags = naga::valid::ValidationFlags::all();
        let info = naga::valid::Validator::new(flags, naga::valid::Capabilities::all())
            .validate(&module)
            .expect("the test's WGSL is valid");
        (module, info)
    }

    fn interface_of(source: &str) -> Result<VertexInterface, InterfaceError> {
        let (module, info) = parsed(source);
        VertexInterface::of(&module, &info, "main")
    }

    #[test]
    fn attributes_ascend_and_outputs_keep_their_order() {
        let interface = interface_of(
            "struct In { @location(5) color: vec3<f32>, @builtin(vertex_index) v: u32, @location(2) id: u32 }
             struct Out { @location(3) @interpolate(flat) id: u32, @builtin(position) p: vec4<f32>,
                          @location(0) @interpolate(perspective, centroid) uv: vec2<f32> }
             @vertex fn main(in: In, @location(0) at: vec2<i32>) -> Out {
                 return Out(in.id, vec4<f32>(in.color, f32(in.v)), vec2<f32>(at)); }",
        )
        .expect("a supported shader");
        let attribute = |location, kind, components| Attribute { location, ty: NumericType { kind, components } };
        assert_eq!(
            interface.attributes,
            [
                attribute(0, NumericKind::Sint, 2),
                attribute(2, NumericKind::Uint, 1),
                attribute(5, NumericKind::Float, 3),
            ]
        );
        assert_eq!((interface.attribute(5), interface.attribute(1)), (Some(2), None));
        let location = |location, component| VertexOutput::Location { location, component };
        let mut outputs = vec![location(3, 0)];
        outputs.extend((0..4).map(VertexOutput::Position));
        outputs.extend([location(0, 0), location(0, 1)]);
        assert_eq!(interface.outputs, outputs);
        assert_eq!(interface.varyings.iter().map(|varying| varying.location).collect::<Vec<_>>(), [0, 3]);
    }

    #[test]
    fn what_no_vertex_has_is_refused_by_name() {
        let writes = interface_of(
            "@group(1) @binding(2) var<storage, read_write> log: array<u32>;
             @vertex fn main() -> @builtin(position) vec4<f32> { log[0] = 1u; return vec4<f32>(); }",
        );
        let expected = "`log` at group 1, binding 2 is writable; a vertex shader may only read buffers";
        assert_eq!(writes.expect_err("it writes").to_string(), expected);
        let fragment = interface_of("@fragment fn main() {}");
        assert_eq!(fragment.expect_err("another stage").to_string(), "there is no vertex entry point `main`");
        let layered = interface_of(
            "struct Out { @builtin(position) p: vec4<f32>, @builtin(clip_distances) d: array<f32, 1> }
             @vertex fn main() -> Out { return Out(); }"
                .replace("struct Out", "enable clip_distances; struct Out")
                .as_str(),
        );
        let expected = "output `d` is not taken; a vertex shader here may write `position`, a point size and locations";
        assert_eq!(layered.expect_err("clip distances").to_string(), expected);
    }

    #[test]
    fn the_stages_must_agree_on_every_location_that_is_read() {
        let check = |written: &str, read: &str, but| {
            let source = format!(
                "struct Out {{ @builtin(position) p: vec4<f32>, @location(7) extra: f32, {written} }}
                 @vertex fn v() -> Out {{ return Out(); }}
                 @fragment fn f({read}) {{ }}"
            );
            let (module, info) = parsed(&source);
            let vertex = VertexInterface::of(&module, &info, "v").expect("a supported shader");
            let fragment = FragmentInterface::of(&module, &info, "f").expect("a supported shader");
            fragment.check_vertex(&vertex, but).map_err(|error| error.to_string())
        };
        let same = "@location(1) @interpolate(linear, centroid) a: vec2<f32>";
        assert_eq!(check(same, same, None), Ok(()));
        assert_eq!(check(same, "", None), Ok(()), "a vertex shader may write more");
        let refused = |written: &str| {
            Err(format!(
                "the fragment shader reads location 1 as vec2<f32> (linear, centroid), the vertex shader {written}"
            ))
        };
        assert_eq!(check("", same, None), refused("does not write it"));
        assert_eq!(check("", same, Some(1)), Ok(()), "point coordinates are not the vertex shader's");
        let wider = "@location(1) @interpolate(linear, centroid) a: vec3<f32>";
        assert_eq!(check(wider, same, None), refused("writes vec3<f32> (linear, centroid)"));
        let elsewhere = "@location(1) @interpolate(linear) a: vec2<f32>";
        assert_eq!(check(elsewhere, same, None), refused("writes vec2<f32> (linear)"));
        let perspective = "@location(1) a: vec2<f32>";
        assert_eq!(check(perspective, same, None), refused("writes vec2<f32> (perspective)"));
        let integers = "@location(1) @interpolate(flat) a: vec2<u32>";
        assert_eq!(check(integers, same, None), refused("writes vec2<u32> (flat)"));
        let signed = "@location(1) @interpolate(flat) a: vec2<i32>";
        let expected =
            "the fragment shader reads location 1 as vec2<i32> (flat), the vertex shader writes vec2<u32> (flat)";
        assert_eq!(check(integers, signed, None), Err(expected.to_owned()));
    }
}
