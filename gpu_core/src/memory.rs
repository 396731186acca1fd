//! Device memory: one flat 32-bit space in which only allocated regions exist.
//!
//! Before: `gpu` allocates regions, `semantics` computes addresses. After: words.
//! Cores on several host threads share it, so words are relaxed atomics; bytes and halves are changed by
//! compare-exchange on their word. Bounds are exact to the byte. A region's pages are zeroed by the host's operating
//! system when they are first touched, so that a large region costs what is used of it.

use crate::units::{Address, CoreId, LaneId, WarpId};
use serde::{Deserialize, Serialize};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// Pages of the index: 64 KiB, so that the index itself is small.
const PAGE_BITS: u32 = 16;
/// Entry of a page that no region touches.
const NO_REGION: u32 = 0;
/// Entry of a page that several regions touch: they are searched.
const SEVERAL_REGIONS: u32 = u32::MAX;

/// What programs may do with a region.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Load only; a store traps.
    ReadOnly,
    /// Load and store.
    ReadWrite,
}

/// A named, contiguous part of the address space.
#[derive(Debug)]
pub struct Region {
    /// Who asked for it, for messages.
    pub name: String,
    /// First byte; a multiple of 4.
    pub start: Address,
    /// Length in bytes; any number above 0.
    pub bytes: u32,
    /// Whether programs may store to it; the host always may.
    pub is_writable: bool,
    words: Box<[AtomicU32]>,
}

impl Region {
    /// The region's words, the first at [`Region::start`]. Bytes past [`Region::bytes`] in the last word are zero.
    #[inline]
    pub fn words(&self) -> &[AtomicU32] {
        &self.words
    }

    /// Byte offset of `address`, if all of `bytes` bytes from it lie inside.
    #[inline]
    pub fn offset_of(&self, address: Address, bytes: u32) -> Option<u32> {
        let offset = address.0.wrapping_sub(self.start.0);
        (offset < self.bytes && bytes <= self.bytes - offset).then_some(offset)
    }

    /// Address past the last byte; 2^32 for a region that ends the space.
    fn end(&self) -> u64 {
        u64::from(self.start.0) + u64::from(self.bytes)
    }
}

/// Why a region cannot be made or touched by the host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// Zero bytes asked for.
    #[error("region `{name}` has no bytes")]
    Empty {
        /// The region's name.
        name: String,
    },
    /// The start is no multiple of 4.
    #[error("region `{name}` starts at {start}, which is no multiple of 4")]
    Misaligned {
        /// The region's name.
        name: String,
        /// Its first byte.
        start: Address,
    },
    /// The region would pass the end of the address space.
    #[error("region `{name}` of {bytes} bytes at {start} reaches beyond the 32-bit address space")]
    TooLong {
        /// The region's name.
        name: String,
        /// Its first byte.
        start: Address,
        /// Its length in bytes.
        bytes: u32,
    },
    /// Another region is there.
    #[error("region `{name}` of {bytes} bytes at {start} overlaps region `{other}` at {other_start}")]
    Overlap {
        /// The region's name.
        name: String,
        /// Its first byte.
        start: Address,
        /// Its length in bytes.
        bytes: u32,
        /// The region that is there.
        other: String,
        /// Its first byte.
        other_start: Address,
    },
    /// No gap is large enough.
    #[error("no room for region `{name}` of {bytes} bytes: {free} bytes is the largest gap in device memory")]
    Full {
        /// The region's name.
        name: String,
        /// Its length in bytes.
        bytes: u32,
        /// Bytes of the largest gap.
        free: u32,
    },
    /// The host has no room.
    #[error("the host has no memory for region `{name}` of {bytes} bytes")]
    HostMemory {
        /// The region's name.
        name: String,
        /// Its length in bytes.
        bytes: u32,
    },
    /// No region holds all the bytes.
    #[error("{bytes} bytes at {address} lie outside every region")]
    Outside {
        /// First byte.
        address: Address,
        /// How many bytes.
        bytes: u64,
    },
    /// No region starts there.
    #[error("no region starts at {address}")]
    NoRegion {
        /// The address.
        address: Address,
    },
}

