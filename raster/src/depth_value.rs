//! Depths as a depth target stores them.
//!
//! Before: an interpolated depth. After: the depth test, which compares the stored words as integers.
//! Unsigned formats hold the nearest of z · (2ⁿ − 1) (Vulkan, "Conversion From Floating-Point to Normalized Fixed-Point");
//! the float format holds the bits of the f32, because non-negative floats order like integers. The tile kernel does the
//! same operations in the same order (`kernels/tile/depth.wgsl`).

use crate::format::DepthFormat;
use crate::unit_range::saturate;

/// Bits of the depth in a word of `Depth24Stencil8`; the stencil value lies above them.
pub const DEPTH24_BITS: u32 = 24;

/// The part of a `Depth24Stencil8` word that is depth.
pub const DEPTH24_MASK: u32 = (1 << DEPTH24_BITS) - 1;

impl DepthFormat {
    /// A depth clamped to [0, 1] as it is stored and compared; a NaN is 0.
    pub fn value_of(self, depth: f32) -> u32 {
        let depth = saturate(depth);
        match self {
            Self::Depth16 => unsigned(depth, 65536.0),
            Self::Depth24Stencil8 => unsigned(depth, 16_777_216.0),
            Self::Depth32Float | Self::Depth32FloatStencil8 => depth.to_bits(),
        }
    }

    /// The depth of a stored word.
    pub fn depth_of(self, word: u32) -> f32 {
        match self {
            Self::Depth16 => word as f32 / 65535.0,
            Self::Depth24Stencil8 => ((word & DEPTH24_MASK) as f64 / f64::from(DEPTH24_MASK)) as f32,
            Self::Depth32Float | Self::Depth32FloatStencil8 => f32::from_bits(word),
        }
    }

    /// The words of a sample with this depth and stencil value; of `Depth32FloatStencil8` the second is the stencil value,
    /// the other formats have no second.
    pub fn words_of(self, depth: f32, stencil: u8) -> [u32; 2] {
        let (value, stencil) = (self.value_of(depth), u32::from(stencil));
        match self {
            Self::Depth16 | Self::Depth32Float => [value, 0],
            Self::Depth24Stencil8 => [value | stencil << DEPTH24_BITS, 0],
            Self::Depth32FloatStencil8 => [value, stencil],
        }
    }

    /// The number the tile kernel knows it by.
    pub const fn code(self) -> u32 {
        self as u32
    }
}

/// The nearest integer of z · (scale − 1), as z · scale − z: the whole part and the fraction of z · scale are exact, and
/// one rounding is left, of fraction − z. So the result is nearest unless the exact value lies within 2⁻²⁵ of a tie.
fn unsigned(depth: f32, scale: f32) -> u32 {
    let scaled = depth * scale;
    let whole = scaled as u32;
    let rest = (scaled - whole as f32) - depth;
    whole.wrapping_add_signed(rest.round_ties_even() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// z · (2ⁿ − 1) exactly, as a fraction with denominator 2^149.
    fn exact(depth: f32, bits: u32) -> (u128, u128) {
        let (mantissa, exponent) = ((depth.to_bits() & 0x7f_ffff) | 0x80_0000, depth.to_bits() >> 23);
        let shift = 150 - exponent;
        let product = u128::from(mantissa) * ((1 << bits) - 1);
        // Depths below 2^-40 are far below half a step.
        if shift > 100 { (0, 0) } else { (product >> shift, (product << (128 - shift)) >> 64) }
    }

    #[track_caller]
    fn check_nearest(format: DepthFormat, bits: u32, depth: f32) {
        let (whole, fraction) = exact(depth, bits);
        let half = 1u128 << 63;
        // Within 2^-25 of a tie either neighbour is right.
        let tolerance = 1u128 << (64 - 25);
        let value = u128::from(format.value_of(depth));
        let up = fraction + tolerance > half && value == whole + 1;
        let down = fraction < half + tolerance && value == whole;
        assert!(up || down, "{depth:e} at {bits} bits is {value}, exactly {whole} + {fraction}/2^64");
    }

    #[test]
    fn both_ends_are_exact() {
        for (format, most) in [
            (DepthFormat::Depth16, 0xffff),
            (DepthFormat::Depth24Stencil8, 0xff_ffff),
            (DepthFormat::Depth32Float, 0x3f80_0000),
        ] {
            assert_eq!((format.value_of(0.0), format.value_of(1.0)), (0, most));
            assert_eq!((format.value_of(-3.0), format.value_of(7.0), format.value_of(f32::NAN)), (0, most, 0));
            assert_eq!((format.depth_of(0), format.depth_of(most)), (0.0, 1.0));
        }
        assert_eq!(DepthFormat::Depth24Stencil8.words_of(1.0, 0x5a)[0], 0x5aff_ffff);
    }

    #[test]
    fn a_stored_depth_is_stored_again_as_it_was() {
        for value in 0..=0xffff {
            assert_eq!(DepthFormat::Depth16.value_of(DepthFormat::Depth16.depth_of(value)), value);
        }
        for value in (0..=0xff_ffff).step_by(997).chain(0xff_f000..=0xff_ffff) {
            let format = DepthFormat::Depth24Stencil8;
            assert_eq!(format.value_of(format.depth_of(value)), value);
        }
    }

    proptest! {
        #![proptest_config(crate::seeded::seeded(20_000))]

        #[test]
        fn unsigned_depths_are_the_nearest(bits in 0x2b80_0000u32..=0x3f80_0000) {
            let depth = f32::from_bits(bits);
            check_nearest(DepthFormat::Depth16, 16, depth);
            check_nearest(DepthFormat::Depth24Stencil8, 24, depth);
        }
    }
}
