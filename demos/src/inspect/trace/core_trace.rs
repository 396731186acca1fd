//! One core's part of a trace: what its observer hears, as events on the core's tracks.
//!
//! Before: `mod` adds the cycles of the launches before. After: text in the trace-event format. What lasts (a stall, a wait at a
//! barrier, an access) is held until it ends, so that runs of equal stalls become one event.

use gpu_core::isa::table::Unit;
use gpu_core::observe::{AccessInFlight, Stall, StallReason};
use gpu_core::retired::{Effect, Retired};
use gpu_core::trap::BarrierScope;
use gpu_core::units::{Address, ThreadMask, WarpId};
use serde::Serialize;

use super::event::{Details, Event, Events, Track};
use crate::inspect::code::{Code, Instruction};

/// Equal stalls of a slot that follow each other.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Run {
    start: u64,
    end: u64,
    reason: StallReason,
    warp: Option<(WarpId, Address)>,
}

/// A warp that waits at a barrier.
#[derive(Copy, Clone, Debug)]
struct Waiting {
    since: u64,
    scope: BarrierScope,
    id: u32,
    pc: Address,
}

/// An access under way.
#[derive(Copy, Clone, Debug)]
struct Access {
    /// As the core counts them.
    number: u32,
    /// As the trace does.
    id: u64,
    unit: Unit,
    warp: WarpId,
    pc: Address,
}

impl Access {
    const fn category(&self) -> &'static str {
        match self.unit {
            Unit::Texture => "texture",
            _ => "memory",
        }
    }
}

/// One warp.
#[derive(Copy, Clone, Debug, Default)]
struct Warp {
    /// As the counter of its active lanes shows.
    lanes: Option<u32>,
    barrier: Option<Waiting>,
}

/// Issue slots that went by since the last sample.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
struct Sample {
    issued: u64,
    lanes: u64,
    stalls: [u64; StallReason::EVERY.len()],
}

/// Instructions for each cycle.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
struct Rate {
    instructions: f64,
    lanes: f64,
}

/// Accesses under way.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
struct InFlight {
    memory: usize,
    texture: usize,
}

/// One number.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
struct Lanes {
    lanes: u32,
}

/// One core in a trace.
#[derive(Clone, Debug)]
pub(super) struct CoreTrace {
    core: usize,
    slots: Vec<Option<Run>>,
    warps: Vec<Warp>,
    accesses: Vec<Access>,
    next_id: u64,
    /// The instruction issued last, and whether it released a barrier.
    last: (Address, bool),
    sample: Sample,
    shown: (Option<Rate>, Option<[u64; StallReason::EVERY.len()]>, Option<InFlight>),
}

/// A stall's slots by reason, as a map.
fn by_reason(stalls: &[u64; StallReason::EVERY.len()]) -> serde_json::Map<String, serde_json::Value> {
    StallReason::EVERY.iter().zip(stalls).map(|(reason, count)| (reason.name().to_owned(), (*count).into())).collect()
}

fn details(instruction: &Instruction) -> Details<'_> {
    let source = (!instruction.source.is_empty()).then_some(instruction.source.as_str());
    Details { pc: Some(&instruction.pc), source, ..Details::default() }
}

/// Details of an event that is called otherwise than its instruction.
fn named_details(instruction: &Instruction) -> Details<'_> {
    Details { instruction: Some(&instruction.text), ..details(instruction) }
}

fn mask_text(mask: ThreadMask) -> String {
    format!("{:#x}", mask.0)
}

impl CoreTrace {
    /// Nothing has been seen.
    pub fn new(core: usize, warps: usize, slots: usize) -> Self {
        Self {
            core,
            slots: vec![None; slots],
            warps: vec![Warp::default(); warps],
            accesses: Vec::new(),
            next_id: 0,
            last: (Address(0), false),
            sample: Sample::default(),
            shown: (None, None, None),
        }
    }