/// A word that a lane has loaded by `lr.w` and nobody else has stored to since.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Whose it is. A lane has one at most.
    pub owner: LaneId,
    /// The word.
    pub address: Address,
    /// Whether the word is in the owner's core-local memory, which other cores cannot see.
    pub is_local: bool,
}

/// All regions, and the reservations on their words.
#[derive(Debug)]
pub struct Memory {
    /// Sorted by start.
    regions: Vec<Region>,
    /// For each page: [`NO_REGION`], [`SEVERAL_REGIONS`], or index + 1 of the only region that touches it.
    pages: Vec<u32>,
    reservations: Mutex<Vec<Reservation>>,
    /// Length of `reservations`, so that stores look at the list only when there is something in it.
    reservation_count: AtomicUsize,
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    /// An address space without regions.
    pub fn new() -> Self {
        Self {
            regions: Vec::new(),
            pages: vec![NO_REGION; 1 << (32 - PAGE_BITS)],
            reservations: Mutex::new(Vec::new()),
            reservation_count: AtomicUsize::new(0),
        }
    }

    /// Makes a region of zeros. `start` is a multiple of 4.
    pub fn map(&mut self, name: &str, start: Address, bytes: u32, access: Access) -> Result<(), MemoryError> {
        let name = name.to_owned();
        if bytes == 0 {
            return Err(MemoryError::Empty { name });
        }
        if !start.0.is_multiple_of(4) {
            return Err(MemoryError::Misaligned { name, start });
        }
        let end = u64::from(start.0) + u64::from(bytes);
        if end > 1 << 32 {
            return Err(MemoryError::TooLong { name, start, bytes });
        }
        let at = self.regions.partition_point(|region| region.start < start);
        let before = at.checked_sub(1).map(|index| &self.regions[index]).filter(|region| region.end() > start.0.into());
        let after = self.regions.get(at).filter(|region| u64::from(region.start.0) < end);
        if let Some(other) = before.or(after) {
            let (other, other_start) = (other.name.clone(), other.start);
            return Err(MemoryError::Overlap { name, start, bytes, other, other_start });
        }
        let words = bytemuck::try_zeroed_slice_box(bytes.div_ceil(4) as usize);
        let Ok(words) = words else { return Err(MemoryError::HostMemory { name, bytes }) };
        self.regions.insert(at, Region { name, start, bytes, is_writable: access == Access::ReadWrite, words });
        self.reindex();
        Ok(())
    }

    /// Takes away the region that starts at `start`.
    pub fn unmap(&mut self, start: Address) -> Result<(), MemoryError> {
        let at = self.regions.binary_search_by_key(&start, |region| region.start);
        let at = at.map_err(|_| MemoryError::NoRegion { address: start })?;
        let region = self.regions.remove(at);
        self.set_pages(&region, NO_REGION);
        self.reindex();
        Ok(())
    }

    /// Start of the lowest gap of `bytes` bytes in `[least, limit)`, at a multiple of 64; or the largest gap's size.
    pub fn find_gap(&self, bytes: u32, least: Address, limit: Address) -> Result<Address, u32> {
        let align = |address: u64| address.next_multiple_of(64);
        let mut candidate = align(least.0.into());
        let mut largest = 0;
        let limit = u64::from(limit.0);
        let bounds = self.regions.iter().map(|region| (u64::from(region.start.0), region.end()));
        for (start, end) in bounds.chain([(limit, limit)]) {
            let gap = start.min(limit).saturating_sub(candidate);
            if gap >= bytes.into() {
                return Ok(Address(candidate as u32));
            }
            largest = largest.max(gap as u32);
            candidate = candidate.max(align(end));
        }
        Err(largest)
    }

    /// Writes the index entries of all regions. Regions are few, and made between launches.
    fn reindex(&mut self) {
        for index in 0..self.regions.len() {
            let (first, last) = pages_of(&self.regions[index]);
            self.pages[first..=last].fill(index as u32 + 1);
        }
        // Only the first and last page of a region can be shared, and then with a neighbour.
        for index in 1..self.regions.len() {
            let (_, last) = pages_of(&self.regions[index - 1]);
            let (first, _) = pages_of(&self.regions[index]);
            if first == last {
                self.pages[first] = SEVERAL_REGIONS;
            }
        }
    }

