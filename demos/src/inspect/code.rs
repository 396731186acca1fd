//! What is known of a program's instructions: their text and where each came from, made once for all that is shown of it.

use std::collections::BTreeMap;

use gpu_core::program::{Program, SourceFile};
use gpu_core::units::Address;

use crate::listing;

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its address as text.
    pub pc: String,
    /// In assembly text.
    pub text: String,
    /// Its source line, if known.
    pub place: Option<Place>,
    /// The same as `file:line`; empty if unknown.
    pub source: String,
}

impl Instruction {
    /// The first word of the text.
    pub fn mnemonic(&self) -> &str {
        self.text.split(' ').next().unwrap_or("")
    }
}

/// A line of a source file.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which of [`Code::files`].
    pub file: usize,
    /// From 1.
    pub line: u32,
}

/// The instructions of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The source files.
    pub files: Vec<SourceFile>,
    instructions: BTreeMap<u32, Instruction>,
    /// Stands for what a program stored and then executed, outside its segments.
    elsewhere: Instruction,
}

impl Default for Code {
    /// Of no program.
    fn default() -> Self {
        let elsewhere = Instruction {
            pc: "outside the program".to_owned(),
            text: "(code made at run time)".to_owned(),
            place: None,
            source: String::new(),
        };
        Self { files: Vec::new(), instructions: BTreeMap::new(), elsewhere }
    }
}

impl Code {
    /// Of a program.
    pub fn new(program: &Program) -> Self {
        let instructions = listing::of_program(program).into_iter().map(|line| {
            let entry = line.source.and_then(|source| {
                let past = program.lines.partition_point(|entry| entry.address.0 <= line.address);
                program.lines[..past].last().map(|entry| (source, usize::from(entry.file)))
            });
            let instruction = Instruction {
                pc: Address(line.address).to_string(),
                text: line.text,
                place: entry.map(|(source, file)| Place { file, line: source.line }),
                source: entry.map(|(source, _)| format!("{}:{}", source.file, source.line)).unwrap_or_default(),
            };
            (line.address, instruction)
        });
        Self { files: program.files.clone(), instructions: instructions.collect(), ..Self::default() }
    }

    /// The instruction at an address.
    pub fn at(&self, pc: Address) -> &Instruction {
        self.instructions.get(&pc.0).unwrap_or(&self.elsewhere)
    }

    /// What a program is called: its source files.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.files.iter().map(|file| file.name.as_str()).collect();
        if names.is_empty() { "program".to_owned() } else { names.join(" + ") }
    }

    /// The text of a source line, without the white space round it.
    pub fn line_text(&self, place: Place) -> &str {
        let file = self.files.get(place.file);
        file.and_then(|file| file.text.lines().nth(place.line as usize - 1)).unwrap_or("").trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_knows_its_text_and_its_line() {
        let program = gpu_core::isa::assembler::assemble("a.s", "\n  addi a0, a1, 5\n  tmc x0\n").expect("it is sound");
        let code = Code::new(&program);
        let first = code.at(Address(0x8000_0000));
        assert_eq!((first.pc.as_str(), first.text.as_str()), ("0x80000000", "addi a0, a1, 5"));
        assert_eq!((first.source.as_str(), first.mnemonic()), ("a.s:2", "addi"));
        assert_eq!(code.line_text(first.place.expect("assembled text knows its lines")), "addi a0, a1, 5");
        assert_eq!(code.at(Address(4)).place, None);
        assert_eq!(code.name(), "a.s");
    }
}
