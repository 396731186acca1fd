//! Numbers of about 106 digits: the unevaluated sum of two `f64`, the second at most half a unit of the first.
//!
//! Before: nothing of the machine. After: `reference`, which computes functions in them. Only additions, multiplications,
//! divisions and square roots of `f64` are used. Source of the algorithms: Dekker, "A floating-point technique for extending the
//! available precision" (1971); Knuth's sum; Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building
//! blocks of double-word arithmetic" (2017).

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `high + low`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Twice {
    /// The sum, rounded.
    pub high: f64,
    /// What the first part lacks.
    pub low: f64,
}

/// The sum of two numbers, exactly.
fn sum(a: f64, b: f64) -> Twice {
    let high = a + b;
    let other = high - a;
    Twice { high, low: (a - (high - other)) + (b - other) }
}

/// The sum of two numbers of which the first is the larger, exactly.
fn quick_sum(a: f64, b: f64) -> Twice {
    let high = a + b;
    Twice { high, low: b - (high - a) }
}

/// 26 digits and the rest.
fn split(a: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// The product of two numbers, exactly.
fn product(a: f64, b: f64) -> Twice {
    let high = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    let low = ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low;
    Twice { high, low }
}

impl Twice {
    /// 1.
    pub const ONE: Self = Self::new(1.0);
    /// π.
    pub const PI: Self = Self { high: std::f64::consts::PI, low: 1.224_646_799_147_353_2e-16 };
    /// The natural logarithm of 2.
    pub const LN_2: Self = Self { high: std::f64::consts::LN_2, low: 2.319_046_813_846_299_6e-17 };
    /// The natural logarithm of 10.
    pub const LN_10: Self = Self { high: std::f64::consts::LN_10, low: -2.170_756_223_382_249_4e-16 };

    /// A number of `f64`.
    pub const fn new(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }

    /// Times a power of two, which loses nothing.
    pub fn scale(self, power: f64) -> Self {
        Self { high: self.high * power, low: self.low * power }
    }

    /// Its magnitude.
    pub fn abs(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }

    /// Its square root; it is not negative.
    pub fn sqrt(self) -> Self {
        if self.high == 0.0 {
            return self;
        }
        let root = libm::sqrt(self.high);
        let rest = self - product(root, root);
        quick_sum(root, rest.high / (2.0 * root))
    }

    /// Rounded to `f32`, once, to nearest, ties to even.
    pub fn to_f32(self) -> f32 {
        // An even first part moves to its odd neighbour on the side of the second: then rounding again does no harm.
        let bits = self.high.to_bits();
        let is_outward = (self.low > 0.0) == (self.high > 0.0);
        let odd = match self.low != 0.0 && bits & 1 == 0 {
            true if is_outward => bits + 1,
            true => bits - 1,
            false => bits,
        };
        f64::from_bits(odd) as f32
    }
}

impl Neg for Twice {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Add for Twice {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = (sum(self.high, other.high), sum(self.low, other.low));
        let first = quick_sum(high.high, high.low + low.high);
        quick_sum(first.high, first.low + low.low)
    }
}

impl Sub for Twice {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Twice {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let high = product(self.high, other.high);
        quick_sum(high.high, high.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Twice {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::new(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::new(second);
        quick_sum(first, second) + Self::new(rest.high / other.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (a + b·2^-60) · (a − b·2^-60) = a² − b²·2^-120, which 106 digits hold but for the last part.
    #[test]
    fn products_and_quotients_have_a_hundred_digits() {
        let tiny = 1.0 / (1_u64 << 60) as f64;
        let (x, y) = (Twice { high: 3.0, low: tiny }, Twice { high: 3.0, low: -tiny });
        let square = x * y;
        assert_eq!(square.high, 9.0);
        assert!(square.low.abs() < 1e-31, "{square:?}");
        let back = square / y - x;
        assert!(back.high.abs() < 1e-30, "{back:?}");
        let third = Twice::ONE / Twice::new(3.0);
        let rest = third * Twice::new(3.0) - Twice::ONE;
        assert!(rest.high.abs() < 1e-31, "{rest:?}");
        let root = Twice::new(2.0).sqrt();
        let rest = root * root - Twice::new(2.0);
        assert!(rest.high.abs() < 1e-30, "{rest:?}");
    }

    #[test]
    fn rounding_once_sees_the_second_part() {
        // The middle between 1 and its upper neighbour, and a little on either side.
        let middle = 1.0 + 1.0 / 16_777_216.0;
        let above = Twice { high: middle, low: 1e-20 };
        let below = Twice { high: middle, low: -1e-20 };
        assert_eq!([above.to_f32().to_bits(), below.to_f32().to_bits()], [0x3f80_0001, 0x3f80_0000]);
        assert_eq!(Twice::new(middle).to_f32().to_bits(), 0x3f80_0000, "a tie goes to the even one");
        assert_eq!((-above).to_f32().to_bits(), 0xbf80_0001);
    }
}
