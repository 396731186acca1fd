//! Reading source registers: a collector for each issue slice, over a register file in banks.
//!
//! Before: issue. After: dispatch to the function unit. A register lies in bank number mod banks, integer and float registers
//! alike; each bank reads one register a cycle, so each further register of one bank costs a cycle, in which the collector
//! takes no other instruction. A register that is named twice is read once. x0 is not read. Source: Skybox (2024).

/// Cycles that an instruction reading the registers `uses` (as in `Instruction::uses`) costs beyond a conflict-free one.
pub fn conflict_cycles(uses: u64, banks: u32) -> u32 {
    // A bit for each register of bank 0; those of bank b are b further on. Banks are a power of two.
    let (mut registers, mut step) = (1u64, banks);
    while step < 64 {
        registers |= registers << step;
        step *= 2;
    }
    // Banks work side by side: the fullest decides.
    let extra = |bank: u32| (uses >> bank & registers).count_ones().saturating_sub(1);
    (0..banks.min(64)).map(extra).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: fn(u32) -> u64 = |register| 1 << register;
    const F: fn(u32) -> u64 = |register| 1 << (32 + register);

    #[test]
    fn registers_of_different_banks_are_read_together() {
        assert_eq!(conflict_cycles(0, 4), 0);
        assert_eq!(conflict_cycles(X(5) | X(6) | X(7), 4), 0);
        assert_eq!(conflict_cycles(F(1) | F(2) | F(3), 4), 0);
    }

    /// x5 and x9: 5 mod 4 = 9 mod 4 = 1. f1, f5, f9: three in bank 1.
    #[test]
    fn each_further_register_of_a_bank_costs_a_cycle() {
        assert_eq!(conflict_cycles(X(5) | X(9), 4), 1);
        assert_eq!(conflict_cycles(F(1) | F(5) | F(9), 4), 2);
        assert_eq!(conflict_cycles(X(1) | F(1), 4), 1);
        assert_eq!(conflict_cycles(X(5) | X(6) | X(7), 1), 2);
        assert_eq!(conflict_cycles(X(5) | X(9), 8), 0, "banks 5 and 1");
    }
}
