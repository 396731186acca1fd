//! The true values of the transcendental functions, to about 90 digits, by series and Newton's method.
//!
//! Independent of the machine: the only functions of others used are first guesses, which a step of Newton's method
//! replaces. Arguments are finite numbers inside the domain; special values have tests of their own.

use super::twice::Twice;
use gpu_core::isa::Op;

/// The true value, or what stands for it beyond the range of `f32`; `None` where the operands give no finite number.
pub fn value(op: Op, a: f32, b: f32) -> Option<Twice> {
    let (x, y) = (Twice::new(a.into()), Twice::new(b.into()));
    let is_in_domain = match op {
        Op::Frecip => a != 0.0,
        Op::Frsqrt | Op::Flog | Op::Flog2 | Op::Flog10 => a > 0.0,
        Op::Flog1p => a > -1.0,
        Op::Fasin | Op::Facos | Op::Fasinpi | Op::Facospi => a.abs() <= 1.0,
        Op::Facosh => a >= 1.0,
        Op::Fatanh => a.abs() < 1.0,
        Op::Ftanpi => half_turns(a).1 != Twice::new(0.0) || half_turns(a).0.is_multiple_of(2),
        Op::Fatan2 | Op::Fatan2pi => a != 0.0 && b != 0.0,
        Op::Fpow => a > 0.0,
        Op::Froot => a > 0.0 && b != 0.0,
        _ => true,
    };
    if !a.is_finite() || !b.is_finite() || !is_in_domain {
        return None;
    }
    Some(match op {
        Op::Frecip => Twice::ONE / x,
        Op::Frsqrt => Twice::ONE / x.sqrt(),
        Op::Fcbrt => cube_root(x),
        Op::Fhypot => (x * x + y * y).sqrt(),
        Op::Fexp => exp(x),
        Op::Fexp2 => exp2(x),
        Op::Fexp10 => exp(limit(x) * Twice::LN_10),
        Op::Fexpm1 => expm1(x),
        Op::Flog => log(x),
        Op::Flog2 => log(x) / Twice::LN_2,
        Op::Flog10 => log(x) / Twice::LN_10,
        Op::Flog1p => log1p(x),
        Op::Fsin => sine_of_radians(a, 0),
        Op::Fcos => sine_of_radians(a, 1),
        Op::Ftan => sine_of_radians(a, 0) / sine_of_radians(a, 1),
        Op::Fsinpi => sine_of_half_turns(a, 0),
        Op::Fcospi => sine_of_half_turns(a, 1),
        Op::Ftanpi => sine_of_half_turns(a, 0) / sine_of_half_turns(a, 1),
        Op::Fatan2 => angle(y, x),
        Op::Fasin => arc_sine(x),
        Op::Facos => arc_cosine(x),
        Op::Fatan => arc_tangent(x),
        Op::Fatan2pi => angle(y, x) / Twice::PI,
        Op::Fasinpi => arc_sine(x) / Twice::PI,
        Op::Facospi => arc_cosine(x) / Twice::PI,
        Op::Fatanpi => arc_tangent(x) / Twice::PI,
        Op::Fsinh => {
            let e = expm1(x.abs());
            with_sign((e + e / (e + Twice::ONE)).scale(0.5), a)
        }
        Op::Fcosh => {
            let e = exp(x.abs());
            (e + Twice::ONE / e).scale(0.5)
        }
        Op::Ftanh => {
            let e = expm1(x.abs().scale(2.0));
            with_sign(e / (e + Twice::new(2.0)), a)
        }
        Op::Fasinh => {
            let magnitude = x.abs();
            let square = magnitude * magnitude;
            with_sign(log1p(magnitude + square / (Twice::ONE + (Twice::ONE + square).sqrt())), a)
        }
        Op::Facosh => {
            let t = x - Twice::ONE;
            log1p(t + (t.scale(2.0) + t * t).sqrt())
        }
        Op::Fatanh => {
            let magnitude = x.abs();
            with_sign(log1p(magnitude.scale(2.0) / (Twice::ONE - magnitude)).scale(0.5), a)
        }
        Op::Fpow => exp(limit(y * log(x))),
        Op::Froot => exp(limit(log(x) / y)),
        _ => return None,
    })
}

fn with_sign(magnitude: Twice, sign: f32) -> Twice {
    if sign.is_sign_negative() { -magnitude } else { magnitude }
}

