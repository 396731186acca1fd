//! Functions with one right answer, against plain Rust.

use super::*;

/// Words of every shape: small, large, single bits, mixed.
fn words() -> Vec<u32> {
    let mut words = vec![0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x00ff_00ff];
    words.extend((0..32).map(|bit| 1 << bit));
    words.extend(mixed_words(200, 1));
    words
}

#[track_caller]
fn check(extra: &str, expression: &str, rows: &[[u32; 3]], expected: impl Fn([u32; 3]) -> u32) {
    for (row, got) in rows.iter().zip(evaluate(extra, expression, rows)) {
        let right = expected(*row);
        assert_eq!(got, right, "{expression} of {row:08x?}: {got:08x}, right is {right:08x}");
    }
}

#[test]
fn bits_are_found_and_counted() {
    let rows = single(words());
    check("", "firstLeadingBit(a)", &rows, |[a, ..]| a.checked_ilog2().unwrap_or(u32::MAX));
    check("", "bitcast<u32>(firstLeadingBit(bitcast<i32>(a)))", &rows, |[a, ..]| {
        let magnitude = if a >> 31 == 1 { !a } else { a };
        magnitude.checked_ilog2().unwrap_or(u32::MAX)
    });
    check("", "firstTrailingBit(a)", &rows, |[a, ..]| if a == 0 { u32::MAX } else { a.trailing_zeros() });
    check("", "bitcast<u32>(firstTrailingBit(bitcast<i32>(a)))", &rows, |[a, ..]| {
        if a == 0 { u32::MAX } else { a.trailing_zeros() }
    });
    check("", "countLeadingZeros(a) + 100u * countTrailingZeros(a) + 10000u * countOneBits(a)", &rows, |[a, ..]| {
        a.leading_zeros() + 100 * a.trailing_zeros() + 10_000 * a.count_ones()
    });
    check("", "reverseBits(a)", &rows, |[a, ..]| a.reverse_bits());
    check("", "bitcast<u32>(abs(bitcast<i32>(a)))", &rows, |[a, ..]| (a as i32).wrapping_abs() as u32);
    check("", "bitcast<u32>(sign(bitcast<i32>(a)))", &rows, |[a, ..]| (a as i32).signum() as u32);
}

#[test]
fn bit_fields_go_in_and_out() {
    let mut rows = Vec::new();
    for (offset, count) in [(0, 0), (0, 32), (5, 0), (31, 1), (0, 1), (4, 8), (16, 16), (20, 30), (40, 3), (3, 99)] {
        rows.extend(words().into_iter().step_by(7).map(|word| [word, offset, count]));
    }
    let limits = |offset: u32, count: u32| (offset.min(32), count.min(32 - offset.min(32)));
    check("", "extractBits(a, b, c)", &rows, |[a, b, c]| {
        let (o, c) = limits(b, c);
        if c == 0 { 0 } else { ((u64::from(a) >> o) & ((1u64 << c) - 1)) as u32 }
    });
    check("", "bitcast<u32>(extractBits(bitcast<i32>(a), b, c))", &rows, |[a, b, c]| {
        let (o, c) = limits(b, c);
        let field = (u64::from(a) >> o) & ((1u64 << c) - 1);
        if c == 0 { 0 } else { ((field << (64 - c)) as i64 >> (64 - c)) as u32 }
    });
    check("", "insertBits(a, ~a * 3u, b, c)", &rows, |[a, b, c]| {
        let (o, c) = limits(b, c);
        let mask = (((1u64 << c) - 1) << o) as u32;
        let new = (u64::from((!a).wrapping_mul(3)) << o) as u32;
        a & !mask | new & mask
    });
}

/// A float without sign of zero or NaN trouble for formulas that Rust writes the same way.
fn floats() -> Vec<[u32; 3]> {
    let mut values = vec![0.0f32, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, 1e-40, -3e-42, 1e30, -1e30, 0.999_999_94, f32::MAX];
    values.extend(mixed_words(300, 3).into_iter().map(|word| (word as i32 as f32) / 65_536.0));
    let rotated = |n: usize| values.iter().cycle().skip(n).take(values.len());
    values.iter().zip(rotated(5)).zip(rotated(11)).map(|((a, b), c)| [a, b, c].map(|x| x.to_bits())).collect()
}

