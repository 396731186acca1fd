//! What may change from draw to draw without another pipeline: viewport, scissor, depth offset, sizes of points and lines.
//!
//! Before: nothing; a scene writes these values down. After: `geometry`, which works with them on the host.
//! Sources: WebGPU (`setViewport`, `setScissorRect`), OpenGL ES 1.1 (`glDepthRange`, `glPolygonOffset`, `glPointSize`,
//! `glLineWidth`).

use crate::state::{Constants, ConstantsError};

/// The largest size of a point and the largest width of a line, in pixels. A vertex that asks for more gets this.
pub const LARGEST_SIZE: f32 = 2048.0;

/// Where clip space lies on the target.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Viewport {
    /// Left edge, in pixels from the target's left edge; may lie outside the target.
    pub x: f32,
    /// Top edge, in pixels from the target's top edge.
    pub y: f32,
    /// Pixels, not negative; may be larger than the target.
    pub width: f32,
    /// Pixels, not negative.
    pub height: f32,
    /// Window depth of z = 0. Clamped to [0, 1], as `glDepthRange` does.
    pub near: f32,
    /// Window depth of z = w. May be less than `near`. Clamped to [0, 1].
    pub far: f32,
}

impl Viewport {
    /// A viewport with the depth range 0 to 1.
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height, near: 0.0, far: 1.0 }
    }

    /// All of a target.
    pub const fn of_target(width: u32, height: u32) -> Self {
        Self::new(0.0, 0.0, width as f32, height as f32)
    }

    /// The same viewport with this depth range.
    pub const fn with_depth(mut self, near: f32, far: f32) -> Self {
        self.near = near;
        self.far = far;
        self
    }
}

/// Pixels that may be drawn: x ≤ column < x + width, y ≤ row < y + height. It may lie outside the target.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Scissor {
    /// First column.
    pub x: i32,
    /// First row.
    pub y: i32,
    /// Columns; 0 is none, a negative number is an error.
    pub width: i32,
    /// Rows; 0 is none, a negative number is an error.
    pub height: i32,
}

/// Moves the depth of triangles: by `slope · factor + step · units`, and no farther than to 0 or 1.
///
/// *slope* is the larger of |dz/dx| and |dz/dy|, *step* the smallest difference of the depth format (`geometry::offset`).
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct DepthOffset {
    /// How many times the slope.
    pub factor: f32,
    /// How many smallest steps.
    pub units: f32,
}

impl DepthOffset {
    /// Depth stays where it is.
    pub const NONE: Self = Self { factor: 0.0, units: 0.0 };
}

/// The values of one draw.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Dynamic {
    /// The whole target if there is none.
    pub viewport: Option<Viewport>,
    /// The whole target if there is none.
    pub scissor: Option<Scissor>,
    /// Of triangles; points and lines stay where they are.
    pub depth_offset: DepthOffset,
    /// Side (or diameter) of points whose vertex names none, in pixels; above 0.
    pub point_size: f32,
    /// Width of lines in pixels, above 0; rounded to a whole number, at least 1.
    pub line_width: f32,
    /// References, blend constant, fog.
    pub constants: Constants,
}

impl Dynamic {
    /// The whole target, no offset, points and lines one pixel wide.
    pub const DEFAULT: Self = Self {
        viewport: None,
        scissor: None,
        depth_offset: DepthOffset::NONE,
        point_size: 1.0,
        line_width: 1.0,
        constants: Constants::DEFAULT,
    };

    /// Refuses values that have no meaning.
    pub fn check(&self) -> Result<(), DynamicError> {
        if let Some(viewport) = self.viewport {
            let Viewport { x, y, width, height, near, far } = viewport;
            let places = [("x", x), ("y", y), ("near", near), ("far", far)];
            if let Some((field, value)) = places.into_iter().find(|(_, value)| !value.is_finite()) {
                return Err(DynamicError::Viewport { field, value });
            }
            let sides = [("width", width), ("height", height)];
            if let Some((field, value)) = sides.into_iter().find(|(_, side)| !side.is_finite() || *side < 0.0) {
                return Err(DynamicError::Viewport { field, value });
            }
        }
        if let Some(Scissor { width, height, .. }) = self.scissor
            && (width < 0 || height < 0)
        {
            return Err(DynamicError::Scissor { width, height });
        }
        let DepthOffset { factor, units } = self.depth_offset;
        if !factor.is_finite() || !units.is_finite() {
            return Err(DynamicError::DepthOffset { factor, units });
        }
        for (what, value) in [("point size", self.point_size), ("line width", self.line_width)] {
            if !(value > 0.0 && value <= LARGEST_SIZE) {
                return Err(DynamicError::Size { what, value });
            }
        }
        self.constants.check()?;
        Ok(())
    }
}

