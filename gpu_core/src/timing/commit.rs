//! Commit: results become registers that later instructions can read, one a cycle for each issue slice, oldest first.
//!
//! Before: function units and memory hand in what they finished. After: `core` releases the scoreboard's reservation.
//! Source: Skybox (2024), which takes turns among the units instead.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Stands for no register.
pub const NO_REGISTER: u8 = 64;

/// Finished instructions that wait for the register file's write port, as warp and register.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    slices: [Queue; 32],
    /// How many wait in all.
    waiting: u32,
}

/// Those of one slice: most often there is one at most.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Queue {
    first: Option<(u8, u8)>,
    rest: VecDeque<(u8, u8)>,
}

impl Commit {
    /// Whether it is of a core with so many warps.
    pub fn is_of(&self, warps: usize) -> bool {
        let mut all = self.slices.iter().flat_map(|queue| queue.first.iter().chain(&queue.rest));
        self.slices.iter().all(|queue| queue.first.is_some() || queue.rest.is_empty())
            && self.waiting as usize == all.clone().count()
            && all.all(|&(warp, register)| usize::from(warp) < warps && register <= NO_REGISTER)
    }

    /// Whether something waits.
    #[inline]
    pub fn is_waiting(&self) -> bool {
        self.waiting != 0
    }

    /// An instruction has finished; it commits in the next cycle or later.
    #[inline]
    pub fn finish(&mut self, slice: usize, warp: u8, register: u8) {
        let queue = &mut self.slices[slice & 31];
        match queue.first {
            None => queue.first = Some((warp, register)),
            Some(_) => queue.rest.push_back((warp, register)),
        }
        self.waiting += 1;
    }

    /// The instruction that commits in this cycle.
    #[inline]
    pub fn next(&mut self, slice: usize) -> Option<(u8, u8)> {
        let queue = &mut self.slices[slice & 31];
        let next = queue.first.take()?;
        if !queue.rest.is_empty() {
            queue.first = queue.rest.pop_front();
        }
        self.waiting -= 1;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_commits_for_each_slice_and_cycle_oldest_first() {
        let mut commit = Commit::default();
        commit.finish(0, 0, 5);
        commit.finish(0, 2, 6);
        commit.finish(1, 1, 7);
        assert_eq!([commit.next(0), commit.next(1)], [Some((0, 5)), Some((1, 7))]);
        assert!(commit.is_waiting());
        assert_eq!([commit.next(0), commit.next(1)], [Some((2, 6)), None]);
        assert!(!commit.is_waiting());
    }
}
