//! The back half of the compiler against the plain interpreter: the same kernel, the same words.

mod agreement;
mod build;
mod fixed_kernels;
mod masks;
mod planted;
mod random_kernels;
mod run;
mod transcendental;
mod uniformity;
mod wgsl_kernels;
