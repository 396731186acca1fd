//! What an instruction costs: the cycle model. Sees the table row and the record of what was done; never a register or
//! the contents of memory, so it cannot change a value.

pub mod cache;
mod calendar;
mod coalescer;
mod commit;
mod control;
pub mod core;
pub mod core_memory;
pub mod dram;
mod fill_queue;
pub mod front_end;
pub mod function_units;
mod issue;
pub mod l2;
pub mod line_request;
pub mod local_memory;
pub mod lsu;
pub mod memory_timing;
mod mshr;
pub mod operands;
pub mod rows;
mod saved;
pub mod scheduler;
pub mod scoreboard;
pub mod shared_level;
mod tags;
mod tally;
pub mod texture_unit;
