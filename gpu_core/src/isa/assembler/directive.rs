//! Directives: sections, data, gaps and names. Those that only concern a linker or a debugger are read over.

use super::error::{AssembleErrorKind, Hint};
use super::expression::{Expression, expected};
use super::instruction::{float_bits, name_of};
use super::lexer::{Mistake, Token, TokenKind};
use super::sections::{ALIGNMENT_LIMIT_BYTES, Pending, SECTION_LIMIT_BYTES, Section};
use super::{AssembleErrorKind as Kind, Assembler};

/// Read over: what they say has no meaning here.
const IGNORED: [&str; 13] = [
    ".globl",
    ".global",
    ".local",
    ".weak",
    ".hidden",
    ".type",
    ".size",
    ".option",
    ".attribute",
    ".file",
    ".ident",
    ".loc",
    ".addrsig",
];

/// Every other directive, for hints.
const KNOWN: [&str; 35] = [
    ".text", ".data", ".rodata", ".bss", ".section", ".word", ".long", ".4byte", ".int", ".half", ".short", ".2byte",
    ".byte", ".dword", ".quad", ".8byte", ".float", ".single", ".ascii", ".asciz", ".string", ".space", ".zero",
    ".skip", ".fill", ".align", ".p2align", ".balign", ".org", ".equ", ".set", ".macro", ".rept", ".end", ".include",
];

