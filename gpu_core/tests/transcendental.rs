//! Special values and flags of the transcendental instructions, and the machine that has them or has not.
//!
//! Values: IEEE 754-2019, 9.2.1 (and 9.2.2 for what it calls atan2Pi and the like); choices of ours are those that
//! `docs/transcendentals.md` lists. `Op::…` in the order of the standard.

use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, LaunchError};
use gpu_core::isa::{ExtensionSet, Op, Operand, SPECS, assemble};
use gpu_core::semantics::float::{Flags, Rounding};
use gpu_core::semantics::transcendental;
use gpu_core::trap::TrapKind;
use gpu_core::units::Address;

const INF: f32 = f32::INFINITY;
const NEG: f32 = f32::NEG_INFINITY;
const NAN: f32 = f32::NAN;
/// Flags.
const NONE: u8 = 0;
const NX: u8 = 1;
const UF: u8 = 2 | NX;
const OF: u8 = 4 | NX;
const DZ: u8 = 8;
const NV: u8 = 16;

#[track_caller]
fn check(op: Op, a: f32, b: f32, expected: f32, flags: u8) {
    let (bits, raised) = transcendental::exact(op, a.to_bits(), b.to_bits(), Rounding::NearestEven);
    let expected = if expected.is_nan() { 0x7fc0_0000 } else { expected.to_bits() };
    assert_eq!((bits, raised), (expected, Flags(flags)), "{op:?} of {a:e}, {b:e}: {:e}", f32::from_bits(bits));
}

#[track_caller]
fn check_one(op: Op, rows: &[(f32, f32, u8)]) {
    rows.iter().for_each(|&(a, expected, flags)| check(op, a, 0.0, expected, flags));
}

#[test]
fn exponentials() {
    for op in [Op::Fexp, Op::Fexp2, Op::Fexp10] {
        check_one(op, &[(0.0, 1.0, NONE), (-0.0, 1.0, NONE), (INF, INF, NONE), (NEG, 0.0, NONE)]);
        check_one(op, &[(1e30, INF, OF), (-1e30, 0.0, UF), (200.0, INF, OF), (NAN, NAN, NONE)]);
    }
    check_one(Op::Fexp2, &[(10.0, 1024.0, NONE), (-149.0, 1e-45, NONE), (-150.0, 0.0, UF), (128.0, INF, OF)]);
    check_one(Op::Fexp10, &[(3.0, 1000.0, NONE), (10.0, 1e10, NONE), (11.0, 1e11, NX), (-2.0, 0.01, NX)]);
    check_one(Op::Fexp, &[(1.0, std::f32::consts::E, NX), (1e-30, 1.0, NX)]);
    check_one(Op::Fexpm1, &[(0.0, 0.0, NONE), (-0.0, -0.0, NONE), (INF, INF, NONE), (NEG, -1.0, NONE)]);
    check_one(Op::Fexpm1, &[(-100.0, -1.0, NX), (1e-20, 1e-20, NX), (1e-40, 1e-40, UF), (89.0, INF, OF)]);
}

#[test]
fn logarithms() {
    for op in [Op::Flog, Op::Flog2, Op::Flog10] {
        check_one(op, &[(0.0, NEG, DZ), (-0.0, NEG, DZ), (1.0, 0.0, NONE), (INF, INF, NONE)]);
        check_one(op, &[(-1.0, NAN, NV), (NEG, NAN, NV), (-1e-45, NAN, NV), (NAN, NAN, NONE)]);
    }
    check_one(Op::Flog2, &[(1e-45, -149.0, NONE), (0.5, -1.0, NONE), (65536.0, 16.0, NONE), (3.0, 1.584_962_5, NX)]);
    check_one(Op::Flog10, &[(1e10, 10.0, NONE), (1000.0, 3.0, NONE), (0.1, -1.0, NX)]);
    check_one(Op::Flog1p, &[(0.0, 0.0, NONE), (-0.0, -0.0, NONE), (-1.0, NEG, DZ), (-1.5, NAN, NV)]);
    check_one(Op::Flog1p, &[(INF, INF, NONE), (NEG, NAN, NV), (1e-20, 1e-20, NX)]);
}

