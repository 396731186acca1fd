//! The memory side of one core: load-store unit, local memory, texture unit, and the three first-level caches.
//!
//! Before: the core's execute and fetch stages hand in accesses with a token. After: [`CoreMemory::responses`] says
//! for each token in which cycle its data is there; [`CoreMemory::outgoing`] is what the shared level gets at the
//! window's edge. Tags and times only: no value passes through here.

use super::cache::{Answer, Cache, Direction, Offer};
use super::fill_queue::FillQueue;
use super::line_request::{Fill, LineRequest};
use super::local_memory::LocalMemory;
use super::lsu::{ATOMIC_PLACE, Lsu};
use super::memory_timing::{MemoryTiming, TexelCache};
use super::texture_unit::{TEXTURE_REQUESTER, TextureUnit};
use crate::counters::{CoreCounters, LsuCounters};
use crate::retired::{MemoryAccess, TexelAccess};
use crate::units::ThreadMask;
use serde::{Deserialize, Serialize};

/// Who is answered.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Requester {
    /// [`CoreMemory::fetch`].
    Fetch,
    /// [`CoreMemory::access`].
    Access,
    /// [`CoreMemory::sample`].
    Sample,
}

/// One answer. Each fetch that missed, each access (stores too) and each sample gets exactly one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// When the data can be used: after the cycle in which it is told, by less than 256. A store is done then as far as
    /// the core is concerned.
    pub cycle: u64,
    /// What was asked.
    pub requester: Requester,
    /// The token it was asked with.
    pub token: u32,
}

/// What becomes of a fetch.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fetch {
    /// A hit: the word is there in this cycle. No [`Response`] follows.
    Hit(u64),
    /// A miss: a [`Response`] follows.
    Miss,
    /// Not taken (the cache is busy or full): ask again in the next cycle.
    Refused,
}

/// Whether the caches keep their lines.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// Empty caches.
    Cold,
    /// Caches as the last launch left them.
    Warm,
}

/// The memory side of one core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoreMemory {
    line_shift: u32,
    texel_cache: TexelCache,
    icache: Cache,
    dcache: Cache,
    tcache: Cache,
    lsu: Lsu,
    local: LocalMemory,
    texture: TextureUnit,
    fills: FillQueue,
    answers: Vec<Answer>,
    responses: Vec<Response>,
    outgoing: Vec<LineRequest>,
}

/// Places in fill tokens; [`ATOMIC_PLACE`] is the fourth.
const ICACHE: u32 = 0;
const DCACHE: u32 = 1;
const TCACHE: u32 = 2;

impl CoreMemory {
    /// Cold caches, nothing under way.
    pub fn new(timing: &MemoryTiming) -> Self {
        let (line, model) = (timing.line_bytes, timing.model);
        let mut new = Self {
            line_shift: line.trailing_zeros(),
            texel_cache: timing.texture.cache,
            icache: Cache::new(&timing.icache, line, model, ICACHE),
            dcache: Cache::new(&timing.dcache, line, model, DCACHE),
            tcache: Cache::new(&timing.tcache, line, model, TCACHE),
            lsu: Lsu::new(&timing.lsu, line),
            local: LocalMemory::new(&timing.local),
            texture: TextureUnit::new(&timing.texture, line),
            fills: FillQueue::default(),
            answers: Vec::new(),
            responses: Vec::new(),
            outgoing: Vec::new(),
        };
        new.restart(Start::Cold);
        new
    }

    /// Begins a launch at cycle 0 with counters of zero. Only when quiet.
    pub fn restart(&mut self, start: Start) {
        for cache in [&mut self.icache, &mut self.dcache, &mut self.tcache] {
            cache.restart();
            if start == Start::Cold {
                cache.forget(0);
            }
        }
        self.lsu.restart();
        self.local.restart();
        self.texture.restart();
    }

