//! Where the lanes of a load, store, atomic or `tex` go, and whether they may.
//!
//! Before: a warp's address registers. After: `memory_access` acts on addresses that have been checked in every lane.
//! An address lies in core-local memory, in the I/O page of a bare program, or in a region of device memory, and is
//! looked for in this order; anything else is a fault.

use super::Fault;
use super::core_state::{CoreState, IO_END};
use super::retired::{Effect, Retired};
use crate::config::LOCAL_MEMORY_BASE;
use crate::isa::encoding::Instruction;
use crate::memory::{Memory, Region};
use crate::program::ProgramKind;
use crate::trap::{AccessKind, TrapKind};
use crate::units::{Address, ThreadMask, WarpId};

/// Where the active lanes of an access go, all aligned unless it is `Mixed`.
#[derive(Copy, Clone, Debug)]
pub(super) enum Placement<'m> {
    /// All into one region.
    Region(&'m Region),
    /// All into core-local memory.
    Local,
    /// Here and there: each lane is looked up again.
    Mixed,
}

/// Why one lane's access cannot be done.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// No multiple of its size, where that is not allowed.
    Misaligned,
    /// In no region.
    Outside,
    /// A store to a region for loads only.
    ReadOnly,
}

impl Reason {
    /// The trap of an access that failed for this reason.
    pub(super) fn trap(self, access: AccessKind, lane: usize, address: u32, bytes: u32) -> TrapKind {
        let (lane, address, bytes) = (lane as u8, Address(address), bytes as u8);
        match self {
            Self::Misaligned => TrapKind::Misaligned { access, lane, address, bytes },
            Self::Outside => TrapKind::OutsideMemory { access, lane, address, bytes },
            Self::ReadOnly => TrapKind::ReadOnlyMemory { access, lane, address, bytes },
        }
    }
}

/// Notes rs1 + imm of all lanes in `out`.
pub(super) fn compute(core: &CoreState, warp: WarpId, i: &Instruction, out: &mut Retired) {
    for (address, &base) in out.access.addresses.iter_mut().zip(core.warps[warp.index()].integer(i.rs1)) {
        *address = base.wrapping_add(i.imm as u32);
    }
}

/// Checks the addresses of all active lanes and notes in `out.access` where they lie.
///
/// # Errors
/// All lanes at fault, and what is wrong with the lowest of them.
pub(super) fn check<'m>(
    core: &CoreState,
    memory: &'m Memory,
    kind: AccessKind,
    bytes: u32,
    out: &mut Retired,
) -> Result<Placement<'m>, Fault> {
    let placement = match check_together(core, memory, kind, bytes, out) {
        Some(placement) => placement,
        None => {
            check_each(core, memory, kind, bytes, out)?;
            Placement::Mixed
        }
    };
    out.effect = Effect::Memory;
    out.access.kind = kind;
    out.access.bytes = bytes as u8;
    Ok(placement)
}

/// The common case: all lanes go, aligned, to where the first one does. `None` when they do not.
fn check_together<'m>(
    core: &CoreState,
    memory: &'m Memory,
    kind: AccessKind,
    bytes: u32,
    out: &mut Retired,
) -> Option<Placement<'m>> {
    let first = out.access.addresses[out.mask.lowest()?];
    let (start, size, placement) = match locate(core, memory, None, first, bytes)? {
        Place::Local => (LOCAL_MEMORY_BASE.0, core.config.local_bytes, Placement::Local),
        Place::Region(region) => {
            let is_allowed = kind == AccessKind::Load || region.is_writable;
            let may_hide_io = core.program_kind == ProgramKind::Bare && region.start < IO_END;
            if !is_allowed || may_hide_io {
                return None;
            }
            (region.start.0, region.bytes, Placement::Region(region))
        }
        Place::Io => return None,
    };
    let last = size - bytes;
    let mut is_elsewhere = false;
    for (lane, &address) in out.access.addresses[..core.config.lanes as usize].iter().enumerate() {
        let is_wrong = (address.wrapping_sub(start) > last) | (address & (bytes - 1) != 0);
        is_elsewhere |= is_wrong & out.mask.contains(lane);
    }
    if is_elsewhere {
        return None;
    }
    let is_local = matches!(placement, Placement::Local);
    out.access.local = if is_local { out.mask } else { ThreadMask::EMPTY };
    (out.access.io, out.access.crossing) = (ThreadMask::EMPTY, ThreadMask::EMPTY);
    Some(placement)
}

/// The general case, lane by lane, a misaligned access byte by byte.
fn check_each(core: &CoreState, memory: &Memory, kind: AccessKind, bytes: u32, out: &mut Retired) -> Result<(), Fault> {
    let must_align = kind == AccessKind::Atomic || core.traps_misaligned();
    let (mut local, mut io, mut crossing) = (ThreadMask::EMPTY, ThreadMask::EMPTY, ThreadMask::EMPTY);
    let mut fault: Option<Fault> = None;
    let mut hint: Option<&Region> = None;
    for lane in out.mask.lanes() {
        let address = out.access.addresses[lane];
        let parts = if address.is_multiple_of(bytes) { 1 } else { bytes };
        let reason = if parts > 1 && must_align {
            Some(Reason::Misaligned)
        } else {
            if address % 4 + bytes > 4 {
                crossing.insert(lane);
            }
            (0..parts).find_map(|part| {
                match locate(core, memory, hint, address.wrapping_add(part), bytes / parts) {
                    Some(Place::Local) => local.insert(lane),
                    Some(Place::Io) if kind == AccessKind::Atomic => return Some(Reason::Outside),
                    Some(Place::Io) => io.insert(lane),
                    Some(Place::Region(region)) => {
                        if kind != AccessKind::Load && !region.is_writable {
                            return Some(Reason::ReadOnly);
                        }
                        hint = Some(region);
                    }
                    None => return Some(Reason::Outside),
                }
                None
            })
        };
        if let Some(reason) = reason {
            let kind = reason.trap(kind, lane, address, bytes);
            fault.get_or_insert(Fault { lanes: ThreadMask::EMPTY, kind }).lanes.insert(lane);
        }
    }
    (out.access.local, out.access.io, out.access.crossing) = (local, io, crossing);
    fault.map_or(Ok(()), Err)
}

/// Whether a texel of `bytes` bytes can be fetched at `address`.
pub(super) fn check_texel(core: &CoreState, memory: &Memory, address: u32, bytes: u32) -> Result<(), Reason> {
    if !address.is_multiple_of(bytes) {
        return Err(Reason::Misaligned);
    }
    match locate(core, memory, None, address, bytes) {
        Some(Place::Local | Place::Region(_)) => Ok(()),
        Some(Place::Io) | None => Err(Reason::Outside),
    }
}

/// Where one access goes.
enum Place<'m> {
    Local,
    Io,
    Region(&'m Region),
}

/// Where `bytes` bytes at `address` lie; `hint` is a region to look in first.
fn locate<'m>(
    core: &CoreState,
    memory: &'m Memory,
    hint: Option<&'m Region>,
    address: u32,
    bytes: u32,
) -> Option<Place<'m>> {
    if core.local_offset(address, bytes).is_some() {
        return Some(Place::Local);
    }
    if core.is_io(address, bytes) {
        return Some(Place::Io);
    }
    let holds = |region: &&'m Region| region.offset_of(Address(address), bytes).is_some();
    hint.filter(holds).or_else(|| memory.region_at(Address(address)).filter(holds)).map(Place::Region)
}
