//! The texture unit: address generation, texel fetch with de-duplication, filter.
//!
//! Before: the issue stage hands in a carried-out `tex` of a warp, one batch, with the cycle in which it will arrive. After: one answer for each batch.
//! Address generation is a pipeline; behind it one batch at a time has the texel fetch, until its last texel has come (one
//! batch is serviced fully before the next starts); the filter is a pipeline again. Point sampling is bilinear with
//! weights of zero: it takes the same filter, and differs only in fetching one tap where bilinear fetches four.

use super::cache::{Answer, Cache, Direction, Offer};
use super::coalescer::Blocks;
use super::line_request::LineRequest;
use super::memory_timing::{Deduplication, TextureTiming};
use crate::counters::TextureCounters;
use crate::retired::TexelAccess;
use crate::units::{MAX_LANES, ThreadMask};
use serde::{Deserialize, Serialize};

/// The most texel requests of a batch.
const MAX_REQUESTS: usize = 4 * MAX_LANES;

/// Marks the texture unit as requester, where it shares the data cache.
pub(super) const TEXTURE_REQUESTER: u32 = 1 << 30;

/// One batch. Its blocks lie beside, in [`TextureUnit::blocks`].
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Batch {
    token: u32,
    accepted: u64,
    /// When its addresses are there.
    offered_from: u64,
    /// Requests not yet taken: bit i stands for block i.
    left: u128,
    /// Requests taken but not answered.
    waiting: u32,
    /// When the last texel known of is there.
    ready: u64,
}

/// The texture unit of one core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextureUnit {
    timing: TextureTiming,
    line_shift: u32,
    block_shift: u32,
    /// A ring of batches, the oldest has the fetch.
    batches: Vec<Batch>,
    /// `MAX_REQUESTS` block numbers for each batch of the ring.
    blocks: Vec<u32>,
    head: usize,
    count: usize,
    /// When the fetch of the last answered batch ends.
    fetch_free_from: u64,
    counters: TextureCounters,
}

impl TextureUnit {
    /// Nothing under way; the cache has lines of `line_bytes`.
    pub fn new(timing: &TextureTiming, line_bytes: u32) -> Self {
        let batch = Batch { token: 0, accepted: 0, offered_from: 0, left: 0, waiting: 0, ready: 0 };
        // One more has the fetch.
        let capacity = timing.queue as usize + 1;
        Self {
            timing: *timing,
            line_shift: line_bytes.trailing_zeros() - timing.merge_bytes.trailing_zeros(),
            block_shift: timing.merge_bytes.trailing_zeros(),
            batches: vec![batch; capacity],
            blocks: vec![0; capacity * MAX_REQUESTS],
            head: 0,
            count: 0,
            fetch_free_from: 0,
            counters: TextureCounters::default(),
        }
    }

    /// Events so far.
    pub fn counters(&self) -> &TextureCounters {
        &self.counters
    }

    /// Sets all counters to zero and lets cycles begin at 0 again. Only when quiet.
    pub(super) fn restart(&mut self) {
        (self.fetch_free_from, self.counters) = (0, TextureCounters::default());
    }

    /// Whether no batch is unanswered.
    pub fn is_quiet(&self) -> bool {
        self.count == 0
    }

    /// Whether a batch can be taken in this cycle.
    #[inline]
    pub fn can_accept(&self, now: u64) -> bool {
        // An answered batch has the fetch until its last texel has come.
        self.count + usize::from(self.fetch_free_from > now) < self.batches.len()
    }

    /// When the oldest batch has requests to offer next, as far as is known.
    #[inline]
    pub fn next_event(&self, now: u64) -> Option<u64> {
        let batch = &self.batches[self.head];
        let is_offering = self.count > 0 && (batch.left != 0 || batch.waiting == 0);
        is_offering.then(|| batch.offered_from.max(self.fetch_free_from).max(now + 1))
    }

