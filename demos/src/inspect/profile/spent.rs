//! What issue slots were spent on.

use gpu_core::counters::{IssueCounters, StallCounters};
use gpu_core::observe::StallReason;

/// How many reasons there are for an issue slot to issue nothing.
pub const REASONS: usize = StallReason::EVERY.len();

/// What slot-cycles were spent on.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Instructions issued, of warps.
    pub issued: u64,
    /// The same, each counted once for every active lane.
    pub lanes: u64,
    /// Slot-cycles lost, in the order of [`StallReason::EVERY`].
    pub stalls: [u64; REASONS],
}

impl Spent {
    /// What the counters of issue say.
    pub fn counted(issue: &IssueCounters) -> Self {
        Self { issued: issue.issued, lanes: issue.lanes, stalls: stalls_of(&issue.stall) }
    }

    /// Every slot-cycle.
    pub fn slot_cycles(&self) -> u64 {
        self.issued + self.stalls.iter().sum::<u64>()
    }

    /// Adds what was spent elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.issued += other.issued;
        self.lanes += other.lanes;
        for (mine, other) in self.stalls.iter_mut().zip(other.stalls) {
            *mine += other;
        }
    }

    /// What is in here and not in `part`.
    pub fn without(&self, part: &Self) -> Self {
        Self {
            issued: self.issued.saturating_sub(part.issued),
            lanes: self.lanes.saturating_sub(part.lanes),
            stalls: std::array::from_fn(|index| self.stalls[index].saturating_sub(part.stalls[index])),
        }
    }

    /// Active lanes of an instruction on average; `None` if none was issued.
    pub fn lanes_per_issue(&self) -> Option<f64> {
        (self.issued != 0).then(|| self.lanes as f64 / self.issued as f64)
    }

    /// The reasons that occur, the most frequent first, with their slot-cycles.
    pub fn main_reasons(&self) -> Vec<(StallReason, u64)> {
        let all = StallReason::EVERY.into_iter().zip(self.stalls);
        let mut reasons: Vec<_> = all.filter(|(_, count)| *count != 0).collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), *reason));
        reasons
    }
}

/// The counters of stalls in the order of [`StallReason::EVERY`].
fn stalls_of(counters: &StallCounters) -> [u64; REASONS] {
    StallReason::EVERY.map(|reason| match reason {
        StallReason::Alu => counters.alu,
        StallReason::Fpu => counters.fpu,
        StallReason::Lsu => counters.lsu,
        StallReason::Sfu => counters.sfu,
        StallReason::Texture => counters.texture,
        StallReason::Operands => counters.operands,
        StallReason::Scoreboard => counters.scoreboard,
        StallReason::Synchronize => counters.synchronize,
        StallReason::InstructionCache => counters.instruction_cache,
        StallReason::Control => counters.control,
        StallReason::Barrier => counters.barrier,
        StallReason::Ended => counters.ended,
    })
}

/// A sentence for a reason, for those who read figures.
pub const fn sentence(reason: StallReason) -> &'static str {
    match reason {
        StallReason::Alu => "the integer unit it needs was busy",
        StallReason::Fpu => "the float unit it needs was busy",
        StallReason::Lsu => "the load-store unit was busy",
        StallReason::Sfu => "the unit of masks, control registers and votes was busy",
        StallReason::Texture => "the texture unit was busy",
        StallReason::Operands => "the operand collector still read registers for the instruction before",
        StallReason::Scoreboard => "it waited for a register that was still to be written",
        StallReason::Synchronize => "an atomic or a fence waited for the cores to meet",
        StallReason::InstructionCache => "it was still being fetched and decoded",
        StallReason::Control => "it is a branch or changes the mask, and its warp waited for it",
        StallReason::Barrier => "all warps left waited at the barrier",
        StallReason::Ended => "the slot had no warp, or none any more",
    }
}
