//! A banked, non-blocking cache that holds tags only: instruction, data and texture caches are of this one type.
//!
//! Before: the load-store unit, the texture unit or the fetch stage offer requests; the bank selector (lines interleave over
//! banks) lets one into each bank and cycle, or several for one line through virtual ports. After: the merger gives the
//! answers back, those of misses when the shared level has sent the line.
//!
//! A bank is a pipeline of four stages (schedule, tag, data, response), described by what enters it and when the answer
//! leaves: `latency` cycles later. Into its schedule stage goes, in this order of priority, a replay of a request whose
//! line has come, a line that has come, a request of the core. Since hit or miss is not known at that stage, a bank whose
//! registers (`mshr`) are all taken lets in no request that may need one; otherwise hits pass misses under way.

use super::line_request::{FillToken, LineOperation, LineRequest};
use super::memory_timing::{CacheTiming, MemoryModel, WritePolicy};
use super::mshr::{Mshr, NOBODY, Reserved};
use super::tags::{Tags, Victim};
use crate::counters::CacheCounters;
use serde::{Deserialize, Serialize};

/// What becomes of a request that was offered.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Taken, and answered in this cycle.
    Ready(u64),
    /// Taken; an [`Answer`] follows when the line has come.
    Waiting,
    /// Not taken: to be offered again in the next cycle.
    Refused,
}

/// The answer to requests that had to wait.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Who asked.
    pub requester: u32,
    /// How many requests of the requester this answers.
    pub count: u32,
    /// When.
    pub ready: u64,
}

/// What a request is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// A read.
    Read,
    /// A write, which nobody waits for: it is done when it is taken.
    Write,
}

/// What entered the schedule stage of a bank last.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Entered {
    /// A replay or a fill.
    Inside,
    /// A request that is answered in a known cycle.
    Ready(u64),
    /// A request that waits in a register.
    Waiting(u8),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Bank {
    mshr: Mshr,
    /// The cycle in which something entered last; meaningless before the first.
    cycle: u64,
    entered: Entered,
    line: u32,
    requester: u32,
    direction: Direction,
    free_ports: u32,
}

/// One cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cache {
    tags: Tags,
    banks: Vec<Bank>,
    /// Banks that a replay or a fill wants.
    wanted: u32,
    bank_mask: u32,
    ports: u32,
    latency: u64,
    write_policy: WritePolicy,
    write_credits: u32,
    /// Writes on their way below.
    writes_under_way: u32,
    /// Banks with requests in their registers.
    misses_under_way: u32,
    reset_cycles: u64,
    usable_from: u64,
    model: MemoryModel,
    /// Which cache of the core this is: goes into its fill tokens.
    place: u32,
    counters: CacheCounters,
}

/// Fill token: place in bits 30 and 31, [`WRITE`], bank in bits 8 to 12, register in bits 0 to 7.
const WRITE: u32 = 1 << 16;
const PLACE_SHIFT: u32 = 30;

impl FillToken {
    /// Which part of the core it belongs to.
    pub(super) fn place(self) -> u32 {
        self.0 >> PLACE_SHIFT
    }

    /// A token of a part that is no cache.
    pub(super) fn new(place: u32, payload: u32) -> Self {
        Self(place << PLACE_SHIFT | payload)
    }

    /// What [`FillToken::new`] was given.
    pub(super) fn payload(self) -> u32 {
        self.0 & !(3 << PLACE_SHIFT)
    }
}

impl Cache {
    /// An empty cache. `place` (0 to 3) tells the caches of a core apart in fill tokens.
    pub fn new(timing: &CacheTiming, line_bytes: u32, model: MemoryModel, place: u32) -> Self {
        let bank = Bank {
            mshr: Mshr::new(timing.mshr),
            cycle: u64::MAX,
            entered: Entered::Inside,
            line: 0,
            requester: NOBODY,
            direction: Direction::Read,
            free_ports: 0,
        };
        Self {
            tags: Tags::new(timing.bytes / line_bytes / timing.ways, timing.ways),
            banks: vec![bank; timing.banks as usize],
            wanted: 0,
            bank_mask: timing.banks - 1,
            ports: timing.ports,
            latency: timing.latency.into(),
            write_policy: timing.write_policy,
            write_credits: timing.write_credits,
            writes_under_way: 0,
            misses_under_way: 0,
            reset_cycles: timing.reset_cycles.into(),
            usable_from: 0,
            model,
            place,
            counters: CacheCounters::default(),
        }
    }

    /// Forgets all lines, as a reset at cycle `now` does. What is under way stays under way.
    pub fn forget(&mut self, now: u64) {
        self.tags.clear();
        self.usable_from = now + self.reset_cycles;
    }

    /// Events so far.
    pub fn counters(&self) -> &CacheCounters {
        &self.counters
    }

