//! A program as text: address, word, instruction, and the source line it came from.

use std::fmt::Write;

use gpu_core::isa::disassembler::disassemble_word;
use gpu_core::program::Program;
use gpu_core::units::Address;
use serde::Serialize;

/// One instruction word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line<'a> {
    /// Where it lies.
    pub address: u32,
    /// Its bits.
    pub word: u32,
    /// The instruction in assembly text.
    pub text: String,
    /// The symbol that begins here.
    pub symbol: Option<&'a str>,
    /// Where it came from, if known.
    pub source: Option<Source<'a>>,
}

/// A line of a source file.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source<'a> {
    /// The file.
    pub file: &'a str,
    /// From 1.
    pub line: u32,
    /// What it says, without the white space round it.
    pub text: &'a str,
}

/// Every whole word of every executable segment, by ascending address.
pub fn of_program(program: &Program) -> Vec<Line<'_>> {
    // Split once: a program has many instructions, a shader may have its whole source in one file.
    let texts: Vec<Vec<&str>> = program.files.iter().map(|file| file.text.lines().map(str::trim).collect()).collect();
    let mut lines = Vec::new();
    for segment in program.segments.iter().filter(|segment| segment.is_executable) {
        for (index, bytes) in segment.bytes.chunks_exact(4).enumerate() {
            let address = Address(segment.address.0 + index as u32 * 4);
            let word = u32::from_le_bytes(bytes.try_into().expect("a word has four bytes"));
            lines.push(Line {
                address: address.0,
                word,
                text: disassemble_word(word, address),
                symbol: symbol(program, address),
                source: source(program, &texts, address),
            });
        }
    }
    lines
}

/// The first symbol at exactly this address.
fn symbol(program: &Program, address: Address) -> Option<&str> {
    let at = program.symbols.partition_point(|symbol| symbol.address < address);
    program.symbols.get(at).filter(|symbol| symbol.address == address).map(|symbol| symbol.name.as_str())
}

/// Where the instruction at an address came from; `texts` are the lines of the program's files.
fn source<'a>(program: &'a Program, texts: &[Vec<&'a str>], address: Address) -> Option<Source<'a>> {
    let past = program.lines.partition_point(|entry| entry.address <= address);
    let entry = program.lines[..past].last().filter(|entry| entry.line != 0)?;
    let file = usize::from(entry.file);
    let text = texts.get(file)?.get(entry.line as usize - 1).copied().unwrap_or("");
    Some(Source { file: &program.files[file].name, line: entry.line, text })
}

/// The lines as text. A source line stands above the first of the instructions that came from it.
pub fn to_text(lines: &[Line<'_>]) -> String {
    let mut out = String::new();
    let mut shown: Option<(&str, u32)> = None;
    for line in lines {
        if let Some(symbol) = &line.symbol {
            let _ = writeln!(out, "\n{symbol}:");
        }
        let place = line.source.as_ref().map(|source| (source.file, source.line));
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
        assert_eq!(lines[0].symbol, Some("start"));
        let text = to_text(&lines);
        let expected = "\nstart:\n; add.s:2  addi a0, a1, 5\n  80000000  00558513  addi a0, a1, 5\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("  80000004  0000000b  tmc zero\n"), "{text}");
    }

    /// The program's own way to find a place is the plain one; it reads a file from its start each time.
    #[test]
    fn places_and_symbols_are_those_of_the_program() {
        let text = "a: addi a0, a1, 1\nb:\nc: addi a0, a0, 2\n\n  addi a0, a0, 3\nd: tmc x0\n";
        let program = gpu_core::isa::assembler::assemble("many.s", text).expect("it is sound");
        let lines = of_program(&program);
        assert_eq!(lines.len(), 4);
        for line in &lines {
            let place = program.location(Address(line.address)).expect("assembled text knows its lines");
            let source = line.source.expect("the program knows it");
            assert_eq!((source.file, source.line, source.text), (place.file, place.line, place.text.trim()));
            let named = program.symbols.iter().find(|symbol| symbol.address.0 == line.address);
            assert_eq!(line.symbol, named.map(|symbol| symbol.name.as_str()));
        }
    }
}
