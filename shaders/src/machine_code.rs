//! Machine instructions over virtual registers, as the lowering writes them.
//!
//! Before: `lower`. After: `allocate` names the registers, `emit` makes words of it.
//!
//! A virtual register holds one word in every lane. An instruction writes the active lanes only; nothing else about
//! masks needs to be known here, because intervals have no holes (see `allocate`).

use gpu_core::isa::Op;
use gpu_core::isa::table::Operand;

use crate::ir::{Kind, Location};

/// Bytes from [`Register::Frame`] to [`Register::FarFrame`].
pub const FAR_FRAME: i32 = 4096;

/// An operand of an instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Register {
    /// `x0`: reads as zero, swallows writes; also stands for an operand that the row does not name.
    Zero,
    /// `x2`: the lane's place in its warp's frame.
    Frame,
    /// `x3`: [`FAR_FRAME`] bytes further on, where the frame is so large; loads and stores reach 2 KiB to both sides.
    FarFrame,
    /// Index into [`Code::registers`].
    Virtual(u32),
}

/// A place in the code.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CodeLabel(pub u32);

/// One instruction with all its operands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MachineInstruction {
    /// Which row of the table.
    pub op: Op,
    /// Destination.
    pub rd: Register,
    /// Sources.
    pub rs: [Register; 3],
    /// The immediate as the row wants it.
    pub imm: i32,
    /// Rounding mode; 0 is to nearest.
    pub rm: u8,
    /// Texture stage or shift.
    pub funct2: u8,
}

impl MachineInstruction {
    /// The instruction with no operands.
    pub const fn new(op: Op) -> Self {
        Self { op, rd: Register::Zero, rs: [Register::Zero; 3], imm: 0, rm: 0, funct2: 0 }
    }
}

/// What a line of code is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A place to go to.
    Label(CodeLabel),
    /// Any instruction that does not name a place.
    Machine(MachineInstruction),
    /// A conditional branch; all active lanes agree on it.
    Branch {
        /// `Beq` to `Bgeu`.
        op: Op,
        /// What is compared.
        rs: [Register; 2],
        /// Where it goes.
        target: CodeLabel,
    },
    /// Goes there.
    Jump(CodeLabel),
    /// Any 32 bits into an integer register.
    LoadConstant {
        /// Destination.
        rd: Register,
        /// The bits.
        bits: u32,
    },
    /// The address of a place into an integer register.
    LoadAddress {
        /// Destination.
        rd: Register,
        /// The place.
        label: CodeLabel,
    },
    /// Puts the lane's frame address into [`Register::Frame`]; uses registers freely, since nothing lives yet.
    FrameSetUp {
        /// Byte offset of the frames' address in the argument block.
        frames: i32,
    },
    /// The loop's first line: control comes back here from [`Action::LoopEnd`].
    LoopBegin,
    /// The loop's last line.
    LoopEnd,
}

/// One line and the source it came from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What.
    pub action: Action,
    /// From where.
    pub at: Location,
}

/// How a register's value can be made anew instead of being kept.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Remake {
    /// These bits.
    Constant(u32),
    /// A word that nobody writes while the kernel runs, at this distance from an address that is written where it is.
    Load {
        /// The address.
        base: Register,
        /// In bytes, to fit a load.
        offset: i32,
    },
    /// A control and status register, by its number; the same whenever it is read.
    Csr(i32),
}

/// What is known of a virtual register.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RegisterInfo {
    /// Which file.
    pub kind: Kind,
    /// Set when every one of its writes gives the same value, and how to get that.
    pub remake: Option<Remake>,
    /// Made by spilling: lives for one instruction and must have a register.
    pub is_fleeting: bool,
}

/// A whole kernel, or a part of one.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// In the order of addresses.
    pub lines: Vec<Line>,
    /// One for each virtual register.
    pub registers: Vec<RegisterInfo>,
    /// How many labels are in use.
    pub label_count: u32,
    /// The register of the argument block's address, written before all that the kernel computes.
    pub arguments: Option<Register>,
}

