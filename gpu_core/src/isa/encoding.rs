//! Words ↔ instructions: both directions read the rows of `table` and nothing else.
//!
//! Before: a word from memory, or an instruction from the assembler or the compiler. After: an [`Instruction`] for
//! `semantics`, or a word for a code segment. Layouts: the RISC-V unprivileged specification, "RV32I Base Integer
//! Instruction Set", immediate encoding variants.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::LazyLock;

use super::extension_set::ExtensionSet;
use super::table::{Op, Operand, SPECS, Spec};

/// Number of the dynamic rounding mode: the instruction takes the mode of `frm`.
pub const DYNAMIC_ROUNDING: u8 = 7;

/// Rounding modes by their number in bits 14:12; 5 and 6 are reserved and trap when executed.
pub const ROUNDING_MODES: [&str; 8] = ["rne", "rtz", "rdn", "rup", "rmm", "rm5", "rm6", "dyn"];

/// One decoded instruction. A field that its row's operands do not name is zero.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// Which row of the table.
    pub op: Op,
    /// Destination register 0–31; the row says whether of the integer or the float file.
    pub rd: u8,
    /// First source register 0–31; also the 5-bit immediate of `csrrwi`, `csrrsi`, `csrrci` and the index of `fli.s`.
    pub rs1: u8,
    /// Second source register 0–31.
    pub rs2: u8,
    /// Third source register 0–31.
    pub rs3: u8,
    /// The immediate as the instruction uses it: a sign-extended number, a byte offset, for `lui` and `auipc` the
    /// 32-bit value whose low 12 bits are zero, a shift amount, a CSR number 0–4095, `aq << 1 | rl` of an atomic,
    /// `predecessors << 4 | successors` of a fence.
    pub imm: i32,
    /// Rounding mode 0–7, 7 being [`DYNAMIC_ROUNDING`].
    pub rm: u8,
    /// Bits 26:25: texture stage, or shift selector of `imadd`.
    pub funct2: u8,
}

impl Instruction {
    /// The instruction with all operands zero, and the dynamic rounding mode if it takes one.
    pub const fn new(op: Op) -> Self {
        let operands = op.spec().operands;
        let rounds = !operands.is_empty() && matches!(operands[operands.len() - 1], Operand::Rm);
        let rm = if rounds { DYNAMIC_ROUNDING } else { 0 };
        Self { op, rd: 0, rs1: 0, rs2: 0, rs3: 0, imm: 0, rm, funct2: 0 }
    }

    /// The registers it reads: bit r is `x r`, bit 32 + r is `f r`; `x0` never counts.
    pub fn uses(&self) -> u64 {
        self.op.spec().operands.iter().fold(0, |mask, operand| {
            mask | match operand {
                Operand::Rs1 | Operand::MemI | Operand::MemS | Operand::Addr => integer_bit(self.rs1),
                Operand::Rs2 => integer_bit(self.rs2),
                Operand::Rs3 => integer_bit(self.rs3),
                Operand::Fs1 => float_bit(self.rs1),
                Operand::Fs2 => float_bit(self.rs2),
                Operand::Fs3 => float_bit(self.rs3),
                _ => 0,
            }
        })
    }

    /// The registers it writes, in the form of [`Instruction::uses`].
    pub fn defines(&self) -> u64 {
        self.op.spec().operands.iter().fold(0, |mask, operand| {
            mask | match operand {
                Operand::Rd => integer_bit(self.rd),
                Operand::Fd => float_bit(self.rd),
                _ => 0,
            }
        })
    }
}

/// Saved as its word.
impl Serialize for Instruction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        encode(self).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Instruction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = u32::deserialize(deserializer)?;
        decode(word).ok_or_else(|| serde::de::Error::custom(format!("{word:#010x} is no instruction")))
    }
}

/// The mask of `x register`, empty for `x0`, which holds nothing.
const fn integer_bit(register: u8) -> u64 {
    (1 << (register & 31)) & !1
}

/// The mask of `f register`.
const fn float_bit(register: u8) -> u64 {
    1 << (32 + (register & 31))
}

