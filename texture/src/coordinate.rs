//! From a floating-point texture coordinate to the Q9.23 number that the sampler takes.
//!
//! Before: interpolated attributes. After: `footprint`. Q9.23 holds ±256; a larger coordinate would saturate and every
//! pixel beyond would show one texel. So a coordinate of 128 or more is first moved, by an even number of whole textures, to
//! just below 128: right for repeat (period 1) and mirror (period 2), and still far outside for clamp and border.

use crate::fixed::Fixed;

/// Fraction bits of a coordinate: 15 bits of texel index and 8 bits between two texels.
pub const COORDINATE_FRACTION_BITS: u32 = 23;

/// From here on a coordinate is reduced.
const REDUCED_FROM: f32 = 128.0;
/// From here on every `f32` is an even integer.
const ALL_EVEN_FROM: f32 = 33_554_432.0;

/// Normalised coordinate (0 to 1 across the texture) to signed Q9.23, nearest, ties to even.
///
/// A magnitude of 128 or more is replaced by itself modulo 2, plus 126, keeping its sign. The result therefore lies within
/// ±128, and adding half a texel to it cannot overflow. Infinities become ±126, and so does a NaN by its sign bit; repeat
/// and mirror read that like 0.
///
/// The steps, each exact in `f32` except the final rounding, for a translation to another language:
/// `a = min(|u|, 2^25)` (a NaN loses against the number), `r = a - 2·floor(max(a - 126, 0) / 2)`,
/// `q = round(r · 2^23)` with the sign of `u`.
#[inline(always)]
pub fn coordinate_from_f32(coordinate: f32) -> i32 {
    let magnitude = coordinate.abs().min(ALL_EVEN_FROM);
    let reduced = if magnitude < REDUCED_FROM {
        magnitude
    } else {
        (magnitude - 2.0 * (magnitude * 0.5).floor()) + (REDUCED_FROM - 2.0)
    };
    let bits = Fixed::<COORDINATE_FRACTION_BITS>::from_f32(reduced).to_bits();
    if coordinate.is_sign_negative() { -bits } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ONE: i32 = 1 << 23;

    #[test]
    fn ordinary_coordinates_are_scaled() {
        assert_eq!(coordinate_from_f32(0.0), 0);
        assert_eq!(coordinate_from_f32(-0.0), 0);
        assert_eq!(coordinate_from_f32(1.0), ONE);
        assert_eq!(coordinate_from_f32(-0.125), -(1 << 20));
        assert_eq!(coordinate_from_f32(127.5), 127 * ONE + ONE / 2);
    }

    #[test]
    fn half_a_unit_goes_to_even() {
        let unit = 1.0 / ONE as f32;
        assert_eq!(coordinate_from_f32(0.5 * unit), 0);
        assert_eq!(coordinate_from_f32(1.5 * unit), 2);
        assert_eq!(coordinate_from_f32(-1.5 * unit), -2);
        assert_eq!(coordinate_from_f32(f32::from_bits(1)), 0);
    }

    #[test]
    fn large_coordinates_keep_sign_and_phase() {
        assert_eq!(coordinate_from_f32(128.0), 126 * ONE);
        assert_eq!(coordinate_from_f32(129.25), 127 * ONE + ONE / 4);
        assert_eq!(coordinate_from_f32(-129.25), -(127 * ONE + ONE / 4));
        assert_eq!(coordinate_from_f32(16_777_215.0), 127 * ONE);
        assert_eq!(coordinate_from_f32(1e9), 126 * ONE);
        assert_eq!(coordinate_from_f32(-1e9), -126 * ONE);
    }

    #[test]
    fn infinities_and_nan_have_a_place() {
        assert_eq!(coordinate_from_f32(f32::INFINITY), 126 * ONE);
        assert_eq!(coordinate_from_f32(f32::NEG_INFINITY), -126 * ONE);
        assert_eq!(coordinate_from_f32(f32::NAN.copysign(1.0)), 126 * ONE);
        assert_eq!(coordinate_from_f32(f32::NAN.copysign(-1.0)), -126 * ONE);
    }

    proptest! {
        #![proptest_config(crate::seeded::seeded(256))]

        /// Independent computation: in f64 the remainder by two is exact for every f32.
        #[test]
        fn every_bit_pattern_agrees_with_f64(bits: u32) {
            let coordinate = f32::from_bits(bits);
            let got = coordinate_from_f32(coordinate);
            prop_assert!(got.unsigned_abs() <= 128 << 23);
            if coordinate.is_finite() {
                let wide = f64::from(coordinate).abs();
                let reduced = if wide < 128.0 { wide } else { 126.0 + wide % 2.0 };
                let expected = (reduced * f64::from(ONE)).round_ties_even() as i32;
                prop_assert_eq!(got, if coordinate < 0.0 { -expected } else { expected });
            }
        }
    }
}
