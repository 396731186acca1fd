//! The coalescer: the addresses of the lanes of one warp become a list of blocks, each asked for once.
//!
//! Before: a load, store or atomic that was carried out. After: `lsu` and `texture_unit` offer a request for each block to a
//! cache. A block is a line or a part of one.

use crate::units::{MAX_LANES, ThreadMask};

/// The most blocks of one access: each lane two, when all cross a word boundary.
pub(super) const MAX_BLOCKS: usize = 2 * MAX_LANES;

/// A list of block numbers (address divided by block size) in the order in which lanes first ask for them.
pub(super) struct Blocks<'a> {
    list: &'a mut [u32],
    count: usize,
    shift: u32,
}

impl<'a> Blocks<'a> {
    /// An empty list of blocks of `1 << shift` bytes, kept in `list`.
    pub fn new(list: &'a mut [u32], shift: u32) -> Self {
        Self { list, count: 0, shift }
    }

    /// Adds the block of an address, though it may be there.
    #[inline]
    pub fn push(&mut self, address: u32) {
        self.list[self.count] = address >> self.shift;
        self.count += 1;
    }

    /// Adds the block of an address unless it is among those added since the list had `since` blocks.
    #[inline]
    pub fn merge(&mut self, address: u32, since: usize) {
        let block = address >> self.shift;
        // The newest first: neighbours mostly share a block.
        if !self.list[since..self.count].iter().rev().any(|&other| other == block) {
            self.list[self.count] = block;
            self.count += 1;
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }
}

/// Whether lanes share requests.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Merging {
    /// Lanes of one block make one request.
    Blocks,
    /// Each lane makes its own.
    None,
}

/// Adds the blocks of all lanes of `mask`; a lane of `crossing` also asks for the block of its last byte.
#[inline]
pub(super) fn coalesce(
    mask: ThreadMask,
    crossing: ThreadMask,
    bytes: u32,
    addresses: &[u32; MAX_LANES],
    merging: Merging,
    blocks: &mut Blocks<'_>,
) {
    for lane in mask.lanes() {
        let first = addresses[lane];
        match merging {
            Merging::Blocks => blocks.merge(first, 0),
            Merging::None => blocks.push(first),
        }
        if crossing.contains(lane) {
            let last = first.wrapping_add(bytes - 1);
            match merging {
                Merging::Blocks => blocks.merge(last, 0),
                Merging::None => blocks.push(last),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(addresses: &[u32], crossing: u64, merging: Merging, expected: &[u32]) {
        let mut lanes = [0; MAX_LANES];
        lanes[..addresses.len()].copy_from_slice(addresses);
        let mut list = [0; MAX_BLOCKS];
        let mut blocks = Blocks::new(&mut list, 4);
        let mask = ThreadMask::first(addresses.len() as u32);
        coalesce(mask, ThreadMask(crossing), 4, &lanes, merging, &mut blocks);
        let count = blocks.len();
        assert_eq!(&list[..count], expected);
    }

    #[test]
    fn neighbours_make_one_request() {
        check(&[0x100, 0x104, 0x108, 0x10c], 0, Merging::Blocks, &[0x10]);
    }

    #[test]
    fn a_block_is_asked_for_once_wherever_it_comes() {
        check(&[0x100, 0x200, 0x10c, 0x204], 0, Merging::Blocks, &[0x10, 0x20]);
    }

    #[test]
    fn a_run_that_straddles_two_blocks_makes_two_requests() {
        check(&[0x108, 0x10c, 0x110, 0x114], 0, Merging::Blocks, &[0x10, 0x11]);
    }

    #[test]
    fn without_coalescing_each_lane_asks() {
        check(&[0x100, 0x104, 0x100], 0, Merging::None, &[0x10, 0x10, 0x10]);
    }

    #[test]
    fn a_crossing_lane_asks_for_the_block_of_its_last_byte() {
        // 0x10e to 0x111 lies in two blocks; 0x102 to 0x105 crosses a word, but in one block.
        check(&[0x10e], 1, Merging::Blocks, &[0x10, 0x11]);
        check(&[0x102], 1, Merging::Blocks, &[0x10]);
        check(&[0x102], 1, Merging::None, &[0x10, 0x10]);
    }
}