/// Why an instruction has no word.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A register field above 31.
    #[error("`{mnemonic}` names register {register}, registers are 0 to 31")]
    Register {
        /// The instruction.
        mnemonic: &'static str,
        /// What was given.
        register: u8,
    },
    /// An immediate, offset, mode or selector that its field cannot hold.
    #[error("`{mnemonic}` takes {what} from {minimum} to {maximum}, not {value}")]
    Range {
        /// The instruction.
        mnemonic: &'static str,
        /// Which operand.
        what: &'static str,
        /// What was given.
        value: i64,
        /// Smallest value that fits.
        minimum: i64,
        /// Largest value that fits.
        maximum: i64,
    },
    /// An offset or upper immediate with low bits that its field does not have.
    #[error("`{mnemonic}` takes {what} in multiples of {multiple}, {value} is none")]
    Multiple {
        /// The instruction.
        mnemonic: &'static str,
        /// Which operand.
        what: &'static str,
        /// What was given.
        value: i64,
        /// The step.
        multiple: i64,
    },
}

/// The word of an instruction; fields that the row does not name are ignored.
pub fn encode(instruction: &Instruction) -> Result<u32, EncodeError> {
    let spec = instruction.op.spec();
    let mut word = spec.value;
    for &operand in spec.operands {
        word |= encode_operand(spec, operand, instruction)?;
    }
    Ok(word)
}

/// The bits of one operand in place.
fn encode_operand(spec: &Spec, operand: Operand, instruction: &Instruction) -> Result<u32, EncodeError> {
    let mnemonic = spec.mnemonic;
    let register = |number: u8, shift: u32| match number {
        0..32 => Ok(u32::from(number) << shift),
        _ => Err(EncodeError::Register { mnemonic, register: number }),
    };
    let range = |what: &'static str, value: i64, minimum: i64, maximum: i64| {
        if (minimum..=maximum).contains(&value) {
            Ok(value as u32)
        } else {
            Err(EncodeError::Range { mnemonic, what, value, minimum, maximum })
        }
    };
    let imm = i64::from(instruction.imm);
    let multiple = |what: &'static str, multiple: i64| match imm % multiple {
        0 => Ok(()),
        _ => Err(EncodeError::Multiple { mnemonic, what, value: imm, multiple }),
    };
    Ok(match operand {
        Operand::Rd | Operand::Fd => register(instruction.rd, 7)?,
        Operand::Rs1 | Operand::Fs1 => register(instruction.rs1, 15)?,
        Operand::Rs2 | Operand::Fs2 => register(instruction.rs2, 20)?,
        Operand::Rs3 | Operand::Fs3 => register(instruction.rs3, 27)?,
        Operand::ImmI => range("an immediate", imm, -2048, 2047)? << 20,
        Operand::ImmB => {
            let bits = range("a branch offset in bytes", imm, -4096, 4094)?;
            multiple("a branch offset in bytes", 2)?;
            (bits & 0x1000) << 19 | (bits & 0x7e0) << 20 | (bits & 0x1e) << 7 | (bits & 0x800) >> 4
        }
        Operand::ImmU => {
            multiple("an upper immediate", 4096)?;
            instruction.imm as u32
        }
        Operand::ImmJ => {
            let bits = range("a jump offset in bytes", imm, -(1 << 20), (1 << 20) - 2)?;
            multiple("a jump offset in bytes", 2)?;
            (bits & 0x10_0000) << 11 | (bits & 0x7fe) << 20 | (bits & 0x800) << 9 | (bits & 0xf_f000)
        }
        Operand::Shamt => range("a shift amount", imm, 0, 31)? << 20,
        Operand::MemI => range("an offset", imm, -2048, 2047)? << 20 | register(instruction.rs1, 15)?,
        Operand::MemS => {
            let bits = range("an offset", imm, -2048, 2047)?;
            (bits & 0xfe0) << 20 | (bits & 0x1f) << 7 | register(instruction.rs1, 15)?
        }
        Operand::Addr => range("ordering bits", imm, 0, 3)? << 25 | register(instruction.rs1, 15)?,
        Operand::Csr => range("a CSR number", imm, 0, 0xfff)? << 20,
        Operand::Zimm => range("an immediate", i64::from(instruction.rs1), 0, 31)? << 15,
        Operand::Rm => range("a rounding mode", i64::from(instruction.rm), 0, 7)? << 12,
        Operand::Funct2 => range("a selector", i64::from(instruction.funct2), 0, 3)? << 25,
        Operand::FliIndex => range("a constant's index", i64::from(instruction.rs1), 0, 31)? << 15,
        Operand::Fence => range("fence sets", imm, 0, 0xff)? << 20,
    })
}

/// The instruction of a word, whatever extensions a machine has; [`decode_for`] asks for those too.
pub fn decode(word: u32) -> Option<Instruction> {
    DECODE_TABLE.decode(word, ExtensionSet::ALL)
}

