//! `semantics::float` against the definition of rounding, in exact integer arithmetic of 640 bits.
//!
//! The oracle computes nothing the way the code does: it searches, among all binary32 numbers, the two neighbours of the
//! exact result, by comparing integers, and picks one by the words of IEEE 754. Also here: the quick form equals the
//! exact one, and values from the RISC-V specification and from public bug reports.

#[path = "float_cases/mod.rs"]
mod cases;
#[path = "float_cases/oracle.rs"]
mod oracle;

use cases::{Random, operand, triple};
use gpu_core::isa::float_constants::CONSTANTS;
use gpu_core::semantics::float::{self, Flags, Rounding, quick};
use oracle::Exact;

const ROUNDS: u32 = 40_000;

fn check_against_oracle(
    name: &str,
    exact: fn(u32, u32, u32) -> Option<Exact>,
    code: fn(u32, u32, u32, Rounding) -> (u32, Flags),
) {
    let mut random = Random::new(name);
    let mut compared = 0;
    for _ in 0..ROUNDS {
        let [a, b, c] = triple(&mut random);
        let Some(value) = exact(a, b, c) else { continue };
        let rounding = Rounding::ALL[random.below(5) as usize];
        let (expected, got) = (value.round(rounding), code(a, b, c, rounding));
        assert_eq!(got, expected, "{name}({a:#010x}, {b:#010x}, {c:#010x}) {rounding:?}");
        compared += 1;
    }
    assert!(compared > ROUNDS / 4, "{name}: only {compared} inputs had a finite non-zero exact result");
}

#[test]
fn sums_are_rounded_as_defined() {
    check_against_oracle("add", |a, b, _| Exact::fma(a, 0x3f80_0000, b), |a, b, _, rm| float::add(a, b, rm));
    check_against_oracle("sub", |a, b, _| Exact::fma(b, 0xbf80_0000, a), |a, b, _, rm| float::sub(a, b, rm));
}

#[test]
fn products_are_rounded_as_defined() {
    check_against_oracle("mul", |a, b, _| Exact::fma(a, b, 0), |a, b, _, rm| float::mul(a, b, rm));
}

#[test]
fn quotients_are_rounded_as_defined() {
    check_against_oracle("div", |a, b, _| Exact::div(a, b), |a, b, _, rm| float::div(a, b, rm));
}

#[test]
fn square_roots_are_rounded_as_defined() {
    check_against_oracle(
        "sqrt",
        |a, _, _| Exact::sqrt(a & !float::SIGN),
        |a, _, _, rm| float::sqrt(a & !float::SIGN, rm),
    );
}

#[test]
fn fused_multiply_adds_are_rounded_once_after_the_negations() {
    const MINUS: u32 = float::SIGN;
    check_against_oracle("fma", Exact::fma, float::fma);
    check_against_oracle("fmsub", |a, b, c| Exact::fma(a, b, c ^ MINUS), float::fmsub);
    check_against_oracle("fnmsub", |a, b, c| Exact::fma(a ^ MINUS, b, c), float::fnmsub);
    check_against_oracle("fnmadd", |a, b, c| Exact::fma(a, b ^ MINUS, c ^ MINUS), float::fnmadd);
}

#[test]
fn integers_become_floats_as_defined() {
    check_against_oracle(
        "from_i32",
        |a, _, _| Exact::integer(i64::from(a as i32)),
        |a, _, _, rm| float::from_i32(a, rm),
    );
    check_against_oracle("from_u32", |a, _, _| Exact::integer(i64::from(a)), |a, _, _, rm| float::from_u32(a, rm));
}

