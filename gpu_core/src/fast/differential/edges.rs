//! Accesses at the edges of what host code does by itself, which random programs hardly meet: each of its checks has a
//! program here that goes on wrongly without it.

use super::*;

/// The register with the addresses, what is added to it each time, and what is loaded and stored.
const POINTER: u8 = 5;
const STEP: u8 = 6;
const LOADED: u8 = 17;
const STORED: u8 = 18;

const LANES: [u32; 3] = [8, 16, 32];

/// Masks of a warp: all lanes; all but the first, the last; some in the middle; one.
fn masks(lanes: u32) -> Vec<u64> {
    let all = u64::MAX >> (64 - lanes);
    let mut masks = vec![all, all - 1, all >> 1, 0x3c, 0x5a5a_5a5a & all, 1, 1 << 5, 1 << (lanes - 1)];
    masks.dedup();
    masks
}

/// Calls for every level of this host, number of lanes and mask.
fn everywhere(mut f: impl FnMut(HostLevel, u32, u64)) {
    for level in [HostLevel::Baseline, HostLevel::Avx2].into_iter().filter(|level| level.is_available()) {
        for lanes in LANES {
            for active in masks(lanes) {
                f(level, lanes, active);
            }
        }
    }
}

/// How the addresses of a warp lie.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Lie {
    Same,
    Adjacent,
}

/// What a run begins with.
#[derive(Copy, Clone, Debug)]
struct Start {
    level: HostLevel,
    lanes: u32,
    active: u64,
    lie: Lie,
    /// The address of lane 0.
    address: u32,
    /// Added to all addresses each time.
    step: i32,
}

impl Start {
    fn pair(self, program: &[Instruction]) -> Pair {
        let words: Vec<u32> = program.iter().map(|one| encode(one).expect("it is an instruction")).collect();
        let mut config = GpuConfig::wide(1, 2, self.lanes);
        config.misaligned = MisalignedPolicy::Trap;
        let code = Arc::new(Code::new(&text(&words, ProgramKind::Kernel), config.extensions));
        let mut core = CoreState::new(CoreId(0), &config);
        core.start(ProgramKind::Kernel, code, CODE_BASE, Address(0));
        core.warps[0].set_mask(ThreadMask(self.active));
        let mut random = Random(77);
        let memory = memory(&mut random);
        for lane in 0..self.lanes as usize {
            for register in 7..64 {
                core.warps[0].registers.row_mut(register)[lane] = random.bits();
            }
            let distance = if self.lie == Lie::Adjacent { 4 * lane as u32 } else { 0 };
            // What an inactive lane has there must not matter.
            let is_active = self.active >> lane & 1 != 0;
            let address = if is_active { self.address.wrapping_add(distance) } else { random.bits() };
            core.warps[0].registers.row_mut(POINTER.into())[lane] = address;
            core.warps[0].registers.row_mut(STEP.into())[lane] = self.step as u32;
        }
        Pair::new(format!("{self:x?}"), (core, memory), self.level, Sharing::Shared)
    }
}

fn jump_back(instructions: i32) -> Instruction {
    Instruction { imm: -4 * instructions, ..Instruction::new(Op::Jal) }
}

/// An access, again and again, the addresses going on.
fn walk(op: Op) -> [Instruction; 3] {
    [
        Instruction { rd: LOADED, rs1: POINTER, rs2: STORED, ..Instruction::new(op) },
        Instruction { rd: POINTER, rs1: POINTER, rs2: STEP, ..Instruction::new(Op::Add) },
        jump_back(2),
    ]
}

/// Runs until it traps, which must happen; gives how many instructions the fast engine ran.
fn run_to_trap(mut pair: Pair) -> u64 {
    let mut in_fast = 0;
    for _ in 0..80 {
        let turn = pair.turn(600);
        in_fast += turn.instructions;
        if turn.is_over {
            return in_fast;
        }
    }
    panic!("{}: no trap", pair.name);
}

