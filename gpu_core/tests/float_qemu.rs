//! `semantics::float` against QEMU: every F instruction in every rounding mode, value and flags.
//!
//! The test writes a small static RV32 Linux program: tables of inputs, a loop that runs the instructions over them,
//! one `write` of all results. Skips, saying so, where `qemu-riscv32` (Debian: qemu-user) is not installed.

#[path = "float_cases/mod.rs"]
mod cases;

use cases::{Random, triple};
use gpu_core::isa::table::{Op, Operand};
use gpu_core::semantics::float::{self, Flags, Rounding};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

const VECTORS: u32 = 30_000;
const BASE: u32 = 0x0001_0000;
const HEADERS: u32 = 52 + 32;

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

/// A word from the table's row: registers and rounding mode filled in.
fn word(op: Op, rd: u32, rs1: u32, rs2: u32, rs3: u32, rm: u32) -> u32 {
    op.spec().value | rd << 7 | rm << 12 | rs1 << 15 | rs2 << 20 | rs3 << 27
}

fn addi(rd: u32, rs1: u32, immediate: i32) -> u32 {
    word(Op::Addi, rd, rs1, 0, 0, 0) | (immediate as u32) << 20
}

fn store(op: Op, source: u32, base: u32, offset: u32) -> u32 {
    op.spec().value | (offset & 31) << 7 | base << 15 | source << 20 | (offset >> 5) << 25
}

/// `lui` and `addi`.
fn load_address(rd: u32, value: u32) -> [u32; 2] {
    let low = (value << 20) as i32 >> 20;
    [Op::Lui.spec().value | rd << 7 | value.wrapping_sub(low as u32) & 0xffff_f000, addi(rd, rd, low)]
}

/// One instruction, its result moved to x10, its flags to x11; inputs are f1, f2, f3 and x12 (the bits of f1).
fn run_one(op: Op, rm: u32, code: &mut Vec<u32>) {
    const FFLAGS: u32 = 0x001 << 20;
    let spec = op.spec();
    code.push(Op::Csrrw.spec().value | FFLAGS); // fflags = 0.
    match op {
        Op::Flw => code.extend([word(Op::Flw, 4, 5, 0, 0, 0), word(Op::FmvXW, 10, 4, 0, 0, 0)]),
        Op::Fsw => code.extend([store(Op::Fsw, 1, 6, 0), word(Op::Lw, 10, 6, 0, 0, 0)]),
        _ => {
            let source = if spec.operands.contains(&Operand::Rs1) { 12 } else { 1 };
            let has = |operand| spec.operands.contains(&operand);
            let rs2 = if has(Operand::Fs2) { 2 } else { 0 };
            let rs3 = if has(Operand::Fs3) { 3 } else { 0 };
            let rm = if has(Operand::Rm) { rm } else { 0 };
            if has(Operand::Fd) {
                code.extend([word(op, 4, source, rs2, rs3, rm), word(Op::FmvXW, 10, 4, 0, 0, 0)]);
            } else {
                code.push(word(op, 10, source, rs2, rs3, rm));
            }
        }
    }
    code.push(Op::Csrrs.spec().value | 11 << 7 | FFLAGS); // x11 = fflags.
    code.extend([store(Op::Sw, 10, 6, 0), store(Op::Sw, 11, 6, 4), addi(6, 6, 8)]);
}

