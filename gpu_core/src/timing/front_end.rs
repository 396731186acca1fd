//! Fetch, decode and the instruction buffers: how a warp's next instructions come to wait for issue.
//!
//! Before: `scheduler` has taken a warp. After: issue takes instructions from the buffer, oldest first. A warp has one
//! fetch under way at most, and is not scheduled from its fetch until it is decoded (Skybox, 2024), while its buffer is
//! full, or while an instruction that decides where it goes on has not been executed. So what a buffer holds is always a run
//! of words from the warp's pc on, and a count is enough.

use serde::{Deserialize, Serialize};

/// The buffers of a core's warps; sets of warps hold a bit each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrontEnd {
    /// Instructions that wait, for each warp.
    counts: [u8; 32],
    capacity: u8,
    /// Warps whose buffer holds something.
    pub buffered: u32,
    /// Warps whose buffer is full.
    pub full: u32,
    /// Warps with a fetch under way.
    pub fetching: u32,
    /// Warps that wait for a control instruction: in the buffer, or being executed.
    pub control: u32,
    /// Those of them whose control instruction is still in the buffer.
    buffered_control: u32,
    /// The warp whose fetch the instruction cache would not take; it is asked again before another is scheduled.
    pub refused: Option<u8>,
}

impl FrontEnd {
    /// Empty buffers of so many entries.
    pub fn new(capacity: u32) -> Self {
        Self {
            counts: [0; 32],
            capacity: capacity as u8,
            buffered: 0,
            full: 0,
            fetching: 0,
            control: 0,
            buffered_control: 0,
            refused: None,
        }
    }

    /// Whether it is of a core with so many warps.
    pub fn is_of(&self, warps: usize) -> bool {
        let is_kept =
            |(warp, count): (usize, &u8)| (self.buffered >> warp & 1 != 0) == (*count > 0) && *count <= self.capacity;
        self.counts.iter().enumerate().all(is_kept) && self.refused.is_none_or(|warp| usize::from(warp) < warps)
    }

    /// Warps that are in any set.
    pub fn warps(&self) -> u32 {
        self.buffered | self.full | self.fetching | self.control | self.buffered_control
    }

    /// Warps that are not to be scheduled.
    #[inline]
    pub fn stalled(&self) -> u32 {
        self.fetching | self.full | self.control
    }

    /// Instructions of a warp that wait.
    #[inline]
    pub fn count(&self, warp: usize) -> u32 {
        self.counts[warp & 31].into()
    }

    /// A fetched instruction is decoded and enters the buffer.
    #[inline]
    pub fn decode(&mut self, warp: usize, is_control: bool) {
        let bit = 1 << warp;
        self.counts[warp & 31] += 1;
        self.fetching &= !bit;
        self.buffered |= bit;
        if self.counts[warp & 31] == self.capacity {
            self.full |= bit;
        }
        if is_control {
            self.control |= bit;
            self.buffered_control |= bit;
        }
    }

    /// The oldest instruction of a warp has been issued; gives whether another one waits.
    #[inline]
    pub fn issue(&mut self, warp: usize, is_control: bool) -> bool {
        let bit = 1 << warp;
        self.counts[warp & 31] -= 1;
        self.full &= !bit;
        if is_control {
            self.buffered_control &= !bit;
        }
        let is_empty = self.counts[warp & 31] == 0;
        if is_empty {
            self.buffered &= !bit;
        }
        !is_empty
    }

    /// Control instructions of these warps have been executed: they may be fetched for.
    #[inline]
    pub fn resume(&mut self, warps: u32) {
        self.control &= !warps;
    }

    /// These warps have ended: nothing of theirs waits. A fetch under way is dropped when it comes.
    pub fn end(&mut self, warps: u32) {
        for warp in (0..self.counts.len()).filter(|warp| warps >> warp & 1 != 0) {
            self.counts[warp & 31] = 0;
        }
        self.buffered &= !warps;
        self.full &= !warps;
        self.control &= !warps;
        self.buffered_control &= !warps;
    }

    /// Code has changed: what waits is fetched anew. Fetches under way bring the new code.
    pub fn flush(&mut self) {
        self.counts.fill(0);
        self.buffered = 0;
        self.full = 0;
        self.control &= !self.buffered_control;
        self.buffered_control = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warp_is_stalled_while_it_is_fetched_for_full_or_waits_for_control() {
        let mut front_end = FrontEnd::new(2);
        front_end.fetching |= 0b10;
        assert_eq!(front_end.stalled(), 0b10);
        front_end.decode(1, false);
        assert_eq!((front_end.stalled(), front_end.buffered), (0, 0b10));
        front_end.decode(1, true);
        assert_eq!(front_end.stalled(), 0b10, "full, and control");
        assert!(front_end.issue(1, false));
        assert_eq!(front_end.stalled(), 0b10, "control");
        assert!(!front_end.issue(1, true));
        assert_eq!((front_end.stalled(), front_end.buffered), (0b10, 0), "control is being executed");
        front_end.resume(0b10);
        assert_eq!(front_end.stalled(), 0);
    }

    #[test]
    fn a_flush_frees_warps_whose_control_instruction_is_dropped_and_no_others() {
        let mut front_end = FrontEnd::new(4);
        front_end.decode(0, true);
        front_end.decode(1, true);
        front_end.issue(1, true);
        front_end.flush();
        assert_eq!((front_end.control, front_end.buffered, front_end.count(0)), (0b10, 0, 0));
    }
}
