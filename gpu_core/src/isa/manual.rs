//! The manual `docs/isa.md`: the tables rendered as Markdown, with prose from `manual/`.
//!
//! A test holds the committed file equal to [`render`]. Encodings are found by asking `encode` which bit of a word
//! follows which bit of an operand, so that the layouts are told once.

use std::fmt::Write;

use super::assembler::pseudo::{self, LOAD_IMMEDIATE, PSEUDOS};
use super::csr::{CSRS, is_read_only};
use super::encoding::{Instruction, encode};
use super::float_constants::CONSTANTS;
use super::registers::{FLOAT_NAMES, INTEGER_NAMES};
use super::table::{Extension, Operand, SPECS, Spec};

/// A section of the manual: which extensions, under which heading, with which words before the rows.
const SECTIONS: [(&[Extension], &str, &str); 22] = [
    (&[Extension::I], "RV32I: integers, memory, jumps", ""),
    (&[Extension::M], "M: multiplication and division", "Division never traps: see the rows for zero and overflow."),
    (
        &[Extension::A],
        "A: atomics",
        "Each takes a suffix `.aq`, `.rl` or `.aqrl`, which orders it before or after other accesses. Lanes act in \
         ascending order, each sees its predecessors. The address must be a multiple of 4.",
    ),
    (
        &[Extension::F],
        "F: single-precision floats",
        "Bit-exact RISC-V: results that are NaN are `0x7fc00000`; flags collect in `fflags`, the OR over the active lanes.",
    ),
    (&[Extension::Zicsr, Extension::Zifencei], "Zicsr, Zifencei", ""),
    (&[Extension::Zba], "Zba: address arithmetic", "Optional."),
    (&[Extension::Zbb], "Zbb: bits, minimum, maximum", "Optional."),
    (&[Extension::Zicond], "Zicond: selection without a branch", "Optional."),
    (&[Extension::Zfa], "Zfa: more of floats", "Optional."),
    (&[Extension::Simt], "SIMT: warps, masks, barriers", include_str!("manual/simt.md")),
    (&[Extension::ThreadMask], "Thread masks", include_str!("manual/thread_mask.md")),
    (&[Extension::Vote], "Votes and shuffles", ""),
    (&[Extension::Texture, Extension::Graphics], "Graphics", include_str!("manual/graphics.md")),
    (
        &[Extension::Zftrans],
        "Zftrans: the first choice of transcendental functions",
        include_str!("manual/transcendental.md"),
    ),
    (&[Extension::ZftransExt], "ZftransExt: further exponentials and logarithms", "Optional."),
    (
        &[Extension::Ztrignpi],
        "Ztrignpi: sine, cosine, tangent of radians",
        "Optional. `fsin.s` and `fcos.s` of one register fuse, in this order.",
    ),
    (
        &[Extension::Ztrigpi],
        "Ztrigpi: sine, cosine, tangent of half turns",
        "Optional. `fsinpi.s` and `fcospi.s` of one register fuse, in this order.",
    ),
    (&[Extension::Zarctrignpi], "Zarctrignpi: angles in radians", "Optional."),
    (&[Extension::Zarctrigpi], "Zarctrigpi: angles in half turns", "Optional."),
    (&[Extension::Zfhyp], "Zfhyp: hyperbolic functions and their inverses", "Optional."),
    (&[Extension::ZftransAdv], "ZftransAdv: powers and roots", "Optional."),
    (&[Extension::Zfrsqrt], "Zfrsqrt: reciprocal square root", "Optional."),
];

/// The whole page.
pub fn render() -> String {
    let mut page = include_str!("manual/preface.md").to_owned();
    for (extensions, heading, prose) in SECTIONS {
        page += &format!("\n## {heading}\n");
        if !prose.is_empty() {
            page += &format!("\n{}\n", prose.trim_end());
        }
        page += "\n| instruction | meaning | encoding | unit |\n| --- | --- | --- | --- |\n";
        for spec in SPECS.iter().filter(|spec| extensions.contains(&spec.extension)) {
            for (value, mask) in spec.encodings() {
                let (form, doc, unit) = (spec.form(), cell(spec.doc), spec.unit);
                page += &format!("| `{form}` | {doc} | `{}` | {unit:?} |\n", pattern(spec, value, mask));
            }
        }
        if extensions == [Extension::Zfa] {
            page += &float_constants();
        }
    }
    page += &pseudo_instructions();
    page += &control_registers();
    page += &register_names();
    page
}

