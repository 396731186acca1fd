//! Words, line table, symbols.
//!
//! Before: `allocate`. After: `gpu_core::Gpu::launch`.
//!
//! Jumps to jumps go straight to the last target, a branch around a jump becomes one branch, code behind a jump that
//! nothing goes to is left out. A branch reaches ±4 KiB; one that must go further is inverted around a jump
//! (RISC-V unprivileged specification, "Conditional Branches").

mod words;

use gpu_core::isa::csr::Csr;
use gpu_core::isa::{Instruction, Op, encode};
use gpu_core::program::{CODE_BASE, LineEntry, Program, ProgramKind, Segment, SourceFile, Symbol};

use crate::allocate::Allocated;
use crate::ir::{Kernel, Location};
use crate::machine_code::{Action, FAR_FRAME, MachineInstruction, Register};
use crate::options::{BackEndError, Mutation};

use words::{Item, Piece};

/// Instructions that a jump forward can pass (±1 MiB).
const LONGEST: usize = 1 << 18;

/// Makes the program.
pub fn run(
    kernel: &Kernel,
    sources: &[SourceFile],
    allocated: &Allocated,
    mutation: Option<Mutation>,
) -> Result<Program, BackEndError> {
    let mut emitter = Emitter { allocated, mutation, items: Vec::new(), at: Location::default() };
    for line in &allocated.code.lines {
        emitter.at = line.at;
        emitter.line(&line.action);
    }
    let mut items = emitter.items;
    words::simplify(&mut items);
    words::rotate(&mut items, allocated.code.label_count, mutation);
    words::simplify(&mut items);
    let placed = words::place(&mut items, mutation);
    let instructions = placed.offsets.last().map_or(0, |end| end / 4) as usize;
    if instructions >= LONGEST {
        return Err(BackEndError::TooLong { kernel: kernel.name.clone(), instructions });
    }
    let mut bytes = Vec::with_capacity(instructions * 4);
    let mut lines: Vec<LineEntry> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let address = placed.offsets[index];
        let made = placed.instructions(index, item);
        if !made.is_empty() {
            let Location { file, line, column } = item.at;
            let entry = LineEntry { address: CODE_BASE.offset(address), file, line, column };
            let is_new = |last: &LineEntry| (last.file, last.line, last.column) != (file, line, column);
            if lines.last().is_none_or(is_new) {
                lines.push(entry);
            }
        }
        for instruction in made {
            let word = encode(&instruction).expect("immediates, offsets and registers were made to fit");
            bytes.extend(word.to_le_bytes());
        }
    }
    let files = match sources {
        [] => kernel.files.iter().map(|name| SourceFile { name: name.clone(), text: String::new() }).collect(),
        sources => sources.to_vec(),
    };
    let size_bytes = bytes.len() as u32;
    Ok(Program {
        kind: ProgramKind::Kernel,
        entry: CODE_BASE,
        segments: vec![Segment {
            name: ".text".to_owned(),
            address: CODE_BASE,
            bytes,
            size_bytes,
            is_writable: false,
            is_executable: true,
        }],
        symbols: vec![Symbol { name: kernel.name.clone(), address: CODE_BASE, size_bytes }],
        lines,
        files,
    })
}

struct Emitter<'a> {
    allocated: &'a Allocated,
    items: Vec<Item>,
    at: Location,
    mutation: Option<Mutation>,
}

impl Emitter<'_> {
    fn number(&self, register: Register) -> u8 {
        match register {
            Register::Zero => 0,
            Register::Frame => 2,
            Register::FarFrame => 3,
            Register::Virtual(index) => self.allocated.numbers[index as usize],
        }
    }

    fn push(&mut self, piece: Piece) {
        self.items.push(Item { piece, at: self.at });
    }

    fn plain(&mut self, op: Op, rd: u8, rs1: u8, rs2: u8, imm: i32) {
        self.push(Piece::Plain(Instruction { rd, rs1, rs2, imm, rm: 0, ..Instruction::new(op) }));
    }

    fn line(&mut self, action: &Action) {
        match *action {
            Action::Label(label) => self.push(Piece::Label(label)),
            Action::Machine(instruction) => self.machine(action, &instruction),
            Action::Branch { op, rs, target } => {
                let (rs1, rs2) = (self.number(rs[0]), self.number(rs[1]));
                self.push(Piece::Branch { op, rs1, rs2, target, is_far: false });
            }
            Action::Jump(target) => self.push(Piece::Jump(target)),
            Action::LoadConstant { rd, bits } => self.load_constant(self.number(rd), bits),
            Action::LoadAddress { rd, label } => self.push(Piece::Address { rd: self.number(rd), label }),
            Action::FrameSetUp { frames } => self.set_frame_up(frames),
            Action::LoopBegin | Action::LoopEnd => {}
        }
    }

    fn machine(&mut self, action: &Action, instruction: &MachineInstruction) {
        let [rs1, rs2, rs3] = instruction.rs.map(|register| self.number(register));
        let MachineInstruction { op, imm, rm, funct2, .. } = *instruction;
        let rd = self.number(instruction.rd);
        if action.copied().is_some() && rd == rs1 {
            return;
        }
        let rs1 = if op == Op::Fli { imm as u8 } else { rs1 };
        self.push(Piece::Plain(Instruction { op, rd, rs1, rs2, rs3, imm, rm, funct2 }));
    }

    fn load_constant(&mut self, rd: u8, bits: u32) {
        let value = bits as i32;
        let low = value << 20 >> 20;
        let is_unsigned = self.mutation == Some(Mutation::UnsignedLow);
        let high = if is_unsigned { value & !0xfff } else { value.wrapping_sub(low) };
        match (high, low) {
            (0, _) => self.plain(Op::Addi, rd, 0, 0, low),
            (_, 0) => self.plain(Op::Lui, rd, 0, 0, high),
            _ => {
                self.plain(Op::Lui, rd, 0, 0, high);
                self.plain(Op::Addi, rd, rd, 0, low);
            }
        }
    }

    /// `x2 = frames + (hart − lane) · words · 4 + lane · 4`, which is the lane's column in its warp's frame; `x3` further on.
    fn set_frame_up(&mut self, frames: i32) {
        let (temporary, frame, lane) = (1, 2, 3);
        self.plain(Op::Csrrs, frame, 0, 0, i32::from(Csr::Mhartid.spec().number));
        self.plain(Op::Csrrs, lane, 0, 0, i32::from(Csr::ThreadId.spec().number));
        self.plain(Op::Sub, frame, frame, lane, 0);
        self.load_constant(temporary, self.allocated.frame_words * 4);
        self.plain(Op::Mul, frame, frame, temporary, 0);
        self.plain(Op::Slli, lane, lane, 0, 2);
        self.plain(Op::Add, frame, frame, lane, 0);
        self.plain(Op::Csrrs, lane, 0, 0, i32::from(Csr::Mscratch.spec().number));
        let low = frames << 20 >> 20;
        if low != frames {
            self.load_constant(temporary, (frames - low) as u32);
            self.plain(Op::Add, lane, lane, temporary, 0);
        }
        self.plain(Op::Lw, lane, lane, 0, low);
        self.plain(Op::Add, frame, frame, lane, 0);
        let far = 3;
        self.load_constant(far, FAR_FRAME as u32);
        self.plain(Op::Add, far, far, frame, 0);
    }
}