    /// A warp issued an instruction.
    pub fn issued(&mut self, now: u64, warp: WarpId, slot: u32, retired: &Retired, code: &Code, out: &mut Events) {
        let instruction = code.at(retired.pc);
        let lanes = retired.mask.count();
        let details = Details {
            slot: Some(slot),
            lanes: Some(lanes),
            mask: Some(mask_text(retired.mask)),
            ..details(instruction)
        };
        let track = Track::warp(self.core, warp.index());
        out.push(&Event::complete("issue", &instruction.text, track, [now, now + 1], details));
        self.show_lanes(now, warp, lanes, out);
        if matches!(retired.effect, Effect::End | Effect::Exit) {
            self.show_lanes(now + 1, warp, 0, out);
        }
        self.last = (retired.pc, matches!(retired.effect, Effect::Barrier { is_released: true, .. }));
        self.sample.issued += 1;
        self.sample.lanes += u64::from(lanes);
    }

    fn show_lanes(&mut self, now: u64, warp: WarpId, lanes: u32, out: &mut Events) {
        if self.warps[warp.index()].lanes.replace(lanes) != Some(lanes) {
            let name = format!("active lanes, warp {warp}");
            out.push(&Event::counter(name, Track::core(self.core), now, Lanes { lanes }));
        }
    }

    /// A slot issued nothing; `warp` is the warp and instruction to blame.
    pub fn stalled(&mut self, now: u64, stall: Stall, warp: Option<(WarpId, Address)>, code: &Code, out: &mut Events) {
        let Stall { slot, cycles, reason, .. } = stall;
        self.sample.stalls[reason as usize] += cycles;
        let end = now + cycles;
        match &mut self.slots[slot as usize] {
            Some(run) if (run.end, run.reason, run.warp) == (now, reason, warp) => run.end = end,
            held => {
                if let Some(run) = held.replace(Run { start: now, end, reason, warp }) {
                    push_run(self.core, slot, &run, code, out);
                }
            }
        }
    }

    /// An access was handed to its unit.
    pub fn access_began(&mut self, now: u64, access: AccessInFlight, code: &Code, out: &mut Events) {
        let AccessInFlight { number, unit, warp, pc } = access;
        let access = Access { number, id: self.next_id, unit, warp, pc: pc.unwrap_or(self.last.0) };
        self.next_id += 1;
        self.accesses.push(access);
        let instruction = code.at(access.pc);
        let details = Details { warp: Some(warp.0), ..named_details(instruction) };
        let track = Track::warp(self.core, warp.index());
        out.push(&Event::begin(access.category(), instruction.mnemonic(), track, now, access.id, details));
    }

    /// It was answered; one that began before the window is not known.
    pub fn access_ended(&mut self, now: u64, access: AccessInFlight, code: &Code, out: &mut Events) {
        if let Some(index) = self.accesses.iter().position(|known| known.number == access.number) {
            let access = self.accesses.swap_remove(index);
            self.push_end(now, &access, None, code, out);
        }
    }

    fn push_end(&self, now: u64, access: &Access, note: Option<&str>, code: &Code, out: &mut Events) {
        let name = code.at(access.pc).mnemonic();
        let track = Track::warp(self.core, access.warp.index());
        out.push(&Event::end(access.category(), name, track, now, access.id, Details { note, ..Details::default() }));
    }

    /// A warp arrived at a barrier; the one that releases it does not wait.
    pub fn barrier_reached(
        &mut self,
        now: u64,
        warp: WarpId,
        scope: BarrierScope,
        id: u32,
        code: &Code,
        out: &mut Events,
    ) {
        let (pc, is_released) = self.last;
        let waiting = Waiting { since: now + 1, scope, id, pc };
        if is_released {
            let name = format!("releases {scope} barrier {id}");
            let track = Track::warp(self.core, warp.index());
            out.push(&Event::instant("barrier", name, track, now, named_details(code.at(pc))));
        } else {
            self.warps[warp.index()].barrier = Some(waiting);
        }
    }

