//! A program's instructions, decoded once.
//!
//! Before: `gpu` has placed a program's segments in memory. After: `step` fetches from here; `fence.i` refreshes it.

use crate::isa::encoding::{Instruction, decode_for};
use crate::isa::extension_set::ExtensionSet;
use crate::isa::table::Op;
use crate::memory::Memory;
use crate::program::Program;
use crate::units::Address;
use serde::{Deserialize, Serialize};

/// What a core would fetch from a program's executable segments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Image", into = "Image")]
pub struct Code {
    extensions: ExtensionSet,
    segments: Vec<CodeSegment>,
    tracks_float_flags: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct CodeSegment {
    start: Address,
    words: Vec<u32>,
    /// `None` where the word is no instruction of this machine.
    instructions: Vec<Option<Instruction>>,
}

/// What is saved of a [`Code`]: the rest follows from it.
#[derive(Serialize, Deserialize)]
struct Image {
    extensions: ExtensionSet,
    segments: Vec<(Address, Vec<u32>)>,
}

impl Code {
    /// No code at all.
    pub fn empty(extensions: ExtensionSet) -> Self {
        Self { extensions, segments: Vec::new(), tracks_float_flags: false }
    }

    /// Decodes the executable segments of a program for a machine with these extensions.
    pub fn new(program: &Program, extensions: ExtensionSet) -> Self {
        let executable = program.segments.iter().filter(|segment| segment.is_executable);
        let segments = executable.map(|segment| {
            let mut bytes = segment.bytes.clone();
            bytes.resize((segment.size_bytes as usize).max(bytes.len()), 0);
            let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
            (segment.address, words.collect())
        });
        Self::from(Image { extensions, segments: segments.collect() })
    }

    /// The word and its instruction at `pc`, a multiple of 4; `None` outside the executable segments.
    #[inline]
    pub fn fetch(&self, pc: Address) -> Option<(u32, Option<Instruction>)> {
        self.segments.iter().find_map(|segment| {
            let index = (pc.0.wrapping_sub(segment.start.0) / 4) as usize;
            Some((*segment.words.get(index)?, segment.instructions[index]))
        })
    }

    /// Whether the program can see `fflags`, so that they must be computed. It is a property of the program, so that
    /// every engine agrees: some instruction accesses `fflags` or `fcsr`, or replaces code.
    #[inline]
    pub fn tracks_float_flags(&self) -> bool {
        self.tracks_float_flags
    }

    /// The extensions it was decoded for.
    pub fn extensions(&self) -> ExtensionSet {
        self.extensions
    }

    /// First address, words and instructions of each executable segment.
    pub fn segments(&self) -> impl Iterator<Item = (Address, &[u32], &[Option<Instruction>])> {
        self.segments.iter().map(|segment| (segment.start, &segment.words[..], &segment.instructions[..]))
    }

    /// Whether memory holds other words than these.
    pub fn is_stale(&self, memory: &Memory) -> bool {
        let mut addressed = self.segments.iter().flat_map(|segment| addressed_words(segment.start, &segment.words));
        addressed.any(|(address, word)| memory.load(address, 4).is_some_and(|now| now != word))
    }

    /// Fetches every word anew.
    pub fn refresh(&mut self, memory: &Memory) {
        for segment in &mut self.segments {
            for index in 0..segment.words.len() {
                let address = segment.start.offset(4 * index as u32);
                let Some(word) = memory.load(address, 4).filter(|&word| word != segment.words[index]) else { continue };
                segment.words[index] = word;
                segment.instructions[index] = decode_for(self.extensions, word);
            }
        }
    }
}

fn addressed_words(start: Address, words: &[u32]) -> impl Iterator<Item = (Address, u32)> {
    words.iter().enumerate().map(move |(index, &word)| (start.offset(4 * index as u32), word))
}

impl From<Image> for Code {
    fn from(image: Image) -> Self {
        let extensions = image.extensions;
        let decode = |&word: &u32| decode_for(extensions, word);
        let segments = image.segments.into_iter().map(|(start, words)| {
            let instructions = words.iter().map(decode).collect();
            CodeSegment { start, words, instructions }
        });
        let segments: Vec<CodeSegment> = segments.collect();
        let mut all = segments.iter().flat_map(|segment| segment.instructions.iter().flatten());
        let tracks_float_flags = all.any(can_see_float_flags);
        Self { extensions, segments, tracks_float_flags }
    }
}

impl From<Code> for Image {
    fn from(code: Code) -> Self {
        let segments = code.segments.into_iter().map(|segment| (segment.start, segment.words));
        Self { extensions: code.extensions, segments: segments.collect() }
    }
}

fn can_see_float_flags(instruction: &Instruction) -> bool {
    match instruction.op {
        Op::Csrrw | Op::Csrrs | Op::Csrrc | Op::Csrrwi | Op::Csrrsi | Op::Csrrci => matches!(instruction.imm, 1 | 3),
        // What it will execute then is not known.
        Op::FenceI => true,
        _ => false,
    }
}
