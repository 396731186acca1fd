//! Memory as a row of lanes sees it.
//!
//! Before: `interpret` has computed the addresses. After: a row, or words in memory. Anything that is not plain sailing
//! (several regions, misaligned, out of bounds, I/O page, reservations) gives `None`: the plain engine runs it.
//! Gain: one region look-up and one check for all lanes, memory kernel at 16 lanes 23 → 13 ns a warp-instruction (see
//! `mod.rs`).

use super::lanes::{Host, Row, blend, map1, map2, splat, spread};
use crate::config::LOCAL_MEMORY_BASE;
use crate::memory::{Memory, Region, extract, insert};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Whether other host threads may touch shared memory while a core runs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// No other core runs.
    Alone,
    /// Other cores run at the same time.
    Shared,
}

/// Words that lie together in memory: the core's local memory, or a region.
#[derive(Copy, Clone)]
pub(super) struct View<'a> {
    words: NonNull<AtomicU32>,
    pub start: u32,
    bytes: u32,
    /// `WRITABLE`, `PRIVATE`. One number, so that a view has no padding: hosts wait long for words of it that were written
    /// byte by byte.
    flags: u64,
    lifetime: PhantomData<&'a AtomicU32>,
}

/// Programs may store to the words.
const WRITABLE: u64 = 1;
/// Nobody else touches the words while the view lives, or everybody only reads them.
const PRIVATE: u64 = 2;

#[allow(unsafe_code)]
impl<'a> View<'a> {
    fn of_region(region: &'a Region, sharing: Sharing) -> Self {
        let writable = if region.is_writable { WRITABLE } else { 0 };
        let private = if sharing == Sharing::Alone || !region.is_writable { PRIVATE } else { 0 };
        Self {
            words: NonNull::from(region.words()).cast(),
            start: region.start.0,
            bytes: region.bytes,
            flags: writable | private,
            lifetime: PhantomData,
        }
    }

    /// The first word, and how many bytes there are.
    #[inline(always)]
    pub fn words(&self) -> (*const AtomicU32, u32) {
        (self.words.as_ptr(), self.bytes)
    }

    /// The first word.
    #[inline(always)]
    pub fn first_word(&self) -> NonNull<AtomicU32> {
        self.words
    }

    /// Whether programs may store to the words.
    #[inline(always)]
    pub fn is_writable(&self) -> bool {
        self.flags & WRITABLE != 0
    }

    #[inline(always)]
    fn is_private(&self) -> bool {
        self.flags & PRIVATE != 0
    }

    /// The byte offsets of a row of addresses, if accesses of `bytes` bytes there are aligned and lie inside.
    #[inline(always)]
    pub fn offsets<const LANES: usize>(&self, addresses: &Row<LANES>, bytes: u32) -> Option<Row<LANES>> {
        let offsets = map1(addresses, |address| address.wrapping_sub(self.start));
        let (mut largest, mut low_bits) = (0, 0);
        for offset in offsets {
            largest = largest.max(offset);
            low_bits |= offset;
        }
        // Regions and local memory start at multiples of 4.
        (largest < self.bytes && bytes <= self.bytes - largest && low_bits & (bytes - 1) == 0).then_some(offsets)
    }

    /// Whether `bytes` bytes from `address`, which must be a multiple of 4, lie inside.
    #[inline(always)]
    pub fn has(&self, address: u32, bytes: u32) -> bool {
        let offset = address.wrapping_sub(self.start);
        offset.is_multiple_of(4) && offset < self.bytes && self.bytes - offset >= bytes
    }

    #[inline(always)]
    pub fn word(&self, offset: u32) -> &AtomicU32 {
        debug_assert!(offset < self.bytes);
        // SAFETY: every caller has checked `offset < self.bytes`, and a region has a word for every started four bytes.
        // The words live as long as `'a`. Those of local memory are exclusively borrowed as `u32` for `'a`, which has
        // the size and alignment of `AtomicU32`.
        unsafe { self.words.add((offset / 4) as usize).as_ref() }
    }

    /// `LANES` words from `offset`, a multiple of 4; all of them lie inside.
    #[inline(always)]
    pub fn load_row<const LANES: usize>(&self, offset: u32) -> Row<LANES> {
        debug_assert!(offset.is_multiple_of(4) && u64::from(offset) + 4 * LANES as u64 <= u64::from(self.bytes));
        if self.is_private() {
            // SAFETY: the caller has checked that all words lie inside; nobody stores to private words at the same time.
            return unsafe { self.words.add((offset / 4) as usize).cast::<Row<LANES>>().read_unaligned() };
        }
        let mut row = [0; LANES];
        for (lane, word) in row.iter_mut().enumerate() {
            *word = self.word(offset + 4 * lane as u32).load(Relaxed);
        }
        row
    }

