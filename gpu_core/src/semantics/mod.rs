//! What an instruction means for a warp. Knows no cycle.

pub mod float;
