//! Odd corners of numbers: limits of formats, constants at every time of evaluation, bits that must stay.

use super::Case;
use super::numbers::{bits, hash, signed};

programs! {
    constants with &[("WIDTH", 3.0)];
    folding;
    uniform_matrices;
    integer_wraps;
    remainders;
    float_to_integer;
    float_limits;
    half_floats;
    packing_limits;
    kept_bits;
    least_and_most;
}

fn constants(_: u32) -> Case {
    // Three by two invocations; seven shared words, of which the first is nobody's: zero.
    let table = [[1, 2, 3], [4, 5, 6]];
    let spread = [-4, 30, 300].map(|word: i32| word as u32);
    let after = (0..6usize).flat_map(|i| {
        let shared = if i < 6 { (5 - i as u32) * (5 - i as u32) } else { 0 };
        [
            table[i % 2][i % 3],
            shared,
            spread[i % 3],
            [13.0f32, 24.0][i % 2].to_bits(),
            12 + 10 + 1,
            12f32.to_bits(),
            15,
            1,
            0.001f32.to_bits(),
            0x8000_0000,
        ]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).output(after)
}

fn folding(_: u32) -> Case {
    // -2^31 / 7 = -306783378 and leaves -2; 2^24 + 1 is no float, its half is.
    let row = [
        -306_783_378i32 as u32,
        -2i32 as u32,
        429_496_729 * 3,
        -268_435_456i32 as u32,
        134_217_727,
        8_388_608f32.to_bits(),
        // Ties to even: 2.5 is 2, 1.5 is 2.
        4f32.to_bits(),
        16_777_216,
        // -7 / 2 is -3, -7 % 2 is -1.
        -31i32 as u32,
        9 + 1,
        2 + 20,
        (7 ^ !7u32),
    ];
    let input = [0x8000_0000, 7, u32::MAX, 0.5f32.to_bits(), 16_777_216f32.to_bits(), 0, 0, 0];
    Case::new([1, 1, 1]).input(input).output(row.repeat(4))
}

fn uniform_matrices(_: u32) -> Case {
    // Words: a 0, a matrix 12, a column 4 | b 24, 8, 4 | c 40, 12: m columns of 2, v at 8 | d 64, 8, 4 | e 80, 8, columns of 2.
    let before: Vec<f32> = (0..96).map(|n| (hash(n, 151) % 17) as f32 - 8.0).collect();
    let after = (0..32usize).flat_map(|n| {
        let at = |word: usize| before[word];
        let (x, y, z) = (n % 2, n / 2 % 4, n / 8 % 4);
        let product = (0..4).map(|k| at(80 + 8 * x + 2 * k) * at(24 + 8 * x + 4 * (y % 2) + k)).sum();
        [
            at(12 * x + 4 * (y % 3) + z % 3),
            at(12 * x + 4 * (z % 3) + y % 3),
            at(24 + 8 * x + 4 * (y % 2) + z),
            at(40 + 12 * x + 2 * (y % 3) + z % 2),
            at(40 + 12 * x + 8 + y % 3) + at(40 + 12 * x + 2 * (z % 3) + 1),
            at(64 + 8 * x + 4 * (y % 2) + z),
            at(80 + 8 * x + 2 * y + z % 2),
            product,
        ]
    });
    let after: Vec<f32> = after.collect();
    Case::new([1, 1, 1]).input(bits(&before)).output(bits(&after))
}

fn integer_wraps(_: u32) -> Case {
    let mut input = vec![0, 1, -1, i32::MIN, i32::MAX, i32::MIN + 1, 46_341, -46_341, 65_536, 3];
    input.extend((10..32).map(|n| hash(n, 152) as i32));
    let quotient = |a: i32, b: i32| if b == 0 { a } else { a.wrapping_div(b) };
    let remainder = |a: i32, b: i32| if b == 0 { 0 } else { a.wrapping_rem(b) };
    let after = (0..32usize).flat_map(|i| {
        let (a, b) = (input[i], input[(i * 5 + 1) % 32]);
        // u = (a, b, 3), u.zxy = (3, a, b).
        let turned = a.wrapping_mul(3).wrapping_add(b.wrapping_mul(a)).wrapping_add(b.wrapping_mul(3));
        [
            a.wrapping_abs(),
            a.wrapping_neg(),
            a.wrapping_mul(b),
            a.signum(),
            a.wrapping_mul(b).wrapping_add(a.wrapping_mul(3)),
            turned,
            quotient(a, b).wrapping_add(b),
            quotient(3, a),
            remainder(a, b).wrapping_add(remainder(3, a)),
            // min(max(a, 10), -10).
            -10,
            a.min(b).wrapping_sub(a.max(b)),
            (a as u32).max(10).min(b as u32) as i32,
        ]
    });
    let after: Vec<i32> = after.collect();
    Case::new([1, 1, 1]).input(signed(&input)).output(signed(&after))
}

fn remainders(_: u32) -> Case {
    // x - y · trunc(x / y), where every step is exact; a zero has the sign of x only as x - x has it: none.
    let pairs = [
        [7.5f32, 2.0],
        [-7.5, 2.0],
        [7.5, -2.0],
        [-7.5, -2.0],
        [0.75, 1.0],
        [-0.75, 4.0],
        [6.0, 3.0],
        [1_048_575.0, 1024.0],
        [0.0, 5.0],
        [5.25, 0.25],
        [-1.0, 8.0],
        [16_777_215.0, 2.0],
        [3.0, 1.5],
        [-100.5, 10.0],
        [2.0, 64.0],
        [-5.5, 0.5],
    ];
    let words: [u32; 16] = [
        0,
        1,
        16_777_217,
        16_777_219,
        33_554_434,
        33_554_438,
        u32::MAX,
        0x8000_0000,
        0x7fff_ffff,
        0x7fff_ffbf,
        0xffff_ff7f,
        0xffff_ff80,
        -16_777_217i32 as u32,
        -16_777_219i32 as u32,
        0x8000_0001,
        0xff00_0001,
    ];
    let after = pairs.iter().zip(words).flat_map(|(&[x, y], word)| {
        let remainder = |x: f32, y: f32| x - y * (x / y).trunc();
        let parts = f64::from(x) % f64::from(y);
        assert!(f64::from(remainder(x, y)) == parts, "the formula is exact for {x} % {y}");
        [
            remainder(x, y).to_bits(),
            (remainder(x, y) + remainder(y, 1.0)).to_bits(),
            (word as f32).to_bits(),
            (word as i32 as f32).to_bits(),
            u32::from(x != 0.0) + 2 * u32::from(word != 0),
        ]
    });
    let after: Vec<u32> = after.collect();
    // By hand: ties go to even.
    assert_eq!(after[2 * 5 + 2], 16_777_216f32.to_bits());
    assert_eq!(after[3 * 5 + 2], 16_777_220f32.to_bits());
    Case::new([1, 1, 1]).input(bits(&pairs.concat())).input(words).output(after)
}

fn float_to_integer(_: u32) -> Case {
    // Towards zero, limited to the integers that are floats too; docs/language.md: what is no number becomes the largest.
    let (most_signed, least_signed, most) = (2_147_483_520u32, 0x8000_0000u32, 4_294_967_040u32);
    let table: [(u32, [u32; 4]); 16] = [
        (f32::INFINITY.to_bits(), [most_signed, least_signed, most, 0]),
        (f32::NEG_INFINITY.to_bits(), [least_signed, most_signed, 0, most]),
        (0x7fc0_0000, [most_signed, most_signed, most, most]),
        (0xffc0_0000, [most_signed, most_signed, most, most]),
        (0x7f80_0001, [most_signed, most_signed, most, most]),
        (0x0000_0001, [0; 4]),
        (0x8000_0000, [0; 4]),
        (0.999_999_94f32.to_bits(), [0; 4]),
        (1.999_999_9f32.to_bits(), [1, -1i32 as u32, 1, 0]),
        (2_147_483_520f32.to_bits(), [2_147_483_520, -2_147_483_520i32 as u32, 2_147_483_520, 0]),
        (2_147_483_648f32.to_bits(), [most_signed, least_signed, 2_147_483_648, 0]),
        (4_294_967_040f32.to_bits(), [most_signed, least_signed, most, 0]),
        (4_294_967_296f32.to_bits(), [most_signed, least_signed, most, 0]),
        ((-2.5f32).to_bits(), [-2i32 as u32, 2, 0, 2]),
        (8_388_609.0f32.to_bits(), [8_388_609, -8_388_609i32 as u32, 8_388_609, 0]),
        (f32::MAX.to_bits(), [most_signed, least_signed, most, 0]),
    ];
    let (values, after): (Vec<u32>, Vec<[u32; 4]>) = table.into_iter().unzip();
    Case::new([1, 1, 1]).input(values).output(after.concat())
}

fn float_limits(_: u32) -> Case {
    let mut values = vec![
        0.0f32,
        -0.0,
        1.0,
        -1.0,
        f32::MAX,
        -f32::MAX,
        f32::MIN_POSITIVE,
        f32::from_bits(1),
        f32::from_bits(0x007f_ffff),
        f32::from_bits(0x8000_0003),
        0.99999994,
        -8_388_607.5,
    ];
    values.extend((12..32).map(|n| f32::from_bits(hash(n, 153) & 0xbfff_ffff)));
    let powers: Vec<i32> = (0..32)
        .map(|n| [0, 127, 128, -126, -127, -149, -150, 277, -277, 3, 400, -400, i32::MAX, i32::MIN][n as usize % 14])
        .collect();
    let after = values.iter().zip(&powers).flat_map(|(&x, &power)| {
        // In double precision every f32 is normal.
        let exact = f64::from(x);
        let (fraction, exponent) = if x == 0.0 {
            (x, 0)
        } else {
            let exponent = ((exact.to_bits() >> 52 & 0x7ff) as i32) - 1022;
            ((exact / 2f64.powi(exponent)) as f32, exponent)
        };
        assert!(x == 0.0 || (0.5..1.0).contains(&fraction.abs()), "{x} {fraction}");
        // Rounded once: 2^±400 is beyond every f32, and within f64.
        let scaled = (exact * 2f64.powi(power.clamp(-400, 400))) as f32;
        let floats = [x - x.trunc(), x.trunc(), scaled, x].map(f32::to_bits);
        [fraction.to_bits(), exponent as u32, floats[0], floats[1], floats[2], floats[3]]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(bits(&values)).input(signed(&powers)).output(after)
}

/// The bits of a half nearest to a number, ties to even (IEEE 754, binary16).
fn half_of(x: f32) -> u32 {
    // A million is beyond every half.
    let magnitude = f64::from(x.abs()).min(1e6);
    let exponent = (((magnitude.to_bits() >> 52) as i32) - 1023).max(-14);
    // Units of the last place; 1024 of them and more are a normal number.
    let units = (magnitude * 2f64.powi(10 - exponent)).round_ties_even() as i64;
    let bits = ((i64::from(exponent + 14) << 10) + units).min(0x7c00) as u32;
    bits | x.to_bits() >> 16 & 0x8000
}

/// The number that a half is.
fn of_half(half: u32) -> f32 {
    let (sign, exponent, units) = (half >> 15 & 1, (half >> 10 & 31) as i32, f64::from(half & 1023));
    let magnitude = match exponent {
        31 => f64::INFINITY,
        0 => units * 2f64.powi(-24),
        _ => (units + 1024.0) * 2f64.powi(exponent - 25),
    };
    (if sign == 1 { -magnitude } else { magnitude }) as f32
}

fn half_floats(_: u32) -> Case {
    let values: Vec<f32> = (0..32)
        .map(|n| {
            let edge = [
                0.0,
                65_504.0,
                65_519.996,
                65_520.0,
                1e30,
                f32::INFINITY,
                2f32.powi(-24),
                2f32.powi(-25),
                2f32.powi(-25) * 1.000_000_1,
                2f32.powi(-14),
                2f32.powi(-14) - 2f32.powi(-25),
                f32::from_bits(1),
                1.0 + 2f32.powi(-11),
                1.0 + 3.0 * 2f32.powi(-11),
                2047.0 + 0.5,
                2048.0 + 1.0,
            ];
            edge.get(n as usize).copied().unwrap_or_else(|| f32::from_bits(hash(n, 154) & 0x8fff_ffff | 0x3000_0000))
        })
        .collect();
    // By hand: the last that is no infinity, half of the smallest goes to zero, and a little more does not.
    assert_eq!([1, 2, 3, 7, 8].map(|n: usize| half_of(values[n])), [0x7bff, 0x7bff, 0x7c00, 0, 1]);
    let edges = [0, 0x8000_0001, 0x7c00_03ff, 0xfc00_0400, 0x7bff_fbff, 0x3c00_3555];
    let halves: Vec<u32> = (0..32)
        // No NaNs, whose bits are open.
        .map(|n| edges.get(n as usize).copied().unwrap_or_else(|| hash(n, 155) & 0xbbff_bbff))
        .collect();
    let after = values.iter().zip(&halves).flat_map(|(&x, &half)| {
        let own = half_of(x);
        let [low, high] = [of_half(half), of_half(half >> 16)];
        [own | (own ^ 0x8000) << 16, of_half(own).to_bits(), low.to_bits(), high.to_bits()]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(bits(&values)).input(halves).output(after)
}

fn packing_limits(_: u32) -> Case {
    // floor(0.5 + most · limited), where limited is min(1, max(-1 or 0, x)); max of a number and a NaN is the number.
    let table: [(u32, [u32; 4]); 16] = [
        (f32::NAN.to_bits(), [0, 0x81, 0, 0x8001]),
        (f32::INFINITY.to_bits(), [255, 0x7f, 0xffff, 0x7fff]),
        (f32::NEG_INFINITY.to_bits(), [0, 0x81, 0, 0x8001]),
        (1e30f32.to_bits(), [255, 0x7f, 0xffff, 0x7fff]),
        ((-1.0f32).to_bits(), [0, 0x81, 0, 0x8001]),
        (1.0f32.to_bits(), [255, 0x7f, 0xffff, 0x7fff]),
        (0, [0; 4]),
        (0x8000_0000, [0; 4]),
        (0x0000_0001, [0; 4]),
        // 127.5 + 0.5, 63.5 + 0.5, 32767.5 + 0.5, 16383.5 + 0.5.
        (0.5f32.to_bits(), [128, 64, 32_768, 16_384]),
        // -63.5 + 0.5 is -63, -16383.5 + 0.5 is -16383.
        ((-0.5f32).to_bits(), [0, 0xc1, 0, 0xc001]),
        // 63.75, 31.75, 16383.75, 8191.75.
        (0.25f32.to_bits(), [64, 32, 16_384, 8192]),
        // -31.75 is nearest to -32, -8191.75 to -8192.
        ((-0.25f32).to_bits(), [0, 0xe0, 0, 0xe000]),
        // 191.25, 95.25, 49151.25, 24575.25.
        (0.75f32.to_bits(), [191, 95, 49_151, 24_575]),
        // 31.875, 15.875, 8191.875, 4095.875.
        (0.125f32.to_bits(), [32, 16, 8192, 4096]),
        // 223.125, 111.125, 57343.125, 28671.125.
        (0.875f32.to_bits(), [223, 111, 57_343, 28_671]),
    ];
    let after = table.iter().zip(0usize..).flat_map(|(&(_, [byte, signed, word, signed_word]), i)| {
        // 0x80817fff: -1/127, 1, -1, and -128, which is limited to -1.
        let unpacked = [-1.0f32 / 127.0, 1.0, -1.0, -1.0][i % 4];
        [
            byte | 0x00ff_0000 | byte << 24,
            signed | 0x7f81_0000,
            word | 0xffff_0000,
            0x7fff | signed_word << 16,
            (byte as f32 / 255.0).to_bits(),
            unpacked.to_bits(),
        ]
    });
    let after: Vec<u32> = after.collect();
    let values: Vec<u32> = table.iter().map(|row| row.0).collect();
    Case::new([1, 1, 1]).input(values).output(after)
}

fn kept_bits(_: u32) -> Case {
    let quiet = 0x7fc0_0000;
    // x, then x + 0, x · 1, 0 - x, x - 0, x · 0, x / 1 by IEEE 754.
    let table: [[u32; 7]; 16] = {
        let (one, minus) = (0x3f80_0000, 0xbf80_0000);
        let (zero, minus_zero) = (0, 0x8000_0000);
        let nan = |bits: u32| [bits, quiet, quiet, quiet, quiet, quiet, quiet];
        [
            [zero; 7],
            [minus_zero, zero, minus_zero, zero, minus_zero, minus_zero, minus_zero],
            [one, one, one, minus, one, zero, one],
            [minus, minus, minus, one, minus, minus_zero, minus],
            nan(0x7fc0_1234),
            nan(0xffc0_0001),
            nan(0x7f80_0001),
            nan(0xff80_5678),
            [0x7f80_0000, 0x7f80_0000, 0x7f80_0000, 0xff80_0000, 0x7f80_0000, quiet, 0x7f80_0000],
            [0xff80_0000, 0xff80_0000, 0xff80_0000, 0x7f80_0000, 0xff80_0000, quiet, 0xff80_0000],
            [1, 1, 1, 0x8000_0001, 1, zero, 1],
            [0x8000_0001, 0x8000_0001, 0x8000_0001, 1, 0x8000_0001, minus_zero, 0x8000_0001],
            [0x007f_ffff, 0x007f_ffff, 0x007f_ffff, 0x807f_ffff, 0x007f_ffff, zero, 0x007f_ffff],
            [0x7f7f_ffff, 0x7f7f_ffff, 0x7f7f_ffff, 0xff7f_ffff, 0x7f7f_ffff, zero, 0x7f7f_ffff],
            nan(0x7fff_ffff),
            nan(0xffff_ffff),
        ]
    };
    let after = table.iter().flat_map(|&[x, sum, product, negative, difference, nothing, quotient]| {
        let (other_sign, no_sign) = (x ^ 0x8000_0000, x & 0x7fff_ffff);
        [x, other_sign, no_sign, x, sum, product, negative, difference, nothing, quotient]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(table.map(|row| row[0])).output(after)
}

fn least_and_most(_: u32) -> Case {
    // docs/language.md: of a number and a NaN the number; of two NaNs the canonical one; -0 is below +0;
    // clamp(x, low, high) is min(max(x, low), high), so the high one if they are exchanged.
    let (zero, minus, one, two, nan, quiet) = (0, 0x8000_0000, 0x3f80_0000, 0x4000_0000, 0x7fc0_1234, 0x7fc0_0000);
    let (infinite, below, half) = (0x7f80_0000, 0xff80_0000, 0x3f00_0000);
    // a, b; the lesser, the greater; a from 1 to 2; a from 0 to 1.
    let table: [[u32; 6]; 16] = [
        [zero, minus, minus, zero, one, zero],
        [minus, zero, minus, zero, one, zero],
        [minus, minus, minus, minus, one, zero],
        [nan, one, one, one, one, zero],
        [one, nan, one, one, one, one],
        [nan, nan, quiet, quiet, one, zero],
        [0xffff_ffff, minus, minus, minus, one, zero],
        [0x7f80_0001, infinite, infinite, infinite, one, zero],
        [infinite, below, below, infinite, two, one],
        [below, two, below, two, one, zero],
        [one, two, one, two, one, one],
        [two, one, one, two, two, one],
        [half, 1, 1, half, one, half],
        [1, 0x8000_0001, 0x8000_0001, 1, one, 1],
        [0x3fc0_0000, half, half, 0x3fc0_0000, 0x3fc0_0000, one],
        [0x7f7f_ffff, infinite, 0x7f7f_ffff, infinite, two, one],
    ];
    let after: Vec<u32> =
        table.iter().flat_map(|&[_, _, least, most, limited, share]| [least, most, limited, one, share]).collect();
    let pairs: Vec<u32> = table.iter().flat_map(|row| [row[0], row[1]]).collect();
    Case::new([1, 1, 1]).input(pairs).output(after)
}
