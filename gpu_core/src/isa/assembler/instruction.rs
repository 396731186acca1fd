//! One real instruction: operands as its row lists them → an [`Instruction`] and the expressions still to be valued.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::error::{AssembleErrorKind, Hint};
use super::expression::{Expression, expected};
use super::lexer::{Mistake, Token, TokenKind};
use crate::isa::csr;
use crate::isa::disassembler::{FENCE_LETTERS, ORDERING_SUFFIXES};
use crate::isa::encoding::{Instruction, ROUNDING_MODES};
use crate::isa::float_constants;
use crate::isa::registers::{float_number, integer_number};
use crate::isa::table::{Op, Operand, SPECS};

/// Rows by mnemonic.
static BY_MNEMONIC: LazyLock<BTreeMap<&'static str, Op>> =
    LazyLock::new(|| SPECS.iter().map(|spec| (spec.mnemonic, spec.op)).collect());

/// The row of a mnemonic and, for atomics, the ordering bits of its suffix.
pub fn find(mnemonic: &str) -> Option<(Op, i32)> {
    if let Some(&op) = BY_MNEMONIC.get(mnemonic) {
        return Some((op, 0));
    }
    ORDERING_SUFFIXES.iter().enumerate().skip(1).find_map(|(bits, suffix)| {
        let &op = BY_MNEMONIC.get(mnemonic.strip_suffix(suffix)?)?;
        op.spec().operands.contains(&Operand::Addr).then_some((op, bits as i32))
    })
}

/// An instruction and the operands whose values are expressions.
pub type Parsed = (Instruction, Vec<(Operand, Expression)>);

/// Reads the operands of a row; `arguments` were separated by commas, `end` is the byte past the statement.
pub fn parse(op: Op, ordering: i32, arguments: &[&[Token]], start: usize, end: usize) -> Result<Parsed, Mistake> {
    let spec = op.spec();
    let wrong_form = || {
        let form = AssembleErrorKind::Operands { mnemonic: spec.mnemonic.to_owned(), form: spec.form() };
        (start, form)
    };
    let mut instruction = Instruction::new(op);
    let mut pending = Vec::new();
    let mut rest = arguments.iter();
    for &operand in spec.operands {
        match operand {
            Operand::Rm => {
                if let Some(&argument) = rest.next() {
                    instruction.rm = rounding_mode(argument, end)?;
                }
                continue;
            }
            Operand::Fence => {
                instruction.imm = match (rest.next(), rest.next()) {
                    (None, _) => 0xff,
                    (Some(&before), Some(&after)) => fence_set(before, end)? << 4 | fence_set(after, end)?,
                    _ => return Err(wrong_form()),
                };
                continue;
            }
            _ => {}
        }
        let &argument = rest.next().ok_or_else(wrong_form)?;
        match operand {
            Operand::Rd => instruction.rd = integer(argument, end)?,
            Operand::Rs1 => instruction.rs1 = integer(argument, end)?,
            Operand::Rs2 => instruction.rs2 = integer(argument, end)?,
            Operand::Rs3 => instruction.rs3 = integer(argument, end)?,
            Operand::Fd => instruction.rd = float(argument, end)?,
            Operand::Fs1 => instruction.rs1 = float(argument, end)?,
            Operand::Fs2 => instruction.rs2 = float(argument, end)?,
            Operand::Fs3 => instruction.rs3 = float(argument, end)?,
            Operand::MemI | Operand::MemS => {
                let (offset, base) = memory(argument).ok_or_else(wrong_form)?;
                instruction.rs1 = base;
                if !offset.is_empty() {
                    pending.push((operand, Expression::parse(offset, end)?));
                }
            }
            Operand::Addr => {
                let (offset, base) = memory(argument).ok_or_else(wrong_form)?;
                if !matches!(offset, [] | [Token { kind: TokenKind::Integer(0), .. }]) {
                    return Err(wrong_form());
                }
                instruction.rs1 = base;
                instruction.imm = ordering;
            }
            Operand::FliIndex => {
                let bits = float_bits(argument, end)?;
                let constant = || (argument[0].start, AssembleErrorKind::FloatConstant(text_of(argument)));
                instruction.rs1 = float_constants::index_of(bits).ok_or_else(constant)?;
            }
            Operand::Csr => match argument {
                [Token { kind: TokenKind::Name(name), .. }] if csr::number_of(name).is_some() => {
                    instruction.imm = csr::number_of(name).map_or(0, i32::from);
                }
                _ => pending.push((operand, Expression::parse(argument, end)?)),
            },
            _ => pending.push((operand, Expression::parse(argument, end)?)),
        }
    }
    if rest.next().is_some() {
        return Err(wrong_form());
    }
    Ok((instruction, pending))
}

/// Puts the value of an expression into its field; `pc` is the address of the instruction.
pub fn set(instruction: &mut Instruction, operand: Operand, value: i64, pc: u32) -> Result<(), AssembleErrorKind> {
    let range = |what, minimum, maximum| match (minimum..=maximum).contains(&value) {
        true => Ok(value),
        false => Err(AssembleErrorKind::Range { what, value, minimum, maximum }),
    };
    match operand {
        Operand::ImmB => {
            let advice = "branch round a `j` to it";
            instruction.imm = offset_to(instruction.op, value, pc, 4096, advice)?;
        }
        Operand::ImmJ => {
            instruction.imm = offset_to(instruction.op, value, pc, 1 << 20, "use `call` or `tail`")?;
        }
        Operand::ImmU => instruction.imm = (range("an upper immediate", 0, 0xf_ffff)? << 12) as i32,
        Operand::Zimm => instruction.rs1 = range("the immediate", 0, 31)? as u8,
        Operand::Funct2 => instruction.funct2 = range("the selector", 0, 3)? as u8,
        Operand::Csr => instruction.imm = range("a CSR number", 0, 0xfff)? as i32,
        // 0xffff_f800 is as good as -2048.
        _ => instruction.imm = range("an immediate", i64::from(i32::MIN), i64::from(u32::MAX))? as i32,
    }
    Ok(())
}

