//! Rewrites the code so that some virtual registers are not kept: a fleeting register for each use and each write.

use std::collections::BTreeMap;

use gpu_core::isa::csr::Csr;
use gpu_core::isa::{Extension, Op};

use crate::ir::Kind;
use crate::lower::load_float_constant;
use crate::machine_code::{Action, Code, FAR_FRAME, Line, MachineInstruction, Register, Remake};
use crate::options::{CompileOptions, Statistics};

/// Where a spilled register lives.
#[derive(Copy, Clone)]
enum Home {
    /// Frame word.
    Word(u32),
    /// Nowhere.
    Remade(Remake),
}

/// Spills these registers; new frame words follow the `frame_words` there are.
pub fn rewrite(
    code: &mut Code,
    spilled: &[u32],
    frame_words: &mut u32,
    options: &CompileOptions,
    statistics: &mut Statistics,
) {
    let mut homes = BTreeMap::new();
    for &register in spilled {
        let home = match code.registers[register as usize].remake {
            Some(remake) => {
                statistics.remade += 1;
                Home::Remade(remake)
            }
            None => {
                statistics.spilled += 1;
                *frame_words += 1;
                Home::Word(*frame_words - 1)
            }
        };
        homes.insert(Register::Virtual(register), home);
    }
    let lines = std::mem::take(&mut code.lines);
    let mut out = Vec::with_capacity(lines.len() * 2);
    for mut line in lines {
        let at = line.at;
        let mut writer = Writer { code, out: &mut out, at, options, accesses: 0 };
        let mut replaced: Vec<(Register, Register)> = Vec::new();
        line.action.replace_uses(|register| {
            let Some(&home) = homes.get(&register) else { return register };
            if let Some(&(_, fleeting)) = replaced.iter().find(|(old, _)| *old == register) {
                return fleeting;
            }
            let fleeting = writer.fetch(register, home);
            replaced.push((register, fleeting));
            fleeting
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
                writer.keep(fleeting, word);
            }
        }
        statistics.spill_accesses += writer.accesses;
    }
    code.lines = out;
}

struct Writer<'a> {
    code: &'a mut Code,
    out: &'a mut Vec<Line>,
    at: crate::ir::Location,
    options: &'a CompileOptions,
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
            Home::Remade(Remake::Argument(offset)) => {
                let csr = i32::from(Csr::Mscratch.spec().number);
                self.instruction(Op::Csrrs, rd, [Register::Zero; 2], csr);
                self.instruction(Op::Lw, rd, [rd, Register::Zero], offset);
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
