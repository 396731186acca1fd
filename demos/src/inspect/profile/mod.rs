//! A profile: what each instruction and each source line cost, in issue slots.
//!
//! Before: `watch` says what every issue slot was spent on. After: [`table::Table`], printed by `text`, `html` and as JSON. A
//! slot-cycle is one issue slot in one cycle: it issues an instruction, or is lost for one reason, which is charged to the
//! instruction that waits or that is waited for. So the rows of a profile add up to the counters of the launches.

pub mod html;
mod spent;
pub mod table;
#[cfg(test)]
mod tests;
pub mod text;

use std::collections::BTreeMap;
use std::rc::Rc;

use gpu_core::counters::Counters;
use gpu_core::observe::Stall;
use gpu_core::retired::Retired;
use gpu_core::units::Address;

pub use spent::{REASONS, Spent};

use crate::inspect::code::Code;

/// One program and what its instructions cost.
#[derive(Clone, Debug)]
struct Profiled {
    code: Rc<Code>,
    spent: BTreeMap<Address, Spent>,
}

/// What was spent, by instruction.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    programs: Vec<Profiled>,
    /// The program of this launch.
    current: usize,
    /// What was seen of this launch.
    seen: Spent,
    /// Slot-cycles in which no warp was there to issue for.
    idle: Spent,
    total: Spent,
    launches: u64,
    cycles: u64,
}

impl Profile {
    /// Nothing was spent.
    pub fn new() -> Self {
        Self::default()
    }

    /// A launch of this code begins.
    pub fn begin_launch(&mut self, code: &Rc<Code>) {
        let known = self.programs.iter().position(|program| Rc::ptr_eq(&program.code, code));
        self.current = known.unwrap_or_else(|| {
            self.programs.push(Profiled { code: Rc::clone(code), spent: BTreeMap::new() });
            self.programs.len() - 1
        });
        self.seen = Spent::default();
    }

    /// The launch has ended; its counters know also what no observer is shown: cores that have ended and wait for others.
    pub fn end_launch(&mut self, counters: &Counters) {
        let counted = Spent::counted(&counters.sum().issue);
        self.idle.add(&counted.without(&self.seen));
        self.total.add(&counted);
        self.launches += 1;
        self.cycles += counters.cycles;
    }

    fn spend(&mut self, pc: Option<Address>) -> &mut Spent {
        match pc {
            Some(pc) => self.programs[self.current].spent.entry(pc).or_default(),
            None => &mut self.idle,
        }
    }

    /// An instruction was issued.
    pub fn issued(&mut self, retired: &Retired) {
        let lanes = u64::from(retired.mask.count());
        let spent = self.spend(Some(retired.pc));
        spent.issued += 1;
        spent.lanes += lanes;
        self.seen.issued += 1;
        self.seen.lanes += lanes;
    }

    /// A slot was lost, and the instruction at `pc` is to blame.
    pub fn stalled(&mut self, stall: &Stall, pc: Option<Address>) {
        let reason = stall.reason as usize;
        self.spend(pc).stalls[reason] += stall.cycles;
        self.seen.stalls[reason] += stall.cycles;
    }

    /// Everything the launches spent, as their counters say.
    pub fn total(&self) -> &Spent {
        &self.total
    }

    /// Cycles of all launches together.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// How many launches.
    pub fn launches(&self) -> u64 {
        self.launches
    }
}
