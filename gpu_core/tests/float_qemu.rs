//! `semantics::float` against QEMU: every F instruction in every rounding mode, value and flags.
//!
//! A small Linux program: tables of inputs, a loop that runs the instructions over them, one `write` of all results.

#[path = "float_cases/mod.rs"]
mod cases;
mod elf_file;
mod qemu;

use cases::{Random, triple};
use gpu_core::isa::disassembler::disassemble;
use gpu_core::isa::{Instruction, Op, Operand, assemble};
use gpu_core::program::{CODE_BASE, Program};
use gpu_core::semantics::float::{self, Flags, Rounding};

const VECTORS: u32 = 30_000;

type Meaning = fn(u32, u32, u32, Rounding) -> (u32, Flags);

/// What each instruction should do. Those without a rounding mode ignore it.
const OPERATIONS: [(Op, Meaning); 26] = [
    (Op::Fmadd, float::fma),
    (Op::Fmsub, float::fmsub),
    (Op::Fnmsub, float::fnmsub),
    (Op::Fnmadd, float::fnmadd),
    (Op::Fadd, |a, b, _, rm| float::add(a, b, rm)),
    (Op::Fsub, |a, b, _, rm| float::sub(a, b, rm)),
    (Op::Fmul, |a, b, _, rm| float::mul(a, b, rm)),
    (Op::Fdiv, |a, b, _, rm| float::div(a, b, rm)),
    (Op::Fsqrt, |a, _, _, rm| float::sqrt(a, rm)),
    (Op::FcvtWS, |a, _, _, rm| float::to_i32(a, rm)),
    (Op::FcvtWuS, |a, _, _, rm| float::to_u32(a, rm)),
    (Op::FcvtSW, |a, _, _, rm| float::from_i32(a, rm)),
    (Op::FcvtSWu, |a, _, _, rm| float::from_u32(a, rm)),
    (Op::Fsgnj, |a, b, _, _| (float::sgnj(a, b), Flags::NONE)),
    (Op::Fsgnjn, |a, b, _, _| (float::sgnjn(a, b), Flags::NONE)),
    (Op::Fsgnjx, |a, b, _, _| (float::sgnjx(a, b), Flags::NONE)),
    (Op::Fmin, |a, b, _, _| float::min(a, b)),
    (Op::Fmax, |a, b, _, _| float::max(a, b)),
    (Op::Feq, |a, b, _, _| float::eq(a, b)),
    (Op::Flt, |a, b, _, _| float::lt(a, b)),
    (Op::Fle, |a, b, _, _| float::le(a, b)),
    (Op::Fclass, |a, _, _, _| (float::classify(a), Flags::NONE)),
    (Op::FmvXW, |a, _, _, _| (a, Flags::NONE)),
    (Op::FmvWX, |a, _, _, _| (a, Flags::NONE)),
    (Op::Flw, |a, _, _, _| (a, Flags::NONE)),
    (Op::Fsw, |a, _, _, _| (a, Flags::NONE)),
];

/// The same of Zfa, which older QEMUs do not know.
const ZFA_OPERATIONS: [(Op, Meaning); 6] = [
    (Op::Fminm, |a, b, _, _| float::minm(a, b)),
    (Op::Fmaxm, |a, b, _, _| float::maxm(a, b)),
    (Op::Fleq, |a, b, _, _| float::leq(a, b)),
    (Op::Fltq, |a, b, _, _| float::ltq(a, b)),
    (Op::Fround, |a, _, _, rm| float::round_to_integral(a, rm)),
    (Op::Froundnx, |a, _, _, rm| float::round_to_integral_exact(a, rm)),
];

/// One instruction as text, its result moved to x10, its flags to x11; inputs are f1, f2, f3 and x12 (the bits of f1).
fn text_of_run(op: Op, rm: u32) -> String {
    let spec = op.spec();
    let instruction = match op {
        Op::Flw => "flw f4, 0(x5)".to_owned(),
        Op::Fsw => "fsw f1, 0(x6)\nflw f4, 0(x6)".to_owned(),
        _ => {
            let mut fields = Instruction { rs1: 1, rs2: 2, rs3: 3, ..Instruction::new(op) };
            if spec.operands.contains(&Operand::Rs1) {
                fields.rs1 = 12;
            }
            fields.rd = if spec.operands.contains(&Operand::Fd) { 4 } else { 10 };
            fields.rm = rm as u8;
            disassemble(&fields, CODE_BASE)
        }
    };
    let is_float = spec.operands.contains(&Operand::Fd) || op == Op::Fsw;
    let moved = if is_float { "fmv.x.w x10, f4" } else { "" };
    format!("fsflagsi 0\n{instruction}\n{moved}\nfrflags x11\nsw x10, 0(x6)\nsw x11, 4(x6)\naddi x6, x6, 8\n")
}

/// The program: x5 walks the inputs, x6 the results, x7 is the end of the inputs.
fn program(inputs: &[[u32; 3]], runs: &[(Op, u32)]) -> Program {
    let body: String = runs.iter().map(|&(op, rm)| text_of_run(op, rm)).collect();
    let (input_bytes, result_bytes) = (inputs.len() * 12, inputs.len() * runs.len() * 8);
    let text = format!(
        "la x5, inputs\nla x6, results\nmv x7, x6\n\
         again: flw f1, 0(x5)\nflw f2, 4(x5)\nflw f3, 8(x5)\nlw x12, 0(x5)\n{body}\
         addi x5, x5, 12\nbeq x5, x7, done\nla t3, again\njr t3\n\
         done: li a7, 64\nli a0, 1\nla a1, results\nli a2, {result_bytes}\necall\nli a7, 93\nli a0, 0\necall\n\
         .data\n.balign 4096\ninputs: .space {input_bytes}\nresults: .space {result_bytes}\n"
    );
    let mut program = assemble("float.s", &text).unwrap_or_else(|error| panic!("{error}"));
    let bytes: Vec<u8> = inputs.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    program.segments[1].bytes[..bytes.len()].copy_from_slice(&bytes);
    program
}

#[test]
fn every_instruction_and_rounding_mode_agrees_with_qemu() {
    if !qemu::is_installed() {
        return;
    }
    let mut random = Random::new("qemu");
    let inputs: Vec<[u32; 3]> = (0..VECTORS).map(|_| triple(&mut random)).collect();
    let mut runs = Vec::new();
    let (processor, known) = qemu::processor_with(&["zfa"]);
    println!("qemu runs {processor}");
    let mut operations = OPERATIONS.to_vec();
    if !known.is_empty() {
        operations.extend(ZFA_OPERATIONS);
    }
    for &(op, _) in &operations {
        let modes = if op.spec().operands.contains(&Operand::Rm) { 5 } else { 1 };
        runs.extend((0..modes).map(|rm| (op, rm)));
    }

    let output = qemu::run(&program(&inputs, &runs), &processor);
    assert_eq!(output.len(), inputs.len() * runs.len() * 8, "every result was written");

    let mut results = output.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes")));
    for [a, b, c] in inputs {
        for &(op, rm) in &runs {
            let rounding = Rounding::from_number(rm).expect("modes 0 to 4 were asked for");
            let (_, meaning) = operations.iter().find(|(row, _)| *row == op).expect("runs come from them");
            let expected = (results.next().expect("counted"), results.next().expect("counted"));
            let (bits, flags) = meaning(a, b, c, rounding);
            assert_eq!(
                (bits, u32::from(flags.0)),
                expected,
                "{op:?}({a:#010x}, {b:#010x}, {c:#010x}) {rounding:?}: ours, QEMU's"
            );
        }
    }
}
