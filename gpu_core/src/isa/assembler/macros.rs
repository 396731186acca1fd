//! `.macro name a, b` … `.endm` and `.rept n` … `.endr`: lines kept as text and read again with arguments put in.
//!
//! `\a` is an argument, `\@` the number of the call, `\()` nothing.

use super::error::{AssembleError, AssembleErrorKind};
use super::lexer::{Mistake, Token, is_name_part, tokens_of};
use super::{Assembler, instruction};

/// How deep calls, repetitions and inclusions may nest.
pub const DEPTH_LIMIT: usize = 32;
/// The most lines that expansions and included texts may have.
const LINE_LIMIT: usize = 200_000;

/// The most bytes that those lines may have together; a line takes at most a part of it.
const TEXT_LIMIT_BYTES: usize = 64 << 20;
const LINE_LIMIT_BYTES: usize = 64 << 10;

/// A macro.
#[derive(Clone)]
pub struct Macro {
    /// Names of its parameters.
    parameters: Vec<String>,
    /// Its lines.
    body: Vec<String>,
}

/// A macro or repetition whose end has not come yet.
pub struct Capture {
    /// What will be made of it.
    purpose: Purpose,
    /// Lines so far.
    body: Vec<String>,
    /// Inner macros or repetitions still open.
    depth: usize,
    /// The line where it begins.
    pub origin: usize,
}

/// What a capture is for.
enum Purpose {
    Macro { name: String, parameters: Vec<String> },
    Repeat { count: u64 },
}

impl Capture {
    /// What to call it in a message.
    pub fn what(&self) -> &'static str {
        match self.purpose {
            Purpose::Macro { .. } => "macro (.macro)",
            Purpose::Repeat { .. } => "repetition (.rept)",
        }
    }
}

/// A repetition that has come to its end.
pub struct Repetition {
    count: u64,
    body: Vec<String>,
}

/// The first word of a line.
fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or("")
}

