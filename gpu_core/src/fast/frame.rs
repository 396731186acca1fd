//! A warp in the fast engine: its registers as rows of lanes, and what its instructions do to them.
//!
//! Before: `mod.rs` borrows a warp for a run. After: `interpret` says which of these an instruction is.
//! `MASKED` says whether some lanes may be inactive: then results are blended into their registers. What gives an
//! `Option` changes nothing if it gives `None`: the plain engine must run that instruction.
//! Gain: a number of rows known at compile time, arithmetic at 16 lanes 5.8 → 3.8 ns a warp-instruction. Other lane
//! counts do without, since every further copy of the loop takes seconds to compile (see `mod.rs`).

use super::access::{Hint, Space, View, fill_inactive, full};
use super::lanes::{Host, Row, blend, canonicalize, map1, map2, ones_if, splat, spread};
use super::operation::{Operation, Register, UNIFORM_REGISTERS};
use crate::config::FirstSide;
use crate::isa::table::Op;
use crate::semantics::float;
use crate::semantics::warp::Divergence;
use crate::units::{Address, ThreadMask};
use std::sync::atomic::Ordering::Relaxed;
use texture::{Stage, sample_warp};

/// x0 to x31, then f0 to f31.
pub(super) const REGISTERS: u8 = 64;
/// Rows of the widest register: 32 lanes in rows of 4.
pub(super) const MAX_CHUNKS: usize = 8;

/// A warp and all that its instructions reach, borrowed for a run. A register is `chunks` rows of `LANES` lanes;
/// where `CHUNKS` is not zero it is their number, known when the loops are compiled.
pub(super) struct Frame<'a, const LANES: usize, const CHUNKS: usize> {
    /// Row c of register r is at `r * chunks + c`; there are exactly `REGISTERS * chunks`.
    pub rows: &'a mut [Row<LANES>],
    pub chunks: usize,
    pub space: Space<'a>,
    pub hints: &'a mut [Hint],
    pub stages: &'a [Stage],
    pub divergences: &'a mut Vec<Divergence>,
    pub capacity: u32,
    pub first_side: FirstSide,
    /// The bank's first stage; `select_bank` keeps it and the register alike.
    pub first_stage: usize,
    /// Control registers that are the same in every lane, by `Register`.
    pub registers: [u32; UNIFORM_REGISTERS],
    /// `mhartid` of lane 0.
    pub first_thread: u32,
    /// All lanes that the warp has.
    pub all: u64,
    pub pc: u32,
    pub active: u64,
    /// All ones in active lanes.
    pub mask: [Row<LANES>; MAX_CHUNKS],
    /// Instructions executed so far, and how many more may be.
    pub executed: u64,
    pub budget: u64,
    /// The same, counted once for every active lane.
    pub lane_instructions: u64,
    /// Whether a store changed a word.
    pub is_progress: bool,
}

/// How the addresses of a warp lie.
#[derive(Copy, Clone)]
enum Pattern {
    /// All active lanes have the same address.
    Same,
    /// Each active lane i has this address + 4 · i.
    Adjacent(u32),
    /// Anything else.
    Other,
}

impl<'a, const LANES: usize, const CHUNKS: usize> Frame<'a, LANES, CHUNKS> {
    /// Rows of a register.
    #[inline(always)]
    fn chunks(&self) -> usize {
        if CHUNKS == 0 { self.chunks } else { CHUNKS }
    }

    /// Changes the active lanes, of which there is at least one.
    pub fn set_active(&mut self, active: u64) {
        self.active = active;
        let chunks = self.chunks();
        for (chunk, mask) in self.mask.iter_mut().enumerate().take(chunks) {
            *mask = spread(active >> (chunk * LANES));
        }
    }

