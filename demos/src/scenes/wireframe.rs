//! A mesh as lines, each edge once. A body in the colour of the background, moved back by a depth offset, hides the lines
//! behind it.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};
use raster::{
    Bindings, Buffer, Clear, DepthOffset, DepthState, Draw, Dynamic, Frame, Pipeline, State, Topology, Vertex,
};
use texture::Image;

use crate::camera::Camera;
use crate::scenes::surface::{FLAT_SHADER, Surface, SurfaceError};
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::{Corner, Shape};

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "wireframe",
    about: "a torus knot as lines, those behind it hidden by a body with a depth offset",
    is_filtered: false,
    make: |texture| Ok(Box::new(Wireframe::new(texture)?)),
};

/// Radians a second.
const TURN: f32 = 0.4;
/// The background and the body; near lines and far ones.
const DARK: [f32; 4] = [0.03, 0.04, 0.07, 1.0];
const NEAR: Vec4 = Vec4::new(0.55, 1.0, 0.85, 1.0);
const FAR: Vec4 = Vec4::new(0.05, 0.2, 0.35, 1.0);

struct Wireframe {
    body: Surface,
    lines: Pipeline,
    corners: Arc<[Corner]>,
    edges: Arc<[u32]>,
}

/// Both ends of each edge of a shape, each edge once.
fn edges(shape: &Shape) -> Vec<u32> {
    let mut edges = BTreeSet::new();
    for corners in shape.indices.chunks_exact(3) {
        for side in 0..3 {
            let (a, b) = (corners[side], corners[(side + 1) % 3]);
            edges.insert([a.min(b), a.max(b)]);
        }
    }
    edges.into_iter().flatten().collect()
}

impl Wireframe {
    fn new(_: Option<&Image>) -> Result<Self, SurfaceError> {
        let shape = Shape::torus_knot(0.34, 120, 10, Vec2::ONE);
        let body = Pipeline::new("flat.wgsl", FLAT_SHADER, "all_one", State::SOLID)?;
        let state = State { topology: Topology::LineList, depth: DepthState::LESS_EQUAL_WRITE, ..State::FLAT };
        Ok(Self {
            body: Surface::of(&shape, &body)?,
            lines: Pipeline::new("flat.wgsl", FLAT_SHADER, "by_vertex", state)?,
            edges: edges(&shape).into(),
            corners: shape.corners.into(),
        })
    }
}

impl Scene for Wireframe {
    fn camera(&self) -> Camera {
        Camera { pitch: 0.75, ..Camera::at_distance(4.4) }
    }

    fn frame(&self, view: &View) -> Frame {
        let model = Mat4::from_rotation_y(view.time * TURN);
        let see = view.view_projection();
        let tint = |color: [f32; 4]| Bindings::new().with(0, 0, &Buffer::from_value(&color));
        let back = Dynamic { depth_offset: DepthOffset { factor: 1.0, units: 16.0 }, ..Dynamic::DEFAULT };
        let body = self.body.draw_with(model, see, tint(DARK)).with_dynamic(back);
        let (corners, eye, middle) = (Arc::clone(&self.corners), view.camera.eye(), view.camera.distance);
        let vertex = move |index: u32| {
            let place: Vec3 = model.transform_point3(corners[index as usize].position);
            let near = (0.5 + (middle - place.distance(eye)) * 0.3).clamp(0.0, 1.0);
            Vertex::at(see * place.extend(1.0)).with(2, FAR + (NEAR - FAR) * near)
        };
        let count = self.corners.len() as u32;
        let lines = Draw::indexed(&self.lines, count, Arc::clone(&self.edges), vertex).with_bindings(tint([1.0; 4]));
        let clear = Clear::to(DARK);
        Frame::new(view.width, view.height, clear, vec![body, lines])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_is_there_once() {
        // Twelve edges of its own for each side: a square and its diagonal, corners not shared between sides.
        assert_eq!(edges(&Shape::cube()).len(), 2 * 6 * 5);
    }
}