    fn set_pages(&mut self, region: &Region, entry: u32) {
        let (first, last) = pages_of(region);
        self.pages[first..=last].fill(entry);
    }

    /// All regions, by rising address.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The region that holds the byte at `address`.
    #[inline]
    pub fn region_at(&self, address: Address) -> Option<&Region> {
        let region = match self.pages[(address.0 >> PAGE_BITS) as usize] {
            NO_REGION => return None,
            SEVERAL_REGIONS => {
                let after = self.regions.partition_point(|region| region.start <= address);
                &self.regions[after.checked_sub(1)?]
            }
            entry => &self.regions[entry as usize - 1],
        };
        region.offset_of(address, 1).map(|_| region)
    }

    /// Loads `bytes` (1, 2 or 4) at a multiple of `bytes`, zero-extended; `None` outside every region.
    #[inline]
    pub fn load(&self, address: Address, bytes: u32) -> Option<u32> {
        debug_assert!(address.0.is_multiple_of(bytes));
        let region = self.region_at(address)?;
        let offset = region.offset_of(address, bytes)?;
        let word = region.words[(offset / 4) as usize].load(Relaxed);
        Some(extract(word, address.0, bytes))
    }

    /// Stores the low `bytes` (1, 2 or 4) of `value` at a multiple of `bytes`. Gives whether the word changed;
    /// `None`, and nothing stored, outside every region.
    #[inline]
    pub fn store(&self, address: Address, bytes: u32, value: u32) -> Option<bool> {
        debug_assert!(address.0.is_multiple_of(bytes));
        let region = self.region_at(address)?;
        let offset = region.offset_of(address, bytes)?;
        let word = &region.words[(offset / 4) as usize];
        if bytes == 4 {
            let old = word.load(Relaxed);
            word.store(value, Relaxed);
            return Some(old != value);
        }
        let mut old = word.load(Relaxed);
        loop {
            let new = insert(old, address.0, bytes, value);
            match word.compare_exchange_weak(old, new, Relaxed, Relaxed) {
                Ok(_) => return Some(old != new),
                Err(now) => old = now,
            }
        }
    }

    /// Replaces the word at a multiple of 4 by `change` of it; gives the old word, `None` outside every region.
    #[inline]
    pub fn update(&self, address: Address, change: impl Fn(u32) -> u32) -> Option<u32> {
        let region = self.region_at(address)?;
        let word = &region.words[(region.offset_of(address, 4)? / 4) as usize];
        let mut old = word.load(Relaxed);
        loop {
            match word.compare_exchange_weak(old, change(old), Relaxed, Relaxed) {
                Ok(_) => return Some(old),
                Err(now) => old = now,
            }
        }
    }

    /// Whether all of `bytes` bytes from `address` lie in one region.
    pub fn check(&self, address: Address, bytes: u32) -> Result<(), MemoryError> {
        self.span(address, bytes as usize).map(|_| ())
    }

    /// Copies bytes out, for the host. All must lie in one region.
    pub fn read(&self, address: Address, out: &mut [u8]) -> Result<(), MemoryError> {
        let (words, skip) = self.span(address, out.len())?;
        let (head, middle, tail) = parts(words, skip, out.len());
        let (first, rest) = out.split_at_mut(head.as_ref().map_or(0, |(_, range)| range.len()));
        if let Some((word, range)) = head {
            first.copy_from_slice(&word.load(Relaxed).to_le_bytes()[range]);
        }
        let (whole, last) = rest.split_at_mut(4 * middle.len());
        for (bytes, word) in whole.chunks_exact_mut(4).zip(middle) {
            bytes.copy_from_slice(&word.load(Relaxed).to_le_bytes());
        }
        if let Some(word) = tail {
            last.copy_from_slice(&word.load(Relaxed).to_le_bytes()[..last.len()]);
        }
        Ok(())
    }

