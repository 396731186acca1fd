//! What one instruction of an extension would do, in several of the base.
//!
//! Sources: RISC-V unprivileged specification; the population count and the reversal are the usual halving sums and
//! swaps. Conversions may raise inexact; programs compiled here never read the flags.

use gpu_core::isa::{Extension, Op};

use crate::ir::Kind;
use crate::machine_code::Register;

use super::Lowering;
use super::operation::{NEAREST, TOWARD_ZERO};

impl Lowering<'_> {
    /// `condition ? accept : reject`, the condition being 0 or 1.
    pub fn select_register(&mut self, rd: Register, condition: Register, accept: Register, reject: Register) {
        use Register::Zero;
        if self.has(Extension::Zicond) {
            return match (accept, reject) {
                (Zero, Zero) => self.instruction(Op::Addi, rd, &[Zero], 0),
                (_, Zero) => self.instruction(Op::CzeroEqz, rd, &[accept, condition], 0),
                (Zero, _) => self.instruction(Op::CzeroNez, rd, &[reject, condition], 0),
                _ => {
                    let accepted = self.int(Op::CzeroEqz, &[accept, condition], 0);
                    let rejected = self.int(Op::CzeroNez, &[reject, condition], 0);
                    self.instruction(Op::Or, rd, &[accepted, rejected], 0);
                }
            };
        }
        if accept == Zero {
            // All ones where the condition is 0.
            let mask = self.int(Op::Addi, &[condition], -1);
            return self.instruction(Op::And, rd, &[reject, mask], 0);
        }
        let mask = self.int(Op::Sub, &[Zero, condition], 0);
        if reject == Zero {
            return self.instruction(Op::And, rd, &[accept, mask], 0);
        }
        let difference = self.int(Op::Xor, &[accept, reject], 0);
        let chosen = self.int(Op::And, &[difference, mask], 0);
        self.instruction(Op::Xor, rd, &[chosen, reject], 0);
    }

    /// Rounds to an integer without Zfa: there and back through `fcvt`, with the operand's sign, so that the sign of
    /// zero stays. From 2^23 on every float is an integer, and a NaN is canonical already after `fmin`.
    pub fn round_by_conversion(&mut self, rd: Register, a: Register, rm: u8) {
        let whole = self.new_int();
        self.rounding(Op::FcvtWS, whole, &[a], rm);
        let back = self.new_float();
        self.rounding(Op::FcvtSW, back, &[whole], NEAREST);
        let signed = self.new_float();
        self.instruction(Op::Fsgnj, signed, &[back, a], 0);
        let magnitude = self.new_float();
        self.instruction(Op::Fsgnjx, magnitude, &[a, a], 0);
        let limit = self.constant(Kind::Float, 0x4b00_0000);
        let is_small = self.int(Op::Flt, &[magnitude, limit], 0);
        let canonical = self.new_float();
        self.instruction(Op::Fmin, canonical, &[a, a], 0);
        let accept = self.int(Op::FmvXW, &[signed], 0);
        let reject = self.int(Op::FmvXW, &[canonical], 0);
        let bits = self.new_int();
        self.select_register(bits, is_small, accept, reject);
        self.instruction(Op::FmvWX, rd, &[bits], 0);
    }

    /// The exponent field of an integer as a float, rounded down: 127 + the place of its highest bit, 0 for zero.
    fn exponent(&mut self, a: Register) -> Register {
        let float = self.new_float();
        self.rounding(Op::FcvtSWu, float, &[a], TOWARD_ZERO);
        let bits = self.int(Op::FmvXW, &[float], 0);
        self.int(Op::Srli, &[bits], 23)
    }

    /// `if_zero` where a register is zero, else 0; `if_zero` fits an immediate.
    fn where_zero(&mut self, a: Register, if_zero: i32) -> Register {
        let is_zero = self.int(Op::Sltiu, &[a], 1);
        let mask = self.int(Op::Sub, &[Register::Zero, is_zero], 0);
        self.int(Op::Andi, &[mask], if_zero)
    }

    pub fn count_leading_zeros(&mut self, rd: Register, a: Register) {
        // 31 − (exponent − 127); for zero the exponent is taken as 126, which gives 32.
        let exponent = self.exponent(a);
        let zero = self.where_zero(a, 126);
        let exponent = self.int(Op::Add, &[exponent, zero], 0);
        let total = self.constant(Kind::Int, 158);
        self.instruction(Op::Sub, rd, &[total, exponent], 0);
    }

    pub fn count_trailing_zeros(&mut self, rd: Register, a: Register) {
        let negated = self.int(Op::Sub, &[Register::Zero, a], 0);
        let lowest = self.int(Op::And, &[a, negated], 0);
        let exponent = self.exponent(lowest);
        let zero = self.where_zero(a, 159);
        let exponent = self.int(Op::Add, &[exponent, zero], 0);
        self.instruction(Op::Addi, rd, &[exponent], -127);
    }

    pub fn count_ones(&mut self, rd: Register, a: Register) {
        let fives = self.constant(Kind::Int, 0x5555_5555);
        let threes = self.constant(Kind::Int, 0x3333_3333);
        let nibbles = self.constant(Kind::Int, 0x0f0f_0f0f);
        let ones = self.constant(Kind::Int, 0x0101_0101);
        let half = self.int(Op::Srli, &[a], 1);
        let odd = self.int(Op::And, &[half, fives], 0);
        let pairs = self.int(Op::Sub, &[a, odd], 0);
        let low = self.int(Op::And, &[pairs, threes], 0);
        let high = self.int(Op::Srli, &[pairs], 2);
        let high = self.int(Op::And, &[high, threes], 0);
        let fours = self.int(Op::Add, &[low, high], 0);
        let shifted = self.int(Op::Srli, &[fours], 4);
        let eights = self.int(Op::Add, &[fours, shifted], 0);
        let eights = self.int(Op::And, &[eights, nibbles], 0);
        let sum = self.int(Op::Mul, &[eights, ones], 0);
        self.instruction(Op::Srli, rd, &[sum], 24);
    }

    pub fn reverse_bits(&mut self, rd: Register, a: Register) {
        let mut word = a;
        let stages: &[(i32, u32)] = if self.has(Extension::Zbb) {
            word = self.int(Op::Rev8, &[a], 0);
            &[(4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)]
        } else {
            &[(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)]
        };
        for &(distance, mask) in stages {
            let mask = self.constant(Kind::Int, mask);
            let down = self.int(Op::Srli, &[word], distance);
            let down = self.int(Op::And, &[down, mask], 0);
            let kept = self.int(Op::And, &[word, mask], 0);
            let up = self.int(Op::Slli, &[kept], distance);
            let swapped = if distance == 1 && self.has(Extension::Zbb) { rd } else { self.new_int() };
            self.instruction(Op::Or, swapped, &[down, up], 0);
            word = swapped;
        }
        if word != rd {
            // Without Zbb the halves are still to be swapped.
            let low = self.int(Op::Srli, &[word], 16);
            let high = self.int(Op::Slli, &[word], 16);
            self.instruction(Op::Or, rd, &[low, high], 0);
        }
    }
}
