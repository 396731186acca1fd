//! Assembly: indices become points, lines and triangles.
//!
//! Before: `frame`. After: `vertex`, which makes the vertices that are named here.
//! Order and winding are those of Vulkan ("Primitive Topologies"), which glTF and WebGPU share.

use crate::draw::Draw;
use crate::state::{ProvokingVertex, Topology};

/// Fills `list` with the vertex numbers of the draw's primitives, [`Topology::corners`] each. What is left over is dropped.
///
/// Of a triangle the first one is the vertex that gives flat inputs; of a line the order is that in which it is drawn.
pub fn run(draw: &Draw, list: &mut Vec<u32>) {
    let state = draw.pipeline.state();
    list.clear();
    let restart = if state.primitive_restart { draw.indices.restart() } else { None };
    let is_plain = state.topology == Topology::PointList
        || (state.topology == Topology::TriangleList && state.provoking_vertex == ProvokingVertex::First)
        || state.topology == Topology::LineList;
    if is_plain && restart.is_none() {
        draw.indices.append_to(draw.vertex_count, list);
        let whole = list.len() - list.len() % state.topology.corners();
        list.truncate(whole);
        return;
    }
    let mut indices = Vec::new();
    draw.indices.append_to(draw.vertex_count, &mut indices);
    for piece in indices.split(|&index| Some(index) == restart) {
        join(state.topology, state.provoking_vertex, piece, list);
    }
}

/// Appends the primitives of indices between two restarts.
fn join(topology: Topology, provoking: ProvokingVertex, v: &[u32], list: &mut Vec<u32>) {
    let mut triangle = |[a, b, c]: [u32; 3], last: usize| {
        // Turning the three round leaves the winding as it is.
        match (provoking, last) {
            (ProvokingVertex::First, _) => list.extend([a, b, c]),
            (ProvokingVertex::Last, 1) => list.extend([b, c, a]),
            (ProvokingVertex::Last, _) => list.extend([c, a, b]),
        }
    };
    match topology {
        Topology::PointList => list.extend(v),
        Topology::LineList => list.extend(v.as_chunks::<2>().0.as_flattened()),
        Topology::LineStrip => list.extend(v.windows(2).flatten()),
        Topology::LineLoop => {
            list.extend(v.windows(2).flatten());
            if let [first, .., last] = v {
                list.extend([last, first]);
            }
        }
        Topology::TriangleList => v.as_chunks::<3>().0.iter().for_each(|&corners| triangle(corners, 2)),
        Topology::TriangleStrip => {
            for (i, window) in v.windows(3).enumerate() {
                let [a, b, c] = [window[0], window[1], window[2]];
                if i % 2 == 0 { triangle([a, b, c], 2) } else { triangle([a, c, b], 1) }
            }
        }
        Topology::TriangleFan => {
            if let [center, ring @ ..] = v {
                ring.windows(2).for_each(|pair| triangle([pair[0], pair[1], *center], 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(topology: Topology, provoking: ProvokingVertex, count: u32) -> Vec<u32> {
        let mut list = Vec::new();
        join(topology, provoking, &(0..count).collect::<Vec<_>>(), &mut list);
        list
    }

    /// glTF 2.0, section 3.7.2.1, and Vulkan's tables of topologies.
    #[test]
    fn strips_and_fans_wind_like_their_first_triangle() {
        use ProvokingVertex::{First, Last};
        assert_eq!(joined(Topology::TriangleStrip, First, 6), [0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4]);
        for i in 0..4 {
            // p_i = {v_i, v_(i + (1 + i % 2)), v_(i + (2 - i % 2))}
            let strip = joined(Topology::TriangleStrip, First, 6);
            assert_eq!(strip[3 * i..3 * i + 3], [i as u32, (i + 1 + i % 2) as u32, (i + 2 - i % 2) as u32]);
        }
        assert_eq!(joined(Topology::TriangleFan, First, 5), [1, 2, 0, 2, 3, 0, 3, 4, 0]);
        assert_eq!(joined(Topology::TriangleStrip, Last, 5), [2, 0, 1, 3, 2, 1, 4, 2, 3]);
        assert_eq!(joined(Topology::TriangleFan, Last, 4), [2, 0, 1, 3, 0, 2]);
        assert_eq!(joined(Topology::TriangleList, Last, 4), [2, 0, 1]);
    }

    #[test]
    fn lines_run_from_vertex_to_vertex() {
        let lines = |topology, count| joined(topology, ProvokingVertex::First, count);
        assert_eq!(lines(Topology::LineList, 5), [0, 1, 2, 3]);
        assert_eq!(lines(Topology::LineStrip, 4), [0, 1, 1, 2, 2, 3]);
        assert_eq!(lines(Topology::LineLoop, 3), [0, 1, 1, 2, 2, 0]);
        assert_eq!(lines(Topology::LineLoop, 2), [0, 1, 1, 0]);
        assert!(lines(Topology::LineLoop, 1).is_empty());
        assert_eq!(lines(Topology::PointList, 3), [0, 1, 2]);
    }

    #[test]
    fn too_few_vertices_make_nothing() {
        for topology in Topology::ALL {
            for count in 0..topology.corners() as u32 {
                assert!(joined(topology, ProvokingVertex::First, count).is_empty(), "{topology:?} of {count}");
            }
            for count in 0..9 {
                let list = joined(topology, ProvokingVertex::First, count);
                assert_eq!(
                    list.len(),
                    topology.corners() * topology.primitives(count as usize),
                    "{topology:?} of {count}"
                );
            }
        }
    }
}
