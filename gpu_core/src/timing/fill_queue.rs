//! Answers of the shared level on their way to a core, in the order in which they arrive.
//!
//! Before: the window's edge hands them in. After: `core_memory` takes each up in its cycle. DRAM serves mostly in order, so
//! that a new one goes to the end or near it.

use super::line_request::Fill;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Fills in ascending order of cycles; those of one cycle in the order in which they were handed in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FillQueue {
    fills: VecDeque<Fill>,
}

impl FillQueue {
    /// Adds one.
    pub fn insert(&mut self, fill: Fill) {
        let mut place = self.fills.len();
        while place > 0 && self.fills[place - 1].cycle > fill.cycle {
            place -= 1;
        }
        if place == self.fills.len() {
            self.fills.push_back(fill);
        } else {
            self.fills.insert(place, fill);
        }
    }

    /// When the next one arrives.
    #[inline]
    pub fn next_cycle(&self) -> Option<u64> {
        self.fills.front().map(|fill| fill.cycle)
    }

    /// Takes the next one out if it has arrived by `now`.
    #[inline]
    pub fn take(&mut self, now: u64) -> Option<Fill> {
        if self.fills.front()?.cycle > now {
            return None;
        }
        self.fills.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::super::line_request::FillToken;
    use super::*;

    #[test]
    fn fills_come_out_by_cycle_and_then_by_arrival() {
        let mut queue = FillQueue::default();
        for (name, cycle) in [(0, 7), (1, 5), (2, 9), (3, 5), (4, 7)] {
            queue.insert(Fill { cycle, token: FillToken(name) });
        }
        assert_eq!(queue.take(4), None);
        assert_eq!(queue.next_cycle(), Some(5));
        let order: Vec<u32> = std::iter::from_fn(|| queue.take(8)).map(|fill| fill.token.0).collect();
        assert_eq!(order, [1, 3, 0, 4]);
        assert_eq!(queue.next_cycle(), Some(9));
    }
}
