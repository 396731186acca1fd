//! Each arithmetic instruction is wired to its meaning: results against formulas in wider arithmetic, written from the
//! specification. (That float results are right to the last bit is tested with `semantics::float`.)

use crate::support::{OUT, machine, out_words, program};
use gpu_core::config::GpuConfig;

const INTEGERS: [u32; 12] =
    [0, 1, 2, 7, 31, 32, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_ffff, 0x1234_00f8, 0xdead_8000];

/// Every pair of `INTEGERS`, twelve lanes at a time: lane l has b = `INTEGERS[l]`, a is the same in all.
#[track_caller]
fn check(instruction: &str, expected: impl Fn(u32, u32) -> u32) {
    let load = |value: &u32| format!("li s0, {value}; {instruction}; sw s2, 0(a0); addi a0, a0, 48\n");
    let table: String = INTEGERS.iter().map(|value| format!(".word {value}\n")).collect();
    let text = format!(
        "
        all_lanes
        lane_out a0
        csrr t0, thread_id
        slli t0, t0, 2
        la t1, table
        add t0, t0, t1
        lw s1, 0(t0)
        {}
        tmc x0
        .data
    table:
        {table}",
        INTEGERS.iter().map(load).collect::<String>()
    );
    let mut gpu = machine(GpuConfig::wide(1, 1, 12));
    gpu.launch(&program(&text), OUT).unwrap_or_else(|error| panic!("{instruction}: {error}"));
    let out = out_words(&gpu);
    for (row, &a) in INTEGERS.iter().enumerate() {
        for (lane, &b) in INTEGERS.iter().enumerate() {
            let (actual, expected) = (out[row * 12 + lane], expected(a, b));
            assert_eq!(actual, expected, "{instruction} of {a:#x}, {b:#x}: {actual:#x}, not {expected:#x}");
        }
    }
}

fn signed(value: u32) -> i64 {
    i64::from(value as i32)
}

fn wide(value: u32) -> u64 {
    u64::from(value)
}

#[test]
fn base_integer_instructions() {
    check("add s2, s0, s1", |a, b| (wide(a) + wide(b)) as u32);
    check("sub s2, s0, s1", |a, b| (signed(a) - signed(b)) as u32);
    check("sll s2, s0, s1", |a, b| (wide(a) << (b % 32)) as u32);
    check("srl s2, s0, s1", |a, b| (wide(a) >> (b % 32)) as u32);
    check("sra s2, s0, s1", |a, b| (signed(a) >> (b % 32)) as u32);
    check("slt s2, s0, s1", |a, b| u32::from(signed(a) < signed(b)));
    check("sltu s2, s0, s1", |a, b| u32::from(a < b));
    check("and s2, s0, s1", |a, b| a & b);
    check("or s2, s0, s1", |a, b| a | b);
    check("xor s2, s0, s1", |a, b| a ^ b);
    check("addi s2, s1, -5", |_, b| (signed(b) - 5) as u32);
    check("slti s2, s1, -5", |_, b| u32::from(signed(b) < -5));
    check("sltiu s2, s1, -5", |_, b| u32::from(b < 0xffff_fffb));
    check("andi s2, s1, -16", |_, b| b / 16 * 16);
    check("ori s2, s1, 15", |_, b| b / 16 * 16 + 15);
    check("xori s2, s1, -1", |_, b| u32::MAX - b);
    check("slli s2, s1, 5", |_, b| (wide(b) * 32) as u32);
    check("srli s2, s1, 5", |_, b| b / 32);
    check("srai s2, s1, 5", |_, b| signed(b).div_euclid(32) as u32);
    check("lui s2, 0xabcde", |_, _| 0xabcd_e000);
    check("auipc s2, 1; auipc s3, 1; sub s2, s3, s2", |_, _| 4);
}

#[test]
fn multiplication_and_division() {
    check("mul s2, s0, s1", |a, b| (wide(a) * wide(b)) as u32);
    check("mulh s2, s0, s1", |a, b| ((signed(a) * signed(b)) >> 32) as u32);
    check("mulhu s2, s0, s1", |a, b| ((wide(a) * wide(b)) >> 32) as u32);
    check("mulhsu s2, s0, s1", |a, b| ((i128::from(signed(a)) * i128::from(b)) >> 32) as u32);
    check("div s2, s0, s1", |a, b| if b == 0 { u32::MAX } else { (signed(a) / signed(b)) as u32 });
    check("divu s2, s0, s1", |a, b| if b == 0 { u32::MAX } else { (wide(a) / wide(b)) as u32 });
    check("rem s2, s0, s1", |a, b| if b == 0 { a } else { (signed(a) % signed(b)) as u32 });
    check("remu s2, s0, s1", |a, b| if b == 0 { a } else { (wide(a) % wide(b)) as u32 });
}