impl Default for Dynamic {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A value that a draw cannot have.
#[derive(Copy, Clone, Debug, PartialEq, thiserror::Error)]
pub enum DynamicError {
    /// Not a place, or a negative size.
    #[error("the viewport's {field} is {value}; it must be finite, and width and height not negative")]
    Viewport {
        /// Which number.
        field: &'static str,
        /// What it is.
        value: f32,
    },
    /// A negative size.
    #[error("the scissor is {width} x {height} pixels; neither may be negative")]
    Scissor {
        /// Columns.
        width: i32,
        /// Rows.
        height: i32,
    },
    /// Not a number, or infinite.
    #[error("the depth offset's factor is {factor} and its units are {units}; both must be finite")]
    DepthOffset {
        /// How many times the slope.
        factor: f32,
        /// How many smallest steps.
        units: f32,
    },
    /// A size that is not above zero, or too large.
    #[error("the {what} is {value}; it must be above 0 and at most {LARGEST_SIZE} pixels")]
    Size {
        /// Of points or lines.
        what: &'static str,
        /// What it is.
        value: f32,
    },
    /// A constant of the fragment path.
    #[error(transparent)]
    Constants(#[from] ConstantsError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewport(x: f32, y: f32, width: f32, height: f32) -> Dynamic {
        Dynamic { viewport: Some(Viewport::new(x, y, width, height)), ..Dynamic::DEFAULT }
    }

    #[test]
    fn a_viewport_may_lie_anywhere_but_has_no_negative_size() {
        for legal in [viewport(-7.5, 1e9, 1e30, 0.0), viewport(0.0, 0.0, 0.25, 3.0), Dynamic::DEFAULT] {
            assert_eq!(legal.check(), Ok(()));
        }
        let message = |dynamic: Dynamic| dynamic.check().expect_err("it is out of range").to_string();
        assert_eq!(
            message(viewport(0.0, 0.0, -1.0, 4.0)),
            "the viewport's width is -1; it must be finite, and width and height not negative"
        );
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for place in 0..4 {
                let mut values = [1.0; 4];
                values[place] = bad;
                let [x, y, width, height] = values;
                assert!(viewport(x, y, width, height).check().is_err());
            }
        }
        let nan = Viewport::of_target(4, 4).with_depth(0.0, f32::NAN);
        assert!(message(Dynamic { viewport: Some(nan), ..Dynamic::DEFAULT }).contains("far is NaN"));
        let swapped = Viewport::of_target(4, 4).with_depth(1.0, 0.0);
        assert_eq!(Dynamic { viewport: Some(swapped), ..Dynamic::DEFAULT }.check(), Ok(()));
    }

    #[test]
    fn sizes_and_offsets_out_of_range_are_refused_by_name() {
        let message = |dynamic: Dynamic| dynamic.check().expect_err("it is out of range").to_string();
        let scissor = Some(Scissor { x: 0, y: 0, width: -1, height: 3 });
        assert_eq!(
            message(Dynamic { scissor, ..Dynamic::DEFAULT }),
            "the scissor is -1 x 3 pixels; neither may be negative"
        );
        for size in [0.0, -1.0, f32::NAN, f32::INFINITY, 4096.0] {
            assert!(message(Dynamic { point_size: size, ..Dynamic::DEFAULT }).starts_with("the point size is"));
            assert!(message(Dynamic { line_width: size, ..Dynamic::DEFAULT }).starts_with("the line width is"));
        }
        let depth_offset = DepthOffset { factor: 0.0, units: f32::NAN };
        assert!(message(Dynamic { depth_offset, ..Dynamic::DEFAULT }).starts_with("the depth offset's factor is 0"));
    }
}