    /// Sets all counters to zero and lets cycles begin at 0 again. Only when quiet.
    pub(super) fn restart(&mut self) {
        self.counters = CacheCounters::default();
        self.usable_from = 0;
        self.banks.iter_mut().for_each(|bank| bank.cycle = u64::MAX);
    }

    /// Whether a replay or a fill will enter a bank in the next cycle.
    #[inline]
    pub fn is_busy(&self) -> bool {
        self.wanted != 0
    }

    /// Whether nothing is under way to or from below.
    pub fn is_quiet(&self) -> bool {
        self.misses_under_way == 0 && self.writes_under_way == 0
    }

    /// One cycle of all banks: replays first, then fills. To be called before requests are offered in this cycle.
    #[inline]
    pub fn tick(&mut self, now: u64, answers: &mut Vec<Answer>, below: &mut Vec<LineRequest>) {
        if self.wanted != 0 {
            self.replay_and_fill(now, answers, below);
        }
    }

    fn replay_and_fill(&mut self, now: u64, answers: &mut Vec<Answer>, below: &mut Vec<LineRequest>) {
        let mut wanted = self.wanted;
        while wanted != 0 {
            let index = wanted.trailing_zeros();
            wanted &= wanted - 1;
            let bank = &mut self.banks[index as usize];
            (bank.cycle, bank.entered) = (now, Entered::Inside);
            if let Some(replay) = bank.mshr.next_replay() {
                self.counters.replays += u64::from(replay.count);
                if replay.is_write {
                    let is_there = self.tags.touch(replay.line, true);
                    debug_assert!(is_there, "a line stays until its chain is replayed");
                }
                if replay.requester != NOBODY {
                    let ready = now + self.latency;
                    answers.push(Answer { requester: replay.requester, count: replay.count, ready });
                }
                if bank.mshr.is_empty() {
                    self.misses_under_way -= 1;
                }
            } else if let Some(line) = bank.mshr.next_fill() {
                self.counters.fills += 1;
                if let Victim::Dirty(line) = self.tags.insert(line, false) {
                    self.counters.write_backs += 1;
                    self.send_below(now, line, below);
                }
            }
            if !self.banks[index as usize].mshr.wants_bank() {
                self.wanted &= !(1 << index);
            }
        }
    }

    /// Offers one request in cycle `now`, after [`Cache::tick`] of that cycle. What it needs from below goes to `below`.
    #[inline]
    pub fn offer(
        &mut self,
        now: u64,
        line: u32,
        direction: Direction,
        requester: u32,
        below: &mut Vec<LineRequest>,
    ) -> Offer {
        let index = (line & self.bank_mask) as usize;
        let bank = &mut self.banks[index];
        if bank.cycle == now {
            return self.offer_to_further_port(index, line, direction, requester);
        }
        if direction == Direction::Write {
            return self.offer_write(now, line, requester, below);
        }
        if bank.mshr.is_full() {
            self.counters.mshr_stalls += 1;
            return Offer::Refused;
        }
        if now < self.usable_from {
            self.counters.reset_stalls += 1;
            return Offer::Refused;
        }
        self.counters.reads += 1;
        let is_hit = self.model == MemoryModel::Perfect || self.tags.touch(line, false);
        let entered = if is_hit {
            self.counters.read_hits += 1;
            Entered::Ready(now + self.latency)
        } else {
            let reserved = self.miss(now, line, requester, false, below);
            if reserved.is_first {
                self.counters.read_misses += 1;
            } else {
                self.counters.read_merged += 1;
            }
            Entered::Waiting(reserved.register)
        };
        self.enter(now, line, direction, requester, entered);
        if is_hit { Offer::Ready(now + self.latency) } else { Offer::Waiting }
    }

    fn offer_write(&mut self, now: u64, line: u32, requester: u32, below: &mut Vec<LineRequest>) -> Offer {
        let index = (line & self.bank_mask) as usize;
        let is_through = self.write_policy == WritePolicy::Through;
        let is_perfect = self.model == MemoryModel::Perfect;
        if !is_perfect && is_through && self.writes_under_way >= self.write_credits {
            self.counters.credit_stalls += 1;
            return Offer::Refused;
        }
        if !is_through && self.banks[index].mshr.is_full() {
            self.counters.mshr_stalls += 1;
            return Offer::Refused;
        }
        if now < self.usable_from {
            self.counters.reset_stalls += 1;
            return Offer::Refused;
        }
        self.counters.writes += 1;
        let mut entered = Entered::Ready(now + self.latency);
        if is_perfect || self.tags.touch(line, !is_through) {
            self.counters.write_hits += 1;
        } else if is_through {
            self.counters.write_misses += 1;
        } else {
            let reserved = self.miss(now, line, NOBODY, true, below);
            if reserved.is_first {
                self.counters.write_misses += 1;
            } else {
                self.counters.write_merged += 1;
            }
            entered = Entered::Waiting(reserved.register);
        }
        if is_through && !is_perfect {
            self.send_below(now, line, below);
        }
        self.enter(now, line, Direction::Write, requester, entered);
        Offer::Ready(now + self.latency)
    }

