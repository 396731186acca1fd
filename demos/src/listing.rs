//! A program as text: address, word, instruction, and the source line it came from.

use std::fmt::Write;

use gpu_core::isa::disassembler::disassemble_word;
use gpu_core::program::Program;
use gpu_core::units::Address;
use serde::Serialize;

/// One instruction word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Where it lies.
    pub address: u32,
    /// Its bits.
    pub word: u32,
    /// The instruction in assembly text.
    pub text: String,
    /// The symbol that begins here.
    pub symbol: Option<String>,
    /// Where it came from, if known.
    pub source: Option<Source>,
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The file.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// What it says, without the white space round it.
    pub text: String,
}

/// Every whole word of every executable segment, by ascending address.
pub fn of_program(program: &Program) -> Vec<Line> {
    let mut lines = Vec::new();
    for segment in program.segments.iter().filter(|segment| segment.is_executable) {
        for index in 0..(segment.bytes.len() / 4) as u32 {
            let address = Address(segment.address.0 + index * 4);
            let word = program.word_at(address).expect("the address lies in the segment");
            let symbol =
                program.symbols.iter().find(|symbol| symbol.address == address).map(|symbol| symbol.name.clone());
            let source = program.location(address).map(|place| Source {
                file: place.file.to_string(),
                line: place.line,
                text: place.text.trim().to_string(),
            });
            lines.push(Line { address: address.0, word, text: disassemble_word(word, address), symbol, source });
        }
    }
    lines
}

/// The lines as text. A source line stands above the first of the instructions that came from it.
pub fn to_text(lines: &[Line]) -> String {
    let mut out = String::new();
    let mut shown: Option<(&str, u32)> = None;
    for line in lines {
        if let Some(symbol) = &line.symbol {
            let _ = writeln!(out, "\n{symbol}:");
        }
        let place = line.source.as_ref().map(|source| (source.file.as_str(), source.line));
        if place.is_some()
            && place != shown
            && let Some(source) = &line.source
        {
            let _ = writeln!(out, "; {}:{}  {}", source.file, source.line, source.text);
        }
        shown = place;
        let _ = writeln!(out, "  {:08x}  {:08x}  {}", line.address, line.word, line.text);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_below_their_source_lines() {
        let program =
            gpu_core::isa::assembler::assemble("add.s", "start:\n  addi a0, a1, 5\n  tmc x0\n").expect("it is sound");
        let lines = of_program(&program);
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].word, lines[0].text.as_str()), (0x0055_8513, "addi a0, a1, 5"));
        assert_eq!(lines[0].symbol.as_deref(), Some("start"));
        let text = to_text(&lines);
        let expected = "\nstart:\n; add.s:2  addi a0, a1, 5\n  80000000  00558513  addi a0, a1, 5\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("  80000004  0000000b  tmc zero\n"), "{text}");
    }
}
