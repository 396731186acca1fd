//! A compute shader from a file, run with buffers, textures and samplers that somebody wrote down.
//!
//! Before: a file in one of `shaders::front_end::Language`, and the texts of options (`contents`, `textures`,
//! `samplers`). After: what the launch left in buffers and storage textures (`job`).

pub mod bind;
pub mod contents;
pub mod file;
pub mod images;
pub mod job;
pub mod samplers;
pub mod textures;

pub use bind::{BindError, Given};
pub use contents::{Contents, Element, Filled, Place, Shown, Stored};
pub use file::{Selected, ShaderError, ShaderFile};
pub use job::{Bound, Job, JobError};
pub use samplers::GivenSampler;
pub use textures::GivenTexture;
