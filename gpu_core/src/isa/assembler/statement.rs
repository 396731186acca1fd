//! One statement: labels and assignments, then a directive, a macro call, a pseudo-instruction or an instruction.

use super::error::{AssembleError, AssembleErrorKind, Hint};
use super::expression::{Environment, Expression, Step, Value, expected, number};
use super::lexer::{Mistake, Token, TokenKind, tokens_of};
use super::macros::DEPTH_LIMIT;
use super::pseudo::{LOAD_IMMEDIATE, PSEUDOS};
use super::sections::Pending;
use super::{Assembler, Definition, instruction};
use crate::isa::csr;
use crate::isa::registers::{float_number, integer_number};
use crate::isa::table::Operand;
use crate::program::PROGRAM_LIMIT_BYTES;

/// Splits at commas outside parentheses.
pub fn arguments_of(tokens: &[Token]) -> Vec<&[Token]> {
    if tokens.is_empty() {
        return Vec::new();
    }
    let mut depth = 0_i64;
    tokens
        .split(|token| {
            match token.kind {
                TokenKind::Sign("(") => depth += 1,
                TokenKind::Sign(")") => depth -= 1,
                TokenKind::Sign(",") => return depth <= 0,
                _ => {}
            }
            false
        })
        .collect()
}

/// What is known while lines are still being read.
struct Early<'a>(&'a Assembler<'a>);

impl Environment for Early<'_> {
    fn symbol(&self, name: &str) -> Result<Value, AssembleErrorKind> {
        match self.0.symbols.get(name) {
            Some(&Definition::Value(value)) => Ok(value),
            Some(&Definition::Label { section, offset }) => Ok(Value::Place { section, offset: i64::from(offset) }),
            Some(Definition::Later(..)) | None => Err(AssembleErrorKind::NotYetKnown),
        }
    }
    fn place(&self, section: usize, offset: i64) -> Value {
        Value::Place { section, offset }
    }
    fn pc(&self) -> Result<i64, AssembleErrorKind> {
        Err(AssembleErrorKind::NotYetKnown)
    }
    fn distance_at(&self, _: i64) -> Result<i64, AssembleErrorKind> {
        Err(AssembleErrorKind::NotYetKnown)
    }
}

