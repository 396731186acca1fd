//! Interpolation: what a triangle's planes give at a pixel centre.
//!
//! Before: a pixel that may be covered. After: the fragment shader. The tile kernel does the same operations in the same
//! order (`kernels/tile/shade.wgsl`); nothing else would give the same bits.

use shaders::evaluate::FragmentInput;
use shaders::interface::{InputSlot, Interpolation, Point};
use shaders::ir::arithmetic;

use crate::geometry::setup::{Plane, Triangle};

/// A pixel centre as a triangle sees it.
#[derive(Copy, Clone, Debug)]
pub struct Sample {
    /// Window position of the centre.
    x: f32,
    y: f32,
    /// From the triangle's anchor.
    dx: f32,
    dy: f32,
}

impl Sample {
    /// The centre of pixel (x, y).
    pub fn at_pixel(triangle: &Triangle, x: i32, y: i32) -> Self {
        Self::at_place(triangle, x, y, [8, 8])
    }

    /// A place of pixel (x, y), in sixteenths from its top left corner; exact.
    pub fn at_place(triangle: &Triangle, x: i32, y: i32, place: [i32; 2]) -> Self {
        let (x, y) = (x as f32 + place[0] as f32 / 16.0, y as f32 + place[1] as f32 / 16.0);
        Self { x, y, dx: x - triangle.anchor[0], dy: y - triangle.anchor[1] }
    }

    /// Window position, depth, and 1/w.
    pub fn position(&self, triangle: &Triangle) -> [f32; 4] {
        [self.x, self.y, self.on(&triangle.depth), self.on(&triangle.inverse_w)]
    }

    /// A plane's value here.
    pub fn on(&self, plane: &Plane) -> f32 {
        fma(plane.dy, self.dy, fma(plane.dx, self.dx, plane.value))
    }

    /// What the fragment shader gets at this centre of a pixel: position, side and every input slot. Inputs that leave the
    /// centre are taken at `other`.
    pub fn fragment(&self, other: &Self, triangle: &Triangle, planes: &[Plane], inputs: &[InputSlot]) -> FragmentInput {
        let position = self.position(triangle);
        let (w, other_w) = (inverse(position[3]), inverse(other.on(&triangle.inverse_w)));
        let mut fragment = FragmentInput { position, is_front_facing: triangle.is_front, ..FragmentInput::default() };
        let planes = &planes[triangle.first_plane as usize..];
        for ((slot, input), plane) in fragment.slots.iter_mut().zip(inputs).zip(planes) {
            let (at, w) = if input.point == Point::Center { (self, w) } else { (other, other_w) };
            *slot = match input.interpolation {
                Interpolation::Flat => plane.value.to_bits(),
                Interpolation::Linear => at.on(plane).to_bits(),
                Interpolation::Perspective => multiply(at.on(plane), w).to_bits(),
            };
        }
        fragment
    }
}

/// `a · b + c`, rounded once; a NaN is the canonical one.
pub fn fma(a: f32, b: f32, c: f32) -> f32 {
    bits(arithmetic::fused_multiply_add(a.to_bits(), b.to_bits(), c.to_bits()))
}

/// `1 / a`; a NaN is the canonical one.
pub fn inverse(a: f32) -> f32 {
    bits(arithmetic::binary(shaders::ir::Binary::FloatDivide, 1.0f32.to_bits(), a.to_bits()))
}

/// `a · b`; a NaN is the canonical one.
fn multiply(a: f32, b: f32) -> f32 {
    bits(arithmetic::binary(shaders::ir::Binary::FloatMultiply, a.to_bits(), b.to_bits()))
}

fn bits(word: u32) -> f32 {
    f32::from_bits(word)
}
