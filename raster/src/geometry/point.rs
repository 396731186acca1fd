//! Points: a vertex becomes a square, or the disc in it.
//!
//! Before: `viewport`. After: `bin`, or the reference. A point is a [`Triangle`] without edges: its rectangle says which
//! pixels it takes.
//! Rules: a square of side `size` around the exact vertex (Vulkan, "Points"; OpenGL ES 2.0), or a whole number of pixels
//! around the nearest one (OpenGL ES 1.1, `glPointSize`). Sizes are kept in steps of 1/256 pixel, from 1 pixel on. With several
//! samples a pixel each sample is asked whether it lies in the exact square (Vulkan; OpenGL ES 1.1, section 3.3.3).

use shaders::interface::{InputSlot, Interpolation};

use super::extent::{Disc, Extent, PlaceBox, STEPS};
use super::pixel_box::PixelBox;
use super::setup::{Context, Edge, Plane, Triangle};
use super::viewport::{SUBPIXEL_BITS, ScreenVertex};
use crate::dynamic::LARGEST_SIZE;
use crate::state::{PointRule, PointShape};
use crate::surface::Samples;

/// Steps of 1/256 pixel.
const PIXEL: i32 = 1 << SUBPIXEL_BITS;

/// A square on the screen, its edges in steps of 1/512 pixel.
struct Square {
    first: [i32; 2],
    side: i32,
}

impl Square {
    /// The square of a point whose centre and size are in steps of 1/256 pixel.
    fn of(rule: PointRule, center: [i32; 2], size: i32) -> Self {
        match rule {
            PointRule::Exact => Self { first: center.map(|center| 2 * center - size), side: 2 * size },
            PointRule::Rounded => {
                let pixels = ((size + PIXEL / 2) / PIXEL).max(1);
                let first = center.map(|center| {
                    // Odd: around the centre of the pixel that holds the vertex. Even: around the nearest pixel corner.
                    let middle =
                        if pixels % 2 == 1 { center >> SUBPIXEL_BITS } else { (center + PIXEL / 2) >> SUBPIXEL_BITS };
                    2 * PIXEL * (middle - pixels / 2)
                });
                Self { first, side: 2 * PIXEL * pixels }
            }
        }
    }

    /// Pixels with a place in it.
    fn touched_pixels(&self) -> PixelBox {
        let [x, y] = self.first;
        let past = |edge: i32| (edge + STEPS - 1).div_euclid(STEPS);
        PixelBox { x0: x.div_euclid(STEPS), y0: y.div_euclid(STEPS), x1: past(x + self.side), y1: past(y + self.side) }
    }

    /// Pixels whose centre lies in it, its right and bottom edge left out.
    fn pixels(&self) -> PixelBox {
        let first_center = |edge: i32| (edge + PIXEL - 1) >> (SUBPIXEL_BITS + 1);
        let [x, y] = self.first;
        PixelBox {
            x0: first_center(x),
            y0: first_center(y),
            x1: first_center(x + self.side),
            y1: first_center(y + self.side),
        }
    }
}

/// The size of a point in steps of 1/256 pixel: the vertex's own, or the draw's if that is 0; between 1 pixel and the
/// largest size. `None` for a negative size or none at all (NaN), which draws nothing.
fn size_of(own: f32, of_draw: f32) -> Option<i32> {
    let size = if own == 0.0 { of_draw } else { own };
    (size > 0.0).then(|| (size.clamp(1.0, LARGEST_SIZE) * PIXEL as f32).round_ties_even() as i32)
}

