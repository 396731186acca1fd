//! Conversions, packing and numeric builtins: exact ones bit for bit, others within the bounds that WGSL gives.

use super::numbers::{bits, floats, hash};
use super::{Accuracy, Bound, Case};

programs! {
    conversions;
    packing;
    rounding;
    float_parts;
    interpolation;
    exponentials;
    angles;
    geometry;
}

/// Floats at the edges of integers.
const EDGES: [f32; 16] = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    0.99999994,
    -1.5,
    2.5,
    8_388_609.0,
    -16_777_216.0,
    2_147_483_520.0,
    2_147_483_648.0,
    -2_147_483_648.0,
    4_294_967_040.0,
    4_294_967_296.0,
    1e20,
    -1e20,
];

fn conversions(_: u32) -> Case {
    // WGSL: towards zero, then to the nearest number of the type that is also a float.
    let after = EDGES.iter().zip(0u32..).flat_map(|(&x, n)| {
        let whole = f64::from(x).trunc();
        let to_signed = whole.clamp(-2_147_483_648.0, 2_147_483_520.0) as i32;
        let to_unsigned = whole.clamp(0.0, 4_294_967_040.0) as u32;
        // Integers become floats to nearest, ties to even, as Rust's `as` does it.
        let word = hash(n, 120);
        let [from_signed, from_unsigned] = [(word as i32) as f32, word as f32];
        [to_signed as u32, to_unsigned, from_signed.to_bits(), from_unsigned.to_bits(), u32::from(x != 0.0), word]
    });
    let after: Vec<u32> = after.collect();
    let words: Vec<u32> = (0..16).map(|n| hash(n, 120)).collect();
    Case::new([1, 1, 1]).input(bits(&EDGES)).input(words).output(after)
}

