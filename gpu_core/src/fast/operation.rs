//! Instructions made ready for `interpret`: register rows, resolved immediates, and how far each basic block goes.
//!
//! Before: [`Code`], decoded by the one decoder. After: an [`Operation`] for each word of each executable segment.
//! An operation that `interpret` must leave to the plain engine has a block length of zero.
//! Gain: with `interpret` at the baseline, arithmetic at 16 lanes 37 → 19 ns a warp-instruction (see `mod.rs`).

use crate::isa::csr::Csr;
use crate::isa::encoding::{DYNAMIC_ROUNDING, Instruction};
use crate::isa::table::{Extension, Op, Operand};
use crate::semantics::Code;
use crate::semantics::float::Rounding;
use crate::units::Address;

/// One instruction. Registers are numbered 0 to 63: x0 to x31, then f0 to f31.
#[derive(Copy, Clone, Debug)]
pub(super) struct Operation {
    pub op: Op,
    pub rd: u8,
    pub rs1: u8,
    pub rs2: u8,
    pub rs3: u8,
    /// Bits 26:25.
    pub funct2: u8,
    /// How it rounds, if it does.
    pub rounding: Rounding,
    /// Instructions from here to the end of the basic block, itself included; 0 if the plain engine must run it.
    pub block_length: u16,
    /// The immediate; for `auipc` and `jal` with the address of the instruction added.
    pub immediate: u32,
    /// Where it lies.
    pub pc: u32,
    /// Its number among all operations of the program.
    pub index: u32,
}

impl Operation {
    /// Whether `interpret` may leave it to the plain engine.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only `calls` asks"))]
    pub fn may_be_refused(&self) -> bool {
        !matches!(place(self.op), Place::Pure | Place::Flags | Place::Nearest | Place::Rounding)
    }

    /// Where it may go on besides the next instruction, if it says so itself.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only `calls` asks"))]
    pub fn target(&self) -> Option<u32> {
        match self.op {
            _ if self.block_length == 0 => None,
            Op::Jal => Some(self.immediate),
            Op::Beq | Op::Bne | Op::Blt | Op::Bge | Op::Bltu | Op::Bgeu => Some(self.pc.wrapping_add(self.immediate)),
            _ => None,
        }
    }
}

/// Blocks are cut at this length, so that their length fits.
const LONGEST_BLOCK: u16 = 4096;

/// A program made ready. It is the same for all cores.
#[derive(Clone, Debug, Default)]
pub(super) struct Operations {
    segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub start: u32,
    pub operations: Vec<Operation>,
}

impl Operations {
    /// Makes a program ready.
    pub fn new(code: &Code) -> Self {
        let mut first = 0;
        let segments = code.segments().map(|(start, _, instructions)| {
            let tracks_flags = code.tracks_float_flags();
            let operation = |(index, instruction): (usize, &Option<Instruction>)| {
                let operation = translate(start.offset(4 * index as u32), instruction.as_ref(), tracks_flags);
                Operation { index: (first + index) as u32, ..operation }
            };
            let mut operations: Vec<Operation> = instructions.iter().enumerate().map(operation).collect();
            for index in (0..operations.len().saturating_sub(1)).rev() {
                let after = operations[index + 1].block_length;
                let operation = &mut operations[index];
                if operation.block_length != 0 && !ends_block(operation.op) && after < LONGEST_BLOCK {
                    operation.block_length += after;
                }
            }
            first += operations.len();
            Segment { start: start.0, operations }
        });
        Self { segments: segments.collect() }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.segments.iter().map(|segment| segment.operations.len()).sum()
    }

    /// All segments, in the order of their operations' indices.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only `calls` asks"))]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The segment that holds the instruction at `pc`.
    #[inline(always)]
    pub fn find(&self, pc: u32) -> Option<&Segment> {
        self.segments.iter().find(|segment| segment.index_of(pc).is_some())
    }
}

impl Segment {
    /// Where the operation with this number lies; it may be the one after the last.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only `calls` asks"))]
    pub fn pc_of(&self, number: u32) -> u32 {
        let first = self.operations.first().map_or(0, |o| o.index);
        self.start.wrapping_add(4 * number.wrapping_sub(first))
    }