/// The program: x5 walks the inputs, x6 the results, x7 is the end of the inputs.
fn program(inputs: &[[u32; 3]], runs: &[(Op, u32)]) -> Vec<u8> {
    let mut body = Vec::new();
    body.extend([0, 4, 8].map(|offset| word(Op::Flw, 1 + offset / 4, 5, 0, 0, 0) | offset << 20));
    body.push(word(Op::Lw, 12, 5, 0, 0, 0));
    for &(op, rm) in runs {
        run_one(op, rm, &mut body);
    }
    body.push(addi(5, 5, 12));

    let prologue = 6;
    let epilogue = 10;
    let loop_at = BASE + HEADERS + prologue * 4;
    let back_jump = 2; // beq over a jal, since a branch reaches 4 KB only.
    let data_at = loop_at + (body.len() as u32 + back_jump + epilogue) * 4;
    let data_bytes = inputs.len() as u32 * 12;
    let results_at = data_at + data_bytes;
    let result_bytes = (inputs.len() * runs.len() * 8) as u32;

    let mut code = Vec::new();
    code.extend(load_address(5, data_at));
    code.extend(load_address(6, results_at));
    code.extend(load_address(7, results_at));
    let body_words = body.len() as u32;
    code.extend(body);
    code.push(word(Op::Beq, 0, 5, 7, 0, 0) | 8 << 7); // To the epilogue, 8 bytes on.
    let offset = (-4 * (body_words as i32 + 1)) as u32;
    code.push(
        Op::Jal.spec().value
            | (offset >> 20 & 1) << 31
            | (offset >> 1 & 0x3ff) << 21
            | (offset >> 11 & 1) << 20
            | (offset >> 12 & 0xff) << 12,
    );
    // write(1, results, bytes); exit(0).
    code.push(addi(10, 0, 1));
    code.extend(load_address(11, results_at));
    code.extend(load_address(12, result_bytes));
    let ecall = Op::Ecall.spec().value;
    code.extend([addi(17, 0, 64), ecall, addi(10, 0, 0), addi(17, 0, 93), ecall]);
    assert_eq!(code.len() as u32, prologue + body_words + back_jump + epilogue, "the layout above counts words");
    elf(&code, inputs, result_bytes)
}

fn elf(code: &[u32], inputs: &[[u32; 3]], result_bytes: u32) -> Vec<u8> {
    let file_bytes = HEADERS + (code.len() * 4 + inputs.len() * 12) as u32;
    let mut file = vec![0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let half = |value: u16| value.to_le_bytes();
    file.extend([half(2), half(243)].concat()); // ET_EXEC, EM_RISCV.
    for value in [1, BASE + HEADERS, 52, 0, 0] {
        file.extend(u32::to_le_bytes(value)); // Version, entry, program headers, section headers, flags.
    }
    file.extend([half(52), half(32), half(1), half(40), half(0), half(0)].concat());
    for value in [1, 0, BASE, BASE, file_bytes, file_bytes + result_bytes, 7, 0x1000] {
        file.extend(u32::to_le_bytes(value)); // PT_LOAD, all of the file, read, write and execute.
    }
    for value in code.iter().chain(inputs.iter().flatten()) {
        file.extend(value.to_le_bytes());
    }
    file
}

#[test]
fn every_instruction_and_rounding_mode_agrees_with_qemu() {
    if Command::new("qemu-riscv32").arg("--version").output().is_err() {
        println!("skipped: qemu-riscv32 is not installed (Debian package qemu-user)");
        return;
    }
    let mut random = Random::new("qemu");
    let inputs: Vec<[u32; 3]> = (0..VECTORS).map(|_| triple(&mut random)).collect();
    let mut runs = Vec::new();
    for (op, _) in OPERATIONS {
        let modes = if op.spec().operands.contains(&Operand::Rm) { 5 } else { 1 };
        runs.extend((0..modes).map(|rm| (op, rm)));
    }

    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let path = directory.path().join("float");
    std::fs::write(&path, program(&inputs, &runs)).expect("the program can be written");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("the program can be made executable");
    let output = Command::new("qemu-riscv32").arg(&path).output().expect("qemu-riscv32 was there a moment ago");
    assert!(output.status.success(), "qemu: {} {}", output.status, String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stdout.len(), inputs.len() * runs.len() * 8, "every result was written");

    let mut results = output.stdout.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes")));
    for [a, b, c] in inputs {
        for &(op, rm) in &runs {
            let rounding = Rounding::from_number(rm).expect("modes 0 to 4 were asked for");
            let (_, meaning) = OPERATIONS.iter().find(|(row, _)| *row == op).expect("runs come from OPERATIONS");
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
