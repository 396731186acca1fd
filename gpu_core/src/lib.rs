//! The simulated RISC-V SIMT machine: instruction set, meaning, memory, launch. Knows nothing of graphics.

pub mod benchmark;
pub mod config;
pub mod counters;
#[cfg(feature = "fast")]
mod fast;
pub mod gpu;
pub mod hash;
pub mod isa;
pub mod launcher;
pub mod load;
pub mod machine_manual;
mod meeting;
pub mod memory;
pub mod observe;
pub mod program;
pub mod races;
pub mod retired;
pub mod semantics;
pub mod snapshot;
mod timed;
pub mod timing;
pub mod trap;
pub mod units;
mod untimed;
