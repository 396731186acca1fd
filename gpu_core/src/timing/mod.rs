//! What an instruction costs: the cycle model. Sees the table row and the record of what was done; never a register or
//! the contents of memory, so it cannot change a value.

pub mod core_memory;
pub mod line_request;
pub mod memory_timing;
pub mod shared_level;
