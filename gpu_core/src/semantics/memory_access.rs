//! Loads, stores and atomics: all lanes have been checked by `addresses`; they act in ascending order.
//!
//! Atomics are checked by `step` and done by [`complete`], in an order that the run loop chooses.

use super::Fault;
use super::addresses::{self, Placement};
use super::core_state::{CONSOLE_END, CoreState, EXIT_ADDRESS};
use super::float_lanes::File;
use super::retired::{AtomicOperation, Request, Retired};
use super::warp::{LaneValues, WarpState};
use crate::isa::encoding::Instruction;
use crate::memory::{Memory, Reservation, extract, insert};
use crate::trap::AccessKind;
use crate::units::{Address, MAX_LANES, WarpId};
use std::sync::atomic::{Ordering::Relaxed, Ordering::SeqCst};

/// The most bytes of console output that are kept for a core; what follows is dropped.
const CONSOLE_LIMIT: usize = 16 << 20;

/// Size and extension of a load.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// `lb`.
    SignedByte,
    /// `lh`.
    SignedHalf,
    /// `lw`, `flw`.
    Word,
    /// `lbu`.
    Byte,
    /// `lhu`.
    Half,
}

impl Width {
    const fn bytes(self) -> u32 {
        match self {
            Self::SignedByte | Self::Byte => 1,
            Self::SignedHalf | Self::Half => 2,
            Self::Word => 4,
        }
    }

    /// Extends what was loaded, which has zeros above its bytes.
    const fn extend(self, value: u32) -> u32 {
        match self {
            Self::SignedByte => value as u8 as i8 as u32,
            Self::SignedHalf => value as u16 as i16 as u32,
            Self::Word | Self::Byte | Self::Half => value,
        }
    }
}

/// A load: rd = memory at rs1 + imm.
pub(super) fn load(
    core: &mut CoreState,
    warp: WarpId,
    memory: &Memory,
    i: &Instruction,
    width: Width,
    file: File,
    out: &mut Retired,
) -> Result<(), Fault> {
    let bytes = width.bytes();
    addresses::compute(core, warp, i, out);
    let placement = addresses::check(core, memory, AccessKind::Load, bytes, out)?;
    let mut values = [0; MAX_LANES];
    for lane in out.mask.lanes() {
        let address = out.access.addresses[lane];
        let value = match placement {
            Placement::Region(region) => {
                let word = region.words()[(address.wrapping_sub(region.start.0) / 4) as usize].load(Relaxed);
                extract(word, address, bytes)
            }
            Placement::Local | Placement::Mixed => read(core, memory, address, bytes),
        };
        values[lane] = width.extend(value);
    }
    let state = &mut core.warps[warp.index()];
    match file {
        File::Integer => state.set_integer(i.rd, &values, out.mask),
        File::Float => state.set_float(i.rd, &values, out.mask),
    }
    Ok(())
}

/// A store of the low `bytes` bytes of rs2 to memory at rs1 + imm; of several lanes with one address the highest wins.
pub(super) fn store(
    core: &mut CoreState,
    warp: WarpId,
    memory: &Memory,
    i: &Instruction,
    bytes: u32,
    file: File,
    out: &mut Retired,
) -> Result<(), Fault> {
    addresses::compute(core, warp, i, out);
    let placement = addresses::check(core, memory, AccessKind::Store, bytes, out)?;
    let values = copy_row(core, warp, i.rs2, file);
    for lane in out.mask.lanes() {
        let address = out.access.addresses[lane];
        let has_changed = match placement {
            Placement::Region(region) if bytes == 4 => {
                let word = &region.words()[(address.wrapping_sub(region.start.0) / 4) as usize];
                let old = word.load(Relaxed);
                word.store(values[lane], Relaxed);
                old != values[lane]
            }
            Placement::Region(_) | Placement::Local | Placement::Mixed => {
                write(core, memory, address, bytes, values[lane])
            }
        };
        out.is_progress |= has_changed;
        if memory.has_reservations() {
            let owner = core.lane_id(warp, lane);
            for word in [address, address.wrapping_add(bytes - 1)] {
                memory.break_reservations(owner, Address(word), core.local_offset(word, 1).is_some());
            }
        }
    }
    Ok(())
}

/// The first half of an atomic: computes and checks addresses, and leaves the request.
pub(super) fn request_atomic(
    core: &mut CoreState,
    warp: WarpId,
    memory: &Memory,
    i: &Instruction,
    operation: AtomicOperation,
    out: &mut Retired,
) -> Result<(), Fault> {
    // The immediate of an atomic holds its ordering bits; they ask for no more than the order that all atomics have.
    addresses::compute(core, warp, &Instruction { imm: 0, ..*i }, out);
    addresses::check(core, memory, AccessKind::Atomic, 4, out)?;
    core.warps[warp.index()].state = WarpState::Requesting;
    out.request = Some(Request::Atomic(operation));
    Ok(())
}