    /// Whether every lane of every row is active.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.active == u64::MAX >> (64 - self.chunks() * LANES)
    }

    /// Active lanes of a row.
    #[inline(always)]
    fn active_of<const MASKED: bool>(&self, chunk: usize) -> u64 {
        if MASKED { self.active >> (chunk * LANES) & full::<LANES>() } else { full::<LANES>() }
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn row(&self, register: u8, chunk: usize) -> &Row<LANES> {
        debug_assert!(register < REGISTERS && chunk < self.chunks());
        // SAFETY: `operation` makes register numbers below `REGISTERS`, chunks are counted below `self.chunks()`, and
        // `rows` has their product of rows.
        unsafe { self.rows.get_unchecked(usize::from(register) * self.chunks() + chunk) }
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn put<const MASKED: bool>(&mut self, register: u8, chunk: usize, new: &Row<LANES>) {
        debug_assert!(register < REGISTERS && chunk < self.chunks());
        // SAFETY: as in `row`.
        let old = unsafe { self.rows.get_unchecked_mut(usize::from(register) * self.chunks() + chunk) };
        *old = if MASKED { blend(&self.mask[chunk % MAX_CHUNKS], new, old) } else { *new };
    }

    /// Writes a register, row by row; `value` gives a row from rows of the same number.
    #[inline(always)]
    pub fn write<const MASKED: bool>(&mut self, register: u8, value: impl Fn(&Self, usize) -> Row<LANES>) {
        for chunk in 0..self.chunks() {
            let new = value(self, chunk);
            self.put::<MASKED>(register, chunk, &new);
        }
    }

    /// The value in the highest active lane.
    #[inline(always)]
    pub fn scalar(&self, register: u8) -> u32 {
        let lane = (63 - self.active.leading_zeros()) as usize;
        self.row(register, lane / LANES)[lane % LANES]
    }

    #[inline(always)]
    pub fn splat<const MASKED: bool>(&mut self, register: u8, value: u32) {
        self.write::<MASKED>(register, |_, _| splat(value));
    }

    #[inline(always)]
    pub fn unary<const MASKED: bool>(&mut self, o: &Operation, f: impl Fn(u32) -> u32) {
        self.write::<MASKED>(o.rd, |frame, chunk| map1(frame.row(o.rs1, chunk), &f));
    }

    #[inline(always)]
    pub fn binary<const MASKED: bool>(&mut self, o: &Operation, f: impl Fn(u32, u32) -> u32) {
        self.write::<MASKED>(o.rd, |frame, chunk| map2(frame.row(o.rs1, chunk), frame.row(o.rs2, chunk), &f));
    }

    #[inline(always)]
    pub fn immediate<const MASKED: bool>(&mut self, o: &Operation, f: impl Fn(u32, u32) -> u32) {
        let immediate = o.immediate;
        self.unary::<MASKED>(o, |a| f(a, immediate));
    }

    /// `rs1 * rs2 + rs3`, signs of product and addend flipped by these masks.
    #[inline(always)]
    pub fn fused<H: Host, const MASKED: bool>(&mut self, o: &Operation) {
        let (product_sign, addend_sign) = match o.op {
            Op::Fmadd => (0, 0),
            Op::Fmsub => (0, float::SIGN),
            Op::Fnmsub => (float::SIGN, 0),
            _ => (float::SIGN, float::SIGN),
        };
        self.write::<MASKED>(o.rd, |frame, chunk| {
            let a = map1(frame.row(o.rs1, chunk), |a| a ^ product_sign);
            let c = map1(frame.row(o.rs3, chunk), |c| c ^ addend_sign);
            canonicalize(&H::fused_multiply_add(&a, frame.row(o.rs2, chunk), &c))
        });
    }

    #[inline(always)]
    fn active<const MASKED: bool>(&self) -> u64 {
        if MASKED { self.active } else { self.all }
    }

    /// Active lanes where `condition(rs1, rs2)` holds.
    #[inline(always)]
    fn where_both<H: Host, const MASKED: bool>(&self, o: &Operation, condition: impl Fn(u32, u32) -> bool) -> u64 {
        let mut bits = 0;
        for chunk in 0..self.chunks() {
            let row = map2(self.row(o.rs1, chunk), self.row(o.rs2, chunk), |a, b| ones_if(condition(a, b)));
            bits |= H::top_bits(&row) << (chunk * LANES);
        }
        bits & self.active::<MASKED>()
    }

    /// Active lanes where `condition(rs1)` holds.
    #[inline(always)]
    pub fn where_one<H: Host, const MASKED: bool>(&self, o: &Operation, condition: impl Fn(u32) -> bool) -> u64 {
        let mut bits = 0;
        for chunk in 0..self.chunks() {
            let row = map1(self.row(o.rs1, chunk), |a| ones_if(condition(a)));
            bits |= H::top_bits(&row) << (chunk * LANES);
        }
        bits & self.active::<MASKED>()
    }

    /// Sets `next` if the branch at `pc` is taken; `None` if lanes disagree.
    #[inline(always)]
    pub fn branch<H: Host, const MASKED: bool>(
        &self,
        o: &Operation,
        pc: u32,
        next: &mut u32,
        condition: impl Fn(u32, u32) -> bool,
    ) -> Option<()> {
        let taken = self.where_both::<H, MASKED>(o, condition);
        if taken == self.active::<MASKED>() {
            *next = pc.wrapping_add(o.immediate);
            return Some(());
        }
        (taken == 0).then_some(())
    }

    pub fn jump_register<H: Host, const MASKED: bool>(&mut self, o: &Operation, pc: u32, next: &mut u32) -> Option<()> {
        let base = self.scalar(o.rs1);
        let target = base.wrapping_add(o.immediate) & !1;
        if self.where_one::<H, MASKED>(o, |a| a != base) != 0 || !target.is_multiple_of(4) {
            return None;
        }
        self.link::<MASKED>(o, pc);
        *next = target;
        Some(())
    }

    #[inline(always)]
    pub fn link<const MASKED: bool>(&mut self, o: &Operation, pc: u32) {
        if o.rd != 0 {
            self.splat::<MASKED>(o.rd, pc.wrapping_add(4));
        }
    }

    pub fn narrow(&mut self, active: u64) -> Option<()> {
        let active = active & self.all;
        if active == 0 {
            return None;
        }
        self.set_active(active);
        Some(())
    }

    pub fn predicate<H: Host, const MASKED: bool>(&mut self, o: &Operation, keep: u32) -> Option<()> {
        let kept = self.where_one::<H, MASKED>(o, |a| a & 1 == keep);
        let restored = u64::from(self.scalar(o.rs2));
        self.narrow(if kept == 0 { restored } else { kept })
    }

    pub fn split<H: Host, const MASKED: bool>(&mut self, o: &Operation, resume: u32, keep: u32) -> Option<()> {
        let all = self.active;
        let taken = self.where_one::<H, MASKED>(o, |a| a & 1 == keep);
        let other = all & !taken;
        let is_divergent = taken != 0 && other != 0;
        let depth = self.divergences.len() as u32;
        if is_divergent && depth >= self.capacity {
            return None;
        }
        if o.rd != 0 {
            self.splat::<MASKED>(o.rd, depth);
        }
        if is_divergent {
            let (first, pending) = match self.first_side {
                FirstSide::True => (taken, other),
                FirstSide::False => (other, taken),
                FirstSide::Larger if taken.count_ones() >= other.count_ones() => (taken, other),
                FirstSide::Smaller if taken.count_ones() <= other.count_ones() => (taken, other),
                FirstSide::Larger | FirstSide::Smaller => (other, taken),
            };
            let entry = Divergence { full: ThreadMask(all), pending: ThreadMask(pending), resume: Address(resume) };
            self.divergences.push(entry);
            self.set_active(first);
        }
        Some(())
    }

    pub fn join(&mut self, o: &Operation, next: &mut u32) -> Option<()> {
        let pointer = self.scalar(o.rs1);
        let depth = self.divergences.len() as u32;
        let Some(top) = self.divergences.last_mut() else { return Some(()) };
        if pointer >= depth {
            return (pointer == depth).then_some(());
        }
        if top.pending.is_empty() {
            let all = top.full.0;
            self.divergences.pop();
            self.set_active(all);
        } else {
            let pending = std::mem::take(&mut top.pending).0;
            *next = top.resume.0;
            self.set_active(pending);
        }
        Some(())
    }

    /// The addresses of a row, those of inactive lanes replaced by `first`.
    #[inline(always)]
    fn addresses<const MASKED: bool>(&self, o: &Operation, chunk: usize, first: u32) -> Row<LANES> {
        let addresses = map1(self.row(o.rs1, chunk), |base| base.wrapping_add(o.immediate));
        fill_inactive(&addresses, self.active_of::<MASKED>(chunk), first)
    }

    /// How the addresses of the active lanes lie, and the address of the lowest of them.
    #[inline(always)]
    fn pattern<H: Host, const MASKED: bool>(&self, o: &Operation) -> (Pattern, u32) {
        let active = self.active::<MASKED>();
        let lane = active.trailing_zeros() as usize;
        let base = |lane: usize| self.row(o.rs1, lane / LANES)[lane % LANES];
        let first = base(lane);
        let next = lane + 1;
        let is_same = active.is_power_of_two() || next >= self.chunks() * LANES || base(next) == first;
        let step = if is_same { 0 } else { 4 };
        let origin = first.wrapping_sub(step * lane as u32);
        let mut different = 0;
        for chunk in 0..self.chunks() {
            let mut row = *self.row(o.rs1, chunk);
            for (index, value) in row.iter_mut().enumerate() {
                let expected = origin.wrapping_add(step * (chunk * LANES + index) as u32);
                *value = ones_if(*value != expected);
            }
            different |= H::top_bits(&row) << (chunk * LANES);
        }
        let pattern = match (different & active, is_same) {
            (0, true) => Pattern::Same,
            (0, false) => Pattern::Adjacent(origin.wrapping_add(o.immediate)),
            _ => Pattern::Other,
        };
        (pattern, first.wrapping_add(o.immediate))
    }

    /// Whether all active lanes can access `bytes` bytes in the view.
    #[inline(always)]
    fn check<const MASKED: bool>(&self, o: &Operation, view: View<'a>, first: u32, bytes: u32) -> Option<()> {
        for chunk in 0..self.chunks() {
            view.offsets(&self.addresses::<MASKED>(o, chunk, first), bytes)?;
        }
        Some(())
    }

    /// Loads from addresses that have been checked.
    #[inline(always)]
    fn gather<const MASKED: bool>(
        &mut self,
        o: &Operation,
        view: View<'a>,
        first: u32,
        bytes: u32,
        extend: impl Fn(u32) -> u32,
    ) {
        self.write::<MASKED>(o.rd, |frame, chunk| {
            let addresses = frame.addresses::<MASKED>(o, chunk, first);
            map1(&view.gather(&map1(&addresses, |address| address.wrapping_sub(view.start)), bytes), &extend)
        });
    }

    #[inline(always)]
    pub fn load_words<H: Host, const MASKED: bool>(&mut self, o: &Operation, hint: usize) -> Option<()> {
        let (pattern, first) = self.pattern::<H, MASKED>(o);
        let view = self.space.view(first, self.hints.get_mut(hint)?)?;
        match pattern {
            Pattern::Same if view.has(first, 4) => {
                let word = view.word(first - view.start).load(Relaxed);
                self.splat::<MASKED>(o.rd, word);
            }
            Pattern::Adjacent(base) if view.has(base, (4 * LANES * self.chunks()) as u32) => {
                self.write::<MASKED>(o.rd, |_, chunk| view.load_row(base - view.start + (4 * LANES * chunk) as u32));
            }
            _ => {
                self.check::<MASKED>(o, view, first, 4)?;
                self.gather::<MASKED>(o, view, first, 4, |word| word);
            }
        }
        Some(())
    }

    /// `lb`, `lbu`, `lh`, `lhu`.
    #[inline(never)]
    pub fn load_parts<H: Host, const MASKED: bool>(&mut self, o: &Operation, hint: usize) -> Option<()> {
        let bytes = if matches!(o.op, Op::Lb | Op::Lbu) { 1 } else { 2 };
        let is_signed = matches!(o.op, Op::Lb | Op::Lh);
        let shift = 32 - 8 * bytes;
        let (_, first) = self.pattern::<H, MASKED>(o);
        let view = self.space.view(first, self.hints.get_mut(hint)?)?;
        self.check::<MASKED>(o, view, first, bytes)?;
        self.gather::<MASKED>(o, view, first, bytes, |part| {
            if is_signed { ((part << shift) as i32 >> shift) as u32 } else { part }
        });
        Some(())
    }

    #[inline(always)]
    pub fn store<H: Host, const MASKED: bool>(&mut self, o: &Operation, hint: usize, bytes: u32) -> Option<()> {
        let (pattern, first) = self.pattern::<H, MASKED>(o);
        let view = self.space.view(first, self.hints.get_mut(hint)?)?;
        if !view.is_writable || self.space.has_reservations() {
            return None;
        }
        let mut difference = 0;
        match pattern {
            Pattern::Adjacent(base)
                if bytes == 4 && self.is_full() && view.has(base, (4 * LANES * self.chunks()) as u32) =>
            {
                for chunk in 0..self.chunks() {
                    let offset = base - view.start + (4 * LANES * chunk) as u32;
                    let values = self.row(o.rs2, chunk);
                    let old: Row<LANES> = view.load_row(offset);
                    for lane in 0..LANES {
                        difference |= old[lane] ^ values[lane];
                    }
                    view.store_row(offset, values);
                }
            }
            _ => {
                self.check::<MASKED>(o, view, first, bytes)?;
                for chunk in 0..self.chunks() {
                    let active = self.active_of::<MASKED>(chunk);
                    let addresses = self.addresses::<MASKED>(o, chunk, first);
                    let values = self.row(o.rs2, chunk);
                    for lane in 0..LANES {
                        if active >> lane & 1 != 0 {
                            let offset = addresses[lane].wrapping_sub(view.start);
                            difference |= u32::from(view.store(offset, values[lane], bytes));
                        }
                    }
                }
            }
        }
        self.is_progress |= difference != 0;
        Some(())
    }

    /// `sb`, `sh`.
    #[inline(never)]
    pub fn store_parts<H: Host, const MASKED: bool>(&mut self, o: &Operation, hint: usize) -> Option<()> {
        self.store::<H, MASKED>(o, hint, if o.op == Op::Sb { 1 } else { 2 })
    }

    #[inline(always)]
    pub fn texture<const MASKED: bool>(&mut self, o: &Operation, hint: usize) -> Option<()> {
        let stage = self.stages.get(self.first_stage.checked_add(o.funct2.into())?)?;
        let mut colors = [[0; LANES]; MAX_CHUNKS];
        for chunk in 0..self.chunks() {
            let active = self.active_of::<MASKED>(chunk);
            if active == 0 {
                continue;
            }
            let signed = |row: &Row<LANES>| row.map(|word| word as i32);
            let (u, v, level) =
                (signed(self.row(o.rs1, chunk)), signed(self.row(o.rs2, chunk)), *self.row(o.rs3, chunk));
            let hint = self.hints.get_mut(hint)?;
            let space = &self.space;
            let mut is_complete = true;
            colors[chunk % MAX_CHUNKS] = sample_warp(stage, &u, &v, &level, active, |addresses, wanted, bytes| {
                space.fetch_texels(addresses, wanted, bytes, hint).unwrap_or_else(|| {
                    is_complete = false;
                    [0; LANES]
                })
            });
            if !is_complete {
                return None;
            }
        }
        self.write::<MASKED>(o.rd, |_, chunk| colors[chunk % MAX_CHUNKS]);
        Some(())
    }

    /// `csrrs rd, csr, x0` for a register of `Register`.
    #[inline(always)]
    pub fn read_register<const MASKED: bool>(&mut self, o: &Operation) {
        let register = o.immediate as usize;
        if let Some(&value) = self.registers.get(register) {
            return self.splat::<MASKED>(o.rd, value);
        }
        let first = if register == Register::Mhartid as usize { self.first_thread } else { 0 };
        self.write::<MASKED>(o.rd, |_, chunk| {
            let mut row = [0; LANES];
            for (index, value) in row.iter_mut().enumerate() {
                *value = first + (chunk * LANES + index) as u32;
            }
            row
        });
    }

    /// Samples from the stages of this bank from now on.
    pub fn select_bank(&mut self, bank: u32) {
        self.registers[Register::TextureBank as usize] = bank;
        self.first_stage = (bank as usize).saturating_mul(4);
    }

    /// `shfl.*`. Kernels mostly read one lane in all, which is a copy of that lane's value.
    #[inline(always)]
    pub fn shuffle<H: Host, const MASKED: bool>(&mut self, o: &Operation) {
        let control = self.scalar(o.rs2);
        let (b, clamp, segment) = (control & 63, control >> 6 & 63, control >> 12 & 63);
        let is_readable = segment == 0 && b <= clamp && b < 32 && self.active >> (b & 31) & 1 != 0;
        if o.op == Op::ShflIdx && is_readable {
            let mut different = 0;
            for chunk in 0..self.chunks() {
                let row = map1(self.row(o.rs2, chunk), |other| ones_if(other != control));
                different |= H::top_bits(&row) << (chunk * LANES);
            }
            if different & self.active::<MASKED>() == 0 {
                let value = self.row(o.rs1, b as usize / LANES)[b as usize % LANES];
                return self.splat::<MASKED>(o.rd, value);
            }
        }
        self.shuffle_lanes::<MASKED>(o);
    }

    /// `shfl.*`: rs2 is segment mask << 12 | clamp << 6 | b, read in the lane that it steers.
    #[inline(never)]
    fn shuffle_lanes<const MASKED: bool>(&mut self, o: &Operation) {
        let active = self.active::<MASKED>();
        let chunks = self.chunks();
        let mut values = [0; MAX_CHUNKS * 4];
        for chunk in 0..chunks {
            values[chunk * LANES..][..LANES].copy_from_slice(self.row(o.rs1, chunk));
        }
        let mut result = [[0; LANES]; MAX_CHUNKS];
        for chunk in 0..chunks {
            let controls = *self.row(o.rs2, chunk);
            for (index, control) in controls.into_iter().enumerate() {
                let lane = (chunk * LANES + index) as u32;
                let (b, clamp, segment) = (control & 63, control >> 6 & 63, control >> 12 & 63);
                let first = lane & segment;
                let last = first | clamp & !segment;
                // Signed where a difference may fall below lane 0: as a huge number it is no lane.
                let (from, is_inside) = match o.op {
                    Op::ShflUp => (lane.wrapping_sub(b), lane as i32 - b as i32 >= last as i32),
                    Op::ShflDown => (lane + b, lane + b <= last),
                    Op::ShflBfly => (lane ^ b, lane ^ b <= last),
                    _ => (first | b & !segment, first | b & !segment <= last),
                };
                let is_readable = is_inside && from < 32 && active >> (from & 31) & 1 != 0;
                let from = if is_readable { from } else { lane };
                result[chunk % MAX_CHUNKS][index] = values[from as usize % values.len()];
            }
        }
        self.write::<MASKED>(o.rd, |_, chunk| result[chunk % MAX_CHUNKS]);
    }
}
