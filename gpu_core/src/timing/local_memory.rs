//! Core-local memory: one bank a lane, words interleaved over banks, an access of a warp served in rounds.
//!
//! Before: the load-store unit hands in the lanes whose addresses lie in local memory. After: it learns when their data
//! is there. In one round each bank serves one word, to all lanes that read or write that word; lanes that want another word
//! of a bank wait for the next round. Atomics of one word follow each other.

use super::memory_timing::LocalTiming;
use crate::counters::LocalCounters;
use crate::retired::MemoryAccess;
use crate::trap::AccessKind;
use crate::units::ThreadMask;
use serde::{Deserialize, Serialize};

/// The local memory of one core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalMemory {
    bank_mask: u32,
    latency: u64,
    free_from: u64,
    counters: LocalCounters,
}

impl LocalMemory {
    /// Nothing under way.
    pub fn new(timing: &LocalTiming) -> Self {
        let latency = timing.latency.into();
        Self { bank_mask: timing.banks - 1, latency, free_from: 0, counters: LocalCounters::default() }
    }

    /// Events so far.
    pub fn counters(&self) -> &LocalCounters {
        &self.counters
    }

    /// Sets all counters to zero and lets cycles begin at 0 again.
    pub(super) fn restart(&mut self) {
        (self.free_from, self.counters) = (0, LocalCounters::default());
    }

    /// How many rounds the lanes of `mask` need.
    pub fn rounds(&self, mask: ThreadMask, access: &MemoryAccess) -> u32 {
        let mut left = mask.0;
        let mut rounds = 0;
        while left != 0 {
            let mut taken = 0u32;
            let mut words = [0u32; 32];
            for lane in ThreadMask(left).lanes() {
                let word = access.addresses[lane] / 4;
                let bank = (word & self.bank_mask) as usize;
                let is_free = taken >> bank & 1 == 0;
                if is_free || (words[bank] == word && access.kind != AccessKind::Atomic) {
                    taken |= 1 << bank;
                    words[bank] = word;
                    left &= !(1 << lane);
                }
            }
            rounds += 1;
        }
        // A lane that crosses a word boundary reads the next word in a second pass.
        if access.crossing.and(mask).is_empty() { rounds } else { 2 * rounds }
    }

    /// When the next access can begin.
    #[inline]
    pub fn free_from(&self) -> u64 {
        self.free_from
    }

    /// Begins an access of so many rounds and says when its data is there. Only from [`LocalMemory::free_from`] on.
    pub fn begin(&mut self, now: u64, rounds: u32, kind: AccessKind) -> u64 {
        let counters = &mut self.counters;
        *(if kind == AccessKind::Store { &mut counters.writes } else { &mut counters.reads }) += 1;
        counters.rounds += u64::from(rounds);
        counters.conflicts += u64::from(rounds - 1);
        self.free_from = now + u64::from(rounds);
        self.free_from - 1 + self.latency
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retired::Retired;

    #[track_caller]
    fn check(kind: AccessKind, words: &[u32], expected: u32) {
        let memory = LocalMemory::new(&LocalTiming { banks: 4, latency: 1 });
        let mut access = Retired::default().access;
        access.kind = kind;
        for (address, word) in access.addresses.iter_mut().zip(words) {
            *address = 0xffff_0000 + 4 * word;
        }
        assert_eq!(memory.rounds(ThreadMask::first(words.len() as u32), &access), expected);
    }

    #[test]
    fn each_bank_serves_one_word_a_round() {
        check(AccessKind::Load, &[0, 1, 2, 3], 1);
        check(AccessKind::Load, &[0, 5, 2, 7], 1); // Banks 0, 1, 2, 3.
        check(AccessKind::Load, &[0, 4, 1, 2], 2); // Words 0 and 4 share bank 0.
        check(AccessKind::Store, &[0, 4, 8, 12], 4); // All in bank 0.
        check(AccessKind::Load, &[0, 4, 1, 5], 2); // Two conflicts, in different banks, at the same time.
    }

    #[test]
    fn lanes_that_want_the_same_word_share_a_round() {
        check(AccessKind::Load, &[9, 9, 9, 9], 1);
        check(AccessKind::Load, &[9, 13, 9, 13], 2);
        check(AccessKind::Atomic, &[9, 9, 9, 9], 4);
    }

    #[test]
    fn conflicts_delay_the_answer_and_the_next_access() {
        let mut memory = LocalMemory::new(&LocalTiming { banks: 4, latency: 1 });
        // Rounds in cycles 10, 11, 12; the last one's data one cycle later.
        assert_eq!(memory.begin(10, 3, AccessKind::Load), 13);
        assert_eq!(memory.free_from(), 13);
        assert_eq!(memory.begin(13, 1, AccessKind::Store), 14);
        assert_eq!(*memory.counters(), LocalCounters { reads: 1, writes: 1, rounds: 4, conflicts: 2 });
    }
}
