//! What passes between a core's first-level caches and the shared level.
//!
//! A core collects [`LineRequest`]s while it runs; at the window's edge the shared level answers each with one [`Fill`].

use serde::{Deserialize, Serialize};

/// What the shared level is asked to do with a line.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineOperation {
    /// Send it.
    Read,
    /// Take data.
    Write,
    /// Read and change a word of it.
    Atomic,
}

/// One line that a core asks for or sends.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRequest {
    /// When it left the first level.
    pub cycle: u64,
    /// Which line: byte address divided by the line's size.
    pub line: u32,
    /// What to do with it.
    pub operation: LineOperation,
    /// Who asked; comes back in the [`Fill`].
    pub token: FillToken,
}

/// The answer to one [`LineRequest`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fill {
    /// When it arrives: at least the request's cycle plus the fixed latency to the shared level.
    pub cycle: u64,
    /// Who asked.
    pub token: FillToken,
}

/// Which part of a core waits for an answer: opaque to the shared level.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FillToken(pub(super) u32);