    /// Stores `LANES` words from `offset` on, as [`View::load_row`] loads them.
    #[inline(always)]
    pub fn store_row<const LANES: usize>(&self, offset: u32, row: &Row<LANES>) {
        debug_assert!(offset.is_multiple_of(4) && u64::from(offset) + 4 * LANES as u64 <= u64::from(self.bytes));
        if self.is_private() {
            // SAFETY: as in `load_row`; private and writable means that no other host thread runs a core, or that the
            // words are the core's own. `AtomicU32` allows writing through a shared reference.
            unsafe { self.words.add((offset / 4) as usize).cast::<Row<LANES>>().write_unaligned(*row) };
            return;
        }
        for (lane, value) in row.iter().enumerate() {
            self.word(offset + 4 * lane as u32).store(*value, Relaxed);
        }
    }

    /// The bytes at checked offsets, zero-extended.
    #[inline(always)]
    pub fn gather<H: Host, const LANES: usize>(&self, offsets: &Row<LANES>, bytes: u32) -> Row<LANES> {
        debug_assert!(offsets.iter().all(|&offset| offset < self.bytes));
        // SAFETY: as in `word`.
        let words = unsafe { H::gather(self.words, &map1(offsets, |offset| offset / 4)) };
        if bytes == 4 { words } else { map2(&words, offsets, |word, offset| extract(word, offset, bytes)) }
    }

    /// Stores the low `bytes` bytes of `value` at a checked offset; gives whether the word changed.
    #[inline(always)]
    pub fn store(&self, offset: u32, value: u32, bytes: u32) -> bool {
        let word = self.word(offset);
        let mut old = word.load(Relaxed);
        if bytes == 4 {
            word.store(value, Relaxed);
            return old != value;
        }
        loop {
            let new = insert(old, offset, bytes, value);
            if self.is_private() {
                word.store(new, Relaxed);
                return old != new;
            }
            match word.compare_exchange_weak(old, new, Relaxed, Relaxed) {
                Ok(_) => return old != new,
                Err(now) => old = now,
            }
        }
    }
}

/// Everything a warp can load from and store to.
pub(super) struct Space<'a> {
    memory: &'a Memory,
    regions: &'a [Region],
    local: View<'a>,
    sharing: Sharing,
    /// Accesses below this address are the plain engine's.
    least: u32,
}

/// Which region an instruction touched last: nearly always the one it touches next.
pub(super) type Hint = u16;

impl<'a> Space<'a> {
    /// `local` is the core's local memory, `least` the lowest address that is no I/O.
    pub fn new(memory: &'a Memory, local: &'a mut [u32], sharing: Sharing, least: u32) -> Self {
        let local = View {
            bytes: 4 * local.len() as u32,
            words: NonNull::from(local).cast(),
            start: LOCAL_MEMORY_BASE.0,
            flags: WRITABLE | PRIVATE,
            lifetime: PhantomData,
        };
        Self { memory, regions: memory.regions(), local, sharing, least }
    }