/// Here the `f64` is the middle between two numbers, and the true value less (by the functions in 300 binary digits), so that
/// what lies farther from zero is not the nearest.
#[test]
fn ties_away_from_zero_gives_the_nearest_where_there_is_no_tie() {
    for (op, operand, nearest) in [
        (Op::Flog10, 0x6105_67e4, 0x41a1_7eec),
        (Op::Flog10, 0x62a6_c1dd, 0x41a9_7eec),
        (Op::Flog1p, 0x5518_5f82, 0x41ef_d648),
    ] {
        for rounding in [Rounding::NearestEven, Rounding::NearestMaxMagnitude] {
            let (bits, _) = transcendental::exact(op, operand, 0, rounding);
            assert_eq!(bits, nearest, "{op:?} of {operand:08x}, {rounding:?}: {bits:08x}");
        }
    }
    // A true tie: half the smallest number.
    let half = |rounding| transcendental::exact(Op::Fexp2, (-150_f32).to_bits(), 0, rounding).0;
    assert_eq!([half(Rounding::NearestEven), half(Rounding::NearestMaxMagnitude)], [0, 1]);
}

#[test]
fn roots_and_reciprocals() {
    check_one(Op::Frecip, &[(0.0, INF, DZ), (-0.0, NEG, DZ), (INF, 0.0, NONE), (NEG, -0.0, NONE)]);
    check_one(Op::Frecip, &[(4.0, 0.25, NONE), (3.0, 1.0 / 3.0, NX), (1e-45, INF, OF), (-8.0, -0.125, NONE)]);
    check_one(Op::Frsqrt, &[(0.0, INF, DZ), (-0.0, NEG, DZ), (INF, 0.0, NONE), (NEG, NAN, NV)]);
    check_one(
        Op::Frsqrt,
        &[(4.0, 0.5, NONE), (0.25, 2.0, NONE), (-1.0, NAN, NV), (2.0, std::f32::consts::FRAC_1_SQRT_2, NX)],
    );
    check_one(Op::Fcbrt, &[(0.0, 0.0, NONE), (-0.0, -0.0, NONE), (INF, INF, NONE), (NEG, NEG, NONE)]);
    check_one(Op::Fcbrt, &[(27.0, 3.0, NONE), (-8.0, -2.0, NONE), (2.0, 1.259_921_1, NX)]);
    check(Op::Fhypot, INF, NAN, INF, NONE);
    check(Op::Fhypot, NAN, NEG, INF, NONE);
    check(Op::Fhypot, NAN, 1.0, NAN, NONE);
    check(Op::Fhypot, -3.0, 4.0, 5.0, NONE);
    check(Op::Fhypot, 0.0, -0.0, 0.0, NONE);
    check(Op::Fhypot, -0.0, -7.0, 7.0, NONE);
    check(Op::Fhypot, 3e38, 3e38, INF, OF);
    check(Op::Fhypot, 1e-45, 1e-45, 1e-45, UF);
    check(Op::Fhypot, 1.0, 1e-30, 1.0, NX);
}

#[test]
fn angles_of_radians() {
    for op in [Op::Fsin, Op::Ftan] {
        check_one(op, &[(0.0, 0.0, NONE), (-0.0, -0.0, NONE), (INF, NAN, NV), (NEG, NAN, NV), (1e-45, 1e-45, UF)]);
    }
    check_one(Op::Fcos, &[(0.0, 1.0, NONE), (-0.0, 1.0, NONE), (INF, NAN, NV), (1e-20, 1.0, NX)]);
    // Correctly rounded values of large arguments (CASES A37: tenstorrent/tt-metal#51845 and others).
    let of = f32::from_bits;
    check_one(Op::Fsin, &[(of(0x4b80_1f96), of(0xbf78_87ea), NX), (10_000.0, of(0xbe9c_797d), NX)]);
    check_one(Op::Fcos, &[(of(0x4b80_12a6), of(0xbf7b_3210), NX)]);
    for bits in (0x4b00_0000..0x7f80_0000).step_by(0x1_2345) {
        for op in [Op::Fsin, Op::Fcos] {
            let (sine, _) = transcendental::exact(op, bits, 0, Rounding::NearestEven);
            assert!(of(sine).abs() <= 1.0, "{op:?} of {bits:08x}");
        }
    }
}