/// Exponents beyond these give numbers far beyond `f32`, whatever the base.
fn limit(x: Twice) -> Twice {
    if x.high > 250.0 {
        Twice::new(250.0)
    } else if x.high < -250.0 {
        Twice::new(-250.0)
    } else {
        x
    }
}

/// 2^n.
fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((1023 + n) as u64) << 52)
}

/// e^x − 1 of a small x: x + x²/2 + … of x/256, then eight times e^2x − 1 = (e^x − 1)² + 2·(e^x − 1).
fn small_expm1(x: Twice) -> Twice {
    let x = x.scale(1.0 / 256.0);
    let mut result = Twice::ONE;
    // |x| <= 1/700: twelve terms.
    for n in (2..=12).rev() {
        result = Twice::ONE + result * x / Twice::new(f64::from(n));
    }
    result = result * x;
    for _ in 0..8 {
        result = result * result + result.scale(2.0);
    }
    result
}

fn exp(x: Twice) -> Twice {
    let x = limit(x);
    let n = libm::rint(x.high / std::f64::consts::LN_2);
    let rest = x - Twice::LN_2 * Twice::new(n);
    (small_expm1(rest) + Twice::ONE).scale(power_of_two(n as i32))
}

fn exp2(x: Twice) -> Twice {
    let x = limit(x);
    let n = libm::rint(x.high);
    (small_expm1((x - Twice::new(n)) * Twice::LN_2) + Twice::ONE).scale(power_of_two(n as i32))
}

fn expm1(x: Twice) -> Twice {
    if x.high.abs() < 0.3 { small_expm1(x) } else { exp(x) - Twice::ONE }
}

/// A step of Newton's method from a guess y: ln x = y + ln(x·e^−y).
fn log(x: Twice) -> Twice {
    let away = x - Twice::ONE;
    if away.high.abs() < 1.0 / 1024.0 {
        return small_log1p(away);
    }
    let guess = Twice::new(libm::log(x.high));
    // Two factors, since e^-guess alone may be beyond f64.
    let half = exp(guess.scale(-0.5));
    guess + small_log1p(x * half * half - Twice::ONE)
}

fn log1p(x: Twice) -> Twice {
    if x.high.abs() < 1.0 / 1024.0 { small_log1p(x) } else { log(Twice::ONE + x) }
}

/// 2·atanh(s) with s = x / (2 + x), as a series.
fn small_log1p(x: Twice) -> Twice {
    let s = x / (Twice::new(2.0) + x);
    let square = s * s;
    let mut result = Twice::new(0.0);
    // s² < 2^-21: six terms.
    for n in (0..6).rev() {
        result = result * square + Twice::ONE / Twice::new(f64::from(2 * n + 1));
    }
    (result * s).scale(2.0)
}

/// A step of Newton's method from a guess.
fn cube_root(x: Twice) -> Twice {
    if x.high == 0.0 {
        return x;
    }
    let guess = Twice::new(libm::cbrt(x.high));
    let square = guess * guess;
    guess - (square * guess - x) / (square * Twice::new(3.0))
}

/// The series of sine (`from` 1) and cosine (`from` 0) of an angle of at most π/2.
fn series(x: Twice, from: u32) -> Twice {
    let square = x * x;
    let mut result = Twice::ONE;
    for n in (1..=16).rev() {
        let (a, b) = (f64::from(2 * n + from), f64::from(2 * n + from - 1));
        result = Twice::ONE - result * square / Twice::new(a * b);
    }
    if from == 1 { result * x } else { result }
}

/// Sine of an angle of so many quarter turns and a rest in radians.
fn sine(quarters: u32, rest: Twice) -> Twice {
    match quarters & 3 {
        0 => series(rest, 1),
        1 => series(rest, 0),
        2 => -series(rest, 1),
        _ => -series(rest, 0),
    }
}

fn sine_of_radians(x: f32, more: u32) -> Twice {
    let (quarters, rest) = radians(x);
    sine(quarters.wrapping_add(more), rest)
}

fn sine_of_half_turns(x: f32, more: u32) -> Twice {
    let (quarters, rest) = half_turns(x);
    sine(quarters.wrapping_add(more), rest * Twice::PI)
}

