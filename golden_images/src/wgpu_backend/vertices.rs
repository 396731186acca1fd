//! What our vertex stage gives, as a vertex buffer, and a vertex shader that hands it on.
//!
//! Before: a draw, whose closure is run here. After: the pipeline. Every scalar travels as its bits, so that flat integers
//! and NaNs arrive as they are.

use std::fmt::Write;

use naga::{Binding, ScalarKind, TypeInner};
use raster::{Draw, VertexShader};
use shaders::front_end::Module;

/// One `@location` input of the fragment shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    location: u32,
    /// `f32`, `i32` or `u32`.
    scalar: &'static str,
    components: usize,
    /// `@interpolate(…) `, or nothing.
    interpolation: String,
}

/// The inputs of the entry point of a selected module, in no particular order.
pub fn inputs(module: &Module) -> Vec<Input> {
    let mut found = Vec::new();
    for argument in &module.entry_point().function.arguments {
        add(module, argument.ty, argument.binding.as_ref(), &mut found);
    }
    found
}

fn add(module: &Module, ty: naga::Handle<naga::Type>, binding: Option<&Binding>, found: &mut Vec<Input>) {
    let inner = &module.naga.types[ty].inner;
    let (location, interpolation, sampling) = match (binding, inner) {
        (Some(Binding::Location { location, interpolation, sampling, .. }), _) => {
            (*location, *interpolation, *sampling)
        }
        (None, TypeInner::Struct { members, .. }) => {
            return members.iter().for_each(|member| add(module, member.ty, member.binding.as_ref(), found));
        }
        _ => return,
    };
    let (scalar, components) = match inner {
        TypeInner::Vector { size, scalar } => (scalar, *size as usize),
        TypeInner::Scalar(scalar) => (scalar, 1),
        other => unreachable!("the interface admits scalars and vectors only, not {other:?}"),
    };
    let scalar = match scalar.kind {
        ScalarKind::Sint => "i32",
        ScalarKind::Uint => "u32",
        _ => "f32",
    };
    // naga writes the defaults of floats out, and wants both sides to say the same.
    let sampling = match sampling {
        Some(naga::Sampling::Center) => ", center",
        Some(naga::Sampling::Centroid) => ", centroid",
        Some(naga::Sampling::Sample) => ", sample",
        Some(naga::Sampling::First) => ", first",
        Some(naga::Sampling::Either) => ", either",
        None => "",
    };
    let interpolation = match interpolation {
        Some(naga::Interpolation::Flat) => format!("@interpolate(flat{sampling}) "),
        Some(naga::Interpolation::Linear) => format!("@interpolate(linear{sampling}) "),
        Some(_) => format!("@interpolate(perspective{sampling}) "),
        None => String::new(),
    };
    found.push(Input { location, scalar, components, interpolation });
}

/// A vertex shader that gives a position and these inputs.
pub fn shader(inputs: &[Input]) -> String {
    let mut members = String::new();
    let mut arguments = String::from("@location(0) position: vec4<u32>");
    let mut values = String::from("bitcast<vec4<f32>>(position)");
    for (index, input) in inputs.iter().enumerate() {
        let Input { location, scalar, components, interpolation } = input;
        let (ty, swizzle) = match components {
            1 => ((*scalar).to_owned(), ".x"),
            2 => (format!("vec2<{scalar}>"), ".xy"),
            3 => (format!("vec3<{scalar}>"), ".xyz"),
            _ => (format!("vec4<{scalar}>"), ""),
        };
        let written = writeln!(members, "@location({location}) {interpolation}v{index}: {ty},")
            .and_then(|()| write!(arguments, ", @location({}) a{index}: vec4<u32>", index + 1))
            .and_then(|()| write!(values, ", bitcast<{ty}>(a{index}{swizzle})"));
        written.expect("a String takes everything");
    }
    format!(
        "struct Out {{ @builtin(position) position: vec4<f32>,\n{members} }}\n\
         @vertex fn vertex_main({arguments}) -> Out {{ return Out({values}); }}\n"
    )
}

/// Four words for the position and for each input.
pub fn attributes(inputs: &[Input]) -> Vec<wgpu::VertexAttribute> {
    (0..=inputs.len() as u32)
        .map(|index| wgpu::VertexAttribute {
            format: wgpu::VertexFormat::Uint32x4,
            offset: u64::from(index) * 16,
            shader_location: index,
        })
        .collect()
}

/// Bytes from one vertex to the next.
pub fn stride(inputs: &[Input]) -> u64 {
    (inputs.len() as u64 + 1) * 16
}

/// The vertices of a draw, instance after instance.
pub fn data(draw: &Draw, vertex_shader: &VertexShader, inputs: &[Input]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for instance in draw.first_instance..draw.first_instance + draw.instance_count {
        for index in 0..draw.vertex_count {
            let vertex = vertex_shader(draw.first_vertex + index, instance);
            bytes.extend_from_slice(bytemuck::bytes_of(&vertex.position.to_array()));
            for input in inputs {
                bytes.extend_from_slice(bytemuck::bytes_of(&vertex.locations[input.location as usize]));
            }
        }
    }
    bytes
}