    /// Copies bytes in, for the host. All must go into one region.
    pub fn write(&self, address: Address, data: &[u8]) -> Result<(), MemoryError> {
        let (words, skip) = self.span(address, data.len())?;
        let (head, middle, tail) = parts(words, skip, data.len());
        let replace = |word: &AtomicU32, range: std::ops::Range<usize>, part: &[u8]| {
            let mut bytes = word.load(Relaxed).to_le_bytes();
            bytes[range].copy_from_slice(part);
            word.store(u32::from_le_bytes(bytes), Relaxed);
        };
        let (first, rest) = data.split_at(head.as_ref().map_or(0, |(_, range)| range.len()));
        if let Some((word, range)) = head {
            replace(word, range, first);
        }
        let (whole, last) = rest.split_at(4 * middle.len());
        for (bytes, word) in whole.chunks_exact(4).zip(middle) {
            word.store(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]), Relaxed);
        }
        if let Some(word) = tail {
            replace(word, 0..last.len(), last);
        }
        Ok(())
    }

    /// The words that `bytes` bytes from `address` touch, and how many bytes of the first to skip.
    fn span(&self, address: Address, bytes: usize) -> Result<(&[AtomicU32], usize), MemoryError> {
        if bytes == 0 {
            return Ok((&[], 0));
        }
        let outside = || MemoryError::Outside { address, bytes: bytes as u64 };
        let region = self.region_at(address).ok_or_else(outside)?;
        let length = u32::try_from(bytes).map_err(|_| outside())?;
        let offset = region.offset_of(address, length).ok_or_else(outside)? as usize;
        Ok((&region.words[offset / 4..(offset + bytes).div_ceil(4)], offset % 4))
    }

    /// Whether any lane holds a reservation: when none does, stores need not call [`Memory::break_reservations`].
    #[inline]
    pub fn has_reservations(&self) -> bool {
        self.reservation_count.load(Relaxed) != 0
    }

    /// All reservations, in no order that matters.
    pub fn reservations(&self) -> Vec<Reservation> {
        self.lock().clone()
    }

    /// Gives a lane a reservation in place of the one it may have.
    pub fn reserve(&self, reservation: Reservation) {
        let mut list = self.lock();
        list.retain(|held| held.owner != reservation.owner);
        list.push(reservation);
        // An order that does not depend on the order in which lanes came, so that equal states compare equal.
        list.sort_unstable_by_key(|held| held.owner);
        self.reservation_count.store(list.len(), Relaxed);
    }

    /// Ends a lane's reservation; gives whether it was on `address`.
    pub fn take_reservation(&self, owner: LaneId, address: Address) -> bool {
        self.remove_reservations(|held| held.owner == owner).iter().any(|held| held.address == address)
    }

    /// A store of `owner` to the word at `address` breaks every other lane's reservation of it.
    pub fn break_reservations(&self, owner: LaneId, address: Address, is_local: bool) {
        let word = Address(address.0 & !3);
        self.remove_reservations(|held| {
            let is_seen = held.is_local == is_local && (!is_local || held.owner.core == owner.core);
            held.address == word && is_seen && held.owner != owner
        });
    }

    /// Ends the reservations of a warp that has ended.
    pub fn drop_reservations(&self, core: CoreId, warp: WarpId) {
        if self.has_reservations() {
            self.remove_reservations(|held| held.owner.core == core && held.owner.warp == warp);
        }
    }

    /// Ends all reservations.
    pub fn clear_reservations(&self) {
        self.remove_reservations(|_| true);
    }

    fn remove_reservations(&self, is_removed: impl Fn(&Reservation) -> bool) -> Vec<Reservation> {
        let mut list = self.lock();
        let removed = list.extract_if(.., |held| is_removed(held)).collect();
        self.reservation_count.store(list.len(), Relaxed);
        removed
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Reservation>> {
        self.reservations.lock().expect("no host thread panics while it holds the reservations")
    }
}

impl Clone for Memory {
    /// A deep copy, word for word.
    fn clone(&self) -> Self {
        let regions = self.regions.iter().map(|region| {
            let words: Box<[AtomicU32]> = bytemuck::zeroed_slice_box(region.words.len());
            for (to, from) in words.iter().zip(&region.words) {
                // A zero is there already, and writing it would make the host find a page for it.
                let word = from.load(Relaxed);
                if word != 0 {
                    to.store(word, Relaxed);
                }
            }
            Region { name: region.name.clone(), words, ..*region }
        });
        let reservations = self.reservations();
        Self {
            regions: regions.collect(),
            pages: self.pages.clone(),
            reservation_count: AtomicUsize::new(reservations.len()),
            reservations: Mutex::new(reservations),
        }
    }
}

