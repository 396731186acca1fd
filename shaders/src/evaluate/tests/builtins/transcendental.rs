//! Functions that are approximations: how far from the true value, and the edges.

use super::*;

/// Distance in units of the last place of the true value; 0 where both are the same infinity, NaN or zero.
fn ulps(actual: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if actual.to_bits() == nearest.to_bits() || actual.is_nan() && exact.is_nan() {
        return 0.0;
    }
    if !actual.is_finite() || exact.is_nan() {
        return f64::INFINITY;
    }
    let exponent = (exact.abs().log2().floor() as i32).clamp(-126, 127);
    (f64::from(actual) - exact).abs() / f64::from(exponent - 23).exp2()
}

/// The largest error in ulps of `expression` over `inputs`, and where.
#[track_caller]
fn worst(expression: &str, inputs: &[f32], exact: impl Fn(f64) -> f64) -> (f64, f32) {
    let rows = single(inputs.iter().map(|input| input.to_bits()));
    let outputs = evaluate("", &format!("bitcast<u32>({expression})"), &rows);
    let errors = inputs.iter().zip(outputs).map(|(&x, y)| (ulps(f32::from_bits(y), exact(f64::from(x))), x));
    errors.fold((0.0, 0.0), |worst, error| if error.0 > worst.0 { error } else { worst })
}

#[track_caller]
fn check_worst(expression: &str, inputs: &[f32], limit: f64, exact: impl Fn(f64) -> f64) {
    let (error, at) = worst(expression, inputs, exact);
    println!("{expression}: {error:.2} ulp at {at:e}");
    assert!(error <= limit, "{expression}: {error} ulp at {at:e}, {limit} are allowed");
}

/// Numbers from `low` to `high`, evenly.
fn between(low: f32, high: f32, count: usize) -> Vec<f32> {
    (0..=count).map(|i| low + (high - low) * (i as f32 / count as f32)).collect()
}

/// Numbers of every exponent, positive.
fn everywhere(count: usize) -> Vec<f32> {
    mixed_words(count, 5).into_iter().map(|word| f32::from_bits(word & 0x7fff_ffff)).filter(|x| x.is_finite()).collect()
}

#[test]
fn exponentials_are_within_two_ulps() {
    // WGSL allows 3 + 2·|x|.
    check_worst("exp2(fa)", &between(-126.0, 128.5, 20_000), 1.5, f64::exp2);
    check_worst("exp2(fa)", &between(-0.5, 0.5, 5000), 1.5, f64::exp2);
    check_worst("exp2(fa)", &between(-150.0, -126.0, 2000), 1.5, f64::exp2);
    check_worst("exp(fa)", &between(-87.0, 89.0, 20_000), 2.0, f64::exp);
    check_worst("exp(fa)", &between(-1.0, 1.0, 5000), 2.0, f64::exp);
    let powers: Vec<_> = (-149..=128).map(|n| n as f32).collect();
    check_worst("exp2(fa)", &powers, 0.0, f64::exp2);
}

#[test]
fn logarithms_are_within_three_ulps() {
    check_worst("log2(fa)", &everywhere(20_000), 3.0, f64::log2);
    check_worst("log2(fa)", &between(0.5, 2.0, 20_000), 4.0, f64::log2);
    check_worst("log(fa)", &everywhere(20_000), 3.0, f64::ln);
    check_worst("log(fa)", &between(0.5, 2.0, 20_000), 3.0, f64::ln);
    let powers: Vec<_> = (-149..=127).map(|n| f64::from(n).exp2() as f32).collect();
    check_worst("log2(fa)", &powers, 0.0, f64::log2);
}

#[test]
fn angles_are_right_near_and_far() {
    check_worst("sin(fa)", &between(-3.2, 3.2, 20_000), 2.0, f64::sin);
    check_worst("cos(fa)", &between(-3.2, 3.2, 20_000), 2.0, f64::cos);
    check_worst("sin(fa)", &between(-131_072.0, 131_072.0, 20_000), 2.0, f64::sin);
    check_worst("cos(fa)", &between(-131_072.0, 131_072.0, 20_000), 2.0, f64::cos);
    check_worst("sin(fa)", &everywhere(20_000), 2.5, f64::sin);
    check_worst("cos(fa)", &everywhere(20_000), 2.5, f64::cos);
    check_worst("tan(fa)", &between(-1000.0, 1000.0, 20_000), 4.0, f64::tan);
    check_worst("atan(fa)", &between(-20.0, 20.0, 20_000), 4.0, f64::atan);
    check_worst("asin(fa)", &between(-1.0, 1.0, 10_000), 5.0, f64::asin);
    // Beside ½π the difference from it counts: an absolute bound.
    let acos = single(between(-1.0, 1.0, 10_000).iter().map(|x| x.to_bits()));
    for (row, bits) in acos.iter().zip(evaluate("", "bitcast<u32>(acos(fa))", &acos)) {
        let x = f64::from(f32::from_bits(row[0]));
        assert!((f64::from(f32::from_bits(bits)) - x.acos()).abs() <= 6.77e-5, "acos({x})");
    }
}

