//! WGSL to SIMT machine code, the kernels themselves, and a plain evaluator as reference.

pub mod interface;
pub mod ir;
