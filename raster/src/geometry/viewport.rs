//! The viewport: clip space becomes pixels, snapped once to 1/256 of a pixel in both axes.
//!
//! Before: `clip`, so w is above zero and x, y lie within the guard band. After: `setup`, `line`, `point`.
//! The origin is the top left corner, y runs down, pixel centres lie at .5 (WebGPU, "Rasterization"):
//! x = x0 + (x/w + 1) · width/2, y = y0 + (1 − y/w) · height/2, depth = near + z/w · (far − near).

use texture::Fixed;

use super::clip::GUARD_BAND_PIXELS;
use super::pixel_box::PixelBox;
use crate::dynamic::{Dynamic, Viewport};

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
    /// Window depth: 0 near to 1 far, or what the depth range makes of it.
    pub depth: f64,
    /// 1/w.
    pub inverse_w: f64,
}

/// Where a draw's primitives go: the viewport as numbers, and the pixels they may take.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Screen {
    origin: [f64; 2],
    size: [f64; 2],
    /// From the viewport's right and bottom edge to those of the target, in pixels.
    margin: [f64; 2],
    near: f64,
    far: f64,
    /// Pixels whose centre lies in the viewport, its right and bottom edge left out. It may reach past the target.
    pub viewport: PixelBox,
    /// The pixels of the target that the scissor leaves.
    pub drawn: PixelBox,
}

impl Screen {
    /// The screen of a draw with these values, on a target of `width` × `height` pixels.
    pub fn new(dynamic: &Dynamic, (width, height): (u32, u32)) -> Self {
        let viewport = dynamic.viewport.unwrap_or(Viewport::of_target(width, height));
        let origin = [viewport.x, viewport.y].map(f64::from);
        let size = [viewport.width, viewport.height].map(f64::from);
        let first_center = |edge: f64| (snap(edge) + (1 << (SUBPIXEL_BITS - 1)) - 1) >> SUBPIXEL_BITS;
        let target = PixelBox { x0: 0, y0: 0, x1: width as i32, y1: height as i32 };
        Self {
            origin,
            size,
            margin: [f64::from(width) - (origin[0] + size[0]), f64::from(height) - (origin[1] + size[1])],
            // Clamping as in `glDepthRange`; a range that runs backwards is legal.
            near: f64::from(viewport.near.clamp(0.0, 1.0)),
            far: f64::from(viewport.far.clamp(0.0, 1.0)),
            viewport: PixelBox {
                x0: first_center(origin[0]),
                y0: first_center(origin[1]),
                x1: first_center(origin[0] + size[0]),
                y1: first_center(origin[1] + size[1]),
            },
            drawn: dynamic.scissor.map_or(target, |scissor| target.and(&PixelBox::of_scissor(scissor))),
        }
    }

    /// Whether the viewport is a line or a point, in which nothing has an area.
    pub fn has_no_area(&self) -> bool {
        self.size.contains(&0.0)
    }

    /// The pixels that triangles may take.
    pub fn inside(&self) -> PixelBox {
        self.viewport.and(&self.drawn)
    }

    /// How many times w the coordinates x and y may reach without leaving the guard band: from, to, for both axes.
    ///
    /// The guard band lies around the target: it ends 2^14 pixels right of the target's left edge, and as many left of its
    /// right edge; so nothing is farther than 2^14 pixels from the origin.
    pub fn guard(&self) -> [[f64; 2]; 2] {
        // From x0 + (x/w + 1) · width/2 ≤ guard band; the other side is its mirror image, and y runs upwards.
        let reach = |axis: usize, edge: f64| (GUARD_BAND_PIXELS - edge) * 2.0 / self.size[axis] - 1.0;
        [[-reach(0, self.margin[0]), reach(0, self.origin[0])], [-reach(1, self.origin[1]), reach(1, self.margin[1])]]
    }

    /// Projects a clip-space position.
    pub fn project(&self, [x, y, z, w]: [f64; 4]) -> ScreenVertex {
        let place = |axis: usize, share: f64| {
            // Where w is tiny, a corner cut at the guard band may be rounded past it: x and w are then both nearly nothing.
            PixelCoordinate::from_bits(snap(self.origin[axis] + share * 0.5 * self.size[axis]))
        };
        ScreenVertex {
            x: place(0, x / w + 1.0),
            y: place(1, 1.0 - y / w),
            depth: self.near + (z / w).clamp(0.0, 1.0) * (self.far - self.near),
            inverse_w: 1.0 / w,
        }
    }
}

