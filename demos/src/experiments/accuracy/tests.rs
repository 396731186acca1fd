//! Every instruction is within its bound on a dense sample, and the reference agrees with correctly rounded vectors.

use super::*;
use std::path::Path;

/// Z2 on a sample: about 9000 operands of each function of one, 8000 pairs of the others.
#[test]
fn every_instruction_is_within_its_bound_on_a_dense_sample() {
    for op in transcendental::operations() {
        let worst = sweep::sampled(op, 9_000);
        assert!(worst.count > 1_500, "{op:?}: {} operands lie in its domain", worst.count);
        assert!(worst.ulps <= bound(op), "{op:?}: {worst:?}");
    }
}

/// `docs/transcendentals.md` says so of functions of one operand and of `fhypot.s`; all operands are swept by command.
#[test]
fn functions_of_one_operand_are_correctly_rounded_on_the_sample() {
    for op in transcendental::operations().filter(|&op| !transcendental::is_binary(op) || op == Op::Fhypot) {
        let worst = sweep::sampled(op, 20_000);
        assert_eq!(worst.misrounded, 0, "{op:?}: {worst:?}");
    }
}

/// Where the true value is within two `f64` units (4e-9 ulp) of the middle: found by sweeps, and confirmed by the reference.
#[test]
fn the_hardest_operands_are_correctly_rounded() {
    let mut count = 0;
    for (op, operand) in transcendental::hardest_operands() {
        let error = error(op, f32::from_bits(operand), 0.0).expect("it is in the domain");
        assert!(error.is_nearest && (error.ulps - 0.5).abs() < 4e-9, "{op:?} of {operand:08x}: {error:?}");
        count += 1;
    }
    assert!(count >= 39, "{count} rows");
}

/// The measure sees an error: a result one unit off, and one that is half a unit and a little off.
#[test]
fn errors_are_measured_in_units_of_the_true_value() {
    let error = |result: f32, truth| error_of(result, truth);
    let one = Twice::ONE;
    let next = f32::from_bits(0x3f80_0001);
    assert_eq!(error(1.0, one), Error { ulps: 0.0, is_nearest: true });
    assert_eq!(error(next, one), Error { ulps: 1.0, is_nearest: false });
    // 1 + 2^-24 is the middle; a truth a little above it is nearest to the upper neighbour.
    let truth = Twice { high: 1.0 + 1.0 / 16_777_216.0, low: 1e-17 };
    assert!(error(next, truth).is_nearest && !error(1.0, truth).is_nearest);
    assert!(error(1.0, truth).ulps > 0.5 - 1e-9);
    // The smallest number is one unit from zero; infinity is one unit from the largest number.
    assert_eq!(error(f32::from_bits(1), Twice::new(0.0)).ulps, 1.0);
    assert_eq!(error(f32::INFINITY, Twice::new(f32::MAX.into())).ulps, 1.0);
    assert_eq!(error(f32::INFINITY, Twice::new(1e300)).ulps, 0.0);
    assert!(error(f32::NEG_INFINITY, Twice::new(1e300)).ulps > 1.0);
    assert!(error(f32::NAN, one).ulps.is_infinite());
}

/// Correctly rounded values of others: instructions are within their bounds, and the reference rounds to the vector, always.
#[test]
fn vectors_agree_with_the_reference_and_with_the_instructions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/transcendental/vectors_f32.csv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is not here", path.display());
        return;
    };
    let (mut count, mut misrounded) = (0, 0);
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let name = match fields[0] {
            "sqrt" => continue,
            name => format!("f{name}.s"),
        };
        let op = transcendental::operations().find(|op| op.spec().mnemonic == name).expect("an instruction");
        let bits = |text: &str| f32::from_bits(u32::from_str_radix(text, 16).unwrap_or(0));
        let (a, b, rounded) = (bits(fields[1]), bits(fields[2]), bits(fields[3]));
        let got = result(op, a, b);
        let Some(truth) = reference::value(op, a, b) else {
            assert_eq!((got.to_bits(), got.is_nan()), (rounded.to_bits(), rounded.is_nan()), "{line}");
            continue;
        };
        count += 1;
        assert!(error_of(rounded, truth).is_nearest, "the reference: {line}: {truth:?}");
        misrounded += u32::from(got.to_bits() != rounded.to_bits());
        assert!(error_of(got, truth).ulps <= bound(op), "{line}: {:08x}", got.to_bits());
    }
    println!("{count} vectors, {misrounded} of them not correctly rounded");
    assert!(count > 1_700 && misrounded == 0);
}
