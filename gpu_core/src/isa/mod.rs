//! The instruction set: each instruction told once in `table`, read by everything else.

pub mod table;
