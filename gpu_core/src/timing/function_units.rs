//! The function units: how long each takes and how soon it takes the next instruction.
//!
//! Before: issue hands a unit an instruction. After: `core` knows when the result is there. Source of the figures: Skybox
//! (2024), whose units are all fully pipelined; every figure is a field of the configuration.
//! Arithmetic and float units exist once for each issue slice; load-store unit, warp control, CSRs and the texture unit once for
//! a core. The second of a pair that fuses finds its result in the unit (`isa::fusion`).

use super::rows::Pair;
use crate::config::{Timing, UnitTiming};
use crate::isa::table::Unit;
use crate::observe::StallReason;
use serde::{Deserialize, Serialize};

/// Number of kinds of units.
pub(super) const UNITS: usize = Unit::Transcendental as usize + 1;

/// When each unit of a core can take its next instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionUnits {
    /// First cycle in which the unit is free, for each slice and kind.
    free_at: Vec<[u64; UNITS]>,
    intervals: [u32; UNITS],
    /// Warps whose last instruction is the first of a pair that fuses: the unit keeps the result of the second for each.
    paired: u32,
    /// Cycles that the second of a pair keeps the unit.
    fused_interval: u32,
}

impl FunctionUnits {
    /// All free.
    pub fn new(timing: &Timing) -> Self {
        let intervals = EVERY.map(|unit| Self::timing(unit, timing).interval);
        let slices = timing.issue.width as usize;
        let fused_interval = timing.units.transcendental.fused_interval;
        Self { free_at: vec![[0; UNITS]; slices], intervals, paired: 0, fused_interval }
    }

    /// Latency and interval of a unit. Those of load-store and texture unit are told by memory's blocks.
    pub fn timing(unit: Unit, timing: &Timing) -> UnitTiming {
        let units = &timing.units;
        match unit {
            Unit::Alu => units.alu,
            Unit::Branch => units.branch,
            Unit::Mul => units.mul,
            Unit::Div => units.div,
            Unit::Fma => units.fma,
            Unit::Fdiv => units.fdiv,
            Unit::Fsqrt => units.fsqrt,
            Unit::Fcmp => units.fcmp,
            Unit::Fcvt => units.fcvt,
            Unit::Csr => units.csr,
            Unit::System => units.system,
            Unit::WarpControl => units.warp_control,
            Unit::Vote => units.vote,
            Unit::Transcendental => units.transcendental.timing(),
            Unit::Lsu | Unit::Texture | Unit::Graphics => UnitTiming { latency: 0, interval: 1 },
        }
    }

    /// Whether they are those of so many slices.
    pub fn is_of(&self, slices: usize) -> bool {
        self.free_at.len() == slices
    }

    /// Whether the unit holds the result of a pair's second for this warp, which then does not wait for it to be free.
    #[inline]
    pub fn continues(&self, warp: usize) -> bool {
        self.paired >> warp & 1 != 0
    }

    /// First cycle in which the unit takes an instruction of a slice.
    #[inline]
    pub fn free_at(&self, unit: Unit, slice: usize) -> u64 {
        self.free_at[if is_shared(unit) { 0 } else { slice }][unit as usize]
    }

    /// The unit takes an instruction of a slice.
    #[inline]
    pub fn take(&mut self, unit: Unit, pair: Pair, slice: usize, warp: usize, now: u64) {
        if self.continues(warp) {
            self.paired &= !(1 << warp);
            if pair == Pair::Second {
                let free_at = &mut self.free_at[slice][unit as usize];
                *free_at = now.max(*free_at) + u64::from(self.fused_interval);
                return;
            }
        }
        if pair == Pair::First {
            self.paired |= 1 << warp;
        }
        let slice = if is_shared(unit) { 0 } else { slice };
        self.free_at[slice][unit as usize] = now + u64::from(self.intervals[unit as usize]);
    }
}

/// Whether a core has one such unit only.
#[inline]
fn is_shared(unit: Unit) -> bool {
    matches!(unit, Unit::Lsu | Unit::Csr | Unit::System | Unit::WarpControl | Unit::Texture | Unit::Graphics)
}

/// What an issue slot waits for when this unit is busy.
pub fn busy_reason(unit: Unit) -> StallReason {
    match unit {
        Unit::Alu | Unit::Branch | Unit::Mul | Unit::Div | Unit::Vote => StallReason::Alu,
        Unit::Fma | Unit::Fdiv | Unit::Fsqrt | Unit::Fcmp | Unit::Fcvt | Unit::Transcendental => StallReason::Fpu,
        Unit::Lsu => StallReason::Lsu,
        Unit::Csr | Unit::System | Unit::WarpControl | Unit::Graphics => StallReason::Sfu,
        Unit::Texture => StallReason::Texture,
    }
}

/// Every kind, in the order of the enumeration.
const EVERY: [Unit; UNITS] = [
    Unit::Alu,
    Unit::Branch,
    Unit::Mul,
    Unit::Div,
    Unit::Fma,
    Unit::Fdiv,
    Unit::Fsqrt,
    Unit::Fcmp,
    Unit::Fcvt,
    Unit::Lsu,
    Unit::Csr,
    Unit::System,
    Unit::WarpControl,
    Unit::Vote,
    Unit::Texture,
    Unit::Graphics,
    Unit::Transcendental,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GpuConfig;

    #[test]
    fn every_unit_is_at_its_number() {
        for (index, unit) in EVERY.iter().enumerate() {
            assert_eq!(*unit as usize, index);
        }
    }

    #[test]
    fn a_unit_is_busy_for_its_interval_and_a_shared_one_for_all_slices() {
        let mut timing = GpuConfig::vortex(1, 16, 4).timing;
        timing.units.div.interval = 8;
        assert_eq!(timing.issue.width, 2);
        let mut units = FunctionUnits::new(&timing);
        units.take(Unit::Div, Pair::None, 1, 0, 100);
        assert_eq!((units.free_at(Unit::Div, 1), units.free_at(Unit::Div, 0)), (108, 0));
        units.take(Unit::WarpControl, Pair::None, 1, 0, 100);
        assert_eq!((units.free_at(Unit::WarpControl, 1), units.free_at(Unit::WarpControl, 0)), (101, 101));
    }
}
