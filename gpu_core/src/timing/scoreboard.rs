//! Which registers of a warp are still to be written.
//!
//! Before: `core` reserves what an issued instruction writes. After: commit releases it; in between, an instruction of the same
//! warp that reads or writes the register is not issued (read after write, write after write). Source: Skybox (2024).

use serde::{Deserialize, Serialize};

/// A bit for each register of each warp: x r at r, f r at 32 + r, as in `Instruction::uses`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scoreboard {
    busy: [u64; 32],
}

impl Scoreboard {
    /// Whether an instruction that reads and writes the `registers` has to wait.
    #[inline]
    pub fn blocks(&self, warp: usize, registers: u64) -> bool {
        self.busy[warp & 31] & registers != 0
    }

    /// An issued instruction will write the `registers`.
    #[inline]
    pub fn reserve(&mut self, warp: usize, registers: u64) {
        self.busy[warp & 31] |= registers;
    }

    /// They have been written.
    #[inline]
    pub fn release(&mut self, warp: usize, registers: u64) {
        self.busy[warp & 31] &= !registers;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::encoding::Instruction;
    use crate::isa::table::Op;

    #[test]
    fn readers_and_writers_wait_until_the_register_is_written() {
        let instruction = |rd, rs1| Instruction { rd, rs1, ..Instruction::new(Op::Addi) };
        let registers = |i: &Instruction| i.uses() | i.defines();
        let mut scoreboard = Scoreboard::default();
        scoreboard.reserve(1, instruction(5, 6).defines());
        assert!(scoreboard.blocks(1, registers(&instruction(7, 5))), "read after write");
        assert!(scoreboard.blocks(1, registers(&instruction(5, 7))), "write after write");
        assert!(!scoreboard.blocks(1, registers(&instruction(6, 7))), "write after read");
        assert!(!scoreboard.blocks(0, registers(&instruction(7, 5))), "another warp");
        assert!(!scoreboard.blocks(1, Instruction { rd: 5, ..Instruction::new(Op::Flw) }.defines()), "f5 is not x5");
        scoreboard.release(1, instruction(5, 6).defines());
        assert!(!scoreboard.blocks(1, registers(&instruction(7, 5))));
    }

    #[test]
    fn x0_is_never_waited_for() {
        let mut scoreboard = Scoreboard::default();
        scoreboard.reserve(0, Instruction::new(Op::Addi).defines());
        assert!(!scoreboard.blocks(0, u64::MAX));
    }
}