#[test]
fn angles_of_half_turns() {
    check_one(Op::Fsinpi, &[(0.0, 0.0, NONE), (-0.0, -0.0, NONE), (7.0, 0.0, NONE), (-8.0, -0.0, NONE)]);
    check_one(
        Op::Fsinpi,
        &[(0.5, 1.0, NONE), (1.5, -1.0, NONE), (-0.5, -1.0, NONE), (1e30, 0.0, NONE), (INF, NAN, NV)],
    );
    check_one(Op::Fsinpi, &[(0.25, std::f32::consts::FRAC_1_SQRT_2, NX)]);
    check_one(Op::Fcospi, &[(0.0, 1.0, NONE), (0.5, 0.0, NONE), (-1.5, 0.0, NONE), (1.0, -1.0, NONE)]);
    check_one(Op::Fcospi, &[(-2.0, 1.0, NONE), (1e30, 1.0, NONE), (NEG, NAN, NV)]);
    check_one(Op::Ftanpi, &[(0.0, 0.0, NONE), (-0.0, -0.0, NONE), (2.0, 0.0, NONE), (1.0, -0.0, NONE)]);
    check_one(Op::Ftanpi, &[(-1.0, 0.0, NONE), (-2.0, -0.0, NONE), (0.25, 1.0, NONE), (0.75, -1.0, NONE)]);
    // n + ½: +∞ for even n, −∞ for odd n; −½ is −1 + ½.
    check_one(Op::Ftanpi, &[(0.5, INF, DZ), (1.5, NEG, DZ), (-0.5, NEG, DZ), (-1.5, INF, DZ), (INF, NAN, NV)]);
}

#[test]
fn arcs() {
    let (pi, half) = (std::f32::consts::PI, std::f32::consts::FRAC_PI_2);
    for op in [Op::Fasin, Op::Fasinpi] {
        check_one(op, &[(0.0, 0.0, NONE), (-0.0, -0.0, NONE), (1.5, NAN, NV), (NEG, NAN, NV)]);
    }
    check_one(Op::Fasin, &[(1.0, half, NX), (-1.0, -half, NX), (1e-20, 1e-20, NX)]);
    check_one(Op::Fasinpi, &[(1.0, 0.5, NONE), (-1.0, -0.5, NONE), (0.5, 1.0 / 6.0, NX)]);
    check_one(Op::Facos, &[(1.0, 0.0, NONE), (-1.0, pi, NX), (0.0, half, NX), (1.1, NAN, NV)]);
    check_one(Op::Facospi, &[(1.0, 0.0, NONE), (-1.0, 1.0, NONE), (0.0, 0.5, NONE), (-1.1, NAN, NV)]);
    check_one(Op::Fatan, &[(0.0, 0.0, NONE), (-0.0, -0.0, NONE), (INF, half, NX), (NEG, -half, NX)]);
    check_one(Op::Fatanpi, &[(-0.0, -0.0, NONE), (INF, 0.5, NONE), (NEG, -0.5, NONE), (-1.0, -0.25, NONE)]);
}

/// y, x, and the angle in half turns: exact there, rounded in radians.
#[test]
fn angles_of_points() {
    for (y, x, turns) in [
        (0.0, 0.0, 0.0),
        (-0.0, 0.0, -0.0),
        (0.0, -0.0, 1.0),
        (-0.0, -0.0, -1.0),
        (0.0, 5.0, 0.0),
        (-0.0, -5.0, -1.0),
        (5.0, 0.0, 0.5),
        (-5.0, -0.0, -0.5),
        (1.0, INF, 0.0),
        (-1.0, INF, -0.0),
        (1.0, NEG, 1.0),
        (-1.0, NEG, -1.0),
        (INF, 3.0, 0.5),
        (NEG, NEG, -0.75),
        (INF, NEG, 0.75),
        (INF, INF, 0.25),
        (NEG, INF, -0.25),
        (2.0, 2.0, 0.25),
        (-2.0, -2.0, -0.75),
    ] {
        check(Op::Fatan2pi, y, x, turns, NONE);
        let radians = (f64::from(turns) * std::f64::consts::PI) as f32;
        check(Op::Fatan2, y, x, radians, if turns == 0.0 { NONE } else { NX });
    }
    check(Op::Fatan2, 1.0, NAN, NAN, NONE);
    check(Op::Fatan2, 1e-45, 3e38, 0.0, UF);
}

