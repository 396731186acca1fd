//! A debugger that is the machine: it steps the same timed machine that `run` runs, forwards, and back by snapshots.
//!
//! `command` reads what is typed, `place` finds addresses, `stops` holds breakpoints, `history` the checkpoints, `session`
//! moves the machine, `show` prints it.

pub mod command;
mod history;
mod place;
pub mod session;
mod show;
mod stops;
#[cfg(test)]
mod tests;

pub use session::{Session, SessionError};
