//! Logarithms to base 2, e and 10, and that of 1 + x.

use super::Outcome::{self, Exact, Inexact, Invalid, Pole};
use super::below;

/// The operands that all logarithms treat alike.
fn special(x: f32) -> Option<Outcome> {
    match x {
        _ if x == 0.0 => Some(Pole(f64::NEG_INFINITY)),
        _ if x < 0.0 => Some(Invalid),
        _ if x == f32::INFINITY => Some(Exact(f64::INFINITY)),
        _ if x == 1.0 => Some(Exact(0.0)),
        _ => None,
    }
}

/// Natural logarithm.
pub(super) fn log(x: f32) -> Outcome {
    special(x).unwrap_or_else(|| Inexact(libm::log(x.into())))
}

/// Logarithm to base 2.
pub(super) fn log2(x: f32) -> Outcome {
    let bits = f64::from(x).to_bits();
    special(x).unwrap_or_else(|| match bits & ((1 << 52) - 1) {
        // A power of two; as f64 every f32 is normal.
        0 => Exact(((bits >> 52) as i32 - 1023).into()),
        _ => Inexact(libm::log2(x.into())),
    })
}

/// Logarithm to base 10.
pub(super) fn log10(x: f32) -> Outcome {
    // Powers of 10 that f32 holds: 5^10 has 24 bits.
    const POWERS: [f32; 10] = [1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10];
    special(x).unwrap_or_else(|| match POWERS.iter().position(|&power| power == x) {
        Some(place) => Exact(place as f64 + 1.0),
        None => Inexact(libm::log10(x.into())),
    })
}

/// Natural logarithm of 1 + x.
pub(super) fn log1p(x: f32) -> Outcome {
    match x {
        _ if x == 0.0 || x == f32::INFINITY => Exact(x.into()),
        _ if x == -1.0 => Pole(f64::NEG_INFINITY),
        _ if x < -1.0 => Invalid,
        _ => {
            let wide = f64::from(x);
            let value = libm::log1p(wide);
            // Below x by x²/2.
            Inexact(if value == wide { below(value) } else { value })
        }
    }
}
