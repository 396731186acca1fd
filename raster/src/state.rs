//! Pipeline state: plain data with good names for the common cases.
//!
//! Before: nothing; a scene writes these values down. After: `pipeline`, which joins them with a shader, then
//! `geometry` (culling) and the two rasterizers (depth test).
//! The meaning of every value is WebGPU's (`GPUPrimitiveState`, `GPUDepthStencilState`).

mod primitive;

pub use primitive::{PointRule, PointShape, PointState, ProvokingVertex, Topology};

/// Which triangles are thrown away by the side they show.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cull {
    /// Both sides are drawn.
    #[default]
    None,
    /// Triangles that show their front are dropped.
    Front,
    /// Triangles that show their back are dropped.
    Back,
}

/// Which turn of the vertices, as seen on the screen, is the front of a triangle.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum FrontFace {
    /// The first, second and third vertex turn against the clock.
    #[default]
    CounterClockwise,
    /// The first, second and third vertex turn with the clock.
    Clockwise,
}

/// How an incoming depth is compared with the stored one: the test passes when `incoming ? stored` holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// Never passes.
    Never,
    /// incoming < stored.
    Less,
    /// incoming = stored.
    Equal,
    /// incoming ≤ stored.
    LessEqual,
    /// incoming > stored.
    Greater,
    /// incoming ≠ stored.
    NotEqual,
    /// incoming ≥ stored.
    GreaterEqual,
    /// Always passes.
    Always,
}

impl Compare {
    /// All eight, in the order of their codes.
    pub const ALL: [Self; 8] = [
        Self::Never,
        Self::Less,
        Self::Equal,
        Self::LessEqual,
        Self::Greater,
        Self::NotEqual,
        Self::GreaterEqual,
        Self::Always,
    ];

    /// Whether `incoming` passes against `stored`.
    pub const fn passes(self, incoming: u32, stored: u32) -> bool {
        match self {
            Self::Never => false,
            Self::Less => incoming < stored,
            Self::Equal => incoming == stored,
            Self::LessEqual => incoming <= stored,
            Self::Greater => incoming > stored,
            Self::NotEqual => incoming != stored,
            Self::GreaterEqual => incoming >= stored,
            Self::Always => true,
        }
    }

    /// The number `kernels/tile.wgsl` knows it by.
    pub const fn code(self) -> u32 {
        self as u32
    }
}

/// How a fragment meets the depth buffer (32-bit float, 0 near to 1 far).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct DepthState {
    /// The test.
    pub compare: Compare,
    /// Whether a fragment that passes leaves its depth behind.
    pub write: bool,
}

impl DepthState {
    /// No test, no write.
    pub const OFF: Self = Self { compare: Compare::Always, write: false };
    /// The nearest fragment wins; of equal ones the first.
    pub const LESS_WRITE: Self = Self { compare: Compare::Less, write: true };
    /// The nearest fragment wins; of equal ones the last.
    pub const LESS_EQUAL_WRITE: Self = Self { compare: Compare::LessEqual, write: true };
    /// Tested like `LESS_WRITE`, but leaves the depth alone.
    pub const LESS: Self = Self { compare: Compare::Less, write: false };

    /// Whether the stage has to touch the depth buffer at all.
    pub const fn is_used(self) -> bool {
        self.write || !matches!(self.compare, Compare::Always)
    }

    /// Whether the stored depth is read.
    pub const fn is_tested(self) -> bool {
        !matches!(self.compare, Compare::Always)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_always_without_write_leaves_the_depth_buffer_alone() {
        for compare in Compare::ALL {
            for write in [false, true] {
                let is_off = compare == Compare::Always && !write;
                assert_eq!(DepthState { compare, write }.is_used(), !is_off);
            }
        }
    }

    #[test]
    fn every_comparison_agrees_with_its_operator() {
        for (incoming, stored) in [(1, 2), (2, 2), (3, 2)] {
            let passes = Compare::ALL.map(|compare| compare.passes(incoming, stored));
            let expected = [
                false,
                incoming < stored,
                incoming == stored,
                incoming <= stored,
                incoming > stored,
                incoming != stored,
                incoming >= stored,
                true,
            ];
            assert_eq!(passes, expected);
        }
    }
}
