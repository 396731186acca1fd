//! The instruction table: each instruction told once, as one row.
//!
//! Readers: `encoding` (decode, encode), `assembler`, `disassembler`, the generated `docs/isa.md`, the compiler's
//! emitter, and later the scoreboard. Nobody repeats a row.
//! Sources: the RISC-V unprivileged specification for the standard rows; Skybox (2024) for SIMT control and graphics;
//! Vortex 3 (2026) for votes and shuffles; the Zftrans proposal (Libre-RISC-V) for transcendental functions, whose words are
//! of our own choosing; "A High-Performance Branch
//! Control Mechanism for GPGPU Based on RISC-V Architecture" (2026) for thread masks.

use serde::{Deserialize, Serialize};

/// Where an operand sits in the word, which register file it names, and how it is written in assembly text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Integer destination, bits 11:7.
    Rd,
    /// Float destination, bits 11:7.
    Fd,
    /// Integer source, bits 19:15.
    Rs1,
    /// Float source, bits 19:15.
    Fs1,
    /// Integer source, bits 24:20.
    Rs2,
    /// Float source, bits 24:20.
    Fs2,
    /// Integer source, bits 31:27.
    Rs3,
    /// Float source, bits 31:27.
    Fs3,
    /// Signed 12-bit immediate, I layout.
    ImmI,
    /// Branch offset in bytes, B layout; written as the target, a label or an address.
    ImmB,
    /// Upper 20 bits, U layout; written as the 20-bit number.
    ImmU,
    /// Jump offset in bytes, J layout; written as the target, a label or an address.
    ImmJ,
    /// Shift amount 0 to 31, bits 24:20.
    Shamt,
    /// `imm(rs1)` with the I layout; uses integer register rs1.
    MemI,
    /// `imm(rs1)` with the S layout; uses integer register rs1.
    MemS,
    /// `(rs1)` of the atomics; uses integer register rs1. Bits 26:25 (aq, rl) are kept in the
    /// immediate and written as a suffix of the mnemonic: `.aq`, `.rl`, `.aqrl`.
    Addr,
    /// CSR number, bits 31:20; written by name or number.
    Csr,
    /// Unsigned 5-bit immediate, bits 19:15.
    Zimm,
    /// Rounding mode, bits 14:12; may be left out in text, which means `dyn`.
    Rm,
    /// Texture stage or shift selector, bits 26:25.
    Funct2,
    /// Index of the `fli.s` constant, bits 19:15; written as the constant.
    FliIndex,
    /// Predecessor and successor sets, bits 27:20 kept in the immediate; may be left out in text (`iorw, iorw`).
    Fence,
}

/// The function unit that executes an instruction; `timing` gives each a latency.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Unit {
    Alu,
    Branch,
    Mul,
    Div,
    Fma,
    Fdiv,
    Fsqrt,
    Fcmp,
    Fcvt,
    Lsu,
    Csr,
    System,
    WarpControl,
    Vote,
    Texture,
    Graphics,
    Transcendental,
}

/// The extension a machine must declare for the row to decode.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Extension {
    I,
    M,
    A,
    F,
    Zicsr,
    Zifencei,
    Zba,
    Zbb,
    Zicond,
    Zfa,
    Simt,
    Vote,
    Texture,
    Graphics,
    Zftrans,
    ZftransExt,
    Ztrignpi,
    Ztrigpi,
    Zarctrignpi,
    Zarctrigpi,
    Zfhyp,
    ZftransAdv,
    Zfrsqrt,
    ThreadMask,
}

impl Extension {
    /// Every extension, in the order of declaration.
    pub const EVERY: [Self; 24] = [
        Self::I,
        Self::M,
        Self::A,
        Self::F,
        Self::Zicsr,
        Self::Zifencei,
        Self::Zba,
        Self::Zbb,
        Self::Zicond,
        Self::Zfa,
        Self::Simt,
        Self::Vote,
        Self::Texture,
        Self::Graphics,
        Self::Zftrans,
        Self::ZftransExt,
        Self::Ztrignpi,
        Self::Ztrigpi,
        Self::Zarctrignpi,
        Self::Zarctrigpi,
        Self::Zfhyp,
        Self::ZftransAdv,
        Self::Zfrsqrt,
        Self::ThreadMask,
    ];
}

/// One row: `word & mask == value` selects the instruction.
#[derive(Copy, Clone, Debug)]
pub struct Spec {
    /// The instruction.
    pub op: Op,
    /// Its name in assembly text.
    pub mnemonic: &'static str,
    /// The fixed bits.
    pub value: u32,
    /// Which bits are fixed.
    pub mask: u32,
    /// Operands in the order of assembly text.
    pub operands: &'static [Operand],
    /// The unit that executes it.
    pub unit: Unit,
    /// The extension it belongs to.
    pub extension: Extension,
    /// Further encodings of the same meaning, as (value, mask); the encoder uses the first one only.
    pub also: &'static [(u32, u32)],
    /// One sentence of meaning.
    pub doc: &'static str,
}