#[track_caller]
fn check_floats(expression: &str, expected: impl Fn(f32, f32, f32) -> f32) {
    check("", &format!("bitcast<u32>({expression})"), &floats(), |row| {
        let [a, b, c] = row.map(f32::from_bits);
        let right = expected(a, b, c);
        if right.is_nan() { 0x7fc0_0000 } else { right.to_bits() }
    });
}

#[test]
fn plain_float_functions_are_their_formulas() {
    check_floats("mix(fa, fb, fc)", |a, b, c| a * (1.0 - c) + b * c);
    check_floats("step(fa, fb)", |a, b, _| if a <= b { 1.0 } else { 0.0 });
    check_floats("smoothstep(fa, fb, fc)", |a, b, c| {
        let x = (c - a) / (b - a);
        let t = if x > 0.0 { x.min(1.0) } else { 0.0 };
        t * t * (3.0 - 2.0 * t)
    });
    check_floats("fa % fb", |a, b, _| a - b * (a / b).trunc());
    check_floats("fract(fa)", |a, _, _| a - a.floor());
    check_floats("sign(fa)", |a, _, _| if a == 0.0 { 0.0 } else { a.signum() });
    check_floats("modf(fa).whole", |a, _, _| a.trunc());
    check_floats("modf(fa).fract", |a, _, _| a - a.trunc());
    check_floats("dot(vec3<f32>(fa, fb, fc), vec3<f32>(fb, fc, fa))", |a, b, c| a * b + b * c + c * a);
    check_floats("length(vec2<f32>(fa, fb))", |a, b, _| (a * a + b * b).sqrt());
    check_floats("normalize(vec3<f32>(fa, fb, fc)).y", |a, b, c| b / (a * a + b * b + c * c).sqrt());
    check_floats("cross(vec3<f32>(fa, fb, fc), vec3<f32>(fc, fa, fb)).y", |a, b, c| c * c - a * b);
    check_floats("reflect(vec2<f32>(fa, fb), vec2<f32>(0.6, 0.8)).x", |a, b, _| a - (2.0 * (0.6 * a + 0.8 * b)) * 0.6);
    check_floats("distance(fa, fb)", |a, b, _| (a - b).abs());
    check_floats("faceForward(vec2<f32>(fa, 1.0), vec2<f32>(fb, 0.0), vec2<f32>(1.0, 0.0)).x", |a, b, _| {
        if 1.0 * b + 0.0 * 0.0 < 0.0 { a } else { -a }
    });
    check_floats("refract(vec2<f32>(fa * 0.00001, -1.0), vec2<f32>(0.0, 1.0), 0.5).y", |a, _, _| {
        let d = 0.0 * (a * 0.00001) - 1.0;
        let k = 1.0 - 0.5 * 0.5 * (1.0 - d * d);
        if k < 0.0 { 0.0 } else { -0.5 - (0.5 * d + k.sqrt()) }
    });
}

#[test]
fn frexp_and_ldexp_take_apart_and_put_together() {
    let mut inputs = words();
    inputs.extend([1e-40f32, -3e-45, 1.0, 0.75, f32::INFINITY, f32::MIN_POSITIVE].map(f32::to_bits));
    let rows = single(inputs);
    let fractions = evaluate("", "bitcast<u32>(frexp(fa).fract)", &rows);
    let exponents = evaluate("", "bitcast<u32>(frexp(fa).exp)", &rows);
    for ((row, fraction), exponent) in rows.iter().zip(fractions).zip(exponents) {
        let (x, fraction, exponent) = (f32::from_bits(row[0]), f32::from_bits(fraction), exponent as i32);
        if x == 0.0 || !x.is_finite() {
            assert_eq!((fraction.to_bits(), exponent), (x.to_bits(), 0));
        } else {
            assert!((0.5..1.0).contains(&fraction.abs()), "{x:e}");
            assert_eq!(f64::from(fraction) * f64::from(exponent).exp2(), f64::from(x));
        }
    }
    let mut rows = Vec::new();
    for exponent in [-400, -300, -150, -149, -127, -126, -30, -1, 0, 1, 100, 127, 128, 200, 277, 400i32] {
        let values = [1.0f32, -1.5, 0.333_333_34, 1e-40, 3e-45, 1.999_999_9, f32::MAX, 1.2e-38, 0.0];
        rows.extend(values.map(|value| [value.to_bits(), exponent as u32, 0]));
    }
    check("", "bitcast<u32>(ldexp(fa, bitcast<i32>(b)))", &rows, |[a, b, _]| {
        // f64 holds the product exactly; its conversion rounds once.
        ((f64::from(f32::from_bits(a)) * f64::from(b as i32).exp2()) as f32).to_bits()
    });
}

