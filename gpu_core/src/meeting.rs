//! Where the cores of a machine meet, whatever runs them: global barriers, the word that ends a program, deadlocks.
//!
//! Before: a run loop has let every core run for a while. After: the cores go on, or the launch has come to its end.

use crate::memory::Memory;
use crate::semantics::warp::WarpState;
use crate::semantics::{CoreState, Fault, trap_at};
use crate::trap::{BarrierScope, Trap, TrapKind};
use crate::units::{Address, ThreadMask, WarpId};
use std::borrow::{Borrow, BorrowMut};

/// Where a [`Run`] stands.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// All warps have ended.
    Ended,
    /// The limit was reached.
    Paused,
}

/// Cores whose active warps have all arrived at a global barrier.
fn arrived_cores<C: Borrow<CoreState>>(cores: &[C], id: usize) -> impl Iterator<Item = usize> {
    cores.iter().enumerate().filter_map(move |(index, core)| {
        let core = core.borrow();
        let arrived = core.global_barriers[id].arrived;
        (arrived != 0 && arrived == core.active_warps()).then_some(index)
    })
}

/// Releases each global barrier that as many cores have reached as the lowest of them expects; whether there was one.
pub(crate) fn release_global_barriers<C: BorrowMut<CoreState>>(cores: &mut [C]) -> bool {
    let mut is_released = false;
    for id in 0..cores[0].borrow().global_barriers.len() {
        let arrived: Vec<usize> = arrived_cores(cores, id).collect();
        let Some(&lowest) = arrived.first() else { continue };
        if (arrived.len() as u32) < cores[lowest].borrow().global_barriers[id].expected {
            continue;
        }
        for index in arrived {
            let core = cores[index].borrow_mut();
            let warps = std::mem::take(&mut core.global_barriers[id]).arrived;
            core.wake(warps);
        }
        is_released = true;
    }
    is_released
}

/// Ends the program if the word at `address` is not zero any more; whether it is so. An odd word is
/// exit code << 1 | 1, by the convention of riscv-tests.
pub(crate) fn end_by_tohost<C: BorrowMut<CoreState>>(cores: &mut [C], memory: &Memory, address: Address) -> bool {
    let word = memory.load(address, 4).unwrap_or(0);
    if word == 0 || cores.iter().all(|core| core.borrow().active_warps() == 0) {
        return false;
    }
    for core in &mut *cores {
        core.borrow_mut().end_all_warps(memory);
    }
    cores[0].borrow_mut().exit_code.get_or_insert(word >> 1);
    true
}

/// The trap of the lowest warp that waits at a barrier.
pub(crate) fn deadlock<C: Borrow<CoreState>>(cores: &[C], memory: &Memory) -> Option<Box<Trap>> {
    let waiting = cores.iter().find_map(|core| {
        let core = core.borrow();
        let mut warps = core.warps.iter().enumerate();
        let (index, scope, id) = warps.find_map(|(index, warp)| {
            let (scope, id) = warp.state.barrier()?;
            Some((index, scope, id))
        })?;
        Some((core, WarpId(index as u8), scope, id))
    });
    let (core, warp, scope, id) = waiting?;
    let (arrived, expected) = match scope {
        BarrierScope::Local => {
            let barrier = &core.barriers[id as usize];
            (barrier.arrived.count_ones(), barrier.expected)
        }
        BarrierScope::Global => {
            let arrived = arrived_cores(cores, id as usize).count() as u32;
            (arrived, core.global_barriers[id as usize].expected)
        }
    };
    // The warp waits after its `bar`.
    let pc = core.warps[warp.index()].pc.offset(4u32.wrapping_neg());
    let kind = TrapKind::Deadlock { scope, id, arrived, expected };
    Some(trap_at(core, warp, memory, pc, Fault { lanes: ThreadMask::EMPTY, kind }))
}

/// The trap of a machine that is stopped from outside, at the lowest warp that could run.
pub(crate) fn trap_of_stop<C: Borrow<CoreState>>(cores: &[C], memory: &Memory, kind: TrapKind) -> Box<Trap> {
    let alive = |is_so: fn(&WarpState) -> bool| {
        cores.iter().find_map(|core| {
            let core = core.borrow();
            let index = core.warps.iter().position(|warp| is_so(&warp.state))?;
            Some((core, WarpId(index as u8)))
        })
    };
    // In time a warp that could run may have a request under way.
    let found = alive(|state| *state == WarpState::Ready).or_else(|| alive(|state| *state != WarpState::Ended));
    let (core, warp) = found.expect("a machine in which nothing can run has been finished, not stopped");
    trap_at(core, warp, memory, core.warps[warp.index()].pc, Fault { lanes: ThreadMask::EMPTY, kind })
}
