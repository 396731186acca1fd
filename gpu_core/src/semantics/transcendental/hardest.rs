//! Operands at which the true value is so near the middle between two `f32` that the `f64` beside it rounds to the wrong one.
//!
//! A function of one operand has only 2^32 of them, and all were looked at (`docs/transcendentals.md`): with these rows every
//! result is the nearest `f32`. None is a tie, since no function has a value of 25 binary digits where it is not exact.
//! Sides: from the functions in 400 binary digits.

use super::Outcome::{self, Inexact};
use super::{inward, outward};
use crate::isa::table::Op;
use Side::{Above, Below};

/// Where the magnitude of the true value is, seen from the middle.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

/// Functions, bits of their operands, sides.
const ROWS: &[(Op, u32, Side)] = &[
    (Op::Fexp2, 0x3b42_9d37, Above),
    (Op::Fexp2, 0xbcf3_a937, Above),
    (Op::Flog, 0x3c41_3d3a, Below),
    (Op::Flog, 0x4117_8feb, Below),
    (Op::Flog, 0x4c5d_65a5, Above),
    (Op::Flog, 0x65d8_90d3, Above),
    (Op::Flog, 0x6f31_a8ec, Above),
    (Op::Flog10, 0x0efe_ee7a, Above),
    (Op::Flog1p, 0x3540_0003, Above),
    (Op::Flog1p, 0x3710_001b, Above),
    (Op::Flog1p, 0x3efd_81ad, Below),
    (Op::Flog1p, 0x4107_8feb, Below),
    (Op::Flog1p, 0x65d8_90d3, Above),
    (Op::Flog1p, 0x6f31_a8ec, Above),
    (Op::Flog1p, 0xb53f_fffd, Below),
    (Op::Flog1p, 0xb70f_ffe5, Below),
    (Op::Flog1p, 0xbb0e_c8c4, Above),
    (Op::Fsin, 0x4619_9998, Below),
    (Op::Fsin, 0xc619_9998, Below),
    (Op::Fcos, 0x5f18_b878, Below),
    (Op::Fcos, 0x6115_cb11, Above),
    (Op::Fcos, 0xdf18_b878, Below),
    (Op::Fcos, 0xe115_cb11, Above),
    (Op::Facos, 0x3288_85a3, Above),
    (Op::Facos, 0x3982_6222, Above),
    (Op::Fatan, 0x3d8d_6b23, Above),
    (Op::Fatan, 0xbd8d_6b23, Above),
    (Op::Fatanpi, 0x3f69_3531, Below),
    (Op::Fatanpi, 0xbf69_3531, Below),
    (Op::Fsinh, 0x3a12_85ff, Below),
    (Op::Fsinh, 0xba12_85ff, Below),
    (Op::Fasinh, 0x4bdd_65a5, Above),
    (Op::Fasinh, 0x5e68_984e, Below),
    (Op::Fasinh, 0x6558_90d3, Above),
    (Op::Fasinh, 0xcbdd_65a5, Above),
    (Op::Fasinh, 0xde68_984e, Below),
    (Op::Fasinh, 0xe558_90d3, Above),
    (Op::Facosh, 0x5e68_984e, Below),
    (Op::Facosh, 0x6558_90d3, Above),
];

/// The functions and operands of all rows.
pub fn hardest_operands() -> impl Iterator<Item = (Op, u32)> {
    ROWS.iter().map(|&(op, operand, _)| (op, operand))
}

/// Half the unit of the last place of an `f32`, in those of an `f64`: 53 digits less 25.
const HALF: u64 = 1 << 28;
/// So far from a middle an `f64` may lie that is on its wrong side, in units of its last place.
const DOUBT: u64 = 4;

/// An outcome of a function of one operand, put on the right side of a middle that it lies at.
#[inline(always)]
pub(super) fn settled(op: Op, operand: u32, outcome: Outcome) -> Outcome {
    match outcome {
        Inexact(value) if (value.to_bits().wrapping_sub(HALF - DOUBT) & (2 * HALF - 1)) <= 2 * DOUBT => {
            Inexact(looked_up(op, operand, value))
        }
        _ => outcome,
    }
}

#[cold]
fn looked_up(op: Op, operand: u32, value: f64) -> f64 {
    let Some(&(.., side)) = ROWS.iter().find(|row| (row.0, row.1) == (op, operand)) else { return value };
    let middle = f64::from_bits((value.to_bits() + HALF / 2) & !(HALF - 1));
    match side {
        Below => inward(middle),
        Above => outward(middle),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Definition, definition};
    use super::*;

    /// A row that changes nothing is not needed, or is not reached.
    #[test]
    fn every_row_changes_the_result() {
        for &(op, operand, side) in ROWS {
            let Some(Definition::Unary(function)) = definition(op) else { panic!("{op:?} has two operands") };
            let outcome = function(f32::from_bits(operand));
            let (Inexact(before), Inexact(after)) = (outcome, settled(op, operand, outcome)) else {
                panic!("{op:?} of {operand:08x}: {outcome:?}")
            };
            assert_ne!(before as f32, after as f32, "{op:?} of {operand:08x}");
            assert_eq!(side == Above, after.abs() > before.abs(), "{op:?} of {operand:08x}");
        }
    }
}
