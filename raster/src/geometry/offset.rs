//! Depth offset: how far a triangle's depth is moved (OpenGL `glPolygonOffset`, Vulkan "Depth Bias").
//!
//! Before: `setup`, which knows how steep the triangle is. After: its depth plane, the offset added to its value; the
//! rasterizers limit the result to [0, 1] before the depth test.

use super::setup::Plane;
use crate::dynamic::DepthOffset;
use crate::format::DepthFormat;

/// Bits of an f32 behind the leading one.
const MANTISSA_BITS: i32 = 23;

/// The smallest difference that a depth format resolves near a triangle whose largest depth is `largest`.
///
/// 32-bit float: 2^(e − 23), e being the exponent of the largest depth (Vulkan, Direct3D); unsigned formats: one step.
fn smallest_step(format: DepthFormat, largest: f64) -> f64 {
    match format {
        DepthFormat::Depth16 => return 1.0 / 65535.0,
        DepthFormat::Depth24Stencil8 => return 1.0 / 16_777_215.0,
        DepthFormat::Depth32Float | DepthFormat::Depth32FloatStencil8 => {}
    }
    // The exponent field; a depth of 0 has the smallest normal number's exponent.
    let exponent = ((largest as f32).to_bits() >> MANTISSA_BITS & 0xff).max(1) as i32 - 127;
    f64::from_bits(((1023 + exponent - MANTISSA_BITS) as u64) << 52)
}

/// The offset of a triangle: `m · factor + r · units`, m being the larger of |dz/dx| and |dz/dy| (either form is allowed),
/// r the smallest step.
pub fn of(offset: DepthOffset, format: DepthFormat, depth: &Plane, corners: [f64; 3]) -> f64 {
    if offset == DepthOffset::NONE {
        return 0.0;
    }
    let slope = f64::from(depth.dx.abs().max(depth.dy.abs()));
    let largest = corners.into_iter().fold(0.0, f64::max);
    slope * f64::from(offset.factor) + smallest_step(format, largest) * f64::from(offset.units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_of_a_float_is_that_of_its_largest_depth() {
        assert_eq!(smallest_step(DepthFormat::Depth32Float, 1.0), f64::from(f32::EPSILON));
        assert_eq!(smallest_step(DepthFormat::Depth32Float, 0.75), f64::from(f32::EPSILON) / 2.0);
        assert_eq!(smallest_step(DepthFormat::Depth32Float, 0.5), f64::from(f32::EPSILON) / 2.0);
        assert_eq!(smallest_step(DepthFormat::Depth32Float, 0.0), f64::from(f32::from_bits(1)));
        assert_eq!(smallest_step(DepthFormat::Depth16, 0.25), 1.0 / 65535.0);
        assert_eq!(smallest_step(DepthFormat::Depth24Stencil8, 1.0), 1.0 / 16_777_215.0);
    }

    #[test]
    fn the_offset_is_slope_times_factor_and_steps_times_units() {
        let depth = Plane { value: 0.5, dx: 0.25, dy: -0.5 };
        let offset =
            |factor, units| of(DepthOffset { factor, units }, DepthFormat::Depth32Float, &depth, [0.5, 0.6, 0.7]);
        assert_eq!(offset(0.0, 0.0), 0.0);
        assert_eq!(offset(2.0, 0.0), 1.0);
        assert_eq!(offset(-1.0, 4.0), -0.5 + 2.0 * f64::from(f32::EPSILON));
    }
}
