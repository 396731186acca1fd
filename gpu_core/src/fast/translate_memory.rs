//! Loads and stores of words as host code: those of a warp whose lanes have one address, or adjacent ones.
//!
//! Before: `calls` goes through the operations of a block. After: host code that tests at run time how the addresses lie
//! and whether all of them are where the instruction led before (`Near`), and else calls the handler, which
//! knows everything.
//! Host threads that run other cores may store to the same words meanwhile. The code's vector loads and stores are then
//! what as many relaxed atomic ones are: x86-64 hosts never tear an aligned word.

use super::frame::{BoardPlaces, NearHint};
use super::host_code::{Jump, Place, Vector, When, Ymm, row_distance};
use super::operation::Operation;
use super::row_cache::{RowCache, Value};
use super::translate::Translator;
use crate::isa::table::Op;

/// Bytes from lane 0 of a row to each of its lanes.
const STEPS: [u32; 8] = [0, 4, 8, 12, 16, 20, 24, 28];

/// A call of a handler from the middle of a stretch, away from where code usually goes.
pub(super) struct Detour {
    /// What goes there.
    pub jumps: Vec<Jump>,
    /// Where it comes back to.
    pub back: usize,
    /// What host registers hold before it, and where it comes back to.
    pub before: RowCache,
    pub after: RowCache,
    pub operation: Operation,
    pub position: usize,
}

impl Translator {
    /// Writes the code of a load or store of words, and gives the detour to its handler; `None` if it is none.
    pub fn access(&mut self, o: &Operation, position: usize) -> Option<Detour> {
        let (jumps, before) = match o.op {
            Op::Lw | Op::Flw => self.load(o),
            Op::Sw | Op::Fsw => self.store(o),
            _ => return None,
        };
        self.cache.release();
        let after = self.cache.clone();
        Some(Detour { jumps, back: self.code.here(), before, after, operation: *o, position })
    }

    /// The base addresses: rows of rs1.
    fn bases(&mut self, o: &Operation) -> Vec<Ymm> {
        (0..self.cache.chunks).map(|chunk| self.row(o.rs1, chunk)).collect()
    }

    /// The base address of the lowest active lane: in eax, and in all lanes of `to`. If lanes are masked, 4 · its number is
    /// in esi.
    fn first_base(&mut self, o: &Operation, bases: &[Ymm], to: Ymm) {
        if self.is_masked {
            let row = row_distance(o.rs1, 0, self.cache.chunks);
            self.code.push(&[0x41, 0x8b, 0xb6]); // mov esi, [r14 + …]
            self.code.word(BoardPlaces::FIRST_LANE);
            self.code.push(&[0x41, 0x8b, 0x84, 0x35]); // mov eax, [r13 + rsi + …]
            self.code.word(row);
            self.code.memory(Vector::BROADCAST, to, Ymm(0), Place::RowsAtRsi(row));
        } else {
            self.code.first_word(bases[0]);
            self.code.unary(Vector::BROADCAST, to, bases[0]);
        }
    }

    /// Makes `to` zero in all active lanes if the base addresses are `first` in every lane.
    fn differences(&mut self, bases: &[Ymm], masks: &[Ymm], first: Ymm, to: Ymm, other: Ymm) {
        for (chunk, base) in bases.iter().enumerate() {
            let into = if chunk == 0 { to } else { other };
            self.code.vector(Vector::XOR, into, first, *base);
            self.collect(masks, chunk, into, to);
        }
    }

    /// The same, if they are adjacent; `first` is that of lane 0.
    fn differences_of_adjacent(&mut self, bases: &[Ymm], masks: &[Ymm], first: Ymm, to: Ymm, other: Ymm) {
        for (chunk, base) in bases.iter().enumerate() {
            let into = if chunk == 0 { to } else { other };
            let steps = STEPS.map(|step| step + 32 * chunk as u32);
            self.code.memory(Vector::ADD, into, first, Place::Constant(steps));
            self.code.vector(Vector::XOR, into, into, *base);
            self.collect(masks, chunk, into, to);
        }
    }

    fn collect(&mut self, masks: &[Ymm], chunk: usize, from: Ymm, to: Ymm) {
        if let Some(mask) = masks.get(chunk) {
            self.code.vector(Vector::AND, from, from, *mask);
        }
        if chunk > 0 {
            self.code.vector(Vector::OR, to, to, from);
        }
    }

    /// Goes on only if `difference` is zero everywhere.
    fn unless_zero(&mut self, difference: Ymm) -> Jump {
        self.code.unary(Vector::TEST, difference, difference);
        self.code.jump_if(When::NotZero)
    }

    /// From the base address in eax to the host's address in rdx + rcx, of `bytes` bytes; jumps if they are not all where the
    /// instruction led before, or misaligned.
    fn find(&mut self, o: &Operation, bytes: u32, jumps: &mut Vec<Jump>) {
        let limit = BoardPlaces::NEAR_LIMITS + if matches!(o.op, Op::Sw | Op::Fsw) { 4 } else { 0 };
        let code = &mut self.code;
        code.push(&[0x0f, 0xb7, 0xbd]); // movzx edi, word [rbp + …]
        code.word(size_of::<NearHint>() as u32 * o.index);
        code.push(&[0x8d, 0x88]); // lea ecx, [rax + …]
        code.word(o.immediate);
        code.push(&[0x41, 0x2b, 0x8c, 0x3e]); // sub ecx, [r14 + rdi + …]
        code.word(BoardPlaces::NEAR_START);
        code.push(&[0x41, 0x3b, 0x8c, 0x3e]); // cmp ecx, [r14 + rdi + …]
        code.word(limit);
        jumps.push(code.jump_if(When::AtLeast));
        code.push(&[0xf6, 0xc1, 0x03]); // test cl, 3
        jumps.push(code.jump_if(When::NotZero));
        if bytes > 4 {
            code.push(&[0x8d, 0xb1]); // lea esi, [rcx + …]
            code.word(bytes - 4);
            code.push(&[0x41, 0x3b, 0xb4, 0x3e]); // cmp esi, [r14 + rdi + …]
            code.word(limit);
            jumps.push(code.jump_if(When::AtLeast));
        }
        code.push(&[0x49, 0x8b, 0x94, 0x3e]); // mov rdx, [r14 + rdi + …]
        code.word(BoardPlaces::NEAR_WORDS);
    }

