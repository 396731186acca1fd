//! The simulated RISC-V SIMT machine: instruction set, meaning, memory, launch. Knows nothing of graphics.

pub mod isa;
pub mod program;
pub mod semantics;
pub mod units;
