//! What an instruction costs: the cycle model. Sees the table row and the record of what was done; never a register or
//! the contents of memory, so it cannot change a value.

pub mod cache;
mod coalescer;
pub mod core_memory;
pub mod dram;
mod fill_queue;
pub mod l2;
pub mod line_request;
pub mod local_memory;
pub mod lsu;
pub mod memory_timing;
mod mshr;
pub mod shared_level;
mod tags;
pub mod texture_unit;