#[test]
fn hyperbolic_functions() {
    for op in [Op::Fsinh, Op::Fasinh] {
        check_one(op, &[(0.0, 0.0, NONE), (-0.0, -0.0, NONE), (INF, INF, NONE), (NEG, NEG, NONE), (1e-20, 1e-20, NX)]);
    }
    check_one(Op::Fsinh, &[(-100.0, NEG, OF)]);
    check_one(Op::Fcosh, &[(0.0, 1.0, NONE), (INF, INF, NONE), (NEG, INF, NONE), (100.0, INF, OF), (1e-20, 1.0, NX)]);
    check_one(Op::Ftanh, &[(-0.0, -0.0, NONE), (INF, 1.0, NONE), (NEG, -1.0, NONE), (40.0, 1.0, NX)]);
    check_one(Op::Facosh, &[(1.0, 0.0, NONE), (INF, INF, NONE), (0.5, NAN, NV), (NEG, NAN, NV)]);
    check_one(Op::Fatanh, &[(-0.0, -0.0, NONE), (1.0, INF, DZ), (-1.0, NEG, DZ), (1.5, NAN, NV)]);
}

#[test]
fn powers() {
    for (x, y, expected, flags) in [
        (NAN, 0.0, 1.0, NONE),
        (INF, -0.0, 1.0, NONE),
        (1.0, NAN, 1.0, NONE),
        (-1.0, INF, 1.0, NONE),
        (-1.0, NEG, 1.0, NONE),
        (0.0, -3.0, INF, DZ),
        (-0.0, -3.0, NEG, DZ),
        (-0.0, -2.0, INF, DZ),
        (-0.0, NEG, INF, NONE),
        (-0.0, INF, 0.0, NONE),
        (-0.0, 3.0, -0.0, NONE),
        (-0.0, 0.5, 0.0, NONE),
        (NEG, 3.0, NEG, NONE),
        (NEG, -3.0, -0.0, NONE),
        (NEG, 2.0, INF, NONE),
        (0.5, NEG, INF, NONE),
        (2.0, NEG, 0.0, NONE),
        (-8.0, 1.0 / 3.0, NAN, NV),
        (-2.0, 3.0, -8.0, NONE),
        (3.0, 4.0, 81.0, NONE),
        (2.0, -149.0, 1e-45, NONE),
        (2.0, 0.5, std::f32::consts::SQRT_2, NX),
        (10.0, 39.0, INF, OF),
        (-10.0, 39.0, NEG, OF),
        (10.0, -60.0, 0.0, UF),
    ] {
        check(Op::Fpow, x, y, expected, flags);
    }
}

#[test]
fn roots_of_any_degree() {
    for (x, n, expected, flags) in [
        (0.0, 3.0, 0.0, NONE),
        (-0.0, 3.0, -0.0, NONE),
        (-0.0, 2.0, 0.0, NONE),
        (-0.0, -3.0, NEG, DZ),
        (-0.0, -2.0, INF, DZ),
        (INF, 2.0, INF, NONE),
        (INF, -2.0, 0.0, NONE),
        (NEG, 3.0, NEG, NONE),
        (NEG, 2.0, NAN, NV),
        (-27.0, 3.0, -3.0, NONE),
        (-16.0, 4.0, NAN, NV),
        (5.0, 0.0, NAN, NV),
        (7.0, 1.0, 7.0, NONE),
        (4.0, -1.0, 0.25, NONE),
        (NAN, 3.0, NAN, NONE),
        // No whole degree: x to the power 1/n.
        (16.0, 0.5, 256.0, NX),
        (-16.0, 0.5, NAN, NV),
        (0.0, 0.5, 0.0, NONE),
        (0.0, -0.5, INF, DZ),
        (9.0, INF, 1.0, NONE),
    ] {
        check(Op::Froot, x, n, expected, flags);
    }
    // Whole roots of whole powers come out whole.
    for n in 2..8_u16 {
        for x in 2..8_u16 {
            let power = (0..n).fold(1.0, |power, _| power * f32::from(x));
            let (bits, _) =
                transcendental::exact(Op::Froot, power.to_bits(), f32::from(n).to_bits(), Rounding::NearestEven);
            assert_eq!(f32::from_bits(bits), f32::from(x), "root {n} of {power}");
        }
    }
}

#[test]
fn a_signalling_nan_is_invalid_everywhere() {
    for op in transcendental::operations() {
        for (a, b) in [(0x7f80_0001, 0x3f80_0000), (0x3f80_0000, 0xff80_0001)] {
            if b == 0x3f80_0000 || transcendental::is_binary(op) {
                let result = transcendental::exact(op, a, b, Rounding::NearestEven);
                assert_eq!(result, (0x7fc0_0000, Flags::NV), "{op:?}");
            }
        }
    }
}

