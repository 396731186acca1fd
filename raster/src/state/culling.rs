//! Which side of a triangle is its front, and which sides are drawn (`GPUPrimitiveState`).

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
    /// All triangles are dropped; points and lines have no sides and are drawn.
    FrontAndBack,
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
