//! True values of a run of neighbouring operands, near enough to decide most results, from the reference at a few of them.
//!
//! Before: `reference`. After: `sweep`, which asks the reference itself where these values do not decide. Nothing here knows
//! the implementation under test. A run lies in one binade, so that its operands are evenly spaced, and is one of three:
//!
//! - constant: sine and tangent of whole half turns;
//! - angles many times around: sin(x + k·d) = sin x · cos k·d + cos x · sin k·d, the reference giving all four factors;
//! - a polynomial of degree 5 through six operands, held against the reference at seven others, which lie where such a
//!   polynomial errs most. What it is wrong by there, times 16, counts as its error anywhere: a function that is smooth far
//!   beyond the run has nearly the same sixth derivative throughout. Runs where it is not are halved, down to the plain way.

use super::reference;
use gpu_core::isa::Op;

/// The longest run.
pub const LONGEST: usize = 1 << 14;
/// Shorter runs are not worth it.
const SHORTEST: usize = 64;
/// Of runs of angles.
const ANGLES: usize = 1 << 10;

/// 2^128: an `f32` from here on is infinity.
pub const OVERFLOW: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;

/// Values of a run, and how far they may be from the true ones.
pub struct Near {
    pub values: Vec<f64>,
    pub slacks: Vec<f64>,
    /// Sines and cosines of multiples of the spacing, of this exponent.
    turns: Vec<[f64; 2]>,
    exponent: Option<u32>,
    /// As long as was good last.
    length: usize,
}

impl Default for Near {
    fn default() -> Self {
        Self { values: Vec::new(), slacks: Vec::new(), turns: Vec::new(), exponent: None, length: LONGEST }
    }
}

/// What is known of a run that begins at an operand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// So many values are in [`Near`].
    Near(usize),
    /// So many operands are outside the domain.
    Outside(usize),
    /// So many have to be asked for one by one.
    Nothing(usize),
}

impl Near {
    /// Values from an operand on; `left` are wanted at most.
    pub fn from(&mut self, op: Op, first: u32, left: usize) -> Known {
        let x = f32::from_bits(first);
        let (radians, half_turns) =
            (matches!(op, Op::Fsin | Op::Fcos | Op::Ftan), matches!(op, Op::Fsinpi | Op::Fcospi | Op::Ftanpi));
        let longest = left.min(1 << first.trailing_zeros().min(20));
        if !x.is_finite() {
            return Known::Outside(longest);
        }
        // Every f32 from 2^23 on is whole.
        if matches!(op, Op::Fsinpi | Op::Ftanpi) && x.abs() >= 8_388_608.0 {
            return self.constant(0.0, longest.min(LONGEST));
        }
        if matches!(op, Op::Fcospi) && x.abs() >= 16_777_216.0 {
            return self.constant(1.0, longest.min(LONGEST));
        }
        if (radians || half_turns) && x.abs() >= 64.0 && longest >= ANGLES {
            return self.angles(op, first);
        }
        if longest < SHORTEST {
            return Known::Nothing(longest);
        }
        let mut length = longest.min(self.length * 2).min(LONGEST);
        loop {
            if is_outside(op, first, length) {
                return Known::Outside(length);
            }
            if self.polynomial(op, first, length) {
                self.length = length;
                return Known::Near(length);
            }
            if length == SHORTEST {
                self.length = length;
                return Known::Nothing(length);
            }
            length /= 2;
        }
    }

    fn constant(&mut self, value: f64, length: usize) -> Known {
        self.values.clear();
        self.values.resize(length, value);
        self.slacks.clear();
        self.slacks.resize(length, 0.0);
        Known::Near(length)
    }

    fn angles(&mut self, op: Op, first: u32) -> Known {
        let is_radians = matches!(op, Op::Fsin | Op::Fcos | Op::Ftan);
        let [sine, cosine] = if is_radians { [Op::Fsin, Op::Fcos] } else { [Op::Fsinpi, Op::Fcospi] };
        let both = |x: f32| [sine, cosine].map(|op| reference::value(op, x, 0.0).expect("x is finite").high);
        let exponent = first >> 23;
        if self.exponent != Some(exponent) {
            let spacing = f32::from_bits(first + 1) - f32::from_bits(first);
            self.turns.clear();
            self.turns.extend((0..ANGLES).map(|k| both(k as f32 * spacing)));
            self.exponent = Some(exponent);
        }
        let [sine, cosine] = both(f32::from_bits(first));
        self.values.clear();
        self.slacks.clear();
        // Each factor and each of three operations is wrong by half a unit of the last place of 1 at most.
        const WRONG: f64 = 8.0 * f64::EPSILON;
        for &[sine_more, cosine_more] in &self.turns {
            let s = sine * cosine_more + cosine * sine_more;
            let c = cosine * cosine_more - sine * sine_more;
            let (value, slack) = match op {
                Op::Fsin | Op::Fsinpi => (s, WRONG),
                Op::Fcos | Op::Fcospi => (c, WRONG),
                // The derivatives by the two are 1/c and s/c².
                _ => (s / c, 4.0 * WRONG * (1.0 + (s / c).abs()) / c.abs()),
            };
            self.values.push(value);
            self.slacks.push(slack);
        }
        Known::Near(ANGLES)
    }

