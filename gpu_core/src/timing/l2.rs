//! The shared L2 cache: tags, and when each line is there. One request every `interval` cycles, none ever refused.
//!
//! Before: `shared_level`, which brings requests in the order (cycle, core). After: `dram`, for what is not there. A line that
//! was asked for is in the tags at once, with the cycle in which it will have come; a request that finds it before then has
//! merged with the miss and waits until then. Atomics count as writes. A dirty line that is replaced goes to DRAM right after the request for the
//! line that replaces it.

use super::dram::Dram;
use super::line_request::LineOperation;
use super::memory_timing::{L2Timing, WritePolicy};
use crate::counters::CacheCounters;
use serde::{Deserialize, Serialize};

#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Way {
    /// `u32::MAX`: none.
    line: u32,
    is_dirty: bool,
    ready: u64,
}

const EMPTY: Way = Way { line: u32::MAX, is_dirty: false, ready: 0 };

/// The L2 cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct L2 {
    latency: u64,
    interval: u64,
    write_policy: WritePolicy,
    ways: usize,
    set_mask: u32,
    /// All sets, the most recently used way first.
    lines: Vec<Way>,
    free_from: u64,
    counters: CacheCounters,
}

impl L2 {
    /// An empty cache, or `None` where the machine has none.
    pub fn new(timing: &L2Timing, line_bytes: u32) -> Option<Self> {
        let lines = timing.bytes / line_bytes;
        (lines > 0).then(|| Self {
            latency: timing.latency.into(),
            interval: timing.interval.into(),
            write_policy: timing.write_policy,
            ways: timing.ways as usize,
            set_mask: lines / timing.ways - 1,
            lines: vec![EMPTY; lines as usize],
            free_from: 0,
            counters: CacheCounters::default(),
        })
    }

    /// Events so far.
    pub fn counters(&self) -> &CacheCounters {
        &self.counters
    }

    /// Sets all counters to zero and lets cycles begin at 0 again: all lines that are kept have come.
    pub(super) fn restart(&mut self) {
        (self.free_from, self.counters) = (0, CacheCounters::default());
        self.lines.iter_mut().for_each(|way| way.ready = 0);
    }

    /// Forgets all lines.
    pub(super) fn forget(&mut self) {
        self.lines.fill(EMPTY);
    }

    /// Serves one request: when it is done.
    pub fn serve(&mut self, cycle: u64, line: u32, operation: LineOperation, dram: &mut Dram) -> u64 {
        let start = cycle.max(self.free_from);
        self.free_from = start + self.interval;
        let looked_up = start + self.latency;
        let is_write = operation != LineOperation::Read;
        let is_through = self.write_policy == WritePolicy::Through;
        let set = (line & self.set_mask) as usize * self.ways;
        let set = &mut self.lines[set..set + self.ways];
        let counters = &mut self.counters;
        *(if is_write { &mut counters.writes } else { &mut counters.reads }) += 1;
        counters.bank_cycles += 1;

        let mut done = looked_up;
        if let Some(way) = set.iter().position(|way| way.line == line) {
            set[..=way].rotate_right(1);
            *match (is_write, set[0].ready > start) {
                (false, false) => &mut counters.read_hits,
                (false, true) => &mut counters.read_merged,
                (true, false) => &mut counters.write_hits,
                (true, true) => &mut counters.write_merged,
            } += 1;
            // A store need not wait for the line, whoever reads must.
            if operation != LineOperation::Write {
                done = done.max(set[0].ready);
            }
        } else {
            *(if is_write { &mut counters.write_misses } else { &mut counters.read_misses }) += 1;
            if !(is_through && operation == LineOperation::Write) {
                counters.fills += 1;
                let ready = dram.read(looked_up, line);
                set.rotate_right(1);
                let old = std::mem::replace(&mut set[0], Way { line, is_dirty: false, ready });
                if old.is_dirty {
                    counters.write_backs += 1;
                    counters.writes_below += 1;
                    dram.write(looked_up, old.line);
                }
                if operation != LineOperation::Write {
                    done = ready;
                }
            }
        }
        if is_write && is_through {
            counters.writes_below += 1;
            done = done.max(dram.write(looked_up, line));
        } else if is_write {
            set[0].is_dirty = true;
        }
        done
    }

    /// The first conservation law that does not hold, in words.
    pub fn broken_law(&self) -> Option<&'static str> {
        let c = &self.counters;
        let is_through = self.write_policy == WritePolicy::Through;
        let laws = [
            (is_through || c.fills == c.read_misses + c.write_misses, "fills = misses"),
            (c.writes_below == c.write_backs + if is_through { c.writes } else { 0 }, "writes below = evictions"),
        ];
        laws.iter().find(|(holds, _)| !holds).map(|(_, law)| *law)
    }
}
