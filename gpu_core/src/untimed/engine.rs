//! What executes the instructions of one warp for the run loop: the plain engine, and the plain engine watched.
//!
//! Before: `slice` picks a warp. After: the warp has run for a while. Every engine gives the same state after the same
//! number of instructions, so that the run loop need not know which one it drives.

use crate::memory::Memory;
use crate::observe::Observer;
use crate::semantics::warp::WarpState;
use crate::semantics::{CoreState, Retired, complete, step};
use crate::trap::Trap;
use crate::units::WarpId;

/// When a request that other cores must see in order is served.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Requests {
    /// At once: there is one core only.
    AtOnce,
    /// By the run loop, in core order; the warp stops there.
    Deferred,
}

/// What bounds a warp's turn.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Turn<'a> {
    /// Device memory.
    pub memory: &'a Memory,
    /// When requests are served.
    pub requests: Requests,
    /// Whether no other host thread touches memory during the turn, so that an engine may copy it without atomics.
    #[allow(dead_code, reason = "the plain engine has no use for it")]
    pub is_alone: bool,
    /// Instructions at most.
    pub limit: u64,
}

/// What [`Engine::run_warp`] did.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WarpRun {
    /// Instructions executed.
    pub instructions: u64,
    /// Whether one of them was progress.
    pub is_progress: bool,
}

/// Executes instructions of one warp.
pub(crate) trait Engine {
    /// Runs a ready warp until it is not ready any more, the turn's limit is reached, or it traps. It adds
    /// what it executed to `run`, also when it traps, and to the core's counters before each instruction that can see
    /// them. With [`Requests::Deferred`], a request that concerns other cores is left in `out`.
    fn run_warp(
        &mut self,
        core: &mut CoreState,
        warp: WarpId,
        turn: Turn<'_>,
        out: &mut Retired,
        run: &mut WarpRun,
    ) -> Result<(), Box<Trap>>;

    /// A request that `run_warp` left in `out` has been completed.
    fn completed(&mut self, core: &CoreState, warp: WarpId, out: &Retired);
}

/// One instruction after the other, by `semantics` alone.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Plain;

/// The plain engine, showing each instruction to an observer.
#[derive(Debug)]
pub(crate) struct Watched<'a, O: ?Sized>(pub &'a mut O);

impl Engine for Plain {
    fn run_warp(
        &mut self,
        core: &mut CoreState,
        warp: WarpId,
        turn: Turn<'_>,
        out: &mut Retired,
        run: &mut WarpRun,
    ) -> Result<(), Box<Trap>> {
        run_plain(core, warp, turn, out, run, |_, _| {})
    }

    fn completed(&mut self, _: &CoreState, _: WarpId, _: &Retired) {}
}

impl<O: Observer + ?Sized> Engine for Watched<'_, O> {
    fn run_warp(
        &mut self,
        core: &mut CoreState,
        warp: WarpId,
        turn: Turn<'_>,
        out: &mut Retired,
        run: &mut WarpRun,
    ) -> Result<(), Box<Trap>> {
        run_plain(core, warp, turn, out, run, |core, out| self.0.retired(core.id, warp, out))
    }

    fn completed(&mut self, core: &CoreState, warp: WarpId, out: &Retired) {
        self.0.retired(core.id, warp, out);
    }
}

#[inline(always)]
fn run_plain(
    core: &mut CoreState,
    warp: WarpId,
    turn: Turn<'_>,
    out: &mut Retired,
    run: &mut WarpRun,
    mut observe: impl FnMut(&CoreState, &Retired),
) -> Result<(), Box<Trap>> {
    let end = run.instructions + turn.limit;
    while run.instructions < end && core.warps[warp.index()].state == WarpState::Ready {
        step(core, warp, turn.memory, out)?;
        run.instructions += 1;
        core.counters.cycles += 1;
        core.counters.lane_instructions += u64::from(out.mask.count());
        if out.request.is_some() {
            if turn.requests == Requests::Deferred && !out.is_core_private() {
                return Ok(());
            }
            complete(core, warp, turn.memory, out);
        }
        run.is_progress |= out.is_progress;
        observe(core, out);
    }
    Ok(())
}
