//! What an instruction means for a warp. Knows no cycle.
//!
//! Before: `isa` decodes a word. After: the run loop, and later `timing` and observers, read the [`Retired`] record.
//! [`step`](fn@step) executes one instruction of one warp; what other cores must see in order (atomics, fences) it
//! leaves as a request that [`complete`] serves. One file holds one family of instructions.

mod addresses;
pub mod code;
mod control;
pub mod core_state;
mod csr;
#[cfg(test)]
mod empty_mask_tests;
pub mod float;
mod float_lanes;
mod integer;
mod mask;
mod memory_access;
mod step;
mod texture_unit;
pub mod transcendental;
mod vote;
pub mod warp;

pub use crate::retired;
pub use crate::retired::Retired;
pub use code::Code;
pub use core_state::CoreState;
pub use memory_access::complete;
pub use step::step;
pub(crate) use step::trap_at;
pub use warp::Warp;

use crate::trap::TrapKind;
use crate::units::ThreadMask;

/// Why an instruction cannot be executed; `step` adds the place and makes a trap of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The lanes at fault.
    pub lanes: ThreadMask,
    /// What happened.
    pub kind: TrapKind,
}
