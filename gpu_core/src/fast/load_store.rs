//! Loads, stores and texture samples of a warp in the fast engine.
//!
//! Before: `interpret` has found the instruction. After: registers and memory as the plain engine leaves them; `None`, and
//! nothing changed, if the plain engine must run it. `access` says what memory looks like to a row.

use super::access::{View, fill_inactive};
use super::frame::{Frame, MAX_CHUNKS, each_row, near_hint};
use super::lanes::{Host, Levels, Row, map1, splat};
use super::operation::Operation;
use crate::isa::table::Op;
use std::sync::atomic::Ordering::Relaxed;
use texture::{Filter, Form, LevelGeometry, Lookup, Stage, answer_warp, sample_warp};

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
    /// The addresses of a row, those of inactive lanes replaced by `first`.
    #[inline(always)]
    fn addresses<const MASKED: bool>(&self, o: &Operation, chunk: usize, first: u32) -> Row<LANES> {
        let addresses = map1(self.row(o.rs1, chunk), |base| base.wrapping_add(o.immediate));
        fill_inactive(&addresses, self.active_of::<MASKED>(chunk), first)
    }

    /// Whether each active lane i has base address `origin` + `step` · i.
    #[inline(always)]
    fn is_regular<H: Host, const MASKED: bool>(&self, o: &Operation, origin: u32, step: u32) -> bool {
        let mut different = [0; LANES];
        for chunk in 0..self.chunks() {
            let (row, mask) = (self.row(o.rs1, chunk), &self.board.mask[chunk % MAX_CHUNKS]);
            for lane in 0..LANES {
                let difference = row[lane] ^ origin.wrapping_add(step.wrapping_mul((chunk * LANES + lane) as u32));
                different[lane] |= if MASKED { difference & mask[lane] } else { difference };
            }
        }
        H::is_zero(&different)
    }

    /// How the addresses of the active lanes lie, and the address of the lowest of them.
    #[inline(always)]
    fn pattern<H: Host, const MASKED: bool>(&self, o: &Operation) -> (Pattern, u32) {
        let lane = if MASKED { self.active.trailing_zeros() as usize } else { 0 };
        let first = self.row(o.rs1, lane / LANES)[lane % LANES];
        let origin = first.wrapping_sub(4 * lane as u32);
        let pattern = if self.is_regular::<H, MASKED>(o, first, 0) {
            Pattern::Same
        } else if self.is_regular::<H, MASKED>(o, origin, 4) {
            Pattern::Adjacent(origin.wrapping_add(o.immediate))
        } else {
            Pattern::Other
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
    fn gather<H: Host, const MASKED: bool>(
        &mut self,
        o: &Operation,
        view: View<'a>,
        first: u32,
        bytes: u32,
        extend: impl Fn(u32) -> u32,
    ) {
        each_row!(self, MASKED, o.rd, chunk => {
            let addresses = self.addresses::<MASKED>(o, chunk, first);
            map1(&view.gather::<H, LANES>(&map1(&addresses, |address| address.wrapping_sub(view.start)), bytes), &extend)
        });
    }

    /// Host code may look there next time.
    #[inline(always)]
    fn remember(&mut self, o: &Operation, view: View<'a>) -> Option<()> {
        let number = self.space.number(view, *self.hints.get(o.index as usize)?);
        *self.near_hints.get_mut(o.index as usize)? = near_hint(number + 1);
        Some(())
    }

    #[inline(always)]
    pub fn load_words<H: Host, const MASKED: bool>(&mut self, o: &Operation) -> Option<()> {
        let (pattern, first) = self.pattern::<H, MASKED>(o);
        let view = self.space.view(first, self.hints.get_mut(o.index as usize)?)?;
        self.remember(o, view)?;
        match pattern {
            Pattern::Same if view.has(first, 4) => {
                let word = view.word(first - view.start).load(Relaxed);
                self.splat::<MASKED>(o.rd, word);
            }
            Pattern::Adjacent(base) if view.has(base, (4 * LANES * self.chunks()) as u32) => {
                each_row!(self, MASKED, o.rd, chunk => view.load_row(base - view.start + (4 * LANES * chunk) as u32));
            }
            _ => {
                self.check::<MASKED>(o, view, first, 4)?;
                self.gather::<H, MASKED>(o, view, first, 4, |word| word);
            }
        }
        Some(())
    }

    /// `lb`, `lbu`, `lh`, `lhu`.
    #[inline(always)]
    pub fn load_parts<H: Host, const MASKED: bool>(&mut self, o: &Operation) -> Option<()> {
        let bytes = if matches!(o.op, Op::Lb | Op::Lbu) { 1 } else { 2 };
        let is_signed = matches!(o.op, Op::Lb | Op::Lh);
        let shift = 32 - 8 * bytes;
        let (_, first) = self.pattern::<H, MASKED>(o);
        let view = self.space.view(first, self.hints.get_mut(o.index as usize)?)?;
        self.check::<MASKED>(o, view, first, bytes)?;
        self.gather::<H, MASKED>(o, view, first, bytes, |part| {
            if is_signed { ((part << shift) as i32 >> shift) as u32 } else { part }
        });
        Some(())
    }

    #[inline(always)]
    pub fn store<H: Host, const MASKED: bool>(&mut self, o: &Operation, bytes: u32) -> Option<()> {
        let (pattern, first) = self.pattern::<H, MASKED>(o);
        let view = self.space.view(first, self.hints.get_mut(o.index as usize)?)?;
        if !view.is_writable() || self.space.has_reservations() {
            return None;
        }
        self.remember(o, view)?;
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
        self.board.is_changed |= difference != 0;
        Some(())
    }

    /// `sb`, `sh`.
    #[inline(always)]
    pub fn store_parts<H: Host, const MASKED: bool>(&mut self, o: &Operation) -> Option<()> {
        self.store::<H, MASKED>(o, if o.op == Op::Sb { 1 } else { 2 })
    }

    /// Samples of a stage that the host can sample by whole rows. `look` says what a third operand asks for. `None`, and nothing
    /// changed, if lanes ask for different filters, or if a level does not lie in the view that has the first lane's.
    #[inline(always)]
    #[allow(unsafe_code)]
    fn sample<H: Host, const MASKED: bool>(
        &mut self,
        o: &Operation,
        stage: &Stage,
        look: impl Fn(u32) -> (LevelGeometry, Filter),
    ) -> Option<[Row<LANES>; MAX_CHUNKS]> {
        let lane = if MASKED { self.active.trailing_zeros() as usize } else { 0 };
        let operand = self.row(o.rs3, lane / LANES)[lane % LANES];
        let (level, filter) = look(operand);
        let view = self.space.view(level.address, self.hints.get_mut(o.index as usize)?)?;
        let space = &self.space;
        let number_of =
            |level: &LevelGeometry| space.word_number(view, level.address, level.width.checked_mul(level.height)?);
        let number = number_of(&level)?;
        let mut colors = [[0; LANES]; MAX_CHUNKS];
        for chunk in 0..self.chunks() {
            let active = self.active_of::<MASKED>(chunk);
            if active == 0 {
                continue;
            }
            let mut levels = Levels { width: splat(level.width), height: splat(level.height), first: splat(number) };
            let operands = self.row(o.rs3, chunk);
            if !H::is_zero(&map1(operands, |other| other ^ operand)) {
                for (lane, other) in operands.iter().enumerate() {
                    // What inactive lanes hold plays no part.
                    if *other != operand && active >> lane & 1 != 0 {
                        let (level, its_filter) = look(*other);
                        if its_filter != filter {
                            return None;
                        }
                        levels.first[lane] = number_of(&level)?;
                        (levels.width[lane], levels.height[lane]) = (level.width, level.height);
                    }
                }
            }
            let coordinates = [self.row(o.rs1, chunk), self.row(o.rs2, chunk)];
            // SAFETY: `word_number` has found all texels of each lane's level in the view.
            colors[chunk % MAX_CHUNKS] = unsafe { H::sample(stage, filter, view.first_word(), &levels, coordinates) };
        }
        Some(colors)
    }

    #[inline(always)]
    pub fn texture<H: Host, const MASKED: bool>(&mut self, o: &Operation) -> Option<()> {
        let stage = self.stages.get(self.first_stage.checked_add(o.funct2.into())?)?;
        if H::can_sample(stage)
            && let Some(colors) = self.sample::<H, MASKED>(o, stage, |lod| (stage.level(lod), stage.filter))
        {
            each_row!(self, MASKED, o.rd, chunk => colors[chunk % MAX_CHUNKS]);
            return Some(());
        }
        let mut colors = [[0; LANES]; MAX_CHUNKS];
        for chunk in 0..self.chunks() {
            let active = self.active_of::<MASKED>(chunk);
            if active == 0 {
                continue;
            }
            let signed = |row: &Row<LANES>| row.map(|word| word as i32);
            let (u, v, level) =
                (signed(self.row(o.rs1, chunk)), signed(self.row(o.rs2, chunk)), *self.row(o.rs3, chunk));
            let hint = self.hints.get_mut(o.index as usize)?;
            let space = &self.space;
            let mut is_complete = true;
            colors[chunk % MAX_CHUNKS] = sample_warp(stage, &u, &v, &level, active, |addresses, wanted, bytes| {
                space.fetch_texels::<H, LANES>(addresses, wanted, bytes, hint).unwrap_or_else(|| {
                    is_complete = false;
                    [0; LANES]
                })
            });
            if !is_complete {
                return None;
            }
        }
        each_row!(self, MASKED, o.rd, chunk => colors[chunk % MAX_CHUNKS]);
        Some(())
    }

    /// The forms whose third operand is a lookup word.
    #[inline(always)]
    pub fn texture_lookup<H: Host, const MASKED: bool>(&mut self, o: &Operation, form: Form) -> Option<()> {
        let scalar = Lookup::of(form, self.scalar(o.rs3));
        let ahead = 4 * scalar.banks_ahead as usize + usize::from(o.funct2);
        let stage = self.stages.get(self.first_stage.checked_add(ahead)?)?;
        if form == Form::Lookup && H::can_sample(stage) {
            let look = |word| {
                let level = stage.level_of_layer(word & Lookup::LEVEL, word >> 16);
                (level, Lookup::filter_of(word).unwrap_or(stage.filter))
            };
            if let Some(colors) = self.sample::<H, MASKED>(o, stage, look) {
                each_row!(self, MASKED, o.rd, chunk => colors[chunk % MAX_CHUNKS]);
                return Some(());
            }
        }
        let mut answers = [[0; LANES]; MAX_CHUNKS];
        for chunk in 0..self.chunks() {
            let active = self.active_of::<MASKED>(chunk);
            if active == 0 {
                continue;
            }
            let signed = |row: &Row<LANES>| row.map(|word| word as i32);
            let (u, v) = (signed(self.row(o.rs1, chunk)), signed(self.row(o.rs2, chunk)));
            let words = *self.row(o.rs3, chunk);
            let hint = self.hints.get_mut(o.index as usize)?;
            let space = &self.space;
            let mut is_complete = true;
            let fetch = |addresses: &Row<LANES>, wanted, bytes| {
                space.fetch_texels::<H, LANES>(addresses, wanted, bytes, hint).unwrap_or_else(|| {
                    is_complete = false;
                    [0; LANES]
                })
            };
            answers[chunk % MAX_CHUNKS] = answer_warp(form, stage, scalar.channel, [&u, &v], &words, active, fetch);
            if !is_complete {
                return None;
            }
        }
        each_row!(self, MASKED, o.rd, chunk => answers[chunk % MAX_CHUNKS]);
        Some(())
    }
}
