//! The tags of a cache: which lines it holds, most recently used first in each set.
//!
//! `cache` asks whether a line is there and puts lines in. A tag carries no data, so the order of the ways stands for
//! the counters of a least-recently-used policy.

use serde::{Deserialize, Serialize};

/// A way that holds nothing. Lines have at most 28 bits, so no line looks like this.
const EMPTY: u32 = u32::MAX;

/// Tags of all sets: `line << 1 | dirty`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tags {
    ways: usize,
    set_mask: u32,
    tags: Vec<u32>,
}

/// What had to leave for a new line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Victim {
    /// Nothing, or a line that memory holds too.
    None,
    /// A dirty line, which has to go below.
    Dirty(u32),
}

impl Tags {
    /// Empty sets; their number is a power of two.
    pub fn new(sets: u32, ways: u32) -> Self {
        debug_assert!(sets.is_power_of_two() && ways > 0);
        Self { ways: ways as usize, set_mask: sets - 1, tags: vec![EMPTY; (sets * ways) as usize] }
    }

    /// Forgets all lines.
    pub fn clear(&mut self) {
        self.tags.fill(EMPTY);
    }

    /// Whether the line is there; then it is the most recently used, and dirty if `is_write` makes it so.
    #[inline]
    pub fn touch(&mut self, line: u32, is_write: bool) -> bool {
        let start = self.start_of(line);
        let first = &mut self.tags[start];
        if *first >> 1 == line {
            *first |= u32::from(is_write);
            return true;
        }
        self.ways > 1 && self.touch_older(start, line, is_write)
    }

    fn touch_older(&mut self, start: usize, line: u32, is_write: bool) -> bool {
        let set = &mut self.tags[start..start + self.ways];
        let Some(way) = set.iter().position(|tag| tag >> 1 == line) else { return false };
        set[..=way].rotate_right(1);
        set[0] |= u32::from(is_write);
        true
    }

    /// Puts a line in as the most recently used, in place of the least recently used. It must not be there yet.
    pub fn insert(&mut self, line: u32, is_write: bool) -> Victim {
        let start = self.start_of(line);
        let set = &mut self.tags[start..start + self.ways];
        debug_assert!(set.iter().all(|tag| tag >> 1 != line), "a line is in a cache once");
        set.rotate_right(1);
        let old = std::mem::replace(&mut set[0], line << 1 | u32::from(is_write));
        if old != EMPTY && old & 1 != 0 { Victim::Dirty(old >> 1) } else { Victim::None }
    }

    #[inline]
    fn start_of(&self, line: u32) -> usize {
        (line & self.set_mask) as usize * self.ways
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_line_leaves() {
        let mut tags = Tags::new(1, 2);
        assert_eq!(tags.insert(10, false), Victim::None);
        assert_eq!(tags.insert(11, false), Victim::None);
        assert!(tags.touch(10, false));
        tags.insert(12, false);
        assert!(tags.touch(10, false) && tags.touch(12, false));
        assert!(!tags.touch(11, false));
    }

    #[test]
    fn a_use_leaves_the_order_of_the_others() {
        let mut tags = Tags::new(1, 4);
        (1..=4).for_each(|line| assert_eq!(tags.insert(line, false), Victim::None));
        assert!(tags.touch(1, false));
        tags.insert(5, false); // Of 2, 3, 4, 1, in the order of use, 2 leaves.
        assert!(!tags.touch(2, false));
        assert!([1, 3, 4, 5].iter().all(|&line| tags.touch(line, false)));
    }

    #[test]
    fn lines_of_different_sets_do_not_meet() {
        let mut tags = Tags::new(4, 1);
        for line in 0..4 {
            tags.insert(line, false);
        }
        assert!((0..4).all(|line| tags.touch(line, false)));
        tags.insert(5, false);
        assert!(!tags.touch(1, false) && tags.touch(5, false) && tags.touch(2, false));
    }

    #[test]
    fn only_a_written_line_is_dirty_when_it_leaves() {
        let mut tags = Tags::new(1, 1);
        tags.insert(3, false);
        assert_eq!(tags.insert(4, false), Victim::None);
        tags.touch(4, true);
        tags.touch(4, false); // Reading does not clean it.
        assert_eq!(tags.insert(5, true), Victim::Dirty(4));
        assert_eq!(tags.insert(6, false), Victim::Dirty(5));
    }
}
