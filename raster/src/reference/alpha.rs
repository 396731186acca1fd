//! The alpha test: which fragments live by their alpha (OpenGL ES 1.1, `glAlphaFunc`).
//!
//! Before: the fragment shader. After: stencil and depth, for fragments that pass; the others change nothing at all.

use crate::state::Compare;

/// Whether an alpha in [0, 1] passes against the reference, whose bits these are. Such floats order like their bits.
pub fn passes(compare: Compare, alpha: f32, reference: u32) -> bool {
    compare.passes(alpha.to_bits(), reference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Constants, FogMode};

    #[test]
    fn all_eight_functions_compare_with_the_clamped_reference() {
        let check = |alpha: f32, reference: f32, expected: [bool; 8]| {
            let constants = Constants { alpha_reference: reference, ..Constants::DEFAULT };
            let reference = constants.prepared(FogMode::Off).alpha_reference;
            assert_eq!(Compare::ALL.map(|compare| passes(compare, alpha, reference)), expected);
        };
        // Never, less, equal, less or equal, greater, not equal, greater or equal, always.
        let (y, n) = (true, false);
        check(0.25, 0.5, [n, y, n, y, n, y, n, y]);
        check(0.5, 0.5, [n, n, y, y, n, n, y, y]);
        check(0.75, 0.5, [n, n, n, n, y, y, y, y]);
        check(1.0, 3.0, [n, n, y, y, n, n, y, y]);
        check(0.0, -3.0, [n, n, y, y, n, n, y, y]);
    }
}