    /// The words around `address`.
    #[inline(always)]
    pub fn view(&self, address: u32, hint: &mut Hint) -> Option<View<'a>> {
        if address.wrapping_sub(self.local.start) < self.local.bytes {
            return Some(self.local);
        }
        if address < self.least {
            return None;
        }
        match self.regions.get(usize::from(*hint)) {
            Some(region) if address.wrapping_sub(region.start.0) < region.bytes => {
                Some(View::of_region(region, self.sharing))
            }
            _ => self.search(address, hint),
        }
    }

    /// Local memory and all regions, in the order of [`Space::number`]; `None` where not every address that lies in the region
    /// belongs to it, local memory or the I/O page hiding a part.
    pub fn views(&self) -> impl Iterator<Item = Option<View<'a>>> + '_ {
        let regions = self.regions.iter().map(|region| {
            let view = View::of_region(region, self.sharing);
            let is_apart = self.local.start.wrapping_sub(view.start) >= view.bytes
                && view.start.wrapping_sub(self.local.start) >= self.local.bytes;
            (is_apart && view.start >= self.least).then_some(view)
        });
        std::iter::once(Some(self.local)).chain(regions)
    }

    /// The number, in a view, of the word at an address, if it is a word's and `count` words from there on lie in the view, local
    /// memory hiding none of them.
    #[inline(always)]
    pub fn word_number(&self, view: View<'a>, address: u32, count: u32) -> Option<u32> {
        let offset = address.wrapping_sub(view.start);
        let number = offset / 4;
        let lies_inside = offset.is_multiple_of(4) && offset < view.bytes && view.bytes / 4 - number >= count;
        let local = &self.local;
        let is_apart =
            local.start.wrapping_sub(address) / 4 >= count && address.wrapping_sub(local.start) >= local.bytes;
        (lies_inside && (is_apart || view.start == local.start)).then_some(number)
    }

    /// The number of a view that `view` gave with this hint: 0 for local memory, else one more than that of its region.
    #[inline(always)]
    pub fn number(&self, view: View<'a>, hint: Hint) -> usize {
        if view.start == self.local.start { 0 } else { usize::from(hint) + 1 }
    }

    #[cold]
    #[inline(never)]
    fn search(&self, address: u32, hint: &mut Hint) -> Option<View<'a>> {
        let after = self.regions.partition_point(|region| region.start.0 <= address);
        let index = after.checked_sub(1)?;
        let region = &self.regions[index];
        if address.wrapping_sub(region.start.0) >= region.bytes {
            return None;
        }
        *hint = Hint::try_from(index).unwrap_or(0);
        Some(View::of_region(region, self.sharing))
    }

    /// Whether stores must be done one by one, since some lane has reserved a word.
    #[inline(always)]
    pub fn has_reservations(&self) -> bool {
        self.memory.has_reservations()
    }

    /// Texels for `texture::sample_warp`; the lanes outside `wanted` get anything.
    #[inline(always)]
    pub fn fetch_texels<H: Host, const LANES: usize>(
        &self,
        addresses: &Row<LANES>,
        wanted: u64,
        bytes: u32,
        hint: &mut Hint,
    ) -> Option<Row<LANES>> {
        let first = addresses[wanted.trailing_zeros() as usize % LANES];
        let view = self.view(first, hint)?;
        let offsets = view.offsets(&fill_inactive(addresses, wanted, first), bytes)?;
        Some(view.gather::<H, LANES>(&offsets, bytes))
    }
}

/// All lanes of a row.
pub(super) const fn full<const LANES: usize>() -> u64 {
    if LANES >= 64 { u64::MAX } else { (1 << LANES) - 1 }
}

/// Gives inactive lanes the address `first` of an active one, so that checks of all lanes say what they should.
#[inline(always)]
pub(super) fn fill_inactive<const LANES: usize>(addresses: &Row<LANES>, active: u64, first: u32) -> Row<LANES> {
    if active == full::<LANES>() {
        return *addresses;
    }
    blend(&spread(active), addresses, &splat(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Access;
    use crate::units::Address;

    #[test]
    fn texels_lie_in_one_view_and_not_behind_local_memory() {
        const BASE: u32 = LOCAL_MEMORY_BASE.0;
        let mut memory = Memory::new();
        memory.map("texels", Address(0x1_0000), 0x102, Access::ReadOnly).expect("it is free");
        memory.map("around", Address(BASE - 0x100), 0x1000, Access::ReadOnly).expect("it is free");
        let mut local = [0; 64];
        let space = Space::new(&memory, &mut local, Sharing::Alone, 0);
        let number = |inside: u32, address: u32, count: u32| {
            let view = space.view(inside, &mut 0).expect("there is one");
            space.word_number(view, address, count)
        };
        // 64 words and a half.
        assert_eq!([63, 64, 65].map(|count| number(0x1_0000, 0x1_0000, count)), [Some(0), Some(0), None]);
        assert_eq!([1, 2].map(|count| number(0x1_0000, 0x1_00fc, count)), [Some(63), None]);
        assert_eq!([0x1_0100, 0x1_0002, 0xfffc].map(|address| number(0x1_0000, address, 1)), [None; 3]);
        assert_eq!([63, 64].map(|count| number(BASE, BASE + 4, count)), [Some(1), None]);
        // Local memory hides words 64 to 127 of the region around it.
        let start = BASE - 0x100;
        assert_eq!([64, 65].map(|count| number(start, start, count)), [Some(0), None]);
        assert_eq!([BASE, BASE + 0xfc].map(|address| number(start, address, 1)), [None; 2]);
        assert_eq!(number(start, BASE + 0x100, 1), Some(128));
    }
}
