//! Device memory: one flat 32-bit space in which only allocated regions exist.
//!
//! Before: `gpu` allocates regions, `semantics` computes addresses. After: words.
//! Cores on several host threads share it, so words are relaxed atomics; bytes and halves are changed by
//! compare-exchange on their word. Bounds are exact to the byte. A region's pages are zeroed by the host's operating
//! system when they are first touched, so that a large region costs what is used of it.

mod error;
mod host;
mod reservations;

pub use error::MemoryError;
pub use reservations::Reservation;

use crate::units::Address;
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
mod tests;