    /// A barrier let these warps go on.
    pub fn barrier_released(&mut self, now: u64, warps: u32, code: &Code, out: &mut Events) {
        for index in (0..self.warps.len()).filter(|index| warps >> index & 1 != 0) {
            if let Some(waiting) = self.warps[index].barrier.take() {
                self.push_waiting(now, index, &waiting, None, code, out);
            }
        }
    }

    fn push_waiting(
        &self,
        now: u64,
        warp: usize,
        waiting: &Waiting,
        note: Option<&str>,
        code: &Code,
        out: &mut Events,
    ) {
        let Waiting { since, scope, id, pc } = *waiting;
        if since < now {
            let details = Details { note, ..named_details(code.at(pc)) };
            let name = format!("{scope} barrier {id}");
            out.push(&Event::complete("barrier", name, Track::warp(self.core, warp), [since, now], details));
        }
    }

    /// Other lanes of a warp are active.
    pub fn mask_changed(
        &mut self,
        now: u64,
        warp: WarpId,
        pc: Address,
        [before, after]: [ThreadMask; 2],
        code: &Code,
        out: &mut Events,
    ) {
        let details = Details {
            warp: Some(warp.0),
            lanes: Some(after.count()),
            mask: Some(mask_text(after)),
            mask_before: Some(mask_text(before)),
            ..named_details(code.at(pc))
        };
        let name = format!("lanes {} to {}", before.count(), after.count());
        out.push(&Event::instant("divergence", name, Track::warp(self.core, warp.index()), now, details));
    }

    /// Shows the counters of the cycles `from..to`, where they differ from those shown before.
    pub fn sample(&mut self, [from, to]: [u64; 2], out: &mut Events) {
        if from >= to {
            return;
        }
        let sample = std::mem::take(&mut self.sample);
        let track = Track::core(self.core);
        let per_cycle = |count: u64| count as f64 / (to - from) as f64;
        let rate = Rate { instructions: per_cycle(sample.issued), lanes: per_cycle(sample.lanes) };
        if self.shown.0.replace(rate) != Some(rate) {
            out.push(&Event::counter("IPC", track, from, rate));
        }
        if self.shown.1.replace(sample.stalls) != Some(sample.stalls) {
            out.push(&Event::counter("stalled slots", track, from, by_reason(&sample.stalls)));
        }
        let texture = self.accesses.iter().filter(|access| access.unit == Unit::Texture).count();
        let in_flight = InFlight { memory: self.accesses.len() - texture, texture };
        if self.shown.2.replace(in_flight) != Some(in_flight) {
            out.push(&Event::counter("in flight", track, to, in_flight));
        }
    }

    /// What is still to be said if nothing more is seen from `now` on.
    pub fn close(&self, now: u64, code: &Code, out: &mut Events) {
        for (slot, run) in (0..).zip(&self.slots) {
            if let Some(run) = run {
                push_run(self.core, slot, run, code, out);
            }
        }
        const NOTE: Option<&str> = Some("not over at the end of the trace");
        for (index, warp) in self.warps.iter().enumerate() {
            if let Some(waiting) = &warp.barrier {
                self.push_waiting(now, index, waiting, NOTE, code, out);
            }
        }
        for access in &self.accesses {
            self.push_end(now, access, NOTE, code, out);
        }
    }

    /// Forgets what is under way; numbers of accesses go on.
    pub fn forget(&mut self) {
        let next_id = self.next_id;
        *self = Self { next_id, ..Self::new(self.core, self.warps.len(), self.slots.len()) };
    }
}

fn push_run(core: usize, slot: u32, run: &Run, code: &Code, out: &mut Events) {
    let Run { start, end, reason, warp } = *run;
    let details = match warp {
        Some((warp, pc)) => Details { warp: Some(warp.0), ..named_details(code.at(pc)) },
        None => Details::default(),
    };
    out.push(&Event::complete("stall", reason.name(), Track::slot(core, slot), [start, end], details));
}
