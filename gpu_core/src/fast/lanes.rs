//! Rows of `LANES` lanes, as many as a vector of the host holds, and what the host can do with a row at once.
//!
//! Before: `interpret` borrows rows of the register file; a register is one row or several. After: a new row.
//! A loop over an array of known length is what the compiler turns into vector instructions; it does so with the features
//! of the function that it is inlined into, which is why everything here is `#[inline(always)]`.
//! Gain: AVX2 over the baseline, arithmetic at 16 lanes 19 → 5.8 ns a warp-instruction (see `mod.rs`).

use crate::semantics::float::quick::{self, canonical};
use crate::semantics::float::{CANONICAL_NAN, Rounding, is_nan};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use texture::{Filter, Stage};

/// One value for each of some adjacent lanes.
pub(super) type Row<const LANES: usize> = [u32; LANES];

/// What differs between the instruction sets a host may have.
pub(super) trait Host {
    /// `a * b + c` in f32, rounded once; NaNs need not be canonical.
    fn fused_multiply_add<const LANES: usize>(a: &Row<LANES>, b: &Row<LANES>, c: &Row<LANES>) -> Row<LANES>;
    /// The top bit of each lane, lane i in bit i.
    fn top_bits<const LANES: usize>(row: &Row<LANES>) -> u64;
    /// Whether every lane is zero.
    fn is_zero<const LANES: usize>(row: &Row<LANES>) -> bool;
    /// `fround.s`, to nearest-even, zero, down or up.
    fn round_to_integral<const LANES: usize>(a: &Row<LANES>, rounding: Rounding) -> Row<LANES>;
    /// `fcvt.w.s`, rounding the same ways.
    fn to_i32<const LANES: usize>(a: &Row<LANES>, rounding: Rounding) -> Row<LANES>;
    /// `fcvt.wu.s`, rounding the same ways.
    fn to_u32<const LANES: usize>(a: &Row<LANES>, rounding: Rounding) -> Row<LANES>;
    /// The words with these numbers from `words` on, each loaded as a relaxed atomic load does.
    ///
    /// # Safety
    /// There are words with these numbers, which are below 2^30.
    #[allow(unsafe_code)]
    unsafe fn gather<const LANES: usize>(words: NonNull<AtomicU32>, numbers: &Row<LANES>) -> Row<LANES>;
    /// Whether `sample` takes samples of a stage.
    fn can_sample(stage: &Stage) -> bool;
    /// Texture samples of a row of lanes, from a stage for which `can_sample` holds.
    ///
    /// # Safety
    /// From `words` on there are, for each lane, words `first` up to `first + width · height`, all below 2^30.
    #[allow(unsafe_code)]
    unsafe fn sample<const LANES: usize>(
        stage: &Stage,
        filter: Filter,
        words: NonNull<AtomicU32>,
        levels: &Levels<LANES>,
        coordinates: [&Row<LANES>; 2],
    ) -> Row<LANES>;
}

/// Where the levels of a texture lie that a row of lanes looks at.
#[derive(Copy, Clone, Debug)]
pub(super) struct Levels<const LANES: usize> {
    /// Texels across and down, 1 to `MAX_SIZE`.
    pub width: Row<LANES>,
    pub height: Row<LANES>,
    /// The number of the first texel's word.
    pub first: Row<LANES>,
}

/// Any host: what the compilation target promises.
pub(super) struct Baseline;

impl Host for Baseline {
    #[inline(always)]
    fn fused_multiply_add<const LANES: usize>(a: &Row<LANES>, b: &Row<LANES>, c: &Row<LANES>) -> Row<LANES> {
        map3(a, b, c, quick::fma)
    }

    #[inline(always)]
    fn top_bits<const LANES: usize>(row: &Row<LANES>) -> u64 {
        let mut bits = 0;
        for (lane, value) in row.iter().enumerate() {
            bits |= u64::from(value >> 31) << lane;
        }
        bits
    }

    #[inline(always)]
    fn is_zero<const LANES: usize>(row: &Row<LANES>) -> bool {
        row.iter().fold(0, |all, value| all | value) == 0
    }

    #[inline(always)]
    fn round_to_integral<const LANES: usize>(a: &Row<LANES>, rounding: Rounding) -> Row<LANES> {
        map1(a, |a| quick::round_to_integral(a, rounding))
    }

    #[inline(always)]
    fn to_i32<const LANES: usize>(a: &Row<LANES>, rounding: Rounding) -> Row<LANES> {
        map1(a, |a| quick::to_i32(a, rounding))
    }