macro_rules! instructions {
    ($($op:ident $mnemonic:literal $value:literal/$mask:literal [$($operand:ident),*] $unit:ident $extension:ident
       $(also $also:expr_2021)?, $doc:literal;)*) => {
        /// Every instruction of the machine.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $(#[doc = $doc] $op,)* }
        /// The rows, in the order of [`Op`].
        pub const SPECS: &[Spec] = &[$(Spec {
            op: Op::$op, mnemonic: $mnemonic, value: $value, mask: $mask, operands: &[$(Operand::$operand),*],
            unit: Unit::$unit, extension: Extension::$extension, also: &[$($also)?], doc: $doc,
        },)*];
    };
}

impl Operand {
    /// How the operand is written in text, for error messages and the manual.
    pub const fn form(self) -> &'static str {
        match self {
            Self::Rd => "rd",
            Self::Fd => "fd",
            Self::Rs1 => "rs1",
            Self::Fs1 => "fs1",
            Self::Rs2 => "rs2",
            Self::Fs2 => "fs2",
            Self::Rs3 => "rs3",
            Self::Fs3 => "fs3",
            Self::ImmI => "imm",
            Self::ImmU => "imm20",
            Self::ImmB | Self::ImmJ => "target",
            Self::Shamt => "shamt",
            Self::MemI | Self::MemS => "imm(rs1)",
            Self::Addr => "(rs1)",
            Self::Csr => "csr",
            Self::Zimm => "zimm",
            Self::Rm => "[rm]",
            Self::Funct2 => "funct2",
            Self::FliIndex => "constant",
            Self::Fence => "[predecessors, successors]",
        }
    }
}

impl Spec {
    /// Mnemonic and operands as they are written, optional ones in brackets.
    pub fn form(&self) -> String {
        let operands: Vec<&str> = self.operands.iter().map(|operand| operand.form()).collect();
        format!("{} {}", self.mnemonic, operands.join(", ")).trim_end().to_owned()
    }

    /// Every encoding of the row as (value, mask), the one that `encode` uses first.
    pub fn encodings(&self) -> impl Iterator<Item = (u32, u32)> {
        std::iter::once((self.value, self.mask)).chain(self.also.iter().copied())
    }
}

impl Op {
    /// The row of this instruction.
    pub const fn spec(self) -> &'static Spec {
        &SPECS[self as usize]
    }
}

