//! Going through operands, all of them or every n-th, on all host threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::near::{Known, Near, OVERFLOW, per_unit};
use super::{error, result, sample};
use gpu_core::isa::Op;
use gpu_core::semantics::transcendental;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What was found of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// Operands with a finite value.
    pub count: u64,
    /// The largest error, in units of the last place.
    pub ulps: f64,
    /// The operands that have it.
    pub at: [u32; 2],
    /// Results that are not the nearest `f32`.
    pub misrounded: u64,
    /// The operands of the first of those.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub misrounded_at: Vec<[u32; 2]>,
}

/// Of misrounded results so many operands are kept.
const KEPT: usize = 64;

impl Worst {
    fn add(mut self, op: Op, a: u32, b: u32) -> Self {
        if let Some(error) = error(op, f32::from_bits(a), f32::from_bits(b)) {
            self.count += 1;
            if !error.is_nearest {
                self.misrounded += 1;
                if self.misrounded_at.len() < KEPT {
                    self.misrounded_at.push([a, b]);
                }
            }
            if error.ulps > self.ulps {
                (self.ulps, self.at) = (error.ulps, [a, b]);
            }
        }
        self
    }

    /// Of two parts; of equal errors the one of smaller operands, so that the parts' order does not matter.
    pub fn and(self, other: Self) -> Self {
        let is_others = other.ulps > self.ulps || other.ulps == self.ulps && other.at < self.at;
        let (ulps, at) = if is_others { (other.ulps, other.at) } else { (self.ulps, self.at) };
        let mut misrounded_at = [self.misrounded_at, other.misrounded_at].concat();
        misrounded_at.sort_unstable();
        misrounded_at.truncate(KEPT);
        let (count, misrounded) = (self.count + other.count, self.misrounded + other.misrounded);
        Self { count, ulps, at, misrounded, misrounded_at }
    }
}

/// Second operands for a first one: its neighbours in magnitude, small whole numbers, and any.
fn partners(a: u32) -> [u32; 4] {
    let hash = a.wrapping_mul(0x9e37_79b9).rotate_left(11).wrapping_mul(0x85eb_ca6b);
    let near = (a & 0xff80_0000).wrapping_add(hash & 0x00ff_ffff);
    let small = (f32::from((hash >> 8) as u8) - 128.0).to_bits();
    // For powers: an exponent that keeps the result in range.
    let logarithm = libm::log2(f64::from(f32::from_bits(a & 0x7fff_ffff))).abs().max(0.1);
    let fitting = (libm::floor(f64::from(hash >> 8) / 65536.0 - 128.0) / logarithm) as f32;
    [hash, near, small, fitting.to_bits()]
}

fn add_all(worst: Worst, op: Op, a: u32) -> Worst {
    match transcendental::is_binary(op) {
        true => partners(a).into_iter().fold(worst, |worst, b| worst.add(op, a, b)),
        false => worst.add(op, a, 0),
    }
}

/// About `count` operands spread over all bit patterns, and those where functions are difficult.
pub fn sampled(op: Op, count: u32) -> Worst {
    // An odd stride reaches every fraction.
    sample((u32::MAX / count) | 1).fold(Worst::default(), |worst, a| add_all(worst, op, a))
}

/// First operands that a task goes through.
const PIECE: u64 = 1 << 20;
/// Of all first operands.
pub const PIECES: u64 = (1 << 32) / PIECE;

/// A sweep over every `stride`-th of all 2^32 first operands of an instruction.
#[derive(Debug)]
pub struct Sweep {
    every: Every,
    /// The largest error known; only for a dense sweep, which does not ask the reference for everything.
    mark: Option<AtomicU64>,
}

impl Sweep {
    /// Some of the operands set a mark that most others stay below.
    pub fn new(op: Op, stride: u64) -> Self {
        let mark = !transcendental::is_binary(op) && stride <= DENSE;
        let mark = mark.then(|| Every { op, stride: stride * 65_537 }.plainly(0..1 << 32).ulps.to_bits());
        Self { every: Every { op, stride }, mark: mark.map(AtomicU64::new) }
    }

