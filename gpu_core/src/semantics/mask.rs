//! Warp control: which lanes and which warps run.
//!
//! Scalar operands come from the highest active lane, or with an empty mask from the highest lane of the last mask that
//! had any. Source: Skybox (2024); where this machine departs from it, the function says so.

use super::Fault;
use super::core_state::CoreState;
use super::retired::{Effect, Retired};
use super::warp::{Divergence, WarpState};
use crate::config::FirstSide;
use crate::isa::encoding::Instruction;
use crate::memory::Memory;
use crate::trap::{BarrierScope, TrapKind};
use crate::units::{Address, MAX_LANES, ThreadMask, WarpId};

/// Bit 31 of a barrier id: the barrier spans the machine.
const GLOBAL_BARRIER: u32 = 1 << 31;

/// `tmc`: the mask is rs1, trimmed to the warp; an empty one ends the warp.
pub(super) fn set_thread_mask(core: &mut CoreState, warp: WarpId, memory: &Memory, i: &Instruction, out: &mut Retired) {
    let mask = core.warps[warp.index()].scalar(i.rs1);
    narrow(core, warp, memory, ThreadMask(mask.into()), out);
}

/// `pred`, `pred.n`: keeps the active lanes whose bit 0 of rs1 equals `keep`; if none is left, the mask is rs2.
pub(super) fn predicate(
    core: &mut CoreState,
    warp: WarpId,
    memory: &Memory,
    i: &Instruction,
    keep: u32,
    out: &mut Retired,
) {
    let state = &core.warps[warp.index()];
    let kept = lanes_where(state.mask, state.integer(i.rs1), keep);
    let restored = ThreadMask(state.scalar(i.rs2).into());
    narrow(core, warp, memory, if kept.is_empty() { restored } else { kept }, out);
}

fn narrow(core: &mut CoreState, warp: WarpId, memory: &Memory, mask: ThreadMask, out: &mut Retired) {
    let mask = mask.and(core.config.full_mask());
    if mask.is_empty() {
        out.effect = Effect::End;
        out.is_progress = true;
        core.end_warp(warp, memory);
    } else {
        out.effect = Effect::Mask;
        core.warps[warp.index()].set_mask(mask);
    }
}

/// `split`, `split.n`: rd = stack depth, written in all active lanes before the mask narrows; if the active lanes
/// disagree on bit 0 of rs1, pushes and runs one side. A uniform split pushes nothing.
pub(super) fn split(
    core: &mut CoreState,
    warp: WarpId,
    i: &Instruction,
    keep: u32,
    out: &mut Retired,
) -> Result<(), Fault> {
    let capacity = core.config.ipdom_capacity;
    let first_side = core.config.first_side;
    let state = &mut core.warps[warp.index()];
    let full = state.mask;
    let depth = state.divergences.len() as u32;
    let taken = lanes_where(full, state.integer(i.rs1), keep);
    let other = full.without(taken);
    let is_divergent = !taken.is_empty() && !other.is_empty();
    if is_divergent && depth >= capacity {
        return Err(Fault { lanes: full, kind: TrapKind::StackOverflow { capacity } });
    }
    state.set_integer(i.rd, &[depth; MAX_LANES], full);
    out.effect = Effect::Mask;
    if is_divergent {
        let is_true_first = match first_side {
            FirstSide::True => true,
            FirstSide::False => false,
            FirstSide::Larger => taken.count() >= other.count(),
            FirstSide::Smaller => taken.count() <= other.count(),
        };
        let (first, pending) = if is_true_first { (taken, other) } else { (other, taken) };
        state.divergences.push(Divergence { full, pending, resume: out.next_pc });
        state.set_mask(first);
    }
    Ok(())
}

/// `join`: when rs1 differs from the depth, goes to the other side of the innermost split, or, when that has run,
/// restores its mask. On an empty stack a no-op (Skybox aborts); above the depth of a non-empty stack a trap.
pub(super) fn join(core: &mut CoreState, warp: WarpId, i: &Instruction, out: &mut Retired) -> Result<(), Fault> {
    let state = &mut core.warps[warp.index()];
    let pointer = state.scalar(i.rs1);
    let depth = state.divergences.len() as u32;
    out.effect = Effect::Mask;
    let Some(top) = state.divergences.last_mut() else { return Ok(()) };
    if pointer == depth {
        return Ok(());
    }
    if pointer > depth {
        return Err(Fault { lanes: state.mask, kind: TrapKind::JoinAboveDepth { pointer, depth } });
    }
    if top.pending.is_empty() {
        let full = top.full;
        state.divergences.pop();
        state.set_mask(full);
    } else {
        let (pending, resume) = (std::mem::take(&mut top.pending), top.resume);
        state.set_mask(pending);
        out.next_pc = resume;
    }
    Ok(())
}

