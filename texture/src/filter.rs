//! Step 3 of a sample: four colours and two weights become one colour.
//!
//! Before: `footprint` gave the weights, the caller the bytes, `format` the colours.
//! Source: Vortex and Skybox (2024): 8-bit weights of 255, along x on both rows, then along y, each rounding to 8 bits.

/// `a·(255 − f) + b·f` divided by 255 and rounded to nearest, for each of the four 8-bit channels. `fraction` is 0 to 255.
///
/// The one interpolation of the sampler: along x, along y, and between levels. Equal operands come back unchanged.
#[inline(always)]
pub const fn lerp_packed(a: u32, b: u32, fraction: u32) -> u32 {
    const PAIR: u32 = 0x00ff_00ff;
    let low = lerp_pair(a & PAIR, b & PAIR, fraction);
    let high = lerp_pair(a >> 8 & PAIR, b >> 8 & PAIR, fraction);
    high << 8 | low
}

/// Two channels in the low bytes of two 16-bit halves. No half overflows: 255·255 + 128 + 254 is below 2^16.
#[inline(always)]
const fn lerp_pair(a: u32, b: u32, fraction: u32) -> u32 {
    const PAIR: u32 = 0x00ff_00ff;
    let sum = a * (255 - fraction) + b * fraction + 0x0080_0080;
    ((sum + (sum >> 8 & PAIR)) >> 8) & PAIR
}

/// `a + (b − a)·(f / 256)` in `f32`, each of the three operations rounded to nearest even; `a` itself where the weight is zero or both
/// are equal, so that an infinity beside a texel that has no weight does no harm. `fraction` is 0 to 255.
///
/// The interpolation of the wide form. A weight counts 256ths here, as it stands between two texels; 255ths are a matter of 8-bit
/// results. A NaN is the canonical one.
#[inline(always)]
pub fn lerp_f32(a: f32, b: f32, fraction: u32) -> f32 {
    let between = a + (b - a) * (fraction as f32 * (1.0 / 256.0));
    if fraction == 0 || a == b {
        a
    } else if between.is_nan() {
        f32::from_bits(0x7fc0_0000)
    } else {
        between
    }
}

/// [`filter`] of one channel in `f32`: along x on both rows, then along y.
#[inline(always)]
pub fn filter_f32(channels: [f32; 4], alpha: u32, beta: u32) -> f32 {
    let upper = lerp_f32(channels[0], channels[1], alpha);
    let lower = lerp_f32(channels[2], channels[3], alpha);
    lerp_f32(upper, lower, beta)
}

/// The colour between four colours `0xAARRGGBB` in the order of [`crate::Footprint::taps`]; weights 0 to 255.
#[inline(always)]
pub const fn filter(colors: [u32; 4], alpha: u32, beta: u32) -> u32 {
    let upper = lerp_packed(colors[0], colors[1], alpha);
    let lower = lerp_packed(colors[2], colors[3], alpha);
    lerp_packed(upper, lower, beta)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every channel value pair and weight against rounding in integers done another way.
    #[test]
    fn lerp_is_the_rounded_division_by_255() {
        for a in 0..=255u32 {
            for b in 0..=255u32 {
                for fraction in [0, 1, 2, 63, 64, 85, 127, 128, 129, 191, 253, 254, 255] {
                    let exact = a * (255 - fraction) + b * fraction;
                    // 255 is odd: there are no ties.
                    let nearest = (2 * exact + 255) / 510;
                    // Different neighbours in every channel show a carry from one to the next.
                    let got = lerp_packed(a << 24 | b << 16 | a << 8 | b, b << 24 | a << 16 | b << 8 | a, fraction);
                    let other = (2 * (b * (255 - fraction) + a * fraction) + 255) / 510;
                    assert_eq!(got, nearest << 24 | other << 16 | nearest << 8 | other, "{a} {b} {fraction}");
                }
            }
        }
    }

    #[test]
    fn x_is_rounded_before_y() {
        // Along x first: 1·(127/255) = 0.498 → 0 on both rows; along y first it would be the same rows of 1 → 0.
        assert_eq!(filter([0, 1, 0, 1], 127, 128), 0);
        assert_eq!(filter([0, 1, 0, 1], 128, 128), 1);
        // Rows 0 and 1 after x, then y at 128/255 of 1 → 1, whereas the exact weighted sum 0.252 would round to 0.
        assert_eq!(filter([0, 0, 0, 1], 128, 128), 1);
    }

    #[test]
    fn the_wide_lerp_counts_256ths() {
        assert_eq!(lerp_f32(1.0, 2.0, 64), 1.25);
        assert_eq!(lerp_f32(-3.0, 5.0, 255), -3.0 + 8.0 * 255.0 / 256.0);
        // Rounded at each step: 1 + (2^-24 − 1)·½ with the difference −1 + 2^-24 exact.
        assert_eq!(lerp_f32(1.0, 1.0 / 16_777_216.0, 128), 1.0 - 0.5 * (1.0 - 1.0 / 16_777_216.0));
        assert_eq!(lerp_f32(1.0, f32::INFINITY, 0), 1.0);
        assert_eq!(lerp_f32(f32::INFINITY, f32::INFINITY, 7), f32::INFINITY);
        assert_eq!(lerp_f32(f32::NEG_INFINITY, f32::INFINITY, 7).to_bits(), 0x7fc0_0000);
        assert_eq!(filter_f32([0.0, 1.0, 2.0, 3.0], 128, 64), 1.0);
        // A tap without weight may be anything.
        assert_eq!(filter_f32([1.0, f32::NAN, f32::INFINITY, f32::NAN], 0, 0), 1.0);
    }

    #[test]
    fn zero_weights_are_the_first_color() {
        assert_eq!(filter([0x1234_5678, u32::MAX, 0, 1], 0, 0), 0x1234_5678);
        assert_eq!(filter([0, 0x1234_5678, 0, 0], 255, 0), 0x1234_5678);
        assert_eq!(filter([0, 0, 0x1234_5678, 0], 0, 255), 0x1234_5678);
        assert_eq!(filter([0, 0, 0, 0x1234_5678], 255, 255), 0x1234_5678);
    }
}
