//! What the cores share: an optional L2 cache and DRAM.
//!
//! Before: each core's outgoing requests of a window. After: a fill for every request, which the core takes up in a
//! later window. Requests are served in the order (cycle, core), so any number of host threads gives the same times; the
//! level never refuses one: credits of the cores bound what is under way, and congestion shows as latency. The fixed
//! latency of the way there and back is added to whatever L2 and DRAM take.

use super::core_memory::{CoreMemory, Start};
use super::dram::Dram;
use super::l2::L2;
use super::line_request::{Fill, LineOperation, LineRequest};
use super::memory_timing::MemoryTiming;
use crate::counters::SharedCounters;
use crate::units::CoreId;
use serde::{Deserialize, Serialize};

/// One request of a window.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Collected {
    core: CoreId,
    request: LineRequest,
}

/// L2 tags and the state of DRAM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedLevel {
    latency: u64,
    l2: Option<L2>,
    dram: Dram,
    /// Requests of the window, core by core.
    collected: Vec<Collected>,
    /// Cycle and place in `collected`, sorted.
    order: Vec<(u64, u32)>,
    /// Fills of the window, for each core.
    fills: Vec<Vec<Fill>>,
    drained: u64,
    /// The cycle of the last request served.
    served_to: u64,
    counters: SharedCounters,
}

impl SharedLevel {
    /// Cold L2, all rows closed.
    pub fn new(timing: &MemoryTiming, cores: u32) -> Self {
        Self {
            latency: timing.shared.latency.into(),
            l2: L2::new(&timing.l2, timing.line_bytes),
            dram: Dram::new(&timing.dram, timing.line_bytes),
            collected: Vec::new(),
            order: Vec::new(),
            fills: vec![Vec::new(); cores as usize],
            drained: 0,
            served_to: 0,
            counters: SharedCounters::default(),
        }
    }

    /// Begins a launch at cycle 0 with counters of zero. Only when all cores are quiet.
    pub fn restart(&mut self, start: Start) {
        (self.drained, self.served_to, self.counters) = (0, 0, SharedCounters::default());
        self.dram.restart();
        if let Some(l2) = &mut self.l2 {
            l2.restart();
            if start == Start::Cold {
                l2.forget();
            }
        }
    }

    /// The longest window in which cores may run apart, in cycles.
    pub fn look_ahead(&self) -> u64 {
        self.latency
    }

    /// First step at the edge of a window (no longer than [`SharedLevel::look_ahead`]): takes what `core` asked for. To be
    /// called for the cores in ascending order.
    pub fn collect(&mut self, core: CoreId, memory: &mut CoreMemory) {
        self.collected.extend(memory.outgoing().drain(..).map(|request| Collected { core, request }));
    }

    /// Second step, after all cores were collected: serves all requests.
    pub fn serve(&mut self) {
        if self.collected.is_empty() {
            return;
        }
        let is_in_order = self.collected.is_sorted_by_key(|collected| collected.request.cycle);
        if is_in_order {
            for place in 0..self.collected.len() {
                self.serve_one(place);
            }
        } else {
            // Cores were collected in ascending order, so among requests of one cycle the place decides by core.
            let cycles = self.collected.iter().enumerate().map(|(place, c)| (c.request.cycle, place as u32));
            self.order.extend(cycles);
            self.order.sort_unstable();
            for place in 0..self.order.len() {
                self.serve_one(self.order[place].1 as usize);
            }
            self.order.clear();
        }
        self.collected.clear();
    }

    fn serve_one(&mut self, place: usize) {
        let Collected { core, request: LineRequest { cycle, line, operation, token } } = self.collected[place];
        debug_assert!(cycle >= self.served_to, "windows follow each other");
        self.served_to = cycle;
        let done = match &mut self.l2 {
            Some(l2) => l2.serve(cycle, line, operation, &mut self.dram),
            None if operation == LineOperation::Write => self.dram.write(cycle, line),
            None => self.dram.read(cycle, line),
        };
        let fill = Fill { cycle: done + self.latency, token };
        let counters = &mut self.counters;
        match operation {
            LineOperation::Read => {
                counters.reads += 1;
                counters.read_latency += fill.cycle - cycle;
            }
            LineOperation::Write => counters.writes += 1,
            LineOperation::Atomic => counters.atomics += 1,
        }
        counters.answers += 1;
        self.drained = self.drained.max(done);
        self.fills[core.index()].push(fill);
    }

    /// Third step: hands `core` its fills.
    pub fn deliver(&mut self, core: CoreId, memory: &mut CoreMemory) {
        for fill in self.fills[core.index()].drain(..) {
            memory.fill(fill);
        }
    }

    /// When the last request served so far is done.
    pub fn drained(&self) -> u64 {
        self.drained
    }

    /// Events so far, those of L2 and DRAM too.
    pub fn counters(&self) -> SharedCounters {
        let l2 = self.l2.as_ref().map(|l2| l2.counters().clone()).unwrap_or_default();
        SharedCounters { l2, dram: self.dram.counters().clone(), ..self.counters.clone() }
    }

    /// The L2 cache, if there is one.
    pub fn l2(&self) -> Option<&L2> {
        self.l2.as_ref()
    }

    /// DRAM.
    pub fn dram(&self) -> &Dram {
        &self.dram
    }

    /// The first conservation law that does not hold, and where; `sent` is the sum of [`CoreMemory::sent_below`] over the
    /// cores. To be asked when all cores are quiet.
    pub fn broken_law(&self, sent: [u64; 3]) -> Option<(&'static str, &'static str)> {
        let c = &self.counters;
        let all = c.reads + c.writes + c.atomics;
        let above = match &self.l2 {
            Some(l2) => l2.counters().fills + l2.counters().writes_below,
            None => all,
        };
        let mine = [
            ([c.reads, c.writes, c.atomics] == sent, "requests = misses, writes and atomics of the cores"),
            (
                self.dram.counters().reads + self.dram.counters().writes == above,
                "lines of DRAM = misses and writes of the level above",
            ),
            (self.l2.as_ref().is_none_or(|l2| l2.counters().reads == c.reads), "reads of L2 = reads of the cores"),
        ];
        let mine = mine.iter().find(|(holds, _)| !holds).map(|(_, law)| *law);
        let laws = [("shared", mine), ("l2", self.l2.as_ref().and_then(L2::broken_law))];
        laws.into_iter().find_map(|(block, law)| Some((block, law?)))
    }
}

#[cfg(test)]
mod tests;
