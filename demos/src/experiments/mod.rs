//! Experiments: kernels that are measured, their inputs, and what must be true of their results before a figure counts.
//!
//! Each result is checked against plain Rust first; only then is a ratio printed. Inputs come from fixed seeds, so every
//! figure repeats to the cycle.

pub mod accuracy;
pub mod build;
pub mod codegen;
pub mod compute;
pub mod error;
pub mod figures;
pub mod machine;
pub mod reproduce;
pub mod sampler;
pub mod workload;