/// Walks up to the end of each region, and down to its start; `lie` says which lane meets it.
fn walk_out(lie: Lie) {
    everywhere(|level, lanes, active| {
        for (op, region, bytes) in [
            (Op::Lw, READ_WRITE, 0x1000),
            (Op::Lw, READ_ONLY, 0x1000),
            (Op::Lw, ODD, 0x7d),
            (Op::Sw, READ_WRITE, 0x1000),
            (Op::Sw, ODD, 0x7d),
            // Local memory, of which only the start is looked at.
            (Op::Lw, LOCAL_MEMORY_BASE.0, 0),
        ] {
            // From lane 0 to the lane that comes to the end first.
            let row = if lie == Lie::Adjacent { 4 * active.ilog2() } else { 0 };
            if bytes != 0 && row + 4 * 9 > bytes {
                continue;
            }
            let up = region.wrapping_add(bytes & !3).wrapping_sub(row + 4 * 9);
            let down = region + 4 * 5;
            for (address, step) in [(up, 4), (down, -4)] {
                if bytes == 0 && step > 0 {
                    continue;
                }
                let start = Start { level, lanes, active, lie, address, step };
                let in_fast = run_to_trap(start.pair(&walk(op)));
                assert!(in_fast >= 9, "{start:x?}: the fast engine hardly ran");
            }
        }
    });
}

/// Guards: a word begins at no offset of a region where it would not end inside.
#[test]
fn equal_addresses_leave_a_region_with_a_trap() {
    walk_out(Lie::Same);
}

/// Guards: the last lane's word is inside as well as the first one's.
#[test]
fn adjacent_addresses_leave_a_region_with_a_trap() {
    walk_out(Lie::Adjacent);
}

/// Guards: host code, which has been at a place, leaves a misaligned access there to the plain engine.
#[test]
fn misaligned_words_trap_where_aligned_ones_have_been() {
    everywhere(|level, lanes, active| {
        for lie in [Lie::Same, Lie::Adjacent] {
            for op in [Op::Lw, Op::Sw, Op::Flw, Op::Fsw] {
                for misalignment in 1..4 {
                    let start = Start { level, lanes, active, lie, address: READ_WRITE + 0x200, step: 0 };
                    let mut pair = start.pair(&walk(op));
                    // The access, its addition, its jump, and the access in the plain step.
                    assert!(!pair.turn(3).is_over, "{start:x?}");
                    for (core, _) in [&mut pair.plain, &mut pair.fast] {
                        core.warps[0].registers.row_mut(STEP.into()).fill(misalignment);
                    }
                    run_to_trap(pair);
                }
            }
        }
    });
}

/// Guards: the last place of a store may have become another region, since one was mapped before it.
#[test]
fn a_store_to_a_read_only_region_traps_where_a_writable_one_was() {
    const EARLIER: u32 = READ_WRITE - 0x1000;
    everywhere(|level, lanes, active| {
        let distance = EARLIER.wrapping_sub(READ_WRITE) as i32;
        let start = Start { level, lanes, active, lie: Lie::Adjacent, address: READ_WRITE + 0x200, step: distance };
        let mut pair = start.pair(&walk(Op::Sw));
        assert_eq!(pair.turn(1).instructions, 1, "{start:x?}");
        for (_, memory) in [&mut pair.plain, &mut pair.fast] {
            memory.map("earlier", Address(EARLIER), 0x1000, Access::ReadOnly).expect("it is free");
        }
        run_to_trap(pair);
    });
}