fn packing(_: u32) -> Case {
    // Quarters of steps are no ties, so every rule of rounding gives the same.
    let parts: Vec<f32> = (0..64).map(|n| ((hash(n, 121) % 255) as f32 - 127.0 + 0.25) / 127.0).collect();
    let after = parts.chunks(4).flat_map(|p| {
        let unsigned = |x: f32, most: f64| (f64::from(x.clamp(0.0, 1.0)) * most).round() as u32;
        let normal = |x: f32, most: f64| (0.5 + f64::from(x.clamp(-1.0, 1.0)) * most).floor() as i32;
        let bytes = |f: &dyn Fn(f32) -> u32| (0..4).fold(0, |word, n| word | (f(p[n]) & 255) << (8 * n));
        [
            bytes(&|x| unsigned(x, 255.0)),
            bytes(&|x| normal(x, 127.0) as u32),
            unsigned(p[0], 65_535.0) | unsigned(p[1], 65_535.0) << 16,
            normal(p[2], 32_767.0) as u32 & 0xffff | (normal(p[3], 32_767.0) as u32) << 16,
        ]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(bits(&parts)).output(after)
}

fn rounding(_: u32) -> Case {
    let values: Vec<f32> = (0..32)
        .map(|n| ((hash(n, 122) % 41) as f32 - 20.0) * 0.5)
        .chain([8_388_607.5, -8_388_608.0, 1e10, -0.25])
        .take(36)
        .collect();
    let after = values.iter().flat_map(|x| {
        let sign = if *x > 0.0 {
            1.0
        } else if *x < 0.0 {
            -1.0
        } else {
            0.0
        };
        // Adding zero makes one zero of both.
        [x.floor(), x.ceil(), x.trunc(), x.round_ties_even(), x - x.floor(), x.abs(), sign, x.clamp(-3.0, 2.5)]
            .map(|y| y + 0.0)
    });
    let after: Vec<f32> = after.collect();
    Case::new([2, 1, 1]).input(bits(&values)).output(bits(&after))
}

fn float_parts(_: u32) -> Case {
    let values: Vec<f32> = floats(123, 28).iter().map(|x| x * 1000.0).chain([0.0, 1.0, -0.75, 65_536.0]).collect();
    let after = values.iter().flat_map(|&x| {
        let (mut fraction, mut exponent) = (x, 0);
        if x != 0.0 {
            while fraction.abs() >= 1.0 {
                (fraction, exponent) = (fraction / 2.0, exponent + 1);
            }
            while fraction.abs() < 0.5 {
                (fraction, exponent) = (fraction * 2.0, exponent - 1);
            }
        }
        [fraction, exponent as f32, x - x.trunc(), x.trunc(), x * 8.0, x / 1024.0].map(|y| y + 0.0)
    });
    let after: Vec<f32> = after.collect();
    Case::new([1, 1, 1]).input(bits(&values)).output(bits(&after))
}

fn interpolation(_: u32) -> Case {
    let values = floats(124, 96);
    let after = values.chunks(3).flat_map(|v| {
        let (a, b, t) = (v[0], v[1], v[2]);
        let s = ((t + 0.5) / 1.5).clamp(0.0, 1.0);
        let step = if a <= t { 1.0 } else { 0.0 };
        [a * (1.0 - t) + b * t, step, s * s * (3.0 - 2.0 * s), t.clamp(0.0, 1.0)]
    });
    let after: Vec<f32> = after.collect();
    let accuracy = Accuracy::Rounded { elsewhere: Bound { absolute: 1e-6, ulps: 4.0 } };
    Case::new([1, 1, 1]).input(bits(&values)).output(bits(&after)).known(accuracy)
}

fn exponentials(_: u32) -> Case {
    let values: Vec<f32> = floats(125, 32).iter().map(|x| x * 4.0).collect();
    let after = values.iter().flat_map(|&x| {
        let (x, y) = (f64::from(x), f64::from(x).abs() + 0.125);
        [x.exp(), x.exp2(), y.ln(), y.log2(), y.powf(1.5), 1.0 / y.sqrt(), x.tanh(), x.sinh()].map(|value| value as f32)
    });
    let after: Vec<f32> = after.collect();
    // WGSL "Accuracy": exp and exp2 3 + 2|x| ulp (11 here); log 3 ulp, 2^-21 near one; pow as exp2(y · log2 x); tanh 2^-10.987; sinh by exps.
    let bound = Bound { absolute: 2e-6, ulps: 16.0 };
    Case::new([1, 1, 1])
        .input(bits(&values))
        .output(bits(&after))
        .known(Accuracy::Bounded(Bound { absolute: 4.9e-4, ..bound }))
}

fn angles(_: u32) -> Case {
    let values: Vec<f32> = floats(126, 32).iter().map(|x| x * std::f32::consts::PI).collect();
    let after = values.iter().flat_map(|&x| {
        let (x, s) = (f64::from(x), f64::from(x) / 4.0);
        [x.sin(), x.cos(), s.atan(), (x + 4.0).atan2(s), s.asin(), s.acos(), x.to_degrees(), x.to_radians()]
            .map(|value| value as f32)
    });
    let after: Vec<f32> = after.collect();
    // WGSL "Accuracy": sin and cos 2^-11 within [-π, π]; atan and atan2 4096 ulp; asin and acos 6.77e-5 and by atan2.
    Case::new([1, 1, 1])
        .input(bits(&values))
        .output(bits(&after))
        .known(Accuracy::Bounded(Bound { absolute: 4.9e-4, ulps: 4.0 }))
}

fn geometry(_: u32) -> Case {
    let values = floats(127, 32 * 6);
    let after = values.chunks(6).flat_map(|v| {
        let (a, b) = ([v[0], v[1], v[2]].map(f64::from), [v[3], v[4], v[5]].map(f64::from));
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let length = dot(b, b).sqrt();
        let n = b.map(|x| x / length);
        let across = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        let turned = [0, 1, 2].map(|axis| a[axis] - 2.0 * dot(n, a) * n[axis]);
        let away = [0, 1, 2].map(|axis| a[axis] - b[axis]);
        let faced = if dot(b, a) < 0.0 { n } else { n.map(|x| -x) };
        [[dot(a, b), length, dot(away, away).sqrt()], n, across, turned, faced].concat().into_iter().map(|x| x as f32)
    });
    let after: Vec<f32> = after.collect();
    let bound = Bound { absolute: 4e-6, ulps: 8.0 };
    Case::new([1, 1, 1]).input(bits(&values)).output(bits(&after)).known(Accuracy::Bounded(bound))
}
