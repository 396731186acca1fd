//! The hooks: who wants to see each executed instruction, and, in timed runs, what each cycle was spent on.
//!
//! Before: the run loops. After: traces, profiles, race checks, tests. An observer sees what `Retired` holds and
//! nothing else of the machine, and cannot change it.

use crate::isa::table::Unit;
use crate::retired::Retired;
use crate::trap::BarrierScope;
use crate::units::{Address, CoreId, ThreadMask, WarpId};
use serde::{Deserialize, Serialize};

/// Sees every instruction, in the order in which the run loop executes them, after its request was served.
pub trait Observer {
    /// `retired` was executed by this warp of this core. The record is reused for the next one.
    fn retired(&mut self, core: CoreId, warp: WarpId, retired: &Retired);
}

/// A closure is an observer.
impl<F: FnMut(CoreId, WarpId, &Retired)> Observer for F {
    fn retired(&mut self, core: CoreId, warp: WarpId, retired: &Retired) {
        self(core, warp, retired);
    }
}

/// What an issue slot did not issue for. A slot that issues nothing in a cycle has exactly one reason: the first of these
/// that holds for one of its warps.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum StallReason {
    /// An instruction is ready, and the arithmetic unit it needs is busy.
    Alu,
    /// The same, a float unit.
    Fpu,
    /// The same, the load-store unit.
    Lsu,
    /// The same, the unit of warp control, CSRs and environment calls.
    Sfu,
    /// The same, the texture unit.
    Texture,
    /// The same, and the operand collector still reads registers for the one before.
    Operands,
    /// An instruction waits for a register that is still to be written.
    Scoreboard,
    /// An atomic or fence waits for the cores to meet.
    Synchronize,
    /// Instructions are being fetched.
    InstructionCache,
    /// A branch, jump or warp-control instruction is being executed, or `wspawn` waits for the other warps to end.
    Control,
    /// All warps that are left wait at barriers.
    Barrier,
    /// No warp of the slot has started, or all have ended.
    Ended,
}

impl StallReason {
    /// Every reason, the one that goes before all others first.
    pub const EVERY: [Self; 12] = [
        Self::Alu,
        Self::Fpu,
        Self::Lsu,
        Self::Sfu,
        Self::Texture,
        Self::Operands,
        Self::Scoreboard,
        Self::Synchronize,
        Self::InstructionCache,
        Self::Control,
        Self::Barrier,
        Self::Ended,
    ];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alu => "alu",
            Self::Fpu => "fpu",
            Self::Lsu => "lsu",
            Self::Sfu => "sfu",
            Self::Texture => "texture",
            Self::Operands => "operands",
            Self::Scoreboard => "scoreboard",
            Self::Synchronize => "synchronize",
            Self::InstructionCache => "instruction_cache",
            Self::Control => "control",
            Self::Barrier => "barrier",
            Self::Ended => "ended",
        }
    }
}

/// Where and when something happened in a timed run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Cycles since the launch began.
    pub cycle: u64,
    /// The core.
    pub core: CoreId,
}

/// A run of equal idle cycles of one issue slot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Stall {
    /// The issue slot (slice) of the core.
    pub slot: u32,
    /// How many cycles, from [`Moment::cycle`] on.
    pub cycles: u64,
    /// What for.
    pub reason: StallReason,
    /// A warp that waits for it, and the instruction it waits with or for; `None` when all have ended.
    pub warp: Option<(WarpId, Address)>,
}

/// A memory or texture access on its way.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct AccessInFlight {
    /// Tells accesses of a core that are under way apart.
    pub number: u32,
    /// Load-store or texture unit.
    pub unit: Unit,
    /// Whose it is.
    pub warp: WarpId,
    /// The instruction; at its end `None`.
    pub pc: Option<Address>,
}

/// Sees what a timed run does, cycle after cycle of each core; cores take turns window by window. Whatever is not written
/// does nothing.
#[allow(unused_variables, reason = "the names are the documentation")]
pub trait TimedObserver {
    /// Whether it wants to see anything; the run loop leaves the calls out if not.
    const IS_WATCHING: bool = true;

    /// A warp issued and thereby executed an instruction, in this issue slot. An atomic's or fence's request is still to be served.
    fn issued(&mut self, moment: Moment, warp: WarpId, slot: u32, retired: &Retired) {}

    /// An issue slot issued nothing.
    fn stalled(&mut self, moment: Moment, stall: Stall) {}

    /// A load, store, atomic or `tex` was handed to its unit.
    fn access_began(&mut self, moment: Moment, access: AccessInFlight) {}

    /// Its last answer came.
    fn access_ended(&mut self, moment: Moment, access: AccessInFlight) {}

    /// A warp arrived at a barrier.
    fn barrier_reached(&mut self, moment: Moment, warp: WarpId, scope: BarrierScope, id: u32) {}

    /// A barrier let these warps (a bit each) of the core go on.
    fn barrier_released(&mut self, moment: Moment, warps: u32) {}

    /// `split`, `join` or another instruction of warp control changed the active lanes of a warp.
    fn mask_changed(&mut self, moment: Moment, warp: WarpId, pc: Address, before: ThreadMask, after: ThreadMask) {}
}

/// Nobody.
#[derive(Copy, Clone, Debug, Default)]
pub struct Unwatched;

impl TimedObserver for Unwatched {
    const IS_WATCHING: bool = false;
}

/// A timed run shown to an observer of instructions.
pub(crate) struct Issued<'a, O: ?Sized>(pub &'a mut O);

impl<O: Observer + ?Sized> TimedObserver for Issued<'_, O> {
    fn issued(&mut self, moment: Moment, warp: WarpId, _slot: u32, retired: &Retired) {
        self.0.retired(moment.core, warp, retired);
    }
}
