//! What vertices are joined to: points, lines or triangles, and how.
//!
//! Before: nothing. After: `geometry::assemble`, and `geometry::point` and `geometry::line`, which give them their pixels.

/// How the vertices of a draw, in the order of its indices, become primitives.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Topology {
    /// Each vertex is a point.
    PointList,
    /// Two vertices a line.
    LineList,
    /// A line from each vertex to the next.
    LineStrip,
    /// A line strip, and a line from the last vertex to the first.
    LineLoop,
    /// Three vertices a triangle.
    #[default]
    TriangleList,
    /// A triangle of each vertex and the next two, every second one turned so that all face one way.
    TriangleStrip,
    /// A triangle of each two neighbours and the first vertex.
    TriangleFan,
}

impl Topology {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::PointList,
        Self::LineList,
        Self::LineStrip,
        Self::LineLoop,
        Self::TriangleList,
        Self::TriangleStrip,
        Self::TriangleFan,
    ];

    /// Vertices of a primitive.
    pub const fn corners(self) -> usize {
        match self {
            Self::PointList => 1,
            Self::LineList | Self::LineStrip | Self::LineLoop => 2,
            Self::TriangleList | Self::TriangleStrip | Self::TriangleFan => 3,
        }
    }

    /// How many primitives so many vertices make.
    pub const fn primitives(self, vertices: usize) -> usize {
        match self {
            Self::PointList | Self::LineList | Self::TriangleList => vertices / self.corners(),
            Self::LineStrip => vertices.saturating_sub(1),
            Self::LineLoop if vertices < 2 => 0,
            Self::LineLoop => vertices,
            Self::TriangleStrip | Self::TriangleFan => vertices.saturating_sub(2),
        }
    }

    /// Whether it makes triangles.
    pub const fn is_triangles(self) -> bool {
        matches!(self, Self::TriangleList | Self::TriangleStrip | Self::TriangleFan)
    }

    /// Whether it makes lines.
    pub const fn is_lines(self) -> bool {
        matches!(self, Self::LineList | Self::LineStrip | Self::LineLoop)
    }
}

/// Which vertex of a primitive gives its flat inputs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ProvokingVertex {
    /// The first (WebGPU, Vulkan): of triangle i of a strip vertex i, of a fan vertex i + 1.
    #[default]
    First,
    /// The last (OpenGL): of triangle i of a strip or fan vertex i + 2; of the line that closes a loop vertex 0.
    Last,
}

/// Which pixels a square point takes.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum PointRule {
    /// Those whose centre lies in a square around the exact vertex (Vulkan, OpenGL ES 2.0).
    #[default]
    Exact,
    /// A whole number of columns and rows, around the nearest pixel (OpenGL ES 1.1, points without antialiasing).
    Rounded,
}

/// The shape of a point.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum PointShape {
    /// A square.
    #[default]
    Square,
    /// The disc in that square.
    Round,
}

/// How points are drawn.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PointState {
    /// Where the square lies.
    pub rule: PointRule,
    /// What of the square is drawn.
    pub shape: PointShape,
    /// The `@location` that gets (s, t, 0, 1) instead of the vertex's value: s from 0 at the left edge of the point to 1
    /// at the right one, t from 0 at the top to 1 at the bottom.
    pub sprite: Option<u32>,
}

impl PointState {
    /// Exact squares without coordinates.
    pub const SQUARE: Self = Self { rule: PointRule::Exact, shape: PointShape::Square, sprite: None };
}
