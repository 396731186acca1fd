//! Rewrites the code so that some virtual registers are not kept: a fleeting register for each use and each write.
//!
//! In straight-line code a fleeting register serves the following uses too while registers are to spare. Control flow
//! that comes in, or lanes that come back, end that: they have not been where it was read.

use std::collections::BTreeMap;

use gpu_core::isa::table::Unit;
use gpu_core::isa::{Extension, Op};

use crate::abi::ArgumentLayout;
use crate::ir::Kind;
use crate::lower::{is_one_instruction, load_float_constant};
use crate::machine_code::{Action, Code, FAR_FRAME, Line, MachineInstruction, Register, Remake};
use crate::options::{CompileOptions, Mutation, Statistics};

use super::intervals::Interval;

/// Where a spilled register lives.
#[derive(Copy, Clone)]
enum Home {
    /// Frame word.
    Word(u32),
    /// Nowhere.
    Remade(Remake),
}

/// What spilling has made so far; it goes on from round to round, since what is made anew may need what was spilled before.
pub struct Spills {
    homes: BTreeMap<Register, Home>,
    /// Words of frame of one lane.
    pub frame_words: u32,
    /// What the argument block holds for the code, each once.
    pub constants: Vec<u32>,
    /// Where in the block.
    layout: ArgumentLayout,
    /// How much there was to do.
    pub statistics: Statistics,
}

impl Spills {
    /// Before the first round.
    pub fn new(private_words: u32, layout: ArgumentLayout) -> Self {
        let statistics = Statistics::default();
        Self { homes: BTreeMap::new(), frame_words: private_words, constants: Vec::new(), layout, statistics }
    }

    /// Finds a home.
    fn settle(&mut self, code: &Code, register: u32, options: &CompileOptions) {
        let info = &code.registers[register as usize];
        let home = match info.remake {
            Some(remake) => {
                self.statistics.remade += 1;
                Home::Remade(match remake {
                    Remake::Constant(bits) => self.constant(code, info.kind, bits, options),
                    other => other,
                })
            }
            None => {
                self.statistics.spilled += 1;
                self.frame_words += 1;
                Home::Word(self.frame_words - 1)
            }
        };
        self.homes.insert(Register::Virtual(register), home);
    }

    /// A constant that takes several instructions is loaded from the argument block, where all lanes read one word.
    fn constant(&mut self, code: &Code, kind: Kind, bits: u32, options: &CompileOptions) -> Remake {
        let made = Remake::Constant(bits);
        let Some(base) = code.arguments else { return made };
        if is_one_instruction(kind, bits, options.extensions.contains(Extension::Zfa)) {
            return made;
        }
        let known = self.constants.iter().position(|&other| other == bits).unwrap_or(self.constants.len());
        let shown = known as u32 + u32::from(options.plants(Mutation::NextConstant));
        let offset = self.layout.constant(shown) as i32;
        if offset >= 2048 {
            return made;
        }
        if known == self.constants.len() {
            self.constants.push(bits);
        }
        Remake::Load { base, offset }
    }
}

/// Spills these registers; `intervals` are those of the scan that chose them.
pub fn rewrite(
    code: &mut Code,
    intervals: &[Interval],
    spilled: &[u32],
    spills: &mut Spills,
    options: &CompileOptions,
) {
    for &register in spilled {
        spills.settle(code, register, options);
    }
    let mut room = Room::beside(code, intervals, spilled, options);
    let homes = &spills.homes;
    let lines = std::mem::take(&mut code.lines);
    let mut out = Vec::with_capacity(lines.len() * 2);
    let mut held = Held::new();
    for (index, mut line) in lines.into_iter().enumerate() {
        let at = line.at;
        if ends_holding(&line.action, options) {
            held.clear();
        }
        let (held, room) = (&mut held, &mut room);
        let mut writer = Writer { code, out: &mut out, at, index, options, homes, held, room, accesses: 0 };
        line.action.replace_uses(|register| match writer.held.get(&register).copied() {
            // It is there for this line anyway.
            Some((fleeting, last)) if last == index => fleeting,
            _ => writer.obtain(register),
        });
        let defined = line.action.defines();
        match homes.get(&defined) {
            None => writer.out.push(line),
            // Every write of it gives the same, so none is needed.
            Some(Home::Remade(_)) => {}
            Some(&Home::Word(word)) => {
                let fleeting = writer.fleeting(defined);
                line.action.replace_definition(fleeting);
                writer.out.push(line);
                if !options.plants(Mutation::KeepNothing) {
                    writer.keep(fleeting, word);
                }
                writer.held.insert(defined, (fleeting, index));
            }
        }
        spills.statistics.spill_accesses += writer.accesses;
    }
    code.lines = out;
}

/// Whether what a register holds may not be what this line's lanes, or those that come here from elsewhere, have of it.
fn ends_holding(action: &Action, options: &CompileOptions) -> bool {
    match action {
        Action::Label(_) | Action::LoopBegin | Action::LoopEnd if options.plants(Mutation::HoldOverLabels) => false,
        Action::Label(_) | Action::LoopBegin | Action::LoopEnd | Action::FrameSetUp { .. } => true,
        Action::Machine(instruction) => match instruction.op {
            // They only take lanes off.
            Op::Split | Op::SplitN | Op::MaskAnd => false,
            _ if options.plants(Mutation::HoldOverMasks) => false,
            op => op.spec().unit == Unit::WarpControl,
        },
        _ => false,
    }
}

/// Where each spilled register can still be read, and the line that read or wrote it there last.
type Held = BTreeMap<Register, (Register, usize)>;

/// Registers that are left for holding spilled values from one use to the next, line by line.
struct Room {
    left: [Vec<i32>; 2],
}

