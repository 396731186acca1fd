//! The instruction set: each instruction told once in `table`, read by everything else.

pub mod assembler;
pub mod csr;
pub mod disassembler;
pub mod encoding;
pub mod extension_set;
pub mod float_constants;
pub mod fusion;
pub mod manual;
pub mod registers;
pub mod table;

pub use assembler::{AssembleError, assemble};
pub use encoding::{EncodeError, Instruction, decode, decode_for, encode};
pub use extension_set::ExtensionSet;
pub use table::{Extension, Op, Operand, SPECS, Spec, Unit};