    /// What some of the [`PIECES`] hold; `done` hears of each. Joined, the parts of a sweep are the whole.
    pub fn over(&self, pieces: Range<u64>, done: impl Fn() + Sync) -> Worst {
        let over = |piece: u64| {
            let piece = piece * PIECE..(piece + 1) * PIECE;
            let worst = match &self.mark {
                Some(mark) => self.every.filtered(piece, mark),
                None => self.every.plainly(piece),
            };
            done();
            worst
        };
        pieces.into_par_iter().map(over).reduce(Worst::default, Worst::and)
    }
}

/// Up to this stride a run of neighbours is worth computing.
const DENSE: u64 = 16;

/// Every so many of the first operands of an instruction.
#[derive(Copy, Clone, Debug)]
pub(super) struct Every {
    pub op: Op,
    pub stride: u64,
}

impl Every {
    /// The reference asked for each operand.
    pub fn plainly(self, operands: Range<u64>) -> Worst {
        let Self { op, stride } = self;
        (operands.start.next_multiple_of(stride)..operands.end)
            .step_by(stride as usize)
            .fold(Worst::default(), |worst, a| add_all(worst, op, a as u32))
    }

    /// The same count, worst error at its first place and misrounded results if another operand has an error of `mark`; less work:
    /// the reference is asked only for operands that `near` leaves open. `mark` grows with what is found.
    pub fn filtered(self, operands: Range<u64>, mark: &AtomicU64) -> Worst {
        let Self { op, stride } = self;
        let mut near = Near::default();
        let mut worst = Worst::default();
        let mut first = operands.start;
        while first < operands.end {
            let begin = (first.next_multiple_of(stride) - first) as usize;
            let known = near.from(op, first as u32, (operands.end - first) as usize);
            let length = match known {
                Known::Outside(length) => length,
                Known::Nothing(length) => {
                    for k in (begin..length).step_by(stride as usize) {
                        worst = worst.add(op, first as u32 + k as u32, 0);
                    }
                    length
                }
                Known::Near(length) => {
                    let bar = worst.ulps.max(f64::from_bits(mark.load(Ordering::Relaxed))).min(0.5);
                    for k in (begin..length).step_by(stride as usize) {
                        let a = first as u32 + k as u32;
                        if is_decided(result(op, f32::from_bits(a), 0.0), near.values[k], near.slacks[k], bar) {
                            worst.count += 1;
                        } else {
                            worst = worst.add(op, a, 0);
                        }
                    }
                    length
                }
            };
            first += length as u64;
        }
        // Errors are not negative, and such numbers have the order of their bits.
        mark.fetch_max(worst.ulps.to_bits(), Ordering::Relaxed);
        worst
    }
}