    /// Takes a batch that arrives in cycle `arrival`, this one or a later one. Only when [`TextureUnit::can_accept`]. Batches
    /// keep the order in which they are handed in.
    pub fn accept(&mut self, arrival: u64, token: u32, mask: ThreadMask, texels: &TexelAccess) {
        let mut index = self.head + self.count;
        if index >= self.batches.len() {
            index -= self.batches.len();
        }
        self.count += 1;
        let mut blocks = Blocks::new(&mut self.blocks[index * MAX_REQUESTS..][..MAX_REQUESTS], self.block_shift);
        let mut texel_count = 0;
        for (tap, addresses) in texels.addresses.iter().enumerate().take(texels.tap_count.into()) {
            let lanes = mask.without(texels.border[tap]);
            texel_count += lanes.count();
            let since = blocks.len();
            match self.timing.deduplication {
                Deduplication::Off => lanes.lanes().for_each(|lane| blocks.push(addresses[lane])),
                Deduplication::Lanes => lanes.lanes().for_each(|lane| blocks.merge(addresses[lane], since)),
                Deduplication::Batch => lanes.lanes().for_each(|lane| blocks.merge(addresses[lane], 0)),
                Deduplication::Uniform => {
                    let Some(first) = lanes.lowest() else { continue };
                    let block = addresses[first] >> self.block_shift;
                    if lanes.lanes().all(|lane| addresses[lane] >> self.block_shift == block) {
                        blocks.push(addresses[first]);
                    } else {
                        lanes.lanes().for_each(|lane| blocks.push(addresses[lane]));
                    }
                }
            }
        }
        let requests = blocks.len();
        self.batches[index] = Batch {
            token,
            accepted: arrival,
            offered_from: arrival + u64::from(self.timing.address_cycles),
            left: if requests == 0 { 0 } else { u128::MAX >> (128 - requests) },
            waiting: 0,
            ready: 0,
        };
        let counters = &mut self.counters;
        counters.instructions += 1;
        counters.lanes += u64::from(mask.count());
        counters.texels += u64::from(texel_count);
        counters.fetched += requests as u64;
        counters.shared += u64::from(texel_count) - requests as u64;
    }

    /// Offers what the oldest batch has left. After `Cache::tick` of this cycle.
    #[inline]
    pub(super) fn tick(
        &mut self,
        now: u64,
        cache: &mut Cache,
        below: &mut Vec<LineRequest>,
        done: impl FnMut((u32, u64)),
    ) {
        if self.count > 0 {
            let batch = &self.batches[self.head];
            let has_fetch = batch.offered_from <= now && self.fetch_free_from <= now;
            if has_fetch && (batch.left != 0 || batch.waiting == 0) {
                self.offer(now, cache, below, done);
            }
        }
    }

    fn offer(&mut self, now: u64, cache: &mut Cache, below: &mut Vec<LineRequest>, done: impl FnMut((u32, u64))) {
        let batch = &mut self.batches[self.head];
        batch.ready = batch.ready.max(now);
        let mut offering = batch.left;
        for _ in 0..self.timing.channels {
            if offering == 0 {
                break;
            }
            let block = offering.trailing_zeros() as usize;
            offering &= offering - 1;
            let line = self.blocks[self.head * MAX_REQUESTS + block] >> self.line_shift;
            let requester = TEXTURE_REQUESTER | self.head as u32;
            match cache.offer(now, line, Direction::Read, requester, below) {
                Offer::Refused => continue,
                Offer::Ready(ready) => batch.ready = batch.ready.max(ready),
                Offer::Waiting => batch.waiting += 1,
            }
            batch.left &= !(1 << block);
        }
        if batch.left != 0 {
            self.counters.stalls += 1;
        } else if batch.waiting == 0 {
            self.finish(done);
        }
    }

    /// The cache answers requests that had to wait.
    pub(super) fn answer(&mut self, answer: &Answer, done: impl FnMut((u32, u64))) {
        debug_assert_eq!(answer.requester, TEXTURE_REQUESTER | self.head as u32, "one batch has the fetch");
        let batch = &mut self.batches[self.head];
        batch.waiting -= answer.count;
        batch.ready = batch.ready.max(answer.ready);
        if batch.waiting == 0 && batch.left == 0 {
            self.finish(done);
        }
    }

    fn finish(&mut self, mut done: impl FnMut((u32, u64))) {
        let batch = &self.batches[self.head];
        self.counters.busy += batch.ready - batch.offered_from.max(self.fetch_free_from);
        self.fetch_free_from = batch.ready;
        let ready = batch.ready + u64::from(self.timing.filter_cycles);
        self.counters.answers += 1;
        self.counters.latency += ready - batch.accepted;
        done((batch.token, ready));
        self.head = if self.head + 1 == self.batches.len() { 0 } else { self.head + 1 };
        self.count -= 1;
    }
}
