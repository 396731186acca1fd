//! Control instructions in time: branches, masks, barriers, wavefront spawn, the end of warps.
//!
//! Before: issue has executed one; what it means is done. After: from the cycle of its result, warps are fetched for again, started,
//! released or ended. A divergent region costs its `split`, both sides, and two `join`s, each of which holds the warp's
//! fetches until it has been executed.

use super::core::{Core, Event, Meaning, bits};
use crate::isa::table::Op;
use crate::observe::TimedObserver;
use crate::retired::Effect;

impl Core {
    /// What the control instruction just executed by `warp` will bring about when its result is there.
    pub(super) fn control(&mut self, warp: usize, register: u8, meaning: &impl Meaning) -> Event {
        let bit = 1 << warp;
        let (mut resumed, mut released, mut is_end) = (bit, 0, false);
        match self.retired.effect {
            Effect::Barrier { is_released: true, .. } => {
                released = self.scheduler.barrier & !self.waking & meaning.ready();
                self.waking |= released;
            }
            // It can be fetched for when both are over: its own execution, and the wait.
            Effect::Barrier { is_released: false, .. } => self.scheduler.barrier |= bit,
            Effect::Spawn { is_waiting: true } => {
                resumed = 0;
                self.is_spawning = true;
            }
            Effect::Spawn { is_waiting: false } => resumed |= self.started(meaning),
            Effect::End => {
                is_end = true;
                resumed = 0;
                self.ending |= bit;
                if self.is_spawning && meaning.ready() & 1 != 0 {
                    self.is_spawning = false;
                    resumed = 1 | self.started(meaning);
                }
            }
            Effect::Exit => self.end_all(),
            _ if self.retired.instruction.op == Op::FenceI => {
                self.rows = meaning.rows();
                self.front_end.flush();
                self.heads.fill(None);
                self.ready = 0;
                self.memory.forget_instructions(self.now);
            }
            _ => {}
        }
        Event::Control { warp: warp as u8, register, is_end, resumed, released }
    }

    /// Warps that meaning has started and time has not: those whose end is still under way among them.
    fn started(&mut self, meaning: &impl Meaning) -> u32 {
        let started = meaning.alive() & !self.starting & (!self.scheduler.active | self.ending);
        self.starting |= started;
        self.tally.spawned += u64::from(started.count_ones());
        started
    }

    /// The result of a control instruction is there.
    pub(super) fn control_done<O: TimedObserver>(&mut self, event: Event, observer: &mut O) {
        let Event::Control { warp, register, is_end, resumed, released } = event else { return };
        self.finish(warp, register);
        if self.is_over {
            return;
        }
        if is_end {
            let bit = 1 << warp;
            self.scheduler.end(bit);
            self.front_end.end(bit);
            self.ending &= !bit;
        }
        self.scheduler.active |= resumed;
        self.starting &= !resumed;
        self.front_end.resume(resumed);
        if released != 0 {
            self.release(released, observer);
        }
    }

    fn release<O: TimedObserver>(&mut self, warps: u32, observer: &mut O) {
        self.scheduler.barrier &= !warps;
        self.waking &= !warps;
        for warp in bits(warps) {
            self.tally.barrier_cycles += self.now - self.tally.barrier_reached[warp & 31];
        }
        if O::IS_WATCHING {
            observer.barrier_released(self.moment(), warps);
        }
    }

    /// At a window's edge: lets warps go on whose global barrier has been met.
    pub fn release_global<O: TimedObserver>(&mut self, meaning: &impl Meaning, observer: &mut O) {
        let released = self.scheduler.barrier & !self.waking & meaning.ready();
        if released != 0 {
            self.release(released, observer);
            self.is_busy = true;
        }
    }

    /// At a window's edge: the request of a warp has been served.
    pub fn request_served(&mut self, warp: usize) {
        self.held &= !(1 << warp);
        self.refresh(warp);
        self.is_busy = true;
    }

    /// The program has ended on this core, whatever its warps were doing.
    pub fn end_all(&mut self) {
        self.is_over = true;
        self.is_busy = true;
        self.is_spawning = false;
        self.scheduler.end(u32::MAX);
        self.front_end.end(u32::MAX);
        self.heads.fill(None);
        (self.ready, self.held, self.waking, self.ending, self.starting) = (0, 0, 0, 0, 0);
    }
}
