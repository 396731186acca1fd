//! A warp in the fast engine: its registers as rows of lanes, and what its instructions do to them.
//!
//! Before: `mod.rs` borrows a warp for a run. After: `interpret` says which of these an instruction is.
//! `MASKED` says whether some lanes may be inactive: then results are blended into their registers. What gives an
//! `Option` changes nothing if it gives `None`: the plain engine must run that instruction.
//! Gain: a number of rows known at compile time, arithmetic at 16 lanes 5.8 → 3.8 ns a warp-instruction (see `mod.rs`).

use super::access::{Hint, Space, View, full};
use super::lanes::{Host, Row, blend, canonicalize, map1, map2, ones_if, splat, spread};
use super::operation::{Operation, Register, UNIFORM_REGISTERS};
use super::texture_time::TextureTime;
use crate::config::FirstSide;
use crate::isa::table::Op;
use crate::memory::Memory;
use crate::semantics::float;
use crate::semantics::warp::Divergence;
#[cfg(target_arch = "x86_64")]
use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, AtomicUsize};
use texture::Stage;

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
    /// The same for host code.
    pub near_hints: &'a mut [NearHint],
    pub stages: &'a [Stage],
    pub texture_time: Option<&'a mut TextureTime>,
    pub divergences: &'a mut Vec<Divergence>,
    pub capacity: u32,
    pub first_side: FirstSide,
    /// The bank's first stage; `select_bank` keeps it and the register alike.
    pub first_stage: usize,
    /// `mhartid` of lane 0.
    pub first_thread: u32,
    /// All lanes that the warp has.
    pub all: u64,
    pub active: u64,
    /// The active lanes when there last were any; kept up by `no_lanes` only.
    pub last_active: u64,
    pub board: Board<LANES>,
    /// Instructions executed so far, and how many more may be.
    pub executed: u64,
    pub budget: u64,
    /// The same, counted once for every active lane.
    pub lane_instructions: u64,
}

/// Words that host code reaches by itself: a region, or local memory.
#[derive(Copy, Clone)]
#[repr(C)]
pub(super) struct Near {
    words: *const AtomicU32,
    start: u32,
    /// A word may begin at so many byte offsets from `start`, to be loaded; and to be stored.
    limits: [u32; 2],
}

impl Near {
    /// Nothing.
    const NONE: Self = Self { words: std::ptr::null(), start: 0, limits: [0; 2] };

    /// All of a view.
    fn new(view: View<'_>) -> Self {
        let (words, bytes) = view.words();
        // Limited so that a whole row after an offset does not pass 2^32.
        let limit = bytes.saturating_sub(3).min(1 << 31);
        Self { words, start: view.start, limits: [limit, if view.is_writable() { limit } else { 0 }] }
    }
}

/// How many of them: nothing, local memory, and the first regions.
const NEARS: usize = 64;

/// Which of them an instruction touched last, as its distance in bytes from the first.
pub(super) type NearHint = u16;

/// The distance of that with this number.
pub(super) const fn near_hint(number: usize) -> NearHint {
    let number = if number < NEARS { number } else { 0 };
    (number * size_of::<Near>()) as NearHint
}

/// What host code reads and writes by its place.
#[repr(C)]
pub(super) struct Board<const LANES: usize> {
    /// All ones in active lanes.
    pub mask: [Row<LANES>; MAX_CHUNKS],
    pub near: [Near; NEARS],
    /// How many words are reserved.
    pub reservations: *const AtomicUsize,
    /// Control registers that are the same in every lane, by `Register`.
    pub registers: [u32; UNIFORM_REGISTERS],
    pub pc: u32,
    /// The active lanes once more.
    pub active: u32,
    /// 4 · the number of the lowest of them.
    pub first_lane: u32,
    /// Whether a store changed a word.
    pub is_changed: bool,
}

impl<const LANES: usize> Board<LANES> {
    /// No lane is active.
    pub fn new(memory: &Memory, space: &Space<'_>, registers: [u32; UNIFORM_REGISTERS], pc: u32) -> Self {
        let mut near = [Near::NONE; NEARS];
        for (near, view) in near[1..].iter_mut().zip(space.views()) {
            *near = view.map_or(Near::NONE, Near::new);
        }
        Self {
            mask: [[0; LANES]; MAX_CHUNKS],
            near,
            reservations: memory.reservation_count(),
            registers,
            pc,
            active: 0,
            first_lane: 0,
            is_changed: false,
        }
    }
}

/// Where host code finds parts of a board, and of a `Near`.
#[cfg(target_arch = "x86_64")]
pub(super) struct BoardPlaces;

#[cfg(target_arch = "x86_64")]
impl BoardPlaces {
    pub const RESERVATIONS: u32 = offset_of!(Board<8>, reservations) as u32;
    pub const REGISTERS: u32 = offset_of!(Board<8>, registers) as u32;
    pub const PC: u32 = offset_of!(Board<8>, pc) as u32;
    pub const ACTIVE: u32 = offset_of!(Board<8>, active) as u32;
    pub const FIRST_LANE: u32 = offset_of!(Board<8>, first_lane) as u32;
    pub const CHANGED: u32 = offset_of!(Board<8>, is_changed) as u32;
    pub const NEAR_START: u32 = (offset_of!(Board<8>, near) + offset_of!(Near, start)) as u32;
    /// That of loads; that of stores follows.
    pub const NEAR_LIMITS: u32 = (offset_of!(Board<8>, near) + offset_of!(Near, limits)) as u32;
    pub const NEAR_WORDS: u32 = (offset_of!(Board<8>, near) + offset_of!(Near, words)) as u32;
}