    /// The index of the operation at `pc`.
    #[inline(always)]
    pub fn index_of(&self, pc: u32) -> Option<usize> {
        // A distance that is no multiple of 4 becomes huge.
        let index = pc.wrapping_sub(self.start).rotate_right(2) as usize;
        (index < self.operations.len()).then_some(index)
    }
}

/// Whether the next instruction may lie elsewhere, or have another mask.
fn ends_block(op: Op) -> bool {
    use Op::*;
    matches!(op, Jal | Jalr | Beq | Bne | Blt | Bge | Bltu | Bgeu) || changes_mask(op)
}

/// Whether the next instruction may have another mask.
pub(super) fn changes_mask(op: Op) -> bool {
    use Op::*;
    matches!(op, Tmc | Split | SplitN | Join | Pred | PredN) || op.spec().extension == Extension::ThreadMask
}

fn translate(pc: Address, instruction: Option<&Instruction>, tracks_flags: bool) -> Operation {
    let plain = Operation {
        op: Op::Ebreak,
        rd: 0,
        rs1: 0,
        rs2: 0,
        rs3: 0,
        funct2: 0,
        rounding: Rounding::NearestEven,
        block_length: 0,
        immediate: 0,
        pc: pc.0,
        index: 0,
    };
    let Some(instruction) = instruction else { return plain };
    let operands = instruction.op.spec().operands;
    let row = |register: u8, float: Operand| register & 31 | if operands.contains(&float) { 32 } else { 0 };
    let number = match instruction.rm {
        DYNAMIC_ROUNDING => 0,
        number => number,
    };
    let mut operation = Operation {
        op: instruction.op,
        rd: row(instruction.rd, Operand::Fd),
        rs1: row(instruction.rs1, Operand::Fs1),
        rs2: row(instruction.rs2, Operand::Fs2),
        rs3: row(instruction.rs3, Operand::Fs3),
        funct2: instruction.funct2,
        rounding: Rounding::from_number(number.into()).unwrap_or(Rounding::NearestEven),
        block_length: 1,
        immediate: instruction.imm as u32,
        ..plain
    };
    if let Some(register) = csr_here(instruction) {
        operation.immediate = register as u32;
        if instruction.op == Op::Csrrw || operation.rd != 0 {
            return operation;
        }
        return Operation { op: Op::Addi, rs1: 0, immediate: 0, ..operation };
    }
    let is_reserved_mode = Rounding::from_number(number.into()).is_none();
    match place(instruction.op) {
        Place::Plain => return plain,
        Place::Jump if instruction.imm % 4 != 0 => return plain,
        Place::Jump => {}
        Place::Load if operation.rd == 0 => return plain,
        Place::Load | Place::Effect => {}
        Place::Pure => {}
        Place::Flags if tracks_flags => return plain,
        Place::Flags => {}
        Place::Nearest if tracks_flags || operation.rounding != Rounding::NearestEven => return plain,
        Place::Nearest | Place::Rounding if is_reserved_mode => return plain,
        Place::Rounding if tracks_flags || operation.rounding == Rounding::NearestMaxMagnitude => return plain,
        Place::Nearest | Place::Rounding => {}
    }
    if matches!(instruction.op, Op::Auipc | Op::Jal) {
        operation.immediate = operation.immediate.wrapping_add(pc.0);
    }
    let writes_nothing =
        operation.rd == 0 && !matches!(place(instruction.op), Place::Jump | Place::Load | Place::Effect);
    if writes_nothing {
        // x0 = x0 + 0 is as good as any other instruction without effect, and keeps the row of x0 zero.
        operation = Operation { op: Op::Addi, rs1: 0, immediate: 0, ..operation };
    }
    operation
}

/// A control register that programs read in inner loops: it stays as it is during a run, but for the texture bank, which
/// is also written here. The number is its place in `Frame::registers`; the last two differ from lane to lane.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Register {
    Mscratch,
    WarpId,
    CoreId,
    NumThreads,
    NumWarps,
    NumCores,
    LocalMemBase,
    TextureBank,
    ThreadId,
    Mhartid,
}

/// How many of them are the same in every lane.
pub(super) const UNIFORM_REGISTERS: usize = Register::ThreadId as usize;

