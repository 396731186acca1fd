//! A function for each instruction, found in a table by its operation: how hosts with AVX2 run blocks.
//!
//! Before: `mod.rs` knows that the host has the features. After: `interpret` goes from block to block.
//! The functions are [`Frame::execute`] with a constant operation, so that one arm of its `match` is left of each; being
//! small, they keep everything in host registers, which one loop around all arms does not. `calls` calls them where it
//! knows nothing better; the end of a turn, or all of it on a host that gives no memory for code, is run from the table.
//! Gain over such a loop: arithmetic 4.5 → 3.6 ns a warp-instruction at 16 lanes, 11.1 → 3.9 at 32, where the loop's number of
//! rows was not known at compile time (see `mod.rs`).

use super::avx2::Avx2;
use super::calls::{Calls, Ran};
use super::frame::Frame;
use super::interpret::Stop;
use super::operation::{Operation, Operations, Segment};
use crate::isa::table::{Op, SPECS};

/// Lanes of a row: what a vector of this host holds.
pub(super) const LANES: usize = 8;

/// Runs one instruction; false, and nothing changed, if the plain engine must run it. The calling convention is one that
/// `calls` knows. To be called only where the host has the features that [`one`] names.
pub(super) type Handler<const CHUNKS: usize> =
    unsafe extern "sysv64" fn(&mut Frame<'_, LANES, CHUNKS>, &Operation) -> bool;

/// Handlers by operation. It is as long as a byte has values, so that no bound is checked.
pub(super) struct Table<const CHUNKS: usize, const MASKED: bool>;

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
extern "sysv64" fn one<const OP: u8, const CHUNKS: usize, const MASKED: bool>(
    frame: &mut Frame<'_, LANES, CHUNKS>,
    o: &Operation,
) -> bool {
    frame.execute::<Avx2, MASKED>(const { SPECS[OP as usize].op }, o).is_some()
}

extern "sysv64" fn refuse<const CHUNKS: usize>(_: &mut Frame<'_, LANES, CHUNKS>, _: &Operation) -> bool {
    false
}

macro_rules! handlers {
    ($($op:ident)*) => {
        impl<const CHUNKS: usize, const MASKED: bool> Table<CHUNKS, MASKED> {
            pub const HANDLERS: [Handler<CHUNKS>; 256] = {
                let mut table = [refuse as Handler<CHUNKS>; 256];
                $(table[Op::$op as usize] = one::<{ Op::$op as u8 }, CHUNKS, MASKED>;)*
                table
            };
        }
        /// What has a handler; everything that `operation` lets through (a test compares them).
        #[cfg(test)]
        pub(super) const HANDLED: &[Op] = &[$(Op::$op),*];
    };
}

handlers! {
    Jal Jalr Beq Bne Blt Bge Bltu Bgeu
    Lb Lh Lw Lbu Lhu Flw Tex Texl Texf Sb Sh Sw Fsw
    Tmc Split SplitN Join Pred PredN
    MaskAnd MaskOr MaskXor MaskAndn2 MaskOrn2 MaskNand MaskNor MaskXnor
    Lui Auipc Addi Slti Sltiu Xori Ori Andi Slli Srli Srai Add Sub Sll Slt Sltu Xor Srl Sra Or And
    Mul Mulh Mulhsu Mulhu Div Divu Rem Remu
    Sh1add Sh2add Sh3add Andn Orn Xnor Min Minu Max Maxu Rol Ror Rori Clz Ctz Cpop SextB SextH ZextH OrcB Rev8
    CzeroEqz CzeroNez Imadd
    Fsgnj Fsgnjn Fsgnjx FmvXW FmvWX Fclass Fli Fmin Fmax Fminm Fmaxm Feq Flt Fle Fleq Fltq
    Fadd Fsub Fmul Fdiv Fsqrt Fmadd Fmsub Fnmsub Fnmadd FcvtSW FcvtSWu FcvtWS FcvtWuS Fround Froundnx
    Frecip Fcbrt Fexp2 Flog2 Fexpm1 Flog1p Fhypot Fexp Flog Fexp10 Flog10 Fsin Fcos Ftan Fsinpi Fcospi Ftanpi Fatan2
    Fasin Facos Fatan Fatan2pi Fasinpi Facospi Fatanpi Fsinh Fcosh Ftanh Fasinh Facosh Fatanh Fpow Froot Frsqrt
    VoteAll VoteAny VoteUni VoteBallot ShflUp ShflDown ShflBfly ShflIdx
    Csrrs Csrrw
}

/// Runs a warp until its turn is over or the plain engine must go on. The host has AVX2, FMA, BMI, LZCNT and POPCNT.
pub(super) fn run<const CHUNKS: usize>(
    frame: &mut Frame<'_, LANES, CHUNKS>,
    operations: &Operations,
    calls: Option<&Calls>,
) {
    frame.run_on(operations, |frame| {
        if frame.is_full() {
            run_masked::<CHUNKS, false>(frame, operations, calls)
        } else {
            run_masked::<CHUNKS, true>(frame, operations, calls)
        }
    });
}

fn run_masked<const CHUNKS: usize, const MASKED: bool>(
    frame: &mut Frame<'_, LANES, CHUNKS>,
    operations: &Operations,
    calls: Option<&Calls>,
) -> Stop {
    let Some(calls) = calls else {
        return frame.run(operations, run_from_table::<CHUNKS, MASKED>);
    };
    while let Some(segment) = operations.find(frame.board.pc) {
        while let Some(index) = segment.index_of(frame.board.pc) {
            let o = &segment.operations[index];
            if o.block_length == 0 {
                return Stop::Plain;
            }
            if frame.budget == 0 {
                return Stop::Budget;
            }
            let lanes = frame.active.count_ones();
            let mut ran = Ran { count: 0, is_refused: false };
            if calls.has_place::<MASKED>(o) {
                ran = calls.run::<CHUNKS, MASKED>(frame, segment, index, frame.budget);
            }
            if ran.count == 0 && !ran.is_refused {
                // Either no code can be entered here, or its first piece is too long: so much from the table.
                let longest = frame.budget.min(o.block_length.into()) as usize;
                let rest = &segment.operations[index + 1..index + longest];
                let length = rest.iter().position(|o| calls.has_place::<MASKED>(o)).unwrap_or(rest.len()) + 1;
                // The last instruction may jump.
                frame.board.pc = segment.operations[index].pc.wrapping_add(4 * length as u32);
                let done = run_from_table::<CHUNKS, MASKED>(frame, segment, index, length);
                ran = Ran { count: done as u32, is_refused: done < length };
                if ran.is_refused {
                    frame.board.pc = segment.operations[index + done].pc;
                }
            }
            frame.account(ran.count.into(), lanes);
            if ran.is_refused {
                return Stop::Plain;
            }
            if frame.is_full() == MASKED {
                return Stop::MaskChanged;
            }
        }
    }
    Stop::Plain
}

#[allow(unsafe_code)]
fn run_from_table<const CHUNKS: usize, const MASKED: bool>(
    frame: &mut Frame<'_, LANES, CHUNKS>,
    segment: &Segment,
    index: usize,
    length: usize,
) -> usize {
    let handlers = const { &Table::<CHUNKS, MASKED>::HANDLERS };
    let operations = &segment.operations[index..index + length];
    // SAFETY: `Prepared::new` sets the level that leads here only after the host has said that it has these features.
    let refused = operations.iter().position(|o| !unsafe { handlers[usize::from(o.op as u8)](frame, o) });
    refused.unwrap_or(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::operation::{Place, place};

    /// An instruction that were missing would always be left to the plain engine: right, but slow.
    #[test]
    fn everything_that_is_run_here_has_a_handler() {
        for spec in SPECS {
            let is_register_access = matches!(spec.op, Op::Csrrs | Op::Csrrw);
            let is_here = is_register_access || !matches!(place(spec.op), Place::Plain);
            assert_eq!(HANDLED.contains(&spec.op), is_here, "{}", spec.mnemonic);
        }
    }
}