    /// One cycle of all blocks. To be called once for each cycle in ascending order, before the core's own stages of
    /// that cycle; cycles before [`CoreMemory::next_event`] may be left out as long as nothing is handed in.
    #[inline]
    pub fn tick(&mut self, now: u64) {
        while let Some(fill) = self.fills.take(now) {
            self.arrive(now, fill);
        }
        if self.icache.is_busy() {
            self.icache.tick(now, &mut self.answers, &mut self.outgoing);
            for answer in self.answers.drain(..) {
                let (cycle, token) = (answer.ready, answer.requester);
                self.responses.push(Response { cycle, requester: Requester::Fetch, token });
            }
        }
        self.dcache.tick(now, &mut self.answers, &mut self.outgoing);
        self.tcache.tick(now, &mut self.answers, &mut self.outgoing);
        if !self.answers.is_empty() {
            self.pass_answers_on();
        }
        // Where the two share a cache they take turns in going first.
        if self.texel_cache == TexelCache::Data && now & 1 != 0 {
            self.tick_texture(now);
            self.tick_lsu(now);
        } else {
            self.tick_lsu(now);
            self.tick_texture(now);
        }
    }

    #[inline]
    fn tick_lsu(&mut self, now: u64) {
        let responses = &mut self.responses;
        let done = |(token, cycle)| responses.push(Response { cycle, requester: Requester::Access, token });
        self.lsu.tick(now, &mut self.dcache, &mut self.local, &mut self.outgoing, done);
    }

    #[inline]
    fn tick_texture(&mut self, now: u64) {
        let responses = &mut self.responses;
        let done = |(token, cycle)| responses.push(Response { cycle, requester: Requester::Sample, token });
        let cache = match self.texel_cache {
            TexelCache::Own => &mut self.tcache,
            TexelCache::Data => &mut self.dcache,
        };
        self.texture.tick(now, cache, &mut self.outgoing, done);
    }

    fn arrive(&mut self, now: u64, fill: Fill) {
        match fill.token.place() {
            ICACHE => self.icache.arrive(fill.token),
            DCACHE => self.dcache.arrive(fill.token),
            TCACHE => self.tcache.arrive(fill.token),
            place => {
                debug_assert_eq!(place, ATOMIC_PLACE);
                let responses = &mut self.responses;
                let done = |(token, cycle)| responses.push(Response { cycle, requester: Requester::Access, token });
                self.lsu.atomic_answer(fill.token, now, done);
            }
        }
    }

    /// The mergers of data and texture cache hand answers to those who asked.
    fn pass_answers_on(&mut self) {
        let responses = &mut self.responses;
        for answer in self.answers.drain(..) {
            if answer.requester & TEXTURE_REQUESTER != 0 {
                let done = |(token, cycle)| responses.push(Response { cycle, requester: Requester::Sample, token });
                self.texture.answer(&answer, done);
            } else {
                let done = |(token, cycle)| responses.push(Response { cycle, requester: Requester::Access, token });
                self.lsu.answer(&answer, done);
            }
        }
    }

    /// The next cycle in which [`CoreMemory::tick`] has something to do, as far as is known now; `None` when all is quiet
    /// until something is handed in or a fill comes.
    #[inline]
    pub fn next_event(&self, now: u64) -> Option<u64> {
        if self.icache.is_busy() || self.dcache.is_busy() || self.tcache.is_busy() {
            return Some(now + 1);
        }
        let or_never = |event: Option<u64>| event.unwrap_or(u64::MAX);
        let units = or_never(self.lsu.next_event(now)).min(or_never(self.texture.next_event(now)));
        let next = or_never(self.fills.next_cycle()).min(units);
        (next != u64::MAX).then_some(next)
    }

    /// Whether the load-store unit can take an access in this cycle.
    #[inline]
    pub fn can_access(&self, now: u64) -> bool {
        self.lsu.can_accept(now)
    }

    /// Hands in the load, store or atomic of the lanes of `mask`, which arrives at the unit in cycle `arrival`: this one or a
    /// later one. Only after [`CoreMemory::can_access`] said yes in this cycle. Accesses keep the order of hand-in.
    pub fn access(&mut self, arrival: u64, token: u32, mask: ThreadMask, access: &MemoryAccess) {
        self.lsu.accept(arrival, token, mask, access, &self.local);
    }

    /// Whether the texture unit can take a batch in this cycle.
    #[inline]
    pub fn can_sample(&self, now: u64) -> bool {
        self.texture.can_accept(now)
    }

    /// Hands in the `tex` of the lanes of `mask`, which arrives at the unit in cycle `arrival`: this one or a later one. Only
    /// after [`CoreMemory::can_sample`] said yes in this cycle. Batches keep the order of hand-in.
    pub fn sample(&mut self, arrival: u64, token: u32, mask: ThreadMask, texels: &TexelAccess) {
        self.texture.accept(arrival, token, mask, texels);
    }