/// Sets a point up, or drops it: no size, or no pixel that may be drawn. `slots` are the shader's inputs, `scalar` gives
/// the vertex's value of one.
pub fn set_up(
    vertex: ScreenVertex,
    point_size: f32,
    scalar: impl Fn(usize) -> f32,
    slots: &[InputSlot],
    context: &Context,
    planes: &mut Vec<Plane>,
) -> Option<Triangle> {
    let center = [vertex.x.to_bits(), vertex.y.to_bits()];
    let state = context.state.point;
    let size = size_of(point_size, context.dynamic.point_size)?;
    let (square, pixels) = match context.samples {
        Samples::One => {
            let square = Square::of(state.rule, center, size);
            let pixels = square.pixels();
            (square, pixels)
        }
        Samples::Four => {
            let square = Square::of(PointRule::Exact, center, size);
            let pixels = square.touched_pixels();
            (square, pixels)
        }
    };
    // A point whose centre is in the volume is drawn as a whole, also where it reaches out of the viewport.
    let bounds = pixels.and(&context.screen.drawn);
    if bounds.is_empty() {
        return None;
    }
    let middle = square.first.map(|first| first + square.side / 2);
    let extent = match (state.shape, context.samples) {
        (PointShape::Round, _) => Extent::Disc(Disc { center: middle, radius: square.side / 2 }),
        (PointShape::Square, Samples::One) => Extent::Pixels,
        (PointShape::Square, Samples::Four) => Extent::Places(PlaceBox { first: square.first, size: [square.side; 2] }),
    };
    let covers = |x: i32, y: i32| context.samples.places().iter().any(|place| extent.covers([x, y], *place));
    if !(bounds.y0..bounds.y1).any(|y| (bounds.x0..bounds.x1).any(|x| covers(x, y))) {
        return None;
    }
    let first_plane = planes.len() as u32;
    let pixels_across = f64::from(square.side) / f64::from(2 * PIXEL);
    let inverse_w = vertex.inverse_w;
    planes.extend(slots.iter().enumerate().map(|(index, slot)| {
        let is_sprite = state.sprite == Some(slot.location);
        let (value, dx, dy) = match slot.component {
            0 if is_sprite => (0.5, 1.0 / pixels_across, 0.0),
            1 if is_sprite => (0.5, 0.0, 1.0 / pixels_across),
            2 if is_sprite => (0.0, 0.0, 0.0),
            _ if is_sprite => (1.0, 0.0, 0.0),
            _ => (f64::from(scalar(index)), 0.0, 0.0),
        };
        match slot.interpolation {
            Interpolation::Flat => Plane { value: scalar(index), dx: 0.0, dy: 0.0 },
            Interpolation::Linear => Plane::rounded(value, dx, dy),
            Interpolation::Perspective => Plane::rounded(value * inverse_w, dx * inverse_w, dy * inverse_w),
        }
    }));
    Some(Triangle {
        edges: [Edge::default(); 3],
        bounds,
        extent,
        anchor: middle.map(|middle| middle as f32 / (2 * PIXEL) as f32),
        depth: Plane::rounded(vertex.depth, 0.0, 0.0),
        inverse_w: Plane::rounded(inverse_w, 0.0, 0.0),
        first_plane,
        draw: context.draw,
        is_front: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(rule: PointRule, center: [f32; 2], size: f32) -> PixelBox {
        let steps = |pixels: f32| (pixels * 256.0) as i32;
        Square::of(rule, center.map(steps), steps(size)).pixels()
    }

    fn columns(rule: PointRule, x: f32, size: f32) -> (i32, i32) {
        let found = pixels(rule, [x, 3.5], size);
        (found.x0, found.x1)
    }

    /// OpenGL ES 1.1, `glPointSize`: an odd size is centred on floor(x) + ½, an even one on floor(x + ½).
    #[test]
    fn rounded_points_are_whole_pixels_around_the_vertex() {
        let rounded = |x, size| columns(PointRule::Rounded, x, size);
        assert_eq!(rounded(7.9, 1.0), (7, 8));
        assert_eq!(rounded(7.9, 0.2), (7, 8));
        assert_eq!(rounded(7.1, 3.0), (6, 9));
        assert_eq!(rounded(7.4, 2.0), (6, 8));
        assert_eq!(rounded(7.5, 2.0), (7, 9));
        assert_eq!(rounded(7.5, 3.5), (6, 10));
        assert_eq!(rounded(-0.5, 1.0), (-1, 0));
    }

    /// Vulkan, "Points": fragments whose centre lies in the square of side `size` around the vertex.
    #[test]
    fn exact_points_take_the_centres_in_their_square() {
        let exact = |x, size| columns(PointRule::Exact, x, size);
        assert_eq!(exact(7.9, 1.0), (7, 8));
        assert_eq!(exact(8.0, 1.0), (7, 8));
        assert_eq!(exact(7.0, 2.0), (6, 8));
        assert_eq!(exact(7.5, 2.0), (6, 8));
        assert_eq!(exact(7.25, 2.5), (6, 8));
        assert_eq!(exact(7.75, 2.5), (6, 9));
    }

    #[test]
    fn a_size_of_zero_is_the_draw_s_and_a_negative_one_draws_nothing() {
        assert_eq!(size_of(0.0, 3.0), Some(768));
        assert_eq!(size_of(2.5, 3.0), Some(640));
        assert_eq!(size_of(0.25, 3.0), Some(256));
        assert_eq!(size_of(f32::INFINITY, 3.0), Some(2048 * 256));
        assert_eq!(size_of(-1.0, 3.0), None);
        assert_eq!(size_of(f32::NAN, 3.0), None);
    }
}