/// Whether a result is the nearest `f32`, with an error below `bar` (at most ½), for any true value within `slack` of `value`.
fn is_decided(result: f32, value: f64, slack: f64, bar: f64) -> bool {
    let result = f64::from(result);
    let is_same_side = result.is_sign_negative() == value.is_sign_negative();
    if result.is_infinite() {
        return is_same_side && value.abs() - slack >= OVERFLOW;
    }
    // Of zeros the sign counts, unless the true value is none.
    if result == 0.0 && !(slack == 0.0 && value == 0.0 || is_same_side && value.abs() > slack) {
        return false;
    }
    // The unit of the smallest value that may be the true one.
    ((result - value).abs() + slack) * per_unit((value.abs() - slack).max(0.0)) < bar
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of operands: spread over all bit patterns, and where functions begin, end, saturate or are whole.
    fn ranges() -> Vec<Range<u64>> {
        let spread = (0..20_u64).map(|n| (n * 0x0d2c_f1b7 + 0x1234_5600) & 0xffff_ff00);
        let edges = [
            0x0000_0000, // Zero.
            0x007f_ff80, // About the smallest normal number.
            0x3f7f_ff80, // Across 1, where domains begin and end, and from it on.
            0x3f80_0000,
            0x42b1_7200, // e^x overflows.
            0x42cf_f1c0, // e^x vanishes, negated below.
            0x4a7f_ff00, // Quarter turns end.
            0x4b00_0000,
            0x7f7f_ff00, // The largest numbers.
        ];
        let starts = spread.chain(edges.into_iter().flat_map(|edge| [edge, edge | 1 << 31]));
        starts.map(|start| start..start + 256).collect()
    }

    /// Filtered and plain are the same sweep: count, worst error, place, misrounded. Large angles go by runs of 1024.
    #[test]
    fn the_filtered_sweep_finds_what_the_plain_one_finds() {
        for op in transcendental::operations().filter(|&op| !transcendental::is_binary(op)) {
            let every = Every { op, stride: 1 };
            let angles = matches!(op, Op::Fsin | Op::Fcos | Op::Ftan | Op::Fsinpi | Op::Fcospi | Op::Ftanpi);
            let long = [0x4490_0000, 0x4fab_cc00, 0xf777_7400].map(|start: u64| start..start + 1024);
            let ranges = ranges().into_iter().chain(long.into_iter().filter(|_| angles));
            let mark = AtomicU64::new(0);
            let (mut plain, mut filtered) = (Worst::default(), Worst::default());
            for range in ranges {
                plain = plain.and(every.plainly(range.clone()));
                filtered = filtered.and(every.filtered(range, &mark));
            }
            assert_eq!(filtered, plain, "{op:?}");
            assert!(plain.count > 1000, "{op:?}: {plain:?}");
        }
    }

    #[test]
    fn a_strided_sweep_takes_the_same_operands_either_way() {
        for (op, stride) in [(Op::Fexp, 3), (Op::Fsin, 16), (Op::Facosh, 7)] {
            let every = Every { op, stride };
            let range = 0x4280_0000 - 512..0x4280_0000 + 1024;
            assert_eq!(every.filtered(range.clone(), &AtomicU64::new(0)), every.plainly(range), "{op:?}");
        }
    }

    /// 1 + 2^-24 is the middle between 1 and the next number: whatever may be as far as that, or has the largest error yet, is
    /// not decided.
    #[test]
    fn only_what_is_surely_nearest_and_not_the_worst_is_decided() {
        let (one, next, middle) = (1.0_f32, f32::from_bits(0x3f80_0001), 1.0 + 1.0 / 16_777_216.0);
        let small = 1e-12;
        assert!(is_decided(one, 1.0, small, 0.5) && is_decided(next, f64::from(next), small, 0.5));
        assert!(!is_decided(next, 1.0, small, 0.5), "a result that is one unit off");
        assert!(!is_decided(one, middle - small / 2.0, small, 0.5), "it may be beyond the middle");
        assert!(is_decided(one, middle - 2.0 * small, small, 0.5));
        // A quarter of a unit, with a worst error of a quarter or a little more.
        let quarter = 1.0 + 1.0 / 33_554_432.0;
        assert!(!is_decided(one, quarter, small, 0.25) && is_decided(one, quarter, small, 0.2501));
        // Below 1 units are half as large: the same distance is more of them.
        assert!(!is_decided(one, 1.0 - 1.0 / 33_554_432.0, small, 0.5));
        // Zeros have the sign of what they stand for, unless that is zero itself; infinities too.
        assert!(is_decided(0.0, 1e-60, 1e-70, 0.5) && !is_decided(-0.0, 1e-60, 1e-70, 0.5));
        assert!(!is_decided(0.0, 1e-70, 1e-60, 0.5) && is_decided(-0.0, 0.0, 0.0, 0.5));
        assert!(is_decided(f32::INFINITY, 1e60, 1e40, 0.5) && !is_decided(f32::NEG_INFINITY, 1e60, 1e40, 0.5));
        assert!(!is_decided(f32::INFINITY, f64::from(f32::MAX), 1e20, 0.5));
        assert!(!is_decided(f32::NAN, 1.0, small, 0.5) && !is_decided(1.0, f64::NAN, small, 0.5));
    }

    #[test]
    fn parts_of_a_sweep_are_the_whole() {
        for (op, stride) in [(Op::Fsin, 1 << 20 | 1), (Op::Fpow, 1 << 20 | 1)] {
            let sweep = Sweep::new(op, stride);
            let [first, second] = [0..1000, 1000..PIECES].map(|pieces| sweep.over(pieces, || ()));
            let whole = Every { op, stride }.plainly(0..1 << 32);
            assert_eq!(first.clone().and(second.clone()), whole, "{op:?}");
            assert_eq!(second.and(first), whole, "{op:?}: in any order");
        }
    }
}
