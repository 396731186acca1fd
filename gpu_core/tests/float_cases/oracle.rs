//! Rounding by its definition: exact integers, and a search for the two neighbours.

use gpu_core::semantics::float::{Flags, Rounding};
use std::cmp::Ordering;

const LIMBS: usize = 10;

/// A signed integer of 640 bits, two's complement, little end first.
#[derive(Copy, Clone)]
struct Wide([u64; LIMBS]);

impl Wide {
    fn from(value: i64) -> Self {
        let mut limbs = [if value < 0 { u64::MAX } else { 0 }; LIMBS];
        limbs[0] = value as u64;
        Self(limbs)
    }

    fn shl(self, count: usize) -> Self {
        let (words, bits) = (count / 64, count % 64);
        let mut limbs = [0; LIMBS];
        for to in (words..LIMBS).rev() {
            limbs[to] = self.0[to - words] << bits;
            if bits > 0 && to > words {
                limbs[to] |= self.0[to - words - 1] >> (64 - bits);
            }
        }
        Self(limbs)
    }

    fn add(self, other: Self) -> Self {
        let mut carry = 0;
        Self(std::array::from_fn(|index| {
            let sum = u128::from(self.0[index]) + u128::from(other.0[index]) + carry;
            carry = sum >> 64;
            sum as u64
        }))
    }

    fn negate(self) -> Self {
        Self(self.0.map(|limb| !limb)).add(Self::from(1))
    }

    /// Modulo 2^640, which two's complement makes right for signed factors too.
    fn mul(self, other: Self) -> Self {
        let mut total = Self::from(0);
        for (low, &a) in self.0.iter().enumerate().filter(|(_, a)| **a != 0) {
            let mut partial = Self::from(0);
            let mut carry = 0;
            for high in 0..LIMBS - low {
                let product = u128::from(a) * u128::from(other.0[high]) + carry;
                partial.0[low + high] = product as u64;
                carry = product >> 64;
            }
            total = total.add(partial);
        }
        total
    }

    fn is_negative(self) -> bool {
        self.0[LIMBS - 1] >> 63 == 1
    }

    fn is_zero(self) -> bool {
        self.0 == [0; LIMBS]
    }

    fn compare(self, other: Self) -> Ordering {
        let difference = self.add(other.negate());
        match (difference.is_negative(), difference.is_zero()) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Equal,
            _ => Ordering::Greater,
        }
    }
}

/// The magnitude of a finite number in units of 2^-149, an integer. The bits of +∞ stand for 2^128.
fn magnitude_in_units(bits: u32) -> Wide {
    let (field, fraction) = ((bits >> 23 & 0xff) as usize, i64::from(bits & 0x7f_ffff));
    if field == 0 { Wide::from(fraction) } else { Wide::from(fraction | 0x80_0000).shl(field - 1) }
}

/// The value in units of 2^-149; `None` for infinities and NaNs.
fn in_units(bits: u32) -> Option<Wide> {
    let magnitude = magnitude_in_units(bits);
    match (bits >> 23 & 0xff, bits >> 31) {
        (0xff, _) => None,
        (_, 0) => Some(magnitude),
        _ => Some(magnitude.negate()),
    }
}

/// An exact, finite, non-zero result: its sign, and a way to compare its magnitude with any multiple of 2^-151.
pub struct Exact {
    negative: bool,
    kind: Kind,
}

enum Kind {
    /// The magnitude in units of 2^-300.
    Number(Wide),
    /// Dividend and divisor, both in units of 2^-149.
    Quotient(Wide, Wide),
    /// The square of the magnitude in units of 2^-302.
    Root(Wide),
}

fn magnitude(value: Wide) -> Wide {
    if value.is_negative() { value.negate() } else { value }
}

impl Exact {
    /// `a * b + c`.
    pub fn fma(a: u32, b: u32, c: u32) -> Option<Self> {
        let sum = in_units(a)?.mul(in_units(b)?).add(in_units(c)?.shl(149));
        (!sum.is_zero()).then(|| Self { negative: sum.is_negative(), kind: Kind::Number(magnitude(sum).shl(2)) })
    }

