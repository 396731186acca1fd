//! What the vertex stage gives: a position, and a value for each location of the fragment shader.
//!
//! Before: a scene's closure makes these. After: `geometry`, which runs the closure and clips.

use glam::{Vec2, Vec3, Vec4};

/// Locations a vertex can feed (`@location(0)` to below this), four scalars each: as many as WebGPU has at least
/// (`maxInterStageShaderVariables`).
pub const LOCATIONS: usize = 16;

/// What the vertex stage gives: a clip-space position, and a value for each `@location` of the fragment shader.
///
/// The clip volume is WebGPU's: −w ≤ x ≤ w, −w ≤ y ≤ w, 0 ≤ z ≤ w, y up.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Vertex {
    /// Clip space.
    pub position: Vec4,
    /// Four scalars a location; a shader that declares fewer components reads the first ones. Integers travel as bits.
    pub locations: [[f32; 4]; LOCATIONS],
    /// Side (or diameter) in pixels, if the vertex is drawn as a point; 0 is the draw's
    /// [`point_size`](crate::dynamic::Dynamic::point_size). Limited to [1, 2048]; a negative size or a NaN draws nothing.
    pub point_size: f32,
}

impl Vertex {
    /// A vertex at a clip-space position, all locations zero.
    pub const fn at(position: Vec4) -> Self {
        Self { position, locations: [[0.0; 4]; LOCATIONS], point_size: 0.0 }
    }

    /// The same vertex with a value at `@location(location)`.
    ///
    /// # Panics
    /// If `location` is not below [`LOCATIONS`].
    pub fn with(mut self, location: usize, value: impl Into<Varying>) -> Self {
        self.locations[location] = value.into().0;
        self
    }

    /// The same vertex with a size of its own, for points.
    pub const fn with_point_size(mut self, pixels: f32) -> Self {
        self.point_size = pixels;
        self
    }
}

/// The value of one location.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Varying(pub [f32; 4]);

impl From<f32> for Varying {
    fn from(x: f32) -> Self {
        Self([x, 0.0, 0.0, 0.0])
    }
}

impl From<Vec2> for Varying {
    fn from(value: Vec2) -> Self {
        Self([value.x, value.y, 0.0, 0.0])
    }
}

impl From<Vec3> for Varying {
    fn from(value: Vec3) -> Self {
        Self([value.x, value.y, value.z, 0.0])
    }
}

impl From<Vec4> for Varying {
    fn from(value: Vec4) -> Self {
        Self(value.to_array())
    }
}

impl From<u32> for Varying {
    /// For `@interpolate(flat)` inputs of type `u32` (or `i32`, by its bits).
    fn from(value: u32) -> Self {
        Self([f32::from_bits(value), 0.0, 0.0, 0.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_travel_as_bits() {
        let vertex = Vertex::at(Vec4::ZERO).with(3, 0x7fc1_2345u32);
        assert_eq!(vertex.locations[3][0].to_bits(), 0x7fc1_2345);
    }
}