/// Registers of a file that an instruction may need for its own operands, all spilled.
const OPERANDS: i32 = 4;

impl Room {
    /// What the registers that stay leave over.
    fn beside(code: &Code, intervals: &[Interval], spilled: &[u32], options: &CompileOptions) -> Self {
        let registers = [options.integer_registers as i32, options.float_registers as i32];
        let mut changes = [(); 2].map(|()| vec![0; code.lines.len() + 1]);
        let mut goes = vec![false; code.registers.len()];
        spilled.iter().for_each(|&register| goes[register as usize] = true);
        for interval in intervals.iter().filter(|interval| !goes[interval.register as usize]) {
            let file = (code.registers[interval.register as usize].kind == Kind::Float) as usize;
            changes[file][interval.start / 2] += 1;
            changes[file][interval.end / 2 + 1] -= 1;
        }
        let left = [0, 1].map(|file| {
            let mut live = 0;
            let lines = changes[file].iter().map(|change| {
                live += change;
                registers[file] - OPERANDS - live
            });
            lines.collect()
        });
        Self { left }
    }

    /// Takes a register from one line to another, if there is one all the way.
    fn take(&mut self, kind: Kind, from: usize, to: usize) -> bool {
        let lines = &mut self.left[(kind == Kind::Float) as usize][from..=to];
        let has_room = lines.iter().all(|&left| left > 0);
        if has_room {
            lines.iter_mut().for_each(|left| *left -= 1);
        }
        has_room
    }
}

struct Writer<'a> {
    code: &'a mut Code,
    out: &'a mut Vec<Line>,
    at: crate::ir::Location,
    /// Of the line that is being rewritten.
    index: usize,
    options: &'a CompileOptions,
    homes: &'a BTreeMap<Register, Home>,
    held: &'a mut Held,
    room: &'a mut Room,
    accesses: u32,
}

impl Writer<'_> {
    fn kind(&self, register: Register) -> Kind {
        match register {
            Register::Virtual(index) => self.code.registers[index as usize].kind,
            _ => Kind::Int,
        }
    }

    /// A register of the same kind that lives for one instruction.
    fn fleeting(&mut self, like: Register) -> Register {
        let register = self.code.register(self.kind(like));
        self.mark(register);
        register
    }

    fn mark(&mut self, register: Register) {
        if let Register::Virtual(index) = register {
            self.code.registers[index as usize].is_fleeting = true;
        }
    }

    fn push(&mut self, action: Action) {
        self.out.push(Line { action, at: self.at });
    }

    fn instruction(&mut self, op: Op, rd: Register, rs: [Register; 2], imm: i32) {
        let rs = [rs[0], rs[1], Register::Zero];
        self.push(Action::Machine(MachineInstruction { rd, rs, imm, ..MachineInstruction::new(op) }));
    }

    /// Base and offset of a frame word: most words are in reach of one of the two frame registers.
    fn frame_word(&mut self, word: u32) -> (Register, i32) {
        let offset = (word * self.options.lanes * 4) as i32;
        if offset < 2048 {
            return (Register::Frame, offset);
        }
        let from_far = offset - FAR_FRAME;
        if from_far < 2048 {
            return (Register::FarFrame, from_far);
        }
        let low = offset << 20 >> 20;
        let base = self.code.register(Kind::Int);
        self.mark(base);
        self.push(Action::LoadConstant { rd: base, bits: (offset - low) as u32 });
        self.instruction(Op::Add, base, [base, Register::Frame], 0);
        (base, low)
    }

    /// The register to read a value from: its own, one that still holds it, or a new one.
    fn obtain(&mut self, register: Register) -> Register {
        let Some(&home) = self.homes.get(&register) else { return register };
        let (kind, held) = (self.kind(register), self.held.get(&register).copied());
        let fleeting = match held {
            Some((fleeting, last)) if self.room.take(kind, last, self.index) => fleeting,
            _ => self.fetch(register, home),
        };
        self.held.insert(register, (fleeting, self.index));
        fleeting
    }

    fn fetch(&mut self, register: Register, home: Home) -> Register {
        let rd = self.fleeting(register);
        match home {
            Home::Word(word) => {
                let (base, offset) = self.frame_word(word);
                let op = if self.kind(register) == Kind::Int { Op::Lw } else { Op::Flw };
                self.instruction(op, rd, [base, Register::Zero], offset);
                self.accesses += 1;
            }
            Home::Remade(Remake::Constant(bits)) if self.kind(register) == Kind::Int => {
                self.push(Action::LoadConstant { rd, bits });
            }
            Home::Remade(Remake::Constant(bits)) => {
                let has_zfa = self.options.extensions.contains(Extension::Zfa);
                let first = self.code.registers.len();
                let (out, at) = (&mut *self.out, self.at);
                load_float_constant(self.code, rd, bits, has_zfa, |action| out.push(Line { action, at }));
                for made in first..self.code.registers.len() {
                    self.mark(Register::Virtual(made as u32));
                }
            }
            Home::Remade(Remake::Load { base, offset }) => {
                let base = self.obtain(base);
                let op = if self.kind(register) == Kind::Int { Op::Lw } else { Op::Flw };
                self.instruction(op, rd, [base, Register::Zero], offset);
            }
            Home::Remade(Remake::Csr(number)) => self.instruction(Op::Csrrs, rd, [Register::Zero; 2], number),
        }
        rd
    }

    fn keep(&mut self, register: Register, word: u32) {
        let (base, offset) = self.frame_word(word);
        let op = if self.kind(register) == Kind::Int { Op::Sw } else { Op::Fsw };
        self.instruction(op, Register::Zero, [base, register], offset);
        self.accesses += 1;
    }
}