#[test]
fn packing_rounds_as_the_specification_says() {
    let values = [-2.0f32, -1.0, -0.5, -0.004, 0.0, 0.001, 0.25, 0.498, 0.5, 0.7, 0.9999, 1.0, 7.0, f32::NAN];
    let rows: Vec<_> = values.iter().flat_map(|a| values.map(|b| [a.to_bits(), b.to_bits(), 0])).collect();
    let norm = |x: u32, low: f64, scale: f64| {
        let x = f64::from(f32::from_bits(x));
        let limited = if x.is_nan() { low } else { x.clamp(low, 1.0) };
        (0.5 + scale * limited).floor() as i32 as u32
    };
    check("", "pack4x8unorm(vec4<f32>(fa, fb, fb, fa))", &rows, |[a, b, _]| {
        let [a, b] = [a, b].map(|x| norm(x, 0.0, 255.0));
        a | b << 8 | b << 16 | a << 24
    });
    check("", "pack4x8snorm(vec4<f32>(fa, fb, fb, fa))", &rows, |[a, b, _]| {
        let [a, b] = [a, b].map(|x| norm(x, -1.0, 127.0) & 255);
        a | b << 8 | b << 16 | a << 24
    });
    check("", "pack2x16unorm(vec2<f32>(fa, fb))", &rows, |[a, b, _]| {
        norm(a, 0.0, 65_535.0) | norm(b, 0.0, 65_535.0) << 16
    });
    check("", "pack2x16snorm(vec2<f32>(fa, fb))", &rows, |[a, b, _]| {
        norm(a, -1.0, 32_767.0) & 0xffff | norm(b, -1.0, 32_767.0) << 16
    });
    let rows = single(words());
    let byte = |word: u32, index: u32| (word >> (8 * index)) as u8;
    check("", "bitcast<u32>(unpack4x8unorm(a).z)", &rows, |[a, ..]| (f32::from(byte(a, 2)) / 255.0).to_bits());
    check("", "bitcast<u32>(unpack4x8snorm(a).y)", &rows, |[a, ..]| {
        (f32::from(byte(a, 1) as i8) / 127.0).max(-1.0).to_bits()
    });
    check("", "bitcast<u32>(unpack2x16unorm(a).y)", &rows, |[a, ..]| {
        (f32::from((a >> 16) as u16) / 65_535.0).to_bits()
    });
    check("", "bitcast<u32>(unpack2x16snorm(a).x)", &rows, |[a, ..]| {
        (f32::from(a as u16 as i16) / 32_767.0).max(-1.0).to_bits()
    });
    check("", "pack4x8unorm(unpack4x8unorm(a))", &rows, |[a, ..]| a);
    check("", "pack4xU8(unpack4xU8(a).wzyx) ^ pack4xI8(unpack4xI8(a))", &rows, |[a, ..]| a.swap_bytes() ^ a);
    check("", "pack4xU8Clamp(vec4<u32>(a, 300u, 7u, 255u))", &rows, |[a, ..]| {
        a.min(255) | 255 << 8 | 7 << 16 | 255 << 24
    });
    check("", "pack4xI8Clamp(vec4<i32>(bitcast<i32>(a), -300, 300, -1))", &rows, |[a, ..]| {
        (a as i32).clamp(-128, 127) as u32 & 255 | 0x80 << 8 | 0x7f << 16 | 0xff << 24
    });
    let pairs: Vec<_> = words().into_iter().zip(mixed_words(300, 8)).map(|(a, b)| [a, b, 0]).collect();
    check("", "dot4U8Packed(a, b)", &pairs, |[a, b, _]| {
        (0..4).map(|i| u32::from(byte(a, i)) * u32::from(byte(b, i))).sum()
    });
    check("", "bitcast<u32>(dot4I8Packed(a, b))", &pairs, |[a, b, _]| {
        (0..4).map(|i| i32::from(byte(a, i) as i8) * i32::from(byte(b, i) as i8)).sum::<i32>() as u32
    });
}

