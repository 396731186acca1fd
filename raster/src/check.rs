//! What is refused before anything is drawn.
//!
//! Before: `frame`. After: a backend, which asks this first; so a frame that is refused leaves its target as it was.
//! (What a shader binds is checked beside it, by `bound`.)

use crate::draw::Draw;
use crate::frame::{Frame, RenderError};
use crate::state::Topology;

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
