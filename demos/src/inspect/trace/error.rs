//! Why there is no trace.

use super::window::{Limit, Window};
use crate::load::StoreError;

/// Why a trace was not written; its path holds what it held before.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be written.
    #[error("there is no trace")]
    Store(#[from] StoreError),
    /// It would be too large, but a part of the window fits.
    #[error(
        "the trace would be larger than {limit} bytes; cycles {fits} fit: try --trace-window {fits}, or a larger --trace-limit"
    )]
    TooLarge {
        /// The most bytes.
        limit: Limit,
        /// The longest window from the same start that fits, to 64 cycles.
        fits: Window,
    },
    /// It would be too large, whatever the window.
    #[error("{limit} bytes do not hold even {cycles} cycles of this machine; a larger --trace-limit does")]
    TooSmall {
        /// The most bytes.
        limit: Limit,
        /// The cycles that were tried.
        cycles: u64,
    },
    /// The program ended too early.
    #[error("the run took {cycles} cycles, so it has none in the trace's window {window}")]
    Missed {
        /// How long it ran.
        cycles: u64,
        /// What was asked for.
        window: Window,
    },
}
