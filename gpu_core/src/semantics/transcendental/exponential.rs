//! Powers of 2, e and 10, and e to the power x less 1.

use super::Outcome::{self, Exact, Inexact};
use super::{above, below, is_whole};

/// A limit that the function comes so near to that `f64` cannot tell: the neighbour on the side that `is_above` says.
fn beside(value: f64, limit: f64, is_above: bool) -> f64 {
    match (value == limit, is_above) {
        (true, true) => above(value),
        (true, false) => below(value),
        _ => value,
    }
}

/// e to the power x.
pub(super) fn exp(x: f32) -> Outcome {
    if x == 0.0 {
        return Exact(1.0);
    }
    if x.is_infinite() {
        return Exact(if x > 0.0 { f64::INFINITY } else { 0.0 });
    }
    Inexact(beside(libm::exp(x.into()), 1.0, x > 0.0))
}

/// 2 to the power x.
pub(super) fn exp2(x: f32) -> Outcome {
    if x.is_infinite() {
        return Exact(if x > 0.0 { f64::INFINITY } else { 0.0 });
    }
    if is_whole(x) && x.abs() < 1000.0 {
        return Exact(power_of_two(x as i32));
    }
    Inexact(beside(libm::exp2(x.into()), 1.0, x > 0.0))
}

/// 10 to the power x.
pub(super) fn exp10(x: f32) -> Outcome {
    if x.is_infinite() {
        return Exact(if x > 0.0 { f64::INFINITY } else { 0.0 });
    }
    // Powers of 10 up to 10^22 are exact in f64, and so is each product on the way.
    if is_whole(x) && (0.0..=22.0).contains(&x) {
        return Exact((0..x as u32).fold(1.0, |power, _| power * 10.0));
    }
    if x.abs() > 300.0 {
        return Inexact(if x > 0.0 { f64::INFINITY } else { 0.0 });
    }
    // log2(10) in two parts; the first has 29 bits, so that its product with the 24 bits of x is exact.
    const LOG2_10_HIGH: f64 = f64::from_bits(std::f64::consts::LOG2_10.to_bits() & !0xff_ffff);
    const LOG2_10_LOW: f64 = (std::f64::consts::LOG2_10 - LOG2_10_HIGH) + LOG2_10_REST;
    // What the f64 next to log2(10) lacks.
    const LOG2_10_REST: f64 = 1.661_617_516_973_592e-16;
    let x = f64::from(x);
    let product = x * LOG2_10_HIGH;
    let whole = libm::rint(product);
    let value = libm::exp2((product - whole) + x * LOG2_10_LOW) * power_of_two(whole as i32);
    Inexact(beside(value, 1.0, x > 0.0))
}

/// e to the power x, less 1.
pub(super) fn expm1(x: f32) -> Outcome {
    if x == 0.0 {
        return Exact(x.into());
    }
    if x.is_infinite() {
        return Exact(if x > 0.0 { f64::INFINITY } else { -1.0 });
    }
    let wide = f64::from(x);
    // Above x by x²/2, and above −1.
    Inexact(beside(beside(libm::expm1(wide), wide, true), -1.0, true))
}

/// 2^n for |n| <= 1000.
fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((1023 + n) as u64) << 52)
}
