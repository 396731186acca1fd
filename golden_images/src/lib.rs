//! Golden pictures: a reference PNG for every scene and filter, and the comparison that keeps them.
//!
//! Pictures are compared as decoded pixels, never as files. A missing picture or another size fails. `UPDATE_GOLDEN=1`
//! renews the reference, and the test still fails once, saying what it wrote.

pub mod compare;
pub mod picture;
pub mod scene_picture;
#[cfg(feature = "wgpu")]
pub mod wgpu_backend;
