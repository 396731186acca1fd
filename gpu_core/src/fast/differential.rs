//! Fast = plain: random programs, with divergence, memory of every kind and traps, on both engines in lock-step.
//!
//! After every run of the fast engine the plain one executes as many instructions on its own copy, and everything a core
//! holds and all of memory must be equal; then one plain step on both, whose traps must be equal too.

mod edges;
mod no_lanes;

use super::{Fast, HostLevel, Sharing};
use crate::config::{FirstSide, GpuConfig, LOCAL_MEMORY_BASE, MisalignedPolicy};
use crate::isa::encoding::{DYNAMIC_ROUNDING, Instruction, encode};
use crate::isa::table::{Op, Operand, SPECS};
use crate::memory::{Access, Memory};
use crate::program::{CODE_BASE, Program, ProgramKind, Segment};
use crate::semantics::{Code, CoreState, Retired, complete, step};
use crate::units::{Address, CoreId, ThreadMask, WarpId};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Xorshift; a failing program is named by its number, from which everything follows.
pub(super) struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    pub fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(limit)) >> 32) as u32
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.below(count) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}

const READ_WRITE: u32 = 0x0001_0000;
const READ_ONLY: u32 = 0x0002_0000;
/// A region of an odd number of bytes.
const ODD: u32 = 0x0002_4000;
/// Registers that hold addresses, and registers that are equal in all lanes; nothing writes them often.
const POINTERS: [u8; 8] = [5, 6, 7, 8, 9, 10, 11, 12];
const UNIFORM: [u8; 4] = [13, 14, 15, 16];
/// What makes a new mask of the old one and a word.
const MASKS: [Op; 8] =
    [Op::MaskAnd, Op::MaskOr, Op::MaskXor, Op::MaskAndn2, Op::MaskOrn2, Op::MaskNand, Op::MaskNor, Op::MaskXnor];
/// Where `split` writes and `join` reads.
const DEPTH: u8 = 20;

fn memory(random: &mut Random) -> Memory {
    let mut memory = Memory::new();
    memory.map("read-write", Address(READ_WRITE), 0x1000, Access::ReadWrite).expect("it is free");
    memory.map("read-only", Address(READ_ONLY), 0x1000, Access::ReadOnly).expect("it is free");
    memory.map("odd", Address(ODD), 0x7d, Access::ReadWrite).expect("it is free");
    for start in [READ_WRITE, READ_ONLY] {
        let words: Vec<u8> = (0..0x1000).map(|_| random.bits() as u8).collect();
        memory.write(Address(start), &words).expect("it was mapped");
    }
    memory
}

