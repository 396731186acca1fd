//! Sections while they grow: bytes, room, alignment, and what must be filled in once addresses are known.

use super::error::AssembleErrorKind;
use super::expression::Expression;
use crate::isa::encoding::Instruction;
use crate::isa::table::Operand;

/// The most a section may hold: enough for any program, small enough that a slip of the pen cannot fill the host.
pub const SECTION_LIMIT_BYTES: u64 = 64 << 20;

/// The most an alignment may ask for.
pub const ALIGNMENT_LIMIT_BYTES: i64 = 1 << 16;

/// `addi x0, x0, 0`, which fills the gaps of executable sections.
const NOP: u32 = 0x0000_0013;

/// A section in the making.
pub struct Section {
    /// Its name, such as `.text`.
    pub name: String,
    /// Whether the program may store to it.
    pub is_writable: bool,
    /// Whether it holds instructions.
    pub is_executable: bool,
    /// Whether it is room without contents, as `.bss`.
    pub is_room: bool,
    /// Contents; fixups write over the zeros that stand for them.
    pub bytes: Vec<u8>,
    /// Bytes taken so far; more than `bytes` only for room.
    pub size_bytes: u32,
    /// The largest alignment asked for, a power of two.
    pub alignment_bytes: u32,
    /// What to fill in.
    pub fixups: Vec<Fixup>,
}

/// Something whose value waits for addresses.
pub struct Fixup {
    /// Bytes from the section's beginning.
    pub offset: u32,
    /// Index of the line it comes from, for messages and the line table.
    pub origin: usize,
    /// Byte of that line where its statement begins.
    pub start: usize,
    /// What is filled in.
    pub what: Pending,
}

/// What a fixup fills in.
pub enum Pending {
    /// An instruction and the operands that are expressions.
    Instruction(Instruction, Vec<(Operand, Expression)>),
    /// So many bytes of a number.
    Data(u8, Expression),
}

impl Section {
    /// An empty section; flags are those of GNU as (`a`, `w`, `x`), without them the name decides.
    pub fn new(name: &str, flags: Option<&str>) -> Self {
        let is_kind = |kind: &str| name == kind || name.strip_prefix(kind).is_some_and(|rest| rest.starts_with('.'));
        let has = |flag: char, by_name: bool| flags.map_or(by_name, |flags| flags.contains(flag));
        let is_room = is_kind(".bss") || is_kind(".sbss");
        let is_executable = has('x', is_kind(".text"));
        let is_writable = has('w', !is_executable && !is_kind(".rodata") && !is_kind(".srodata"));
        Self {
            name: name.to_owned(),
            is_writable,
            is_executable,
            is_room,
            bytes: Vec::new(),
            size_bytes: 0,
            alignment_bytes: 16,
            fixups: Vec::new(),
        }
    }

    /// Where the section goes among the others: code, constants, data, room.
    pub fn rank(&self) -> u8 {
        match (self.is_executable, self.is_room, self.is_writable) {
            (true, ..) => 0,
            (_, true, _) => 3,
            (_, _, true) => 2,
            _ => 1,
        }
    }

    /// Adds bytes.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), AssembleErrorKind> {
        if self.is_room {
            return Err(AssembleErrorKind::NoContents(self.name.clone()));
        }
        self.grow(bytes.len() as u64)?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Adds `count` bytes of one value.
    pub fn fill(&mut self, count: u64, value: u8) -> Result<(), AssembleErrorKind> {
        if self.is_room && value != 0 {
            return Err(AssembleErrorKind::NoContents(self.name.clone()));
        }
        self.grow(count)?;
        if !self.is_room {
            self.bytes.resize(self.size_bytes as usize, value);
        }
        Ok(())
    }

    /// Goes on to a multiple of `alignment`, a power of two; gaps between instructions are filled with `nop`.
    pub fn align(&mut self, alignment: u32, value: Option<u8>) -> Result<(), AssembleErrorKind> {
        self.alignment_bytes = self.alignment_bytes.max(alignment);
        let gap = self.size_bytes.wrapping_neg() & (alignment - 1);
        if self.is_executable && value.is_none() && gap.is_multiple_of(4) && self.size_bytes.is_multiple_of(4) {
            return (0..gap / 4).try_for_each(|_| self.append(&NOP.to_le_bytes()));
        }
        self.fill(u64::from(gap), value.unwrap_or(0))
    }

    /// Adds zeros that a fixup will write over.
    pub fn append_fixup(
        &mut self,
        origin: usize,
        start: usize,
        size_bytes: u8,
        what: Pending,
    ) -> Result<(), AssembleErrorKind> {
        let offset = self.size_bytes;
        self.append(&[0; 8][..usize::from(size_bytes)])?;
        self.fixups.push(Fixup { offset, origin, start, what });
        Ok(())
    }

    /// Takes room, within the limit.
    fn grow(&mut self, count: u64) -> Result<(), AssembleErrorKind> {
        let bytes = u64::from(self.size_bytes).saturating_add(count);
        if bytes > SECTION_LIMIT_BYTES {
            return Err(AssembleErrorKind::SectionSize {
                section: self.name.clone(),
                bytes,
                limit: SECTION_LIMIT_BYTES,
            });
        }
        self.size_bytes = bytes as u32;
        Ok(())
    }
}
