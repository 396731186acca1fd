//! Pairs of instructions that a machine carries out as one operation: the second only hands over what the first has made.
//!
//! A property of time alone; results are those of the two by themselves. Source: the Zftrans proposal, which fuses `fsin.s` and
//! `fcos.s`, and `fsinpi.s` and `fcospi.s`, issued in that order.

use super::encoding::Instruction;
use super::table::Op;

/// The pairs, in the order in which they fuse.
pub const FUSED_PAIRS: [(Op, Op); 2] = [(Op::Fsin, Op::Fcos), (Op::Fsinpi, Op::Fcospi)];

/// Whether two adjacent instructions fuse: they are a pair, of one operand that the first leaves as it is, rounding alike.
pub fn fuses(first: &Instruction, second: &Instruction) -> bool {
    FUSED_PAIRS.contains(&(first.op, second.op))
        && first.rs1 == second.rs1
        && first.rd != first.rs1
        && first.rd != second.rd
        && first.rm == second.rm
}

/// Whether an instruction is the second of a pair somewhere.
pub fn is_second(op: Op) -> bool {
    FUSED_PAIRS.iter().any(|pair| pair.1 == op)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_fuse_in_one_order_and_over_one_operand_that_stays() {
        let of = |op, rd, rs1| Instruction { rd, rs1, ..Instruction::new(op) };
        assert!(fuses(&of(Op::Fsin, 1, 0), &of(Op::Fcos, 2, 0)));
        assert!(fuses(&of(Op::Fsinpi, 1, 0), &of(Op::Fcospi, 0, 0)), "the second may overwrite it");
        assert!(!fuses(&of(Op::Fcos, 1, 0), &of(Op::Fsin, 2, 0)), "the other order");
        assert!(!fuses(&of(Op::Fsin, 1, 0), &of(Op::Fcospi, 2, 0)), "of two pairs");
        assert!(!fuses(&of(Op::Fsin, 1, 0), &of(Op::Fcos, 2, 3)), "of two operands");
        assert!(!fuses(&of(Op::Fsin, 0, 0), &of(Op::Fcos, 2, 0)), "the operand is gone");
        assert!(!fuses(&of(Op::Fsin, 1, 0), &of(Op::Fcos, 1, 0)), "one result is lost");
        let towards_zero = Instruction { rm: 1, ..of(Op::Fcos, 2, 0) };
        assert!(!fuses(&of(Op::Fsin, 1, 0), &towards_zero), "two roundings");
    }
}
