//! What can go wrong while a program runs: one typed trap, with the place it happened at.
//!
//! Before: `semantics` and the run loop raise it. After: `gpu` adds the source line and hands it to the caller.
//! A trap checks all lanes, then acts: the trapping instruction has taken effect in no lane.

use crate::isa::table::Extension;
use crate::units::{Address, CoreId, ThreadMask, WarpId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A program that cannot go on: what happened, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("core {core} warp {warp} lanes {lanes} at {pc} (`{disassembly}`{}): {kind}", At(.source_location))]
pub struct Trap {
    /// The core.
    pub core: CoreId,
    /// The warp.
    pub warp: WarpId,
    /// The lanes that are at fault, or the active lanes where the whole warp is.
    pub lanes: ThreadMask,
    /// Address of the instruction.
    pub pc: Address,
    /// The instruction in assembly text; `.word 0x…` for an illegal word.
    pub disassembly: String,
    /// The line of source it was compiled from, when the program has a line table.
    pub source_location: Option<SourceLocation>,
    /// What happened.
    pub kind: TrapKind,
}

/// A line of a program's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 when unknown.
    pub column: u32,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 { write!(f, ":{}", self.column) } else { Ok(()) }
    }
}

/// Writes `, file:line:column`, or nothing.
struct At<'a>(&'a Option<SourceLocation>);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(location) => write!(f, ", {location}"),
            None => Ok(()),
        }
    }
}

/// What a memory access wanted.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AccessKind {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An atomic read-modify-write, `lr.w` or `sc.w`.
    Atomic,
    /// A texel fetch of `tex`.
    Texel,
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Load => "load",
            Self::Store => "store",
            Self::Atomic => "atomic access",
            Self::Texel => "texel fetch",
        })
    }
}

/// A barrier, local to a core or spanning the machine.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BarrierScope {
    /// Between the warps of a core.
    Local,
    /// Between cores.
    Global,
}

impl fmt::Display for BarrierScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Local => "local",
            Self::Global => "global",
        })
    }
}

