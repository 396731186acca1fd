//! What each instruction of a program costs, looked up once: predecoded rows.
//!
//! Before: the run loop hands in the program's decoded instructions. After: `front_end` finds the row of a pc, `core` reads it.

use super::function_units::FunctionUnits;
use super::operands;
use crate::config::GpuConfig;
use crate::isa::encoding::Instruction;
use crate::isa::fusion;
use crate::isa::table::{Op, Unit};
use crate::units::Address;

/// What issue has to know of one instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Registers it reads or writes, in the form of `Instruction::uses`.
    pub registers: u64,
    /// Registers it writes.
    pub defines: u64,
    /// Cycles from issue to the result, or to the memory unit's door.
    pub latency: u32,
    /// Cycles for which the operand collector takes no other instruction.
    pub collector_cycles: u8,
    /// Who executes it.
    pub unit: Unit,
    /// Whether the warp's fetches wait until it has been executed, since it decides where or whether the warp goes on:
    /// branches, jumps, warp control, environment calls, `fence.i`, and accesses to the float CSRs.
    pub is_control: bool,
    /// Its part in a pair that fuses.
    pub pair: Pair,
}

/// What an instruction is to the next one, or the one before it (`isa::fusion`).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pair {
    /// Nothing.
    None,
    /// The first of a pair: the next word is its second.
    First,
    /// The second of a pair, if the instruction before it is its first.
    Second,
}

impl Row {
    /// The row of an instruction and of the word after it; `None` for a word that is none, which will trap when its turn comes.
    pub fn new(instruction: Option<&Instruction>, next: Option<&Instruction>, config: &GpuConfig) -> Self {
        let timing = &config.timing;
        let before = timing.operands.latency + timing.issue.dispatch_latency;
        let Some(i) = instruction else {
            let (unit, latency) = (Unit::System, before + 1);
            let pair = Pair::None;
            return Self { registers: 0, defines: 0, latency, collector_cycles: 1, unit, is_control: true, pair };
        };
        let unit = i.op.spec().unit;
        let conflicts = operands::conflict_cycles(i.uses(), timing.operands.banks);
        Self {
            registers: i.uses() | i.defines(),
            defines: i.defines(),
            latency: before + conflicts + FunctionUnits::timing(unit, timing).latency,
            collector_cycles: 1 + conflicts as u8,
            unit,
            is_control: is_control(i),
            pair: match next {
                Some(next) if fusion::fuses(i, next) => Pair::First,
                _ if fusion::is_second(i.op) => Pair::Second,
                _ => Pair::None,
            },
        }
    }
}

/// See [`Row::is_control`].
fn is_control(i: &Instruction) -> bool {
    match i.op.spec().unit {
        Unit::Branch | Unit::WarpControl | Unit::System => true,
        Unit::Csr => matches!(i.imm, 1..=3),
        _ => i.op == Op::FenceI,
    }
}

/// The rows of a program's code.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The segment that is looked at first.
    start: u32,
    rows: Vec<Row>,
    others: Vec<(u32, Vec<Row>)>,
}

impl Rows {
    /// The rows of segments of decoded words.
    pub fn new<'a>(segments: impl Iterator<Item = (Address, &'a [Option<Instruction>])>, config: &GpuConfig) -> Self {
        let rows = |words: &[Option<Instruction>]| {
            let next = |index: usize| words.get(index + 1).and_then(Option::as_ref);
            let row = |(index, word): (usize, &Option<Instruction>)| Row::new(word.as_ref(), next(index), config);
            words.iter().enumerate().map(row).collect()
        };
        let mut all: Vec<(u32, Vec<Row>)> = segments.map(|(start, words)| (start.0, rows(words))).collect();
        // The largest segment first.
        all.sort_by_key(|(start, rows)| (std::cmp::Reverse(rows.len()), *start));
        let mut all = all.into_iter();
        let (start, rows) = all.next().unwrap_or_default();
        Self { start, rows, others: all.collect() }
    }

    /// The row of the instruction at `pc`, if it lies in a segment.
    #[inline]
    pub fn find(&self, pc: u32) -> Option<&Row> {
        if pc & 3 != 0 {
            return None;
        }
        match self.rows.get((pc.wrapping_sub(self.start) / 4) as usize) {
            Some(row) => Some(row),
            None => {
                let mut others = self.others.iter();
                others.find_map(|(start, rows)| rows.get((pc.wrapping_sub(*start) / 4) as usize))
            }
        }
    }
}