impl Assembler<'_> {
    /// Carries out a directive.
    pub(super) fn read_directive(
        &mut self,
        name: &str,
        arguments: &[&[Token]],
        origin: usize,
        start: usize,
        end: usize,
    ) -> Result<(), Mistake> {
        let argument = |index: usize| arguments.get(index).copied();
        let required = |index: usize| argument(index).ok_or_else(|| expected("an operand", None, end));
        match name {
            ".text" | ".data" | ".rodata" | ".bss" => self.enter(name, None),
            ".section" => {
                let section = match required(0)? {
                    [Token { kind: TokenKind::Text(text), .. }] => String::from_utf8_lossy(text).into_owned(),
                    tokens => name_of(tokens, "a section's name", end)?.to_owned(),
                };
                let flags = match argument(1) {
                    Some([Token { kind: TokenKind::Text(text), .. }]) => Some(String::from_utf8_lossy(text)),
                    _ => None,
                };
                self.enter(&section, flags.as_deref());
            }
            ".byte" => self.data(arguments, 1, origin, start, end)?,
            ".half" | ".short" | ".2byte" => self.data(arguments, 2, origin, start, end)?,
            ".word" | ".long" | ".int" | ".4byte" => self.data(arguments, 4, origin, start, end)?,
            ".dword" | ".quad" | ".8byte" => self.data(arguments, 8, origin, start, end)?,
            ".float" | ".single" => {
                required(0)?;
                for argument in arguments {
                    self.append(&float_bits(argument, end)?.to_le_bytes(), start)?;
                }
            }
            ".ascii" => self.strings(arguments, &[], start, end)?,
            ".asciz" | ".string" => self.strings(arguments, &[0], start, end)?,
            ".space" | ".zero" | ".skip" => {
                let count = self.known(required(0)?, end, "a size in bytes", 0, SECTION_LIMIT_BYTES as i64)?;
                let value = self.byte(argument(1), end)?.unwrap_or(0);
                let filled = self.sections[self.current].fill(count as u64, value);
                filled.map_err(|kind| (start, kind))?;
            }
            ".fill" => {
                let count = self.known(required(0)?, end, "a count", 0, SECTION_LIMIT_BYTES as i64)?;
                let size = argument(1).map_or(Ok(1), |tokens| self.known(tokens, end, "a size in bytes", 0, 8))?;
                let (least, most) = (i64::MIN, i64::MAX);
                let value = argument(2).map_or(Ok(0), |tokens| self.known(tokens, end, "a value", least, most))?;
                for _ in 0..count {
                    self.append(&value.to_le_bytes()[..size as usize], start)?;
                }
            }
            ".align" | ".p2align" => {
                let most = i64::from(ALIGNMENT_LIMIT_BYTES.ilog2());
                let power = self.known(required(0)?, end, "an alignment's power of two", 0, most)?;
                self.align(1 << power, argument(1), start, end)?;
            }
            ".balign" => {
                let bytes = self.known(required(0)?, end, "an alignment in bytes", 1, ALIGNMENT_LIMIT_BYTES)?;
                if bytes & (bytes - 1) != 0 {
                    let kind = Kind::Expected { expected: "a power of two", found: format!("`{bytes}`") };
                    return Err((start, kind));
                }
                self.align(bytes as u32, argument(1), start, end)?;
            }
            ".org" => self.go_to(required(0)?, argument(1), start, end)?,
            ".equ" | ".set" => {
                let symbol = name_of(required(0)?, "a name", end)?;
                self.define_value(symbol, start, required(1)?, end, origin)?;
            }
            ".end" => {}
            _ if IGNORED.contains(&name) || name.starts_with(".cfi_") => {}
            _ => {
                let hint = Hint::nearest(name, KNOWN.into_iter().chain(IGNORED));
                return Err((start, Kind::UnknownDirective { name: name.to_owned(), hint }));
            }
        }
        Ok(())
    }

    /// Goes on in a section, which begins with its first mention.
    fn enter(&mut self, name: &str, flags: Option<&str>) {
        let known = self.sections.iter().position(|section| section.name == name);
        self.current = known.unwrap_or(self.sections.len());
        if known.is_none() {
            self.sections.push(Section::new(name, flags));
        }
    }

    /// Adds bytes to the current section.
    fn append(&mut self, bytes: &[u8], start: usize) -> Result<(), Mistake> {
        self.sections[self.current].append(bytes).map_err(|kind| (start, kind))
    }

    /// Adds numbers of some bytes each.
    fn data(
        &mut self,
        arguments: &[&[Token]],
        size_bytes: u8,
        origin: usize,
        start: usize,
        end: usize,
    ) -> Result<(), Mistake> {
        if arguments.is_empty() {
            return Err(expected("a number", None, end));
        }
        for argument in arguments {
            let expression = self.bind(Expression::parse(argument, end)?)?;
            let pending = Pending::Data(size_bytes, expression);
            let appended = self.sections[self.current].append_fixup(origin, start, size_bytes, pending);
            appended.map_err(|kind| (start, kind))?;
        }
        Ok(())
    }

    /// Adds strings, each with an ending.
    fn strings(&mut self, arguments: &[&[Token]], ending: &[u8], start: usize, end: usize) -> Result<(), Mistake> {
        if arguments.is_empty() {
            return Err(expected("a string", None, end));
        }
        for argument in arguments {
            match argument {
                [Token { kind: TokenKind::Text(text), .. }] => self.append(&[text, ending].concat(), start)?,
                _ => return Err(expected("a string", argument.first(), end)),
            }
        }
        Ok(())
    }

    /// A byte that may be left out.
    fn byte(&self, tokens: Option<&[Token]>, end: usize) -> Result<Option<u8>, Mistake> {
        tokens.map(|tokens| self.known(tokens, end, "a byte", -128, 255).map(|value| value as u8)).transpose()
    }

    /// Goes on to a multiple.
    fn align(&mut self, bytes: u32, value: Option<&[Token]>, start: usize, end: usize) -> Result<(), Mistake> {
        let value = self.byte(value, end)?;
        self.sections[self.current].align(bytes, value).map_err(|kind| (start, kind))
    }

    /// `.org offset`: goes on to an offset of the section, given as a number or as a place in it.
    fn go_to(&mut self, tokens: &[Token], value: Option<&[Token]>, start: usize, end: usize) -> Result<(), Mistake> {
        let wanted = self.known_offset(tokens, end)?;
        let value = self.byte(value, end)?.unwrap_or(0);
        let section = &mut self.sections[self.current];
        let at = section.size_bytes;
        let gap = u64::try_from(wanted - i64::from(at));
        let gap = gap.map_err(|_| (start, AssembleErrorKind::Backwards { at, wanted }))?;
        section.fill(gap, value).map_err(|kind| (start, kind))
    }
}
