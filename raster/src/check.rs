//! What is refused before anything is drawn.
//!
//! Before: `frame`. After: a backend, which asks this first; so a frame that is refused leaves its target as it was.
//! (What a shader binds is checked beside it, by `bound`.)

use crate::draw::{Draw, VertexStage};
use crate::frame::{Frame, RenderError};
use crate::state::Topology;
use crate::vertex_program::{StepMode, VertexCall};
use crate::vertex_stage_error::{MOST_SHADED, VertexStageError};

/// Refuses a frame of which a draw has values without meaning, half a primitive, or an index that names no vertex.
pub fn check(frame: &Frame) -> Result<(), RenderError> {
    frame.draws.iter().enumerate().try_for_each(|(index, draw)| check_draw(index, draw))
}

/// Refuses one draw; `index` is its place in the frame.
pub fn check_draw(index: usize, draw: &Draw) -> Result<(), RenderError> {
    draw.dynamic.check().map_err(|cause| RenderError::Dynamic { draw: index, cause })?;
    let (first, instances) = (draw.first_instance, draw.instance_count);
    if first.checked_add(instances).is_none() {
        return Err(RenderError::Instances { draw: index, first, count: instances });
    }
    check_vertices(draw).map_err(|cause| RenderError::Vertices { draw: index, cause })?;
    let state = draw.pipeline.state();
    let count = draw.indices.count(draw.vertex_count);
    let list = match state.topology {
        Topology::LineList => Some(("line list", 2)),
        Topology::TriangleList => Some(("triangle list", 3)),
        _ => None,
    };
    let restart = if state.primitive_restart { draw.indices.restart() } else { None };
    // Where restarts are, each piece may have a rest, which is dropped.
    if let (Some((list, corners)), None) = (list, restart)
        && !count.is_multiple_of(corners)
    {
        let what = if draw.indices.restart().is_some() { "indices" } else { "vertices" };
        return Err(RenderError::IndexCount { draw: index, count, what, list, corners });
    }
    match draw.indices.out_of_range(draw.vertex_count, restart) {
        None => Ok(()),
        Some((position, value)) => {
            Err(RenderError::IndexOutOfRange { draw: index, position, index: value, vertex_count: draw.vertex_count })
        }
    }
}

/// At most so many vertices are made for all instances of a draw.
pub fn most_vertices(draw: &Draw) -> u64 {
    let named = (draw.indices.count(draw.vertex_count) as u64).min(draw.vertex_count.into());
    named * u64::from(draw.instance_count)
}

/// Refuses a vertex program that does not fit the fragment shader or the draw's buffers. Every index is below the number of
/// vertices, so no vertex is fetched from beyond its buffer.
fn check_vertices(draw: &Draw) -> Result<(), VertexStageError> {
    let (first, count) = (draw.first_vertex, draw.vertex_count);
    if first.checked_add(count).is_none() {
        return Err(VertexStageError::First { first, count });
    }
    let VertexStage::Program(VertexCall { program, buffers }) = &draw.vertex_stage else { return Ok(()) };
    let state = draw.pipeline.state();
    let sprite = if state.topology == Topology::PointList { state.point.sprite } else { None };
    draw.pipeline.interface().check_vertex(program.interface(), sprite)?;
    let vertices = most_vertices(draw);
    if vertices > MOST_SHADED {
        return Err(VertexStageError::TooMany { count: vertices });
    }
    for (slot, layout) in program.layouts().iter().enumerate() {
        let Some(Some((buffer, offset))) = buffers.get(slot) else { return Err(VertexStageError::NoBuffer { slot }) };
        if !offset.is_multiple_of(4) {
            return Err(VertexStageError::Offset { slot, offset: *offset });
        }
        let (what, elements) = match layout.step {
            StepMode::Vertex => ("vertices", u64::from(first) + u64::from(count)),
            StepMode::Instance => ("instances", u64::from(draw.first_instance) + u64::from(draw.instance_count)),
        };
        let bytes = (buffer.bytes().len() as u64).saturating_sub((*offset).into());
        let needed = layout.bytes_of(elements);
        if vertices > 0 && bytes < needed {
            return Err(VertexStageError::BufferTooSmall { slot, bytes, elements, what, needed });
        }
    }
    Ok(())
}