/// The register of an instruction that only reads one of those, or only writes the texture bank.
fn csr_here(instruction: &Instruction) -> Option<Register> {
    let (csr, _) = Csr::of_number(instruction.imm as u16)?;
    let register = match csr {
        Csr::Mscratch => Register::Mscratch,
        Csr::WarpId => Register::WarpId,
        Csr::CoreId => Register::CoreId,
        Csr::NumThreads => Register::NumThreads,
        Csr::NumWarps => Register::NumWarps,
        Csr::NumCores => Register::NumCores,
        Csr::LocalMemBase => Register::LocalMemBase,
        Csr::TextureBank => Register::TextureBank,
        Csr::ThreadId => Register::ThreadId,
        Csr::Mhartid => Register::Mhartid,
        _ => return None,
    };
    match instruction.op {
        Op::Csrrs if instruction.rs1 == 0 => Some(register),
        Op::Csrrw if instruction.rd == 0 && register == Register::TextureBank => Some(register),
        _ => None,
    }
}

/// Where an instruction is run.
pub(super) enum Place {
    /// By the plain engine: rare, synchronising, or in need of more than registers and memory.
    Plain,
    /// Here, and the program goes on at an address.
    Jump,
    /// Here; it writes a register from memory.
    Load,
    /// Here; it does more than writing a register.
    Effect,
    /// Here; it only writes a register.
    Pure,
    /// Here, while nobody can see float flags.
    Flags,
    /// Here, while nobody can see float flags and it rounds to nearest-even.
    Nearest,
    /// Here in all rounding modes but the last, while nobody can see float flags.
    Rounding,
}

/// Where an instruction is run, if its operands do not speak against it.
pub(super) fn place(op: Op) -> Place {
    use Op::*;
    match op {
        Jal | Jalr | Beq | Bne | Blt | Bge | Bltu | Bgeu => Place::Jump,
        Lb | Lh | Lw | Lbu | Lhu | Flw | Tex | Texl | Texf => Place::Load,
        Sb | Sh | Sw | Fsw | Tmc | Split | SplitN | Join | Pred | PredN | MaskAnd | MaskOr | MaskXor | MaskAndn2
        | MaskOrn2 | MaskNand | MaskNor | MaskXnor => Place::Effect,
        Lui | Auipc | Addi | Slti | Sltiu | Xori | Ori | Andi | Slli | Srli | Srai | Add | Sub | Sll | Slt | Sltu
        | Xor | Srl | Sra | Or | And | Mul | Mulh | Mulhsu | Mulhu | Div | Divu | Rem | Remu | Sh1add | Sh2add
        | Sh3add | Andn | Orn | Xnor | Min | Minu | Max | Maxu | Rol | Ror | Rori | Clz | Ctz | Cpop | SextB
        | SextH | ZextH | OrcB | Rev8 | CzeroEqz | CzeroNez | Fsgnj | Fsgnjn | Fsgnjx | FmvXW | FmvWX | Fclass
        | Fli | VoteAll | VoteAny | VoteUni | VoteBallot | ShflUp | ShflDown | ShflBfly | ShflIdx | Imadd => {
            Place::Pure
        }
        Fmin | Fmax | Fminm | Fmaxm | Feq | Flt | Fle | Fleq | Fltq => Place::Flags,
        Fadd | Fsub | Fmul | Fdiv | Fsqrt | Fmadd | Fmsub | Fnmsub | Fnmadd | FcvtSW | FcvtSWu => Place::Nearest,
        Frecip | Fcbrt | Fexp2 | Flog2 | Fexpm1 | Flog1p | Fhypot | Fexp | Flog | Fexp10 | Flog10 | Fsin | Fcos
        | Ftan | Fsinpi | Fcospi | Ftanpi | Fatan2 | Fasin | Facos | Fatan | Fatan2pi | Fasinpi | Facospi | Fatanpi
        | Fsinh | Fcosh | Ftanh | Fasinh | Facosh | Fatanh | Fpow | Froot | Frsqrt => Place::Nearest,
        FcvtWS | FcvtWuS | Fround | Froundnx => Place::Rounding,
        Fence | Ecall | Ebreak | Mret | Wfi | FenceI | Csrrw | Csrrs | Csrrc | Csrrwi | Csrrsi | Csrrci | LrW | ScW
        | AmoSwap | AmoAdd | AmoXor | AmoAnd | AmoOr | AmoMin | AmoMax | AmoMinu | AmoMaxu | Wspawn | Bar | Om
        | Rast => Place::Plain,
    }
}