    #[inline(always)]
    fn to_u32<const LANES: usize>(a: &Row<LANES>, rounding: Rounding) -> Row<LANES> {
        map1(a, |a| quick::to_u32(a, rounding))
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn gather<const LANES: usize>(words: NonNull<AtomicU32>, numbers: &Row<LANES>) -> Row<LANES> {
        // SAFETY: the caller says that the words are there.
        map1(numbers, |number| unsafe { words.add(number as usize).as_ref() }.load(Relaxed))
    }

    fn can_sample(_: &Stage) -> bool {
        false
    }

    #[allow(unsafe_code)]
    unsafe fn sample<const LANES: usize>(
        _: &Stage,
        _: Filter,
        _: NonNull<AtomicU32>,
        _: &Levels<LANES>,
        _: [&Row<LANES>; 2],
    ) -> Row<LANES> {
        unreachable!("no stage can be sampled so")
    }
}

/// The same value in each lane.
#[inline(always)]
pub(super) fn splat<const LANES: usize>(value: u32) -> Row<LANES> {
    [value; LANES]
}

/// All ones where a condition holds.
#[inline(always)]
pub(super) fn ones_if(condition: bool) -> u32 {
    if condition { u32::MAX } else { 0 }
}

/// All ones in the lanes of `bits`.
#[inline(always)]
pub(super) fn spread<const LANES: usize>(bits: u64) -> Row<LANES> {
    let mut row = [0; LANES];
    for (lane, value) in row.iter_mut().enumerate() {
        *value = ones_if(bits as u32 & 1 << lane != 0);
    }
    row
}

#[inline(always)]
pub(super) fn map1<const LANES: usize>(a: &Row<LANES>, f: impl Fn(u32) -> u32) -> Row<LANES> {
    let mut result = [0; LANES];
    for lane in 0..LANES {
        result[lane] = f(a[lane]);
    }
    result
}

#[inline(always)]
pub(super) fn map2<const LANES: usize>(a: &Row<LANES>, b: &Row<LANES>, f: impl Fn(u32, u32) -> u32) -> Row<LANES> {
    let mut result = [0; LANES];
    for lane in 0..LANES {
        result[lane] = f(a[lane], b[lane]);
    }
    result
}

#[inline(always)]
pub(super) fn map3<const LANES: usize>(
    a: &Row<LANES>,
    b: &Row<LANES>,
    c: &Row<LANES>,
    f: impl Fn(u32, u32, u32) -> u32,
) -> Row<LANES> {
    let mut result = [0; LANES];
    for lane in 0..LANES {
        result[lane] = f(a[lane], b[lane], c[lane]);
    }
    result
}

/// Lanes of `new` where `mask` is all ones, of `old` elsewhere.
#[inline(always)]
pub(super) fn blend<const LANES: usize>(mask: &Row<LANES>, new: &Row<LANES>, old: &Row<LANES>) -> Row<LANES> {
    map3(mask, new, old, |mask, new, old| new & mask | old & !mask)
}

/// Every NaN replaced by the canonical one.
#[inline(always)]
pub(super) fn canonicalize<const LANES: usize>(row: &Row<LANES>) -> Row<LANES> {
    map1(row, |bits| canonical(f32::from_bits(bits)))
}

/// `fmin.s`, `fmax.s` and their NaN-propagating forms; `is_maximum` and `nan_wins` are known where it is inlined.
#[inline(always)]
pub(super) fn extreme<const LANES: usize>(
    a: &Row<LANES>,
    b: &Row<LANES>,
    is_maximum: bool,
    nan_wins: bool,
) -> Row<LANES> {
    // Masks instead of conditions: they stay as wide as the lanes. Complements are ordered the other way round.
    let (flip, wins) = (ones_if(is_maximum) as i32, ones_if(nan_wins));
    let choose = |mask: u32, yes: u32, no: u32| yes & mask | no & !mask;
    map2(a, b, |a, b| {
        // Integers in the order of the numbers, −0 below +0.
        let order = |bits: u32| bits as i32 ^ ((bits as i32 >> 31) as u32 >> 1) as i32 ^ flip;
        let number = choose(ones_if(order(a) <= order(b)), a, b);
        let (nan_a, nan_b) = (ones_if(is_nan(a)), ones_if(is_nan(b)));
        let preferred = choose(nan_a, b, choose(nan_b, a, number));
        choose(nan_a & nan_b | (nan_a | nan_b) & wins, CANONICAL_NAN, preferred)
    })
}
