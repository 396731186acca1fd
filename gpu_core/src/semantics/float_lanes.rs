//! Single-precision instructions, lane by lane: which registers, which rounding mode, whose flags.
//!
//! The arithmetic itself is `float`, on bits. Flags of the active lanes are ORed into the warp's `fflags`, if the
//! program can see them (`Code::tracks_float_flags`); when it cannot, and rounding is to nearest-even, results come from
//! `float::quick`, which gives the same bits sooner.

use super::Fault;
use super::float::{Flags, Rounding};
use super::warp::{LaneValues, Warp};
use crate::isa::encoding::{DYNAMIC_ROUNDING, Instruction};
use crate::trap::TrapKind;
use crate::units::MAX_LANES;

/// Whether flags must be computed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum FlagUse {
    /// The program may read them.
    Tracked,
    /// The program cannot see them.
    Unseen,
}

/// The register file a result goes to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum File {
    /// x registers.
    Integer,
    /// f registers.
    Float,
}

/// The rounding mode of an instruction: its own, or the dynamic one. A reserved mode is a fault.
pub(super) fn rounding(warp: &Warp, i: &Instruction) -> Result<Rounding, Fault> {
    let mode = if i.rm == DYNAMIC_ROUNDING { warp.rounding_mode } else { i.rm };
    let fault = Fault { lanes: warp.mask, kind: TrapKind::ReservedRoundingMode { mode } };
    Rounding::from_number(mode.into()).ok_or(fault)
}

fn write(warp: &mut Warp, i: &Instruction, file: File, values: &LaneValues) {
    let mask = warp.mask;
    match file {
        File::Integer => warp.set_integer(i.rd, values, mask),
        File::Float => warp.set_float(i.rd, values, mask),
    }
}

/// `result = exact(operands of one lane)`, flags ORed into the warp's.
fn exact(warp: &mut Warp, i: &Instruction, file: File, f: impl Fn(&Warp, usize) -> (u32, Flags)) {
    let mut result = [0; MAX_LANES];
    let mut flags = Flags::NONE;
    for lane in warp.mask.lanes() {
        let (value, raised) = f(warp, lane);
        result[lane] = value;
        flags |= raised;
    }
    warp.float_flags |= flags.0;
    write(warp, i, file, &result);
}

/// An instruction of one float operand that rounds, such as `fsqrt.s`.
pub(super) fn unary_rounded(
    warp: &mut Warp,
    i: &Instruction,
    flags: FlagUse,
    slow: impl Fn(u32, Rounding) -> (u32, Flags),
    quick: impl Fn(u32) -> u32,
) -> Result<(), Fault> {
    let rounding = rounding(warp, i)?;
    if flags == FlagUse::Unseen && rounding == Rounding::NearestEven {
        let mut result = [0; MAX_LANES];
        for (result, &a) in result.iter_mut().zip(warp.float(i.rs1)) {
            *result = quick(a);
        }
        write(warp, i, File::Float, &result);
    } else {
        exact(warp, i, File::Float, |warp, lane| slow(warp.float(i.rs1)[lane], rounding));
        forget(warp, flags);
    }
    Ok(())
}

/// An instruction of two float operands that rounds, such as `fadd.s`.
pub(super) fn binary_rounded(
    warp: &mut Warp,
    i: &Instruction,
    flags: FlagUse,
    slow: impl Fn(u32, u32, Rounding) -> (u32, Flags),
    quick: impl Fn(u32, u32) -> u32,
) -> Result<(), Fault> {
    let rounding = rounding(warp, i)?;
    if flags == FlagUse::Unseen && rounding == Rounding::NearestEven {
        let mut result = [0; MAX_LANES];
        for ((result, &a), &b) in result.iter_mut().zip(warp.float(i.rs1)).zip(warp.float(i.rs2)) {
            *result = quick(a, b);
        }
        write(warp, i, File::Float, &result);
    } else {
        exact(warp, i, File::Float, |warp, lane| slow(warp.float(i.rs1)[lane], warp.float(i.rs2)[lane], rounding));
        forget(warp, flags);
    }
    Ok(())
}

/// A fused multiply-add.
pub(super) fn fused(
    warp: &mut Warp,
    i: &Instruction,
    flags: FlagUse,
    slow: impl Fn(u32, u32, u32, Rounding) -> (u32, Flags),
    quick: impl Fn(u32, u32, u32) -> u32,
) -> Result<(), Fault> {
    let rounding = rounding(warp, i)?;
    if flags == FlagUse::Unseen && rounding == Rounding::NearestEven {
        let mut result = [0; MAX_LANES];
        let operands = warp.float(i.rs1).iter().zip(warp.float(i.rs2)).zip(warp.float(i.rs3));
        for (result, ((&a, &b), &c)) in result.iter_mut().zip(operands) {
            *result = quick(a, b, c);
        }
        write(warp, i, File::Float, &result);
    } else {
        exact(warp, i, File::Float, |warp, lane| {
            slow(warp.float(i.rs1)[lane], warp.float(i.rs2)[lane], warp.float(i.rs3)[lane], rounding)
        });
        forget(warp, flags);
    }
    Ok(())
}

/// An instruction of two float operands that does not round: min, max, comparisons.
pub(super) fn binary(
    warp: &mut Warp,
    i: &Instruction,
    flags: FlagUse,
    file: File,
    f: impl Fn(u32, u32) -> (u32, Flags),
) {
    exact(warp, i, file, |warp, lane| f(warp.float(i.rs1)[lane], warp.float(i.rs2)[lane]));
    forget(warp, flags);
}

/// A conversion of a float operand under a rounding mode.
pub(super) fn convert(
    warp: &mut Warp,
    i: &Instruction,
    flags: FlagUse,
    file: File,
    f: impl Fn(u32, Rounding) -> (u32, Flags),
) -> Result<(), Fault> {
    let rounding = rounding(warp, i)?;
    exact(warp, i, file, |warp, lane| f(warp.float(i.rs1)[lane], rounding));
    forget(warp, flags);
    Ok(())
}

/// A conversion of an integer operand to float under a rounding mode.
pub(super) fn convert_integer(
    warp: &mut Warp,
    i: &Instruction,
    flags: FlagUse,
    f: impl Fn(u32, Rounding) -> (u32, Flags),
) -> Result<(), Fault> {
    let rounding = rounding(warp, i)?;
    exact(warp, i, File::Float, |warp, lane| f(warp.integer(i.rs1)[lane], rounding));
    forget(warp, flags);
    Ok(())
}

/// An instruction that only moves bits, from lane `lane` of whatever it reads.
pub(super) fn bits(warp: &mut Warp, i: &Instruction, file: File, f: impl Fn(&Warp, usize) -> u32) {
    exact(warp, i, file, |warp, lane| (f(warp, lane), Flags::NONE));
}

/// Flags that nobody can see stay zero, so that the state does not depend on which path computed a result.
fn forget(warp: &mut Warp, flags: FlagUse) {
    if flags == FlagUse::Unseen {
        warp.float_flags = 0;
    }
}
