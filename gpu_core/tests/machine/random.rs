//! Random words as code: whatever they do, the machine ends by itself and the host does not panic.

use crate::support::{OUT, machine};
use gpu_core::config::GpuConfig;
use gpu_core::gpu::EngineChoice;
use gpu_core::isa::encoding::{Instruction, encode};
use gpu_core::isa::table::SPECS;
use gpu_core::program::{CODE_BASE, Program, ProgramKind, Segment};
use proptest::prelude::*;
use std::num::NonZeroUsize;

fn program(words: &[u32], kind: ProgramKind) -> Program {
    let segment = Segment {
        name: ".text".to_owned(),
        address: CODE_BASE,
        bytes: words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        size_bytes: 4 * words.len() as u32,
        is_writable: true,
        is_executable: true,
    };
    let (symbols, lines, files) = (Vec::new(), Vec::new(), Vec::new());
    Program { kind, entry: CODE_BASE, segments: vec![segment], symbols, lines, files }
}

/// An instruction of the table with random operands; few registers, so that results meet operands.
fn instruction() -> impl Strategy<Value = u32> {
    (0..SPECS.len(), any::<[u8; 5]>(), -64i32..64, 0..8u8).prop_map(|(row, [rd, rs1, rs2, rs3, funct2], imm, rm)| {
        let spec = &SPECS[row];
        let field = |value: u8| value % 8 + 5;
        let candidate = Instruction {
            op: spec.op,
            rd: field(rd),
            rs1: field(rs1),
            rs2: field(rs2),
            rs3: field(rs3),
            imm: imm * 4,
            rm,
            funct2: funct2 % 4,
        };
        // What the row does not take is refused by the encoder; the bare word then runs with all operands zero.
        encode(&candidate).or_else(|_| encode(&Instruction { imm: 0, ..candidate })).unwrap_or(spec.value)
    })
}

/// A few instructions that give registers addresses, masks and values of interest.
fn prologue() -> Vec<u32> {
    let text = "
        li t0, -1
        tmc t0
        li t0, 0x10040
        csrr t1, thread_id
        slli t2, t1, 2
        add t2, t2, t0
        li s0, 0xffff0010
        li s1, 2
        li a0, 0x3f800000
        li a1, 0x80000000
        li a2, 0x55";
    let program = gpu_core::isa::assemble("prologue.s", text).unwrap();
    let words = program.segments[0].bytes.chunks_exact(4);
    words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn run(words: &[u32], kind: ProgramKind, config: GpuConfig) {
    let config = GpuConfig { instruction_budget: 4000, progress_interval: 500, ..config };
    let program = program(words, kind);
    // Ending, and every trap, is fine; the same again with the plain engine. The programs race: one host thread.
    let alone = || {
        let mut gpu = machine(config);
        gpu.set_host_threads(NonZeroUsize::MIN).unwrap();
        gpu
    };
    let mut gpu = alone();
    let first = gpu.launch(&program, OUT).map_err(|error| error.to_string());
    let mut again = alone();
    again.set_engine(EngineChoice::Plain);
    let second = again.launch(&program, OUT).map_err(|error| error.to_string());
    assert_eq!(first, second);
    assert_eq!(crate::support::out_words(&gpu), crate::support::out_words(&again));
    assert!(gpu.cores() == again.cores());
}

proptest! {
    #![proptest_config(crate::seeded::seeded(300))]

    #[test]
    fn random_words_end_by_themselves(words in prop::collection::vec(any::<u32>(), 1..40), is_kernel: bool) {
        let kind = if is_kernel { ProgramKind::Kernel } else { ProgramKind::Bare };
        run(&words, kind, GpuConfig::wide(1, 2, 4));
    }

    #[test]
    fn random_instructions_end_by_themselves(
        words in prop::collection::vec(instruction(), 1..40),
        is_kernel: bool,
        cores in 1..3u32,
        lanes in 1..9u32,
    ) {
        let kind = if is_kernel { ProgramKind::Kernel } else { ProgramKind::Bare };
        let words: Vec<u32> = prologue().into_iter().chain(words).collect();
        run(&words, kind, GpuConfig::wide(cores, 3, lanes));
    }
}