    /// Whether it is good enough.
    fn polynomial(&mut self, op: Op, first: u32, length: usize) -> bool {
        const MIDDLE: f64 = std::f64::consts::FRAC_1_SQRT_2;
        // Zeros of Chebyshev's polynomial of degree 6, outermost first, and where it is ±1.
        const NODES: [f64; 6] = [0.965_925_8, -0.965_925_8, 0.258_819, -MIDDLE, MIDDLE, -0.258_819];
        const CHECKS: [f64; 7] = [1.0, -1.0, 0.0, 0.866_025_4, -0.866_025_4, 0.5, -0.5];
        let half = (length - 1) as f64 / 2.0;
        let near = |place: f64| libm::rint(half + place * half);
        let at = |k: f64| reference::value(op, f32::from_bits(first + k as u32), 0.0).map(|value| value.high);
        let of = |k: f64| (k - half) / half;

        let mut places = [0.0; 6];
        let mut differences = [0.0; 6];
        let mut largest = 0.0_f64;
        for (n, node) in NODES.into_iter().enumerate() {
            let k = near(node);
            let Some(value) = at(k) else { return false };
            (places[n], differences[n]) = (of(k), value);
            largest = largest.max(value.abs());
        }
        // Newton's divided differences.
        for order in 1..6 {
            for n in (order..6).rev() {
                differences[n] = (differences[n] - differences[n - 1]) / (places[n] - places[n - order]);
            }
        }
        let value = |k: f64| {
            let t = of(k);
            (0..5).rev().fold(differences[5], |sum, n| sum * (t - places[n]) + differences[n])
        };
        let (mut wrong, mut points) = (0.0_f64, [0.0; 7]);
        for (point, check) in points.iter_mut().zip(CHECKS) {
            let k = near(check);
            let Some(truth) = at(k) else { return false };
            *point = truth;
            wrong = wrong.max((truth - value(k)).abs());
            largest = largest.max(truth.abs());
        }
        let slack = 16.0 * wrong + 8.0 * f64::EPSILON * largest;
        // The share of operands that this leaves open.
        let left_open = |point: &f64| match point.abs() - slack >= OVERFLOW {
            true => 0.0,
            false => (slack * per_unit(point.abs())).min(1.0),
        };
        let open: f64 = points.iter().map(left_open).sum();
        if open.is_nan() || open >= 1.0 / 256.0 {
            return false;
        }
        self.values.clear();
        self.values.extend((0..length).map(|k| value(k as f64)));
        self.slacks.clear();
        self.slacks.resize(length, slack);
        true
    }
}

/// One by the unit of the last place of an `f32` of this magnitude; it is not negative, or too small counts.
pub fn per_unit(magnitude: f64) -> f64 {
    let exponent = (magnitude.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    f64::from_bits(((1023 + 23 - exponent.clamp(-126, 127)) as u64) << 52)
}

/// Domains are intervals but for the poles of tangents, so that two ends on one side of a domain say it of all between:
/// none of them begins or ends inside a run, other than at ±1, which are powers of two.
fn is_outside(op: Op, first: u32, length: usize) -> bool {
    let is_out = |bits: u32| reference::value(op, f32::from_bits(bits), 0.0).is_none();
    let last = first + (length as u32 - 1);
    !matches!(op, Op::Ftanpi) && is_out(first) && is_out(last) && is_out(first + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu_core::semantics::transcendental;

    /// What is called near is: every value of long runs, some of them at a time, against the reference.
    #[test]
    fn values_are_within_their_slack() {
        let starts = [0x0040_0000, 0x3c80_0000, 0x3f00_0000, 0x3f80_0000, 0x4180_0000, 0x4470_0000, 0x5d00_0000];
        let mut near = Near::default();
        for op in transcendental::operations().filter(|&op| !transcendental::is_binary(op)) {
            let mut found = 0;
            for first in starts.into_iter().flat_map(|start| [start, start | 1 << 31]) {
                let Known::Near(length) = near.from(op, first, LONGEST) else { continue };
                assert_eq!((near.values.len(), near.slacks.len()), (length, length));
                found += 1;
                for k in (0..length).step_by(length / 61 + 1) {
                    let truth =
                        reference::value(op, f32::from_bits(first + k as u32), 0.0).expect("it is in the domain");
                    let wrong = (truth.high - near.values[k]).abs();
                    assert!(wrong <= near.slacks[k], "{op:?} {first:08x} + {k}: {wrong:e} of {:e}", near.slacks[k]);
                }
            }
            assert!(found >= 3, "{op:?}: {found} runs");
        }
    }
}
