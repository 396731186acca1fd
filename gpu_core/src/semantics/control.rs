//! Branches, jumps, environment calls and fences.

use super::Fault;
use super::core_state::CoreState;
use super::retired::{Effect, Request, Retired};
use super::warp::{Warp, WarpState};
use crate::isa::encoding::Instruction;
use crate::memory::Memory;
use crate::program::ProgramKind;
use crate::trap::TrapKind;
use crate::units::{Address, MAX_LANES, ThreadMask, WarpId};
use std::sync::Arc;

/// Number of `mepc`, where `mret` goes.
const MEPC: u16 = 0x341;
/// The `exit` service of the environment call, in a7; its code is in a0.
const EXIT_SERVICE: u32 = 93;

/// A branch whose lanes must agree on `condition(rs1, rs2)`.
pub(super) fn branch(
    warp: &Warp,
    i: &Instruction,
    condition: impl Fn(u32, u32) -> bool,
    out: &mut Retired,
) -> Result<(), Fault> {
    let (a, b) = (warp.integer(i.rs1), warp.integer(i.rs2));
    let mut taken = ThreadMask::EMPTY;
    for lane in warp.mask.lanes().filter(|&lane| condition(a[lane], b[lane])) {
        taken.insert(lane);
    }
    let not_taken = warp.mask.without(taken);
    if !taken.is_empty() && !not_taken.is_empty() {
        return Err(Fault { lanes: warp.mask, kind: TrapKind::DivergentBranch { taken, not_taken } });
    }
    let scalar = warp.scalar_lane();
    let is_taken = condition(a[scalar], b[scalar]);
    if is_taken {
        out.next_pc = aligned(warp, out.pc.offset(i.imm as u32))?;
    }
    out.effect = Effect::Branch { is_taken };
    Ok(())
}

/// `jal`: rd = address of the next instruction.
pub(super) fn jump(warp: &mut Warp, i: &Instruction, out: &mut Retired) -> Result<(), Fault> {
    let target = aligned(warp, out.pc.offset(i.imm as u32))?;
    link_and_go(warp, i, target, out);
    Ok(())
}

/// `jalr`: to rs1 + imm, the lowest bit cleared. Lanes must agree on the target.
pub(super) fn jump_register(warp: &mut Warp, i: &Instruction, out: &mut Retired) -> Result<(), Fault> {
    let base = warp.integer(i.rs1);
    let scalar = base[warp.scalar_lane()];
    let mut others = ThreadMask::EMPTY;
    for lane in warp.mask.lanes().filter(|&lane| base[lane] != scalar) {
        others.insert(lane);
    }
    let target = Address(scalar.wrapping_add(i.imm as u32) & !1);
    if !others.is_empty() {
        return Err(Fault { lanes: warp.mask, kind: TrapKind::DivergentJump { target, others } });
    }
    let target = aligned(warp, target)?;
    link_and_go(warp, i, target, out);
    Ok(())
}

fn link_and_go(warp: &mut Warp, i: &Instruction, target: Address, out: &mut Retired) {
    let mask = warp.mask;
    warp.set_integer(i.rd, &[out.next_pc.0; MAX_LANES], mask);
    out.next_pc = target;
    out.effect = Effect::Branch { is_taken: true };
}

fn aligned(warp: &Warp, target: Address) -> Result<Address, Fault> {
    if target.0.is_multiple_of(4) {
        Ok(target)
    } else {
        Err(Fault { lanes: warp.mask, kind: TrapKind::JumpMisaligned { target } })
    }
}

/// `mret`: to mepc.
pub(super) fn machine_return(core: &CoreState, warp: WarpId, out: &mut Retired) -> Result<(), Fault> {
    let target = Address(core.machine_csrs.get(&MEPC).copied().unwrap_or(0));
    out.next_pc = aligned(&core.warps[warp.index()], target)?;
    out.effect = Effect::Branch { is_taken: true };
    Ok(())
}

/// `ecall`: in a bare program, a7 = 93 ends the program on this core with exit code a0. Every other call traps.
pub(super) fn environment_call(
    core: &mut CoreState,
    warp: WarpId,
    memory: &Memory,
    out: &mut Retired,
) -> Result<(), Fault> {
    let state = &core.warps[warp.index()];
    let (service, code) = (state.scalar(17), state.scalar(10));
    if core.program_kind != ProgramKind::Bare || service != EXIT_SERVICE {
        return Err(Fault { lanes: state.mask, kind: TrapKind::UnknownEnvironmentCall { service } });
    }
    core.exit_code = Some(code);
    core.end_all_warps(memory);
    out.effect = Effect::Exit;
    out.is_progress = true;
    Ok(())
}

/// `ebreak`.
pub(super) fn breakpoint(warp: &Warp) -> Result<(), Fault> {
    Err(Fault { lanes: warp.mask, kind: TrapKind::Breakpoint })
}

/// `fence`: leaves a request, so that it meets the other cores' accesses in order.
pub(super) fn fence(warp: &mut Warp, out: &mut Retired) {
    warp.state = WarpState::Requesting;
    out.effect = Effect::Fence;
    out.request = Some(Request::Fence);
}

/// `fence.i`: later fetches of this core see what memory holds now.
pub(super) fn fence_instructions(core: &mut CoreState, memory: &Memory, out: &mut Retired) {
    if core.code.is_stale(memory) {
        Arc::make_mut(&mut core.code).refresh(memory);
    }
    out.effect = Effect::Fence;
}
