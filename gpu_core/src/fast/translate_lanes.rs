//! What lanes read of one another, and of the warp, as host code: votes, shuffles, control registers, conditions.
//!
//! Before: `calls` goes through the operations of a block. After: host code, as `translate` writes it for arithmetic.

use super::frame::BoardPlaces;
use super::host_code::{Jump, Place, Shift, Vector, When, Ymm};
use super::operation::{Operation, Register, UNIFORM_REGISTERS};
use super::translate::Translator;
use crate::isa::table::Op;

/// The number of each lane of the first row.
const NUMBERS: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

impl Translator {
    /// Writes the code of an instruction that looks across lanes or at the warp; `false`, and nothing written, if it is
    /// none of those known here.
    pub fn across(&mut self, o: &Operation) -> bool {
        match o.op {
            Op::VoteAny | Op::VoteAll | Op::VoteBallot => self.vote(o),
            Op::ShflIdx if !self.is_masked => self.shuffle(o),
            Op::Csrrs if o.immediate < UNIFORM_REGISTERS as u32 => {
                let distance = BoardPlaces::REGISTERS + 4 * o.immediate;
                self.splat(o.rd, |t, to| t.code.memory(Vector::BROADCAST, to, Ymm(0), Place::Board(distance)));
            }
            Op::Csrrs if o.immediate == Register::ThreadId as u32 => {
                for chunk in 0..self.cache.chunks {
                    let to = self.fresh();
                    let numbers = NUMBERS.map(|number| number + 8 * u32::from(chunk));
                    self.code.memory(Vector::LOAD, to, Ymm(0), Place::Constant(numbers));
                    self.put(o.rd, chunk, to);
                    self.cache.release();
                }
            }
            _ => return false,
        }
        true
    }

    /// The address of the next instruction, if a jump keeps it.
    pub fn link(&mut self, o: &Operation) {
        if o.rd != 0 {
            self.set(o, o.pc.wrapping_add(4));
        }
    }

    /// The same value in all lanes of a register.
    fn splat(&mut self, rd: u8, f: impl FnOnce(&mut Self, Ymm)) {
        let to = self.fresh();
        f(self, to);
        self.cache.set_uniform(to);
        for chunk in 0..self.cache.chunks {
            self.cache.release_all_but(&[to]);
            self.put(rd, chunk, to);
        }
        self.cache.release();
    }

    /// The top bits of rows as bits of eax, those of inactive lanes zero.
    fn bits(&mut self, rows: &[Ymm]) {
        for (chunk, row) in rows.iter().enumerate() {
            if chunk == 0 {
                self.code.signs(*row, 0); // vmovmskps eax, …
            } else {
                self.code.signs(*row, 1); // vmovmskps ecx, …
                self.code.push(&[0xc1, 0xe1, 8 * chunk as u8]); // shl ecx, …
                self.code.push(&[0x09, 0xc8]); // or eax, ecx
            }
        }
        if self.is_masked {
            self.code.push(&[0x41, 0x23, 0x86]); // and eax, [r14 + …]
            self.code.word(BoardPlaces::ACTIVE);
        }
    }

    fn vote(&mut self, o: &Operation) {
        let zero = self.constant(0);
        let chunks = self.cache.chunks;
        let mut rows = Vec::new();
        for chunk in 0..chunks {
            let row = self.row(o.rs1, chunk);
            rows.push(self.vector(Vector::EQUAL, row, zero));
        }
        self.bits(&rows);
        self.cache.release();
        // Now eax has the lanes that are against.
        match o.op {
            Op::VoteAll => {
                self.code.push(&[0x31, 0xc9]); // xor ecx, ecx
                self.code.push(&[0x85, 0xc0]); // test eax, eax
                self.code.push(&[0x0f, 0x94, 0xc1]); // setz cl
            }
            Op::VoteAny => {
                self.code.push(&[0x31, 0xc9]); // xor ecx, ecx
                self.compare_with_active();
                self.code.push(&[0x0f, 0x95, 0xc1]); // setnz cl
            }
            _ => {
                self.code.push(&[0x41, 0x8b, 0x8e]); // mov ecx, [r14 + …]
                self.code.word(BoardPlaces::ACTIVE);
                self.code.push(&[0x31, 0xc1]); // xor ecx, eax
            }
        }
        self.code.push(&[0x89, 0xc8]); // mov eax, ecx
        self.splat(o.rd, |t, to| {
            t.code.set_first_word(to);
            t.code.unary(Vector::BROADCAST, to, to);
        });
    }

