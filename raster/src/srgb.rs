//! The sRGB encoding of colour targets, correctly rounded both ways (IEC 61966-2-1; the Khronos Data Format
//! Specification, "sRGB transfer functions").
//!
//! Before: a blended linear colour, or a stored byte. After: a byte, or the linear colour.
//! The curve's exponent is 2.4 = 12/5, so that comparing x with a point of the curve is comparing x⁵ with a twelfth power:
//! the tables are made by multiplication alone and are the same on every host. The tile kernel reads the same tables.

use std::sync::LazyLock;

/// Linear values below 2⁻¹³ encode to 0; from there to 1 each octave has 128 intervals, and in none of them the byte
/// changes twice.
const FIRST_INTERVAL: u32 = 0x3900_0000 >> INTERVAL_BITS;
/// The part of a float's bits that tells places within an interval.
const INTERVAL_BITS: u32 = 16;
/// 13 octaves, and 1 itself.
pub const INTERVALS: usize = 13 * 128 + 1;

/// The tables as the device has them: [`INTERVALS`] words of the encoding, then 256 floats of the decoding.
pub static TABLES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let thresholds: Vec<u32> = (1..=255).map(threshold).collect();
    let encoding = (0..INTERVALS as u32).map(|interval| {
        let first = (FIRST_INTERVAL + interval) << INTERVAL_BITS;
        let byte = thresholds.iter().filter(|threshold| **threshold <= first).count() as u32;
        // Where in the interval the byte grows by one, seen from its end.
        let end = first + (1 << INTERVAL_BITS);
        let next = thresholds.get(byte as usize).copied().unwrap_or(u32::MAX);
        (byte << INTERVAL_BITS) + end.saturating_sub(next)
    });
    encoding.chain((0..256).map(|byte| decoded(byte).to_bits())).collect()
});

/// The byte of a linear value in [0, 1]: the nearest of 255 times its encoding.
pub fn encode(linear: f32) -> u32 {
    let bits = linear.max(f32::from_bits(FIRST_INTERVAL << INTERVAL_BITS)).to_bits();
    let entry = TABLES[((bits >> INTERVAL_BITS) - FIRST_INTERVAL) as usize];
    (entry + (bits & ((1 << INTERVAL_BITS) - 1))) >> INTERVAL_BITS
}

/// The linear value of a byte, rounded to the nearest f32.
pub fn decode(byte: u8) -> f32 {
    f32::from_bits(TABLES[INTERVALS + usize::from(byte)])
}

/// Bits of the least f32 whose encoding is at least (byte − ½)/255.
fn threshold(byte: u32) -> u32 {
    let encoded = (f64::from(byte) - 0.5) / 255.0;
    // Bits of non-negative floats order like the floats.
    let (mut low, mut high) = (0, 1.0f32.to_bits());
    while low < high {
        let middle = (low + high) / 2;
        if is_at_least(f64::from(f32::from_bits(middle)), encoded) { high = middle } else { low = middle + 1 }
    }
    low
}

/// Whether the encoding of a linear value is at least `encoded`.
fn is_at_least(linear: f64, encoded: f64) -> bool {
    if encoded <= 0.04045 { linear * 12.92 >= encoded } else { fifth_power(linear) >= curve_to_the_fifth(encoded) }
}

/// ((c + 0.055) / 1.055)^12, which is the fifth power of the decoding of c.
fn curve_to_the_fifth(encoded: f64) -> f64 {
    let base = (encoded + 0.055) / 1.055;
    let to_the_fourth = base * base * base * base;
    to_the_fourth * to_the_fourth * to_the_fourth
}

fn fifth_power(x: f64) -> f64 {
    x * x * x * x * x
}

/// The linear value of a byte.
fn decoded(byte: u32) -> f32 {
    let encoded = f64::from(byte) / 255.0;
    if encoded <= 0.04045 {
        return (encoded / 12.92) as f32;
    }
    // Newton's method for the fifth root, from above.
    let power = curve_to_the_fifth(encoded);
    let mut root = 1.0f64;
    for _ in 0..100 {
        root -= (fifth_power(root) - power) / (5.0 * root * root * root * root);
    }
    root as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plain formula in f64. Only tests use the host's `powf`: it is good to far more digits than they ask for.
    fn plain(linear: f64) -> f64 {
        255.0 * if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
    }

    #[test]
    fn a_byte_that_is_decoded_and_encoded_stays() {
        for byte in 0..=255u8 {
            assert_eq!(encode(decode(byte)), u32::from(byte));
        }
        assert_eq!((encode(0.0), encode(1.0), decode(0), decode(255)), (0, 255, 0.0, 1.0));
    }

    /// Published values of the curve: the Khronos Data Format Specification's formula at mid grey and its neighbours.
    #[test]
    fn decoding_is_the_formula() {
        for byte in 0..=255u8 {
            let encoded = f64::from(byte) / 255.0;
            let linear = if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) };
            assert!((f64::from(decode(byte)) - linear).abs() <= linear * 6.0e-8, "byte {byte}");
        }
        assert_eq!(decode(128), 0.215_860_5);
    }

    /// Around each of the 255 steps, ten thousand floats on either side; and a million floats over [0, 1].
    #[test]
    fn encoding_is_correctly_rounded() {
        let check = |bits: u32| {
            let linear = f32::from_bits(bits);
            let exact = plain(f64::from(linear));
            let byte = encode(linear);
            // The two pieces of the curve do not quite meet, and the host's `powf` has an error of its own.
            assert!((f64::from(byte) - exact).abs() <= 0.5 + 1e-5, "{linear:e} is {exact}, encoded {byte}");
        };
        for bits in (0..=1.0f32.to_bits()).step_by(1051) {
            check(bits);
        }
        for byte in 1..=255 {
            let step = threshold(byte);
            assert_eq!((encode(f32::from_bits(step - 1)), encode(f32::from_bits(step))), (byte - 1, byte));
            // The step is where the formula says: within one float.
            let below = plain(f64::from(f32::from_bits(step - 2)));
            let above = plain(f64::from(f32::from_bits(step + 1)));
            let half = f64::from(byte) - 0.5;
            assert!(below < half && half < above, "byte {byte}: {below} {half} {above}");
            (step - 100..step + 100).for_each(check);
        }
    }

    #[test]
    fn encoding_never_falls() {
        let bytes: Vec<u32> = (0..=1.0f32.to_bits()).step_by(997).map(|bits| encode(f32::from_bits(bits))).collect();
        assert!(bytes.is_sorted());
    }
}
