//! Loads, stores and texel fetches of a row of lanes.
//!
//! Before: `interpret` has computed the addresses. After: a row, or words in memory. Anything that is not plain sailing
//! (several regions, misaligned, out of bounds, I/O page, reservations) gives `None`: the plain engine runs it.

use super::lanes::{Host, Row, map1, ones_if, splat};
use crate::config::LOCAL_MEMORY_BASE;
use crate::memory::{Memory, Region, extract, insert};
use std::marker::PhantomData;
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
    words: *const AtomicU32,
    start: u32,
    bytes: u32,
    is_writable: bool,
    /// Nobody else touches these words while the view lives, or everybody only reads them.
    is_private: bool,
    lifetime: PhantomData<&'a AtomicU32>,
}

#[allow(unsafe_code)]
impl<'a> View<'a> {
    fn of_region(region: &'a Region, sharing: Sharing) -> Self {
        Self {
            words: region.words().as_ptr(),
            start: region.start.0,
            bytes: region.bytes,
            is_writable: region.is_writable,
            is_private: sharing == Sharing::Alone || !region.is_writable,
            lifetime: PhantomData,
        }
    }

    /// The byte offsets of a row of addresses, if accesses of `bytes` bytes there are aligned and lie inside.
    #[inline(always)]
    fn offsets<const LANES: usize>(&self, addresses: &Row<LANES>, bytes: u32) -> Option<Row<LANES>> {
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
    fn has(&self, address: u32, bytes: u32) -> bool {
        let offset = address.wrapping_sub(self.start);
        offset.is_multiple_of(4) && offset < self.bytes && self.bytes - offset >= bytes
    }

    #[inline(always)]
    fn word(&self, offset: u32) -> &AtomicU32 {
        debug_assert!(offset < self.bytes);
        // SAFETY: every caller has checked `offset < self.bytes`, and a region has a word for every started four bytes.
        // The words live as long as `'a`. Those of local memory are exclusively borrowed as `u32` for `'a`, which has
        // the size and alignment of `AtomicU32`.
        unsafe { &*self.words.add((offset / 4) as usize) }
    }

    /// `LANES` words from `offset`, a multiple of 4; all of them lie inside.
    #[inline(always)]
    fn load_row<const LANES: usize>(&self, offset: u32) -> Row<LANES> {
        debug_assert!(offset.is_multiple_of(4) && u64::from(offset) + 4 * LANES as u64 <= u64::from(self.bytes));
        if self.is_private {
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
    fn store_row<const LANES: usize>(&self, offset: u32, row: &Row<LANES>) {
        debug_assert!(offset.is_multiple_of(4) && u64::from(offset) + 4 * LANES as u64 <= u64::from(self.bytes));
        if self.is_private {
            // SAFETY: as in `load_row`; private and writable means that no other host thread runs a core, or that the
            // words are the core's own. `AtomicU32` allows writing through a shared reference.
            unsafe { self.words.add((offset / 4) as usize).cast::<Row<LANES>>().cast_mut().write_unaligned(*row) };
            return;
        }
        for (lane, value) in row.iter().enumerate() {
            self.word(offset + 4 * lane as u32).store(*value, Relaxed);
        }
    }
}

/// Where the stores of some lanes go; all of them can be done.
#[derive(Copy, Clone)]
pub(super) struct Target<'a, const LANES: usize> {
    view: View<'a>,
    /// Of each lane; if adjacent, the first one's in all.
    offsets: Row<LANES>,
    is_adjacent: bool,
}

impl<const LANES: usize> Target<'_, LANES> {
    /// Stores words; gives whether one of them changed.
    #[inline(always)]
    pub fn store_words(&self, values: &Row<LANES>, lanes: Lanes<LANES>) -> bool {
        if self.is_adjacent {
            let old: Row<LANES> = self.view.load_row(self.offsets[0]);
            let mut difference = 0;
            for lane in 0..LANES {
                difference |= old[lane] ^ values[lane];
            }
            self.view.store_row(self.offsets[0], values);
            return difference != 0;
        }
        let mut has_changed = false;
        for (lane, (offset, &value)) in self.offsets.into_iter().zip(values).enumerate() {
            if lanes.contain(lane) {
                let word = self.view.word(offset);
                has_changed |= word.load(Relaxed) != value;
                word.store(value, Relaxed);
            }
        }
        has_changed
    }

    /// Stores the low `bytes` bytes, 1 or 2; gives whether a word changed.
    #[inline(always)]
    pub fn store_parts(&self, values: &Row<LANES>, lanes: Lanes<LANES>, bytes: u32) -> bool {
        let mut has_changed = false;
        for (lane, (offset, &value)) in self.offsets.into_iter().zip(values).enumerate() {
            if lanes.contain(lane) {
                has_changed |= self.store_part(offset, value, bytes);
            }
        }
        has_changed
    }

    fn store_part(&self, offset: u32, value: u32, bytes: u32) -> bool {
        let word = self.view.word(offset);
        let mut old = word.load(Relaxed);
        loop {
            let new = insert(old, offset, bytes, value);
            if self.view.is_private {
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
            words: local.as_mut_ptr().cast(),
            start: LOCAL_MEMORY_BASE.0,
            bytes: 4 * local.len() as u32,
            is_writable: true,
            is_private: true,
            lifetime: PhantomData,
        };
        Self { memory, regions: memory.regions(), local, sharing, least }
    }

    /// The words around `address`.
    #[inline(always)]
    fn view(&self, address: u32, hint: &mut Hint) -> Option<View<'a>> {
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

    /// Words at the addresses of the lanes in `active`.
    #[inline(always)]
    pub fn load_words<H: Host, const LANES: usize>(
        &self,
        addresses: &Row<LANES>,
        lanes: Lanes<LANES>,
        hint: &mut Hint,
    ) -> Option<Row<LANES>> {
        let (pattern, first) = Pattern::of::<H, LANES>(addresses, lanes);
        let view = self.view(first, hint)?;
        match pattern {
            Pattern::Same if view.has(first, 4) => Some(splat(view.word(first - view.start).load(Relaxed))),
            Pattern::Adjacent(base) if view.has(base, 4 * LANES as u32) => Some(view.load_row(base - view.start)),
            _ => self.gather(view, &lanes.fill_inactive(addresses), 4),
        }
    }

    /// Zero-extended bytes or halves.
    #[inline(always)]
    pub fn load_parts<const LANES: usize>(
        &self,
        addresses: &Row<LANES>,
        lanes: Lanes<LANES>,
        bytes: u32,
        hint: &mut Hint,
    ) -> Option<Row<LANES>> {
        let addresses = lanes.fill_inactive(addresses);
        self.gather(self.view(addresses[0], hint)?, &addresses, bytes)
    }

    #[inline(always)]
    fn gather<const LANES: usize>(&self, view: View<'a>, addresses: &Row<LANES>, bytes: u32) -> Option<Row<LANES>> {
        let offsets = view.offsets(addresses, bytes)?;
        let mut row = [0; LANES];
        for lane in 0..LANES {
            row[lane] = extract(view.word(offsets[lane]).load(Relaxed), offsets[lane], bytes);
        }
        Some(row)
    }

    /// Where stores of `bytes` bytes go, if they can be done.
    #[inline(always)]
    pub fn check_store<H: Host, const LANES: usize>(
        &self,
        addresses: &Row<LANES>,
        lanes: Lanes<LANES>,
        bytes: u32,
        hint: &mut Hint,
    ) -> Option<Target<'a, LANES>> {
        let (pattern, first) = Pattern::of::<H, LANES>(addresses, lanes);
        let view = self.view(first, hint)?;
        if !view.is_writable || self.memory.has_reservations() {
            return None;
        }
        match pattern {
            Pattern::Adjacent(base) if bytes == 4 && lanes.are_all() && view.has(base, 4 * LANES as u32) => {
                Some(Target { view, offsets: [base - view.start; LANES], is_adjacent: true })
            }
            _ => {
                let offsets = view.offsets(&lanes.fill_inactive(addresses), bytes)?;
                Some(Target { view, offsets, is_adjacent: false })
            }
        }
    }

    /// Texels for `texture::sample_warp`; the lanes outside `wanted` get anything.
    #[inline(always)]
    pub fn fetch_texels<const LANES: usize>(
        &self,
        addresses: &Row<LANES>,
        wanted: u64,
        bytes: u32,
        hint: &mut Hint,
    ) -> Option<Row<LANES>> {
        self.load_parts(addresses, Lanes { active: wanted, full: full::<LANES>() }, bytes, hint)
    }
}

/// All lanes of a row.
pub(super) const fn full<const LANES: usize>() -> u64 {
    if LANES >= 64 { u64::MAX } else { (1 << LANES) - 1 }
}

/// Which lanes take part; at least one does.
#[derive(Copy, Clone)]
pub(super) struct Lanes<const LANES: usize> {
    pub active: u64,
    /// [`full`], or the same as `active` where the caller knows that all lanes are active: then all tests fold away.
    pub full: u64,
}

impl<const LANES: usize> Lanes<LANES> {
    #[inline(always)]
    fn are_all(self) -> bool {
        self.active == self.full
    }

