//! Inputs from seeds, and the distance of floats.

use super::Bound;

/// A word that looks random, by place and seed (the finisher of MurmurHash3).
pub fn hash(n: u32, seed: u32) -> u32 {
    let mut h = n ^ seed.wrapping_mul(0x9e37_79b9);
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

/// So many random words.
pub fn words(seed: u32, count: u32) -> Vec<u32> {
    (0..count).map(|n| hash(n, seed)).collect()
}

/// So many random words below a limit.
pub fn below(limit: u32, seed: u32, count: u32) -> Vec<u32> {
    (0..count).map(|n| hash(n, seed) % limit).collect()
}

/// So many floats from -1 to 1, all multiples of 2^-12.
pub fn floats(seed: u32, count: u32) -> Vec<f32> {
    (0..count).map(|n| (hash(n, seed) % 8193) as f32 / 4096.0 - 1.0).collect()
}

/// The bits of floats.
pub fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// The bits of signed integers.
pub fn signed(values: &[i32]) -> Vec<u32> {
    values.iter().map(|value| *value as u32).collect()
}

/// Whether two floats, given by their bits, are within a bound.
pub fn is_near(found: u32, wanted: u32, bound: Bound) -> bool {
    let [found, wanted] = [found, wanted].map(|bits| f64::from(f32::from_bits(bits)));
    if found.is_nan() || wanted.is_nan() {
        return found.is_nan() && wanted.is_nan();
    }
    // The unit in the last place of `wanted`: 2^(exponent - 23), no smaller than that of the smallest normal number.
    let magnitude = wanted.abs().max(f64::from(f32::MIN_POSITIVE));
    let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
    let ulp = f64::from_bits(((exponent - 23 + 1023) as u64) << 52);
    found == wanted || (found - wanted).abs() <= f64::from(bound.absolute).max(f64::from(bound.ulps) * ulp)
}