/// One random instruction at `index` of `count`.
fn instruction(random: &mut Random, index: u32, count: u32) -> Instruction {
    let op = match if index.is_multiple_of(3) { 2 } else { random.below(12) } {
        0 if random.one_in(4) => random.pick(&MASKS),
        0 => random.pick(&[Op::Split, Op::SplitN, Op::Join, Op::Join, Op::Tmc, Op::Pred, Op::PredN]),
        1 => random.pick(&[Op::Beq, Op::Bne, Op::Blt, Op::Bge, Op::Bltu, Op::Bgeu, Op::Jal]),
        2..5 => {
            random.pick(&[Op::Lw, Op::Lw, Op::Sw, Op::Sw, Op::Flw, Op::Fsw, Op::Lb, Op::Lhu, Op::Sb, Op::Sh, Op::Lh])
        }
        5 if random.one_in(2) => random.pick(&[Op::Tex, Op::Texl]),
        _ => random.pick(SPECS).op,
    };
    let register = |random: &mut Random| random.below(32) as u8;
    let mut i = Instruction { rd: register(random), rs1: register(random), ..Instruction::new(op) };
    (i.rs2, i.rs3) = (register(random), register(random));
    let has = |operand| op.spec().operands.contains(&operand);
    if has(Operand::Rd) && (POINTERS.contains(&i.rd) || UNIFORM.contains(&i.rd)) && !random.one_in(40) {
        i.rd = 17 + random.below(3) as u8;
    }
    if has(Operand::Rm) {
        i.rm = random.pick(&[DYNAMIC_ROUNDING, DYNAMIC_ROUNDING, 0, 1, 2, 3, 4]);
    }
    if has(Operand::Funct2) {
        i.funct2 = random.below(4) as u8;
    }
    if has(Operand::MemI) || has(Operand::MemS) || has(Operand::Addr) {
        // Often the same ones: what is known of a base register is known of its next access as well.
        i.rs1 = if random.one_in(2) { random.pick(&POINTERS[..3]) } else { random.pick(&POINTERS) };
    }
    i.imm = match op {
        _ if has(Operand::ImmB) || has(Operand::ImmJ) => {
            let forward = 1 + random.below(8).min(count - index) as i32;
            4 * if random.one_in(6) { -(index.min(6) as i32) } else { forward }
        }
        _ if has(Operand::MemI) || has(Operand::MemS) => 4 * (random.below(16) as i32 - 8),
        _ if has(Operand::ImmU) => (random.bits() & 0xffff_f000) as i32,
        _ if has(Operand::Shamt) => random.below(32) as i32,
        _ if has(Operand::Csr) => random.pick(&[0x340, 0xcc0, 0xc02, 0xb00, 0x820]),
        _ if has(Operand::ImmI) => random.bits() as i32 >> 20,
        _ => 0,
    };
    match op {
        _ if has(Operand::ImmB) && !random.one_in(8) => (i.rs1, i.rs2) = (random.pick(&UNIFORM), random.pick(&UNIFORM)),
        Op::Split | Op::SplitN => i.rd = DEPTH,
        Op::Join => i.rs1 = if random.one_in(8) { 0 } else { DEPTH },
        Op::Tmc => i.rs1 = 16,
        Op::Pred | Op::PredN => i.rs2 = 16,
        Op::Jalr => (i.rs1, i.imm) = (0, 4), // Outside all code: a trap at the next fetch.
        _ => {}
    }
    i
}

fn program(random: &mut Random, kind: ProgramKind) -> Program {
    let count = 24 + random.below(40);
    let mut words = Vec::new();
    for index in 0..count {
        let mut next = instruction(random, index, count);
        let is_rare = matches!(next.op, Op::Jalr | Op::Ecall | Op::Ebreak | Op::Wspawn | Op::Bar | Op::Om | Op::Rast);
        // The flags of a program that can see them are the plain engine's: only some programs are such.
        let sees_flags = next.op == Op::FenceI && !random.one_in(4);
        if is_rare && !random.one_in(8) || sees_flags {
            next = Instruction { rd: 18, rs1: 18, imm: 1, ..Instruction::new(Op::Addi) };
        }
        words.push(encode(&next).unwrap_or_else(|error| panic!("{next:?}: {error}")));
    }
    words.push(encode(&Instruction { imm: -4 * count as i32, ..Instruction::new(Op::Jal) }).expect("in reach"));
    text(&words, kind)
}

/// A program of these words.
fn text(words: &[u32], kind: ProgramKind) -> Program {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let segment = Segment {
        name: ".text".to_owned(),
        address: CODE_BASE,
        size_bytes: bytes.len() as u32,
        bytes,
        is_writable: false,
        is_executable: true,
    };
    Program { kind, entry: CODE_BASE, segments: vec![segment], symbols: vec![], lines: vec![], files: vec![] }
}