/// A finite value rounded to an integer in f64, where every f32 has room.
fn integral(a: u32, rounding: Rounding) -> f64 {
    let value = f64::from(f32::from_bits(a));
    match rounding {
        Rounding::NearestEven => value.round_ties_even(),
        Rounding::TowardZero => value.trunc(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
        Rounding::NearestMaxMagnitude => value.round(),
    }
}

#[test]
fn floats_become_integers_as_defined() {
    let mut random = Random::new("to integer");
    for _ in 0..200_000 {
        let a = operand(&mut random);
        let rounding = Rounding::ALL[random.below(5) as usize];
        let value = f32::from_bits(a);
        let rounded = integral(a, rounding);
        let expect = |smallest: f64, largest: f64| {
            if value.is_nan() {
                (largest, Flags::NV)
            } else if rounded < smallest || rounded > largest {
                (rounded.clamp(smallest, largest), Flags::NV)
            } else {
                (rounded, if rounded == f64::from(value) { Flags::NONE } else { Flags::NX })
            }
        };
        let (signed, flags) = expect(f64::from(i32::MIN), f64::from(i32::MAX));
        assert_eq!(float::to_i32(a, rounding), (signed as i64 as u32, flags), "to_i32({a:#010x}) {rounding:?}");
        let (unsigned, flags) = expect(0.0, f64::from(u32::MAX));
        assert_eq!(float::to_u32(a, rounding), (unsigned as i64 as u32, flags), "to_u32({a:#010x}) {rounding:?}");

        if !value.is_nan() {
            let bits = (rounded as f32).to_bits();
            let flags = if rounded == f64::from(value) { Flags::NONE } else { Flags::NX };
            assert_eq!(float::round_to_integral_exact(a, rounding), (bits, flags), "froundnx({a:#010x}) {rounding:?}");
            assert_eq!(float::round_to_integral(a, rounding), (bits, Flags::NONE), "fround({a:#010x}) {rounding:?}");
        }
    }
}

#[test]
fn quick_arithmetic_equals_exact_arithmetic() {
    let mut random = Random::new("quick");
    let rm = Rounding::NearestEven;
    for _ in 0..1_000_000 {
        let [a, b, c] = triple(&mut random);
        let check = |name: &str, got: u32, (expected, _): (u32, Flags)| {
            assert_eq!(got, expected, "{name}({a:#010x}, {b:#010x}, {c:#010x}): got {got:#010x}, not {expected:#010x}");
        };
        check("add", quick::add(a, b), float::add(a, b, rm));
        check("sub", quick::sub(a, b), float::sub(a, b, rm));
        check("mul", quick::mul(a, b), float::mul(a, b, rm));
        check("div", quick::div(a, b), float::div(a, b, rm));
        check("sqrt", quick::sqrt(a), float::sqrt(a, rm));
        check("fma", quick::fma(a, b, c), float::fma(a, b, c, rm));
        check("fmsub", quick::fmsub(a, b, c), float::fmsub(a, b, c, rm));
        check("fnmsub", quick::fnmsub(a, b, c), float::fnmsub(a, b, c, rm));
        check("fnmadd", quick::fnmadd(a, b, c), float::fnmadd(a, b, c, rm));
        check("from_i32", quick::from_i32(a), float::from_i32(a, rm));
        check("from_u32", quick::from_u32(a), float::from_u32(a, rm));
        let rm = Rounding::ALL[random.below(5) as usize];
        check("to_i32", quick::to_i32(a, rm), float::to_i32(a, rm));
        check("to_u32", quick::to_u32(a, rm), float::to_u32(a, rm));
        check("fround", quick::round_to_integral(a, rm), float::round_to_integral(a, rm));
    }
}

const NX: Flags = Flags::NX;
const NV: Flags = Flags::NV;
const NONE: Flags = Flags::NONE;

#[test]
fn minimum_and_maximum_prefer_numbers_and_order_zeros() {
    // From public bug reports: host fmin propagates a signalling NaN.
    assert_eq!(float::min(0x7f80_0001, 0x3f80_0000), (0x3f80_0000, NV));
    assert_eq!(float::min(0x7fc0_0001, 0x3f80_0000), (0x3f80_0000, NONE));
    assert_eq!(float::min(0x8000_0000, 0x0000_0000), (0x8000_0000, NONE));
    assert_eq!(float::max(0x8000_0000, 0x0000_0000), (0x0000_0000, NONE));
    assert_eq!(float::max(0xffff_ffff, 0x7fc0_0001), (0x7fc0_0000, NONE));
    assert_eq!(float::max(0xff80_0000, 0x7f80_0001), (0xff80_0000, NV));
    // Zfa: a NaN wins.
    assert_eq!(float::minm(0x7fc0_0001, 0x3f80_0000), (0x7fc0_0000, NONE));
    assert_eq!(float::maxm(0x3f80_0000, 0x7f80_0001), (0x7fc0_0000, NV));
    assert_eq!(float::minm(0x0000_0000, 0x8000_0000), (0x8000_0000, NONE));
    assert_eq!(float::maxm(0xc000_0000, 0xbf80_0000), (0xbf80_0000, NONE));
}

#[test]
fn conversions_saturate_and_do_not_follow_the_host_cast() {
    let rtz = Rounding::TowardZero;
    assert_eq!(float::to_i32(0x4f00_0000, rtz), (0x7fff_ffff, NV));
    assert_eq!(float::to_i32(0x7fc0_0000, rtz), (0x7fff_ffff, NV));
    assert_eq!(float::to_u32(0x7fc0_0000, rtz), (0xffff_ffff, NV));
    assert_eq!(float::to_u32(0xffc0_0000, rtz), (0xffff_ffff, NV));
    assert_eq!(float::to_i32(0xff80_0000, rtz), (0x8000_0000, NV));
    assert_eq!(float::to_i32(0xcf00_0000, rtz), (0x8000_0000, NONE));
    assert_eq!(float::to_u32((-1.0f32).to_bits(), rtz), (0, NV));
    assert_eq!(float::to_u32((-0.9f32).to_bits(), rtz), (0, NX));
    assert_eq!(float::to_u32(4_294_967_296.0f32.to_bits(), rtz), (0xffff_ffff, NV));
    assert_eq!(float::to_u32((-0.9f32).to_bits(), Rounding::NearestEven), (0, NV));
}

#[test]
fn fused_multiply_add_rounds_once_and_in_the_named_direction() {
    let rne = Rounding::NearestEven;
    assert_eq!(float::fma(0x3f80_0001, 0x3f80_0001, 0xbf80_0002, rne), (0x2880_0000, NONE));
    assert_eq!(float::fnmadd(0x3f80_0001, 0x3f80_0001, 0, Rounding::Up), (0xbf80_0002, NX));
    assert_eq!(float::fnmadd(0x3f80_0001, 0x3f80_0001, 0, Rounding::Down), (0xbf80_0003, NX));
    assert_eq!(float::fma(0x3f80_0001, 0x3f80_0001, 0, Rounding::TowardZero), (0x3f80_0002, NX));
    // ∞ · 0 is invalid even with a quiet addend.
    assert_eq!(float::fma(0x7f80_0000, 0, 0x7fc0_0000, rne), (0x7fc0_0000, NV));
    assert_eq!(float::fma(0x7f80_0000, 0x3f80_0000, 0xff80_0000, rne), (0x7fc0_0000, NV));
    // 1 · 1 − 1 is +0, but −0 when rounding down; −0 · 1 − 0 stays −0.
    assert_eq!(float::fmsub(0x3f80_0000, 0x3f80_0000, 0x3f80_0000, rne), (0, NONE));
    assert_eq!(float::fmsub(0x3f80_0000, 0x3f80_0000, 0x3f80_0000, Rounding::Down), (0x8000_0000, NONE));
    assert_eq!(float::fmsub(0x8000_0000, 0x3f80_0000, 0, rne), (0x8000_0000, NONE));
}

#[test]
fn arithmetic_on_zeros_infinities_and_nans() {
    let rne = Rounding::NearestEven;
    assert_eq!(float::add(0x7f80_0000, 0xff80_0000, rne), (0x7fc0_0000, NV));
    assert_eq!(float::sub(0x7f80_0000, 0xff80_0000, rne), (0x7f80_0000, NONE));
    assert_eq!(float::add(0xffff_ffff, 0x3f80_0000, rne), (0x7fc0_0000, NONE));
    assert_eq!(float::add(0x7f80_0001, 0x3f80_0000, rne), (0x7fc0_0000, NV));
    assert_eq!(float::add(0x8000_0000, 0x0000_0000, rne), (0, NONE));
    assert_eq!(float::add(0x8000_0000, 0x0000_0000, Rounding::Down), (0x8000_0000, NONE));
    assert_eq!(float::mul(0x7f80_0000, 0x8000_0000, rne), (0x7fc0_0000, NV));
    assert_eq!(float::mul(0xff80_0000, 0x8000_0001, rne), (0x7f80_0000, NONE));
    assert_eq!(float::div(0xbf80_0000, 0x0000_0000, rne), (0xff80_0000, Flags::DZ));
    assert_eq!(float::div(0x7f80_0000, 0x0000_0000, rne), (0x7f80_0000, NONE));
    assert_eq!(float::div(0x0000_0000, 0x8000_0000, rne), (0x7fc0_0000, NV));
    assert_eq!(float::div(0x7f80_0000, 0xff80_0000, rne), (0x7fc0_0000, NV));
    assert_eq!(float::div(0x3f80_0000, 0xff80_0000, rne), (0x8000_0000, NONE));
    assert_eq!(float::sqrt(0x8000_0000, rne), (0x8000_0000, NONE));
    assert_eq!(float::sqrt(0xbf80_0000, rne), (0x7fc0_0000, NV));
    assert_eq!(float::sqrt(0x7f80_0000, rne), (0x7f80_0000, NONE));
}

#[test]
fn overflow_and_underflow_follow_the_rounding_mode() {
    let (max, twice) = (0x7f7f_ffff, 0x4000_0000);
    let overflow = Flags::OF | NX;
    let expected = [0x7f80_0000, 0x7f7f_ffff, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0000];
    for (rounding, bits) in Rounding::ALL.into_iter().zip(expected) {
        assert_eq!(float::mul(max, twice, rounding), (bits, overflow), "{rounding:?}");
    }
    // (1 − 2^-24) · 2^-126 rounds to the smallest normal number. Tininess is judged after rounding to 24 bits with an
    // unbounded exponent: the value fits those exactly, so it is tiny and underflows.
    let underflow = Flags::UF | NX;
    assert_eq!(float::mul(0x3f7f_ffff, 0x0080_0000, Rounding::NearestEven), (0x0080_0000, underflow));
    // 2^-126 − 2^-151 as a fused sum: 24 bits are not enough, it rounds to 2^-126 and is not tiny.
    assert_eq!(float::fma(0x9a80_0000, 0x1900_0000, 0x0080_0000, Rounding::NearestEven), (0x0080_0000, NX));
    // Exact subnormal results raise nothing.
    assert_eq!(float::mul(0x0080_0000, 0x3f00_0000, Rounding::NearestEven), (0x0040_0000, NONE));
    assert_eq!(float::mul(0x0000_0001, 0x3f00_0000, Rounding::Up), (0x0000_0001, underflow));
    assert_eq!(float::mul(0x0000_0001, 0x3f00_0000, Rounding::NearestEven), (0x0000_0000, underflow));
}

#[test]
fn comparisons_signal_as_the_specification_says() {
    let (one, two, quiet, signalling) = (0x3f80_0000, 0x4000_0000, 0x7fc0_0000, 0x7f80_0001);
    assert_eq!(float::eq(0, 0x8000_0000), (1, NONE));
    assert_eq!(float::lt(0x8000_0000, 0), (0, NONE));
    assert_eq!(float::le(0, 0x8000_0000), (1, NONE));
    assert_eq!((float::lt(one, two), float::lt(two, one), float::le(one, one)), ((1, NONE), (0, NONE), (1, NONE)));
    assert_eq!(float::lt(0xc000_0000, 0xbf80_0000), (1, NONE));
    assert_eq!((float::eq(one, quiet), float::eq(one, signalling)), ((0, NONE), (0, NV)));
    assert_eq!((float::lt(one, quiet), float::le(quiet, quiet)), ((0, NV), (0, NV)));
    assert_eq!((float::ltq(one, quiet), float::leq(signalling, one)), ((0, NONE), (0, NV)));
}

#[test]
fn classes_have_their_bits() {
    let table = [
        (0xff80_0000, 0),
        (0xff7f_ffff, 1),
        (0x8080_0000, 1),
        (0x807f_ffff, 2),
        (0x8000_0001, 2),
        (0x8000_0000, 3),
        (0x0000_0000, 4),
        (0x0000_0001, 5),
        (0x007f_ffff, 5),
        (0x0080_0000, 6),
        (0x7f7f_ffff, 6),
        (0x7f80_0000, 7),
        (0x7f80_0001, 8),
        (0xffbf_ffff, 8),
        (0x7fc0_0000, 9),
        (0xffc0_0000, 9),
    ];
    for (bits, class) in table {
        assert_eq!(float::classify(bits), 1 << class, "{bits:#010x}");
    }
}

#[test]
fn sign_injection_keeps_payloads() {
    assert_eq!(float::sgnj(0x7fa0_0001, 0x8000_0000), 0xffa0_0001);
    assert_eq!(float::sgnjn(0x7fa0_0001, 0x8000_0000), 0x7fa0_0001);
    assert_eq!(float::sgnjx(0xffa0_0001, 0x8000_0000), 0x7fa0_0001);
}

#[test]
fn load_immediate_constants_are_those_of_the_specification() {
    let finite: [f32; 30] = [
        -1.0,
        1.1754944e-38,
        1.5258789e-5,
        3.0517578e-5,
        0.00390625,
        0.0078125,
        0.0625,
        0.125,
        0.25,
        0.3125,
        0.375,
        0.4375,
        0.5,
        0.625,
        0.75,
        0.875,
        1.0,
        1.25,
        1.5,
        1.75,
        2.0,
        2.5,
        3.0,
        4.0,
        8.0,
        16.0,
        128.0,
        256.0,
        32768.0,
        65536.0,
    ];
    for (index, value) in finite.into_iter().enumerate() {
        assert_eq!(CONSTANTS[index].0, value.to_bits(), "index {index}");
    }
    assert_eq!([CONSTANTS[30].0, CONSTANTS[31].0], [0x7f80_0000, 0x7fc0_0000]);
}
