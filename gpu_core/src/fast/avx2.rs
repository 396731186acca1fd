//! What x86-64 hosts with AVX2 and FMA do with a row at once that a loop over its lanes does not become.
//!
//! Before: `interpret` borrows rows. After: a new row. Everything is inlined into functions that have these features.
//! Gain: conversions and rounding were 11 % of the time of a textured frame, and are 1 %.

use super::lanes::{Host, Levels, Row};
use super::sample_rows;
use crate::semantics::float::{CANONICAL_NAN, Rounding};
use std::arch::asm;
use std::arch::x86_64::*;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU32;
use texture::{Filter, Stage};

/// x86-64 with AVX2 and FMA; rows of eight lanes. It is named only by code that runs after the host has said that it has
/// these features, which is what every `unsafe` here rests on.
pub(super) struct Avx2;

#[inline(always)]
#[allow(unsafe_code)]
fn load(row: &[u32; 8]) -> __m256 {
    // SAFETY: the features, see `Avx2`; the pointer is that of eight words, and no alignment is asked for.
    unsafe { _mm256_loadu_ps(row.as_ptr().cast()) }
}

#[inline(always)]
#[allow(unsafe_code)]
fn store(row: &mut [u32; 8], value: __m256) {
    // SAFETY: as in `load`.
    unsafe { _mm256_storeu_ps(row.as_mut_ptr().cast(), value) }
}

/// Rounded to integers, still floats; NaNs need not be canonical.
#[inline(always)]
#[allow(unsafe_code)]
fn round(a: __m256, rounding: Rounding) -> __m256 {
    // SAFETY: the features, see `Avx2`.
    unsafe {
        match rounding {
            Rounding::NearestEven => _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a),
            Rounding::TowardZero => _mm256_round_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a),
            Rounding::Down => _mm256_round_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a),
            _ => _mm256_round_ps::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(a),
        }
    }
}

