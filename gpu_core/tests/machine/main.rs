//! The machine by its rules: each test names one, runs a small assembled program and looks at what it left.

mod arithmetic;
mod atomics;
mod barriers;
mod counters;
mod csrs;
mod determinism;
mod divergence;
mod launches;
mod memory;
mod progress;
mod random;
#[path = "../seeded/mod.rs"]
mod seeded;
mod snapshots;
mod support;
mod textures;
mod thread_masks;
mod timed_cycles;
mod timed_equals_untimed;
mod traps;
mod warps;
