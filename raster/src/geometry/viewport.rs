//! The viewport: clip space becomes pixels, snapped once to 1/256 of a pixel in both axes.
//!
//! Before: `clip`, so w is above zero and x, y lie within the guard band. After: `setup`.
//! The origin is the top left corner, y runs down, pixel centres lie at .5 (WebGPU, "Rasterization").

use texture::Fixed;

use super::clip::GUARD_BAND_PIXELS;

/// Sub-pixel bits of a screen position.
pub const SUBPIXEL_BITS: u32 = 8;

/// A position on the screen, in pixels.
pub type PixelCoordinate = Fixed<SUBPIXEL_BITS>;

/// A vertex on the screen.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ScreenVertex {
    /// Right of the left edge.
    pub x: PixelCoordinate,
    /// Below the top edge.
    pub y: PixelCoordinate,
    /// z/w: 0 near to 1 far.
    pub depth: f64,
    /// 1/w.
    pub inverse_w: f64,
}

/// Projects a clip-space position onto a target of `width` × `height` pixels.
pub fn project([x, y, z, w]: [f64; 4], width: u32, height: u32) -> ScreenVertex {
    let snap = |pixels: f64| {
        // Where w is tiny, a corner cut at the guard band may be rounded past it: x and w are then both nearly nothing.
        let pixels = pixels.clamp(-GUARD_BAND_PIXELS, GUARD_BAND_PIXELS);
        let steps = (pixels * f64::from(1u32 << SUBPIXEL_BITS)).round_ties_even();
        PixelCoordinate::from_bits(steps as i32)
    };
    ScreenVertex {
        x: snap((x / w + 1.0) * 0.5 * f64::from(width)),
        y: snap((1.0 - y / w) * 0.5 * f64::from(height)),
        depth: (z / w).clamp(0.0, 1.0),
        inverse_w: 1.0 / w,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(position: [f64; 4], x: i32, y: i32) {
        let vertex = project(position, 640, 480);
        assert_eq!((vertex.x.to_bits(), vertex.y.to_bits()), (x, y), "{position:?}");
    }

    #[test]
    fn the_top_left_corner_is_the_origin() {
        check([-1.0, 1.0, 0.0, 1.0], 0, 0);
        check([2.0, -2.0, 0.0, 2.0], 640 * 256, 480 * 256);
        check([0.0, 0.0, 0.0, 1.0], 320 * 256, 240 * 256);
    }

    #[test]
    fn both_axes_snap_to_the_nearest_step() {
        // One step is 2/(640·256) in x and 2/(480·256) in y.
        let (step_x, step_y) = (2.0 / (640.0 * 256.0), 2.0 / (480.0 * 256.0));
        check([-1.0 + 3.4 * step_x, 1.0 - 3.4 * step_y, 0.0, 1.0], 3, 3);
        check([-1.0 + 3.6 * step_x, 1.0 - 3.6 * step_y, 0.0, 1.0], 4, 4);
    }
}