/// Quarter turns and the rest in half turns, exactly.
fn half_turns(x: f32) -> (u32, Twice) {
    let wide = f64::from(x);
    // Whole turns go: the remainder of a division is exact.
    let turn = wide % 2.0;
    let quarters = libm::rint(2.0 * turn);
    (quarters as i32 as u32, Twice::new(turn - quarters / 2.0))
}

/// Bits of 2/π after the point, from its series of arc tangents (Machin).
const TWO_OVER_PI: [u64; 6] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
];

/// Quarter turns and the rest in radians: the fraction of x·2/π in whole numbers.
fn radians(x: f32) -> (u32, Twice) {
    if x.abs() < 0.75 {
        return (0, Twice::new(x.into()));
    }
    let significand = x.to_bits() & 0x007f_ffff | 0x0080_0000;
    let exponent = (x.to_bits() >> 23 & 0xff) as i32 - 150;
    // The bits of 2/π from weight 2^-(first + 1) on; those before make whole turns. Before the point they are zero.
    let first = exponent - 2;
    let bit_window = |place: i32| {
        // 64 bits from `place` on.
        let word = |index: i32| if index < 0 { 0 } else { TWO_OVER_PI[index as usize] };
        let (index, shift) = (place.div_euclid(64), place.rem_euclid(64) as u32);
        let high = word(index) << shift;
        if shift == 0 { high } else { high | word(index + 1) >> (64 - shift) }
    };
    // 192 bits times 24 bits; the point lies after the second bit of the window, and what is above counts modulo 4.
    let mut limbs = [0_u64; 3];
    let mut carry = 0;
    for place in (0..3).rev() {
        let term = u128::from(bit_window(first + 64 * place)) * u128::from(significand) + carry;
        limbs[place as usize] = term as u64;
        carry = term >> 64;
    }
    let quarters = (limbs[0] >> 62) as u32;
    // The fraction in 128 bits, its highest bit ½.
    let fraction = u128::from(limbs[0]) << 66 | u128::from(limbs[1]) << 2 | u128::from(limbs[2] >> 62);
    let rest = limbs[2] << 2;
    let (quarters, is_negative) = (quarters + (fraction >> 127) as u32, fraction >> 127 != 0);
    // Two's complement of the fraction and its rest, where the nearest quarter is the next one.
    let (fraction, rest) = match is_negative {
        true => (!fraction, !rest),
        false => (fraction, rest),
    };
    let shift = fraction.leading_zeros();
    let digits = fraction << shift | u128::from(rest) << shift >> 64;
    let unit = power_of_two(-(shift as i32) - 64) * power_of_two(-64);
    let (top, bottom) = ((digits >> 75 << 75) as f64, (digits << 53 >> 53) as f64);
    let magnitude = Twice::new(top * unit) + Twice::new(bottom * unit);
    let angle = magnitude * Twice::PI.scale(0.5);
    let angle = if is_negative { -angle } else { angle };
    if x < 0.0 { (quarters.wrapping_neg(), -angle) } else { (quarters, angle) }
}

/// A step of Newton's method from a guess g: atan x = g + atan((x − tan g) / (1 + x·tan g)).
fn arc_tangent(x: Twice) -> Twice {
    if x.high.abs() > 1.0 {
        let quarter = if x.high > 0.0 { Twice::PI.scale(0.5) } else { -Twice::PI.scale(0.5) };
        return quarter - arc_tangent(Twice::ONE / x);
    }
    let guess = Twice::new(libm::atan(x.high));
    let tangent = series(guess, 1) / series(guess, 0);
    let rest = (x - tangent) / (Twice::ONE + x * tangent);
    guess + rest - rest * rest * rest / Twice::new(3.0)
}

fn arc_sine(x: Twice) -> Twice {
    let other = ((Twice::ONE - x) * (Twice::ONE + x)).sqrt();
    if other.high == 0.0 { Twice::PI.scale(0.5 * x.high) } else { arc_tangent(x / other) }
}

fn arc_cosine(x: Twice) -> Twice {
    if x.high == -1.0 {
        return Twice::PI;
    }
    arc_tangent(((Twice::ONE - x) / (Twice::ONE + x)).sqrt()).scale(2.0)
}

/// The angle of the point (x, y); neither is zero.
fn angle(x: Twice, y: Twice) -> Twice {
    let first = arc_tangent((y / x).abs());
    let first = if x.high < 0.0 { Twice::PI - first } else { first };
    if y.high < 0.0 { -first } else { first }
}
