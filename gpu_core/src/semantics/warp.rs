//! One warp: its registers, lane after lane, and where it stands.
//!
//! A register is a row of lanes that lie together (`row(register)[lane]`), so that one instruction is one loop over a row.

use crate::trap::BarrierScope;
use crate::units::{Address, MAX_LANES, ThreadMask};
use serde::{Deserialize, Serialize};

/// Rows of the register file: x0 to x31, then f0 to f31.
pub const ROW_COUNT: usize = 64;
/// Row of f0.
pub const FLOAT_ROW: usize = 32;

/// One value for each lane.
pub type LaneValues = [u32; MAX_LANES];

/// A cache line of registers, so that rows of 16 lanes do not straddle lines of the host's cache.
#[derive(Copy, Clone, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Line([u32; 16]);

/// The integer and float registers of all lanes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u32>", into = "Vec<u32>")]
pub struct Registers {
    /// Words from one row to the next: the lane count, rounded up to a power of two.
    stride: usize,
    lines: Vec<Line>,
}

impl Registers {
    /// All zero, for this many lanes.
    pub fn new(lanes: u32) -> Self {
        let stride = lanes.next_power_of_two() as usize;
        Self { stride, lines: vec![Line([0; 16]); (ROW_COUNT * stride).div_ceil(16)] }
    }

    /// Words from one row to the next: the lane count, rounded up to a power of two.
    #[inline]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// All words: row `r` is at `r * stride`.
    #[inline]
    pub fn words(&self) -> &[u32] {
        bytemuck::cast_slice(&self.lines)
    }

    /// All words, to change. Row 0 must stay zero.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [u32] {
        bytemuck::cast_slice_mut(&mut self.lines)
    }

    /// One row: x`r` at `r`, f`r` at 32 + `r`.
    #[inline]
    pub fn row(&self, row: usize) -> &[u32] {
        let stride = self.stride;
        &self.words()[row * stride..(row + 1) * stride]
    }

    /// One row, to change.
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [u32] {
        let stride = self.stride;
        &mut self.words_mut()[row * stride..(row + 1) * stride]
    }
}

impl From<Vec<u32>> for Registers {
    fn from(words: Vec<u32>) -> Self {
        let stride = (words.len() / ROW_COUNT).clamp(1, MAX_LANES).next_power_of_two();
        let mut registers = Self::new(stride as u32);
        for (to, from) in registers.words_mut().iter_mut().zip(words) {
            *to = from;
        }
        registers
    }
}

impl From<Registers> for Vec<u32> {
    fn from(registers: Registers) -> Self {
        registers.words()[..ROW_COUNT * registers.stride].to_vec()
    }
}

/// What a warp is doing.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WarpState {
    /// It has not started, or has ended.
    Ended,
    /// It can execute its next instruction.
    Ready,
    /// It waits at a barrier of its core.
    LocalBarrier(u32),
    /// It waits at a barrier of the machine.
    GlobalBarrier(u32),
    /// Warp 0 waits in `wspawn` until it is alone, and then starts warps 1 to `count` − 1 at `target`.
    Spawning {
        /// Operand rs1.
        count: u32,
        /// Where the new warps start.
        target: Address,
    },
    /// Its last instruction left a request that has not been completed.
    Requesting,
}

impl WarpState {
    /// The barrier it waits at.
    pub const fn barrier(self) -> Option<(BarrierScope, u32)> {
        match self {
            Self::LocalBarrier(id) => Some((BarrierScope::Local, id)),
            Self::GlobalBarrier(id) => Some((BarrierScope::Global, id)),
            Self::Ended | Self::Ready | Self::Spawning { .. } | Self::Requesting => None,
        }
    }
}

/// One entry of the divergence stack: a `split` whose lanes have not met again.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Divergence {
    /// The mask before the split.
    pub full: ThreadMask,
    /// The lanes of the side that has not run yet; empty once it has been started.
    pub pending: ThreadMask,
    /// Where that side starts: after the `split`.
    pub resume: Address,
}

/// One warp.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warp {
    /// Address of the next instruction.
    pub pc: Address,
    /// The active lanes. It may be empty in a warp that lives.
    pub mask: ThreadMask,
    /// The last mask that was not empty: scalar operands come from its highest lane when the mask is empty.
    pub last_mask: ThreadMask,
    /// What it is doing.
    pub state: WarpState,
    /// The divergence stack, deepest last.
    pub divergences: Vec<Divergence>,
    /// Accrued float exceptions, the OR over all lanes that were active.
    pub float_flags: u8,
    /// Dynamic rounding mode, `frm`.
    pub rounding_mode: u8,
    /// The bank that `tex` takes its four stages from.
    pub texture_bank: u32,
    /// The registers of all lanes.
    pub registers: Registers,
}

