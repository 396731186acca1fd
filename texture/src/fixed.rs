//! The one fixed-point number, named by its fraction bits: `Fixed<23>` is a texture coordinate, `Fixed<8>` a screen position.

/// Signed fixed point with `FRAC` fractional bits (0 to 31) in 32 bits.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fixed<const FRAC: u32>(i32);

impl<const FRAC: u32> Fixed<FRAC> {
    /// The fraction bits alone.
    const FRACTION_MASK: i32 = ((1u32 << FRAC) - 1) as i32;

    /// The number whose two's complement pattern is `bits`, that is `bits / 2^FRAC`.
    pub const fn from_bits(bits: i32) -> Self {
        Self(bits)
    }

    /// The two's complement pattern: the value times `2^FRAC`.
    pub const fn to_bits(self) -> i32 {
        self.0
    }

    /// As RISC-V's `fcvt.w.s` does it after scaling: nearest, ties to even; saturates; NaN becomes the largest.
    pub fn from_f32(value: f32) -> Self {
        let scaled = (value * (1u64 << FRAC) as f32).round_ties_even();
        Self(if scaled.is_nan() { i32::MAX } else { scaled as i32 })
    }

    /// The nearest `f32`, ties to even. Exact when the number has at most 24 significant bits.
    pub fn to_f32(self) -> f32 {
        // A power of two: the division is exact.
        self.0 as f32 / (1u64 << FRAC) as f32
    }

    /// The largest integer not above the value.
    pub const fn floor(self) -> i32 {
        self.0 >> FRAC
    }

    /// The part above [`Fixed::floor`], in units of `2^-FRAC`: 0 to `2^FRAC - 1`, for negative values too.
    pub const fn fraction_bits(self) -> u32 {
        (self.0 & Self::FRACTION_MASK) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floor_goes_down_below_zero() {
        assert_eq!(Fixed::<8>::from_f32(-1.25).floor(), -2);
        assert_eq!(Fixed::<8>::from_f32(-1.25).fraction_bits(), 192);
        assert_eq!(Fixed::<8>::from_f32(1.25).floor(), 1);
        assert_eq!(Fixed::<8>::from_f32(1.25).fraction_bits(), 64);
    }

    #[test]
    fn halves_go_to_the_even_neighbour() {
        assert_eq!(Fixed::<0>::from_f32(0.5).to_bits(), 0);
        assert_eq!(Fixed::<0>::from_f32(1.5).to_bits(), 2);
        assert_eq!(Fixed::<8>::from_f32(-2.5 / 256.0).to_bits(), -2);
    }

    #[test]
    fn what_does_not_fit_saturates() {
        assert_eq!(Fixed::<23>::from_f32(256.0).to_bits(), i32::MAX);
        assert_eq!(Fixed::<23>::from_f32(-256.0).to_bits(), i32::MIN);
        assert_eq!(Fixed::<23>::from_f32(f32::INFINITY).to_bits(), i32::MAX);
        assert_eq!(Fixed::<23>::from_f32(f32::NEG_INFINITY).to_bits(), i32::MIN);
        assert_eq!(Fixed::<23>::from_f32(f32::NAN).to_bits(), i32::MAX);
    }

    #[test]
    fn thirty_one_fraction_bits_are_allowed() {
        assert_eq!(Fixed::<31>::from_f32(-1.0).to_bits(), i32::MIN);
        assert_eq!(Fixed::<31>::from_bits(i32::MAX).floor(), 0);
        assert_eq!(Fixed::<31>::from_bits(-1).fraction_bits(), 0x7fff_ffff);
    }

    #[test]
    fn the_way_back_is_exact_for_small_numbers() {
        for bits in [-(1 << 23), -12345, -1, 0, 1, 77, (1 << 24) - 1] {
            let number = Fixed::<8>::from_bits(bits);
            assert_eq!(Fixed::<8>::from_f32(number.to_f32()), number);
        }
    }
}
