//! The load-store unit: accesses of warps wait here, in order, while their requests go to the data cache, to local memory
//! and, for atomics, to the shared level.
//!
//! Before: the issue stage hands in a carried-out load, store or atomic, with the cycle in which it will arrive. After: one answer for each, when the last of
//! its data is there. The oldest access offers its requests to the bank selector each cycle, at most `channels` of
//! them; those refused are offered again; when all are taken the next access follows, one cycle later. Loads stay in the
//! queue until they are answered. A store is answered in the cycle after its last request was taken.

use super::cache::{Answer, Cache, Direction, Offer};
use super::coalescer::{self, Blocks, MAX_BLOCKS, Merging};
use super::line_request::{FillToken, LineOperation, LineRequest};
use super::local_memory::LocalMemory;
use super::memory_timing::LsuTiming;
use crate::counters::LsuCounters;
use crate::retired::MemoryAccess;
use crate::trap::AccessKind;
use crate::units::ThreadMask;
use serde::{Deserialize, Serialize};

/// One access in the queue. Its blocks lie beside, in [`Lsu::blocks`].
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Slot {
    token: u32,
    kind: AccessKind,
    accepted: u64,
    offered_from: u64,
    /// Requests not yet taken: bit i stands for block i.
    left: u64,
    /// Rounds of local memory not yet begun; 0: none.
    local_rounds: u32,
    /// Requests taken but not answered.
    waiting: u32,
    /// When the last data known of is there.
    ready: u64,
}

/// The load-store unit of one core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lsu {
    latency: u64,
    channels: u32,
    line_shift: u32,
    block_shift: u32,
    is_coalescing: bool,
    slots: Vec<Slot>,
    /// `MAX_BLOCKS` block numbers for each slot.
    blocks: Vec<u32>,
    /// Slots without an access.
    free: u64,
    /// Slots whose access was answered for a later cycle: they are free from then on.
    answered: u64,
    /// Slots in order of acceptance, a ring: those that still have requests to offer.
    order: Vec<u8>,
    head: usize,
    queued: usize,
    counters: LsuCounters,
}

/// Answers of the unit: token and cycle.
pub(super) type Done = (u32, u64);

impl Lsu {
    /// An empty queue above a data cache with lines of `line_bytes`.
    pub fn new(timing: &LsuTiming, line_bytes: u32) -> Self {
        let block_bytes = if timing.coalesce_bytes == 0 { 4 } else { timing.coalesce_bytes };
        let slot = Slot {
            token: 0,
            kind: AccessKind::Load,
            accepted: 0,
            offered_from: 0,
            left: 0,
            local_rounds: 0,
            waiting: 0,
            ready: 0,
        };
        let count = timing.queue as usize;
        Self {
            latency: timing.latency.into(),
            channels: timing.channels,
            line_shift: line_bytes.trailing_zeros() - block_bytes.trailing_zeros(),
            block_shift: block_bytes.trailing_zeros(),
            is_coalescing: timing.coalesce_bytes != 0,
            slots: vec![slot; count],
            blocks: vec![0; count * MAX_BLOCKS],
            free: u64::MAX >> (64 - timing.queue),
            answered: 0,
            order: vec![0; count],
            head: 0,
            queued: 0,
            counters: LsuCounters::default(),
        }
    }

    /// Events so far.
    pub fn counters(&self) -> &LsuCounters {
        &self.counters
    }

    /// Sets all counters to zero and lets cycles begin at 0 again. Only when quiet.
    pub(super) fn restart(&mut self) {
        self.counters = LsuCounters::default();
        self.free = u64::MAX >> (64 - self.slots.len());
        self.answered = 0;
    }

    /// Whether no access is unanswered.
    pub fn is_quiet(&self) -> bool {
        (self.free | self.answered).count_ones() as usize == self.slots.len()
    }

    /// Whether an access can be taken in this cycle.
    #[inline]
    pub fn can_accept(&self, now: u64) -> bool {
        self.free != 0 || ThreadMask(self.answered).lanes().any(|slot| self.slots[slot].ready <= now)
    }

    /// When the oldest access has requests to offer next, as far as is known.
    #[inline]
    pub fn next_event(&self, now: u64) -> Option<u64> {
        (self.queued > 0).then(|| self.slots[usize::from(self.order[self.head])].offered_from.max(now + 1))
    }

