//! Fog: a fragment fades into the fog's colour with its distance (OpenGL ES 1.1, `glFog`).

/// How much of a fragment's colour is left at distance c; clamped to [0, 1].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum FogMode {
    /// All of it.
    Off,
    /// (end − c) / (end − start). Where start and end are the same: all of it before, nothing from there on.
    Linear,
    /// e^−(density · c)
    Exp,
    /// e^−(density · c)²
    Exp2,
}

/// What the distance of a fragment is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum FogCoordinate {
    /// The clip-space w, which for a perspective projection is the distance from the eye's plane.
    ViewDepth,
    /// The window depth, 0 to 1: for parallel projections, where w is 1 everywhere.
    WindowDepth,
}

/// Fog of a pipeline; its colour and figures are the draw's ([`Fog`](super::constants::Fog)).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct FogState {
    /// The curve.
    pub mode: FogMode,
    /// Over what.
    pub coordinate: FogCoordinate,
}

impl FogState {
    /// No fog.
    pub const OFF: Self = Self { mode: FogMode::Off, coordinate: FogCoordinate::ViewDepth };
    /// Between two distances from the eye.
    pub const LINEAR: Self = Self { mode: FogMode::Linear, ..Self::OFF };
    /// As dense everywhere.
    pub const EXP: Self = Self { mode: FogMode::Exp, ..Self::OFF };
    /// Clear in front, then soon dense.
    pub const EXP2: Self = Self { mode: FogMode::Exp2, ..Self::OFF };

    /// Whether there is any.
    pub const fn is_used(self) -> bool {
        !matches!(self.mode, FogMode::Off)
    }
}