impl Warp {
    /// A warp that has not started: everything zero.
    pub fn new(lanes: u32) -> Self {
        Self {
            pc: Address(0),
            mask: ThreadMask::EMPTY,
            last_mask: ThreadMask::lane(0),
            state: WarpState::Ended,
            divergences: Vec::new(),
            float_flags: 0,
            rounding_mode: 0,
            texture_bank: 0,
            registers: Registers::new(lanes),
        }
    }

    /// Starts it at `pc` with lane 0 alone; registers, fcsr and stack are zero.
    pub fn start(&mut self, pc: Address) {
        self.registers.words_mut().fill(0);
        self.divergences.clear();
        self.float_flags = 0;
        self.rounding_mode = 0;
        self.texture_bank = 0;
        self.pc = pc;
        self.state = WarpState::Ready;
        self.set_mask(ThreadMask::lane(0));
    }

    /// Whether it has started and not ended.
    #[inline]
    pub fn is_alive(&self) -> bool {
        self.state != WarpState::Ended
    }

    /// Changes the active lanes; an empty mask does not end the warp.
    pub fn set_mask(&mut self, mask: ThreadMask) {
        self.mask = mask;
        if !mask.is_empty() {
            self.last_mask = mask;
        }
    }

    /// The lane that scalar operands come from: the highest active one, or the highest of the last mask that had any.
    #[inline]
    pub fn scalar_lane(&self) -> usize {
        let mask = if self.mask.is_empty() { self.last_mask } else { self.mask };
        mask.highest().unwrap_or(0)
    }

    /// The integer register `register` of all lanes.
    #[inline]
    pub fn integer(&self, register: u8) -> &[u32] {
        self.registers.row(register.into())
    }

    /// The float register `register` of all lanes, as bits.
    #[inline]
    pub fn float(&self, register: u8) -> &[u32] {
        self.registers.row(FLOAT_ROW + usize::from(register))
    }

    /// An integer register in the lane that scalar operands come from.
    #[inline]
    pub fn scalar(&self, register: u8) -> u32 {
        self.integer(register)[self.scalar_lane()]
    }

    /// Writes an integer register in the lanes of `mask`; x0 stays zero.
    #[inline]
    pub fn set_integer(&mut self, register: u8, values: &LaneValues, mask: ThreadMask) {
        if register != 0 {
            self.set_row(register.into(), values, mask);
        }
    }

    /// Writes a float register in the lanes of `mask`.
    #[inline]
    pub fn set_float(&mut self, register: u8, values: &LaneValues, mask: ThreadMask) {
        self.set_row(FLOAT_ROW + usize::from(register), values, mask);
    }

    #[inline]
    fn set_row(&mut self, row: usize, values: &LaneValues, mask: ThreadMask) {
        let row = self.registers.row_mut(row);
        if mask == ThreadMask::first(row.len() as u32) {
            let stride = row.len();
            row.copy_from_slice(&values[..stride]);
        } else {
            for lane in mask.lanes() {
                row[lane] = values[lane];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lie_lane_after_lane() {
        let mut warp = Warp::new(3);
        assert_eq!(warp.registers.stride(), 4);
        let mut values = [0; MAX_LANES];
        values[..4].copy_from_slice(&[10, 11, 12, 13]);
        warp.set_integer(5, &values, ThreadMask(0b101));
        assert_eq!(warp.integer(5), [10, 0, 12, 0]);
        warp.set_float(5, &values, ThreadMask(0b111));
        assert_eq!(warp.registers.words()[(32 + 5) * 4..][..4], [10, 11, 12, 0]);
        warp.set_integer(0, &values, ThreadMask(0b111));
        assert_eq!(warp.integer(0), [0; 4]);
    }

    #[test]
    fn scalar_operands_come_from_the_highest_lane_of_the_last_mask_that_had_any() {
        let mut warp = Warp::new(4);
        warp.set_mask(ThreadMask(0b0110));
        assert_eq!(warp.scalar_lane(), 2);
        warp.set_mask(ThreadMask::EMPTY);
        assert_eq!(warp.scalar_lane(), 2);
    }
}
