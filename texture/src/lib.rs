//! What a texel is, and how one is sampled. Plain data and plain functions; no GPU in sight.
//!
//! The life of a texel: a picture becomes an [`Image`] (`image`), gets a chain of smaller levels (`mipmap`) and a
//! [`Stage`] that says where it lies in memory (`stage`). A sample then takes three steps: normalised coordinates become
//! addresses and weights (`footprint`), the caller fetches the bytes, and bytes and weights become one colour
//! (`filter`). `sampler` puts the three together, for one lane and for a whole warp.
//!
//! Source of the arithmetic: the texture unit of Vortex and Skybox (2024), which this model equals bit for bit where that
//! unit defines a result. What is added or done differently is said where it is done: sizes that are not powers of two
//! and clamped levels (`footprint`, `stage`), border and mirror (`footprint`), further formats (`format`), coordinates
//! beyond ±128 (`coordinate`), layers (`stage`), and two forms of our own (`lookup`): one whose third operand also says
//! filter and layer, and a wide one that gives one channel in `f32` (`channel`). Block-compressed pictures are decoded when
//! the image is made (`block_compressed`); a part of an image is replaced by `update`.

pub mod block_compressed;
pub mod channel;
pub mod coordinate;
pub mod filter;
pub mod fixed;
pub mod footprint;
pub mod footprint_warp;
pub mod format;
mod format_name;
pub mod image;
pub mod lookup;
pub mod mipmap;
pub mod sampler;
#[cfg(test)]
mod seeded;
pub mod srgb;
pub mod stage;
pub mod update;

pub use block_compressed::{BlockError, BlockFormat, Encoding};
pub use coordinate::coordinate_from_f32;
pub use filter::{filter, filter_f32, lerp_f32, lerp_packed};
pub use fixed::Fixed;
pub use footprint::{Footprint, Tap, footprint, footprint_at};
pub use footprint_warp::{WarpFootprint, footprint_warp};
pub use format::{Format, Sampled};
pub use image::{Image, ImageError, Level};
pub use lookup::{Form, Lookup};
pub use sampler::{LevelOfDetail, Taps, answer, answer_warp, sample, sample_trilinear, sample_warp, taps};
pub use stage::{
    Filter, LevelGeometry, MAX_LAYERS, MAX_LEVELS, MAX_SIZE, Sampling, Stage, StageError, Wrap, level_count,
    level_extent,
};
pub use update::{Region, UpdateError};
