//! Steps that compute, load, store or exchange values; no control flow here.
//!
//! Pure steps act for every lane, active or not: nobody reads what an inactive lane computes. Whatever can be seen from
//! outside acts for the active lanes only.

use naga::{DerivativeAxis, DerivativeControl};

use super::{Buffer, Machine};
use crate::evaluate::mask::Mask;
use crate::evaluate::program::{AtomicKind, Gather, Join, Length, Memory, Operand, Slot, Step};
use crate::texture_calls::StorageCall;
use gpu_core::semantics::float::{SIGN, quick};

impl Machine<'_> {
    fn at(&self, slot: Slot) -> usize {
        slot.0 as usize * self.lanes
    }

    pub(super) fn copy(&mut self, from: Slot, to: Slot, words: u32) {
        let (from, count) = (self.at(from), words as usize * self.lanes);
        self.values.copy_within(from..from + count, self.at(to));
    }

    pub(super) fn copy_where(&mut self, from: Slot, to: Slot, words: u32, active: &Mask) {
        let (from, to) = (self.at(from), self.at(to));
        for word in 0..words as usize {
            for lane in active.lanes() {
                self.values[to + word * self.lanes + lane] = self.values[from + word * self.lanes + lane];
            }
        }
    }

    /// Carries out a step that is not control flow.
    pub(super) fn plain_step(&mut self, step: &Step, active: &Mask) {
        match *step {
            Step::Copy { from, to, words } => self.copy(from, to, words),
            Step::Apply1 { f, a, to, words } => {
                let (a, to) = (self.at(a), self.at(to));
                for index in 0..words as usize * self.lanes {
                    self.values[to + index] = f(self.values[a + index]);
                }
            }
            Step::Apply2 { f, a, b, to, words } => {
                for word in 0..words {
                    let [a, b] = [a, b].map(|operand| self.component(operand, word));
                    let to = self.at(to.plus(word));
                    for lane in 0..self.lanes {
                        self.values[to + lane] = f(self.values[a + lane], self.values[b + lane]);
                    }
                }
            }
            Step::Apply3 { f, a, b, c, to, words } => {
                for word in 0..words {
                    let [a, b, c] = [a, b, c].map(|operand| self.component(operand, word));
                    let to = self.at(to.plus(word));
                    for lane in 0..self.lanes {
                        self.values[to + lane] = f(self.values[a + lane], self.values[b + lane], self.values[c + lane]);
                    }
                }
            }
            Step::IndexValue { base, index, length, to, words } => {
                let (base, index, to) = (self.at(base), self.at(index), self.at(to));
                for lane in 0..self.lanes {
                    let element = self.values[index + lane].min(length.saturating_sub(1)) as usize * words as usize;
                    for word in 0..words as usize {
                        let from = base + (element + word) * self.lanes + lane;
                        self.values[to + word * self.lanes + lane] = self.values[from];
                    }
                }
            }
            Step::IndexPointer { base, index, length, scale, is_buffer, to } => {
                for lane in 0..self.lanes {
                    let count = match length {
                        Length::Fixed(count) => count,
                        Length::Runtime(stride) => self.elements_left(base, lane, stride),
                    };
                    let element = self.values[self.at(index) + lane].min(count.saturating_sub(1));
                    self.move_pointer(base, element.wrapping_mul(scale), is_buffer, to, lane);
                }
            }
            Step::OffsetPointer { base, distance, is_buffer, to } => {
                for lane in 0..self.lanes {
                    self.move_pointer(base, distance, is_buffer, to, lane);
                }
            }
            Step::ArrayLength { pointer, stride, to } => {
                for lane in 0..self.lanes {
                    let to = self.at(to) + lane;
                    self.values[to] = self.elements_left(pointer, lane, stride);
                }
            }
            Step::Load { pointer, ref memory, to, words } => {
                for word in 0..words {
                    let to = self.at(to.plus(word));
                    for lane in 0..self.lanes {
                        self.values[to + lane] = self.load(pointer, memory, word, lane);
                    }
                }
            }
            Step::Store { pointer, ref memory, value, words } => {
                let storing = self.storing(memory, active);
                for word in 0..words {
                    let from = self.at(value.plus(word));
                    for lane in storing.lanes() {
                        let bits = self.values[from + lane];
                        self.store(pointer, memory, word, lane, bits);
                    }
                }
            }
            Step::Atomic { pointer, ref memory, kind, value, to } => {
                let storing = self.storing(memory, active);
                for lane in active.lanes() {
                    // A lane whose stores do not count reads zero.
                    let result = if storing.contains(lane) {
                        self.atomic(pointer, memory, kind, value, lane)
                    } else {
                        (0, false)
                    };
                    let Some(to) = to else { continue };
                    let start = self.at(to) + lane;
                    self.values[start] = result.0;
                    if matches!(kind, AtomicKind::CompareExchange(_)) {
                        self.values[start + self.lanes] = u32::from(result.1);
                    }
                }
            }
            Step::Derivative { axis, control, a, to, words } => {
                for word in 0..words {
                    self.derivative(axis, control, a.plus(word), to.plus(word), active);
                }
            }
            Step::Stage { texture, sampler, is_query, to } => {
                let stages = &self.program.stages;
                for lane in 0..self.lanes {
                    let texture = self.values[self.at(texture) + lane];
                    let sampler = sampler.map(|sampler| self.values[self.at(sampler) + lane]);
                    let is_it = |stage: &(u32, Option<u32>)| stage.0 == texture && (is_query || stage.1 == sampler);
                    // A query takes the stage without sampler, if there is one.
                    let found = stages.iter().position(|stage| is_query && *stage == (texture, None));
                    let stage = found.or_else(|| stages.iter().position(is_it)).unwrap_or(stages.len());
                    let to = self.at(to) + lane;
                    self.values[to] = stage as u32;
                }
            }
            Step::TexelPointer { texture, offset, to } => {
                for lane in 0..self.lanes {
                    let texture = self.values[self.at(texture) + lane];
                    let offset = self.values[self.at(offset) + lane];
                    // No word of a texel that is not there lies anywhere.
                    let is_inside = offset != StorageCall::OUTSIDE;
                    let found = self.program.texels.iter().find(|(known, _)| is_inside && *known == texture);
                    let pointer = [found.map_or(u32::MAX, |(_, buffer)| *buffer), offset];
                    for (word, bits) in pointer.into_iter().enumerate() {
                        let to = self.at(to.plus(word as u32)) + lane;
                        self.values[to] = bits;
                    }
                }
            }
            Step::Ballot { predicate, to } => {
                for lane in active.lanes() {
                    let warp = lane - lane % self.subgroup;
                    let mut bits = [0u32; 4];
                    for other in 0..self.subgroup {
                        let holds =
                            predicate.is_none_or(|slot| self.values.get(self.at(slot) + warp + other) == Some(&1));
                        if warp + other < self.lanes && active.contains(warp + other) && holds {
                            bits[other / 32] |= 1 << (other % 32);
                        }
                    }
                    for (word, bits) in bits.into_iter().enumerate() {
                        let to = self.at(to.plus(word as u32)) + lane;
                        self.values[to] = bits;
                    }
                }
            }
            Step::Vote { is_all, predicate, to } => {
                for lane in active.lanes() {
                    let warp = lane - lane % self.subgroup;
                    let mut members =
                        (warp..(warp + self.subgroup).min(self.lanes)).filter(|&other| active.contains(other));
                    let holds = |other: usize| self.values[self.at(predicate) + other] != 0;
                    let result = if is_all { members.all(holds) } else { members.any(holds) };
                    let to = self.at(to) + lane;
                    self.values[to] = u32::from(result);
                }
            }
            Step::Join { f, how, value, to, words } => {
                for word in 0..words {
                    let (from, to) = (self.at(value.plus(word)), self.at(to.plus(word)));
                    for lane in active.lanes() {
                        let warp = lane - lane % self.subgroup;
                        let end = match how {
                            Join::Reduce => (warp + self.subgroup).min(self.lanes),
                            Join::Inclusive => lane + 1,
                            Join::Exclusive(_) => lane,
                        };
                        let joined = (warp..end).filter(|&other| active.contains(other));
                        let mut joined = joined.map(|other| self.values[from + other]);
                        let start = match how {
                            Join::Exclusive(bits) => bits,
                            Join::Reduce | Join::Inclusive => joined.next().expect("the lane itself is active"),
                        };
                        self.values[to + lane] = joined.fold(start, f);
                    }
                }
            }
            Step::Gather { how, value, to, words } => {
                for lane in active.lanes() {
                    let source = self.gather_source(how, lane, active);
                    for word in 0..words {
                        let (from, to) = (self.at(value.plus(word)) + source, self.at(to.plus(word)) + lane);
                        self.values[to] = self.values[from];
                    }
                }
            }
            ref control => unreachable!("`block` carries out {control:?}"),
        }
    }

    fn component(&self, operand: Operand, word: u32) -> usize {
        self.at(operand.slot.plus(word * operand.stride))
    }

    fn move_pointer(&mut self, base: Slot, distance: u32, is_buffer: bool, to: Slot, lane: usize) {
        let (mut base, mut to) = (self.at(base) + lane, self.at(to) + lane);
        if is_buffer {
            self.values[to] = self.values[base];
            base += self.lanes;
            to += self.lanes;
        }
        self.values[to] = self.values[base].wrapping_add(distance);
    }

    /// Elements of `stride` bytes from a buffer pointer to the buffer's end.
    fn elements_left(&self, pointer: Slot, lane: usize, stride: u32) -> u32 {
        let start = self.at(pointer) + lane;
        let length = self.buffers.get(self.values[start] as usize).map_or(0, Buffer::len);
        (length as u32).saturating_sub(self.values[start + self.lanes]) / stride.max(1)
    }

    /// The lanes whose stores into this memory count.
    fn storing(&self, memory: &Memory, active: &Mask) -> Mask {
        match memory {
            Memory::Private => *active,
            _ => active.and(&self.covered),
        }
    }

    /// A word of what a pointer points to. Outside of everything it is zero.
    fn load(&self, pointer: Slot, memory: &Memory, word: u32, lane: usize) -> u32 {
        let start = self.at(pointer) + lane;
        let address = self.values[start];
        match memory {
            Memory::Private => {
                let index = address.wrapping_add(word) as usize * self.lanes + lane;
                self.private.get(index).copied().unwrap_or(0)
            }
            Memory::Workgroup => self.workgroup.get(address.wrapping_add(word) as usize).copied().unwrap_or(0),
            Memory::Buffer(offsets) => {
                let offset = self.values[start + self.lanes].wrapping_add(offsets[word as usize]) as usize;
                self.buffers.get(address as usize).and_then(|buffer| buffer.word(offset)).unwrap_or(0)
            }
        }
    }

    /// Stores a word; outside of everything it is dropped.
    fn store(&mut self, pointer: Slot, memory: &Memory, word: u32, lane: usize, bits: u32) {
        let start = self.at(pointer) + lane;
        let address = self.values[start];
        match memory {
            Memory::Private => {
                let index = address.wrapping_add(word) as usize * self.lanes + lane;
                if let Some(place) = self.private.get_mut(index) {
                    *place = bits;
                }
            }
            Memory::Workgroup => {
                if let Some(place) = self.workgroup.get_mut(address.wrapping_add(word) as usize) {
                    *place = bits;
                }
            }
            Memory::Buffer(offsets) => {
                let offset = self.values[start + self.lanes].wrapping_add(offsets[word as usize]) as usize;
                if let Some(buffer) = self.buffers.get_mut(address as usize) {
                    buffer.set_word(offset, bits);
                }
            }
        }
    }

    /// The old word, and whether a comparison held.
    fn atomic(&mut self, pointer: Slot, memory: &Memory, kind: AtomicKind, value: Slot, lane: usize) -> (u32, bool) {
        let old = self.load(pointer, memory, 0, lane);
        let operand = self.values[self.at(value) + lane];
        let new = match kind {
            AtomicKind::Apply(f) => f(old, operand),
            AtomicKind::Exchange => operand,
            AtomicKind::CompareExchange(compare) if self.values[self.at(compare) + lane] == old => operand,
            AtomicKind::CompareExchange(_) => return (old, false),
        };
        self.store(pointer, memory, 0, lane, new);
        (old, true)
    }

    /// Coarse (also when nothing is asked): lane 1 − 0 and 2 − 0 for the whole quad. Fine: along the lane's own row and column.
    fn derivative(&mut self, axis: DerivativeAxis, control: DerivativeControl, a: Slot, to: Slot, active: &Mask) {
        let (a, to) = (self.at(a), self.at(to));
        for lane in 0..self.lanes {
            let quad = lane & !3;
            // A lane that is not here gives the reader's own value, as a shuffle does.
            let read = |other: usize| self.values[a + if active.contains(quad + other) { quad + other } else { lane }];
            let is_fine = control == DerivativeControl::Fine;
            let across = |bit: usize| {
                let keep = if is_fine { lane & 3 & !bit } else { 0 };
                quick::sub(read(keep | bit), read(keep))
            };
            self.values[to + lane] = match axis {
                DerivativeAxis::X => across(1),
                DerivativeAxis::Y => across(2),
                DerivativeAxis::Width => quick::add(across(1) & !SIGN, across(2) & !SIGN),
            };
        }
    }

    /// The lane a reader takes its value from: itself where there is none.
    fn gather_source(&self, how: Gather, lane: usize, active: &Mask) -> usize {
        let warp = lane - lane % self.subgroup;
        let own = (lane - warp) as u32;
        let operand = |slot: Slot| self.values[self.at(slot) + lane];
        let wanted = match how {
            Gather::First => {
                let first = (warp..self.lanes).find(|&other| active.contains(other));
                return first.expect("the reader itself is active");
            }
            Gather::Index(slot) => operand(slot),
            Gather::Down(slot) => own.saturating_add(operand(slot)),
            Gather::Up(slot) => own.wrapping_sub(operand(slot)),
            Gather::Xor(slot) => own ^ operand(slot),
            Gather::QuadIndex(slot) => own & !3 | operand(slot) & 3,
            Gather::QuadXor(bits) => own ^ bits,
        } as usize;
        let source = warp.saturating_add(wanted);
        if wanted < self.subgroup && source < self.lanes && active.contains(source) { source } else { lane }
    }
}