    /// The bank is taken in this cycle; a port of it may still be free for the same line.
    fn offer_to_further_port(&mut self, index: usize, line: u32, direction: Direction, requester: u32) -> Offer {
        let bank = &mut self.banks[index];
        if bank.entered == Entered::Inside {
            self.counters.fill_stalls += 1;
            return Offer::Refused;
        }
        let is_same = bank.line == line && bank.direction == direction && bank.requester == requester;
        if !is_same || bank.free_ports == 0 {
            self.counters.bank_conflicts += 1;
            return Offer::Refused;
        }
        bank.free_ports -= 1;
        let ready = match bank.entered {
            Entered::Ready(ready) => Offer::Ready(ready),
            Entered::Waiting(register) => {
                bank.mshr.share(register);
                Offer::Waiting
            }
            Entered::Inside => Offer::Refused,
        };
        let is_waiting = ready == Offer::Waiting;
        let counters = &mut self.counters;
        match direction {
            Direction::Read => {
                counters.reads += 1;
                counters.port_hits += 1;
                *(if is_waiting { &mut counters.read_merged } else { &mut counters.read_hits }) += 1;
                ready
            }
            Direction::Write => {
                counters.writes += 1;
                counters.port_hits += 1;
                counters.write_port_hits += 1;
                if is_waiting {
                    counters.write_merged += 1;
                } else if self.model == MemoryModel::Perfect || self.tags.touch(line, false) {
                    counters.write_hits += 1;
                } else {
                    counters.write_misses += 1;
                }
                Offer::Ready(bank.cycle + self.latency)
            }
        }
    }

    fn enter(&mut self, now: u64, line: u32, direction: Direction, requester: u32, entered: Entered) {
        self.counters.bank_cycles += 1;
        let free_ports = self.ports - 1;
        let bank = &mut self.banks[(line & self.bank_mask) as usize];
        (bank.cycle, bank.entered, bank.line) = (now, entered, line);
        (bank.direction, bank.requester, bank.free_ports) = (direction, requester, free_ports);
    }

    fn miss(&mut self, now: u64, line: u32, requester: u32, is_write: bool, below: &mut Vec<LineRequest>) -> Reserved {
        let index = line & self.bank_mask;
        let mshr = &mut self.banks[index as usize].mshr;
        if mshr.is_empty() {
            self.misses_under_way += 1;
        }
        let reserved = mshr.reserve(line, requester, is_write);
        if reserved.is_first {
            let token = FillToken::new(self.place, index << 8 | u32::from(reserved.register));
            below.push(LineRequest { cycle: now, line, operation: LineOperation::Read, token });
        }
        reserved
    }

    fn send_below(&mut self, now: u64, line: u32, below: &mut Vec<LineRequest>) {
        self.writes_under_way += 1;
        self.counters.writes_below += 1;
        let token = FillToken::new(self.place, WRITE);
        below.push(LineRequest { cycle: now, line, operation: LineOperation::Write, token });
    }

    /// The shared level's answer has come: a line, which now wants its bank, or that a write was taken.
    pub(super) fn arrive(&mut self, token: FillToken) {
        let payload = token.payload();
        if payload & WRITE != 0 {
            self.writes_under_way -= 1;
            return;
        }
        let index = payload >> 8;
        self.banks[index as usize].mshr.arrive((payload & 0xff) as u8);
        self.wanted |= 1 << index;
    }

    /// The first conservation law between cache and neighbours that does not hold, in words; those among the counters alone
    /// stand in their table. To be asked when [`Cache::is_quiet`].
    pub fn broken_law(&self) -> Option<&'static str> {
        let c = &self.counters;
        let is_through = self.write_policy == WritePolicy::Through;
        let allocating = c.read_misses + if is_through { 0 } else { c.write_misses };
        let sent = if is_through && self.model == MemoryModel::Real { c.writes - c.write_port_hits } else { 0 };
        // A request that shares a register counts as a merged miss of its own; so every waiting request is replayed.
        let replayed = allocating + c.read_merged + c.write_merged;
        let laws = [
            (c.fills == allocating, "fills = misses that ask for a line"),
            (c.replays == replayed, "replays = misses + merged misses"),
            (c.writes_below == sent + c.write_backs, "writes below = writes sent through + evictions"),
            (!is_through || c.write_merged == 0, "a write that is not kept waits for no line"),
            (!is_through || c.write_backs == 0, "a write-through cache has no dirty line"),
        ];
        laws.iter().find(|(holds, _)| !holds).map(|(_, law)| *law)
    }
}

#[cfg(test)]
mod tests;
