//! Pipeline state: plain data with good names for the common cases.
//!
//! Before: nothing; a scene writes these values down. After: `pipeline`, which joins them with a shader, then
//! `geometry` (culling) and the two rasterizers. A fragment meets the stages in this order: alpha test, stencil, depth,
//! fog, blending or logic operation, colour mask. Names are WebGPU's, and so is the meaning where OpenGL ES has the same.

mod blend;
mod color_target;
mod compare;
pub mod constants;
mod culling;
mod depth;
mod fog;
mod multisample;
mod primitive;
mod stencil;

pub use blend::{BlendComponent, BlendFactor, BlendOperation, BlendState, LogicOperation};
pub use color_target::{ColorMask, ColorTarget};
pub use compare::Compare;
pub use constants::{Constants, ConstantsError, Fog};
pub use culling::{Cull, FrontFace};
pub use depth::DepthState;
pub use fog::{FogCoordinate, FogMode, FogState};
pub use multisample::MultisampleState;
pub use primitive::{PointRule, PointShape, PointState, ProvokingVertex, Topology};
pub use stencil::{StencilFace, StencilOperation, StencilState};

use shaders::interface::COLOR_TARGETS;
use shaders::tile_records as records;

use crate::format::{ColorFormat, DepthFormat};

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
    /// Which fragments live by their alpha, which is clamped to [0, 1] first: `alpha ? reference`. One that fails
    /// changes nothing at all.
    pub alpha_test: Compare,
    /// The stencil test.
    pub stencil: StencilState,
    /// The depth test.
    pub depth: DepthState,
    /// What depth and stencil values are stored in.
    pub depth_format: DepthFormat,
    /// Fog.
    pub fog: FogState,
    /// If there is one, it takes the place of blending, in targets that are not sRGB (Vulkan, "Logical Operations").
    pub logic: Option<LogicOperation>,
    /// Which samples of a pixel are drawn.
    pub multisample: MultisampleState,
    /// What is written to each colour target.
    pub targets: [ColorTarget; COLOR_TARGETS],
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
        alpha_test: Compare::Always,
        stencil: StencilState::OFF,
        depth: DepthState::OFF,
        depth_format: DepthFormat::Depth32Float,
        fog: FogState::OFF,
        logic: None,
        multisample: MultisampleState::ALL,
        targets: [ColorTarget::PLAIN; COLOR_TARGETS],
    };
    /// Back faces dropped, the nearest fragment wins: for closed models.
    pub const SOLID: Self = Self { cull: Cull::Back, depth: DepthState::LESS_WRITE, ..Self::FLAT };

    /// The same state with every target blended like this.
    pub const fn blended(mut self, blend: BlendState) -> Self {
        let mut target = 0;
        while target < COLOR_TARGETS {
            self.targets[target].blend = blend;
            target += 1;
        }
        self
    }

    /// The same state with these channels written, in every target.
    pub const fn masked(mut self, mask: ColorMask) -> Self {
        let mut target = 0;
        while target < COLOR_TARGETS {
            self.targets[target].mask = mask;
            target += 1;
        }
        self
    }

    /// The same state for targets of these formats.
    pub const fn on(mut self, color: ColorFormat, depth: DepthFormat) -> Self {
        let mut target = 0;
        while target < COLOR_TARGETS {
            self.targets[target].format = color;
            target += 1;
        }
        self.depth_format = depth;
        self
    }

    /// Refuses what does not fit together.
    pub const fn check(&self) -> Result<(), StateError> {
        if self.stencil.is_used() && !self.depth_format.has_stencil() {
            return Err(StateError::NoStencil { format: self.depth_format });
        }
        let mut target = 0;
        while target < COLOR_TARGETS {
            let ColorTarget { format, blend, .. } = self.targets[target];
            if format.is_integer() && blend.is_used() {
                return Err(StateError::BlendedIntegers { target, format });
            }
            target += 1;
        }
        if self.targets[0].format.is_integer() && self.needs_alpha() {
            return Err(StateError::NoAlpha { format: self.targets[0].format });
        }
        Ok(())
    }

    /// Whether the first target's alpha decides about fragments.
    const fn needs_alpha(&self) -> bool {
        self.multisample.alpha_to_coverage || !matches!(self.alpha_test, Compare::Always)
    }

    /// Whether a fragment can fail a test of stencil or depth.
    pub const fn is_tested(&self) -> bool {
        self.stencil.is_tested() || self.depth.is_tested()
    }

    /// Bytes of core-local memory that a resident sample takes: a colour word, and the words of depth and stencil.
    pub const fn bytes_per_sample(&self) -> u32 {
        4 + 4 * self.depth_format.words_per_sample()
    }

    /// What a draw changes, as flags of [`records::Tile`]: those parts of a tile are no longer fresh.
    pub const fn written_flags(&self) -> u32 {
        let color = if self.targets[0].written_bits() != 0 { records::Tile::FRESH_COLOR } else { 0 };
        let stencil = match (self.stencil.is_written(), self.depth_format) {
            (false, _) => 0,
            (true, DepthFormat::Depth32FloatStencil8) => records::Tile::FRESH_STENCIL,
            (true, _) => records::Tile::FRESH_DEPTH,
        };
        color | stencil | if self.depth.write { records::Tile::FRESH_DEPTH } else { 0 }
    }
}

/// A state that cannot be.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// There is nothing to test.
    #[error("the state uses the stencil, and {format:?} has none")]
    NoStencil {
        /// The depth format.
        format: DepthFormat,
    },
    /// Integers are not blended.
    #[error("target {target} holds integers ({format:?}), which are never blended")]
    BlendedIntegers {
        /// Its number.
        target: usize,
        /// Its format.
        format: ColorFormat,
    },
    /// Alpha is no number in [0, 1].
    #[error("alpha test and alpha to coverage need a first target of colours, not {format:?}")]
    NoAlpha {
        /// Of the first target.
        format: ColorFormat,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stencil_test_needs_a_format_with_stencil() {
        let state = State { stencil: StencilState::both(StencilFace::EQUAL), ..State::FLAT };
        let message = state.check().expect_err("D32 has no stencil").to_string();
        assert_eq!(message, "the state uses the stencil, and Depth32Float has none");
        for format in DepthFormat::ALL {
            assert_eq!(state.on(ColorFormat::Rgba8, format).check().is_ok(), format.has_stencil());
        }
    }
}
