//! Which warp fetches next: the four masks.
//!
//! Before: nothing; it drives the front end. After: `front_end` fetches for the warp taken. Source: the Vortex paper (2021,
//! wavefront scheduler): each cycle one warp is taken from the visible ones; when none is left they become the active ones
//! that are not stalled and do not wait at a barrier. So a warp is taken at most once until all others had their turn.

use crate::config::WarpPolicy;
use serde::{Deserialize, Serialize};

/// The masks, a bit for each warp.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheduler {
    /// Warps that have started and not ended.
    pub active: u32,
    /// Warps that are not to be fetched for now: a fetch is under way, the instruction buffer is full, or a branch, jump
    /// or other control instruction has not been executed.
    pub stalled: u32,
    /// Warps that have arrived at a barrier which has not released them.
    pub barrier: u32,
    /// Warps that can still be taken in this round.
    pub visible: u32,
    /// The warp taken last.
    pub last: u8,
}

impl Scheduler {
    /// Takes a warp to fetch for, if there is one.
    #[inline]
    pub fn take(&mut self, policy: WarpPolicy) -> Option<usize> {
        if self.visible == 0 {
            self.visible = self.active & !self.stalled & !self.barrier;
            if self.visible == 0 {
                return None;
            }
        }
        let warp = match policy {
            WarpPolicy::Lowest => self.visible.trailing_zeros(),
            WarpPolicy::RoundRobin => next_in_turn(self.visible, self.last.into()),
        };
        self.visible &= !(1 << warp);
        self.last = warp as u8;
        Some(warp as usize)
    }

    /// The warps of a set have ended.
    pub fn end(&mut self, warps: u32) {
        self.active &= !warps;
        self.visible &= !warps;
        self.stalled &= !warps;
        self.barrier &= !warps;
    }
}

/// The first bit of a set that is not empty after bit `last`, from the lowest again if there is none.
#[inline]
pub fn next_in_turn(set: u32, last: u32) -> u32 {
    let after = set & !(u32::MAX >> (31 - last));
    if after == 0 { set.trailing_zeros() } else { after.trailing_zeros() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(scheduler: &mut Scheduler) -> Option<usize> {
        scheduler.take(WarpPolicy::Lowest)
    }

    /// V9, word by word: one warp is taken from visible and its bit cleared; when visible is empty it is refilled with
    /// active and not stalled.
    #[test]
    fn v9_visible_is_emptied_warp_by_warp_and_refilled() {
        let mut scheduler = Scheduler { active: 0b1111, stalled: 0b0010, ..Scheduler::default() };
        assert_eq!(taken(&mut scheduler), Some(0));
        assert_eq!(scheduler.visible, 0b1100);
        assert_eq!(taken(&mut scheduler), Some(2));
        // Warp 1 is free again, but not visible in this round; nor is warp 0, which has had its turn.
        scheduler.stalled = 0;
        assert_eq!(taken(&mut scheduler), Some(3));
        assert_eq!(scheduler.visible, 0);
        assert_eq!(taken(&mut scheduler), Some(0));
        assert_eq!(scheduler.visible, 0b1110);
    }

    #[test]
    fn warps_at_a_barrier_or_stalled_are_left_out_of_the_refill() {
        let mut scheduler = Scheduler { active: 0b0111, stalled: 0b0001, barrier: 0b0100, ..Scheduler::default() };
        assert_eq!(taken(&mut scheduler), Some(1));
        scheduler.stalled |= 0b0010;
        assert_eq!(taken(&mut scheduler), None);
    }

    #[test]
    fn an_ended_warp_is_in_no_mask() {
        let mut scheduler = Scheduler { active: 0b11, stalled: 0b10, barrier: 0, visible: 0b10, last: 0 };
        scheduler.end(0b10);
        assert_eq!(scheduler, Scheduler { active: 0b01, ..Scheduler::default() });
    }

    #[test]
    fn round_robin_goes_on_after_the_last_one() {
        let mut scheduler = Scheduler { active: 0b1011, ..Scheduler::default() };
        let order: Vec<_> = (0..6).filter_map(|_| scheduler.take(WarpPolicy::RoundRobin)).collect();
        assert_eq!(order, [1, 3, 0, 1, 3, 0]);
        assert_eq!(next_in_turn(1 << 31, 31), 31);
        assert_eq!(next_in_turn(0b101, 31), 0);
    }
}
