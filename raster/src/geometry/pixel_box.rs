//! Rectangles of whole pixels.
//!
//! Before: scissor, viewport, the bounds of a primitive. After: `bin` and both rasterizers, which draw nothing outside.

use crate::dynamic::Scissor;

/// Pixels x0 ≤ x < x1, y0 ≤ y < y1.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct PixelBox {
    /// First column.
    pub x0: i32,
    /// First row.
    pub y0: i32,
    /// One past the last column.
    pub x1: i32,
    /// One past the last row.
    pub y1: i32,
}

impl PixelBox {
    /// The pixels of a scissor whose size is not negative.
    pub const fn of_scissor(scissor: Scissor) -> Self {
        let Scissor { x, y, width, height } = scissor;
        Self { x0: x, y0: y, x1: x.saturating_add(width), y1: y.saturating_add(height) }
    }

    /// Whether it holds no pixel.
    pub const fn is_empty(&self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }

    /// Whether it holds a pixel.
    pub const fn holds(&self, x: i32, y: i32) -> bool {
        self.x0 <= x && x < self.x1 && self.y0 <= y && y < self.y1
    }

    /// The pixels that are in both.
    pub fn and(&self, other: &Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// Whether it holds all of another.
    pub fn contains(&self, other: &Self) -> bool {
        other.is_empty() || self.and(other) == *other
    }
}
