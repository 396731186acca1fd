//! Going through operands, all of them or every n-th, on all host threads.

use super::{error, sample};
use gpu_core::isa::Op;
use gpu_core::semantics::transcendental;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What was found of an instruction.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// Operands with a finite value.
    pub count: u64,
    /// The largest error, in units of the last place.
    pub ulps: f64,
    /// The operands that have it.
    pub at: [u32; 2],
    /// Results that are not the nearest `f32`.
    pub misrounded: u64,
}

impl Worst {
    fn add(mut self, op: Op, a: u32, b: u32) -> Self {
        if let Some(error) = error(op, f32::from_bits(a), f32::from_bits(b)) {
            self.count += 1;
            self.misrounded += u64::from(!error.is_nearest);
            if error.ulps > self.ulps {
                (self.ulps, self.at) = (error.ulps, [a, b]);
            }
        }
        self
    }

    /// Of two parts; of equal errors the one of smaller operands, so that the parts' order does not matter.
    fn and(self, other: Self) -> Self {
        let is_others = other.ulps > self.ulps || other.ulps == self.ulps && other.at < self.at;
        let (ulps, at) = if is_others { (other.ulps, other.at) } else { (self.ulps, self.at) };
        Self { count: self.count + other.count, ulps, at, misrounded: self.misrounded + other.misrounded }
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

/// Every `stride`-th of all 2^32 first operands; `done` hears of each piece, of how many patterns it was.
pub fn sweep(op: Op, stride: u64, done: impl Fn(u64) + Sync) -> Worst {
    let pieces = (1_u64 << 32) / PIECE;
    (0..pieces)
        .into_par_iter()
        .map(|piece| {
            let (first, end) = (piece * PIECE, (piece + 1) * PIECE);
            let worst = (first.next_multiple_of(stride)..end)
                .step_by(stride as usize)
                .fold(Worst::default(), |worst, a| add_all(worst, op, a as u32));
            done(PIECE);
            worst
        })
        .reduce(Worst::default, Worst::and)
}