    /// `a / b`.
    pub fn div(a: u32, b: u32) -> Option<Self> {
        let (dividend, divisor) = (in_units(a)?, in_units(b)?);
        let negative = dividend.is_negative() != divisor.is_negative();
        let is_ordinary = !dividend.is_zero() && !divisor.is_zero();
        is_ordinary.then(|| Self { negative, kind: Kind::Quotient(magnitude(dividend), magnitude(divisor)) })
    }

    /// The square root of a positive number.
    pub fn sqrt(a: u32) -> Option<Self> {
        let square = in_units(a)?;
        (!square.is_zero()).then(|| Self { negative: false, kind: Kind::Root(square.shl(149 + 4)) })
    }

    /// An integer.
    pub fn integer(value: i64) -> Option<Self> {
        let number = magnitude(Wide::from(value)).shl(300);
        (value != 0).then_some(Self { negative: value < 0, kind: Kind::Number(number) })
    }

    /// The magnitude against `candidate · 2^-151`.
    fn compare(&self, candidate: Wide) -> Ordering {
        match self.kind {
            Kind::Number(number) => number.compare(candidate.shl(149)),
            Kind::Quotient(dividend, divisor) => dividend.shl(149 + 2).compare(candidate.mul(divisor)),
            Kind::Root(square) => square.compare(candidate.mul(candidate)),
        }
    }

    /// The bits and flags that IEEE 754 defines.
    pub fn round(&self, rounding: Rounding) -> (u32, Flags) {
        const INFINITY: u32 = 0x7f80_0000;
        let sign = if self.negative { 0x8000_0000 } else { 0 };
        let quarter_units = |bits: u32| magnitude_in_units(bits).shl(2);
        // The largest magnitude that is not above the exact one; the bits of +∞ count as 2^128.
        let (mut low, mut high) = (0, INFINITY + 1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.compare(quarter_units(middle)) == Ordering::Less { high = middle } else { low = middle }
        }
        let is_exact = low != INFINITY && self.compare(quarter_units(low)) == Ordering::Equal;
        let goes_up = |below: Wide, above: Wide, above_is_even: bool| {
            let sum = below.add(above);
            let to_middle = self.compare(Wide(std::array::from_fn(|index| {
                sum.0[index] >> 1 | sum.0.get(index + 1).map_or(0, |next| next << 63)
            })));
            match rounding {
                Rounding::TowardZero => false,
                Rounding::Down => self.negative,
                Rounding::Up => !self.negative,
                Rounding::NearestEven => {
                    to_middle == Ordering::Greater || to_middle == Ordering::Equal && above_is_even
                }
                Rounding::NearestMaxMagnitude => to_middle != Ordering::Less,
            }
        };
        if is_exact {
            return (sign | low, Flags::NONE);
        }
        let up = low != INFINITY && goes_up(quarter_units(low), quarter_units(low + 1), low & 1 == 1);
        let rounded = low + u32::from(up);
        if rounded == INFINITY {
            let reaches_infinity = match rounding {
                Rounding::NearestEven | Rounding::NearestMaxMagnitude => true,
                Rounding::TowardZero => false,
                Rounding::Down => self.negative,
                Rounding::Up => !self.negative,
            };
            return (sign | (INFINITY - u32::from(!reaches_infinity)), Flags::OF | Flags::NX);
        }
        // Tiny: below 2^-126 even after rounding to 24 bits with an unbounded exponent. The last such number is
        // 2^-126 − 2^-150, which is 2^25 − 2 in quarter units.
        let (last_tiny, first_normal) = (Wide::from((1 << 25) - 2), Wide::from(1 << 25));
        let is_tiny = match self.compare(first_normal) {
            Ordering::Less => self.compare(last_tiny) != Ordering::Greater || !goes_up(last_tiny, first_normal, true),
            _ => false,
        };
        (sign | rounded, if is_tiny { Flags::UF | Flags::NX } else { Flags::NX })
    }
}