impl Assembler<'_> {
    /// Reads one statement.
    pub(super) fn read_statement(
        &mut self,
        tokens: &[Token],
        line: &str,
        origin: usize,
        depth: usize,
    ) -> Result<(), AssembleError> {
        let mut tokens = tokens;
        while let [Token { kind, start, .. }, Token { kind: TokenKind::Sign(":"), .. }, rest @ ..] = tokens {
            self.define_label(kind, *start).map_err(|(start, kind)| self.error_at(origin, start, kind))?;
            tokens = rest;
        }
        let Some(first) = tokens.first() else { return Ok(()) };
        if let [Token { kind: TokenKind::Name(name), .. }, Token { kind: TokenKind::Sign("="), .. }, rest @ ..] = tokens
        {
            let defined = self.define_value(name, first.start, rest, line.len(), origin);
            return defined.map_err(|(start, kind)| self.error_at(origin, start, kind));
        }
        let TokenKind::Name(name) = &first.kind else {
            let (start, kind) = expected("an instruction, a directive or a label", Some(first), 0);
            return Err(self.error_at(origin, start, kind));
        };
        let end = tokens.last().map_or(first.end, |token| token.end);
        let arguments = arguments_of(&tokens[1..]);
        if self.macros.contains_key(name) {
            return self.call_macro(name, &arguments, line, origin, depth);
        }
        if name == ".include" {
            return self.include(&arguments, origin, first.start, depth);
        }
        let before = self.sections[self.current].size_bytes;
        let section = self.current;
        let done = match name.strip_prefix('.') {
            Some(_) => self.read_directive(name, &arguments, origin, first.start, end),
            None => self.read_instruction(name, &arguments, origin, first, end),
        };
        done.map_err(|(start, kind)| self.error_at(origin, start, kind))?;
        self.total_bytes += u64::from(self.sections[section].size_bytes - before);
        match self.total_bytes {
            0..=PROGRAM_LIMIT_BYTES => Ok(()),
            bytes => {
                let kind = AssembleErrorKind::TotalSize { bytes, limit: PROGRAM_LIMIT_BYTES };
                Err(self.error_at(origin, first.start, kind))
            }
        }
    }

    /// `.include "name"`: reads another text in this place.
    fn include(
        &mut self,
        arguments: &[&[Token]],
        origin: usize,
        start: usize,
        depth: usize,
    ) -> Result<(), AssembleError> {
        let [[Token { kind: TokenKind::Text(name), .. }]] = arguments else {
            let (start, kind) = expected("a file's name in quotes", None, start);
            return Err(self.error_at(origin, start, kind));
        };
        let name = String::from_utf8_lossy(name);
        if depth >= DEPTH_LIMIT {
            return Err(self.error_at(origin, start, AssembleErrorKind::MacroDepth(DEPTH_LIMIT)));
        }
        let text = (self.include)(&name).map_err(|reason| {
            let kind = AssembleErrorKind::Include { name: name.clone().into_owned(), reason };
            self.error_at(origin, start, kind)
        })?;
        self.read(&name, &text, depth + 1)
    }

    /// Gives the current place a name.
    fn define_label(&mut self, label: &TokenKind, start: usize) -> Result<(), Mistake> {
        let name = match label {
            TokenKind::Name(name) => name.clone(),
            TokenKind::Integer(number) => {
                let number = *number as u64;
                let count = self.locals.entry(number).or_default();
                *count += 1;
                local_name(number, *count)
            }
            _ => return Err((start, AssembleErrorKind::Expected { expected: "a label", found: "`:`".to_owned() })),
        };
        if self.symbols.contains_key(&name) {
            return Err((start, AssembleErrorKind::DefinedTwice(name)));
        }
        let offset = self.sections[self.current].size_bytes;
        self.symbols.insert(name, Definition::Label { section: self.current, offset });
        Ok(())
    }

    /// Gives an expression a name.
    pub(super) fn define_value(
        &mut self,
        name: &str,
        start: usize,
        tokens: &[Token],
        end: usize,
        origin: usize,
    ) -> Result<(), Mistake> {
        if matches!(self.symbols.get(name), Some(Definition::Label { .. })) {
            return Err((start, AssembleErrorKind::DefinedTwice(name.to_owned())));
        }
        let expression = self.bind(Expression::parse(tokens, end)?)?;
        let definition = match expression.evaluate(&Early(self)) {
            Ok(value) => Definition::Value(value),
            Err(AssembleErrorKind::NotYetKnown | AssembleErrorKind::AddressArithmetic) => {
                Definition::Later(expression, origin)
            }
            Err(kind) => return Err((expression.start, kind)),
        };
        self.symbols.insert(name.to_owned(), definition);
        Ok(())
    }

    /// Settles what depends on the place in the text: `.`, numeric labels, and the present value of `.set` symbols.
    pub(super) fn bind(&self, mut expression: Expression) -> Result<Expression, Mistake> {
        for step in &mut expression.steps {
            match step {
                Step::Symbol(name) if name == "." => {
                    let offset = i64::from(self.sections[self.current].size_bytes);
                    *step = Step::Value(Value::Place { section: self.current, offset });
                }
                Step::Symbol(name) => {
                    if let Some(&Definition::Value(value)) = self.symbols.get(name.as_str()) {
                        *step = Step::Value(value);
                    }
                }
                &mut Step::Local { number, is_forward } => {
                    let defined = self.locals.get(&number).copied().unwrap_or(0);
                    if defined == 0 && !is_forward {
                        return Err((expression.start, AssembleErrorKind::NoLocalLabel(number)));
                    }
                    *step = Step::Symbol(local_name(number, defined + usize::from(is_forward)));
                }
                _ => {}
            }
        }
        Ok(expression)
    }

    /// A number that must be known already, such as the size of a gap.
    pub(super) fn known(
        &self,
        tokens: &[Token],
        end: usize,
        what: &'static str,
        minimum: i64,
        maximum: i64,
    ) -> Result<i64, Mistake> {
        let expression = self.bind(Expression::parse(tokens, end)?)?;
        let value = expression.evaluate(&Early(self)).and_then(number).map_err(|kind| (expression.start, kind))?;
        match (minimum..=maximum).contains(&value) {
            true => Ok(value),
            false => Err((expression.start, AssembleErrorKind::Range { what, value, minimum, maximum })),
        }
    }

    /// An offset of the current section that must be known already: a number, or a place in it.
    pub(super) fn known_offset(&self, tokens: &[Token], end: usize) -> Result<i64, Mistake> {
        let expression = self.bind(Expression::parse(tokens, end)?)?;
        match expression.evaluate(&Early(self)).map_err(|kind| (expression.start, kind))? {
            Value::Number(offset) => Ok(offset),
            Value::Place { section, offset } if section == self.current => Ok(offset),
            Value::Place { .. } => Err((expression.start, AssembleErrorKind::AddressArithmetic)),
        }
    }

    /// A pseudo-instruction, or one of the table.
    fn read_instruction(
        &mut self,
        name: &str,
        arguments: &[&[Token]],
        origin: usize,
        first: &Token,
        end: usize,
    ) -> Result<(), Mistake> {
        let kinds: String = arguments.iter().map(|argument| kind_of(argument)).collect();
        let expansion = if name == "li" && kinds == "re" {
            Some(self.load_immediate(arguments[1], end)?)
        } else {
            let is_it = |pseudo: &&super::pseudo::Pseudo| pseudo.mnemonic == name && pseudo.operands == kinds;
            PSEUDOS.iter().find(is_it).map(|pseudo| pseudo.expansion)
        };
        let Some(expansion) = expansion else {
            return self.emit(name, arguments, origin, first.start, end);
        };
        for template in expansion {
            let tokens = with_operands(template, arguments, first);
            let TokenKind::Name(mnemonic) = &tokens[0].kind else { unreachable!("templates begin with a mnemonic") };
            self.emit(mnemonic, &arguments_of(&tokens[1..]), origin, first.start, end)?;
        }
        Ok(())
    }

    /// Which form of `li` a value takes; one that is not known yet takes the longest.
    fn load_immediate(&self, tokens: &[Token], end: usize) -> Result<&'static [&'static str], Mistake> {
        let expression = self.bind(Expression::parse(tokens, end)?)?;
        let Ok(Value::Number(value)) = expression.evaluate(&Early(self)) else { return Ok(LOAD_IMMEDIATE[2]) };
        let (minimum, maximum) = (i64::from(i32::MIN), i64::from(u32::MAX));
        if !(minimum..=maximum).contains(&value) {
            let kind = AssembleErrorKind::Range { what: "a 32-bit register", value, minimum, maximum };
            return Err((expression.start, kind));
        }
        let value = value as i32;
        Ok(match value {
            -2048..2048 => LOAD_IMMEDIATE[0],
            _ if value & 0xfff == 0 => LOAD_IMMEDIATE[1],
            _ => LOAD_IMMEDIATE[2],
        })
    }

    /// Adds an instruction of the table to the current section.
    fn emit(
        &mut self,
        name: &str,
        arguments: &[&[Token]],
        origin: usize,
        start: usize,
        end: usize,
    ) -> Result<(), Mistake> {
        let (op, ordering) = instruction::find(name).ok_or_else(|| (start, self.unknown_instruction(name)))?;
        let (instruction, mut pending) = instruction::parse(op, ordering, arguments, start, end)?;
        for (operand, expression) in &mut pending {
            if let (Operand::Csr, [Step::Symbol(name)]) = (&operand, &expression.steps[..])
                && !self.symbols.contains_key(name)
            {
                debug_assert!(csr::number_of(name).is_none(), "the parser takes the names of CSRs");
                return Err((expression.start, instruction::unknown_csr(name)));
            }
            *expression = self.bind(expression.clone())?;
        }
        let section = &mut self.sections[self.current];
        let problem = if !section.is_executable {
            Some(AssembleErrorKind::NotExecutable(section.name.clone()))
        } else if !section.size_bytes.is_multiple_of(4) {
            Some(AssembleErrorKind::Unaligned(section.size_bytes))
        } else {
            None
        };
        if let Some(kind) = problem {
            return Err((start, kind));
        }
        section.append_fixup(origin, start, 4, Pending::Instruction(instruction, pending)).map_err(|kind| (start, kind))
    }

    /// The complaint about a mnemonic: a known one with other operands, or near names.
    fn unknown_instruction(&self, name: &str) -> AssembleErrorKind {
        let forms: Vec<String> = PSEUDOS.iter().filter(|row| row.mnemonic == name).map(super::pseudo::form).collect();
        if !forms.is_empty() || name == "li" {
            let form = if name == "li" { "li rd, imm".to_owned() } else { forms.join("` or `") };
            return AssembleErrorKind::Operands { mnemonic: name.to_owned(), form };
        }
        let pseudos = PSEUDOS.iter().map(|row| row.mnemonic).chain(["li"]);
        let macros = self.macros.keys().map(String::as_str);
        let hint = Hint::nearest(name, instruction::mnemonics().chain(pseudos).chain(macros));
        AssembleErrorKind::UnknownInstruction { name: name.to_owned(), hint }
    }
}