#[test]
fn sine_and_cosine_never_leave_one() {
    let rows = single(mixed_words(40_000, 9));
    for function in ["sin", "cos"] {
        for (row, bits) in rows.iter().zip(evaluate("", &format!("bitcast<u32>({function}(fa))"), &rows)) {
            let (x, y) = (f32::from_bits(row[0]), f32::from_bits(bits));
            assert!(if x.is_finite() { y.abs() <= 1.0 } else { bits == 0x7fc0_0000 }, "{function}({x:e}) = {y}");
        }
    }
}

// CASES A37 (tenstorrent/tt-metal#51845 and others).
#[test]
fn large_angles_are_right() {
    let check = |expression: &str, input: u32, expected: u32| {
        let got = evaluate("", &format!("bitcast<u32>({expression})"), &[[input, 0, 0]])[0];
        assert!(got.abs_diff(expected) <= 2, "{expression} of {input:08x}: {got:08x}, right is {expected:08x}");
    };
    check("sin(fa)", 0x4b80_1f96, 0xbf78_87ea);
    check("cos(fa)", 0x4b80_12a6, 0xbf7b_3210);
    check("sin(fa)", 10_000f32.to_bits(), 0xbe9c_797d);
    for function in ["sin", "cos", "tan"] {
        for input in [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_1234, 0x7f80_0001] {
            let got = evaluate("", &format!("bitcast<u32>({function}(fa))"), &[[input, 0, 0]])[0];
            assert_eq!(got, 0x7fc0_0000, "{function} of {input:08x}");
        }
    }
}

/// 2/π, 224 bits.
const TWO_OVER_PI: [u64; 7] = [0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab];

#[test]
fn the_carry_of_the_large_reduction_counts() {
    // Rare: the product's middle word overflows, and the angle is so near a multiple of ½π that the carry shows.
    let is_rare = |bits: u32| {
        let exponent = bits >> 23 & 255;
        if !(144..255).contains(&exponent) {
            return false;
        }
        let mantissa = u64::from(bits & 0x7f_ffff | 0x80_0000);
        // 32 bits of 2/π from `first` of a string that starts with 32 zeros.
        let first = exponent as usize - 120;
        let word = |index: usize| if index == 0 { 0 } else { TWO_OVER_PI.get(index - 1).copied().unwrap_or(0) };
        let window = |at: usize| ((word(at / 32) << 32 | word(at / 32 + 1)) << (at % 32) >> 32) as u32;
        let [a0, a1, a2] = [0, 32, 64].map(|offset| u64::from(window(first + offset)));
        let low = (mantissa * a1) & 0xffff_ffff;
        let carries = low + ((mantissa * a2) >> 32) > 0xffff_ffff;
        let high = (mantissa * a0).wrapping_add((mantissa * a1) >> 32) as u32;
        carries && (high.wrapping_add(1 << 22) & 0x3fff_ffff) < 1 << 23
    };
    let inputs: Vec<_> =
        mixed_words(1_000_000, 12).into_iter().filter(|&bits| is_rare(bits)).map(f32::from_bits).collect();
    assert!(inputs.len() >= 5, "{}", inputs.len());
    check_worst("sin(fa)", &inputs, 2.5, f64::sin);
    check_worst("cos(fa)", &inputs, 2.5, f64::cos);
}

#[test]
fn edges_are_exact() {
    let (inf, nan, zero, one) = (0x7f80_0000u32, 0x7fc0_0000u32, 0u32, 1.0f32.to_bits());
    let minus = |bits: u32| bits | 0x8000_0000;
    let half_pi = 1.5707964f32.to_bits();
    for (expression, a, b, expected) in [
        ("exp2(fa)", inf, 0, inf),
        ("exp2(fa)", minus(inf), 0, zero),
        ("exp2(fa)", minus(nan) | 5, 0, nan),
        ("exp2(fa)", 1e30f32.to_bits(), 0, inf),
        ("exp2(fa)", (-1e30f32).to_bits(), 0, zero),
        ("exp(fa)", inf, 0, inf),
        ("exp(fa)", minus(inf), 0, zero),
        ("exp(fa)", nan, 0, nan),
        ("exp(fa)", minus(zero), 0, one),
        ("log2(fa)", zero, 0, minus(inf)),
        ("log2(fa)", minus(zero), 0, minus(inf)),
        ("log2(fa)", minus(one), 0, nan),
        ("log2(fa)", inf, 0, inf),
        ("log2(fa)", minus(inf), 0, nan),
        ("log2(fa)", minus(nan) | 1, 0, nan),
        ("log(fa)", 1, 0, (-103.27893f32).to_bits()),
        ("pow(fa, fb)", zero, 2.5f32.to_bits(), zero),
        ("pow(fa, fb)", zero, minus(one), inf),
        ("pow(fa, fb)", zero, zero, one),
        ("pow(fa, fb)", nan, zero, one),
        ("pow(fa, fb)", minus(one), 2.0f32.to_bits(), nan),
        ("pow(fa, fb)", 2.0f32.to_bits(), 10.0f32.to_bits(), 1024.0f32.to_bits()),
        ("sin(fa)", minus(zero), 0, minus(zero)),
        ("tan(fa)", minus(zero), 0, minus(zero)),
        ("cos(fa)", minus(zero), 0, one),
        ("atan(fa)", minus(inf), 0, minus(half_pi)),
        ("atan2(fa, fb)", zero, minus(zero), std::f32::consts::PI.to_bits()),
        ("atan2(fa, fb)", minus(zero), one, minus(zero)),
        ("atan2(fa, fb) - atan2(abs(fc) + 1.0, 1.0)", inf, inf, zero),
        ("atan2(fa, fb)", one, zero, half_pi),
        ("atan2(fa, fb)", nan, one, nan),
        ("tanh(fa)", inf, 0, one),
        ("tanh(fa)", minus(nan), 0, nan),
        ("asin(fa)", 2.0f32.to_bits(), 0, nan),
        ("inverseSqrt(fa)", 4.0f32.to_bits(), 0, 0.5f32.to_bits()),
        ("inverseSqrt(fa)", zero, 0, inf),
    ] {
        let got = evaluate("", &format!("bitcast<u32>({expression})"), &[[a, b, 0]])[0];
        assert_eq!(got, expected, "{expression}, a = {a:08x}, b = {b:08x}: {got:08x}, right is {expected:08x}");
    }
}

