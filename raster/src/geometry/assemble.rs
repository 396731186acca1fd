//! Assembly: indices become triangles, three by three.
//!
//! Before: `vertex`. After: `clip`.

use crate::frame::{Draw, RenderError};

/// Refuses a list that is not whole triangles, or that names a vertex the draw does not have.
pub fn check(draw_index: usize, draw: &Draw) -> Result<(), RenderError> {
    let count = draw.indices.len();
    if !count.is_multiple_of(3) {
        return Err(RenderError::IndexCount { draw: draw_index, count });
    }
    match draw.indices.iter().position(|&index| index >= draw.vertex_count) {
        None => Ok(()),
        Some(position) => Err(RenderError::IndexOutOfRange {
            draw: draw_index,
            position,
            index: draw.indices[position],
            vertex_count: draw.vertex_count,
        }),
    }
}