    /// Fetches the instruction at `address`. At most one fetch a cycle, after [`CoreMemory::tick`]. The token must not be
    /// `u32::MAX`.
    #[inline]
    pub fn fetch(&mut self, now: u64, token: u32, address: u32) -> Fetch {
        match self.icache.offer(now, address >> self.line_shift, Direction::Read, token, &mut self.outgoing) {
            Offer::Ready(cycle) => Fetch::Hit(cycle),
            Offer::Waiting => Fetch::Miss,
            Offer::Refused => Fetch::Refused,
        }
    }

    /// Answers that became known since the list was last emptied: the caller reads it and calls `clear` on it.
    #[inline]
    pub fn responses(&mut self) -> &mut Vec<Response> {
        &mut self.responses
    }

    /// Lines asked for or sent since the list was last emptied, in ascending order of cycles. The shared level empties it.
    pub fn outgoing(&mut self) -> &mut Vec<LineRequest> {
        &mut self.outgoing
    }

    /// An answer of the shared level. Fills may be handed in for future cycles in any order.
    pub fn fill(&mut self, fill: Fill) {
        self.fills.insert(fill);
    }

    /// Whether every access, sample and fetch has been answered (the answers' cycles may lie ahead) and no store or line is
    /// on its way: what `fence` waits for, and the end of a launch.
    pub fn is_quiet(&self) -> bool {
        self.lsu.is_quiet()
            && self.texture.is_quiet()
            && self.dcache.is_quiet()
            && self.tcache.is_quiet()
            && self.icache.is_quiet()
    }

    /// `fence.i`: the instruction cache forgets its lines.
    pub fn forget_instructions(&mut self, now: u64) {
        self.icache.forget(now);
    }

    /// The instruction cache, for its counters.
    pub fn icache(&self) -> &Cache {
        &self.icache
    }

    /// The data cache, for its counters.
    pub fn dcache(&self) -> &Cache {
        &self.dcache
    }

    /// The texture cache, for its counters.
    pub fn tcache(&self) -> &Cache {
        &self.tcache
    }

    /// The load-store unit, for its counters.
    pub fn lsu(&self) -> &Lsu {
        &self.lsu
    }

    /// Local memory, for its counters.
    pub fn local(&self) -> &LocalMemory {
        &self.local
    }

    /// The texture unit, for its counters.
    pub fn texture(&self) -> &TextureUnit {
        &self.texture
    }

    /// Fills in the memory side's part of a core's counters; the others, fences too, stay as they are.
    pub fn count(&self, core: &mut CoreCounters) {
        core.icache = self.icache.counters().clone();
        core.dcache = self.dcache.counters().clone();
        core.tcache = self.tcache.counters().clone();
        core.lsu = LsuCounters { fences: core.lsu.fences, ..self.lsu.counters().clone() };
        core.local = self.local.counters().clone();
        core.texture = self.texture.counters().clone();
    }

    /// Lines asked of the shared level, lines sent to it, and atomics, since the launch: what it must have counted.
    pub fn sent_below(&self) -> [u64; 3] {
        let caches = [&self.icache, &self.dcache, &self.tcache].map(Cache::counters);
        let reads = caches.iter().map(|c| c.fills).sum();
        let writes = caches.iter().map(|c| c.writes_below).sum();
        [reads, writes, self.lsu.counters().atomic_requests]
    }

    /// The first conservation law that does not hold, and where. To be asked when [`CoreMemory::is_quiet`].
    pub fn broken_law(&self) -> Option<(&'static str, &'static str)> {
        let texels = self.texture.counters().fetched;
        let own = self.texel_cache == TexelCache::Own;
        let lsu = self.lsu.counters();
        let data = lsu.requests - lsu.atomic_requests + if own { 0 } else { texels };
        let across = [
            (self.dcache.counters().accesses() == data, "accesses of the data cache = requests of those above it"),
            (
                self.tcache.counters().accesses() == if own { texels } else { 0 },
                "accesses of its cache = texel requests",
            ),
        ];
        let across = across.iter().find(|(holds, _)| !holds).map(|(_, law)| *law);
        let laws = [
            ("icache", self.icache.broken_law()),
            ("dcache", self.dcache.broken_law()),
            ("tcache", self.tcache.broken_law()),
            ("lsu", self.lsu.broken_law()),
            ("core", across),
        ];
        laws.into_iter().find_map(|(block, law)| Some((block, law?)))
    }
}

#[cfg(test)]
mod tests;