#[test]
fn optional_integer_instructions() {
    check("sh1add s2, s0, s1", |a, b| (wide(a) * 2 + wide(b)) as u32);
    check("sh2add s2, s0, s1", |a, b| (wide(a) * 4 + wide(b)) as u32);
    check("sh3add s2, s0, s1", |a, b| (wide(a) * 8 + wide(b)) as u32);
    check("andn s2, s0, s1", |a, b| a - (a & b));
    check("orn s2, s0, s1", |a, b| u32::MAX - (b - (a & b)));
    check("xnor s2, s0, s1", |a, b| u32::MAX - (a ^ b));
    check("min s2, s0, s1", |a, b| if signed(a) < signed(b) { a } else { b });
    check("minu s2, s0, s1", |a, b| if a < b { a } else { b });
    check("max s2, s0, s1", |a, b| if signed(a) < signed(b) { b } else { a });
    check("maxu s2, s0, s1", |a, b| if a < b { b } else { a });
    let rotate = |a: u32, left: u32| ((wide(a) << (left % 32)) | (wide(a) >> (32 - left % 32))) as u32;
    check("rol s2, s0, s1", rotate);
    check("ror s2, s0, s1", |a, b| rotate(a, 32 - b % 32));
    check("rori s2, s1, 12", |_, b| rotate(b, 20));
    let bits = |value: u32| (0..32).map(move |bit| value >> bit & 1 == 1);
    check("clz s2, s1", |_, b| bits(b).rev().take_while(|&bit| !bit).count() as u32);
    check("ctz s2, s1", |_, b| bits(b).take_while(|&bit| !bit).count() as u32);
    check("cpop s2, s1", |_, b| bits(b).filter(|&bit| bit).count() as u32);
    check("sext.b s2, s1", |_, b| if b & 0x80 == 0 { b & 0xff } else { b | 0xffff_ff00 });
    check("sext.h s2, s1", |_, b| if b & 0x8000 == 0 { b & 0xffff } else { b | 0xffff_0000 });
    check("zext.h s2, s1", |_, b| b % 0x1_0000);
    check("orc.b s2, s1", |_, b| (0..4).map(|n| if b >> (8 * n) & 0xff == 0 { 0 } else { 0xff << (8 * n) }).sum());
    check("rev8 s2, s1", |_, b| (b >> 24) | (b >> 8 & 0xff00) | (b & 0xff00) << 8 | b << 24);
    check("czero.eqz s2, s0, s1", |a, b| if b == 0 { 0 } else { a });
    check("czero.nez s2, s0, s1", |a, b| if b == 0 { a } else { 0 });
}

#[test]
fn branches_go_where_their_condition_says() {
    for (name, holds) in [
        ("beq", (|a, b| a == b) as fn(u32, u32) -> bool),
        ("bne", |a, b| a != b),
        ("blt", |a, b| signed(a) < signed(b)),
        ("bge", |a, b| signed(a) >= signed(b)),
        ("bltu", |a, b| a < b),
        ("bgeu", |a, b| a >= b),
    ] {
        for value in INTEGERS {
            let text = format!("li s3, {value}; li s2, 1; {name} s0, s3, . + 8; li s2, 0");
            check(&text, |a, _| holds(a, value).into());
        }
    }
}

const FLOATS: [f32; 12] = [0.0, -0.0, 1.0, -1.0, 1.5, -2.25, 3.0, 1e-3, -7e5, 16_777_217.0, f32::INFINITY, f32::MIN];

/// As `check`, for float registers: fs0 is the same in all lanes, fs1 the lane's own, fs2 the result.
#[track_caller]
fn check_float(instruction: &str, expected: impl Fn(f32, f32) -> f32) {
    let table: String = FLOATS.iter().map(|value| format!(".word {}\n", value.to_bits())).collect();
    let rows: String =
        (0..12).map(|row| format!("flw fs0, {}(t1); {instruction}; fsw fs2, {}(a0)\n", 4 * row, 48 * row)).collect();
    let text = format!(
        "
        all_lanes
        lane_out a0
        csrr t0, thread_id
        slli t0, t0, 2
        la t1, table
        add t0, t0, t1
        flw fs1, 0(t0)
        {rows}
        tmc x0
        .data
    table:
        {table}"
    );
    let mut gpu = machine(GpuConfig::wide(1, 1, 12));
    gpu.launch(&program(&text), OUT).unwrap_or_else(|error| panic!("{instruction}: {error}"));
    let out = out_words(&gpu);
    for a in 0..12 {
        for b in 0..12 {
            let expected = expected(FLOATS[a], FLOATS[b]);
            let expected = if expected.is_nan() { 0x7fc0_0000 } else { expected.to_bits() };
            let (actual, x, y) = (out[a * 12 + b], FLOATS[a], FLOATS[b]);
            assert_eq!(actual, expected, "{instruction} of {x}, {y}: {actual:#x}, not {expected:#x}");
        }
    }
}

