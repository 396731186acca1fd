//! Seeing inside the machine in time: a trace of what happened when, a profile of where the cycles went, a debugger.
//!
//! Before: a program, a scene or a workload, launched by [`watch::Watch`], which shows both what each cycle was spent on. After: a
//! file for Perfetto, a table, a page. `docs/inspect.md` shows how to use them.

pub mod code;
pub mod debugger;
pub mod heat;
pub mod profile;
#[cfg(test)]
mod samples;
pub mod trace;
pub mod watch;