/// The thread-mask instructions: rd = the old mask, in every lane of the warp; the mask is `f(old, rs1)`, trimmed to the warp.
/// An empty one does not end the warp.
pub(super) fn update(
    core: &mut CoreState,
    warp: WarpId,
    i: &Instruction,
    f: impl Fn(u64, u64) -> u64,
    out: &mut Retired,
) {
    let all = core.config.full_mask();
    let state = &mut core.warps[warp.index()];
    let (old, operand) = (state.mask, state.scalar(i.rs1));
    state.set_integer(i.rd, &[old.0 as u32; MAX_LANES], all);
    state.set_mask(ThreadMask(f(old.0, operand.into())).and(all));
    out.effect = Effect::Mask;
}

/// `wspawn`: only from warp 0. Waits until it is alone, then starts warps 1 to rs1 − 1 at rs2, lane 0 each, with zero
/// registers (Skybox: random); 0 and 1 only wait.
pub(super) fn spawn(core: &mut CoreState, warp: WarpId, i: &Instruction, out: &mut Retired) -> Result<(), Fault> {
    let state = &mut core.warps[warp.index()];
    let (count, target) = (state.scalar(i.rs1), Address(state.scalar(i.rs2)));
    if warp != WarpId(0) {
        return Err(Fault { lanes: state.mask, kind: TrapKind::WspawnOutsideWarp0 });
    }
    if count > 1 && !target.0.is_multiple_of(4) {
        return Err(Fault { lanes: state.mask, kind: TrapKind::JumpMisaligned { target } });
    }
    state.state = WarpState::Spawning { count, target };
    let is_served = core.spawn_if_alone();
    out.is_progress = is_served && count > 1;
    out.effect = Effect::Spawn { is_waiting: !is_served };
    Ok(())
}

/// `bar`: arrives at barrier rs1 and waits until rs2 warps have (with bit 31 of rs1: until rs2 cores have, each with
/// all its active warps). A count below 2 is a no-op.
///
/// A local barrier is released here; a global one by whoever runs the cores.
pub(super) fn barrier(core: &mut CoreState, warp: WarpId, i: &Instruction, out: &mut Retired) -> Result<(), Fault> {
    let state = &mut core.warps[warp.index()];
    let (operand, count) = (state.scalar(i.rs1), state.scalar(i.rs2));
    let (scope, id) = (scope_of(operand), operand & !GLOBAL_BARRIER);
    if count < 2 {
        out.effect = Effect::Barrier { scope, id, is_released: true };
        return Ok(());
    }
    let table = match scope {
        BarrierScope::Local => &mut core.barriers,
        BarrierScope::Global => &mut core.global_barriers,
    };
    let available = table.len() as u32;
    let Some(barrier) = table.get_mut(id as usize) else {
        return Err(Fault { lanes: state.mask, kind: TrapKind::NoSuchBarrier { scope, id, available } });
    };
    barrier.arrived |= 1 << warp.0;
    barrier.expected = count;
    state.state = match scope {
        BarrierScope::Local => WarpState::LocalBarrier(id),
        BarrierScope::Global => WarpState::GlobalBarrier(id),
    };
    let is_released = scope == BarrierScope::Local && barrier.arrived.count_ones() >= count;
    if is_released {
        let arrived = std::mem::take(barrier).arrived;
        core.wake(arrived);
        out.is_progress = true;
    }
    out.effect = Effect::Barrier { scope, id, is_released };
    Ok(())
}

fn scope_of(id: u32) -> BarrierScope {
    if id & GLOBAL_BARRIER == 0 { BarrierScope::Local } else { BarrierScope::Global }
}

/// The lanes of `mask` whose bit 0 equals `bit`.
fn lanes_where(mask: ThreadMask, values: &[u32], bit: u32) -> ThreadMask {
    let mut lanes = ThreadMask::EMPTY;
    for lane in mask.lanes().filter(|&lane| values[lane] & 1 == bit) {
        lanes.insert(lane);
    }
    lanes
}
