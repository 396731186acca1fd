//! WGSL to SIMT machine code, the kernels themselves, and a plain evaluator as reference.

pub mod abi;
pub mod accepted;
mod accesses;
mod allocate;
pub mod builtins;
pub mod compile;
pub mod diagnostic;
pub mod divergence;
mod emit;
pub mod evaluate;
pub mod front_end;
pub mod interface;
pub mod interpret;
pub mod ir;
pub mod kernels;
pub mod launch;
mod legalize;
pub mod link;
mod lower;
mod machine_code;
pub mod module;
mod nesting;
mod optimize;
pub mod options;
pub mod prelude;
pub mod tile_records;
pub mod translate;
