//! Assembly text (`.s`) → [`Program`].
//!
//! In reading order: `lexer` (text → tokens), `statement` (labels, macros, pseudo-instructions), `directive`,
//! `instruction` (operands of a row), `expression`, `sections` (what has been emitted), `link` (addresses, values,
//! words). The syntax is that of GNU as for RISC-V, with our own instructions as their rows in `table` write them.
//! Numbers as jump targets are absolute addresses; `. + 8` is relative to the instruction.

mod directive;
pub mod error;
mod expression;
mod instruction;
mod lexer;
mod link;
mod macros;
pub mod pseudo;
mod sections;
mod statement;

use std::collections::BTreeMap;

pub use error::{AssembleError, AssembleErrorKind};

use crate::program::{Program, SourceFile};
use expression::{Expression, Value};
use macros::{Capture, Macro};
use sections::Section;

/// Assembles a text; `name` is what messages and the line table call it.
///
/// Code goes to [`crate::program::CODE_BASE`], then constants, data and room; the program starts at `_start` if there
/// is one, else at the first instruction. The error is the first mistake.
pub fn assemble(name: &str, text: &str) -> Result<Program, AssembleError> {
    assemble_with(name, text, &no_include)
}

/// What [`assemble`] says to `.include`.
pub fn no_include(_: &str) -> Result<String, String> {
    Err("only texts in a folder can include others".to_owned())
}

/// The same; `include` gives the texts that `.include "name"` names, or the reason why there is none.
pub fn assemble_with(name: &str, text: &str, include: &Include<'_>) -> Result<Program, AssembleError> {
    let mut assembler = Assembler::new(include);
    assembler.read(name, text, 0)?;
    assembler.link()
}

/// Finds a text by its name.
pub type Include<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// What has been read so far.
struct Assembler<'a> {
    /// Finds the texts of `.include`.
    include: &'a Include<'a>,
    /// Every text so far, in the order in which they were opened.
    files: Vec<SourceFile>,
    /// Index of the text that is being read.
    file: usize,
    /// Sections in the order of their first mention; the first is `.text`.
    sections: Vec<Section>,
    /// Index of the section that statements go to.
    current: usize,
    /// Symbols by name; a numeric label `1:` is `1#1` the first time, then `1#2`.
    symbols: BTreeMap<String, Definition>,
    /// How often each numeric label was defined.
    locals: BTreeMap<u64, usize>,
    /// Macros by name.
    macros: BTreeMap<String, Macro>,
    /// A macro or repetition being collected.
    capture: Option<Capture>,
    /// Each line that was read, expansions included.
    origins: Vec<Origin>,
    /// Lines that macros and repetitions produced.
    expanded_lines: usize,
    /// Bytes of those lines.
    expanded_bytes: usize,
    /// Bytes of all sections.
    total_bytes: u64,
    /// Macro calls so far, which `\@` stands for.
    macro_calls: usize,
}

/// Where a statement comes from.
struct Origin {
    /// Index of its text.
    file: usize,
    /// Line from 1.
    line: u32,
    /// Its text.
    text: String,
}

/// What a symbol stands for.
enum Definition {
    /// A place in a section.
    Label {
        /// Index of the section.
        section: usize,
        /// Bytes from its beginning.
        offset: u32,
    },
    /// A value set by `.equ`.
    Value(Value),
    /// An expression set by `.equ` that speaks of symbols not yet defined, and the line it stands in.
    Later(Expression, usize),
}

impl<'a> Assembler<'a> {
    fn new(include: &'a Include<'a>) -> Self {
        Self {
            include,
            files: Vec::new(),
            file: 0,
            sections: vec![Section::new(".text", None)],
            current: 0,
            symbols: BTreeMap::new(),
            locals: BTreeMap::new(),
            macros: BTreeMap::new(),
            capture: None,
            origins: Vec::new(),
            expanded_lines: 0,
            expanded_bytes: 0,
            total_bytes: 0,
            macro_calls: 0,
        }
    }

    /// An error at a byte of a line.
    fn error_at(&self, origin: usize, start: usize, kind: AssembleErrorKind) -> AssembleError {
        let Origin { file, line, text } = &self.origins[origin];
        let column = self.column_of(origin, start);
        AssembleError {
            file: self.files[*file].name.clone(),
            line: *line,
            column,
            text: text.clone(),
            kind: Box::new(kind),
        }
    }

    /// The column, from 1, of a byte of a line.
    fn column_of(&self, origin: usize, start: usize) -> u32 {
        let text = &self.origins[origin].text;
        text.get(..start).unwrap_or(text).chars().count() as u32 + 1
    }

    /// Reads a whole text, which was included through `depth` others.
    fn read(&mut self, name: &str, text: &str, depth: usize) -> Result<(), AssembleError> {
        let outer = std::mem::replace(&mut self.file, self.files.len());
        self.files.push(SourceFile { name: name.to_owned(), text: text.to_owned() });
        let plain = lexer::without_comments(text).map_err(|(at, kind)| {
            let before = &text[..at];
            let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let line = before.matches('\n').count() as u32 + 1;
            let text = text[line_start..].lines().next().unwrap_or("").to_owned();
            self.origins.push(Origin { file: self.file, line, text });
            self.error_at(self.origins.len() - 1, at - line_start, kind)
        })?;
        for (index, line) in plain.lines().enumerate() {
            match depth {
                0 => self.read_line(line, index as u32 + 1, depth)?,
                _ => self.read_expanded(line, index as u32 + 1, depth)?,
            }
        }
        self.file = outer;
        match self.capture.take() {
            None => Ok(()),
            Some(capture) => Err(self.error_at(capture.origin, 0, AssembleErrorKind::Unclosed(capture.what()))),
        }
    }

    /// Reads one line, which came out of `depth` macros or repetitions.
    fn read_line(&mut self, line: &str, number: u32, depth: usize) -> Result<(), AssembleError> {
        self.origins.push(Origin { file: self.file, line: number, text: line.to_owned() });
        let origin = self.origins.len() - 1;
        if let Some(ended) = self.captured(line, origin)? {
            return self.run_repetition(ended, number, depth);
        }
        let tokens = lexer::tokens_of(line).map_err(|(start, kind)| self.error_at(origin, start, kind))?;
        for statement in tokens.split(|token| token.kind == lexer::TokenKind::Sign(";")) {
            self.read_statement(statement, line, origin, depth)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
