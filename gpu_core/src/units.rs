//! Index and quantity types of the machine, so that a warp cannot be taken for a lane or an address for a count.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The most lanes a warp of this machine can have. [`ThreadMask`] has room for 64.
pub const MAX_LANES: usize = 32;

/// A byte address of the flat 32-bit space.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Address(pub u32);

impl Address {
    /// The address `bytes` further on, wrapping at 4 GiB as the machine's adders do.
    pub const fn offset(self, bytes: u32) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:#010x}", self.0)
    }
}

/// A warp within its core, from 0.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WarpId(pub u8);

impl WarpId {
    /// As an index into an array of warps.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for WarpId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A core within the machine, from 0.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CoreId(pub u8);

impl CoreId {
    /// As an index into an array of cores.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for CoreId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Names one lane of the machine.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LaneId {
    /// Its core.
    pub core: CoreId,
    /// Its warp.
    pub warp: WarpId,
    /// The lane in the warp.
    pub lane: u8,
}

/// A point in, or a length of, simulated time, in clock cycles.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cycle(pub u64);

/// A set of lanes of one warp: bit `i` stands for lane `i`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ThreadMask(pub u64);

impl ThreadMask {
    /// No lane.
    pub const EMPTY: Self = Self(0);

    /// Lanes 0 to `lane_count - 1`.
    pub const fn first(lane_count: u32) -> Self {
        if lane_count >= 64 { Self(u64::MAX) } else { Self((1 << lane_count) - 1) }
    }

    /// One lane alone.
    pub const fn lane(lane: u32) -> Self {
        Self(1 << lane)
    }

    /// Whether no lane is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `lane` is in the set.
    pub const fn contains(self, lane: usize) -> bool {
        self.0 >> lane & 1 != 0
    }

    /// How many lanes are in the set.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The highest lane, if there is one.
    pub const fn highest(self) -> Option<usize> {
        if self.0 == 0 { None } else { Some(63 - self.0.leading_zeros() as usize) }
    }

    /// The lowest lane, if there is one.
    pub const fn lowest(self) -> Option<usize> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// Whether all lanes of the set are below `lane_count`.
    pub const fn fits(self, lane_count: u32) -> bool {
        self.0 & !Self::first(lane_count).0 == 0
    }

    /// Lanes in both sets.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Lanes of this set that are not in the other.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Adds one lane.
    pub const fn insert(&mut self, lane: usize) {
        self.0 |= 1 << lane;
    }

    /// The lanes in ascending order.
    pub const fn lanes(self) -> Lanes {
        Lanes(self.0)
    }
}

impl fmt::Display for ThreadMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// Iterator over the lanes of a [`ThreadMask`], lowest first.
#[derive(Copy, Clone, Debug)]
pub struct Lanes(u64);

impl Iterator for Lanes {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lane = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(lane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_come_in_ascending_order() {
        assert_eq!(ThreadMask(0b1010_0001).lanes().collect::<Vec<_>>(), [0, 5, 7]);
    }

    #[test]
    fn highest_and_lowest_of_an_empty_mask_are_none() {
        assert_eq!(ThreadMask::EMPTY.highest(), None);
        assert_eq!(ThreadMask(0b0110).highest(), Some(2));
        assert_eq!(ThreadMask(0b0110).lowest(), Some(1));
    }

    #[test]
    fn first_covers_up_to_64_lanes() {
        assert_eq!(ThreadMask::first(1), ThreadMask(1));
        assert_eq!(ThreadMask::first(32), ThreadMask(0xffff_ffff));
        assert_eq!(ThreadMask::first(64), ThreadMask(u64::MAX));
    }
}