    /// Compares eax with the bits of the active lanes.
    fn compare_with_active(&mut self) {
        self.code.push(&[0x41, 0x3b, 0x86]); // cmp eax, [r14 + …]
        self.code.word(BoardPlaces::ACTIVE);
    }

    /// `shfl.idx` of a full warp: rs2 is segment mask << 12 | clamp << 6 | b, read in the lane that it steers.
    fn shuffle(&mut self, o: &Operation) {
        let chunks = self.cache.chunks;
        let mut results = Vec::new();
        for chunk in 0..chunks {
            self.cache.release_all_but(&results);
            let control = self.row(o.rs2, chunk);
            let six = self.constant(63);
            let (first, from, last, lane) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
            let numbers = NUMBERS.map(|number| number + 8 * u32::from(chunk));
            let code = &mut self.code;
            code.memory(Vector::LOAD, lane, Ymm(0), Place::Constant(numbers));
            // Outside the segment's bits the lane's own.
            code.shift(Shift::RIGHT, first, control, 12);
            code.vector(Vector::AND, first, first, six);
            code.vector(Vector::AND, from, control, six);
            code.vector(Vector::AND_NOT, from, first, from);
            code.shift(Shift::RIGHT, last, control, 6);
            code.vector(Vector::AND, last, last, six);
            code.vector(Vector::AND_NOT, last, first, last);
            code.vector(Vector::AND, first, first, lane);
            code.vector(Vector::OR, from, from, first);
            code.vector(Vector::OR, last, last, first);
            // No lane lies beyond the warp.
            code.memory(Vector::MIN, last, last, Place::Constant([8 * u32::from(chunks) - 1; 8]));
            code.vector(Vector::GREATER, last, from, last);
            code.blend(from, last, lane, from);
            // Each source row in turn; the lowest three bits say which of its lanes.
            let (result, other) = (first, last);
            for source in 0..chunks {
                self.cache.release_all_but(&[&results[..], &[from, result, other, lane]].concat());
                let row = self.row(o.rs1, source);
                let code = &mut self.code;
                if source == 0 {
                    code.vector(Vector::PERMUTE, result, from, row);
                } else {
                    code.vector(Vector::PERMUTE, other, from, row);
                    code.memory(Vector::LOAD, lane, Ymm(0), Place::Constant([8 * u32::from(source) - 1; 8]));
                    code.vector(Vector::GREATER, lane, from, lane);
                    code.blend(result, lane, other, result);
                }
            }
            results.push(result);
        }
        for (chunk, result) in results.iter().enumerate() {
            self.cache.release_all_but(&results[chunk..]);
            self.put(o.rd, chunk as u8, *result);
        }
        self.cache.release();
    }

    /// Writes the code of a branch's condition: afterwards eax has the active lanes where it holds, or where it does not,
    /// which is given.
    pub fn condition(&mut self, o: &Operation) -> Condition {
        let is_uniform = !self.is_masked && self.cache.is_uniform(o.rs1) && self.cache.is_uniform(o.rs2);
        let chunks = if is_uniform { 1 } else { self.cache.chunks };
        let mut rows = Vec::new();
        for chunk in 0..chunks {
            self.cache.release_all_but(&rows);
            let (a, b) = (self.row(o.rs1, chunk), self.row(o.rs2, chunk));
            rows.push(match o.op {
                Op::Beq | Op::Bne => self.vector(Vector::EQUAL, a, b),
                Op::Blt | Op::Bge => self.vector(Vector::GREATER, b, a),
                _ => self.below(a, b),
            });
        }
        self.bits(&rows);
        self.cache.release();
        Condition { is_uniform, is_inverted: matches!(o.op, Op::Bne | Op::Bge | Op::Bgeu) }
    }

    /// After `condition`: jumps if eax has no lane, and if it has some lanes only; goes on if it has all.
    pub fn decide(&mut self, condition: Condition) -> (Jump, Option<Jump>) {
        self.code.push(&[0x85, 0xc0]); // test eax, eax
        let none = self.code.jump_if(When::Zero);
        let some = (!condition.is_uniform).then(|| {
            self.compare_with_active();
            self.code.jump_if(When::NotZero)
        });
        (none, some)
    }
}

/// What [`Translator::condition`] says of a branch.
#[derive(Copy, Clone, Debug)]
pub(super) struct Condition {
    /// It is the same in all lanes, which is known without looking.
    pub is_uniform: bool,
    /// The lanes are those where it does not hold.
    pub is_inverted: bool,
}