/// Text that may stand in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*")
}

/// A word from bit 31 down: fixed bits, names of operands, `-` for the rest.
pub fn pattern(spec: &Spec, value: u32, mask: u32) -> String {
    let fields = operand_bits(spec);
    let mut pieces: Vec<(String, Option<u32>, Option<u32>)> = Vec::new();
    for bit in (0..32).rev() {
        let (name, number) = if mask >> bit & 1 != 0 {
            ((value >> bit & 1).to_string(), None)
        } else {
            fields[bit as usize].clone().unwrap_or(("-".to_owned(), None))
        };
        match pieces.last_mut() {
            // Fixed bits stand together; so do bits of one operand that follow each other.
            Some((text, None, _)) if number.is_none() && is_fixed(text) == is_fixed(&name) => text.push_str(&name),
            Some((text, Some(_), low)) if *text == name && number.is_some() && *low == number.map(|n| n + 1) => {
                *low = number
            }
            _ => pieces.push((name, number, number)),
        }
    }
    let words: Vec<String> = pieces
        .into_iter()
        .map(|(name, high, low)| match (high, low) {
            (Some(high), Some(low)) if name == "imm" && high == low => format!("imm[{high}]"),
            (Some(high), Some(low)) if name == "imm" => format!("imm[{high}:{low}]"),
            _ => name,
        })
        .collect();
    words.join(" ")
}

/// Whether a piece of a pattern is fixed bits.
fn is_fixed(text: &str) -> bool {
    text.starts_with(['0', '1'])
}

/// For each bit of a word the operand that reaches it, and which of the operand's bits that is.
fn operand_bits(spec: &Spec) -> [Option<(String, Option<u32>)>; 32] {
    let mut bits = [const { None }; 32];
    let zero = Instruction { rm: 0, ..Instruction::new(spec.op) };
    let mut probe = |changed: Instruction, name: &str, number: u32| {
        if let Ok(word) = encode(&changed)
            && (word ^ spec.value).is_power_of_two()
        {
            bits[(word ^ spec.value).ilog2() as usize] = Some((name.to_owned(), Some(number)));
        }
    };
    for &operand in spec.operands {
        for number in 0..32 {
            let small = 1_u8.checked_shl(number).unwrap_or(0);
            let name = operand.form().trim_matches(['[', ']']);
            match operand {
                Operand::Rd | Operand::Fd => probe(Instruction { rd: small, ..zero }, name, number),
                Operand::Rs1 | Operand::Fs1 | Operand::Zimm | Operand::FliIndex => {
                    probe(Instruction { rs1: small, ..zero }, name, number);
                }
                Operand::Rs2 | Operand::Fs2 => probe(Instruction { rs2: small, ..zero }, name, number),
                Operand::Rs3 | Operand::Fs3 => probe(Instruction { rs3: small, ..zero }, name, number),
                Operand::Rm => probe(Instruction { rm: small, ..zero }, name, number),
                Operand::Funct2 => probe(Instruction { funct2: small, ..zero }, name, number),
                Operand::MemI | Operand::MemS | Operand::Addr => {
                    probe(Instruction { rs1: small, ..zero }, "rs1", number);
                    let name = if operand != Operand::Addr { "imm" } else { ["rl", "aq"][usize::from(number == 1)] };
                    probe_immediate(&mut probe, zero, name, number);
                }
                Operand::Fence => {
                    let name = if number < 4 { "successors" } else { "predecessors" };
                    probe_immediate(&mut probe, zero, name, number);
                }
                Operand::Shamt | Operand::Csr => probe_immediate(&mut probe, zero, name, number),
                Operand::ImmI | Operand::ImmB | Operand::ImmU | Operand::ImmJ => {
                    probe_immediate(&mut probe, zero, "imm", number);
                }
            }
        }
    }
    bits
}

/// Probes one bit of the immediate; its sign bit is reached by the most negative number.
fn probe_immediate(probe: &mut impl FnMut(Instruction, &str, u32), zero: Instruction, name: &str, number: u32) {
    probe(Instruction { imm: i32::MIN >> (31 - number), ..zero }, name, number);
    probe(Instruction { imm: 1 << number, ..zero }, name, number);
}

