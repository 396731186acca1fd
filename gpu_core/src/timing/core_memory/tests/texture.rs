//! The texture unit above its cache: address generation 2 cycles, four stages of the cache, filter 2 cycles.

use super::*;
use crate::retired::TexelAccess;
use crate::timing::memory_timing::Deduplication;

/// A batch of four lanes: `taps[tap][lane]`.
fn batch<const TAPS: usize>(taps: [[u32; 4]; TAPS]) -> TexelAccess {
    let mut texels = Retired::default().texels;
    texels.tap_count = TAPS as u8;
    texels.bytes = 4;
    for (addresses, lanes) in texels.addresses.iter_mut().zip(taps) {
        addresses[..4].copy_from_slice(&lanes);
    }
    texels
}

/// Four neighbouring texels of two rows of 64 bytes, all lanes on the same texel.
fn one_texel_bilinear() -> TexelAccess {
    batch([[0x1000; 4], [0x1004; 4], [0x1040; 4], [0x1044; 4]])
}

fn one_texel_point() -> TexelAccess {
    batch([[0x1000; 4]])
}

impl Bench {
    fn sample(&mut self, token: u32, texels: &TexelAccess) {
        assert!(self.core.can_sample(self.now));
        self.core.sample(self.now, token, ThreadMask::first(4), texels);
    }

    /// A bench whose texel cache holds the lines of 0x1000 to 0x10ff.
    fn warm_texels(timing: &MemoryTiming) -> Self {
        let mut bench = Self::new(timing);
        bench.sample(0, &batch([[0x1000, 0x1040, 0x1080, 0x10c0]]));
        bench.answered(Requester::Sample, 0, 0);
        bench.run_to(bench.now + 10);
        bench.core.restart(Start::Warm);
        bench.shared.restart(Start::Warm);
        bench.core.tick(0);
        (bench.now, bench.responses) = (0, vec![]);
        bench
    }
}

#[track_caller]
fn check(timing: &MemoryTiming, texels: &TexelAccess, requests: u64, expected: u64) {
    let mut bench = Bench::warm_texels(timing);
    bench.sample(1, texels);
    assert_eq!(bench.answered(Requester::Sample, 1, 0), expected);
    assert_eq!(bench.core.texture().counters().fetched, requests);
}

fn with(deduplication: Deduplication) -> MemoryTiming {
    let mut timing = default_timing();
    timing.texture.deduplication = deduplication;
    timing
}

#[test]
fn a_warp_on_one_texel_fetches_it_once() {
    // Addresses 2, offered in 2, four stages: 6, filter 2.
    check(&default_timing(), &one_texel_point(), 1, 8);
    // Each tap once: taken in 2, 3, 4, 5, so the last texel is there in 9.
    check(&default_timing(), &one_texel_bilinear(), 4, 11);
}

#[test]
fn lanes_on_different_texels_fetch_each() {
    // The single bank of the texture cache takes one request a cycle: in 2 to 5.
    check(&default_timing(), &batch([[0x1000, 0x1004, 0x1008, 0x100c]]), 4, 11);
    // Two and two lanes on one texel: two requests.
    check(&default_timing(), &batch([[0x1000, 0x1004, 0x1000, 0x1004]]), 2, 9);
}

#[test]
fn deduplication_can_be_less_and_more() {
    let half_uniform = batch([[0x1000; 4], [0x1004, 0x1004, 0x1004, 0x1008]]);
    // Off: 8 requests, taken in 2 to 9: 13, 15.
    check(&with(Deduplication::Off), &half_uniform, 8, 15);
    // Uniform: 1 for the first tap, 4 for the second, whose lanes differ: in 2 to 6: 10, 12.
    check(&with(Deduplication::Uniform), &half_uniform, 5, 12);
    // Lanes: 1 and 2.
    check(&with(Deduplication::Lanes), &half_uniform, 3, 10);
    // Taps that fall on one texel, as at a clamped corner, are fetched once only by `Batch`.
    let corner = batch([[0x1000; 4]; 4]);
    check(&with(Deduplication::Lanes), &corner, 4, 11);
    check(&with(Deduplication::Batch), &corner, 1, 8);
}

