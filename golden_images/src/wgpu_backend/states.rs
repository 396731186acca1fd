//! Our pipeline state in WebGPU's words.

use raster::state::{
    BlendComponent, BlendFactor, BlendOperation, ColorTarget, FogMode, StencilFace, StencilOperation, StencilState,
};
use raster::{ColorFormat, Compare, Cull, DepthFormat, Draw, FrontFace, ProvokingVertex, State, Topology};

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

/// Depth and stencil tests, and the depth offset of a draw; `index` is the draw's number.
pub fn depth_stencil(draw: &Draw, index: usize) -> Result<wgpu::DepthStencilState, WgpuError> {
    let state = draw.pipeline.state();
    let StencilState { front, back } = state.stencil;
    let unsupported = |what| Err(WgpuError::Unsupported { draw: index, what });
    if (front.read_mask, front.write_mask) != (back.read_mask, back.write_mask) {
        return unsupported("stencil masks by face");
    }
    let [reference, of_backs] = draw.dynamic.constants.stencil_reference;
    if reference != of_backs {
        return unsupported("stencil reference by face");
    }
    let offset = draw.dynamic.depth_offset;
    Ok(wgpu::DepthStencilState {
        format: depth_format(state.depth_format),
        depth_write_enabled: Some(state.depth.write),
        depth_compare: Some(compare(state.depth.compare)),
        stencil: wgpu::StencilState {
            front: stencil_face(front),
            back: stencil_face(back),
            read_mask: front.read_mask.into(),
            write_mask: front.write_mask.into(),
        },
        bias: wgpu::DepthBiasState { constant: offset.units as i32, slope_scale: offset.factor, clamp: 0.0 },
    })
}

fn stencil_face(face: StencilFace) -> wgpu::StencilFaceState {
    let operation = |operation| match operation {
        StencilOperation::Keep => wgpu::StencilOperation::Keep,
        StencilOperation::Zero => wgpu::StencilOperation::Zero,
        StencilOperation::Replace => wgpu::StencilOperation::Replace,
        StencilOperation::IncrementClamp => wgpu::StencilOperation::IncrementClamp,
        StencilOperation::DecrementClamp => wgpu::StencilOperation::DecrementClamp,
        StencilOperation::Invert => wgpu::StencilOperation::Invert,
        StencilOperation::IncrementWrap => wgpu::StencilOperation::IncrementWrap,
        StencilOperation::DecrementWrap => wgpu::StencilOperation::DecrementWrap,
    };
    wgpu::StencilFaceState {
        compare: compare(face.compare),
        fail_op: operation(face.fail),
        depth_fail_op: operation(face.depth_fail),
        pass_op: operation(face.pass),
    }
}

/// Format, blending and mask of the first colour target; `index` is the draw's number.
pub fn color_target(state: &State, index: usize) -> Result<wgpu::ColorTargetState, WgpuError> {
    let unsupported = |what| Err(WgpuError::Unsupported { draw: index, what });
    if state.alpha_test != Compare::Always {
        return unsupported("alpha test");
    }
    if state.fog.mode != FogMode::Off {
        return unsupported("fog");
    }
    if state.logic.is_some() {
        return unsupported("logic operation");
    }
    let ColorTarget { format, blend, mask } = state.targets[0];
    // WebGPU wants to hear that minimum and maximum take no factors.
    let factor = |component: BlendComponent, factor| match component.operation {
        BlendOperation::Min | BlendOperation::Max => wgpu::BlendFactor::One,
        _ => blend_factor(factor),
    };
    let component = |component: BlendComponent| wgpu::BlendComponent {
        src_factor: factor(component, component.source),
        dst_factor: factor(component, component.destination),
        operation: match component.operation {
            BlendOperation::Add => wgpu::BlendOperation::Add,
            BlendOperation::Subtract => wgpu::BlendOperation::Subtract,
            BlendOperation::ReverseSubtract => wgpu::BlendOperation::ReverseSubtract,
            BlendOperation::Min => wgpu::BlendOperation::Min,
            BlendOperation::Max => wgpu::BlendOperation::Max,
        },
    };
    let of_alpha = [BlendFactor::ConstantAlpha, BlendFactor::OneMinusConstantAlpha];
    if of_alpha.contains(&blend.color.source) || of_alpha.contains(&blend.color.destination) {
        return unsupported("constant alpha as a factor of colours");
    }
    let mut write_mask = wgpu::ColorWrites::empty();
    write_mask.set(wgpu::ColorWrites::RED, mask.red);
    write_mask.set(wgpu::ColorWrites::GREEN, mask.green);
    write_mask.set(wgpu::ColorWrites::BLUE, mask.blue);
    write_mask.set(wgpu::ColorWrites::ALPHA, mask.alpha);
    Ok(wgpu::ColorTargetState {
        format: color_format(format),
        blend: blend
            .is_used()
            .then(|| wgpu::BlendState { color: component(blend.color), alpha: component(blend.alpha) }),
        write_mask,
    })
}

fn blend_factor(factor: BlendFactor) -> wgpu::BlendFactor {
    match factor {
        BlendFactor::Zero => wgpu::BlendFactor::Zero,
        BlendFactor::One => wgpu::BlendFactor::One,
        BlendFactor::Source => wgpu::BlendFactor::Src,
        BlendFactor::OneMinusSource => wgpu::BlendFactor::OneMinusSrc,
        BlendFactor::SourceAlpha => wgpu::BlendFactor::SrcAlpha,
        BlendFactor::OneMinusSourceAlpha => wgpu::BlendFactor::OneMinusSrcAlpha,
        BlendFactor::Destination => wgpu::BlendFactor::Dst,
        BlendFactor::OneMinusDestination => wgpu::BlendFactor::OneMinusDst,
        BlendFactor::DestinationAlpha => wgpu::BlendFactor::DstAlpha,
        BlendFactor::OneMinusDestinationAlpha => wgpu::BlendFactor::OneMinusDstAlpha,
        // Of alpha the two are the same; as factors of colours they are refused.
        BlendFactor::Constant | BlendFactor::ConstantAlpha => wgpu::BlendFactor::Constant,
        BlendFactor::OneMinusConstant | BlendFactor::OneMinusConstantAlpha => wgpu::BlendFactor::OneMinusConstant,
        BlendFactor::SourceAlphaSaturated => wgpu::BlendFactor::SrcAlphaSaturated,
    }
}

/// The format of a colour target.
pub fn color_format(format: ColorFormat) -> wgpu::TextureFormat {
    match format {
        ColorFormat::Rgba8 => wgpu::TextureFormat::Rgba8Unorm,
        ColorFormat::Rgba8Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
        ColorFormat::Rgba8Uint => wgpu::TextureFormat::Rgba8Uint,
        ColorFormat::Rgba8Sint => wgpu::TextureFormat::Rgba8Sint,
        ColorFormat::R32Uint => wgpu::TextureFormat::R32Uint,
        ColorFormat::R32Sint => wgpu::TextureFormat::R32Sint,
    }
}

/// The format of a depth target.
pub fn depth_format(format: DepthFormat) -> wgpu::TextureFormat {
    match format {
        DepthFormat::Depth16 => wgpu::TextureFormat::Depth16Unorm,
        DepthFormat::Depth24Stencil8 => wgpu::TextureFormat::Depth24PlusStencil8,
        DepthFormat::Depth32Float => wgpu::TextureFormat::Depth32Float,
        DepthFormat::Depth32FloatStencil8 => wgpu::TextureFormat::Depth32FloatStencil8,
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