/// Beside 1 and beside a small argument, where `f64` sees no difference, directed modes still know the side.
#[test]
fn directed_modes_know_the_side() {
    let tiny = 1e-30_f32;
    let next = f32::from_bits(tiny.to_bits() + 1);
    let before = f32::from_bits(tiny.to_bits() - 1);
    let (above_one, below_one) = (f32::from_bits(0x3f80_0001), f32::from_bits(0x3f7f_ffff));
    for (op, a, down, up) in [
        (Op::Fexp, tiny, 1.0, above_one),
        (Op::Fexp, -tiny, below_one, 1.0),
        (Op::Fcos, tiny, below_one, 1.0),
        (Op::Fcosh, tiny, 1.0, above_one),
        (Op::Fsin, tiny, before, tiny),
        (Op::Ftan, tiny, tiny, next),
        (Op::Fasin, tiny, tiny, next),
        (Op::Fatan, tiny, before, tiny),
        (Op::Fsinh, tiny, tiny, next),
        (Op::Ftanh, tiny, before, tiny),
        (Op::Fexpm1, tiny, tiny, next),
        (Op::Flog1p, tiny, before, tiny),
        (Op::Ftanh, 30.0, below_one, 1.0),
        (Op::Frecip, 3.0, f32::from_bits(0x3eaa_aaaa), f32::from_bits(0x3eaa_aaab)),
    ] {
        let of = |rounding| f32::from_bits(transcendental::exact(op, a.to_bits(), 0, rounding).0);
        assert_eq!((of(Rounding::Down), of(Rounding::Up)), (down, up), "{op:?} of {a:e}");
    }
}

/// A program that runs one instruction of a row on the lanes' numbers and stores what it gives.
fn program(op: Op) -> String {
    let second = if op.spec().operands.contains(&Operand::Fs2) { ", fa1" } else { "" };
    format!(
        "li t0, 15; tmc t0; csrr t1, thread_id; addi t1, t1, 1; fcvt.s.w fa0, t1; li t2, 4; fcvt.s.w fa1, t2
         fdiv.s fa0, fa0, fa1; {} fa2, fa0{second}; slli t1, t1, 2; lui t3, 0xffff0; add t3, t3, t1; fsw fa2, 0(t3)
         lui t3, 0xffff0; lw a0, 4(t3); lw a1, 8(t3); xor a0, a0, a1; lw a1, 12(t3); xor a0, a0, a1; lw a1, 16(t3)
         xor a0, a0, a1; li a1, 0x88; sw a0, 0(a1); fence; tmc x0",
        op.spec().mnemonic
    )
}

/// ¼, ½, ¾ and 1 on four lanes; the results of the lanes together are those of the functions.
#[test]
fn the_machine_computes_what_the_functions_say_and_traps_without_the_group() {
    let plain = GpuConfig::vortex(1, 1, 4);
    for op in transcendental::operations() {
        let program = assemble("one.s", &program(op)).expect("it assembles");
        let config = GpuConfig { extensions: plain.extensions.with(op.spec().extension), ..plain };
        let report = Gpu::new(config).expect("a machine").launch(&program, Address(0)).expect("it runs");
        let result = |a: f32| transcendental::exact(op, a.to_bits(), 4_f32.to_bits(), Rounding::NearestEven).0;
        let expected = result(0.25) ^ result(0.5) ^ result(0.75) ^ result(1.0);
        assert_eq!(report.exit_codes[0], Some(expected), "{op:?}");

        let others = ExtensionSet::ALL.without(op.spec().extension);
        let mut gpu = Gpu::new(GpuConfig { extensions: others, ..plain }).expect("a machine");
        let error = gpu.launch(&program, Address(0)).expect_err("its group is missing");
        let LaunchError::Trap(trap) = error else { panic!("{op:?}: {error}") };
        assert_eq!(trap.kind, TrapKind::MissingExtension { extension: op.spec().extension }, "{op:?}: {trap}");
    }
    assert_eq!(SPECS.iter().filter(|spec| ExtensionSet::TRANSCENDENTAL.contains(spec.extension)).count(), 34);
}

/// Other precisions are reserved: no word of `fmt` 01, 10 or 11 decodes.
#[test]
fn only_single_precision_means_something() {
    for op in transcendental::operations() {
        for fmt in 1..4 {
            assert_eq!(gpu_core::isa::decode(op.spec().value | fmt << 25), None, "{op:?} with fmt {fmt}");
        }
    }
}