/// The distance from `pc` to a target, both 32-bit addresses.
fn offset_to(op: Op, target: i64, pc: u32, reach: i64, advice: &'static str) -> Result<i32, AssembleErrorKind> {
    let distance = i64::from((target as u32).wrapping_sub(pc) as i32);
    let (minimum, maximum) = (-reach, reach - 2);
    let mnemonic = op.spec().mnemonic;
    match (minimum..=maximum).contains(&distance) {
        true => Ok(distance as i32),
        false => Err(AssembleErrorKind::TooFar { mnemonic, target: target as u32, distance, minimum, maximum, advice }),
    }
}

/// `expression(register)`: the tokens of the expression, which may be none, and the register.
pub fn memory(argument: &[Token]) -> Option<(&[Token], u8)> {
    let (offset, tail) = argument.split_at(argument.len().checked_sub(3)?);
    match [&tail[0].kind, &tail[1].kind, &tail[2].kind] {
        [TokenKind::Sign("("), TokenKind::Name(name), TokenKind::Sign(")")] => Some((offset, integer_number(name)?)),
        _ => None,
    }
}

/// The bits of a float written as a decimal number, `inf`, `nan` or `min`, with a sign if need be.
pub fn float_bits(argument: &[Token], end: usize) -> Result<u32, Mistake> {
    let first = argument.first().ok_or_else(|| expected("a float", None, end))?;
    let (sign, magnitude) = match first.kind {
        TokenKind::Sign("-") => (1 << 31, &argument[1..]),
        TokenKind::Sign("+") => (0, &argument[1..]),
        _ => (0, argument),
    };
    let bits = match magnitude {
        [Token { kind: TokenKind::Integer(value), .. }] => float_constants::bits_of_text(&value.to_string()),
        [Token { kind: TokenKind::Decimal(text) | TokenKind::Name(text), .. }] => float_constants::bits_of_text(text),
        _ => None,
    };
    bits.map(|bits| bits | sign).ok_or_else(|| (first.start, AssembleErrorKind::Float(text_of(argument))))
}

/// A near rendering of tokens, for messages.
fn text_of(tokens: &[Token]) -> String {
    let piece = |token: &Token| match &token.kind {
        TokenKind::Name(text) | TokenKind::Decimal(text) => text.clone(),
        TokenKind::Integer(value) => value.to_string(),
        TokenKind::Sign(sign) => (*sign).to_owned(),
        _ => "…".to_owned(),
    };
    tokens.iter().map(piece).collect()
}

/// The name that an argument consists of.
pub fn name_of<'a>(argument: &'a [Token], wanted: &'static str, end: usize) -> Result<&'a str, Mistake> {
    match argument {
        [Token { kind: TokenKind::Name(name), .. }] => Ok(name),
        [Token { kind: TokenKind::Name(_), .. }, second, ..] => Err(expected("`,` or the end", Some(second), end)),
        _ => Err(expected(wanted, argument.first(), end)),
    }
}

fn integer(argument: &[Token], end: usize) -> Result<u8, Mistake> {
    let name = name_of(argument, "an integer register", end)?;
    let error = || AssembleErrorKind::Register { wanted: "integer", found: name.to_owned() };
    integer_number(name).ok_or_else(|| (argument[0].start, error()))
}

fn float(argument: &[Token], end: usize) -> Result<u8, Mistake> {
    let name = name_of(argument, "a float register", end)?;
    let error = || AssembleErrorKind::Register { wanted: "float", found: name.to_owned() };
    float_number(name).ok_or_else(|| (argument[0].start, error()))
}

fn rounding_mode(argument: &[Token], end: usize) -> Result<u8, Mistake> {
    let name = name_of(argument, "a rounding mode", end)?;
    let mode = ROUNDING_MODES.iter().position(|&known| known == name);
    mode.map(|mode| mode as u8).ok_or_else(|| (argument[0].start, AssembleErrorKind::RoundingMode(name.to_owned())))
}

/// The bits of a fence set: letters of `iorw` in order, or `0`.
fn fence_set(argument: &[Token], end: usize) -> Result<i32, Mistake> {
    if matches!(argument, [Token { kind: TokenKind::Integer(0), .. }]) {
        return Ok(0);
    }
    let name = name_of(argument, "a fence set", end)?;
    let mut bits = 0;
    let mut letters = name.chars().peekable();
    for (position, &letter) in FENCE_LETTERS.iter().enumerate() {
        if letters.next_if_eq(&letter).is_some() {
            bits |= 8 >> position;
        }
    }
    match letters.next() {
        None => Ok(bits),
        Some(_) => Err((argument[0].start, AssembleErrorKind::FenceSet(name.to_owned()))),
    }
}

/// The complaint about a CSR's name.
pub fn unknown_csr(name: &str) -> AssembleErrorKind {
    let names: Vec<String> = csr::every_number().filter_map(csr::name_of).collect();
    let hint = Hint::nearest(name, names.iter().map(String::as_str));
    AssembleErrorKind::UnknownCsr { name: name.to_owned(), hint }
}

/// Every mnemonic of the table.
pub fn mnemonics<'a>() -> impl Iterator<Item = &'a str> {
    BY_MNEMONIC.keys().copied()
}