/// The value of a finite half.
fn half_value(half: u32) -> f64 {
    let (exponent, fraction) = ((half >> 10 & 31) as i32, f64::from(half & 1023));
    let magnitude =
        if exponent == 0 { fraction * (-24f64).exp2() } else { (1024.0 + fraction) * f64::from(exponent - 25).exp2() };
    if half & 0x8000 != 0 { -magnitude } else { magnitude }
}

#[test]
fn halves_are_nearest_with_ties_to_even() {
    let all: Vec<_> = (0..0x1_0000u32).filter(|half| half >> 10 & 31 != 31).collect();
    let rows = single(all.iter().copied());
    check("", "bitcast<u32>(unpack2x16float(a).x)", &rows, |[a, ..]| (half_value(a) as f32).to_bits());
    check("", "pack2x16float(unpack2x16float(a))", &rows, |[a, ..]| a);
    // Halfway between two neighbours, and one step to each side of it.
    let mut rows = Vec::new();
    let mut right = Vec::new();
    for &half in all.iter().filter(|&&half| half < 0x7bff).step_by(13) {
        let middle = ((half_value(half) + half_value(half + 1)) / 2.0) as f32;
        let even = half + (half & 1);
        for (bits, nearest) in
            [(middle.to_bits() - 1, half), (middle.to_bits(), even), (middle.to_bits() + 1, half + 1)]
        {
            rows.push([bits, 0, 0]);
            right.push(nearest);
        }
    }
    assert_eq!(evaluate("", "pack2x16float(vec2<f32>(fa, 0.0))", &rows), right);
    let rows = single([65_519.0f32, 65_520.0, 1e9, f32::INFINITY, -1e-9, f32::NAN].map(f32::to_bits));
    assert_eq!(
        evaluate("", "pack2x16float(vec2<f32>(fa, 0.0))", &rows),
        [0x7bff, 0x7c00, 0x7c00, 0x7c00, 0x8000, 0x7e00]
    );
    assert_eq!(
        evaluate("", "bitcast<u32>(unpack2x16float(a).x)", &single([0x7c00, 0xfc00, 0x7e01])),
        [0x7f80_0000, 0xff80_0000, 0x7fc0_0000]
    );
    assert_eq!(evaluate("", "bitcast<u32>(quantizeToF16(fa))", &single([1.000_1f32.to_bits()])), [1.0f32.to_bits()]);
}

/// The prelude's own text, to call what no builtin reaches.
const TEXT: &str = crate::prelude::TEXT;

#[test]
fn sampling_arithmetic_equals_the_texture_crate() {
    let mut inputs = mixed_words(2000, 2);
    inputs.extend(
        [0.0f32, -0.0, 0.5, -0.125, 127.99, 128.0, -129.25, 1e9, f32::INFINITY, -f32::INFINITY, f32::NAN]
            .map(f32::to_bits),
    );
    inputs.extend(mixed_words(2000, 4).into_iter().map(|word| (word as i32 as f32 / 1e7).to_bits()));
    let rows = single(inputs);
    check(TEXT, "bitcast<u32>(texture_coordinate(fa))", &rows, |[a, ..]| {
        texture::coordinate_from_f32(f32::from_bits(a)) as u32
    });
    let rows: Vec<_> = mixed_words(3000, 6).chunks(3).map(|w| [w[0], w[1], w[2] & 255]).collect();
    check(TEXT, "lerp_packed(a, b, c)", &rows, |[a, b, c]| texture::lerp_packed(a, b, c));
}

#[test]
fn default_bodies_of_intrinsics_mean_the_same() {
    let renamed = TEXT
        .replace("fn intrinsic_", "fn default_")
        .replace(" intrinsic_", " default_")
        .replace("(intrinsic_", "(default_");
    let rows: Vec<_> = words().into_iter().zip(mixed_words(300, 7)).map(|(a, b)| [a, b, 0]).collect();
    let high = |[a, b, _]: [u32; 3]| ((u64::from(a) * u64::from(b)) >> 32) as u32;
    check(&renamed, "default_multiply_high_unsigned(a, b)", &rows, high);
    check(TEXT, "intrinsic_multiply_high_unsigned(a, b)", &rows, high);
    let copied = |[a, b, _]: [u32; 3]| f32::from_bits(a).copysign(f32::from_bits(b)).to_bits();
    check(&renamed, "bitcast<u32>(default_copysign(fa, fb))", &rows, copied);
    check(TEXT, "bitcast<u32>(intrinsic_copysign(fa, fb))", &rows, copied);
}
