//! Instructions → text that the assembler takes back to the same word.
//!
//! Each instruction is written as its row has it, never as a pseudo-instruction, so that the text says what the
//! machine executes. Jump and branch targets are absolute addresses.

use super::csr;
use super::encoding::{DYNAMIC_ROUNDING, Instruction, ROUNDING_MODES, decode};
use super::float_constants;
use super::registers::{FLOAT_NAMES, INTEGER_NAMES};
use super::table::Operand;
use crate::units::Address;

/// Letters of the fence sets, highest bit first.
pub(super) const FENCE_LETTERS: [char; 4] = ['i', 'o', 'r', 'w'];

/// Suffixes of the atomics by `aq << 1 | rl`.
pub(super) const ORDERING_SUFFIXES: [&str; 4] = ["", ".rl", ".aq", ".aqrl"];

/// The text of an instruction at an address.
pub fn disassemble(instruction: &Instruction, pc: Address) -> String {
    let spec = instruction.op.spec();
    let mut text = spec.mnemonic.to_owned();
    if spec.operands.contains(&Operand::Addr) {
        text.push_str(ORDERING_SUFFIXES[(instruction.imm & 3) as usize]);
    }
    let operands = spec.operands.iter().filter_map(|&operand| operand_text(operand, instruction, pc));
    for (number, operand) in operands.enumerate() {
        text.push_str(if number == 0 { " " } else { ", " });
        text.push_str(&operand);
    }
    text
}

/// The text of a word at an address; `.word` for one that no row claims.
pub fn disassemble_word(word: u32, pc: Address) -> String {
    match decode(word) {
        Some(instruction) => disassemble(&instruction, pc),
        None => format!(".word {word:#010x}"),
    }
}

/// The text of one operand; nothing where the default is meant.
fn operand_text(operand: Operand, instruction: &Instruction, pc: Address) -> Option<String> {
    let integer = |number: u8| INTEGER_NAMES[usize::from(number & 31)];
    let float = |number: u8| FLOAT_NAMES[usize::from(number & 31)].to_owned();
    let imm = instruction.imm;
    Some(match operand {
        Operand::Rd => integer(instruction.rd).to_owned(),
        Operand::Rs1 => integer(instruction.rs1).to_owned(),
        Operand::Rs2 => integer(instruction.rs2).to_owned(),
        Operand::Rs3 => integer(instruction.rs3).to_owned(),
        Operand::Fd => float(instruction.rd),
        Operand::Fs1 => float(instruction.rs1),
        Operand::Fs2 => float(instruction.rs2),
        Operand::Fs3 => float(instruction.rs3),
        Operand::ImmI | Operand::Shamt => imm.to_string(),
        Operand::ImmB | Operand::ImmJ => pc.offset(imm as u32).to_string(),
        Operand::ImmU => format!("{:#x}", imm as u32 >> 12),
        Operand::MemI | Operand::MemS => format!("{imm}({})", integer(instruction.rs1)),
        Operand::Addr => format!("({})", integer(instruction.rs1)),
        Operand::Csr => csr::name_of(imm as u16).unwrap_or_else(|| format!("{imm:#x}")),
        Operand::Zimm => instruction.rs1.to_string(),
        Operand::Rm if instruction.rm == DYNAMIC_ROUNDING => return None,
        Operand::Rm => ROUNDING_MODES[usize::from(instruction.rm & 7)].to_owned(),
        Operand::Funct2 => instruction.funct2.to_string(),
        Operand::FliIndex => float_constants::CONSTANTS[usize::from(instruction.rs1 & 31)].1.to_owned(),
        Operand::Fence if imm == 0xff => return None,
        Operand::Fence => format!("{}, {}", fence_set(imm >> 4), fence_set(imm)),
    })
}

/// The letters of one fence set, `0` for the empty one.
fn fence_set(bits: i32) -> String {
    let letters: String =
        FENCE_LETTERS.iter().enumerate().filter(|(n, _)| bits >> (3 - n) & 1 != 0).map(|(_, &letter)| letter).collect();
    if letters.is_empty() { "0".to_owned() } else { letters }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: u32, expected: &str) {
        assert_eq!(disassemble_word(word, Address(0x8000_0000)), expected);
    }

    #[test]
    fn registers_go_by_their_use() {
        check(0x00a5_0533, "add a0, a0, a0");
    }

    #[test]
    fn loads_and_stores_name_base_and_offset() {
        check(0xffc1_2083, "lw ra, -4(sp)");
        check(0xfe11_2e23, "sw ra, -4(sp)");
    }

    #[test]
    fn branches_name_their_target() {
        check(0xfe00_0ee3, "beq zero, zero, 0x7ffffffc");
        check(0x0080_006f, "jal zero, 0x80000008");
    }

    #[test]
    fn only_a_static_rounding_mode_is_shown() {
        check(0x00b5_7553, "fadd.s fa0, fa0, fa1");
        check(0x00b5_1553, "fadd.s fa0, fa0, fa1, rtz");
    }

    #[test]
    fn constants_and_ordering_bits_are_spelt() {
        check(0xf018_8053, "fli.s ft0, 1.25");
        check(0x06b5_22af, "amoadd.w.aqrl t0, a1, (a0)");
        check(0x0330_000f, "fence rw, rw");
        check(0x0ff0_000f, "fence");
    }

    #[test]
    fn a_word_that_is_no_instruction_is_data() {
        check(0xffff_ffff, ".word 0xffffffff");
        check(0x0000_0000, ".word 0x00000000");
    }
}