fn fill_registers(random: &mut Random, core: &mut CoreState, lanes: u32) {
    let shared = random.bits();
    let row_start = READ_WRITE + 0x400;
    let warp = &mut core.warps[0];
    for lane in 0..lanes as usize {
        for register in 1..64 {
            let bits = random.bits();
            let value = match random.below(4) {
                0 => (random.below(40) as f32 - 20.0).to_bits(),
                1 => bits & 0xff,
                2 => random.pick(&[0, 0x8000_0000, 0x7fc0_0000, 0x7f80_0001, 0xff80_0000, 0x7f7f_ffff, 1, u32::MAX]),
                _ => bits,
            };
            warp.registers.row_mut(register)[lane] = value;
        }
        let adjacent = 4 * lane as u32;
        let pointers = [
            row_start + adjacent,
            row_start,
            READ_WRITE + 0x200 + 4 * random.below(0x200),
            LOCAL_MEMORY_BASE.0 + 0x100 + adjacent,
            READ_ONLY + 0x800 + adjacent,
            ODD + 0x20 + adjacent % 64,
            LOCAL_MEMORY_BASE.0 + 0x100 + random.below(256),
            if random.one_in(3) { row_start + random.below(64) } else { READ_ONLY + 0x100 },
        ];
        for (register, pointer) in POINTERS.into_iter().zip(pointers) {
            warp.registers.row_mut(register.into())[lane] = pointer;
        }
        for (index, register) in UNIFORM.into_iter().enumerate() {
            warp.registers.row_mut(register.into())[lane] =
                shared.rotate_left(8 * index as u32) | u32::from(index == 3);
        }
        warp.registers.row_mut(DEPTH.into())[lane] = 0;
    }
}

fn machine(random: &mut Random, lanes: u32) -> (CoreState, Memory) {
    let mut config = GpuConfig::wide(1, 2, lanes);
    config.first_side = random.pick(&[FirstSide::True, FirstSide::False, FirstSide::Larger, FirstSide::Smaller]);
    config.misaligned = random.pick(&[MisalignedPolicy::ByProgram, MisalignedPolicy::Trap]);
    config.ipdom_capacity = 1 + random.below(4);
    let kind = random.pick(&[ProgramKind::Kernel, ProgramKind::Bare]);
    let code = Arc::new(Code::new(&program(random, kind), config.extensions));
    let mut core = CoreState::new(CoreId(0), &config);
    for (index, stage) in core.stages.iter_mut().enumerate().take(8) {
        let mut change = |register, value| assert!(stage.set_register(register, value), "register {register} exists");
        change(1, READ_WRITE + 64 * index as u32);
        change(2, 1 << (index % 4));
        // A high one does not end within its region.
        change(3, random.pick(&[3, 3, 3, 300]));
        change(9, random.below(4));
        change(0x11, 4 * random.below(20));
        // Texels of four bytes are sampled in a way of their own.
        change(4, if random.one_in(2) { index as u32 } else { random.pick(&[0, 7]) });
        change(5, random.below(2));
        change(6, index as u32 % 4);
        change(7, index as u32 / 2);
        change(8, 0x1234_5678);
    }
    core.start(kind, code, CODE_BASE, Address(0));
    core.warps[0].set_mask(ThreadMask::first(lanes));
    fill_registers(random, &mut core, lanes);
    let mask = ThreadMask(u64::from(random.bits())).and(config.full_mask());
    if random.one_in(3) && !mask.is_empty() {
        core.warps[0].set_mask(mask);
    }
    (core, memory(random))
}

fn contents(memory: &Memory) -> Vec<Vec<u8>> {
    let read = |region: &crate::memory::Region| {
        let mut bytes = vec![0; region.bytes as usize];
        memory.read(region.start, &mut bytes).expect("the region is there");
        bytes
    };
    memory.regions().iter().map(read).collect()
}

/// Both engines, each with its own copy of a machine.
struct Pair {
    name: String,
    engine: Fast,
    sharing: Sharing,
    plain: (CoreState, Memory),
    fast: (CoreState, Memory),
    retired: [Retired; 2],
}

/// What both engines did alike.
#[derive(Copy, Clone, Debug)]
struct Turn {
    /// Instructions of the fast engine; one more was executed.
    instructions: u64,
    /// The warp trapped, or cannot go on by itself.
    is_over: bool,
}

