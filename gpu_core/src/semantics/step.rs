//! One instruction of one warp: fetch it, and match it to its meaning; nothing else.
//!
//! The match has no `_` arm, so that a new row of the table does not compile until it has a meaning.

use super::core_state::CoreState;
use super::csr::{self, Change, Source};
use super::float_lanes::{self as lanes, File, FlagUse};
use super::memory_access::{self as access, Width};
use super::retired::{AtomicOperation, Modify, Retired};
use super::vote::{self, Direction};
use super::{Fault, control, float, integer, mask, texture_unit, transcendental};
use crate::isa::encoding::{Instruction, decode};
use crate::isa::float_constants::CONSTANTS;
use crate::isa::table::Op;
use crate::isa::{disassembler, encoding::decode_for};
use crate::memory::Memory;
use crate::trap::{Trap, TrapKind};
use crate::units::{Address, ThreadMask, WarpId};
use texture::Form;

/// Executes the next instruction of `warp`, which must be ready, and records in `out` what it did.
///
/// An atomic or fence leaves a request in `out` and the warp waiting, until [`super::complete`] serves it.
///
/// # Errors
/// A trap, without source location. The instruction has then taken effect in no lane.
pub fn step(core: &mut CoreState, warp: WarpId, memory: &Memory, out: &mut Retired) -> Result<(), Box<Trap>> {
    let pc = core.warps[warp.index()].pc;
    let fetched = fetch(core, memory, pc);
    let result = fetched.and_then(|i| {
        out.begin(pc, i, core.warps[warp.index()].mask);
        execute(core, warp, memory, &i, out)
    });
    match result {
        Ok(()) => {
            // A warp that has ended, or been started anew by its own `wspawn`, is not this instruction's any more.
            let state = &mut core.warps[warp.index()];
            if state.is_alive() {
                state.pc = out.next_pc;
            }
            Ok(())
        }
        Err(fault) => Err(trap_at(core, warp, memory, pc, fault)),
    }
}

/// Makes a trap of a fault of the instruction at `pc`.
pub(crate) fn trap_at(core: &CoreState, warp: WarpId, memory: &Memory, pc: Address, fault: Fault) -> Box<Trap> {
    let state = &core.warps[warp.index()];
    let word = word_at(core, memory, pc);
    Box::new(Trap {
        core: core.id,
        warp,
        lanes: if fault.lanes.is_empty() { state.mask } else { fault.lanes },
        pc,
        disassembly: word.map_or_else(|| "nothing".to_owned(), |word| disassembler::disassemble_word(word, pc)),
        source_location: None,
        kind: fault.kind,
    })
}

fn word_at(core: &CoreState, memory: &Memory, pc: Address) -> Option<u32> {
    if !pc.0.is_multiple_of(4) {
        return None;
    }
    core.code.fetch(pc).map(|(word, _)| word).or_else(|| memory.load(pc, 4))
}

/// The instruction at `pc`: predecoded, or, outside the program's executable segments, straight from memory.
fn fetch(core: &CoreState, memory: &Memory, pc: Address) -> Result<Instruction, Fault> {
    let fault = |kind| Fault { lanes: ThreadMask::EMPTY, kind };
    if !pc.0.is_multiple_of(4) {
        return Err(fault(TrapKind::FetchMisaligned));
    }
    let (word, instruction) = match core.code.fetch(pc) {
        Some(fetched) => fetched,
        None => {
            let word = memory.load(pc, 4).ok_or(fault(TrapKind::FetchOutside))?;
            (word, decode_for(core.config.extensions, word))
        }
    };
    instruction.ok_or_else(|| {
        fault(match decode(word) {
            Some(known) => TrapKind::MissingExtension { extension: known.op.spec().extension },
            None => TrapKind::IllegalInstruction { word },
        })
    })
}