/// The constants of `fli.s`.
fn float_constants() -> String {
    let texts: Vec<String> = CONSTANTS.iter().map(|(_, text)| format!("`{text}`")).collect();
    format!(
        "\nThe constants of `fli.s` by index, from 0 (`min` is the smallest normal number): {}.\n",
        texts.join(", ")
    )
}

/// The pseudo-instructions.
fn pseudo_instructions() -> String {
    let mut text =
        "\n## Pseudo-instructions\n\nShorthand of the assembler: r is an integer register, f a float register, \
                    e a symbol, a number or a CSR; `.` is the address of the instruction it stands in.\n\n\
                    | written | stands for |\n| --- | --- |\n"
            .to_owned();
    let row = |written: &str, expansion: &[&str], kinds: &str| {
        let mut expansion = expansion.join("`<br>`");
        for (number, kind) in kinds.chars().enumerate() {
            expansion = expansion.replace(&format!("${number}"), &format!("{kind}{number}"));
        }
        format!("| `{written}` | `{expansion}` |\n")
    };
    for (note, expansion) in ["12 signed bits", "low 12 bits zero", "any other value"].into_iter().zip(LOAD_IMMEDIATE) {
        text += &row(&format!("li r0, e1` ({note})"), expansion, "re").replacen("` |", " |", 1);
    }
    for pseudo in PSEUDOS {
        text += &row(&pseudo::form(pseudo), pseudo.expansion, pseudo.operands);
    }
    text
}

/// The control and status registers.
fn control_registers() -> String {
    let mut text = "\n## Control and status registers\n\nA write to a read-only one is an illegal instruction, as is any \
                    use of a number that is not here.\n\n| number | name | access | meaning |\n| --- | --- | --- | --- |\n"
        .to_owned();
    for spec in CSRS {
        let access = if is_read_only(spec.number) { "read" } else { "read, write" };
        let (numbers, names) = match spec.count {
            1 => (format!("{:#05x}", spec.number), format!("`{}`", spec.name)),
            count => (
                format!("{:#05x}–{:#05x}", spec.number, spec.number + count - 1),
                format!("`{0}0`–`{0}{1}`", spec.name, count - 1),
            ),
        };
        let _ = writeln!(text, "| {numbers} | {names} | {access} | {} |", cell(spec.doc));
    }
    text
}

/// The names of registers.
fn register_names() -> String {
    let names = |prefix: char, names: &[&str; 32]| {
        let pairs: Vec<String> = names.iter().enumerate().map(|(n, name)| format!("{prefix}{n} `{name}`")).collect();
        pairs.join(", ")
    };
    format!(
        "\n## Registers by name\n\nIntegers: {}; `fp` is `s0`.\n\nFloats: {}.\n",
        names('x', &INTEGER_NAMES),
        names('f', &FLOAT_NAMES)
    )
}

#[cfg(test)]
mod tests {
    use super::super::table::Op;
    use super::*;

    #[track_caller]
    fn check(op: Op, expected: &str) {
        let spec = op.spec();
        assert_eq!(pattern(spec, spec.value, spec.mask), expected);
    }

    #[test]
    fn patterns_show_where_operands_lie() {
        check(Op::Add, "0000000 rs2 rs1 000 rd 0110011");
        check(Op::Addi, "imm[11:0] rs1 000 rd 0010011");
        check(Op::Sw, "imm[11:5] rs2 rs1 010 imm[4:0] 0100011");
        check(Op::Beq, "imm[12] imm[10:5] rs2 rs1 000 imm[4:1] imm[11] 1100011");
        check(Op::Lui, "imm[31:12] rd 0110111");
        check(Op::Jal, "imm[20] imm[10:1] imm[11] imm[19:12] rd 1101111");
        check(Op::Fmadd, "fs3 00 fs2 fs1 rm fd 1000011");
        check(Op::AmoAdd, "00000 aq rl rs2 rs1 010 rd 0101111");
        check(Op::Fence, "---- predecessors successors ----- 000 ----- 0001111");
        check(Op::Csrrwi, "csr zimm 101 rd 1110011");
        check(Op::Tex, "rs3 funct2 rs2 rs1 000 rd 0101011");
    }

    #[test]
    fn every_extension_has_a_section() {
        for extension in Extension::EVERY {
            assert_eq!(SECTIONS.iter().filter(|section| section.0.contains(&extension)).count(), 1, "{extension:?}");
        }
    }
}