#[test]
fn point_takes_as_long_as_bilinear_with_as_many_fetches() {
    // One fetch each: a bilinear batch on one texel (a clamped corner), and a point batch on it.
    let corner = batch([[0x1000; 4]; 4]);
    check(&with(Deduplication::Batch), &corner, 1, 8);
    check(&with(Deduplication::Batch), &one_texel_point(), 1, 8);
    // Four fetches each.
    let four_texels = batch([[0x1000, 0x1004, 0x1040, 0x1044]]);
    check(&default_timing(), &one_texel_bilinear(), 4, 11);
    check(&default_timing(), &four_texels, 4, 11);
}

#[test]
fn merging_by_lines_fetches_a_line_once() {
    let mut timing = default_timing();
    timing.texture.merge_bytes = 64;
    // Taps 0 and 1 lie in one line, but each tap is a list of its own.
    check(&timing, &one_texel_bilinear(), 4, 11);
    timing.texture.deduplication = Deduplication::Batch;
    check(&timing, &one_texel_bilinear(), 2, 9);
}

#[test]
fn ports_of_the_texture_cache_take_texels_of_a_line_together() {
    let mut timing = default_timing();
    (timing.tcache.ports, timing.tcache.banks) = (4, 4);
    check(&timing, &batch([[0x1000, 0x1004, 0x1008, 0x100c]]), 4, 8);
}

#[test]
fn taps_in_the_border_are_not_fetched() {
    let mut texels = one_texel_bilinear();
    texels.border[2] = ThreadMask::first(4);
    texels.border[3] = ThreadMask::first(4);
    check(&default_timing(), &texels, 2, 9);
    // Nothing to fetch: address 2, filter 2.
    texels.border = [ThreadMask::first(4); 4];
    check(&default_timing(), &texels, 0, 4);
}

#[test]
fn a_batch_is_serviced_fully_before_the_next_starts() {
    let mut bench = Bench::warm_texels(&default_timing());
    bench.sample(1, &batch([[0x9000; 4]]));
    bench.run_to(1);
    bench.sample(2, &one_texel_point());
    // The first misses in 2: 110 the line, 111 replay, 115 its texel, 117 filtered. The second, though it would hit,
    // begins in 115: 119, 121.
    assert_eq!(bench.answered(Requester::Sample, 1, 0), 117);
    assert_eq!(bench.answered(Requester::Sample, 2, 0), 121);
}

#[test]
fn the_queue_holds_two_batches_behind_the_one_that_fetches() {
    let mut bench = Bench::warm_texels(&default_timing());
    for token in 0..3 {
        bench.sample(token, &batch([[0x9000; 4]]));
        bench.run_to(bench.now + 1);
    }
    while !bench.core.can_sample(bench.now) {
        bench.run_to(bench.now + 1);
    }
    assert_eq!(bench.now, 115); // As above: then the first has its texel.
}

#[test]
fn the_data_cache_can_hold_texels() {
    let mut timing = default_timing();
    timing.texture.cache = TexelCache::Data;
    // Four banks take lines side by side: texels of two lines of different banks, two of each, in two cycles.
    let mut bench = Bench::warm_texels(&timing);
    bench.sample(1, &one_texel_bilinear());
    // In 2 taps 0 and 2 (banks 0 and 1), in 3 taps 1 and 3; 7, 9.
    assert_eq!(bench.answered(Requester::Sample, 1, 0), 9);
    assert_eq!(bench.core.tcache().counters().accesses(), 0);
    assert_eq!(bench.core.dcache().counters().reads, 4);
}

#[test]
fn loads_and_texels_take_turns_at_the_data_cache() {
    let mut timing = default_timing();
    timing.texture.cache = TexelCache::Data;
    // The texel is offered two cycles after hand-in, the load one cycle after; both want bank 0 in cycle 2, or in 3.
    // In even cycles the load goes first: 2 + 4, and the texel 3 + 4 + 2. In odd ones the texel: 3 + 4 + 2, and the load 4 + 4.
    for (start, load, texel) in [(0, 6, 9), (1, 8, 9)] {
        let mut bench = Bench::warm_texels(&timing);
        bench.run_to(start);
        bench.sample(1, &one_texel_point());
        bench.run_to(start + 1);
        bench.load(2, UNIT_STRIDE);
        assert_eq!(bench.answered(Requester::Access, 2, 0), load);
        assert_eq!(bench.answered(Requester::Sample, 1, 0), texel);
    }
}