/// Sub-pixel steps of a coordinate in pixels, kept within the guard band.
fn snap(pixels: f64) -> i32 {
    let pixels = pixels.clamp(-GUARD_BAND_PIXELS, GUARD_BAND_PIXELS);
    (pixels * f64::from(1u32 << SUBPIXEL_BITS)).round_ties_even() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamic::Scissor;

    const SIZE: (u32, u32) = (640, 480);

    #[track_caller]
    fn check(position: [f64; 4], x: i32, y: i32) {
        let vertex = Screen::new(&Dynamic::DEFAULT, SIZE).project(position);
        assert_eq!((vertex.x.to_bits(), vertex.y.to_bits()), (x, y), "{position:?}");
    }

    fn screen(viewport: Viewport) -> Screen {
        Screen::new(&Dynamic { viewport: Some(viewport), ..Dynamic::DEFAULT }, SIZE)
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

    #[test]
    fn a_viewport_moves_and_scales() {
        let vertex = screen(Viewport::new(-10.5, 20.25, 100.0, 50.0)).project([1.0, -0.5, 0.5, 2.0]);
        // x = −10.5 + 1.5 · 50, y = 20.25 + 1.25 · 25.
        assert_eq!((vertex.x.to_f32(), vertex.y.to_f32()), (64.5, 51.5));
    }

    #[test]
    fn a_viewport_holds_the_centres_between_its_edges() {
        let inside = |viewport| screen(viewport).viewport;
        assert_eq!(inside(Viewport::new(1.5, 2.0, 3.0, 2.0)), PixelBox { x0: 1, y0: 2, x1: 4, y1: 4 });
        assert_eq!(inside(Viewport::new(1.75, -2.25, 3.0, 2.0)), PixelBox { x0: 2, y0: -2, x1: 5, y1: 0 });
        assert!(inside(Viewport::new(1.75, 0.0, 0.5, 2.0)).is_empty());
        assert!(screen(Viewport::new(1e30, 0.0, 1e30, 2.0)).inside().is_empty());
        assert_eq!(screen(Viewport::new(-1e9, -1e9, 3e9, 3e9)).inside(), PixelBox { x0: 0, y0: 0, x1: 640, y1: 480 });
    }

    #[test]
    fn the_depth_range_may_run_backwards_and_is_clamped() {
        let depth = |near, far, z| {
            screen(Viewport::of_target(640, 480).with_depth(near, far)).project([0.0, 0.0, z, 2.0]).depth
        };
        assert_eq!(depth(0.25, 0.75, 1.0), 0.5);
        assert_eq!(depth(1.0, 0.0, 0.5), 0.75);
        assert_eq!(depth(-3.0, 7.0, 0.5), 0.25);
    }

    #[test]
    fn the_guard_band_is_the_same_pixels_for_every_viewport() {
        for viewport in [Viewport::of_target(640, 480), Viewport::new(-70.0, 900.0, 3.5, 40000.0)] {
            let screen = screen(viewport);
            let [[left, right], [bottom, top]] = screen.guard();
            let first = screen.project([left, top, 0.0, 1.0]);
            let last = screen.project([right, bottom, 0.0, 1.0]);
            assert_eq!([first.x.to_bits(), first.y.to_bits()], [(640 << 8) - (1 << 22), (480 << 8) - (1 << 22)]);
            assert_eq!([last.x.to_bits(), last.y.to_bits()], [1 << 22; 2]);
        }
    }

    #[test]
    fn the_scissor_cuts_the_target() {
        let drawn = |x, y, width, height| {
            Screen::new(&Dynamic { scissor: Some(Scissor { x, y, width, height }), ..Dynamic::DEFAULT }, SIZE).drawn
        };
        assert_eq!(drawn(-5, -5, 10, 10), PixelBox { x0: 0, y0: 0, x1: 5, y1: 5 });
        assert_eq!(drawn(639, 0, i32::MAX, i32::MAX), PixelBox { x0: 639, y0: 0, x1: 640, y1: 480 });
        assert!(drawn(i32::MAX, 0, 10, 10).is_empty());
        assert!(drawn(0, 0, 0, 0).is_empty());
    }
}
