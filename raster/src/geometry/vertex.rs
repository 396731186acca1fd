//! The vertex stage: runs a draw's closure once for each vertex.
//!
//! Before: `frame`. After: `assemble`, which picks three vertices a triangle.

use rayon::prelude::*;

use crate::vertex::Vertex;

/// Vertices that make it worth while to wake another thread.
const PARALLEL_FROM: u32 = 4096;

/// Runs the vertex shader for vertices 0 to `count`; `vertices` is emptied first and keeps its memory.
pub fn run(shader: &(dyn Fn(u32) -> Vertex + Send + Sync), count: u32, vertices: &mut Vec<Vertex>) {
    vertices.clear();
    if count < PARALLEL_FROM {
        vertices.extend((0..count).map(shader));
    } else {
        (0..count).into_par_iter().map(shader).collect_into_vec(vertices);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec4;

    #[test]
    fn many_threads_give_what_one_gives() {
        let shader = |index: u32| Vertex::at(Vec4::splat(index as f32)).with(1, index);
        let (mut few, mut many) = (Vec::new(), Vec::new());
        run(&shader, 10, &mut few);
        run(&shader, PARALLEL_FROM + 1000, &mut many);
        assert_eq!(few.len(), 10);
        assert_eq!(many.len(), PARALLEL_FROM as usize + 1000);
        assert_eq!(few, many[..10]);
        assert_eq!(many[5000], shader(5000));
    }
}
