//! What one executed instruction did, for whoever counts, times or watches: never a register's contents.
//!
//! Before: `semantics::step` fills it. After: the run loop serves its request; observers and `timing` read it. One record is
//! reused for all instructions, so fields that the instruction does not concern keep old contents: read [`Effect`] first.

use crate::isa::encoding::Instruction;
use crate::isa::table::Op;
use crate::trap::{AccessKind, BarrierScope};
use crate::units::{Address, MAX_LANES, ThreadMask};
use serde::{Deserialize, Serialize};

/// One executed instruction of one warp.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retired {
    /// Where it was.
    pub pc: Address,
    /// What it was.
    pub instruction: Instruction,
    /// The lanes that executed it.
    pub mask: ThreadMask,
    /// What it did beyond writing registers.
    pub effect: Effect,
    /// What `complete` still has to do; the warp waits until then.
    pub request: Option<Request>,
    /// Whether it counts as progress: a word changed, console output, a barrier released, a warp started or ended.
    pub is_progress: bool,
    /// Where the warp goes on.
    pub next_pc: Address,
    /// Addresses, for [`Effect::Memory`].
    pub access: MemoryAccess,
    /// Addresses, for [`Effect::Texture`].
    pub texels: TexelAccess,
}

/// What an instruction did beyond writing registers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Nothing.
    None,
    /// A branch or jump: whether it went elsewhere than to the next instruction.
    Branch {
        /// Whether it was taken.
        is_taken: bool,
    },
    /// Loads, stores or atomics, see [`Retired::access`].
    Memory,
    /// Texel fetches, see [`Retired::texels`].
    Texture,
    /// `fence` or `fence.i`.
    Fence,
    /// The thread mask may have changed.
    Mask,
    /// The warp arrived at a barrier.
    Barrier {
        /// Local or global.
        scope: BarrierScope,
        /// Which.
        id: u32,
        /// Whether it was the last one, and the waiting warps go on.
        is_released: bool,
    },
    /// `wspawn`: whether warps started at once, or the warp waits for the others to end.
    Spawn {
        /// Whether the warp waits.
        is_waiting: bool,
    },
    /// The warp ended.
    End,
    /// The program ended on this core.
    Exit,
}

/// An operation that must meet the other cores in order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// An atomic at [`Retired::access`], which has been checked.
    Atomic(AtomicOperation),
    /// `fence`.
    Fence,
}

/// What an atomic does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AtomicOperation {
    /// `lr.w`.
    LoadReserved,
    /// `sc.w`.
    StoreConditional,
    /// A read-modify-write.
    Modify(Modify),
}

/// How a read-modify-write changes the word.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // Named as in the manual: `amoswap.w` and its neighbours.
pub enum Modify {
    Swap,
    Add,
    Xor,
    And,
    Or,
    Min,
    Max,
    MinUnsigned,
    MaxUnsigned,
}

impl Modify {
    /// The new word.
    #[inline]
    pub fn apply(self, old: u32, operand: u32) -> u32 {
        match self {
            Self::Swap => operand,
            Self::Add => old.wrapping_add(operand),
            Self::Xor => old ^ operand,
            Self::And => old & operand,
            Self::Or => old | operand,
            Self::Min => (old as i32).min(operand as i32) as u32,
            Self::Max => (old as i32).max(operand as i32) as u32,
            Self::MinUnsigned => old.min(operand),
            Self::MaxUnsigned => old.max(operand),
        }
    }
}

/// The addresses of a load, store or atomic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryAccess {
    /// What was done.
    pub kind: AccessKind,
    /// Bytes of each lane's access.
    pub bytes: u8,
    /// Lanes whose address lies in core-local memory.
    pub local: ThreadMask,
    /// Lanes whose address lies in the I/O page.
    pub io: ThreadMask,
    /// Lanes whose access crosses a word boundary and costs a second one.
    pub crossing: ThreadMask,
    /// Byte address of each lane in [`Retired::mask`].
    pub addresses: [u32; MAX_LANES],
}

/// The addresses of a `tex`, `texl` or `texf`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TexelAccess {
    /// The stage.
    pub stage: u32,
    /// Taps that are fetched: 1 or 4; 0 for a channel that the format lacks.
    pub tap_count: u8,
    /// Bytes that are fetched of a texel.
    pub bytes: u8,
    /// Lanes whose tap is not fetched, for each tap: it lies in the border, or the lane's own filter is point.
    pub border: [ThreadMask; 4],
    /// `addresses[tap][lane]` for the lanes in [`Retired::mask`].
    pub addresses: [[u32; MAX_LANES]; 4],
}

impl Default for Retired {
    fn default() -> Self {
        Self {
            pc: Address(0),
            instruction: Instruction::new(Op::Addi),
            mask: ThreadMask::EMPTY,
            effect: Effect::None,
            request: None,
            is_progress: false,
            next_pc: Address(0),
            access: MemoryAccess {
                kind: AccessKind::Load,
                bytes: 0,
                local: ThreadMask::EMPTY,
                io: ThreadMask::EMPTY,
                crossing: ThreadMask::EMPTY,
                addresses: [0; MAX_LANES],
            },
            texels: TexelAccess {
                stage: 0,
                tap_count: 0,
                bytes: 0,
                border: [ThreadMask::EMPTY; 4],
                addresses: [[0; MAX_LANES]; 4],
            },
        }
    }
}

impl Retired {
    /// Starts the record of an instruction.
    pub(crate) fn begin(&mut self, pc: Address, instruction: Instruction, mask: ThreadMask) {
        self.pc = pc;
        self.instruction = instruction;
        self.mask = mask;
        self.effect = Effect::None;
        self.request = None;
        self.is_progress = false;
        self.next_pc = pc.offset(4);
    }

    /// Whether its request can be served before the other cores have come as far.
    ///
    /// Atomics of local memory can. A fence orders the accesses of its own core; that the others see them in order takes
    /// an atomic or a global barrier of theirs, and those wait. (Cores that spin on plain loads race.)
    pub fn is_core_private(&self) -> bool {
        match self.request {
            None => true,
            Some(Request::Atomic(_)) => self.access.local == self.mask,
            Some(Request::Fence) => true,
        }
    }
}
