//! Our pipeline state in WebGPU's words.

use raster::{Compare, Cull, Draw, FrontFace, ProvokingVertex, State, Topology};

use super::WgpuError;

/// Topology, culling and winding; `draw` is the draw's number.
pub fn primitive(state: &State, draw: usize) -> Result<wgpu::PrimitiveState, WgpuError> {
    let unsupported = |what| Err(WgpuError::Unsupported { draw, what });
    if state.provoking_vertex == ProvokingVertex::Last {
        return unsupported("last provoking vertex");
    }
    if state.point != Default::default() {
        return unsupported("point state");
    }
    let topology = match state.topology {
        Topology::PointList => wgpu::PrimitiveTopology::PointList,
        Topology::LineList => wgpu::PrimitiveTopology::LineList,
        Topology::LineStrip => wgpu::PrimitiveTopology::LineStrip,
        Topology::TriangleList => wgpu::PrimitiveTopology::TriangleList,
        Topology::TriangleStrip => wgpu::PrimitiveTopology::TriangleStrip,
        Topology::LineLoop => return unsupported("line loop"),
        Topology::TriangleFan => return unsupported("triangle fan"),
    };
    let is_strip = matches!(state.topology, Topology::LineStrip | Topology::TriangleStrip);
    Ok(wgpu::PrimitiveState {
        topology,
        strip_index_format: is_strip.then_some(wgpu::IndexFormat::Uint32),
        front_face: match state.front_face {
            FrontFace::CounterClockwise => wgpu::FrontFace::Ccw,
            FrontFace::Clockwise => wgpu::FrontFace::Cw,
        },
        cull_mode: match state.cull {
            Cull::None => None,
            Cull::Front => Some(wgpu::Face::Front),
            Cull::Back => Some(wgpu::Face::Back),
            Cull::FrontAndBack => return unsupported("culling of both faces"),
        },
        ..Default::default()
    })
}

/// The indices as 32-bit numbers, restarts as all ones.
pub fn indices(draw: &Draw) -> Vec<u32> {
    let mut list = Vec::new();
    draw.indices.append_to(draw.vertex_count, &mut list);
    if let (true, Some(restart)) = (draw.pipeline.state().primitive_restart, draw.indices.restart()) {
        list.iter_mut().filter(|index| **index == restart).for_each(|index| *index = u32::MAX);
    }
    list
}

/// The depth test, and the depth offset of a draw.
pub fn depth_stencil(draw: &Draw, format: wgpu::TextureFormat) -> wgpu::DepthStencilState {
    let state = draw.pipeline.state();
    let offset = draw.dynamic.depth_offset;
    wgpu::DepthStencilState {
        format,
        depth_write_enabled: Some(state.depth.write),
        depth_compare: Some(compare(state.depth.compare)),
        stencil: Default::default(),
        bias: wgpu::DepthBiasState { constant: offset.units as i32, slope_scale: offset.factor, clamp: 0.0 },
    }
}

fn compare(compare: Compare) -> wgpu::CompareFunction {
    match compare {
        Compare::Never => wgpu::CompareFunction::Never,
        Compare::Less => wgpu::CompareFunction::Less,
        Compare::Equal => wgpu::CompareFunction::Equal,
        Compare::LessEqual => wgpu::CompareFunction::LessEqual,
        Compare::Greater => wgpu::CompareFunction::Greater,
        Compare::NotEqual => wgpu::CompareFunction::NotEqual,
        Compare::GreaterEqual => wgpu::CompareFunction::GreaterEqual,
        Compare::Always => wgpu::CompareFunction::Always,
    }
}