    #[inline(always)]
    fn contain(self, lane: usize) -> bool {
        self.active >> lane & 1 != 0
    }

    /// Gives inactive lanes the address of an active one, so that checks of all lanes say what they should.
    #[inline(always)]
    fn fill_inactive(self, addresses: &Row<LANES>) -> Row<LANES> {
        if self.are_all() {
            return *addresses;
        }
        let first = addresses[self.active.trailing_zeros() as usize % LANES];
        let mut filled = [0; LANES];
        for lane in 0..LANES {
            filled[lane] = if self.active as u32 & 1 << lane != 0 { addresses[lane] } else { first };
        }
        filled
    }
}

/// How the addresses of a row lie.
#[derive(Copy, Clone)]
enum Pattern {
    /// All active lanes have the same address.
    Same,
    /// Each active lane i has this address + 4 · i.
    Adjacent(u32),
    /// Anything else.
    Other,
}

impl Pattern {
    /// The pattern, and the address of the lowest active lane.
    #[inline(always)]
    fn of<H: Host, const LANES: usize>(addresses: &Row<LANES>, lanes: Lanes<LANES>) -> (Self, u32) {
        let lane = lanes.active.trailing_zeros() as usize % LANES;
        let first = addresses[lane];
        let next = addresses[(lane + 1) % LANES];
        if next == first || lanes.active.is_power_of_two() {
            let different = H::top_bits(&map1(addresses, |address| ones_if(address != first)));
            return (if different & lanes.active == 0 { Self::Same } else { Self::Other }, first);
        }
        let base = first.wrapping_sub(4 * lane as u32);
        let mut different = [0; LANES];
        for lane in 0..LANES {
            different[lane] = ones_if(addresses[lane] != base.wrapping_add(4 * lane as u32));
        }
        let different = H::top_bits(&different);
        (if different & lanes.active == 0 { Self::Adjacent(base) } else { Self::Other }, first)
    }
}
