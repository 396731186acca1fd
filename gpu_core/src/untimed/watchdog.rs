//! Proves that a machine which makes no progress never will: its state repeats.
//!
//! A round of a given length is a function of the machine's state alone. Without progress no word of memory changes, so
//! when the cores come back to a state that they had been in since, they will do so for ever.
//! Looking costs time, and short rounds, which find a cycle soonest, cannot be shared out to host threads. So the
//! watchdog looks in probes: after 1, 2, 4, 8 … intervals without progress it takes 1, 2, 4, 8 … times
//! [`PROBE_ROUNDS`] short rounds, and compares each with a copy of the state at the probe's rounds 1, 2, 4, 8 …
//! (Brent's way to find a cycle). A cycle of any length is met in some probe.
//! A program that reads a counter CSR sees time, which never repeats.

use super::slice::CoreRun;
use crate::memory::{Memory, Reservation};
use crate::semantics::CoreState;

/// Rounds of the first probe.
const PROBE_ROUNDS: u64 = 4096;
/// Instructions of each core in a round of a probe.
const PROBE_SLICE: u64 = 64;

/// Watches one launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watchdog {
    /// Instructions since the last progress.
    idle_instructions: u64,
    /// Probes begun since the last progress.
    probe_count: u32,
    /// Rounds left of the probe that is going on.
    rounds_left: u64,
    anchor: Option<Anchor>,
}

/// A state of the machine to compare with.
#[derive(Clone, Debug)]
struct Anchor {
    cores: Vec<CoreState>,
    next_warps: Vec<usize>,
    reservations: Vec<Reservation>,
    /// Rounds since it was taken, and after how many the next one is.
    age: u64,
    lifetime: u64,
}

impl Watchdog {
    /// Instructions since the last progress.
    pub fn idle_instructions(&self) -> u64 {
        self.idle_instructions
    }

    /// How long a core's slice may be in the next round, if the watchdog cares.
    pub fn slice_limit(&self) -> Option<u64> {
        (self.rounds_left > 0).then_some(PROBE_SLICE)
    }

    /// Something has changed for good.
    pub fn note_progress(&mut self) {
        *self = Self::default();
    }

    /// A round was cut short by a limit: states before it and after it are not to be compared.
    pub fn note_short_round(&mut self) {
        self.anchor = None;
    }

    /// Looks at the machine after a round that ran `instructions` without progress; whether it is caught in a cycle.
    pub fn sees_cycle(
        &mut self,
        instructions: u64,
        interval: u64,
        cores: &[CoreState],
        runs: &[CoreRun],
        memory: &Memory,
    ) -> bool {
        self.idle_instructions += instructions;
        if self.rounds_left == 0 {
            if self.idle_instructions >= interval.saturating_mul(1 << self.probe_count) {
                self.rounds_left = PROBE_ROUNDS << self.probe_count;
                self.probe_count += 1;
                self.anchor = None;
            }
            return false;
        }
        self.rounds_left -= 1;
        let lifetime = match &mut self.anchor {
            None => 1,
            Some(anchor) => {
                if anchor.is_state_of(cores, runs, memory) {
                    return true;
                }
                anchor.age += 1;
                if anchor.age < anchor.lifetime {
                    return false;
                }
                anchor.lifetime * 2
            }
        };
        self.anchor = Some(Anchor {
            cores: cores.to_vec(),
            next_warps: runs.iter().map(|run| run.next_warp).collect(),
            reservations: memory.reservations(),
            age: 0,
            lifetime,
        });
        false
    }
}

impl Anchor {
    fn is_state_of(&self, cores: &[CoreState], runs: &[CoreRun], memory: &Memory) -> bool {
        let have_same_turn = self.next_warps.iter().zip(runs).all(|(&next, run)| next == run.next_warp);
        have_same_turn
            && self.cores.iter().zip(cores).all(|(then, now)| then.behaves_like(now))
            && self.reservations == memory.reservations()
    }
}
