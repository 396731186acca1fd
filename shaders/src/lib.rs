//! WGSL to SIMT machine code, the kernels themselves, and a plain evaluator as reference.

pub mod accepted;
pub mod diagnostic;
pub mod evaluate;
pub mod front_end;
pub mod interface;
pub mod interpret;
pub mod ir;
pub mod link;
mod nesting;
pub mod prelude;
mod texture_stages;
pub mod tile_records;
pub mod translate;
