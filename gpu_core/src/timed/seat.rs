//! One core's place in a timed run: its model of time, and what its instructions left to be done where the cores meet.
//!
//! Before: the run loop lets it run for a window. After: the run loop serves its requests at the window's edge.

use crate::counters::{CoreCounters, SharedCounters, shown};
use crate::isa::encoding::{Instruction, decode_for};
use crate::memory::Memory;
use crate::observe::TimedObserver;
use crate::retired::{Effect, Request, Retired};
use crate::semantics::warp::WarpState;
use crate::semantics::{CoreState, complete, step};
use crate::timing::core::{Core, Meaning, Stop};
use crate::timing::rows::Rows;
use crate::trap::{BarrierScope, Trap};
use crate::units::{Address, ThreadMask, WarpId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An atomic or fence that waits for the window's edge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pending {
    /// When it was issued.
    pub cycle: u64,
    /// Whose it is.
    pub warp: WarpId,
    /// What it did so far.
    pub retired: Retired,
}

/// One core in a timed run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Seat {
    /// What it costs.
    pub core: Core,
    /// What the window has left to do.
    pub left: Left,
    /// It has nothing left to do.
    pub is_drained: bool,
}

/// What the instructions of a window left.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Left {
    /// Requests, in the order of issue.
    pub pending: Vec<Pending>,
    /// Whether some warp waits at a global barrier.
    pub waits_globally: bool,
    /// Whether one of the instructions was progress.
    pub is_progress: bool,
    /// Warps that have issued something since the watchdog last asked.
    pub moved: u32,
    /// What the cores share had counted at the last edge, for programs that look.
    pub shared: SharedCounters,
    /// The trap it stopped at.
    #[serde(skip)]
    pub trap: Option<Box<Trap>>,
}

/// A core and its state, for as long as the run loop has them.
pub(crate) struct Seated<'a> {
    /// What it is.
    pub state: &'a mut CoreState,
    /// What it costs.
    pub seat: &'a mut Seat,
}

impl std::borrow::Borrow<CoreState> for Seated<'_> {
    fn borrow(&self) -> &CoreState {
        self.state
    }
}

impl std::borrow::BorrowMut<CoreState> for Seated<'_> {
    fn borrow_mut(&mut self) -> &mut CoreState {
        self.state
    }
}

/// The core's hands on the machine's state.
struct Hands<'a> {
    state: &'a mut CoreState,
    memory: &'a Memory,
    left: &'a mut Left,
}

impl Seated<'_> {
    /// Runs to the start of cycle `end`; gives whether it came there, or has nothing left to do.
    pub fn run<O: TimedObserver>(&mut self, end: u64, issue_limit: u64, memory: &Memory, observer: &mut O) -> Stop {
        let Self { state, seat } = self;
        if seat.is_drained {
            return Stop::Drained;
        }
        if seat.left.trap.is_some() {
            return Stop::Trapped;
        }
        let mut hands = Hands { state, memory, left: &mut seat.left };
        let stop = seat.core.run(end, issue_limit, &mut hands, observer);
        seat.is_drained = stop == Stop::Drained;
        stop
    }

    /// The next cycle in which it does something; `u64::MAX` if it has nothing to do, or waits for others.
    pub fn wakes_at(&self) -> u64 {
        if self.seat.is_drained { u64::MAX } else { self.seat.core.wakes_at() }
    }

    /// Serves a request, in an order that the run loop chooses.
    pub fn serve(&mut self, mut pending: Pending, memory: &Memory) {
        let warp = pending.warp;
        // The program may have ended on this core meanwhile.
        if self.state.warps[warp.index()].state == WarpState::Requesting {
            complete(self.state, warp, memory, &mut pending.retired);
            self.seat.left.is_progress |= pending.retired.is_progress;
            self.seat.core.request_served(warp.index());
        }
    }

    /// Lets time take up that warps at global barriers go on.
    pub fn release_global<O: TimedObserver>(&mut self, memory: &Memory, observer: &mut O) {
        let Self { state, seat } = self;
        let hands = Hands { state, memory, left: &mut seat.left };
        seat.core.release_global(&hands, observer);
        self.seat.left.waits_globally = self.state.global_barriers.iter().any(|barrier| barrier.arrived != 0);
    }

    /// Gives the core what a snapshot does not hold.
    pub fn restore(&mut self, memory: &Memory) {
        let Self { state, seat } = self;
        let hands = Hands { state, memory, left: &mut seat.left };
        seat.core.restore(&hands);
    }
}

/// The rows of the code that a core fetches.
pub(crate) fn rows_of(state: &CoreState) -> Arc<Rows> {
    let segments = state.code.segments().map(|(start, _, instructions)| (start, instructions));
    Arc::new(Rows::new(segments, &state.config))
}

impl Meaning for Hands<'_> {
    #[inline]
    fn step(&mut self, warp: usize, now: u64, out: &mut Retired) -> bool {
        let id = WarpId(warp as u8);
        self.state.counters.cycles = now;
        if let Err(trap) = step(self.state, id, self.memory, out) {
            self.left.trap = Some(trap);
            return false;
        }
        self.state.counters.lane_instructions += u64::from(out.mask.count());
        self.left.moved |= 1 << warp;
        match out.request {
            None => {}
            Some(Request::Atomic(_)) if out.is_core_private() => complete(self.state, id, self.memory, out),
            Some(_) => self.left.pending.push(Pending { cycle: now, warp: id, retired: out.clone() }),
        }
        if let Effect::Barrier { scope: BarrierScope::Global, is_released: false, .. } = out.effect {
            self.left.waits_globally = true;
        }
        self.left.is_progress |= out.is_progress;
        true
    }

    #[inline]
    fn pc(&self, warp: usize) -> u32 {
        self.state.warps[warp].pc.0
    }

    fn mask(&self, warp: usize) -> ThreadMask {
        self.state.warps[warp].mask
    }

    fn alive(&self) -> u32 {
        self.state.active_warps()
    }

    fn ready(&self) -> u32 {
        let ready = self.state.warps.iter().enumerate().filter(|(_, warp)| warp.state == WarpState::Ready);
        ready.fold(0, |bits, (index, _)| bits | 1 << index)
    }

    fn instruction(&self, pc: u32) -> Option<Instruction> {
        let aligned = pc.is_multiple_of(4).then_some(Address(pc))?;
        self.memory.load(aligned, 4).and_then(|word| decode_for(self.state.config.extensions, word))
    }

    fn rows(&self) -> Arc<Rows> {
        rows_of(self.state)
    }

    fn region(&self) -> u32 {
        self.state.region
    }

    fn wants_counters(&self) -> bool {
        self.state.counter_class != 0
    }

    fn show_counters(&mut self, counters: &CoreCounters) {
        self.state.shown_counters = shown(self.state.counter_class, counters, &self.left.shared);
    }
}