#[test]
fn float_instructions() {
    check_float("fadd.s fs2, fs0, fs1", |a, b| a + b);
    check_float("fsub.s fs2, fs0, fs1", |a, b| a - b);
    check_float("fmul.s fs2, fs0, fs1", |a, b| a * b);
    check_float("fdiv.s fs2, fs0, fs1", |a, b| a / b);
    check_float("fsqrt.s fs2, fs1", |_, b| b.sqrt());
    check_float("fsgnj.s fs2, fs0, fs1", |a, b| if b.is_sign_negative() { -a.abs() } else { a.abs() });
    check_float("fsgnjn.s fs2, fs0, fs1", |a, b| if b.is_sign_negative() { a.abs() } else { -a.abs() });
    check_float("fsgnjx.s fs2, fs0, fs1", |a, b| if b.is_sign_negative() { -a } else { a });
    let less = |a: f32, b: f32| a < b || a == b && a.is_sign_negative();
    check_float("fmin.s fs2, fs0, fs1", |a, b| if less(a, b) { a } else { b });
    check_float("fmax.s fs2, fs0, fs1", |a, b| if less(a, b) { b } else { a });
    check_float("fmaxm.s fs2, fs0, fs1", |a, b| if less(a, b) { b } else { a });
    check_float("fminm.s fs2, fs0, fs1", |a, b| if less(a, b) { a } else { b });
    check_float("fmv.s fs2, fs1", |_, b| b);
    check_float("fround.s fs2, fs1, rdn", |_, b| b.floor());
    check_float("froundnx.s fs2, fs1, rup", |_, b| b.ceil());
    check_float("fli.s fs2, 0.75", |_, _| 0.75);
}

#[test]
fn fused_float_instructions() {
    // Addends and products that f64 holds exactly, so that one rounding to f32 is the right one.
    let exact = |a: f32, b: f32, c: f64| (f64::from(a) * f64::from(b) + c) as f32;
    let negated = |a: f32, b: f32, c: f64| (-(f64::from(a) * f64::from(b)) + c) as f32;
    check_float("li t2, 0x3fc00000; fmv.w.x fs3, t2; fmadd.s fs2, fs0, fs1, fs3", |a, b| exact(a, b, 1.5));
    check_float("li t2, 0x3fc00000; fmv.w.x fs3, t2; fmsub.s fs2, fs0, fs1, fs3", |a, b| exact(a, b, -1.5));
    check_float("li t2, 0x3fc00000; fmv.w.x fs3, t2; fnmsub.s fs2, fs0, fs1, fs3", |a, b| negated(a, b, 1.5));
    check_float("li t2, 0x3fc00000; fmv.w.x fs3, t2; fnmadd.s fs2, fs0, fs1, fs3", |a, b| negated(a, b, -1.5));
}

#[test]
fn float_comparisons_and_conversions() {
    // The result is an integer; its bits go through a float register.
    let bits = |value: u32| f32::from_bits(value);
    check_float("feq.s s2, fs0, fs1; fmv.w.x fs2, s2", |a, b| bits((a == b).into()));
    check_float("flt.s s2, fs0, fs1; fmv.w.x fs2, s2", |a, b| bits((a < b).into()));
    check_float("fle.s s2, fs0, fs1; fmv.w.x fs2, s2", |a, b| bits((a <= b).into()));
    check_float("fltq.s s2, fs0, fs1; fmv.w.x fs2, s2", |a, b| bits((a < b).into()));
    check_float("fleq.s s2, fs0, fs1; fmv.w.x fs2, s2", |a, b| bits((a <= b).into()));
    check_float("fcvt.w.s s2, fs1, rtz; fcvt.s.w fs2, s2", |_, b| b as i32 as f32);
    check_float("fcvt.wu.s s2, fs1, rtz; fcvt.s.wu fs2, s2", |_, b| b as u32 as f32);
    check("fcvt.s.w fs2, s1; fmv.x.w s2, fs2", |_, b| (b as i32 as f32).to_bits());
    check("fcvt.s.wu fs2, s1; fmv.x.w s2, fs2", |_, b| (b as f32).to_bits());
    check_float("fclass.s s2, fs1; fcvt.s.wu fs2, s2", |_, b| {
        let class = match (b, b.is_sign_negative()) {
            (f32::INFINITY, _) => 7,
            (0.0, true) => 3,
            (0.0, false) => 4,
            (_, true) => 1,
            (_, false) => 6,
        };
        (1 << class) as f32
    });
}
