//! The vertex stage: runs a draw's closure once for each vertex.
//!
//! Before: `frame`. After: `assemble`, which picks three vertices a triangle.

use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;

/// Locations a vertex can feed (`@location(0)` to below this), four scalars each.
pub const LOCATIONS: usize = 8;

/// What the vertex stage gives: a clip-space position, and a value for each `@location` of the fragment shader.
///
/// The clip volume is WebGPU's: −w ≤ x ≤ w, −w ≤ y ≤ w, 0 ≤ z ≤ w, y up.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Vertex {
    /// Clip space.
    pub position: Vec4,
    /// Four scalars a location; a shader that declares fewer components reads the first ones. Integers travel as bits.
    pub locations: [[f32; 4]; LOCATIONS],
}

impl Vertex {
    /// A vertex at a clip-space position, all locations zero.
    pub const fn at(position: Vec4) -> Self {
        Self { position, locations: [[0.0; 4]; LOCATIONS] }
    }

    /// The same vertex with a value at `@location(location)`.
    ///
    /// # Panics
    /// If `location` is not below [`LOCATIONS`].
    pub fn with(mut self, location: usize, value: impl Into<Varying>) -> Self {
        self.locations[location] = value.into().0;
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

    #[test]
    fn integers_travel_as_bits() {
        let vertex = Vertex::at(Vec4::ZERO).with(3, 0x7fc1_2345u32);
        assert_eq!(vertex.locations[3][0].to_bits(), 0x7fc1_2345);
    }
}
