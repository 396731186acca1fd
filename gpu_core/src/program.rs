//! A program: bytes at addresses, symbols, and which source line each instruction came from.
//!
//! Before: the assembler, the shader compiler, or a file (`load`). After: `gpu` places the segments and starts the
//! machine; traps, disassembly and profiles ask for symbols and lines.

use serde::{Deserialize, Serialize};

use crate::hash::Fnv1a;
use crate::units::Address;

/// Where raw images and assembled programs start, the start-up address of the Vortex machines.
pub const CODE_BASE: Address = Address(0x8000_0000);

/// The most memory that a program's segments may take together.
pub const PROGRAM_LIMIT_BYTES: u64 = 256 << 20;

/// Who wrote the program, which decides what it may touch.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProgramKind {
    /// ELF, raw image or `.s`: misaligned accesses work, and the I/O page (console 0x40, exit code 0x88) exists.
    Bare,
    /// Compiled by us: a misaligned access traps, and so does everything near address zero.
    Kernel,
}

/// A program ready to be placed in memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Who wrote it.
    pub kind: ProgramKind,
    /// Where each core starts.
    pub entry: Address,
    /// What lies where, by ascending address, none overlapping.
    pub segments: Vec<Segment>,
    /// Names of addresses, by ascending address.
    pub symbols: Vec<Symbol>,
    /// Where instructions come from, by ascending address; an entry holds up to the next one.
    pub lines: Vec<LineEntry>,
    /// The source files that `lines` speaks of.
    pub files: Vec<SourceFile>,
}

/// Bytes that lie together in memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// What it is called in messages, such as `.text`.
    pub name: String,
    /// The address of its first byte.
    pub address: Address,
    /// Its contents; what is missing up to `size_bytes` is zero.
    pub bytes: Vec<u8>,
    /// The room it takes, at least the length of `bytes`.
    pub size_bytes: u32,
    /// Whether the program may store to it.
    pub is_writable: bool,
    /// Whether it holds instructions.
    pub is_executable: bool,
}

impl Segment {
    /// The address past its last byte, 2^32 for a segment that ends with the address space.
    pub fn end(&self) -> u64 {
        u64::from(self.address.0) + u64::from(self.size_bytes)
    }
}

/// The name of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// The address.
    pub address: Address,
    /// How many bytes it names, 0 if unknown.
    pub size_bytes: u32,
}

/// From this address on, instructions come from this place.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineEntry {
    /// The address of the first instruction.
    pub address: Address,
    /// Index into [`Program::files`].
    pub file: u16,
    /// Line from 1; 0 means that no source line is known.
    pub line: u32,
    /// Column from 1; 0 means the whole line.
    pub column: u32,
}

/// A source file, with its text so that lines can be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// The name it was given, usually a path.
    pub name: String,
    /// What it says.
    pub text: String,
}

/// A place in a source file, for messages.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// Line from 1.
    pub line: u32,
    /// Column from 1, 0 for the whole line.
    pub column: u32,
    /// The text of the line, without its end.
    pub text: &'a str,
}

impl Program {
    /// A hash of what the machine sees: kind, entry and segments, not names and lines.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv1a::default();
        hash.write(&[u8::from(self.kind == ProgramKind::Kernel)]);
        hash.write(&self.entry.0.to_le_bytes());
        for segment in &self.segments {
            hash.write(&segment.address.0.to_le_bytes());
            hash.write(&segment.size_bytes.to_le_bytes());
            hash.write(&(segment.bytes.len() as u64).to_le_bytes());
            hash.write(&segment.bytes);
            hash.write(&[u8::from(segment.is_writable), u8::from(segment.is_executable)]);
        }
        hash.finish()
    }

    /// The address of a symbol.
    pub fn symbol(&self, name: &str) -> Option<Address> {
        self.symbols.iter().find(|symbol| symbol.name == name).map(|symbol| symbol.address)
    }

    /// The last symbol at or before an address in the same segment, and how many bytes the address lies past it.
    pub fn symbol_at(&self, address: Address) -> Option<(&Symbol, u32)> {
        let segment = self.segment_at(address)?;
        let past = self.symbols.partition_point(|symbol| symbol.address <= address);
        let symbol = self.symbols[..past].last()?;
        (symbol.address >= segment.address).then(|| (symbol, address.0 - symbol.address.0))
    }

    /// The segment that holds an address.
    pub fn segment_at(&self, address: Address) -> Option<&Segment> {
        self.segments.iter().find(|segment| segment.address <= address && u64::from(address.0) < segment.end())
    }

    /// The source line of an instruction, where one is known.
    pub fn location(&self, pc: Address) -> Option<Location<'_>> {
        self.segment_at(pc).filter(|segment| segment.is_executable)?;
        let past = self.lines.partition_point(|entry| entry.address <= pc);
        let entry = self.lines[..past].last().filter(|entry| entry.line != 0)?;
        let file = self.files.get(usize::from(entry.file))?;
        let text = file.text.lines().nth(entry.line as usize - 1).unwrap_or("");
        Some(Location { file: &file.name, line: entry.line, column: entry.column, text })
    }

    /// The word at an address of a segment, little-endian; zero beyond its written bytes.
    pub fn word_at(&self, address: Address) -> Option<u32> {
        let segment = self.segment_at(address)?;
        let start = (address.0 - segment.address.0) as usize;
        if start as u64 + 4 > u64::from(segment.size_bytes) {
            return None;
        }
        let byte = |index: usize| segment.bytes.get(start + index).copied().unwrap_or(0);
        Some(u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]))
    }
}