#[test]
fn hyperbolic_functions_are_as_good_as_their_formulas() {
    let close = |expression: &str, low: f32, high: f32, allowed: fn(f64) -> f64, exact: fn(f64) -> f64| {
        let rows = single(between(low, high, 4000).iter().map(|x| x.to_bits()));
        for (row, bits) in rows.iter().zip(evaluate("", &format!("bitcast<u32>({expression})"), &rows)) {
            let (x, y) = (f64::from(f32::from_bits(row[0])), f64::from(f32::from_bits(bits)));
            assert!((y - exact(x)).abs() <= allowed(x), "{expression} at {x}: {y}, right is {}", exact(x));
        }
    };
    close("sinh(fa)", -20.0, 20.0, |x| 1e-6 * x.cosh(), f64::sinh);
    close("cosh(fa)", -20.0, 20.0, |x| 1e-6 * x.cosh(), f64::cosh);
    close("tanh(fa)", -20.0, 20.0, |_| 1e-5, f64::tanh);
    close("asinh(fa)", -50.0, 50.0, |x| 1e-6 * (1.0 + x.abs()), f64::asinh);
    close("acosh(fa)", 1.0, 50.0, |x| 1e-6 * (1.0 + 1.0 / x.acosh().max(1e-3)), f64::acosh);
    close("atanh(fa)", -0.99, 0.99, |x| 1e-5 * (1.0 + 1.0 / (1.0 - x.abs())), f64::atanh);
}

/// Correctly rounded values made elsewhere; limits in ulps as in the functions' own tests.
#[test]
fn published_vectors_agree() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/transcendental/vectors_f32.csv");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: no vectors at {path}");
        return;
    };
    let functions: &[(&str, &str, f64)] = &[
        ("sin", "sin(fa)", 2.5),
        ("cos", "cos(fa)", 2.5),
        ("tan", "tan(fa)", 4.0),
        ("exp", "exp(fa)", 2.0),
        ("exp2", "exp2(fa)", 1.5),
        ("log", "log(fa)", 3.0),
        ("log2", "log2(fa)", 4.0),
        ("rsqrt", "inverseSqrt(fa)", 2.0),
        ("atan", "atan(fa)", 4.0),
        ("atan2", "atan2(fa, fb)", 5.0),
        ("asin", "asin(fa)", 5.0),
        // pow inherits the error of y·log2 x, which is as large as the result's exponent.
        ("pow", "pow(fa, fb)", 150.0),
    ];
    for &(name, expression, limit) in functions {
        let mut rows = Vec::new();
        let mut exact = Vec::new();
        for line in text.lines().skip(1) {
            let fields: Vec<_> = line.split(',').collect();
            if fields[0] == name {
                let word = |text: &str| u32::from_str_radix(text, 16).unwrap_or(0);
                rows.push([word(fields[1]), word(fields[2]), 0]);
                exact.push((f32::from_bits(word(fields[3])), fields[4].parse::<f64>().ok()));
            }
        }
        assert!(rows.len() > 50, "{name}");
        let outputs = evaluate("", &format!("bitcast<u32>({expression})"), &rows);
        let mut worst = 0.0f64;
        for ((row, bits), (rounded, decimal)) in rows.iter().zip(outputs).zip(exact) {
            let error = ulps(f32::from_bits(bits), decimal.unwrap_or(f64::from(rounded)));
            assert!(error <= limit, "{expression} of {row:08x?}: {bits:08x}, right is {:08x}", rounded.to_bits());
            worst = worst.max(error);
        }
        println!("{name}: {worst:.2} ulp");
    }
}