#[rustfmt::skip]
fn execute(core: &mut CoreState, w: WarpId, memory: &Memory, i: &Instruction, out: &mut Retired) -> Result<(), Fault> {
    let flags = if core.code.tracks_float_flags() { FlagUse::Tracked } else { FlagUse::Unseen };
    let lane_count = core.config.lanes as usize;
    let warp = &mut core.warps[w.index()];
    let (pc, imm) = (out.pc, i.imm as u32);
    match i.op {
        // RV32I.
        Op::Lui => integer::constant(warp, i, imm),
        Op::Auipc => integer::constant(warp, i, pc.0.wrapping_add(imm)),
        Op::Jal => control::jump(warp, i, out)?,
        Op::Jalr => control::jump_register(warp, i, out)?,
        Op::Beq => control::branch(warp, i, |a, b| a == b, out)?,
        Op::Bne => control::branch(warp, i, |a, b| a != b, out)?,
        Op::Blt => control::branch(warp, i, |a, b| (a as i32) < b as i32, out)?,
        Op::Bge => control::branch(warp, i, |a, b| a as i32 >= b as i32, out)?,
        Op::Bltu => control::branch(warp, i, |a, b| a < b, out)?,
        Op::Bgeu => control::branch(warp, i, |a, b| a >= b, out)?,
        Op::Lb => access::load(core, w, memory, i, Width::SignedByte, File::Integer, out)?,
        Op::Lh => access::load(core, w, memory, i, Width::SignedHalf, File::Integer, out)?,
        Op::Lw => access::load(core, w, memory, i, Width::Word, File::Integer, out)?,
        Op::Lbu => access::load(core, w, memory, i, Width::Byte, File::Integer, out)?,
        Op::Lhu => access::load(core, w, memory, i, Width::Half, File::Integer, out)?,
        Op::Sb => access::store(core, w, memory, i, 1, File::Integer, out)?,
        Op::Sh => access::store(core, w, memory, i, 2, File::Integer, out)?,
        Op::Sw => access::store(core, w, memory, i, 4, File::Integer, out)?,
        Op::Addi => integer::immediate(warp, i, u32::wrapping_add),
        Op::Slti => integer::immediate(warp, i, |a, b| ((a as i32) < b as i32).into()),
        Op::Sltiu => integer::immediate(warp, i, |a, b| (a < b).into()),
        Op::Xori => integer::immediate(warp, i, |a, b| a ^ b),
        Op::Ori => integer::immediate(warp, i, |a, b| a | b),
        Op::Andi => integer::immediate(warp, i, |a, b| a & b),
        Op::Slli => integer::immediate(warp, i, u32::wrapping_shl),
        Op::Srli => integer::immediate(warp, i, u32::wrapping_shr),
        Op::Srai => integer::immediate(warp, i, |a, b| (a as i32).wrapping_shr(b) as u32),
        Op::Add => integer::binary(warp, i, u32::wrapping_add),
        Op::Sub => integer::binary(warp, i, u32::wrapping_sub),
        Op::Sll => integer::binary(warp, i, u32::wrapping_shl),
        Op::Slt => integer::binary(warp, i, |a, b| ((a as i32) < b as i32).into()),
        Op::Sltu => integer::binary(warp, i, |a, b| (a < b).into()),
        Op::Xor => integer::binary(warp, i, |a, b| a ^ b),
        Op::Srl => integer::binary(warp, i, u32::wrapping_shr),
        Op::Sra => integer::binary(warp, i, |a, b| (a as i32).wrapping_shr(b) as u32),
        Op::Or => integer::binary(warp, i, |a, b| a | b),
        Op::And => integer::binary(warp, i, |a, b| a & b),
        Op::Fence => control::fence(warp, out),
        Op::Ecall => control::environment_call(core, w, memory, out)?,
        Op::Ebreak => control::breakpoint(warp)?,
        Op::Mret => control::machine_return(core, w, out)?,
        Op::Wfi => {}
        // Zifencei, Zicsr.
        Op::FenceI => control::fence_instructions(core, memory, out),
        Op::Csrrw => csr::access(core, w, i, Change::Write, Source::Register)?,
        Op::Csrrs => csr::access(core, w, i, Change::Set, Source::Register)?,
        Op::Csrrc => csr::access(core, w, i, Change::Clear, Source::Register)?,
        Op::Csrrwi => csr::access(core, w, i, Change::Write, Source::Immediate)?,
        Op::Csrrsi => csr::access(core, w, i, Change::Set, Source::Immediate)?,
        Op::Csrrci => csr::access(core, w, i, Change::Clear, Source::Immediate)?,
        // M.
        Op::Mul => integer::binary(warp, i, u32::wrapping_mul),
        Op::Mulh => integer::binary(warp, i, integer::multiply_high),
        Op::Mulhsu => integer::binary(warp, i, integer::multiply_high_mixed),
        Op::Mulhu => integer::binary(warp, i, integer::multiply_high_unsigned),
        Op::Div => integer::binary(warp, i, integer::divide_signed),
        Op::Divu => integer::binary(warp, i, integer::divide_unsigned),
        Op::Rem => integer::binary(warp, i, integer::remainder_signed),
        Op::Remu => integer::binary(warp, i, integer::remainder_unsigned),
        // A.
        Op::LrW => access::request_atomic(core, w, memory, i, AtomicOperation::LoadReserved, out)?,
        Op::ScW => access::request_atomic(core, w, memory, i, AtomicOperation::StoreConditional, out)?,
        Op::AmoSwap => access::request_atomic(core, w, memory, i, AtomicOperation::Modify(Modify::Swap), out)?,
        Op::AmoAdd => access::request_atomic(core, w, memory, i, AtomicOperation::Modify(Modify::Add), out)?,
        Op::AmoXor => access::request_atomic(core, w, memory, i, AtomicOperation::Modify(Modify::Xor), out)?,
        Op::AmoAnd => access::request_atomic(core, w, memory, i, AtomicOperation::Modify(Modify::And), out)?,
        Op::AmoOr => access::request_atomic(core, w, memory, i, AtomicOperation::Modify(Modify::Or), out)?,
        Op::AmoMin => access::request_atomic(core, w, memory, i, AtomicOperation::Modify(Modify::Min), out)?,
        Op::AmoMax => access::request_atomic(core, w, memory, i, AtomicOperation::Modify(Modify::Max), out)?,
        Op::AmoMinu => access::request_atomic(core, w, memory, i, AtomicOperation::Modify(Modify::MinUnsigned), out)?,
        Op::AmoMaxu => access::request_atomic(core, w, memory, i, AtomicOperation::Modify(Modify::MaxUnsigned), out)?,
        // F.
        Op::Flw => access::load(core, w, memory, i, Width::Word, File::Float, out)?,
        Op::Fsw => access::store(core, w, memory, i, 4, File::Float, out)?,
        Op::Fmadd => lanes::fused(warp, i, flags, float::fma, float::quick::fma)?,
        Op::Fmsub => lanes::fused(warp, i, flags, float::fmsub, float::quick::fmsub)?,
        Op::Fnmsub => lanes::fused(warp, i, flags, float::fnmsub, float::quick::fnmsub)?,
        Op::Fnmadd => lanes::fused(warp, i, flags, float::fnmadd, float::quick::fnmadd)?,
        Op::Fadd => lanes::binary_rounded(warp, i, flags, float::add, float::quick::add)?,
        Op::Fsub => lanes::binary_rounded(warp, i, flags, float::sub, float::quick::sub)?,
        Op::Fmul => lanes::binary_rounded(warp, i, flags, float::mul, float::quick::mul)?,
        Op::Fdiv => lanes::binary_rounded(warp, i, flags, float::div, float::quick::div)?,
        Op::Fsqrt => lanes::unary_rounded(warp, i, flags, float::sqrt, float::quick::sqrt)?,
        Op::Fsgnj => lanes::bits(warp, i, File::Float, |warp, l| float::sgnj(warp.float(i.rs1)[l], warp.float(i.rs2)[l])),
        Op::Fsgnjn => lanes::bits(warp, i, File::Float, |warp, l| float::sgnjn(warp.float(i.rs1)[l], warp.float(i.rs2)[l])),
        Op::Fsgnjx => lanes::bits(warp, i, File::Float, |warp, l| float::sgnjx(warp.float(i.rs1)[l], warp.float(i.rs2)[l])),
        Op::Fmin => lanes::binary(warp, i, flags, File::Float, float::min),
        Op::Fmax => lanes::binary(warp, i, flags, File::Float, float::max),
        Op::FcvtWS => lanes::convert(warp, i, flags, File::Integer, float::to_i32)?,
        Op::FcvtWuS => lanes::convert(warp, i, flags, File::Integer, float::to_u32)?,
        Op::FmvXW => lanes::bits(warp, i, File::Integer, |warp, l| warp.float(i.rs1)[l]),
        Op::Feq => lanes::binary(warp, i, flags, File::Integer, float::eq),
        Op::Flt => lanes::binary(warp, i, flags, File::Integer, float::lt),
        Op::Fle => lanes::binary(warp, i, flags, File::Integer, float::le),
        Op::Fclass => lanes::bits(warp, i, File::Integer, |warp, l| float::classify(warp.float(i.rs1)[l])),
        Op::FcvtSW => lanes::convert_integer(warp, i, flags, float::from_i32)?,
        Op::FcvtSWu => lanes::convert_integer(warp, i, flags, float::from_u32)?,
        Op::FmvWX => lanes::bits(warp, i, File::Float, |warp, l| warp.integer(i.rs1)[l]),
        // Zba, Zbb, Zicond.
        Op::Sh1add => integer::binary(warp, i, |a, b| (a << 1).wrapping_add(b)),
        Op::Sh2add => integer::binary(warp, i, |a, b| (a << 2).wrapping_add(b)),
        Op::Sh3add => integer::binary(warp, i, |a, b| (a << 3).wrapping_add(b)),
        Op::Andn => integer::binary(warp, i, |a, b| a & !b),
        Op::Orn => integer::binary(warp, i, |a, b| a | !b),
        Op::Xnor => integer::binary(warp, i, |a, b| !(a ^ b)),
        Op::Min => integer::binary(warp, i, |a, b| (a as i32).min(b as i32) as u32),
        Op::Minu => integer::binary(warp, i, u32::min),
        Op::Max => integer::binary(warp, i, |a, b| (a as i32).max(b as i32) as u32),
        Op::Maxu => integer::binary(warp, i, u32::max),
        Op::Rol => integer::binary(warp, i, |a, b| a.rotate_left(b & 31)),
        Op::Ror => integer::binary(warp, i, |a, b| a.rotate_right(b & 31)),
        Op::Rori => integer::immediate(warp, i, |a, b| a.rotate_right(b & 31)),
        Op::Clz => integer::unary(warp, i, u32::leading_zeros),
        Op::Ctz => integer::unary(warp, i, u32::trailing_zeros),
        Op::Cpop => integer::unary(warp, i, u32::count_ones),
        Op::SextB => integer::unary(warp, i, |a| a as i8 as u32),
        Op::SextH => integer::unary(warp, i, |a| a as i16 as u32),
        Op::ZextH => integer::unary(warp, i, |a| a & 0xffff),
        Op::OrcB => integer::unary(warp, i, integer::or_combine_bytes),
        Op::Rev8 => integer::unary(warp, i, u32::swap_bytes),
        Op::CzeroEqz => integer::binary(warp, i, |a, b| if b == 0 { 0 } else { a }),
        Op::CzeroNez => integer::binary(warp, i, |a, b| if b != 0 { 0 } else { a }),
        // Zfa.
        Op::Fli => lanes::bits(warp, i, File::Float, |_, _| CONSTANTS[usize::from(i.rs1 & 31)].0),
        Op::Fminm => lanes::binary(warp, i, flags, File::Float, float::minm),
        Op::Fmaxm => lanes::binary(warp, i, flags, File::Float, float::maxm),
        Op::Fround => lanes::convert(warp, i, flags, File::Float, float::round_to_integral)?,
        Op::Froundnx => lanes::convert(warp, i, flags, File::Float, float::round_to_integral_exact)?,
        Op::Fleq => lanes::binary(warp, i, flags, File::Integer, float::leq),
        Op::Fltq => lanes::binary(warp, i, flags, File::Integer, float::ltq),
        // SIMT control.
        Op::Tmc => mask::set_thread_mask(core, w, memory, i, out),
        Op::Wspawn => mask::spawn(core, w, i, out)?,
        Op::Split => mask::split(core, w, i, 1, out)?,
        Op::SplitN => mask::split(core, w, i, 0, out)?,
        Op::Join => mask::join(core, w, i, out)?,
        Op::Bar => mask::barrier(core, w, i, out)?,
        Op::Pred => mask::predicate(core, w, memory, i, 1, out),
        Op::PredN => mask::predicate(core, w, memory, i, 0, out),
        // Votes and shuffles.
        Op::VoteAll => vote::vote(warp, i, |ballot, active| (ballot == active).into()),
        Op::VoteAny => vote::vote(warp, i, |ballot, _| (!ballot.is_empty()).into()),
        Op::VoteUni => vote::vote_uniform(warp, i),
        Op::VoteBallot => vote::vote(warp, i, |ballot, _| ballot.0 as u32),
        Op::ShflUp => vote::shuffle(warp, i, Direction::Up, lane_count),
        Op::ShflDown => vote::shuffle(warp, i, Direction::Down, lane_count),
        Op::ShflBfly => vote::shuffle(warp, i, Direction::Butterfly, lane_count),
        Op::ShflIdx => vote::shuffle(warp, i, Direction::Index, lane_count),
        // Thread masks.
        Op::MaskAnd => mask::update(core, w, i, |t, s| t & s, out),
        Op::MaskOr => mask::update(core, w, i, |t, s| t | s, out),
        Op::MaskXor => mask::update(core, w, i, |t, s| t ^ s, out),
        Op::MaskAndn2 => mask::update(core, w, i, |t, s| s & !t, out),
        Op::MaskOrn2 => mask::update(core, w, i, |t, s| s | !t, out),
        Op::MaskNand => mask::update(core, w, i, |t, s| !(t & s), out),
        Op::MaskNor => mask::update(core, w, i, |t, s| !(t | s), out),
        Op::MaskXnor => mask::update(core, w, i, |t, s| !(t ^ s), out),
        // Graphics.
        Op::Tex => texture_unit::sample(core, w, memory, i, Form::Level, out)?,
        Op::Texl => texture_unit::sample(core, w, memory, i, Form::Lookup, out)?,
        Op::Texf => texture_unit::sample(core, w, memory, i, Form::Channel, out)?,
        Op::Imadd => integer::multiply_shift_add(warp, i),
        // Transcendental functions.
        Op::Frecip | Op::Fcbrt | Op::Fexp2 | Op::Flog2 | Op::Fexpm1 | Op::Flog1p | Op::Fexp | Op::Flog | Op::Fexp10
        | Op::Flog10 | Op::Fsin | Op::Fcos | Op::Ftan | Op::Fsinpi | Op::Fcospi | Op::Ftanpi | Op::Fasin | Op::Facos
        | Op::Fatan | Op::Fasinpi | Op::Facospi | Op::Fatanpi | Op::Fsinh | Op::Fcosh | Op::Ftanh | Op::Fasinh
        | Op::Facosh | Op::Fatanh | Op::Frsqrt => {
            let slow = |a, rounding| transcendental::exact(i.op, a, 0, rounding);
            lanes::unary_rounded(warp, i, flags, slow, |a| transcendental::quick(i.op, a, 0))?;
        }
        Op::Fhypot | Op::Fatan2 | Op::Fatan2pi | Op::Fpow | Op::Froot => {
            let slow = |a, b, rounding| transcendental::exact(i.op, a, b, rounding);
            lanes::binary_rounded(warp, i, flags, slow, |a, b| transcendental::quick(i.op, a, b))?;
        }
        Op::Om | Op::Rast => return Err(Fault { lanes: warp.mask, kind: TrapKind::MissingUnit }),
    }
    Ok(())
}