/// A word, and the bytes of it that are meant.
type PartialWord<'a> = (&'a AtomicU32, std::ops::Range<usize>);

/// Divides `bytes` bytes, the first of them at byte `skip` of `words`, into part of a word, whole words, part of a word.
fn parts(
    words: &[AtomicU32],
    skip: usize,
    bytes: usize,
) -> (Option<PartialWord<'_>>, &[AtomicU32], Option<&AtomicU32>) {
    let (head, words, bytes) = match words.split_first() {
        Some((first, rest)) if skip != 0 => {
            let end = (skip + bytes).min(4);
            (Some((first, skip..end)), rest, bytes - (end - skip))
        }
        _ => (None, words, bytes),
    };
    let (middle, tail) = words.split_at(bytes / 4);
    (head, middle, tail.first())
}

/// First and last page that a region touches.
fn pages_of(region: &Region) -> (usize, usize) {
    let last = region.end() - 1;
    ((region.start.0 >> PAGE_BITS) as usize, (last >> PAGE_BITS) as usize)
}

/// The `bytes` bytes of `word` that `address` names, zero-extended. `address` is a multiple of `bytes`.
#[inline]
pub(crate) fn extract(word: u32, address: u32, bytes: u32) -> u32 {
    let shifted = word >> (address % 4 * 8);
    match bytes {
        1 => shifted & 0xff,
        2 => shifted & 0xffff,
        _ => shifted,
    }
}