/// The symbol of a numeric label's n-th definition; `#` cannot occur in a name.
fn local_name(number: u64, definition: usize) -> String {
    format!("{number}#{definition}")
}

/// The letter of an operand as rows of pseudo-instructions have it; `m` for `imm(rs1)`, which none of them takes.
fn kind_of(argument: &[Token]) -> char {
    match argument {
        [Token { kind: TokenKind::Name(name), .. }] if integer_number(name).is_some() => 'r',
        [Token { kind: TokenKind::Name(name), .. }] if float_number(name).is_some() => 'f',
        _ if instruction::memory(argument).is_some() => 'm',
        _ => 'e',
    }
}

/// The tokens of a template with the operands in place of `$0`, `$1`, …; the template's own stand where `first` does.
fn with_operands(template: &str, arguments: &[&[Token]], first: &Token) -> Vec<Token> {
    let mut out = Vec::new();
    for token in tokens_of(template).expect("templates are written here") {
        let operand = match &token.kind {
            TokenKind::Name(name) => name.strip_prefix('$').and_then(|digits| digits.parse::<usize>().ok()),
            _ => None,
        };
        match operand {
            Some(index) => out.extend_from_slice(arguments[index]),
            None => out.push(Token { start: first.start, end: first.end, ..token }),
        }
    }
    out
}