/// Guards: while words are reserved, a store is left to the engine that ends reservations.
#[test]
fn a_store_breaks_reservations_where_it_met_none_before() {
    const RESERVED: u8 = 8;
    everywhere(|level, lanes, active| {
        let program = [
            Instruction { rs1: POINTER, rs2: STORED, ..Instruction::new(Op::Sw) },
            Instruction { rd: 19, rs1: RESERVED, rs2: STORED, ..Instruction::new(Op::ScW) },
            Instruction { rd: LOADED, rs1: RESERVED, ..Instruction::new(Op::LrW) },
            Instruction { rd: STORED, rs1: STORED, imm: 1, ..Instruction::new(Op::Addi) },
            jump_back(4),
        ];
        let start = Start { level, lanes, active, lie: Lie::Adjacent, address: READ_WRITE + 0x200, step: 0 };
        let mut pair = start.pair(&program);
        for (core, _) in [&mut pair.plain, &mut pair.fast] {
            // Each lane reserves what its neighbour stores to.
            for lane in 0..lanes as usize {
                core.warps[0].registers.row_mut(RESERVED.into())[lane] = READ_WRITE + 0x200 + 4 * (lane as u32 ^ 1);
            }
        }
        for _ in 0..20 {
            assert!(!pair.turn(600).is_over, "{start:x?}");
        }
    });
}

/// Guards: the lowest active lane says where to look, whatever the first one holds. A wrong guess is only slow, so this
/// looks at whether the handler, which would correct the region that was found last, has been called.
#[cfg(target_arch = "x86_64")]
#[test]
fn host_code_finds_the_words_by_an_active_lane() {
    let level = HostLevel::Avx2;
    if !level.is_available() {
        return;
    }
    const ANOTHER_REGION: u16 = 1;
    for lanes in LANES {
        for active in masks(lanes) {
            for (op, lie) in [(Op::Lw, Lie::Same), (Op::Lw, Lie::Adjacent), (Op::Sw, Lie::Adjacent)] {
                let start = Start { level, lanes, active, lie, address: READ_WRITE + 0x200, step: 0 };
                let mut pair = start.pair(&walk(op));
                if pair.engine.prepared.calls.is_none() {
                    return;
                }
                // The access, then the addition in the plain step.
                assert_eq!(pair.turn(1).instructions, 1, "{start:x?}");
                pair.engine.hints.regions[0] = ANOTHER_REGION;
                // The jump, then whole rounds: less than one would not be run by host code.
                assert_eq!(pair.turn(1 + 9 * 3).instructions, 28, "{start:x?}");
                assert_eq!(pair.engine.hints.regions[0], ANOTHER_REGION, "{start:x?}, {op:?}: not found by host code");
            }
        }
    }
}

/// Guards: what is in host registers is stored where a turn ends between two pieces of a block; and nothing else is kept
/// between turns: a copy goes on with a new engine.
#[test]
fn a_turn_may_end_anywhere_in_a_long_block() {
    let mut program = Vec::new();
    for index in 0..70_u8 {
        let (rd, rs1) = (17 + index % 9, 17 + index % 7);
        program.push(match index % 5 {
            0 => Instruction { rd, rs1: POINTER, imm: 4 * i32::from(index), ..Instruction::new(Op::Lw) },
            1 => Instruction { rs1: POINTER, rs2: rs1, imm: 4 * i32::from(index), ..Instruction::new(Op::Sw) },
            2 => Instruction { rd, rs1, rs2: 17 + index % 4, ..Instruction::new(Op::Add) },
            3 => Instruction { rd, rs1, imm: i32::from(index), ..Instruction::new(Op::Addi) },
            _ => Instruction { rd, rs1, ..Instruction::new(Op::Addi) },
        });
    }
    program.push(jump_back(70));
    everywhere(|level, lanes, active| {
        let start = Start { level, lanes, active, lie: Lie::Adjacent, address: READ_WRITE + 0x200, step: 0 };
        let whole = start.pair(&program);
        for budget in 1..=100 {
            let mut pair = Pair { name: format!("{start:x?}, {budget}"), ..start.pair(&program) };
            for _ in 0..3 {
                assert_eq!(pair.turn(budget).instructions, budget, "{}", pair.name);
                pair.engine =
                    Fast { level, prepared: Arc::clone(&whole.engine.prepared), ..Fast::new(&pair.fast.0, level) };
                pair.fast = pair.fast.clone();
            }
        }
    });
}
