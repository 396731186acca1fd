//! A set of lanes.
//!
//! Before: conditions of lanes. After: which lanes a step acts for.

use crate::accepted::MOST_INVOCATIONS;

const WORDS: usize = MOST_INVOCATIONS as usize / 64;

/// A set of up to [`MOST_INVOCATIONS`] lanes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Mask([u64; WORDS]);

impl Mask {
    pub(super) const EMPTY: Self = Self([0; WORDS]);

    /// Lanes 0 to `count` − 1.
    pub(super) fn first(count: usize) -> Self {
        Self::from_fn(count, |_| true)
    }

    /// The lanes below `count` for which `is_in` holds.
    pub(super) fn from_fn(count: usize, is_in: impl Fn(usize) -> bool) -> Self {
        let mut mask = Self::EMPTY;
        for (index, word) in mask.0.iter_mut().enumerate().take(count.div_ceil(64)) {
            for bit in 0..64.min(count - index * 64) {
                *word |= u64::from(is_in(index * 64 + bit)) << bit;
            }
        }
        mask
    }

    pub(super) fn contains(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 != 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Lanes in both.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] & other.0[index]))
    }

    /// Lanes in this one and not in the other.
    pub(super) fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] & !other.0[index]))
    }

    /// Takes the lanes of `other` in.
    pub(super) fn add(&mut self, other: &Self) {
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// The lanes, ascending.
    pub(super) fn lanes(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(index * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_come_back_in_order() {
        let mask = Mask::from_fn(200, |lane| lane % 63 == 1);
        assert_eq!(mask.lanes().collect::<Vec<_>>(), [1, 64, 127, 190]);
        assert_eq!(mask.count(), 4);
        assert!(mask.contains(127) && !mask.contains(128));
        assert_eq!(Mask::first(65).without(&Mask::first(64)).lanes().collect::<Vec<_>>(), [64]);
    }
}