/// The instruction of a word on a machine with these extensions.
pub fn decode_for(extensions: ExtensionSet, word: u32) -> Option<Instruction> {
    DECODE_TABLE.decode(word, extensions)
}

static DECODE_TABLE: LazyLock<DecodeTable> = LazyLock::new(DecodeTable::new);

/// The rows sorted for look-up: opcode, funct3 and the upper five bits pick a short list, the masks decide.
struct DecodeTable {
    /// For each key the (first, past last) of its candidates.
    lists: Vec<(u16, u16)>,
    /// (value, mask, op), grouped by key.
    candidates: Vec<(u32, u32, Op)>,
}

/// The bits of a word that the key is made of: 31:27, 14:12, 6:2.
const KEY_BITS: u32 = 0xf800_707c;

/// The key of a word, 13 bits.
const fn key(word: u32) -> usize {
    ((word >> 27) << 8 | (word >> 12 & 7) << 5 | (word >> 2 & 31)) as usize
}

/// The word whose key this is, all other bits zero.
const fn word_of_key(key: u32) -> u32 {
    (key >> 8) << 27 | (key >> 5 & 7) << 12 | (key & 31) << 2
}

impl DecodeTable {
    /// Sorts the rows; done once for the whole program.
    fn new() -> Self {
        let mut table = Self { lists: Vec::new(), candidates: Vec::new() };
        for key in 0..1 << 13 {
            let first = table.candidates.len() as u16;
            for spec in SPECS {
                for (value, mask) in spec.encodings() {
                    if (value ^ word_of_key(key)) & mask & KEY_BITS == 0 {
                        table.candidates.push((value, mask, spec.op));
                    }
                }
            }
            table.lists.push((first, table.candidates.len() as u16));
        }
        table
    }

    /// The instruction of a word, or nothing if no row of these extensions claims it.
    fn decode(&self, word: u32, extensions: ExtensionSet) -> Option<Instruction> {
        let (first, end) = self.lists[key(word)];
        let &(_, _, op) = self.candidates[usize::from(first)..usize::from(end)]
            .iter()
            .find(|&&(value, mask, _)| word & mask == value)?;
        extensions.contains(op.spec().extension).then(|| operands_of(op, word))
    }
}

/// Takes the operands of a row out of a word.
fn operands_of(op: Op, word: u32) -> Instruction {
    let field = |shift: u32, bits: u32| (word >> shift & ((1 << bits) - 1)) as u8;
    let signed = word as i32;
    let mut instruction = Instruction { rm: 0, ..Instruction::new(op) };
    for operand in op.spec().operands {
        match operand {
            Operand::Rd | Operand::Fd => instruction.rd = field(7, 5),
            Operand::Rs1 | Operand::Fs1 | Operand::Zimm | Operand::FliIndex => instruction.rs1 = field(15, 5),
            Operand::Rs2 | Operand::Fs2 => instruction.rs2 = field(20, 5),
            Operand::Rs3 | Operand::Fs3 => instruction.rs3 = field(27, 5),
            Operand::ImmI => instruction.imm = signed >> 20,
            Operand::ImmB => {
                let low = (word >> 7 & 0x1e | word >> 20 & 0x7e0 | word << 4 & 0x800) as i32;
                instruction.imm = signed >> 31 << 12 | low;
            }
            Operand::ImmU => instruction.imm = signed & !0xfff,
            Operand::ImmJ => {
                let low = (word >> 20 & 0x7fe | word >> 9 & 0x800 | word & 0xf_f000) as i32;
                instruction.imm = signed >> 31 << 20 | low;
            }
            Operand::Shamt => instruction.imm = i32::from(field(20, 5)),
            Operand::MemI => {
                instruction.rs1 = field(15, 5);
                instruction.imm = signed >> 20;
            }
            Operand::MemS => {
                instruction.rs1 = field(15, 5);
                instruction.imm = signed >> 25 << 5 | i32::from(field(7, 5));
            }
            Operand::Addr => {
                instruction.rs1 = field(15, 5);
                instruction.imm = i32::from(field(25, 2));
            }
            Operand::Csr => instruction.imm = (word >> 20) as i32,
            Operand::Rm => instruction.rm = field(12, 3),
            Operand::Funct2 => instruction.funct2 = field(25, 2),
            Operand::Fence => instruction.imm = (word >> 20 & 0xff) as i32,
        }
    }
    instruction
}
