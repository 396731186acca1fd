//! What the cores share: an optional L2 cache and DRAM.
//!
//! Before: each core's outgoing requests of a window. After: a fill for every request, which the core takes up in a
//! later window. Requests are served in the order (cycle, core), so any number of host threads gives the same times; the
//! level never refuses one: credits of the cores bound what is under way, and congestion shows as latency.

use super::core_memory::CoreMemory;
use super::memory_timing::MemoryTiming;
use crate::units::CoreId;
use serde::{Deserialize, Serialize};

/// L2 tags and the state of DRAM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedLevel {}

impl SharedLevel {
    /// Cold L2, all rows closed.
    pub fn new(_timing: &MemoryTiming) -> Self {
        Self {}
    }

    /// The longest window in which cores may run apart, in cycles.
    pub fn look_ahead(&self) -> u64 {
        todo!()
    }

    /// First step at the edge of a window (no longer than [`SharedLevel::look_ahead`]): takes what `core` asked for.
    pub fn collect(&mut self, _core: CoreId, _memory: &mut CoreMemory) {
        todo!()
    }

    /// Second step, after all cores were collected: serves all requests.
    pub fn serve(&mut self) {
        todo!()
    }

    /// Third step: hands `core` its fills.
    pub fn deliver(&mut self, _core: CoreId, _memory: &mut CoreMemory) {
        todo!()
    }

    /// When the last request served so far is done.
    pub fn drained(&self) -> u64 {
        todo!()
    }
}