#[rustfmt::skip]
instructions! {
    // RV32I.
    Lui "lui" 0x0000_0037/0x0000_007f [Rd, ImmU] Alu I, "rd = imm (upper 20 bits)";
    Auipc "auipc" 0x0000_0017/0x0000_007f [Rd, ImmU] Alu I, "rd = pc + imm (upper 20 bits)";
    Jal "jal" 0x0000_006f/0x0000_007f [Rd, ImmJ] Branch I, "rd = pc + 4; pc += imm";
    Jalr "jalr" 0x0000_0067/0x0000_707f [Rd, MemI] Branch I, "rd = pc + 4; pc = (rs1 + imm) & ~1; lanes must agree";
    Beq "beq" 0x0000_0063/0x0000_707f [Rs1, Rs2, ImmB] Branch I, "if rs1 == rs2 then pc += imm; lanes must agree";
    Bne "bne" 0x0000_1063/0x0000_707f [Rs1, Rs2, ImmB] Branch I, "if rs1 != rs2 then pc += imm; lanes must agree";
    Blt "blt" 0x0000_4063/0x0000_707f [Rs1, Rs2, ImmB] Branch I, "if rs1 < rs2 then pc += imm; lanes must agree";
    Bge "bge" 0x0000_5063/0x0000_707f [Rs1, Rs2, ImmB] Branch I, "if rs1 >= rs2 then pc += imm; lanes must agree";
    Bltu "bltu" 0x0000_6063/0x0000_707f [Rs1, Rs2, ImmB] Branch I, "if rs1 < rs2 unsigned then pc += imm; lanes must agree";
    Bgeu "bgeu" 0x0000_7063/0x0000_707f [Rs1, Rs2, ImmB] Branch I, "if rs1 >= rs2 unsigned then pc += imm; lanes must agree";
    Lb "lb" 0x0000_0003/0x0000_707f [Rd, MemI] Lsu I, "rd = sign-extended byte at rs1 + imm";
    Lh "lh" 0x0000_1003/0x0000_707f [Rd, MemI] Lsu I, "rd = sign-extended half word at rs1 + imm";
    Lw "lw" 0x0000_2003/0x0000_707f [Rd, MemI] Lsu I, "rd = word at rs1 + imm";
    Lbu "lbu" 0x0000_4003/0x0000_707f [Rd, MemI] Lsu I, "rd = byte at rs1 + imm";
    Lhu "lhu" 0x0000_5003/0x0000_707f [Rd, MemI] Lsu I, "rd = half word at rs1 + imm";
    Sb "sb" 0x0000_0023/0x0000_707f [Rs2, MemS] Lsu I, "byte at rs1 + imm = rs2";
    Sh "sh" 0x0000_1023/0x0000_707f [Rs2, MemS] Lsu I, "half word at rs1 + imm = rs2";
    Sw "sw" 0x0000_2023/0x0000_707f [Rs2, MemS] Lsu I, "word at rs1 + imm = rs2";
    Addi "addi" 0x0000_0013/0x0000_707f [Rd, Rs1, ImmI] Alu I, "rd = rs1 + imm";
    Slti "slti" 0x0000_2013/0x0000_707f [Rd, Rs1, ImmI] Alu I, "rd = 1 if rs1 < imm, else 0";
    Sltiu "sltiu" 0x0000_3013/0x0000_707f [Rd, Rs1, ImmI] Alu I, "rd = 1 if rs1 < imm unsigned, else 0";
    Xori "xori" 0x0000_4013/0x0000_707f [Rd, Rs1, ImmI] Alu I, "rd = rs1 ^ imm";
    Ori "ori" 0x0000_6013/0x0000_707f [Rd, Rs1, ImmI] Alu I, "rd = rs1 | imm";
    Andi "andi" 0x0000_7013/0x0000_707f [Rd, Rs1, ImmI] Alu I, "rd = rs1 & imm";
    Slli "slli" 0x0000_1013/0xfe00_707f [Rd, Rs1, Shamt] Alu I, "rd = rs1 << shamt";
    Srli "srli" 0x0000_5013/0xfe00_707f [Rd, Rs1, Shamt] Alu I, "rd = rs1 >> shamt, zeros in";
    Srai "srai" 0x4000_5013/0xfe00_707f [Rd, Rs1, Shamt] Alu I, "rd = rs1 >> shamt, sign in";
    Add "add" 0x0000_0033/0xfe00_707f [Rd, Rs1, Rs2] Alu I, "rd = rs1 + rs2";
    Sub "sub" 0x4000_0033/0xfe00_707f [Rd, Rs1, Rs2] Alu I, "rd = rs1 - rs2";
    Sll "sll" 0x0000_1033/0xfe00_707f [Rd, Rs1, Rs2] Alu I, "rd = rs1 << (rs2 & 31)";
    Slt "slt" 0x0000_2033/0xfe00_707f [Rd, Rs1, Rs2] Alu I, "rd = 1 if rs1 < rs2, else 0";
    Sltu "sltu" 0x0000_3033/0xfe00_707f [Rd, Rs1, Rs2] Alu I, "rd = 1 if rs1 < rs2 unsigned, else 0";
    Xor "xor" 0x0000_4033/0xfe00_707f [Rd, Rs1, Rs2] Alu I, "rd = rs1 ^ rs2";
    Srl "srl" 0x0000_5033/0xfe00_707f [Rd, Rs1, Rs2] Alu I, "rd = rs1 >> (rs2 & 31), zeros in";
    Sra "sra" 0x4000_5033/0xfe00_707f [Rd, Rs1, Rs2] Alu I, "rd = rs1 >> (rs2 & 31), sign in";
    Or "or" 0x0000_6033/0xfe00_707f [Rd, Rs1, Rs2] Alu I, "rd = rs1 | rs2";
    And "and" 0x0000_7033/0xfe00_707f [Rd, Rs1, Rs2] Alu I, "rd = rs1 & rs2";
    Fence "fence" 0x0000_000f/0x0000_707f [Fence] Lsu I, "earlier accesses of this warp are seen before later ones";
    Ecall "ecall" 0x0000_0073/0xffff_ffff [] System I, "environment call: ends a program by the riscv-tests convention (a7 = 93)";
    Ebreak "ebreak" 0x0010_0073/0xffff_ffff [] System I, "breakpoint";
    Mret "mret" 0x3020_0073/0xffff_ffff [] System I, "pc = mepc";
    Wfi "wfi" 0x1050_0073/0xffff_ffff [] System I, "no effect";
    // Zifencei, Zicsr.
    FenceI "fence.i" 0x0000_100f/0x0000_707f [] System Zifencei, "later fetches of this core see its earlier stores";
    Csrrw "csrrw" 0x0000_1073/0x0000_707f [Rd, Csr, Rs1] Csr Zicsr, "rd = csr; csr = rs1";
    Csrrs "csrrs" 0x0000_2073/0x0000_707f [Rd, Csr, Rs1] Csr Zicsr, "rd = csr; csr |= rs1";
    Csrrc "csrrc" 0x0000_3073/0x0000_707f [Rd, Csr, Rs1] Csr Zicsr, "rd = csr; csr &= ~rs1";
    Csrrwi "csrrwi" 0x0000_5073/0x0000_707f [Rd, Csr, Zimm] Csr Zicsr, "rd = csr; csr = zimm";
    Csrrsi "csrrsi" 0x0000_6073/0x0000_707f [Rd, Csr, Zimm] Csr Zicsr, "rd = csr; csr |= zimm";
    Csrrci "csrrci" 0x0000_7073/0x0000_707f [Rd, Csr, Zimm] Csr Zicsr, "rd = csr; csr &= ~zimm";
    // M.
    Mul "mul" 0x0200_0033/0xfe00_707f [Rd, Rs1, Rs2] Mul M, "rd = low word of rs1 * rs2";
    Mulh "mulh" 0x0200_1033/0xfe00_707f [Rd, Rs1, Rs2] Mul M, "rd = high word of rs1 * rs2, signed";
    Mulhsu "mulhsu" 0x0200_2033/0xfe00_707f [Rd, Rs1, Rs2] Mul M, "rd = high word of rs1 * rs2, rs1 signed, rs2 unsigned";
    Mulhu "mulhu" 0x0200_3033/0xfe00_707f [Rd, Rs1, Rs2] Mul M, "rd = high word of rs1 * rs2, unsigned";
    Div "div" 0x0200_4033/0xfe00_707f [Rd, Rs1, Rs2] Div M, "rd = rs1 / rs2; by zero -1; overflow rs1";
    Divu "divu" 0x0200_5033/0xfe00_707f [Rd, Rs1, Rs2] Div M, "rd = rs1 / rs2 unsigned; by zero all ones";
    Rem "rem" 0x0200_6033/0xfe00_707f [Rd, Rs1, Rs2] Div M, "rd = rs1 % rs2; by zero rs1; overflow 0";
    Remu "remu" 0x0200_7033/0xfe00_707f [Rd, Rs1, Rs2] Div M, "rd = rs1 % rs2 unsigned; by zero rs1";
    // A.
    LrW "lr.w" 0x1000_202f/0xf9f0_707f [Rd, Addr] Lsu A, "rd = word at rs1; reserve it for this lane";
    ScW "sc.w" 0x1800_202f/0xf800_707f [Rd, Rs2, Addr] Lsu A, "word at rs1 = rs2 if still reserved; rd = 0 on success, else 1";
    AmoSwap "amoswap.w" 0x0800_202f/0xf800_707f [Rd, Rs2, Addr] Lsu A, "rd = old word at rs1; word = rs2, in one step";
    AmoAdd "amoadd.w" 0x0000_202f/0xf800_707f [Rd, Rs2, Addr] Lsu A, "rd = old word at rs1; word = old + rs2, in one step";
    AmoXor "amoxor.w" 0x2000_202f/0xf800_707f [Rd, Rs2, Addr] Lsu A, "rd = old word at rs1; word = old ^ rs2, in one step";
    AmoAnd "amoand.w" 0x6000_202f/0xf800_707f [Rd, Rs2, Addr] Lsu A, "rd = old word at rs1; word = old & rs2, in one step";
    AmoOr "amoor.w" 0x4000_202f/0xf800_707f [Rd, Rs2, Addr] Lsu A, "rd = old word at rs1; word = old | rs2, in one step";
    AmoMin "amomin.w" 0x8000_202f/0xf800_707f [Rd, Rs2, Addr] Lsu A, "rd = old word at rs1; word = min(old, rs2), in one step";
    AmoMax "amomax.w" 0xa000_202f/0xf800_707f [Rd, Rs2, Addr] Lsu A, "rd = old word at rs1; word = max(old, rs2), in one step";
    AmoMinu "amominu.w" 0xc000_202f/0xf800_707f [Rd, Rs2, Addr] Lsu A, "rd = old word at rs1; word = min(old, rs2) unsigned, in one step";
    AmoMaxu "amomaxu.w" 0xe000_202f/0xf800_707f [Rd, Rs2, Addr] Lsu A, "rd = old word at rs1; word = max(old, rs2) unsigned, in one step";
    // F.
    Flw "flw" 0x0000_2007/0x0000_707f [Fd, MemI] Lsu F, "rd = word at rs1 + imm";
    Fsw "fsw" 0x0000_2027/0x0000_707f [Fs2, MemS] Lsu F, "word at rs1 + imm = rs2";
    Fmadd "fmadd.s" 0x0000_0043/0x0600_007f [Fd, Fs1, Fs2, Fs3, Rm] Fma F, "rd = rs1 * rs2 + rs3, rounded once";
    Fmsub "fmsub.s" 0x0000_0047/0x0600_007f [Fd, Fs1, Fs2, Fs3, Rm] Fma F, "rd = rs1 * rs2 - rs3, rounded once";
    Fnmsub "fnmsub.s" 0x0000_004b/0x0600_007f [Fd, Fs1, Fs2, Fs3, Rm] Fma F, "rd = -(rs1 * rs2) + rs3, rounded once";
    Fnmadd "fnmadd.s" 0x0000_004f/0x0600_007f [Fd, Fs1, Fs2, Fs3, Rm] Fma F, "rd = -(rs1 * rs2) - rs3, rounded once";
    Fadd "fadd.s" 0x0000_0053/0xfe00_007f [Fd, Fs1, Fs2, Rm] Fma F, "rd = rs1 + rs2";
    Fsub "fsub.s" 0x0800_0053/0xfe00_007f [Fd, Fs1, Fs2, Rm] Fma F, "rd = rs1 - rs2";
    Fmul "fmul.s" 0x1000_0053/0xfe00_007f [Fd, Fs1, Fs2, Rm] Fma F, "rd = rs1 * rs2";
    Fdiv "fdiv.s" 0x1800_0053/0xfe00_007f [Fd, Fs1, Fs2, Rm] Fdiv F, "rd = rs1 / rs2";
    Fsqrt "fsqrt.s" 0x5800_0053/0xfff0_007f [Fd, Fs1, Rm] Fsqrt F, "rd = square root of rs1";
    Fsgnj "fsgnj.s" 0x2000_0053/0xfe00_707f [Fd, Fs1, Fs2] Fcmp F, "rd = rs1 with the sign of rs2";
    Fsgnjn "fsgnjn.s" 0x2000_1053/0xfe00_707f [Fd, Fs1, Fs2] Fcmp F, "rd = rs1 with the opposite sign of rs2";
    Fsgnjx "fsgnjx.s" 0x2000_2053/0xfe00_707f [Fd, Fs1, Fs2] Fcmp F, "rd = rs1 with its sign xor that of rs2";
    Fmin "fmin.s" 0x2800_0053/0xfe00_707f [Fd, Fs1, Fs2] Fcmp F, "rd = smaller of rs1, rs2 (minimumNumber)";
    Fmax "fmax.s" 0x2800_1053/0xfe00_707f [Fd, Fs1, Fs2] Fcmp F, "rd = larger of rs1, rs2 (maximumNumber)";
    FcvtWS "fcvt.w.s" 0xc000_0053/0xfff0_007f [Rd, Fs1, Rm] Fcvt F, "rd = rs1 as signed integer, saturating";
    FcvtWuS "fcvt.wu.s" 0xc010_0053/0xfff0_007f [Rd, Fs1, Rm] Fcvt F, "rd = rs1 as unsigned integer, saturating";
    FmvXW "fmv.x.w" 0xe000_0053/0xfff0_707f [Rd, Fs1] Fcmp F, "rd = bits of rs1";
    Feq "feq.s" 0xa000_2053/0xfe00_707f [Rd, Fs1, Fs2] Fcmp F, "rd = 1 if rs1 == rs2, else 0";
    Flt "flt.s" 0xa000_1053/0xfe00_707f [Rd, Fs1, Fs2] Fcmp F, "rd = 1 if rs1 < rs2, else 0";
    Fle "fle.s" 0xa000_0053/0xfe00_707f [Rd, Fs1, Fs2] Fcmp F, "rd = 1 if rs1 <= rs2, else 0";
    Fclass "fclass.s" 0xe000_1053/0xfff0_707f [Rd, Fs1] Fcmp F, "rd = class of rs1, one bit set of ten";
    FcvtSW "fcvt.s.w" 0xd000_0053/0xfff0_007f [Fd, Rs1, Rm] Fcvt F, "rd = signed rs1 as float";
    FcvtSWu "fcvt.s.wu" 0xd010_0053/0xfff0_007f [Fd, Rs1, Rm] Fcvt F, "rd = unsigned rs1 as float";
    FmvWX "fmv.w.x" 0xf000_0053/0xfff0_707f [Fd, Rs1] Fcmp F, "rd = rs1 as bits";
    // Zba, Zbb, Zicond.
    Sh1add "sh1add" 0x2000_2033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zba, "rd = (rs1 << 1) + rs2";
    Sh2add "sh2add" 0x2000_4033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zba, "rd = (rs1 << 2) + rs2";
    Sh3add "sh3add" 0x2000_6033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zba, "rd = (rs1 << 3) + rs2";
    Andn "andn" 0x4000_7033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zbb, "rd = rs1 & ~rs2";
    Orn "orn" 0x4000_6033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zbb, "rd = rs1 | ~rs2";
    Xnor "xnor" 0x4000_4033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zbb, "rd = ~(rs1 ^ rs2)";
    Min "min" 0x0a00_4033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zbb, "rd = smaller of rs1, rs2";
    Minu "minu" 0x0a00_5033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zbb, "rd = smaller of rs1, rs2 unsigned";
    Max "max" 0x0a00_6033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zbb, "rd = larger of rs1, rs2";
    Maxu "maxu" 0x0a00_7033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zbb, "rd = larger of rs1, rs2 unsigned";
    Rol "rol" 0x6000_1033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zbb, "rd = rs1 rotated left by rs2 & 31";
    Ror "ror" 0x6000_5033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zbb, "rd = rs1 rotated right by rs2 & 31";
    Rori "rori" 0x6000_5013/0xfe00_707f [Rd, Rs1, Shamt] Alu Zbb, "rd = rs1 rotated right by shamt";
    Clz "clz" 0x6000_1013/0xfff0_707f [Rd, Rs1] Alu Zbb, "rd = leading zeros of rs1, 32 for zero";
    Ctz "ctz" 0x6010_1013/0xfff0_707f [Rd, Rs1] Alu Zbb, "rd = trailing zeros of rs1, 32 for zero";
    Cpop "cpop" 0x6020_1013/0xfff0_707f [Rd, Rs1] Alu Zbb, "rd = set bits of rs1";
    SextB "sext.b" 0x6040_1013/0xfff0_707f [Rd, Rs1] Alu Zbb, "rd = sign-extended low byte of rs1";
    SextH "sext.h" 0x6050_1013/0xfff0_707f [Rd, Rs1] Alu Zbb, "rd = sign-extended low half of rs1";
    ZextH "zext.h" 0x0800_4033/0xfff0_707f [Rd, Rs1] Alu Zbb, "rd = low half of rs1";
    OrcB "orc.b" 0x2870_5013/0xfff0_707f [Rd, Rs1] Alu Zbb, "rd = 0xff for each non-zero byte of rs1";
    Rev8 "rev8" 0x6980_5013/0xfff0_707f [Rd, Rs1] Alu Zbb, "rd = bytes of rs1 in reverse order";
    CzeroEqz "czero.eqz" 0x0e00_5033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zicond, "rd = 0 if rs2 == 0, else rs1";
    CzeroNez "czero.nez" 0x0e00_7033/0xfe00_707f [Rd, Rs1, Rs2] Alu Zicond, "rd = 0 if rs2 != 0, else rs1";
    // Zfa, the rows of single precision.
    Fli "fli.s" 0xf010_0053/0xfff0_707f [Fd, FliIndex] Fcmp Zfa, "rd = one of 32 constants";
    Fminm "fminm.s" 0x2800_2053/0xfe00_707f [Fd, Fs1, Fs2] Fcmp Zfa, "rd = smaller of rs1, rs2; NaN if either is";
    Fmaxm "fmaxm.s" 0x2800_3053/0xfe00_707f [Fd, Fs1, Fs2] Fcmp Zfa, "rd = larger of rs1, rs2; NaN if either is";
    Fround "fround.s" 0x4040_0053/0xfff0_007f [Fd, Fs1, Rm] Fcvt Zfa, "rd = rs1 rounded to an integer, inexact not raised";
    Froundnx "froundnx.s" 0x4050_0053/0xfff0_007f [Fd, Fs1, Rm] Fcvt Zfa, "rd = rs1 rounded to an integer, inexact raised";
    Fleq "fleq.s" 0xa000_4053/0xfe00_707f [Rd, Fs1, Fs2] Fcmp Zfa, "rd = 1 if rs1 <= rs2, quiet; else 0";
    Fltq "fltq.s" 0xa000_5053/0xfe00_707f [Rd, Fs1, Fs2] Fcmp Zfa, "rd = 1 if rs1 < rs2, quiet; else 0";
    // SIMT control, custom-0 with funct7 0 (the Skybox numbers).
    Tmc "tmc" 0x0000_000b/0xfff0_7fff [Rs1] WarpControl Simt, "thread mask = rs1 of the highest active lane; an empty mask ends the warp";
    Wspawn "wspawn" 0x0000_100b/0xfe00_7fff [Rs1, Rs2] WarpControl Simt, "once warp 0 alone is active, start warps 1 to rs1 - 1 at rs2, lane 0 each";
    Split "split" 0x0000_200b/0xfff0_707f [Rd, Rs1] WarpControl Simt, "rd = stack depth; if lanes differ in bit 0 of rs1, push and run one side";
    SplitN "split.n" 0x0010_200b/0xfff0_707f [Rd, Rs1] WarpControl Simt, "split with the condition inverted";
    Join "join" 0x0000_300b/0xfff0_7fff [Rs1] WarpControl Simt, "if rs1 differs from the stack depth, pop: go to the other side or restore the mask";
    Bar "bar" 0x0000_400b/0xfe00_7fff [Rs1, Rs2] WarpControl Simt, "wait at barrier rs1 until rs2 warps (bit 31 of rs1: cores) have arrived";
    Pred "pred" 0x0000_500b/0xfe00_7fff [Rs1, Rs2] WarpControl Simt, "keep the lanes where bit 0 of rs1 is set; if none is, thread mask = rs2";
    PredN "pred.n" 0x0000_508b/0xfe00_7fff [Rs1, Rs2] WarpControl Simt, "pred with the condition inverted";
    // Votes and shuffles, custom-0 with funct7 1 (the Vortex 3 numbers).
    VoteAll "vote.all" 0x0200_000b/0xfff0_707f [Rd, Rs1] Vote Vote, "rd = 1 if rs1 is non-zero in every active lane, else 0";
    VoteAny "vote.any" 0x0200_100b/0xfff0_707f [Rd, Rs1] Vote Vote, "rd = 1 if rs1 is non-zero in some active lane, else 0";
    VoteUni "vote.uni" 0x0200_200b/0xfff0_707f [Rd, Rs1] Vote Vote, "rd = 1 if rs1 is equal in all active lanes, else 0";
    VoteBallot "vote.ballot" 0x0200_300b/0xfff0_707f [Rd, Rs1] Vote Vote, "rd = a word with the bit of each active lane whose rs1 is non-zero";
    ShflUp "shfl.up" 0x0200_400b/0xfe00_707f [Rd, Rs1, Rs2] Vote Vote, "rd = rs1 of lane - b; rs2 packs segment mask << 12, clamp << 6, b";
    ShflDown "shfl.down" 0x0200_500b/0xfe00_707f [Rd, Rs1, Rs2] Vote Vote, "rd = rs1 of lane + b; rs2 packs segment mask << 12, clamp << 6, b";
    ShflBfly "shfl.bfly" 0x0200_600b/0xfe00_707f [Rd, Rs1, Rs2] Vote Vote, "rd = rs1 of lane ^ b; rs2 packs segment mask << 12, clamp << 6, b";
    ShflIdx "shfl.idx" 0x0200_700b/0xfe00_707f [Rd, Rs1, Rs2] Vote Vote, "rd = rs1 of b within its segment; rs2 packs segment mask << 12, clamp << 6, b";
    // Graphics, custom-1.
    Tex "tex" 0x0000_002b/0x0000_707f [Rd, Rs1, Rs2, Rs3, Funct2] Texture Texture also (0x0000_005b, 0x0600_707f), "rd = A8R8G8B8 texel of stage funct2 at u = rs1, v = rs2 (Q9.23), level rs3";
    Texl "texl" 0x0000_402b/0x0000_707f [Rd, Rs1, Rs2, Rs3, Funct2] Texture Texture, "rd = A8R8G8B8 texel as tex gives it, where rs3 is a lookup word: level, filter, layer, banks ahead";
    Texf "texf" 0x0000_502b/0x0000_707f [Fd, Rs1, Rs2, Rs3, Funct2] Texture Texture, "rd = one channel as f32 (or integer bits) at u = rs1, v = rs2 (Q9.23), where rs3 is a lookup word";
    Om "om" 0x0000_102b/0x0600_7fff [Rs1, Rs2, Rs3] Graphics Graphics, "output merger: traps until the unit exists";
    Imadd "imadd" 0x0000_202b/0x0000_707f [Rd, Rs1, Rs2, Rs3, Funct2] Mul Simt, "rd = ((rs1 * rs2) >> (8 * funct2)) + rs3, the product in 64 bits, signed";
    Rast "rast" 0x0000_302b/0xffff_f07f [Rd] Graphics Graphics, "raster unit: traps until the unit exists";
    // Transcendental functions, OP-FP words that no ratified extension uses, single precision (fmt 00). funct5 01110 (roots)
    // and 01111 take one operand, and rs2 says which; 10000 to 10011 and 10101 take two.
    Frecip "frecip.s" 0x7000_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zftrans, "rd = 1 / rs1";
    Fcbrt "fcbrt.s" 0x7020_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zftrans, "rd = cube root of rs1";
    Fexp2 "fexp2.s" 0x7800_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zftrans, "rd = 2 to the power rs1";
    Flog2 "flog2.s" 0x7840_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zftrans, "rd = logarithm of rs1 to base 2";
    Fexpm1 "fexpm1.s" 0x7830_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zftrans, "rd = e to the power rs1, less 1";
    Flog1p "flog1p.s" 0x7870_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zftrans, "rd = natural logarithm of 1 + rs1";
    Fhypot "fhypot.s" 0xa800_0053/0xfe00_007f [Fd, Fs1, Fs2, Rm] Transcendental Zftrans, "rd = square root of rs1 squared plus rs2 squared";
    Fexp "fexp.s" 0x7810_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental ZftransExt, "rd = e to the power rs1";
    Flog "flog.s" 0x7850_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental ZftransExt, "rd = natural logarithm of rs1";
    Fexp10 "fexp10.s" 0x7820_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental ZftransExt, "rd = 10 to the power rs1";
    Flog10 "flog10.s" 0x7860_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental ZftransExt, "rd = logarithm of rs1 to base 10";
    Fsin "fsin.s" 0x7880_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Ztrignpi, "rd = sine of rs1 radians";
    Fcos "fcos.s" 0x7890_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Ztrignpi, "rd = cosine of rs1 radians; right after fsin.s of the same rs1 it shares its work";
    Ftan "ftan.s" 0x78a0_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Ztrignpi, "rd = tangent of rs1 radians";
    Fsinpi "fsinpi.s" 0x78c0_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Ztrigpi, "rd = sine of pi times rs1";
    Fcospi "fcospi.s" 0x78d0_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Ztrigpi, "rd = cosine of pi times rs1; right after fsinpi.s of the same rs1 it shares its work";
    Ftanpi "ftanpi.s" 0x78e0_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Ztrigpi, "rd = tangent of pi times rs1";
    Fatan2 "fatan2.s" 0x8000_0053/0xfe00_007f [Fd, Fs1, Fs2, Rm] Transcendental Zarctrignpi, "rd = angle of the point with y = rs1, x = rs2, in radians";
    Fasin "fasin.s" 0x7900_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zarctrignpi, "rd = arc sine of rs1 in radians";
    Facos "facos.s" 0x7910_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zarctrignpi, "rd = arc cosine of rs1 in radians";
    Fatan "fatan.s" 0x7920_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zarctrignpi, "rd = arc tangent of rs1 in radians";
    Fatan2pi "fatan2pi.s" 0x8800_0053/0xfe00_007f [Fd, Fs1, Fs2, Rm] Transcendental Zarctrigpi, "rd = angle of the point with y = rs1, x = rs2, divided by pi";
    Fasinpi "fasinpi.s" 0x7940_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zarctrigpi, "rd = arc sine of rs1, divided by pi";
    Facospi "facospi.s" 0x7950_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zarctrigpi, "rd = arc cosine of rs1, divided by pi";
    Fatanpi "fatanpi.s" 0x7960_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zarctrigpi, "rd = arc tangent of rs1, divided by pi";
    Fsinh "fsinh.s" 0x7980_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zfhyp, "rd = hyperbolic sine of rs1";
    Fcosh "fcosh.s" 0x7990_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zfhyp, "rd = hyperbolic cosine of rs1";
    Ftanh "ftanh.s" 0x79a0_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zfhyp, "rd = hyperbolic tangent of rs1";
    Fasinh "fasinh.s" 0x79c0_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zfhyp, "rd = inverse hyperbolic sine of rs1";
    Facosh "facosh.s" 0x79d0_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zfhyp, "rd = inverse hyperbolic cosine of rs1";
    Fatanh "fatanh.s" 0x79e0_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zfhyp, "rd = inverse hyperbolic tangent of rs1";
    Fpow "fpow.s" 0x9000_0053/0xfe00_007f [Fd, Fs1, Fs2, Rm] Transcendental ZftransAdv, "rd = rs1 to the power rs2";
    Froot "froot.s" 0x9800_0053/0xfe00_007f [Fd, Fs1, Fs2, Rm] Transcendental ZftransAdv, "rd = root of rs1 of degree rs2: for an integer rs2 rootn, otherwise rs1 to the power 1 / rs2";
    Frsqrt "frsqrt.s" 0x7010_0053/0xfff0_007f [Fd, Fs1, Rm] Transcendental Zfrsqrt, "rd = 1 / square root of rs1";
    // Thread masks, custom-3; the source prints no encoding, the numbers are ours.
    MaskAnd "mask.and" 0x0000_007b/0xfff0_707f [Rd, Rs1] WarpControl ThreadMask, "rd = thread mask in every lane; thread mask = mask & rs1";
    MaskOr "mask.or" 0x0000_107b/0xfff0_707f [Rd, Rs1] WarpControl ThreadMask, "rd = thread mask in every lane; thread mask = mask | rs1";
    MaskXor "mask.xor" 0x0000_207b/0xfff0_707f [Rd, Rs1] WarpControl ThreadMask, "rd = thread mask in every lane; thread mask = mask ^ rs1";
    MaskAndn2 "mask.andn2" 0x0000_307b/0xfff0_707f [Rd, Rs1] WarpControl ThreadMask, "rd = thread mask in every lane; thread mask = rs1 & ~mask";
    MaskOrn2 "mask.orn2" 0x0000_407b/0xfff0_707f [Rd, Rs1] WarpControl ThreadMask, "rd = thread mask in every lane; thread mask = rs1 | ~mask";
    MaskNand "mask.nand" 0x0000_507b/0xfff0_707f [Rd, Rs1] WarpControl ThreadMask, "rd = thread mask in every lane; thread mask = ~(mask & rs1)";
    MaskNor "mask.nor" 0x0000_607b/0xfff0_707f [Rd, Rs1] WarpControl ThreadMask, "rd = thread mask in every lane; thread mask = ~(mask | rs1)";
    MaskXnor "mask.xnor" 0x0000_707b/0xfff0_707f [Rd, Rs1] WarpControl ThreadMask, "rd = thread mask in every lane; thread mask = ~(mask ^ rs1)";
}
