//! One core runs for a while: until nothing of it can run, it meets the other cores, or its slice is used up.
//!
//! Before: `machine` starts a round. After: `machine` serves what the core left. A core never blocks a host thread.

use super::engine::{Engine, Turn, WarpRun};
use crate::memory::Memory;
use crate::semantics::warp::WarpState;
use crate::semantics::{CoreState, Retired, complete};
use crate::trap::Trap;
use crate::units::WarpId;

/// Instructions that a warp runs before the next one has its turn: long enough to keep its registers in the host's
/// cache, short enough that warps which wait for each other by spinning come along.
const TURN: u64 = 4096;

/// What the run loop remembers of a core between rounds.
#[derive(Clone, Debug, Default)]
pub(crate) struct CoreRun {
    /// The warp whose turn is next.
    pub next_warp: usize,
    /// The warp whose request in `retired` has not been served.
    pub waiting: Option<WarpId>,
    /// The reused record.
    pub retired: Retired,
    /// What it did in this round.
    pub round: WarpRun,
    /// The trap it stopped at, for good.
    pub trap: Option<Box<Trap>>,
}

impl CoreRun {
    /// Whether the core has something to run.
    pub fn can_run(&self, core: &CoreState) -> bool {
        self.trap.is_none() && core.warps.iter().any(|warp| warp.state == WarpState::Ready)
    }

    /// Runs the core within the bounds of `slice`, its warps in turn.
    pub fn run_slice<E: Engine>(&mut self, core: &mut CoreState, slice: Turn<'_>, engine: &mut E) {
        self.round = WarpRun::default();
        if self.trap.is_some() {
            return;
        }
        while self.round.instructions < slice.limit {
            let Some(warp) = self.next_ready(core) else { return };
            self.next_warp = (warp.index() + 1) % core.warps.len();
            let turn = Turn { limit: TURN.min(slice.limit - self.round.instructions), ..slice };
            let (out, run) = (&mut self.retired, &mut self.round);
            if let Err(trap) = engine.run_warp(core, warp, turn, out, run) {
                self.trap = Some(trap);
                return;
            }
            if core.warps[warp.index()].state == WarpState::Requesting {
                self.waiting = Some(warp);
                return;
            }
        }
    }

    /// Serves the request that the slice left.
    pub fn serve_request<E: Engine>(&mut self, core: &mut CoreState, memory: &Memory, engine: &mut E) {
        if let Some(warp) = self.waiting.take() {
            complete(core, warp, memory, &mut self.retired);
            self.round.is_progress |= self.retired.is_progress;
            engine.completed(core, warp, &self.retired);
        }
    }

    fn next_ready(&self, core: &CoreState) -> Option<WarpId> {
        let count = core.warps.len();
        let in_turn = (0..count).map(|step| (self.next_warp + step) % count);
        let mut ready = in_turn.filter(|&index| core.warps[index].state == WarpState::Ready);
        ready.next().map(|index| WarpId(index as u8))
    }
}
