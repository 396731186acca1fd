//! A WGSL vertex shader with its buffers, as the driver takes them.
//!
//! Before: a draw with a vertex program. After: the pipeline; here the driver's own vertex stage fetches and shades.

use raster::{StepMode, VertexFormat, VertexProgram};

/// The layouts' attributes, buffer by buffer.
pub fn attributes(program: &VertexProgram) -> Vec<Vec<wgpu::VertexAttribute>> {
    let of_layout = |layout: &raster::VertexBufferLayout| {
        let attribute = |attribute: &raster::VertexAttribute| wgpu::VertexAttribute {
            format: format(attribute.format),
            offset: attribute.offset.into(),
            shader_location: attribute.location,
        };
        layout.attributes.iter().map(attribute).collect()
    };
    program.layouts().iter().map(of_layout).collect()
}

/// The layouts over these attributes.
pub fn layouts<'a>(
    program: &VertexProgram,
    attributes: &'a [Vec<wgpu::VertexAttribute>],
) -> Vec<wgpu::VertexBufferLayout<'a>> {
    let layouts = program.layouts().iter().zip(attributes);
    layouts
        .map(|(layout, attributes)| wgpu::VertexBufferLayout {
            array_stride: layout.stride.into(),
            step_mode: match layout.step {
                StepMode::Vertex => wgpu::VertexStepMode::Vertex,
                StepMode::Instance => wgpu::VertexStepMode::Instance,
            },
            attributes,
        })
        .collect()
}

macro_rules! formats {
    ($($ours:ident $theirs:ident),*) => {
        /// WebGPU's name of a format.
        fn format(format: VertexFormat) -> wgpu::VertexFormat {
            match format { $(VertexFormat::$ours => wgpu::VertexFormat::$theirs),* }
        }
    };
}

formats! {
    Uint8 Uint8, Uint8x2 Uint8x2, Uint8x4 Uint8x4, Sint8 Sint8, Sint8x2 Sint8x2, Sint8x4 Sint8x4,
    Unorm8 Unorm8, Unorm8x2 Unorm8x2, Unorm8x4 Unorm8x4, Snorm8 Snorm8, Snorm8x2 Snorm8x2, Snorm8x4 Snorm8x4,
    Uint16 Uint16, Uint16x2 Uint16x2, Uint16x4 Uint16x4, Sint16 Sint16, Sint16x2 Sint16x2, Sint16x4 Sint16x4,
    Unorm16 Unorm16, Unorm16x2 Unorm16x2, Unorm16x4 Unorm16x4,
    Snorm16 Snorm16, Snorm16x2 Snorm16x2, Snorm16x4 Snorm16x4,
    Float16 Float16, Float16x2 Float16x2, Float16x4 Float16x4,
    Float32 Float32, Float32x2 Float32x2, Float32x3 Float32x3, Float32x4 Float32x4,
    Uint32 Uint32, Uint32x2 Uint32x2, Uint32x3 Uint32x3, Uint32x4 Uint32x4,
    Sint32 Sint32, Sint32x2 Sint32x2, Sint32x3 Sint32x3, Sint32x4 Sint32x4,
    Unorm10x3Unorm2 Unorm10_10_10_2, Unorm8x4Bgra Unorm8x4Bgra
}