/// Serves the request that `step` left in `out`, and lets the warp go on. Without a request it does nothing.
pub fn complete(core: &mut CoreState, warp: WarpId, memory: &Memory, out: &mut Retired) {
    match out.request.take() {
        None => return,
        Some(Request::Fence) => std::sync::atomic::fence(SeqCst),
        Some(Request::Atomic(operation)) => atomic(core, warp, memory, operation, out),
    }
    core.warps[warp.index()].state = WarpState::Ready;
}

/// The second half of an atomic: each lane sees what its predecessors did.
fn atomic(core: &mut CoreState, warp: WarpId, memory: &Memory, operation: AtomicOperation, out: &mut Retired) {
    let i = out.instruction;
    let operands = copy_row(core, warp, i.rs2, File::Integer);
    let mut values = [0; MAX_LANES];
    for lane in out.mask.lanes() {
        let address = out.access.addresses[lane];
        let is_local = out.access.local.contains(lane);
        let owner = core.lane_id(warp, lane);
        let operand = operands[lane];
        let is_store = match operation {
            AtomicOperation::LoadReserved => {
                values[lane] = read(core, memory, address, 4);
                memory.reserve(Reservation { owner, address: Address(address), is_local });
                false
            }
            AtomicOperation::StoreConditional => {
                let is_held = memory.take_reservation(owner, Address(address));
                if is_held {
                    out.is_progress |= write(core, memory, address, 4, operand);
                }
                values[lane] = (!is_held).into();
                is_held
            }
            AtomicOperation::Modify(modify) => {
                let old = if let Some(offset) = core.local_offset(address, 4) {
                    let word = &mut core.local[offset as usize / 4];
                    std::mem::replace(word, modify.apply(*word, operand))
                } else {
                    let old = memory.update(Address(address), |old| modify.apply(old, operand));
                    old.expect("step checked that the word lies in a region")
                };
                out.is_progress |= old != modify.apply(old, operand);
                values[lane] = old;
                true
            }
        };
        if is_store && memory.has_reservations() {
            memory.break_reservations(owner, Address(address), is_local);
        }
    }
    core.warps[warp.index()].set_integer(i.rd, &values, out.mask);
}

fn copy_row(core: &CoreState, warp: WarpId, register: u8, file: File) -> LaneValues {
    let state = &core.warps[warp.index()];
    let row = match file {
        File::Integer => state.integer(register),
        File::Float => state.float(register),
    };
    let mut values = [0; MAX_LANES];
    values[..row.len()].copy_from_slice(row);
    values
}

/// Loads from a checked address, zero-extended; misaligned accesses byte by byte.
pub(super) fn read(core: &CoreState, memory: &Memory, address: u32, bytes: u32) -> u32 {
    if !address.is_multiple_of(bytes) {
        return (0..bytes).fold(0, |value, n| value | read(core, memory, address.wrapping_add(n), 1) << (8 * n));
    }
    match core.local_offset(address, bytes) {
        Some(offset) => extract(core.local[offset as usize / 4], address, bytes),
        // The I/O page reads as zero.
        None if core.is_io(address, bytes) => 0,
        None => memory.load(Address(address), bytes).expect("the access was checked"),
    }
}

/// Stores to a checked address; misaligned accesses byte by byte. Gives whether it counts as progress.
fn write(core: &mut CoreState, memory: &Memory, address: u32, bytes: u32, value: u32) -> bool {
    if !address.is_multiple_of(bytes) {
        return (0..bytes)
            .fold(false, |changed, n| write(core, memory, address.wrapping_add(n), 1, value >> (8 * n)) | changed);
    }
    if let Some(offset) = core.local_offset(address, bytes) {
        let word = &mut core.local[offset as usize / 4];
        let old = std::mem::replace(word, insert(*word, address, bytes, value));
        return old != core.local[offset as usize / 4];
    }
    if core.is_io(address, bytes) {
        return write_io(core, address, value);
    }
    memory.store(Address(address), bytes, value).expect("the access was checked")
}

fn write_io(core: &mut CoreState, address: u32, value: u32) -> bool {
    if address < CONSOLE_END.0 {
        if core.console.len() < CONSOLE_LIMIT {
            core.console.push(value as u8);
        }
        return true;
    }
    if address == EXIT_ADDRESS.0 {
        return core.exit_code.replace(value) != Some(value);
    }
    false
}