impl Code {
    /// A new virtual register.
    pub fn register(&mut self, kind: Kind) -> Register {
        self.registers.push(RegisterInfo { kind, remake: None, is_fleeting: false });
        Register::Virtual(self.registers.len() as u32 - 1)
    }

    /// A new label, not yet placed.
    pub fn label(&mut self) -> CodeLabel {
        self.label_count += 1;
        CodeLabel(self.label_count - 1)
    }
}

impl Action {
    /// The registers it reads, [`Register::Zero`] where there is none.
    pub fn uses(&self) -> [Register; 3] {
        match *self {
            Self::Machine(instruction) => {
                let mut uses = [Register::Zero; 3];
                for operand in instruction.op.spec().operands {
                    match operand {
                        Operand::Rs1 | Operand::Fs1 | Operand::MemI | Operand::MemS | Operand::Addr => {
                            uses[0] = instruction.rs[0];
                        }
                        Operand::Rs2 | Operand::Fs2 => uses[1] = instruction.rs[1],
                        Operand::Rs3 | Operand::Fs3 => uses[2] = instruction.rs[2],
                        _ => {}
                    }
                }
                uses
            }
            Self::Branch { rs, .. } => [rs[0], rs[1], Register::Zero],
            _ => [Register::Zero; 3],
        }
    }

    /// The register it writes, [`Register::Zero`] if none.
    pub fn defines(&self) -> Register {
        match *self {
            Self::Machine(instruction) => {
                let writes = instruction.op.spec().operands.iter().any(|o| matches!(o, Operand::Rd | Operand::Fd));
                if writes { instruction.rd } else { Register::Zero }
            }
            Self::LoadConstant { rd, .. } | Self::LoadAddress { rd, .. } => rd,
            _ => Register::Zero,
        }
    }

    /// The register that the line copies, if it is a plain move.
    pub fn copied(&self) -> Option<Register> {
        match self {
            Self::Machine(instruction) => match instruction.op {
                Op::Addi if instruction.imm == 0 => Some(instruction.rs[0]),
                Op::Fsgnj if instruction.rs[0] == instruction.rs[1] => Some(instruction.rs[0]),
                _ => None,
            },
            _ => None,
        }
    }

    /// Replaces the registers it reads.
    pub fn replace_uses(&mut self, mut with: impl FnMut(Register) -> Register) {
        let used = self.uses();
        match self {
            Self::Machine(instruction) => {
                for (slot, used) in instruction.rs.iter_mut().zip(used) {
                    if used != Register::Zero {
                        *slot = with(used);
                    }
                }
            }
            Self::Branch { rs, .. } => rs.iter_mut().for_each(|slot| *slot = with(*slot)),
            _ => {}
        }
    }

    /// Replaces the register it writes.
    pub fn replace_definition(&mut self, with: Register) {
        match self {
            Self::Machine(instruction) => instruction.rd = with,
            Self::LoadConstant { rd, .. } | Self::LoadAddress { rd, .. } => *rd = with,
            _ => {}
        }
    }

    /// Whether the line may go when nobody reads what it writes.
    pub fn is_pure(&self) -> bool {
        use gpu_core::isa::table::Unit;
        match self {
            Self::Machine(instruction) => match instruction.op.spec().unit {
                Unit::Alu | Unit::Mul | Unit::Div | Unit::Fma | Unit::Fdiv | Unit::Fsqrt => true,
                Unit::Fcmp | Unit::Fcvt | Unit::Vote | Unit::Texture | Unit::Transcendental => true,
                Unit::Lsu => matches!(instruction.op, Op::Lw | Op::Flw),
                Unit::Csr => instruction.op == Op::Csrrs && instruction.rs[0] == Register::Zero,
                _ => false,
            },
            Self::LoadConstant { .. } | Self::LoadAddress { .. } => true,
            _ => false,
        }
    }
}