impl Host for Avx2 {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn fused_multiply_add<const LANES: usize>(a: &Row<LANES>, b: &Row<LANES>, c: &Row<LANES>) -> Row<LANES> {
        let mut result = [0; LANES];
        let rows = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0).zip(c.as_chunks::<8>().0);
        for (to, ((a, b), c)) in result.as_chunks_mut::<8>().0.iter_mut().zip(rows) {
            // SAFETY: the features, see `Avx2`.
            store(to, unsafe { _mm256_fmadd_ps(load(a), load(b), load(c)) });
        }
        result
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    fn top_bits<const LANES: usize>(row: &Row<LANES>) -> u64 {
        let mut bits = 0;
        for (index, eight) in row.as_chunks::<8>().0.iter().enumerate() {
            // SAFETY: the features, see `Avx2`.
            let mask = unsafe { _mm256_movemask_ps(load(eight)) };
            bits |= u64::from(mask as u32) << (8 * index);
        }
        bits
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    fn is_zero<const LANES: usize>(row: &Row<LANES>) -> bool {
        let mut is_zero = true;
        for eight in row.as_chunks::<8>().0 {
            // SAFETY: the features, see `Avx2`.
            is_zero &= unsafe {
                let eight = _mm256_castps_si256(load(eight));
                _mm256_testz_si256(eight, eight) != 0
            };
        }
        is_zero
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    fn round_to_integral<const LANES: usize>(a: &Row<LANES>, rounding: Rounding) -> Row<LANES> {
        let mut result = [0; LANES];
        for (to, a) in result.as_chunks_mut::<8>().0.iter_mut().zip(a.as_chunks::<8>().0) {
            // SAFETY: the features, see `Avx2`.
            store(to, unsafe {
                let rounded = round(load(a), rounding);
                let is_nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(rounded, rounded);
                _mm256_blendv_ps(rounded, _mm256_castsi256_ps(_mm256_set1_epi32(CANONICAL_NAN as i32)), is_nan)
            });
        }
        result
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    fn to_i32<const LANES: usize>(a: &Row<LANES>, rounding: Rounding) -> Row<LANES> {
        let mut result = [0; LANES];
        for (to, a) in result.as_chunks_mut::<8>().0.iter_mut().zip(a.as_chunks::<8>().0) {
            // SAFETY: the features, see `Avx2`.
            store(to, unsafe {
                let rounded = round(load(a), rounding);
                // Everything out of range becomes the smallest; what is too large, and NaN, shall be the largest.
                let converted = _mm256_castsi256_ps(_mm256_cvttps_epi32(rounded));
                let is_large = _mm256_cmp_ps::<_CMP_NLT_UQ>(rounded, _mm256_set1_ps(2_147_483_648.0));
                _mm256_blendv_ps(converted, _mm256_castsi256_ps(_mm256_set1_epi32(i32::MAX)), is_large)
            });
        }
        result
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    fn to_u32<const LANES: usize>(a: &Row<LANES>, rounding: Rounding) -> Row<LANES> {
        let mut result = [0; LANES];
        for (to, a) in result.as_chunks_mut::<8>().0.iter_mut().zip(a.as_chunks::<8>().0) {
            // SAFETY: the features, see `Avx2`.
            store(to, unsafe {
                let half = _mm256_set1_ps(2_147_483_648.0);
                // Negative numbers become zero, NaN as well for now.
                let rounded = round(load(a), rounding);
                let positive = _mm256_max_ps(rounded, _mm256_setzero_ps());
                // The upper half of the range is converted 2^31 lower, exactly: the last bit there weighs 256.
                let is_upper = _mm256_cmp_ps::<_CMP_GE_OQ>(positive, half);
                let low = _mm256_sub_ps(positive, _mm256_and_ps(is_upper, half));
                let top = _mm256_and_ps(is_upper, _mm256_castsi256_ps(_mm256_set1_epi32(i32::MIN)));
                let converted = _mm256_or_ps(_mm256_castsi256_ps(_mm256_cvttps_epi32(low)), top);
                let is_large = _mm256_cmp_ps::<_CMP_NLT_UQ>(rounded, _mm256_set1_ps(4_294_967_296.0));
                _mm256_or_ps(converted, is_large)
            });
        }
        result
    }

    /// In assembly, because a gather in Rust would be eight accesses that are not atomic, while hosts never tear an
    /// aligned word.
    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn gather<const LANES: usize>(words: NonNull<AtomicU32>, numbers: &Row<LANES>) -> Row<LANES> {
        let mut result = [0; LANES];
        for (to, numbers) in result.as_chunks_mut::<8>().0.iter_mut().zip(numbers.as_chunks::<8>().0) {
            // SAFETY: the features, see `Avx2`; the caller says that the words are there.
            unsafe {
                asm!(
                    "vmovdqu ymm1, ymmword ptr [{numbers}]",
                    "vpcmpeqd ymm2, ymm2, ymm2",
                    "vpgatherdd ymm0, dword ptr [{words} + 4 * ymm1], ymm2",
                    "vmovdqu ymmword ptr [{to}], ymm0",
                    numbers = in(reg) numbers.as_ptr(),
                    words = in(reg) words.as_ptr(),
                    to = in(reg) to.as_mut_ptr(),
                    out("ymm0") _, out("ymm1") _, out("ymm2") _,
                    options(nostack, preserves_flags),
                );
            }
        }
        result
    }

    #[inline(always)]
    fn can_sample(stage: &Stage) -> bool {
        sample_rows::is_known(stage)
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn sample<const LANES: usize>(
        stage: &Stage,
        filter: Filter,
        words: NonNull<AtomicU32>,
        levels: &Levels<LANES>,
        [u, v]: [&Row<LANES>; 2],
    ) -> Row<LANES> {
        let mut result = [0; LANES];
        let part = |row: &Row<LANES>, index: usize| -> Row<8> { row.as_chunks::<8>().0[index] };
        for (index, to) in result.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let [width, height, first] = [&levels.width, &levels.height, &levels.first].map(|row| part(row, index));
            let levels = Levels { width, height, first };
            // SAFETY: the features, see `Avx2`; the caller says that the words are there.
            *to = unsafe { sample_rows::sample_row(stage, filter, words, &levels, [&part(u, index), &part(v, index)]) };
        }
        result
    }
}
