//! The instruction set: each instruction told once in `table`, read by everything else.

pub mod csr;
pub mod encoding;
pub mod extension_set;
pub mod table;

pub use encoding::{DecodeTable, EncodeError, Instruction, decode, encode};
pub use extension_set::ExtensionSet;
pub use table::{Extension, Op, Operand, SPECS, Spec, Unit};