    /// From the base address of the lowest active lane to that of lane 0, in eax and `to`.
    fn go_to_lane_zero(&mut self, to: Ymm) {
        if self.is_masked {
            self.code.push(&[0x29, 0xf0]); // sub eax, esi
            self.code.set_first_word(to);
            self.code.unary(Vector::BROADCAST, to, to);
        }
    }

    fn masks(&mut self) -> Vec<Ymm> {
        let chunks = if self.is_masked { self.cache.chunks } else { 0 };
        (0..chunks).map(|chunk| self.cache.get(&mut self.code, Value::Mask(chunk))).collect()
    }

    fn load(&mut self, o: &Operation) -> (Vec<Jump>, RowCache) {
        let chunks = self.cache.chunks;
        let bytes = 32 * u32::from(chunks);
        if self.is_masked {
            self.cache.write_back_register(&mut self.code, o.rs1);
        }
        let bases = self.bases(o);
        let masks = self.masks();
        let (first, difference) = (self.fresh(), self.fresh());
        // Equal addresses give equal words, which one host register holds.
        let is_uniform = !self.is_masked && self.cache.is_uniform(o.rs1);
        let results: Vec<Ymm> = (0..if is_uniform { 1 } else { chunks }).map(|_| self.fresh()).collect();
        let other = results[0];
        // From here to where both ways meet the cache stays as it is.
        let before = self.cache.clone();
        let mut jumps = Vec::new();
        self.first_base(o, &bases, first);
        let is_other = (!is_uniform).then(|| {
            self.differences(&bases, &masks, first, difference, other);
            self.unless_zero(difference)
        });
        self.find(o, 4, &mut jumps);
        self.code.memory(Vector::BROADCAST, results[0], Ymm(0), Place::Memory(0));
        for result in &results[1..] {
            self.code.unary(Vector::LOAD, *result, results[0]);
        }
        if let Some(is_other) = is_other {
            let meet = self.code.jump();
            self.code.land(is_other);
            self.go_to_lane_zero(first);
            self.differences_of_adjacent(&bases, &masks, first, difference, other);
            jumps.push(self.unless_zero(difference));
            self.find(o, bytes, &mut jumps);
            for (chunk, result) in results.iter().enumerate() {
                self.code.memory(Vector::LOAD, *result, Ymm(0), Place::Memory(32 * chunk as u32));
            }
            self.code.land(meet);
        }
        if is_uniform {
            self.cache.set_uniform(results[0]);
        }
        for chunk in 0..chunks {
            self.cache.release_all_but(&results);
            let result = results[usize::from(chunk) % results.len()];
            self.put(o.rd, chunk, result);
        }
        (jumps, before)
    }

    fn store(&mut self, o: &Operation) -> (Vec<Jump>, RowCache) {
        let chunks = self.cache.chunks;
        if self.is_masked {
            self.cache.write_back_register(&mut self.code, o.rs1);
        }
        let bases = self.bases(o);
        let masks = self.masks();
        let (first, difference, other) = (self.fresh(), self.fresh(), self.fresh());
        let before = self.cache.clone();
        let mut jumps = Vec::new();
        self.first_base(o, &bases, first);
        self.go_to_lane_zero(first);
        self.differences_of_adjacent(&bases, &masks, first, difference, other);
        jumps.push(self.unless_zero(difference));
        self.find(o, 32 * u32::from(chunks), &mut jumps);
        self.code.push(&[0x49, 0x8b, 0x86]); // mov rax, [r14 + …]
        self.code.word(BoardPlaces::RESERVATIONS);
        self.code.push(&[0x48, 0x83, 0x38, 0]); // cmp qword [rax], 0
        jumps.push(self.code.jump_if(When::NotZero));
        // No jump leaves from here on; the values are loaded late, since with four rows they may need others' places.
        self.cache.release_all_but(&masks);
        self.cache.pin(first);
        self.cache.pin(difference);
        for chunk in 0..chunks {
            let place = Place::Memory(32 * u32::from(chunk));
            let value = self.row(o.rs2, chunk);
            let into = if chunk == 0 { difference } else { first };
            self.code.memory(Vector::XOR, into, value, place);
            self.collect(&masks, chunk.into(), into, difference);
            match masks.get(usize::from(chunk)) {
                Some(mask) => self.code.memory(Vector::STORE_MASKED, value, *mask, place),
                None => self.code.memory(Vector::STORE, value, Ymm(0), place),
            }
        }
        self.code.unary(Vector::TEST, difference, difference);
        self.code.push(&[0x0f, 0x95, 0xc0]); // setnz al
        self.code.push(&[0x41, 0x08, 0x86]); // or [r14 + …], al
        self.code.word(BoardPlaces::CHANGED);
        (jumps, before)
    }
}
