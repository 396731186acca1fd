//! Why a draw's vertices cannot be made by its program.
//!
//! Before: nothing. After: `check`, which says so before anything is drawn, as a cause of `frame::RenderError`.

use shaders::interface::VaryingMismatch;

/// Vertices, instances counted apart, that a draw may have made by a program.
pub const MOST_SHADED: u64 = 1 << 24;

/// Vertices that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VertexStageError {
    /// The last vertices have no number.
    #[error("it has {count} vertices from number {first} on; numbers end at {}", u32::MAX)]
    First {
        /// The first vertex.
        first: u32,
        /// Vertices.
        count: u32,
    },
    /// The vertex shader does not give what the fragment shader reads.
    #[error(transparent)]
    Mismatch(#[from] VaryingMismatch),
    /// No buffer where the vertex shader's layouts want one.
    #[error("vertex buffer {slot} is not there")]
    NoBuffer {
        /// Which buffer.
        slot: usize,
    },
    /// A buffer that begins within a word.
    #[error("vertex buffer {slot} begins at offset {offset}, which is no multiple of 4")]
    Offset {
        /// Which buffer.
        slot: usize,
        /// Where it begins.
        offset: u32,
    },
    /// A buffer with less than the draw's vertices.
    #[error("vertex buffer {slot} has {bytes} bytes from its offset on; {elements} {what} of the draw need {needed}")]
    BufferTooSmall {
        /// Which buffer.
        slot: usize,
        /// Bytes that are there.
        bytes: u64,
        /// Vertices or instances, from number 0 to the draw's last one.
        elements: u64,
        /// "vertices" or "instances".
        what: &'static str,
        /// Bytes they take.
        needed: u64,
    },
    /// More vertices than are made at once.
    #[error("up to {count} vertices in all instances; a vertex program makes at most {MOST_SHADED}")]
    TooMany {
        /// How many, at most.
        count: u64,
    },
}
