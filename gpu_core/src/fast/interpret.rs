//! Runs basic blocks of one warp, each instruction as one loop over its registers' rows.
//!
//! Before: `operation` has made the program ready. After: registers, memory, mask and pc as the plain engine leaves them.
//! It stops *before* an instruction that it does not run itself, or that would trap: the plain `step` runs that one.
//! Gain: one budget check and one look-up a block; with `operation`, 37 → 19 ns a warp-instruction (see `mod.rs`).

use super::frame::{Frame, each_row};
use super::lanes::{Host, extreme, map3};
use super::operation::{Operation, Operations, Segment};
use crate::isa::float_constants;
use crate::isa::table::Op;
use crate::semantics::float;
use crate::semantics::float::quick;
use crate::semantics::transcendental;
use texture::Form;

/// Why a run ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The budget is used up.
    Budget,
    /// The plain engine must run the next instruction.
    Plain,
    /// Whether all lanes of all rows are active has changed.
    MaskChanged,
}

impl<const LANES: usize, const CHUNKS: usize> Frame<'_, LANES, CHUNKS> {
    /// Runs until something stops it. `run_block` runs so many operations of a segment from an index on, all of one basic
    /// block; it gives how many of them it ran before the first that the plain engine must run.
    #[inline(always)]
    pub fn run(
        &mut self,
        operations: &Operations,
        run_block: impl Fn(&mut Self, &Segment, usize, usize) -> usize,
    ) -> Stop {
        let was_full = self.is_full();
        'segment: loop {
            let Some(segment) = operations.find(self.board.pc) else { return Stop::Plain };
            loop {
                let Some(index) = segment.index_of(self.board.pc) else { continue 'segment };
                let wanted = segment.operations[index].block_length as usize;
                if wanted == 0 {
                    return Stop::Plain;
                }
                let length = wanted.min(self.budget.min(wanted as u64) as usize);
                if length == 0 {
                    return Stop::Budget;
                }
                let lanes = self.active.count_ones();
                // The last instruction may jump.
                self.board.pc = self.board.pc.wrapping_add(4 * length as u32);
                let done = run_block(self, segment, index, length);
                self.account(done as u64, lanes);
                if done < length {
                    self.board.pc = segment.operations[index + done].pc;
                    return Stop::Plain;
                }
                if self.is_full() != was_full {
                    return Stop::MaskChanged;
                }
            }
        }
    }

    /// Runs with lanes and, where a mask is empty, without, until the turn is over or the plain engine must go on.
    #[inline(always)]
    pub fn run_on(&mut self, operations: &Operations, run_with_lanes: impl Fn(&mut Self) -> Stop) {
        let mut has_lanes = self.active != 0;
        loop {
            if has_lanes {
                match run_with_lanes(self) {
                    Stop::Budget => return,
                    Stop::MaskChanged => continue,
                    Stop::Plain => {}
                }
            }
            has_lanes = self.run_without_lanes(operations);
            if !has_lanes {
                return;
            }
        }
    }

    /// One instruction; `None`, and nothing changed, if the plain engine must run it. `op` is the operation's own, given
    /// apart so that it can be a constant.
    #[inline(always)]
    pub fn execute<H: Host, const MASKED: bool>(&mut self, op: Op, o: &Operation) -> Option<()> {
        let flag = |condition: bool| u32::from(condition);
        let signed = |a: u32| a as i32;
        let real = f32::from_bits;
        match op {
            Op::Lui | Op::Auipc => self.splat::<MASKED>(o.rd, o.immediate),
            Op::Jal => {
                self.link::<MASKED>(o);
                self.board.pc = o.immediate;
            }
            Op::Jalr => self.jump_register::<H, MASKED>(o)?,
            Op::Beq => self.branch::<H, MASKED>(o, |a, b| a == b)?,
            Op::Bne => self.branch::<H, MASKED>(o, |a, b| a != b)?,
            Op::Blt => self.branch::<H, MASKED>(o, |a, b| signed(a) < signed(b))?,
            Op::Bge => self.branch::<H, MASKED>(o, |a, b| signed(a) >= signed(b))?,
            Op::Bltu => self.branch::<H, MASKED>(o, |a, b| a < b)?,
            Op::Bgeu => self.branch::<H, MASKED>(o, |a, b| a >= b)?,

            Op::Lw | Op::Flw => self.load_words::<H, MASKED>(o)?,
            Op::Lb | Op::Lbu | Op::Lh | Op::Lhu => self.load_parts::<H, MASKED>(o)?,
            Op::Sw | Op::Fsw => self.store::<H, MASKED>(o, 4)?,
            Op::Sh | Op::Sb => self.store_parts::<H, MASKED>(o)?,
            Op::Tex | Op::Texl | Op::Texf => {
                let begun = self.texture_time.as_mut().and_then(|time| time.begin());
                let done = match op {
                    Op::Tex => self.texture::<H, MASKED>(o),
                    Op::Texl => self.texture_lookup::<H, MASKED>(o, Form::Lookup),
                    _ => self.texture_lookup::<H, MASKED>(o, Form::Channel),
                };
                if let Some(time) = &mut self.texture_time {
                    time.end(begun);
                }
                done?;
            }

            Op::Addi => self.immediate::<MASKED>(o, u32::wrapping_add),
            Op::Slti => self.immediate::<MASKED>(o, |a, b| flag(signed(a) < signed(b))),
            Op::Sltiu => self.immediate::<MASKED>(o, |a, b| flag(a < b)),
            Op::Xori => self.immediate::<MASKED>(o, |a, b| a ^ b),
            Op::Ori => self.immediate::<MASKED>(o, |a, b| a | b),
            Op::Andi => self.immediate::<MASKED>(o, |a, b| a & b),
            Op::Slli => self.immediate::<MASKED>(o, u32::wrapping_shl),
            Op::Srli => self.immediate::<MASKED>(o, u32::wrapping_shr),
            Op::Srai => self.immediate::<MASKED>(o, |a, b| signed(a).wrapping_shr(b) as u32),
            Op::Rori => self.immediate::<MASKED>(o, |a, b| a.rotate_right(b & 31)),

            Op::Add => self.binary::<MASKED>(o, u32::wrapping_add),
            Op::Sub => self.binary::<MASKED>(o, u32::wrapping_sub),
            Op::Sll => self.binary::<MASKED>(o, u32::wrapping_shl),
            Op::Slt => self.binary::<MASKED>(o, |a, b| flag(signed(a) < signed(b))),
            Op::Sltu => self.binary::<MASKED>(o, |a, b| flag(a < b)),
            Op::Xor => self.binary::<MASKED>(o, |a, b| a ^ b),
            Op::Srl => self.binary::<MASKED>(o, u32::wrapping_shr),
            Op::Sra => self.binary::<MASKED>(o, |a, b| signed(a).wrapping_shr(b) as u32),
            Op::Or => self.binary::<MASKED>(o, |a, b| a | b),
            Op::And => self.binary::<MASKED>(o, |a, b| a & b),
            Op::Mul => self.binary::<MASKED>(o, u32::wrapping_mul),
            Op::Mulh => {
                self.binary::<MASKED>(o, |a, b| ((i64::from(signed(a)) * i64::from(signed(b))) as u64 >> 32) as u32)
            }
            Op::Mulhu => self.binary::<MASKED>(o, |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32),
            Op::Mulhsu => self.binary::<MASKED>(o, |a, b| {
                // The unsigned product counts 2^32 · b too much when a is negative.
                let unsigned = ((u64::from(a) * u64::from(b)) >> 32) as u32;
                unsigned.wrapping_sub(b & (signed(a) >> 31) as u32)
            }),
            Op::Div => self
                .binary::<MASKED>(o, |a, b| if b == 0 { u32::MAX } else { signed(a).wrapping_div(signed(b)) as u32 }),
            Op::Divu => self.binary::<MASKED>(o, |a, b| a.checked_div(b).unwrap_or(u32::MAX)),
            Op::Rem => {
                self.binary::<MASKED>(o, |a, b| if b == 0 { a } else { signed(a).wrapping_rem(signed(b)) as u32 })
            }
            Op::Remu => self.binary::<MASKED>(o, |a, b| a.checked_rem(b).unwrap_or(a)),
            Op::Imadd => {
                // Of a product shifted by at most 24 bits only bits below 56 matter: any shift does.
                let shift = 8 * u32::from(o.funct2 & 3);
                let f = |a: u32, b: u32, c: u32| {
                    let product = i64::from(signed(a)) * i64::from(signed(b));
                    ((product as u64 >> shift) as u32).wrapping_add(c)
                };
                each_row!(self, MASKED, o.rd, chunk => {
                    map3(self.row(o.rs1, chunk), self.row(o.rs2, chunk), self.row(o.rs3, chunk), f)
                });
            }

            Op::Sh1add => self.binary::<MASKED>(o, |a, b| (a << 1).wrapping_add(b)),
            Op::Sh2add => self.binary::<MASKED>(o, |a, b| (a << 2).wrapping_add(b)),
            Op::Sh3add => self.binary::<MASKED>(o, |a, b| (a << 3).wrapping_add(b)),
            Op::Andn => self.binary::<MASKED>(o, |a, b| a & !b),
            Op::Orn => self.binary::<MASKED>(o, |a, b| a | !b),
            Op::Xnor => self.binary::<MASKED>(o, |a, b| !(a ^ b)),
            Op::Min => self.binary::<MASKED>(o, |a, b| signed(a).min(signed(b)) as u32),
            Op::Minu => self.binary::<MASKED>(o, u32::min),
            Op::Max => self.binary::<MASKED>(o, |a, b| signed(a).max(signed(b)) as u32),
            Op::Maxu => self.binary::<MASKED>(o, u32::max),
            Op::Rol => self.binary::<MASKED>(o, |a, b| a.rotate_left(b & 31)),
            Op::Ror => self.binary::<MASKED>(o, |a, b| a.rotate_right(b & 31)),
            Op::Clz => self.unary::<MASKED>(o, u32::leading_zeros),
            Op::Ctz => self.unary::<MASKED>(o, u32::trailing_zeros),
            Op::Cpop => self.unary::<MASKED>(o, u32::count_ones),
            Op::SextB => self.unary::<MASKED>(o, |a| a as i8 as u32),
            Op::SextH => self.unary::<MASKED>(o, |a| a as i16 as u32),
            Op::ZextH => self.unary::<MASKED>(o, |a| a & 0xffff),
            Op::OrcB => self.unary::<MASKED>(o, |a| {
                // The top bit of each byte that is not zero, then spread over the byte.
                let tops = (a | ((a & 0x7f7f_7f7f) + 0x7f7f_7f7f)) & 0x8080_8080;
                (tops >> 7).wrapping_mul(255)
            }),
            Op::Rev8 => self.unary::<MASKED>(o, u32::swap_bytes),
            Op::CzeroEqz => self.binary::<MASKED>(o, |a, b| if b == 0 { 0 } else { a }),
            Op::CzeroNez => self.binary::<MASKED>(o, |a, b| if b != 0 { 0 } else { a }),

            Op::Fmadd | Op::Fmsub | Op::Fnmsub | Op::Fnmadd => self.fused::<H, MASKED>(op, o),
            Op::Fadd => self.binary::<MASKED>(o, quick::add),
            Op::Fsub => self.binary::<MASKED>(o, quick::sub),
            Op::Fmul => self.binary::<MASKED>(o, quick::mul),
            Op::Fdiv => self.binary::<MASKED>(o, quick::div),
            Op::Fsqrt => self.unary::<MASKED>(o, quick::sqrt),
            Op::Fsgnj => self.binary::<MASKED>(o, float::sgnj),
            Op::Fsgnjn => self.binary::<MASKED>(o, float::sgnjn),
            Op::Fsgnjx => self.binary::<MASKED>(o, float::sgnjx),
            Op::Fmin | Op::Fmax | Op::Fminm | Op::Fmaxm => {
                let is_maximum = matches!(op, Op::Fmax | Op::Fmaxm);
                let nan_wins = matches!(op, Op::Fminm | Op::Fmaxm);
                each_row!(self, MASKED, o.rd, chunk => {
                    extreme(self.row(o.rs1, chunk), self.row(o.rs2, chunk), is_maximum, nan_wins)
                });
            }
            Op::Feq => self.binary::<MASKED>(o, |a, b| flag(real(a) == real(b))),
            Op::Flt | Op::Fltq => self.binary::<MASKED>(o, |a, b| flag(real(a) < real(b))),
            Op::Fle | Op::Fleq => self.binary::<MASKED>(o, |a, b| flag(real(a) <= real(b))),
            Op::Fclass => self.unary::<MASKED>(o, float::classify),
            Op::FmvXW | Op::FmvWX => self.unary::<MASKED>(o, |a| a),
            Op::Fli => {
                let constant = float_constants::CONSTANTS[usize::from(o.rs1) % 32].0;
                self.splat::<MASKED>(o.rd, constant);
            }
            Op::FcvtWS => each_row!(self, MASKED, o.rd, chunk => H::to_i32(self.row(o.rs1, chunk), o.rounding)),
            Op::FcvtWuS => each_row!(self, MASKED, o.rd, chunk => H::to_u32(self.row(o.rs1, chunk), o.rounding)),
            Op::FcvtSW => self.unary::<MASKED>(o, quick::from_i32),
            Op::FcvtSWu => self.unary::<MASKED>(o, quick::from_u32),
            Op::Fround | Op::Froundnx => {
                each_row!(self, MASKED, o.rd, chunk => H::round_to_integral(self.row(o.rs1, chunk), o.rounding))
            }

            Op::Frecip
            | Op::Fcbrt
            | Op::Fexp2
            | Op::Flog2
            | Op::Fexpm1
            | Op::Flog1p
            | Op::Fexp
            | Op::Flog
            | Op::Fexp10
            | Op::Flog10
            | Op::Fsin
            | Op::Fcos
            | Op::Ftan
            | Op::Fsinpi
            | Op::Fcospi
            | Op::Ftanpi
            | Op::Fasin
            | Op::Facos
            | Op::Fatan
            | Op::Fasinpi
            | Op::Facospi
            | Op::Fatanpi
            | Op::Fsinh
            | Op::Fcosh
            | Op::Ftanh
            | Op::Fasinh
            | Op::Facosh
            | Op::Fatanh
            | Op::Frsqrt => self.unary::<MASKED>(o, |a| transcendental::quick(op, a, 0)),
            Op::Fhypot | Op::Fatan2 | Op::Fatan2pi | Op::Fpow | Op::Froot => {
                self.binary::<MASKED>(o, |a, b| transcendental::quick(op, a, b))
            }

            Op::Tmc => self.narrow(u64::from(self.scalar(o.rs1)))?,
            Op::Pred => self.predicate::<H, MASKED>(o, 1)?,
            Op::PredN => self.predicate::<H, MASKED>(o, 0)?,
            Op::Split => self.split::<H, MASKED>(o, 1)?,
            Op::SplitN => self.split::<H, MASKED>(o, 0)?,
            Op::Join => self.join(o)?,
            Op::MaskAnd
            | Op::MaskOr
            | Op::MaskXor
            | Op::MaskAndn2
            | Op::MaskOrn2
            | Op::MaskNand
            | Op::MaskNor
            | Op::MaskXnor => self.update_mask(op, o)?,

            Op::VoteBallot => {
                let ballot = self.where_one::<H, MASKED>(o, |a| a != 0);
                self.splat::<MASKED>(o.rd, ballot as u32);
            }
            Op::VoteAny => {
                let ballot = self.where_one::<H, MASKED>(o, |a| a != 0);
                self.splat::<MASKED>(o.rd, flag(ballot != 0));
            }
            Op::VoteAll => {
                let against = self.where_one::<H, MASKED>(o, |a| a == 0);
                self.splat::<MASKED>(o.rd, flag(against == 0));
            }
            Op::VoteUni => {
                let first = self.scalar(o.rs1);
                let different = self.where_one::<H, MASKED>(o, |a| a != first);
                self.splat::<MASKED>(o.rd, flag(different == 0));
            }
            Op::ShflUp | Op::ShflDown | Op::ShflBfly | Op::ShflIdx => self.shuffle::<H, MASKED>(o),

            // Only those that `operation` lets through: a read, and a write of the texture bank.
            Op::Csrrs => self.read_register::<MASKED>(o),
            Op::Csrrw => self.select_bank(self.scalar(o.rs1)),

            // `operation` gives these a block length of zero.
            Op::Fence | Op::Ecall | Op::Ebreak | Op::Mret | Op::Wfi | Op::FenceI => return None,
            Op::Csrrc | Op::Csrrwi | Op::Csrrsi | Op::Csrrci => return None,
            Op::LrW | Op::ScW | Op::AmoSwap | Op::AmoAdd | Op::AmoXor | Op::AmoAnd | Op::AmoOr => return None,
            Op::AmoMin | Op::AmoMax | Op::AmoMinu | Op::AmoMaxu => return None,
            Op::Wspawn | Op::Bar | Op::Om | Op::Rast => return None,
        }
        Some(())
    }
}
