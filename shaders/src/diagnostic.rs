//! Compile errors that show file, line, column and the source lines they speak of.
//!
//! Before: anything that reads WGSL (`front_end`, `accepted`, `translate`, `evaluate`). After: whoever prints the error.
//! The text is plain and depends on nothing but the source: no colours, no terminal width.

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term;

use crate::module::{ModuleFile, file_at, file_range};

/// A rendered message longer than this (a one-line file of megabytes) is cut to its first line.
const LONGEST_MESSAGE_BYTES: usize = 16 * 1024;

/// Why a WGSL module was refused.
///
/// `Display` gives the whole report, several lines: message, `file:line:column`, the source lines, notes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{report}")]
pub struct CompileError {
    /// Name of the source file as it was given to the front end.
    pub file: String,
    /// Line of the first label, from 1; 0 where the error has no place in the source.
    pub line: u32,
    /// Column of the first label in characters, from 1; 0 where the error has no place in the source.
    pub column: u32,
    /// What is wrong, one line, without the place.
    pub message: String,
    /// The whole text: message, place, source lines, notes. Ends without a line break.
    pub report: String,
}

/// A place in the source and what to say of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Byte range.
    pub span: naga::Span,
    /// Shown beside the underlined text; may be empty.
    pub text: String,
}

impl CompileError {
    /// An error about `span` of `module`: what our own passes report as "not supported".
    pub fn at(module: &crate::module::Module, span: naga::Span, message: impl Into<String>) -> Self {
        let mark = Mark { span, text: String::new() };
        Self::in_files(&module.files, &module.source, message.into(), &[mark], &[])
    }

    /// What the back half says of a module's kernel, with the line that it speaks of.
    pub fn of_back_end(module: &crate::module::Module, error: &crate::options::BackEndError) -> Self {
        let span = error.place().map_or(naga::Span::UNDEFINED, |at| module.span_at(at));
        Self::at(module, span, error.to_string())
    }

    /// An error about a text that was joined from files: it speaks of the file that holds the first mark.
    pub(crate) fn in_files(
        files: &[ModuleFile],
        source: &str,
        message: String,
        marks: &[Mark],
        notes: &[String],
    ) -> Self {
        let first = marks.iter().find_map(|mark| mark.span.to_range()).map_or(0, |range| range.start);
        let file = file_at(files, first);
        let range = file_range(files, source, file);
        let moved = |mark: &Mark| {
            let span = mark.span.to_range()?;
            let span = naga::Span::from(span.start.checked_sub(range.start)?..span.end.checked_sub(range.start)?);
            Some(Mark { span, text: mark.text.clone() })
        };
        let marks: Vec<_> = marks.iter().filter_map(moved).collect();
        Self::render(&files[file].name, &source[range.clone()], message, &marks, notes)
    }

    /// An error about `source` (called `file`), with any number of marks and notes. Marks outside the source are moved to its end.
    pub fn render(file: &str, source: &str, message: String, marks: &[Mark], notes: &[String]) -> Self {
        let message = printable(message.trim());
        // Where there is no text (SPIR-V) there is no place in it.
        let marks = if source.is_empty() { &[] } else { marks };
        let places: Vec<_> =
            marks.iter().filter_map(|m| Some((clamp(source, m.span.to_range()?), printable(&m.text)))).collect();
        let labels = places.iter().enumerate().map(|(index, (range, text))| {
            let label =
                if index == 0 { Label::primary((), range.clone()) } else { Label::secondary((), range.clone()) };
            label.with_message(text)
        });
        let diagnostic = Diagnostic::error()
            .with_message(&message)
            .with_labels(labels.collect())
            .with_notes(notes.iter().map(|n| format!("note: {}", printable(n))).collect());
        let files = SimpleFile::new(printable(file), printable(source));
        let first_line = message.lines().next().unwrap_or("").to_owned();
        let (line, column) = places.first().map_or((0, 0), |(range, _)| line_and_column(source, range.start));
        let mut report = term::emit_into_string(&term::Config::default(), &files, &diagnostic)
            .unwrap_or_else(|_| format!("error: {message}"));
        if report.len() > LONGEST_MESSAGE_BYTES {
            let cut: String = first_line.chars().take(1000).collect();
            report = format!("error: {cut}\n  at {}:{line}:{column}", printable(file));
        }
        Self { file: file.to_owned(), line, column, message: first_line, report: report.trim_end().to_owned() }
    }
}

/// Line and column, both from 1 and in characters, of the byte at `offset`.
pub fn line_and_column(source: &str, offset: usize) -> (u32, u32) {
    let offset = clamp(source, offset..offset).start;
    let before = &source[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() as u32 + 1, before[line_start..].chars().count() as u32 + 1)
}

/// The range, moved inwards to character boundaries of `source`.
fn clamp(source: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let to_boundary = |mut at: usize| {
        at = at.min(source.len());
        while !source.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = to_boundary(range.start);
    start..to_boundary(range.end).max(start)
}

/// The text with control characters and direction overrides replaced by harmless ones of the same byte length, so that
/// offsets stay valid and hostile source cannot steer a terminal.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            c if c.is_control() && c.len_utf8() == 1 => ' ',
            c if c.is_control() => '\u{b7}',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_shows_place_and_source() {
        let source = "fn a() {}\nfn b() { let x = 1; }\n";
        let mark = Mark { span: naga::Span::new(19, 30), text: "here".into() };
        let error = CompileError::render("b.wgsl", source, "not so".into(), &[mark], &["try c".into()]);
        assert_eq!((error.line, error.column), (2, 10));
        let expected = "error: not so\n  ┌─ b.wgsl:2:10\n  │\n2 │ fn b() { let x = 1; }\n  │          ^^^^^^^^^^^ here\n  │\n  = note: try c";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn marks_outside_the_source_or_inside_a_character_do_no_harm() {
        let source = "é\u{1b}[31m";
        for (start, end) in [(0, 1), (1, 2), (1, 9000), (9000, 9001), (7, 3)] {
            let mark = Mark { span: naga::Span::new(start, end), text: String::new() };
            let error = CompileError::render("x", source, "m".into(), &[mark], &[]);
            assert!(!error.report.contains('\u{1b}'), "{}", error.report);
        }
    }

    #[test]
    fn an_endless_line_gives_a_short_report() {
        let mark = Mark { span: naga::Span::new(5, 6), text: String::new() };
        let error = CompileError::render("x", &"a".repeat(1 << 20), "m".into(), &[mark], &[]);
        assert_eq!(error.report, "error: m\n  at x:1:6");
    }
}