/// Writes a register, row by row: `each_row!(frame, MASKED, register, chunk => value)`. A macro, because a closure that
/// holds more than a line of the host's vector instructions is not always inlined, and alone it may not use them.
macro_rules! each_row {
    ($frame:expr, $masked:ident, $register:expr, $chunk:pat => $value:expr) => {
        for chunk in 0..$frame.chunks() {
            let $chunk = chunk;
            let new = $value;
            $frame.put::<$masked>($register, chunk, &new);
        }
    };
}
pub(super) use each_row;

impl<'a, const LANES: usize, const CHUNKS: usize> Frame<'a, LANES, CHUNKS> {
    /// Rows of a register.
    #[inline(always)]
    pub fn chunks(&self) -> usize {
        if CHUNKS == 0 { self.chunks } else { CHUNKS }
    }

    /// Changes the active lanes, of which there is at least one.
    #[inline(always)]
    pub fn set_active(&mut self, active: u64) {
        self.active = active;
        self.board.active = active as u32;
        self.board.first_lane = 4 * active.trailing_zeros();
        let chunks = self.chunks();
        for (chunk, mask) in self.board.mask.iter_mut().enumerate().take(chunks) {
            *mask = spread(active >> (chunk * LANES));
        }
    }

    /// So many instructions were executed with so many lanes.
    #[inline(always)]
    pub fn account(&mut self, instructions: u64, lanes: u32) {
        self.executed += instructions;
        self.budget -= instructions;
        self.lane_instructions += instructions * u64::from(lanes);
    }

    /// Whether every lane of every row is active.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.active == u64::MAX >> (64 - self.chunks() * LANES)
    }

    /// Active lanes of a row.
    #[inline(always)]
    pub fn active_of<const MASKED: bool>(&self, chunk: usize) -> u64 {
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
        *old = if MASKED { blend(&self.board.mask[chunk % MAX_CHUNKS], new, old) } else { *new };
    }

    /// The value in the highest active lane.
    #[inline(always)]
    pub fn scalar(&self, register: u8) -> u32 {
        let lane = (63 - self.active.leading_zeros()) as usize;
        self.row(register, lane / LANES)[lane % LANES]
    }

    #[inline(always)]
    pub fn splat<const MASKED: bool>(&mut self, register: u8, value: u32) {
        each_row!(self, MASKED, register, _ => splat(value));
    }

    #[inline(always)]
    pub fn unary<const MASKED: bool>(&mut self, o: &Operation, f: impl Fn(u32) -> u32) {
        each_row!(self, MASKED, o.rd, chunk => map1(self.row(o.rs1, chunk), &f));
    }

    #[inline(always)]
    pub fn binary<const MASKED: bool>(&mut self, o: &Operation, f: impl Fn(u32, u32) -> u32) {
        each_row!(self, MASKED, o.rd, chunk => map2(self.row(o.rs1, chunk), self.row(o.rs2, chunk), &f));
    }

    #[inline(always)]
    pub fn immediate<const MASKED: bool>(&mut self, o: &Operation, f: impl Fn(u32, u32) -> u32) {
        let immediate = o.immediate;
        self.unary::<MASKED>(o, |a| f(a, immediate));
    }

    /// `rs1 * rs2 + rs3`, signs of product and addend flipped by these masks.
    #[inline(always)]
    pub fn fused<H: Host, const MASKED: bool>(&mut self, op: Op, o: &Operation) {
        let (product_sign, addend_sign) = match op {
            Op::Fmadd => (0, 0),
            Op::Fmsub => (0, float::SIGN),
            Op::Fnmsub => (float::SIGN, 0),
            _ => (float::SIGN, float::SIGN),
        };
        each_row!(self, MASKED, o.rd, chunk => {
            let a = map1(self.row(o.rs1, chunk), |a| a ^ product_sign);
            let c = map1(self.row(o.rs3, chunk), |c| c ^ addend_sign);
            canonicalize(&H::fused_multiply_add(&a, self.row(o.rs2, chunk), &c))
        });
    }

    #[inline(always)]
    pub fn active<const MASKED: bool>(&self) -> u64 {
        if MASKED { self.active } else { self.all }
    }

    /// Active lanes where `condition(rs1, rs2)` holds.
    #[inline(always)]
    pub fn where_both<H: Host, const MASKED: bool>(&self, o: &Operation, condition: impl Fn(u32, u32) -> bool) -> u64 {
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

    /// `csrrs rd, csr, x0` for a register of `Register`.
    #[inline(always)]
    pub fn read_register<const MASKED: bool>(&mut self, o: &Operation) {
        let register = o.immediate as usize;
        if let Some(&value) = self.board.registers.get(register) {
            return self.splat::<MASKED>(o.rd, value);
        }
        let first = if register == Register::Mhartid as usize { self.first_thread } else { 0 };
        each_row!(self, MASKED, o.rd, chunk => {
            let mut row = [0; LANES];
            for (index, value) in row.iter_mut().enumerate() {
                *value = first + (chunk * LANES + index) as u32;
            }
            row
        });
    }

    /// Samples from the stages of this bank from now on.
    #[inline(always)]
    pub fn select_bank(&mut self, bank: u32) {
        self.board.registers[Register::TextureBank as usize] = bank;
        self.first_stage = (bank as usize).saturating_mul(4);
    }
}
