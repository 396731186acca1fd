//! A warp without lanes is run by the fast engine as well, to the same end: masks that become empty and fill again, in the
//! middle of a run and at its edges, with branches between that are decided by the lane that was on last.

use super::*;

/// Empties the mask, does what then must do nothing, branches by what the highest lane of the last mask holds, and
/// switches the lanes on again.
fn words() -> Vec<u32> {
    const SAVED: u8 = 17;
    const COUNT: u8 = 18;
    const OTHERS: u8 = 19;
    let add = Instruction { rd: COUNT, rs1: COUNT, imm: 1, ..Instruction::new(Op::Addi) };
    let skip = |op, imm| Instruction { rs1: UNIFORM[0], rs2: UNIFORM[1], imm, ..Instruction::new(op) };
    let program = [
        add,
        Instruction { rd: SAVED, rs1: 0, ..Instruction::new(Op::MaskAnd) },
        add,
        Instruction { rs1: POINTERS[0], rs2: COUNT, ..Instruction::new(Op::Sw) },
        // Lane by lane another word: who decides is seen.
        skip(Op::Bltu, 12),
        Instruction { rd: OTHERS, rs1: UNIFORM[0], ..Instruction::new(Op::MaskOr) },
        Instruction { rs1: 0, ..Instruction::new(Op::MaskAnd) },
        Instruction { rd: COUNT, rs1: POINTERS[1], ..Instruction::new(Op::Lw) },
        Instruction { imm: 8, ..Instruction::new(Op::Jal) },
        Instruction::new(Op::Ebreak),
        Instruction { rs1: SAVED, ..Instruction::new(Op::MaskOr) },
        Instruction { imm: -44, ..Instruction::new(Op::Jal) },
    ];
    program.iter().map(|one| encode(one).expect("it is an instruction")).collect()
}

#[test]
fn a_warp_without_lanes_is_run_here_and_ends_alike() {
    for level in [HostLevel::Baseline, HostLevel::Avx2].into_iter().filter(|level| level.is_available()) {
        for lanes in [4, 8, 13, 16, 32] {
            let mut random = Random(u64::from(lanes) + 1);
            let mut config = GpuConfig::wide(1, 2, lanes);
            config.extensions = config.extensions.with(crate::isa::Extension::ThreadMask);
            let code = Arc::new(Code::new(&text(&words(), ProgramKind::Kernel), config.extensions));
            let mut core = CoreState::new(CoreId(0), &config);
            core.start(ProgramKind::Kernel, code, CODE_BASE, Address(0));
            core.warps[0].set_mask(ThreadMask::first(lanes));
            fill_registers(&mut random, &mut core, lanes);
            for lane in 0..lanes as usize {
                for register in &UNIFORM[..2] {
                    core.warps[0].registers.row_mut((*register).into())[lane] = 1 + random.below(3);
                }
            }
            core.warps[0].set_mask(ThreadMask(u64::from(random.bits()) & (u64::MAX >> (64 - lanes)) | 1));
            let machine = (core, memory(&mut random));
            let mut pair = Pair::new(format!("{lanes} lanes, {level:?}"), machine, level, Sharing::Alone);
            for budget in (1..=40).chain([200, 1000]) {
                let turn = pair.turn(budget);
                assert_eq!((turn.instructions, turn.is_over), (budget, false), "{lanes} lanes, {level:?}");
            }
        }
    }
}