impl Assembler<'_> {
    /// Takes a line that belongs to a macro or a repetition; nothing for an ordinary line.
    pub(super) fn captured(&mut self, line: &str, origin: usize) -> Result<Option<Repetition>, AssembleError> {
        let word = first_word(line);
        let Some(capture) = &mut self.capture else {
            let purpose = match word {
                ".macro" => self.macro_head(line),
                ".rept" => self.repeat_head(line),
                ".endm" | ".endr" => Err((0, AssembleErrorKind::NothingToEnd(word.to_owned()))),
                _ => return Ok(None),
            };
            let purpose = purpose.map_err(|(start, kind)| self.error_at(origin, start, kind))?;
            self.capture = Some(Capture { purpose, body: Vec::new(), depth: 0, origin });
            return Ok(Some(Repetition { count: 0, body: Vec::new() }));
        };
        match word {
            ".macro" | ".rept" => capture.depth += 1,
            ".endm" | ".endr" if capture.depth > 0 => capture.depth -= 1,
            ".endm" | ".endr" => return self.end_capture(word, origin).map(Some),
            _ => {}
        }
        capture.body.push(line.to_owned());
        Ok(Some(Repetition { count: 0, body: Vec::new() }))
    }

    /// Keeps the macro or hands out the repetition that ends here.
    fn end_capture(&mut self, word: &str, origin: usize) -> Result<Repetition, AssembleError> {
        let Capture { purpose, body, .. } = self.capture.take().expect("the caller saw it");
        match (purpose, word) {
            (Purpose::Macro { name, parameters }, ".endm") => {
                self.macros.insert(name, Macro { parameters, body });
                Ok(Repetition { count: 0, body: Vec::new() })
            }
            (Purpose::Repeat { count }, ".endr") => Ok(Repetition { count, body }),
            _ => Err(self.error_at(origin, 0, AssembleErrorKind::NothingToEnd(word.to_owned()))),
        }
    }

    /// `.macro name a, b`: parameters are separated by commas or spaces.
    fn macro_head(&self, line: &str) -> Result<Purpose, Mistake> {
        let end = line.len();
        let tokens = tokens_of(line)?;
        let mut names = Vec::new();
        for argument in tokens[1..].split(|token| token.kind == super::lexer::TokenKind::Sign(",")) {
            for token in argument {
                names.push(instruction::name_of(std::slice::from_ref(token), "a name", end)?.to_owned());
            }
        }
        if names.is_empty() {
            return Err(super::expression::expected("the macro's name", None, end));
        }
        let parameters = names.split_off(1);
        let name = names.swap_remove(0);
        match self.macros.contains_key(&name) {
            true => Err((0, AssembleErrorKind::DefinedTwice(name))),
            false => Ok(Purpose::Macro { name, parameters }),
        }
    }

    /// `.rept count`.
    fn repeat_head(&self, line: &str) -> Result<Purpose, Mistake> {
        let tokens = tokens_of(line)?;
        let count = self.known(&tokens[1..], line.len(), "a count", 0, LINE_LIMIT as i64)?;
        Ok(Purpose::Repeat { count: count as u64 })
    }

    /// Reads the lines of a repetition that has come to its end.
    pub(super) fn run_repetition(
        &mut self,
        repetition: Repetition,
        number: u32,
        depth: usize,
    ) -> Result<(), AssembleError> {
        for _ in 0..repetition.count {
            for line in &repetition.body {
                self.read_expanded(line, number, depth + 1)?;
            }
        }
        Ok(())
    }

    /// Reads the lines of a macro with these arguments.
    pub(super) fn call_macro(
        &mut self,
        name: &str,
        arguments: &[&[Token]],
        line: &str,
        origin: usize,
        depth: usize,
    ) -> Result<(), AssembleError> {
        let Macro { parameters, body } = self.macros[name].clone();
        let texts: Vec<&str> = arguments.iter().map(|tokens| text_of(tokens, line)).collect();
        if texts.len() != parameters.len() {
            let (wanted, given) = (parameters.len(), texts.len());
            let kind = AssembleErrorKind::MacroArguments { name: name.to_owned(), wanted, given };
            return Err(self.error_at(origin, 0, kind));
        }
        self.macro_calls += 1;
        let call = self.macro_calls.to_string();
        let number = self.origins[origin].line;
        for line in &body {
            let line = with_arguments(line, &parameters, &texts, &call)
                .ok_or_else(|| self.error_at(origin, 0, AssembleErrorKind::MacroBytes(LINE_LIMIT_BYTES)))?;
            self.read_expanded(&line, number, depth + 1)?;
        }
        Ok(())
    }

    /// Reads a line that was produced, within the limits.
    pub(super) fn read_expanded(&mut self, line: &str, number: u32, depth: usize) -> Result<(), AssembleError> {
        self.expanded_lines += 1;
        self.expanded_bytes += line.len();
        let origin = self.origins.len() - 1;
        if depth > DEPTH_LIMIT {
            return Err(self.error_at(origin, 0, AssembleErrorKind::MacroDepth(DEPTH_LIMIT)));
        }
        if self.expanded_lines > LINE_LIMIT {
            return Err(self.error_at(origin, 0, AssembleErrorKind::MacroLines(LINE_LIMIT)));
        }
        if self.expanded_bytes > TEXT_LIMIT_BYTES {
            return Err(self.error_at(origin, 0, AssembleErrorKind::MacroBytes(TEXT_LIMIT_BYTES)));
        }
        self.read_line(line, number, depth)
    }
}

/// The text that tokens stand for.
fn text_of<'a>(tokens: &[Token], line: &'a str) -> &'a str {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => line.get(first.start..last.end).unwrap_or(""),
        _ => "",
    }
}

/// A line of a macro with the arguments in place of `\parameter`; nothing if it becomes too long.
fn with_arguments(line: &str, parameters: &[String], arguments: &[&str], call: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        if out.len() > LINE_LIMIT_BYTES {
            return None;
        }
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let length = after.find(|character| !is_name_part(character)).unwrap_or(after.len());
        let parameter = parameters.iter().position(|parameter| *parameter == after[..length]);
        rest = if let Some(parameter) = parameter {
            out.push_str(arguments[parameter]);
            &after[length..]
        } else if let Some(after) = after.strip_prefix('@') {
            out.push_str(call);
            after
        } else if let Some(after) = after.strip_prefix("()") {
            after
        } else {
            out.push('\\');
            after
        };
    }
    out.push_str(rest);
    Some(out)
}