impl Pair {
    fn new(name: String, (core, memory): (CoreState, Memory), level: HostLevel, sharing: Sharing) -> Self {
        let engine = Fast::new(&core, level);
        let fast = (core.clone(), memory.clone());
        Self { name, engine, sharing, plain: (core, memory), fast, retired: Default::default() }
    }

    /// Runs at most so many instructions in the fast engine, as many in the plain one, then one plain step on both; panics
    /// where they differ.
    fn turn(&mut self, budget: u64) -> Turn {
        let warp = WarpId(0);
        let ((plain, plain_memory), (fast, fast_memory)) = (&mut self.plain, &mut self.fast);
        let [out, other] = &mut self.retired;
        let place = |core: &CoreState| format!("{}, pc {}", self.name, core.warps[0].pc);
        let before = fast.warps[0].pc;
        let run = self.engine.run(fast, warp, fast_memory, budget, self.sharing);
        let (mut lane_instructions, mut is_progress) = (0, false);
        for _ in 0..run.instructions {
            lane_instructions += u64::from(plain.warps[0].mask.count());
            step(plain, warp, plain_memory, out)
                .unwrap_or_else(|trap| panic!("{}: the plain engine traps: {trap}", place(plain)));
            assert!(out.request.is_none(), "{}: the fast engine ran a synchronising operation", place(plain));
            is_progress |= out.is_progress;
        }
        let expected = super::Run { instructions: run.instructions, lane_instructions, is_progress };
        assert_eq!(run, expected, "{}", place(plain));
        if fast != plain {
            let rows = (0..64).filter(|&row| fast.warps[0].registers.row(row) != plain.warps[0].registers.row(row));
            let rows: Vec<_> = rows
                .map(|row| (row, fast.warps[0].registers.row(row).to_vec(), plain.warps[0].registers.row(row).to_vec()))
                .collect();
            panic!("{}: from {before}: row, fast, plain: {rows:x?}, pc {}", place(plain), fast.warps[0].pc);
        }
        assert_eq!(contents(fast_memory), contents(plain_memory), "{}: memory", place(plain));
        assert_eq!(fast_memory.reservations(), plain_memory.reservations(), "{}: reservations", place(plain));
        let traps = [step(plain, warp, plain_memory, out).err(), step(fast, warp, fast_memory, other).err()];
        assert_eq!(traps[0], traps[1], "{}", place(plain));
        complete(plain, warp, plain_memory, out);
        complete(fast, warp, fast_memory, other);
        let is_over = traps[0].is_some() || plain.warps[0].state != crate::semantics::warp::WarpState::Ready;
        Turn { instructions: run.instructions, is_over }
    }
}

/// Instructions the fast engine ran, of how many in all.
fn compare(number: u64, lanes: u32, level: HostLevel) -> (u64, u64) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (number << 8 | u64::from(lanes)));
    for _ in 0..4 {
        random.bits();
    }
    let machine = machine(&mut random, lanes);
    let sharing = random.pick(&[Sharing::Alone, Sharing::Shared]);
    let mut pair = Pair::new(format!("program {number}, {lanes} lanes, {level:?}"), machine, level, sharing);
    let (mut in_fast, mut in_all) = (0, 0);
    for _ in 0..60 {
        // Long runs go from block to block in host code, and come where they have been before; short ones end anywhere.
        let longest = if random.one_in(3) { 600 } else { 40 };
        let turn = pair.turn(1 + u64::from(random.below(longest)));
        (in_fast, in_all) = (in_fast + turn.instructions, in_all + turn.instructions + 1);
        if turn.is_over {
            break;
        }
    }
    (in_fast, in_all)
}

fn compare_all(level: HostLevel) {
    if !level.is_available() {
        println!("skipped: this host has no {level:?}");
        return;
    }
    for lanes in [1, 2, 3, 4, 7, 8, 13, 16, 24, 32] {
        let (mut in_fast, mut in_all) = (0, 0);
        for number in 0..300 {
            let (fast, all) = compare(number, lanes, level);
            (in_fast, in_all) = (in_fast + fast, in_all + all);
        }
        println!("{lanes} lanes, {level:?}: {in_fast} of {in_all} instructions in the fast engine");
        assert!(lanes < 3 || in_fast > in_all / 2, "{lanes} lanes: the fast engine hardly ran");
    }
}