    /// Takes an access that arrives in cycle `arrival`, this one or a later one. Only when [`Lsu::can_accept`]. Accesses keep
    /// the order in which they are handed in.
    pub fn accept(&mut self, arrival: u64, token: u32, mask: ThreadMask, access: &MemoryAccess, local: &LocalMemory) {
        if self.free == 0 {
            for slot in ThreadMask(self.answered).lanes() {
                if self.slots[slot].ready <= arrival {
                    self.free |= 1 << slot;
                }
            }
            self.answered &= !self.free;
        }
        let index = self.free.trailing_zeros() as usize;
        self.free &= !(1 << index);
        let global = mask.without(access.local).without(access.io);
        let merging =
            if self.is_coalescing && access.kind != AccessKind::Atomic { Merging::Blocks } else { Merging::None };
        let mut blocks = Blocks::new(&mut self.blocks[index * MAX_BLOCKS..][..MAX_BLOCKS], self.block_shift);
        coalescer::coalesce(global, access.crossing, access.bytes.into(), &access.addresses, merging, &mut blocks);
        let count = blocks.len();
        let in_local = mask.and(access.local);
        self.slots[index] = Slot {
            token,
            kind: access.kind,
            accepted: arrival,
            offered_from: arrival + self.latency,
            left: if count == 0 { 0 } else { u64::MAX >> (64 - count) },
            local_rounds: if in_local.is_empty() { 0 } else { local.rounds(in_local, access) },
            waiting: 0,
            ready: 0,
        };
        let mut end = self.head + self.queued;
        if end >= self.order.len() {
            end -= self.order.len();
        }
        self.order[end] = index as u8;
        self.queued += 1;
        let counters = &mut self.counters;
        *match access.kind {
            AccessKind::Store => &mut counters.stores,
            AccessKind::Atomic => &mut counters.atomics,
            AccessKind::Load | AccessKind::Texel => &mut counters.loads,
        } += 1;
        counters.lanes += u64::from(global.count() + global.and(access.crossing).count());
    }

    /// Offers what the oldest access has left. After `Cache::tick` of this cycle.
    #[inline]
    pub(super) fn tick(
        &mut self,
        now: u64,
        cache: &mut Cache,
        local: &mut LocalMemory,
        below: &mut Vec<LineRequest>,
        done: impl FnMut(Done),
    ) {
        if self.queued > 0 {
            let index = usize::from(self.order[self.head]);
            if self.slots[index].offered_from <= now {
                self.offer(now, index, cache, local, below, done);
            }
        }
    }

    fn offer(
        &mut self,
        now: u64,
        index: usize,
        cache: &mut Cache,
        local: &mut LocalMemory,
        below: &mut Vec<LineRequest>,
        done: impl FnMut(Done),
    ) {
        let slot = &mut self.slots[index];
        if slot.local_rounds > 0 && local.free_from() <= now {
            slot.ready = slot.ready.max(local.begin(now, slot.local_rounds, slot.kind));
            slot.local_rounds = 0;
        }
        let direction = if slot.kind == AccessKind::Store { Direction::Write } else { Direction::Read };
        for block in ThreadMask(slot.left).lanes().take(self.channels as usize) {
            let line = self.blocks[index * MAX_BLOCKS + block] >> self.line_shift;
            if slot.kind == AccessKind::Atomic {
                let token = FillToken::new(ATOMIC_PLACE, index as u32);
                below.push(LineRequest { cycle: now, line, operation: LineOperation::Atomic, token });
                slot.waiting += 1;
                self.counters.atomic_requests += 1;
            } else {
                match cache.offer(now, line, direction, index as u32, below) {
                    Offer::Refused => continue,
                    Offer::Ready(ready) if direction == Direction::Read => slot.ready = slot.ready.max(ready),
                    Offer::Ready(_) => {}
                    Offer::Waiting => slot.waiting += 1,
                }
            }
            slot.left &= !(1 << block);
            self.counters.requests += 1;
        }
        if slot.left != 0 || slot.local_rounds != 0 {
            self.counters.stalls += 1;
            return;
        }
        self.head = if self.head + 1 == self.order.len() { 0 } else { self.head + 1 };
        self.queued -= 1;
        slot.ready = slot.ready.max(now + 1);
        if slot.waiting == 0 {
            self.finish(index, done);
        }
    }

    /// The data cache answers requests that had to wait.
    pub(super) fn answer(&mut self, answer: &Answer, done: impl FnMut(Done)) {
        self.receive(answer.requester as usize, answer.count, answer.ready, done);
    }

    /// The shared level answers one request of an atomic.
    pub(super) fn atomic_answer(&mut self, token: FillToken, now: u64, done: impl FnMut(Done)) {
        self.counters.atomic_answers += 1;
        self.receive(token.payload() as usize, 1, now + 1, done);
    }

    fn receive(&mut self, index: usize, count: u32, ready: u64, done: impl FnMut(Done)) {
        let slot = &mut self.slots[index];
        slot.waiting -= count;
        slot.ready = slot.ready.max(ready);
        if slot.waiting == 0 && slot.left == 0 && slot.local_rounds == 0 {
            self.finish(index, done);
        }
    }

    fn finish(&mut self, index: usize, mut done: impl FnMut(Done)) {
        let slot = &self.slots[index];
        self.answered |= 1 << index;
        self.counters.answers += 1;
        if slot.kind == AccessKind::Load {
            self.counters.load_latency += slot.ready - slot.accepted;
        }
        done((slot.token, slot.ready));
    }

    /// The first conservation law that does not hold, in words. To be asked when [`Lsu::is_quiet`].
    pub fn broken_law(&self) -> Option<&'static str> {
        let c = &self.counters;
        let laws = [
            (c.atomic_answers == c.atomic_requests, "each request of an atomic is answered once"),
            (c.requests <= c.lanes, "no more requests than lane accesses"),
        ];
        laws.iter().find(|(holds, _)| !holds).map(|(_, law)| *law)
    }
}

/// The place of atomics in fill tokens.
pub(super) const ATOMIC_PLACE: u32 = 3;
