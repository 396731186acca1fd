//! A compute shader from a file, run with buffers that somebody wrote down.
//!
//! Before: a file in one of `shaders::front_end::Language`, and the texts of options (`contents`). After: what the launch left
//! in the buffers (`job`).

pub mod contents;
pub mod file;
pub mod job;

pub use contents::{Contents, Element, Filled, Place, Shown, Stored};
pub use file::{Selected, ShaderError, ShaderFile};
pub use job::{Bound, Job, JobError};