/// `word` with the `bytes` bytes that `address` names replaced by those of `value`. `address` is a multiple of `bytes`.
#[inline]
pub(crate) fn insert(word: u32, address: u32, bytes: u32, value: u32) -> u32 {
    let mask = match bytes {
        1 => 0xff,
        2 => 0xffff,
        _ => u32::MAX,
    };
    let shift = address % 4 * 8;
    word & !(mask << shift) | (value & mask) << shift
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(regions: &[(u32, u32)]) -> Memory {
        let mut memory = Memory::new();
        for &(start, bytes) in regions {
            memory.map("test", Address(start), bytes, Access::ReadWrite).unwrap();
        }
        memory
    }

    #[test]
    fn bounds_are_exact_to_the_byte() {
        let memory = memory(&[(0x1000, 5)]);
        assert_eq!(memory.load(Address(0x1004), 1), Some(0));
        for (address, bytes) in [(0xfff, 1), (0x1005, 1), (0x1004, 2), (0x1004, 4), (0xffc, 4), (0, 4)] {
            assert_eq!(memory.load(Address(address), bytes), None, "{address:#x}, {bytes} bytes");
            assert_eq!(memory.store(Address(address), bytes, 0), None, "{address:#x}, {bytes} bytes");
        }
        assert_eq!(memory.update(Address(0x1004), |word| word + 1), None);
    }

    #[test]
    fn regions_that_share_a_page_are_told_apart() {
        let memory = memory(&[(0x2040, 64), (0x2000, 64), (0x2100, 0x2_0000), (0x2_2100, 4)]);
        memory.store(Address(0x203c), 4, 1).unwrap();
        memory.store(Address(0x2040), 4, 2).unwrap();
        memory.store(Address(0x3000), 4, 3).unwrap();
        memory.store(Address(0x1_0000), 4, 5).unwrap();
        memory.store(Address(0x2_2100), 4, 4).unwrap();
        for (address, expected) in [
            (0x203c, Some(1)),
            (0x2040, Some(2)),
            (0x2080, None),
            (0x3000, Some(3)),
            (0x2_2100, Some(4)),
            (0x1_0000, Some(5)),
            (0x2_2104, None),
        ] {
            assert_eq!(memory.load(Address(address), 4), expected, "{address:#x}");
        }
    }

    #[test]
    fn a_region_can_end_the_address_space() {
        let memory = memory(&[(0xffff_0000, 0x1_0000)]);
        assert_eq!(memory.store(Address(0xffff_fffc), 4, 7), Some(true));
        assert_eq!(memory.load(Address(0xffff_ffff), 1), Some(0));
        assert_eq!(memory.load(Address(0), 1), None);
    }

    #[test]
    fn overlaps_and_impossible_regions_are_refused_by_name() {
        let mut memory = memory(&[(0x1000, 0x100)]);
        let mut refuse = |start, bytes| {
            memory.map("new", Address(start), bytes, Access::ReadWrite).expect_err("must not fit").to_string()
        };
        let overlap = "overlaps region `test` at 0x00001000";
        assert!(refuse(0x10fc, 4).contains(overlap));
        assert!(refuse(0xffc, 5).contains(overlap));
        assert!(refuse(0x800, 0x2000).contains(overlap));
        assert_eq!(refuse(0, 0), "region `new` has no bytes");
        assert_eq!(refuse(2, 4), "region `new` starts at 0x00000002, which is no multiple of 4");
        assert!(refuse(0xffff_fffc, 5).contains("beyond the 32-bit address space"));
    }

    #[test]
    fn an_unmapped_region_is_gone_and_its_neighbours_stay() {
        let mut memory = memory(&[(0x1000, 64), (0x1040, 64), (0x1080, 0x2000)]);
        memory.unmap(Address(0x1040)).unwrap();
        assert_eq!(memory.load(Address(0x1040), 4), None);
        assert_eq!(memory.load(Address(0x1000), 4), Some(0));
        assert_eq!(memory.load(Address(0x2000), 4), Some(0));
        assert!(memory.unmap(Address(0x1044)).is_err());
        assert_eq!(memory.find_gap(64, Address(0x1000), Address(0x8000)), Ok(Address(0x1040)));
        assert_eq!(memory.find_gap(65, Address(0x1000), Address(0x8000)), Ok(Address(0x3080)));
        assert_eq!(memory.find_gap(0x1_0000, Address(0x1000), Address(0x8000)), Err(0x8000 - 0x3080));
    }

    #[test]
    fn bytes_and_halves_change_only_their_part_of_the_word() {
        let memory = memory(&[(0x1000, 8)]);
        memory.store(Address(0x1000), 4, 0x4433_2211).unwrap();
        assert_eq!(memory.load(Address(0x1001), 1), Some(0x22));
        assert_eq!(memory.load(Address(0x1002), 2), Some(0x4433));
        assert_eq!(memory.store(Address(0x1002), 1, 0xffff_ffaa), Some(true));
        assert_eq!(memory.store(Address(0x1002), 1, 0xaa), Some(false));
        assert_eq!(memory.store(Address(0x1000), 2, 0x1234_5678), Some(true));
        assert_eq!(memory.load(Address(0x1000), 4), Some(0x44aa_5678));
    }

    #[test]
    fn the_host_reads_and_writes_at_any_byte() {
        let memory = memory(&[(0x1000, 16)]);
        memory.write(Address(0x1003), &[1, 2, 3, 4, 5, 6]).unwrap();
        let mut out = [0; 16];
        memory.read(Address(0x1000), &mut out).unwrap();
        assert_eq!(out, [0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0]);
        let mut part = [0; 2];
        memory.read(Address(0x1005), &mut part).unwrap();
        assert_eq!(part, [3, 4]);
        memory.read(Address(0x9000), &mut []).unwrap();
        let message = memory.write(Address(0x100f), &[0; 2]).unwrap_err().to_string();
        assert_eq!(message, "2 bytes at 0x0000100f lie outside every region");
    }

    #[test]
    fn a_store_breaks_the_reservations_of_others_only() {
        let memory = memory(&[(0x1000, 16)]);
        let lane = |lane| LaneId { core: CoreId(0), warp: WarpId(0), lane };
        let elsewhere = LaneId { core: CoreId(1), warp: WarpId(0), lane: 0 };
        let reserve = |owner| memory.reserve(Reservation { owner, address: Address(0x1000), is_local: false });
        reserve(lane(0));
        reserve(lane(1));
        reserve(elsewhere);
        memory.break_reservations(lane(0), Address(0x1002), false);
        assert!(!memory.take_reservation(lane(1), Address(0x1000)));
        assert!(!memory.take_reservation(elsewhere, Address(0x1000)));
        assert!(memory.has_reservations());
        assert!(memory.take_reservation(lane(0), Address(0x1000)));
        assert!(!memory.has_reservations());
    }
}
