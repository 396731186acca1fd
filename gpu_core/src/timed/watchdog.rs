//! Proves that a timed run which makes no progress never will.
//!
//! Without progress no word of memory changes and no barrier releases, so what a warp does next depends on the warp alone, not on when
//! its turn comes. When every warp that can run has executed something and is where it was before, all of them go round for
//! ever, whatever time does. As in untimed runs, looking costs time, so it is done in probes that grow.

use crate::memory::{Memory, Reservation};
use crate::semantics::CoreState;
use crate::semantics::warp::WarpState;

/// Windows of the first probe.
const PROBE_WINDOWS: u64 = 4096;

/// Watches one launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watchdog {
    /// Instructions since the last progress.
    idle_instructions: u64,
    probe_count: u32,
    windows_left: u64,
    anchor: Option<Anchor>,
}

/// A state of the machine to compare with.
#[derive(Clone, Debug)]
struct Anchor {
    cores: Vec<CoreState>,
    /// Warps that have executed something since, for each core.
    moved: Vec<u32>,
    reservations: Vec<Reservation>,
    /// Windows since it was taken, and after how many the next one is.
    age: u64,
    lifetime: u64,
}

impl Watchdog {
    /// Instructions since the last progress.
    pub fn idle_instructions(&self) -> u64 {
        self.idle_instructions
    }

    /// Something has changed for good.
    pub fn note_progress(&mut self) {
        if self.idle_instructions != 0 {
            *self = Self::default();
        }
    }

    /// Whether it wants to see the machine after a window that executed so many instructions without progress.
    pub fn wants_to_look(&mut self, instructions: u64, interval: u64) -> bool {
        self.idle_instructions += instructions;
        if self.windows_left == 0 {
            if self.idle_instructions >= interval.saturating_mul(1 << self.probe_count) {
                self.windows_left = PROBE_WINDOWS << self.probe_count;
                self.probe_count += 1;
                self.anchor = None;
            }
            return false;
        }
        self.windows_left -= 1;
        true
    }

    /// Looks at the machine; `moved` are the warps of each core that executed something since the last look. Gives
    /// whether it is caught in a cycle.
    pub fn sees_cycle(&mut self, cores: &[&CoreState], moved: &[u32], memory: &Memory) -> bool {
        let lifetime = match &mut self.anchor {
            None => 1,
            Some(anchor) => {
                for (all, moved) in anchor.moved.iter_mut().zip(moved) {
                    *all |= moved;
                }
                if anchor.is_met_again(cores, memory) {
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
            cores: cores.iter().map(|core| (*core).clone()).collect(),
            moved: vec![0; cores.len()],
            reservations: memory.reservations(),
            age: 0,
            lifetime,
        });
        false
    }
}

impl Anchor {
    fn is_met_again(&self, cores: &[&CoreState], memory: &Memory) -> bool {
        let has_gone_round = |core: &CoreState, moved: u32| {
            core.warps.iter().enumerate().all(|(index, warp)| match warp.state {
                WarpState::Ready | WarpState::Requesting => moved >> index & 1 != 0,
                _ => true,
            })
        };
        cores.iter().zip(&self.moved).all(|(core, moved)| has_gone_round(core, *moved))
            && self.cores.iter().zip(cores).all(|(then, now)| then.behaves_like(now))
            && self.reservations == memory.reservations()
    }
}
