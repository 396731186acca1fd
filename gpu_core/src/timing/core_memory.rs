//! The memory side of one core: load-store unit, local memory, texture unit, and the three first-level caches.
//!
//! Before: the core's execute and fetch stages hand in accesses with a token. After: [`CoreMemory::responses`] says
//! for each token in which cycle its data is there; [`CoreMemory::outgoing`] is what the shared level gets at the
//! window's edge. Tags and times only: no value passes through here.

use super::line_request::{Fill, LineRequest};
use super::memory_timing::MemoryTiming;
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

/// One answer. Each fetch, access (stores too) and sample gets exactly one.
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

/// The memory side of one core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoreMemory {
    responses: Vec<Response>,
    outgoing: Vec<LineRequest>,
}

impl CoreMemory {
    /// Cold caches, nothing in flight.
    pub fn new(_timing: &MemoryTiming) -> Self {
        Self { responses: Vec::new(), outgoing: Vec::new() }
    }

    /// One cycle of all blocks. To be called once for each cycle in ascending order, before the core's own stages of
    /// that cycle; cycles before [`CoreMemory::next_event`] may be left out as long as nothing is handed in.
    pub fn tick(&mut self, _now: u64) {
        todo!()
    }

    /// The next cycle in which [`CoreMemory::tick`] has something to do, as far as is known now; `None` when all is quiet
    /// until something is handed in or a fill comes.
    pub fn next_event(&self, _now: u64) -> Option<u64> {
        todo!()
    }

    /// Whether the load-store unit can take an access in this cycle.
    pub fn can_access(&self) -> bool {
        todo!()
    }

    /// Hands in the load, store or atomic of the lanes of `mask`. Only after [`CoreMemory::can_access`] said yes in this cycle.
    pub fn access(&mut self, _now: u64, _token: u32, _mask: ThreadMask, _access: &MemoryAccess) {
        todo!()
    }

    /// Whether the texture unit can take a batch in this cycle.
    pub fn can_sample(&self) -> bool {
        todo!()
    }

    /// Hands in the `tex` of the lanes of `mask`. Only after [`CoreMemory::can_sample`] said yes in this cycle.
    pub fn sample(&mut self, _now: u64, _token: u32, _mask: ThreadMask, _texels: &TexelAccess) {
        todo!()
    }

    /// Fetches the instruction at `address`. At most one fetch a cycle.
    pub fn fetch(&mut self, _now: u64, _token: u32, _address: u32) -> Fetch {
        todo!()
    }

    /// Answers that became known since the list was last emptied: the caller reads it and calls `clear` on it.
    pub fn responses(&mut self) -> &mut Vec<Response> {
        &mut self.responses
    }

    /// Lines asked for or sent since the list was last emptied, in ascending order of cycles. The shared level empties it.
    pub fn outgoing(&mut self) -> &mut Vec<LineRequest> {
        &mut self.outgoing
    }

    /// An answer of the shared level. Fills may be handed in for future cycles in any order.
    pub fn fill(&mut self, _fill: Fill) {
        todo!()
    }

    /// Whether no access, sample, fetch or store is under way: what `fence` waits for, and the end of a launch.
    pub fn is_quiet(&self) -> bool {
        todo!()
    }

    /// `fence.i`: the instruction cache forgets its lines.
    pub fn forget_instructions(&mut self) {
        todo!()
    }
}
