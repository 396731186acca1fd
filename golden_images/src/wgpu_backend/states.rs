//! Our pipeline state in WebGPU's words.

use raster::{Compare, Cull, FrontFace, State};

/// Topology, culling and winding.
pub fn primitive(state: &State) -> wgpu::PrimitiveState {
    wgpu::PrimitiveState {
        // Strips, fans and loops are taken apart before: WebGPU has not all of them.
        topology: match state.topology.corners() {
            1 => wgpu::PrimitiveTopology::PointList,
            2 => wgpu::PrimitiveTopology::LineList,
            _ => wgpu::PrimitiveTopology::TriangleList,
        },
        front_face: match state.front_face {
            FrontFace::CounterClockwise => wgpu::FrontFace::Ccw,
            FrontFace::Clockwise => wgpu::FrontFace::Cw,
        },
        cull_mode: match state.cull {
            // What drops both faces draws no triangle, so it does not come here.
            Cull::None | Cull::FrontAndBack => None,
            Cull::Front => Some(wgpu::Face::Front),
            Cull::Back => Some(wgpu::Face::Back),
        },
        ..Default::default()
    }
}

/// The depth test.
pub fn depth_stencil(state: &State, format: wgpu::TextureFormat) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format,
        depth_write_enabled: Some(state.depth.write),
        depth_compare: Some(compare(state.depth.compare)),
        stencil: Default::default(),
        bias: Default::default(),
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