/// What a program finds that loads and stores a row while another host thread stores to the same words and to those
/// between: lanes that ever loaded half a word, and words that changed without being stored to.
fn meet_in_a_row(active: u64) -> (Vec<bool>, u32) {
    const LANES: u32 = 16;
    const WORDS: usize = 0x100;
    let stored = WORDS + LANES as usize;
    let program = [
        // x17 stays one while every word is 0 or all ones.
        Instruction { rd: 18, rs1: 5, ..Instruction::new(Op::Lw) },
        Instruction { rd: 18, rs1: 18, imm: 1, ..Instruction::new(Op::Addi) },
        Instruction { rd: 18, rs1: 18, imm: 2, ..Instruction::new(Op::Sltiu) },
        Instruction { rd: 17, rs1: 17, rs2: 18, ..Instruction::new(Op::And) },
        Instruction { rs1: 5, rs2: 16, imm: 4 * LANES as i32, ..Instruction::new(Op::Sw) },
        Instruction { rd: 16, rs1: 16, imm: 1, ..Instruction::new(Op::Addi) },
        Instruction { imm: -24, ..Instruction::new(Op::Jal) },
    ];
    let words: Vec<u32> = program.iter().map(|one| encode(one).expect("it is an instruction")).collect();
    let config = GpuConfig::wide(2, 2, LANES);
    let code = Arc::new(Code::new(&text(&words, ProgramKind::Kernel), config.extensions));
    let mut core = CoreState::new(CoreId(0), &config);
    core.start(ProgramKind::Kernel, code, CODE_BASE, Address(0));
    core.warps[0].set_mask(ThreadMask(active));
    for lane in 0..LANES as usize {
        core.warps[0].registers.row_mut(5)[lane] = READ_WRITE + 4 * (WORDS + lane) as u32;
        core.warps[0].registers.row_mut(17)[lane] = 1;
    }
    let mut memory = Memory::new();
    memory.map("read-write", Address(READ_WRITE), 0x1000, Access::ReadWrite).expect("it is free");
    let words = memory.regions()[0].words();
    let is_over = AtomicBool::new(false);
    let lost = std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let (mut lost, mut round) = (0, 0_u32);
            while !is_over.load(Relaxed) {
                round = round.wrapping_add(1);
                for lane in 0..LANES as usize {
                    words[WORDS + lane].store((round & 1).wrapping_neg(), Relaxed);
                    if active >> lane & 1 == 0 {
                        words[stored + lane].store(round, Relaxed);
                        std::thread::yield_now();
                        lost += u32::from(words[stored + lane].load(Relaxed) != round);
                    }
                }
            }
            lost
        });
        let mut engine = Fast::new(&core, HostLevel::detect());
        for _ in 0..200 {
            engine.run(&mut core, WarpId(0), &memory, 2000, Sharing::Shared);
        }
        is_over.store(true, Relaxed);
        other.join().expect("it does not panic")
    });
    (core.warps[0].registers.row(17).iter().map(|is_whole| *is_whole == 0).collect(), lost)
}

#[test]
fn rows_shared_with_other_host_threads_are_stored_and_loaded_word_by_word() {
    for active in [0xffff, 0xaaaa, 0x0ff0] {
        let (is_torn, lost) = meet_in_a_row(active);
        assert_eq!(is_torn, [false; 16], "lanes {active:#x}: half a word was loaded");
        assert_eq!(lost, 0, "lanes {active:#x}: a word of an inactive lane was stored to");
    }
}

#[test]
fn random_programs_do_the_same_at_the_baseline() {
    compare_all(HostLevel::Baseline);
}

#[test]
fn random_programs_do_the_same_with_avx2() {
    compare_all(HostLevel::Avx2);
}
