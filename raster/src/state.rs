//! Pipeline state: plain data with good names for the common cases.
//!
//! Before: nothing; a scene writes these values down. After: `pipeline`, which joins them with a shader, then
//! `geometry` (culling) and the two rasterizers (depth test).
//! The meaning of every value is WebGPU's (`GPUPrimitiveState`, `GPUDepthStencilState`).

mod compare;
mod culling;
mod depth;
mod primitive;

pub use compare::Compare;
pub use culling::{Cull, FrontFace};
pub use depth::DepthState;
pub use primitive::{PointRule, PointShape, PointState, ProvokingVertex, Topology};

/// The state of a pipeline beside its shader.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Which triangles are thrown away.
    pub cull: Cull,
    /// What the front is.
    pub front_face: FrontFace,
    /// What the vertices are joined to.
    pub topology: Topology,
    /// Whether an index of all ones ends a primitive, and the next one begins anew.
    pub primitive_restart: bool,
    /// Which vertex gives flat inputs.
    pub provoking_vertex: ProvokingVertex,
    /// How points are drawn.
    pub point: PointState,
    /// The depth test.
    pub depth: DepthState,
}

impl State {
    /// Both sides, no depth: for flat pictures.
    pub const FLAT: Self = Self {
        cull: Cull::None,
        front_face: FrontFace::CounterClockwise,
        topology: Topology::TriangleList,
        primitive_restart: false,
        provoking_vertex: ProvokingVertex::First,
        point: PointState::SQUARE,
        depth: DepthState::OFF,
    };
    /// Back faces dropped, the nearest fragment wins: for closed models.
    pub const SOLID: Self = Self { cull: Cull::Back, depth: DepthState::LESS_WRITE, ..Self::FLAT };
}