/// What happened.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrapKind {
    /// No row of the instruction table matches the word.
    #[error("illegal instruction word {word:#010x}")]
    IllegalInstruction {
        /// The word.
        word: u32,
    },
    /// The instruction belongs to an extension that this machine lacks.
    #[error("the instruction needs extension {extension:?}, which this machine does not have")]
    MissingExtension {
        /// The extension.
        extension: Extension,
    },
    /// The instruction belongs to a unit that does not exist yet.
    #[error("this machine has no unit for the instruction")]
    MissingUnit,
    /// The program counter left the allocated regions.
    #[error("fetch outside every region")]
    FetchOutside,
    /// The program counter is no multiple of 4.
    #[error("fetch from an address that is no multiple of 4")]
    FetchMisaligned,
    /// A branch or jump goes to an address that is no multiple of 4.
    #[error("jump to {target}, which is no multiple of 4")]
    JumpMisaligned {
        /// Where it would go.
        target: Address,
    },
    /// An access touched a byte outside every region.
    #[error("{access} of {bytes} bytes at {address} (lane {lane}) lies outside every region")]
    OutsideMemory {
        /// What was wanted.
        access: AccessKind,
        /// The lowest lane at fault.
        lane: u8,
        /// Its address.
        address: Address,
        /// Size of the access in bytes.
        bytes: u8,
    },
    /// A store to a region that programs may only load from.
    #[error("{access} of {bytes} bytes at {address} (lane {lane}) lies in a read-only region")]
    ReadOnlyMemory {
        /// What was wanted.
        access: AccessKind,
        /// The lowest lane at fault.
        lane: u8,
        /// Its address.
        address: Address,
        /// Size of the access in bytes.
        bytes: u8,
    },
    /// An address is no multiple of the access's size, where that is not allowed.
    #[error("{access} of {bytes} bytes at {address} (lane {lane}) is misaligned")]
    Misaligned {
        /// What was wanted.
        access: AccessKind,
        /// The lowest lane at fault.
        lane: u8,
        /// Its address.
        address: Address,
        /// Size of the access in bytes.
        bytes: u8,
    },
    /// Active lanes disagree on a branch, and no `split` came before it.
    #[error("divergent branch: lanes {taken} take it, lanes {not_taken} do not, and no `split` came before")]
    DivergentBranch {
        /// Lanes that would take it.
        taken: ThreadMask,
        /// Lanes that would not.
        not_taken: ThreadMask,
    },
    /// Active lanes disagree on the target of `jalr`.
    #[error("divergent jump: the highest active lane goes to {target}, lanes {others} go elsewhere")]
    DivergentJump {
        /// Target of the highest active lane.
        target: Address,
        /// Lanes with another target.
        others: ThreadMask,
    },
    /// `split` found no room on the divergence stack.
    #[error("divergence stack overflow: {capacity} nested divergences are the limit")]
    StackOverflow {
        /// Capacity in divergences.
        capacity: u32,
    },
    /// The pointer of `join` lies above the depth of the divergence stack.
    #[error("`join` to depth {pointer}, above the divergence stack's depth {depth}")]
    JoinAboveDepth {
        /// What `join` was given.
        pointer: u32,
        /// How deep the stack is.
        depth: u32,
    },
    /// A barrier id lies past the table.
    #[error("{scope} barrier {id} does not exist, there are {available}")]
    NoSuchBarrier {
        /// Local or global.
        scope: BarrierScope,
        /// The id, without the scope bit.
        id: u32,
        /// How many there are.
        available: u32,
    },
    /// Nothing can run any more, and a barrier is not full.
    #[error("deadlock at {scope} barrier {id}: {arrived} of {expected} {} have arrived and nothing else can run",
        match .scope { BarrierScope::Local => "warps", BarrierScope::Global => "cores" })]
    Deadlock {
        /// Local or global.
        scope: BarrierScope,
        /// The id, without the scope bit.
        id: u32,
        /// Arrivals so far.
        arrived: u32,
        /// Arrivals it waits for.
        expected: u32,
    },
    /// `wspawn` outside warp 0.
    #[error("`wspawn` is for warp 0 alone")]
    WspawnOutsideWarp0,
    /// The machine came back to a state it had been in, with no effect in between: it would run for ever.
    #[error("no progress: the machine's state repeats and nothing was stored in the last {instructions} instructions")]
    NoProgress {
        /// Warp-instructions since the last progress.
        instructions: u64,
    },
    /// The launch used up its instruction budget.
    #[error("the budget of {budget} instructions is used up")]
    Budget {
        /// The budget in warp-instructions.
        budget: u64,
    },
    /// The rounding mode of the instruction, or the dynamic one, is reserved.
    #[error("reserved rounding mode {mode}")]
    ReservedRoundingMode {
        /// The mode, 5 to 7.
        mode: u8,
    },
    /// No CSR has this number.
    #[error("no CSR {number:#05x}")]
    UnknownCsr {
        /// The number.
        number: u16,
    },
    /// The CSR cannot be written.
    #[error("CSR {number:#05x} is read-only")]
    ReadOnlyCsr {
        /// The number.
        number: u16,
    },
    /// `ebreak`.
    #[error("breakpoint")]
    Breakpoint,
    /// `ecall` with a service number that the machine does not offer.
    #[error("environment call {service} is not known, only 93 (exit) is")]
    UnknownEnvironmentCall {
        /// a7.
        service: u32,
    },
    /// `tex` named a stage past the table.
    #[error("texture stage {stage} does not exist, there are {available}")]
    NoSuchTextureStage {
        /// The stage.
        stage: u32,
        /// How many there are.
        available: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trap_names_core_warp_lanes_pc_instruction_and_line() {
        let mut trap = Trap {
            core: CoreId(1),
            warp: WarpId(2),
            lanes: ThreadMask(0b101),
            pc: Address(0x8000_0010),
            disassembly: "lw x5, 0(x6)".to_owned(),
            source_location: None,
            kind: TrapKind::OutsideMemory { access: AccessKind::Load, lane: 0, address: Address(4), bytes: 4 },
        };
        assert_eq!(
            trap.to_string(),
            "core 1 warp 2 lanes 0x5 at 0x80000010 (`lw x5, 0(x6)`): \
             load of 4 bytes at 0x00000004 (lane 0) lies outside every region"
        );
        trap.source_location = Some(SourceLocation { file: "saxpy.wgsl".to_owned(), line: 7, column: 3 });
        assert!(trap.to_string().contains("(`lw x5, 0(x6)`, saxpy.wgsl:7:3): load"), "{trap}");
    }

    #[test]
    fn a_deadlock_counts_warps_or_cores() {
        let kind = |scope| TrapKind::Deadlock { scope, id: 3, arrived: 1, expected: 2 };
        assert!(kind(BarrierScope::Local).to_string().starts_with("deadlock at local barrier 3: 1 of 2 warps have"));
        assert!(kind(BarrierScope::Global).to_string().starts_with("deadlock at global barrier 3: 1 of 2 cores have"));
    }
}
