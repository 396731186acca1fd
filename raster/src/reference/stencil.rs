//! The stencil test of one fragment (OpenGL ES 2.0, `glStencilFuncSeparate`, `glStencilOpSeparate`).
//!
//! Before: alpha test. After: the depth test's verdict, which decides between two of the operations.

use crate::state::StencilFace;

/// Whether the reference passes against the stored value, both masked.
pub fn passes(face: StencilFace, reference: u8, stored: u8) -> bool {
    let mask = face.read_mask;
    face.compare.passes(u32::from(reference & mask), u32::from(stored & mask))
}

/// The value after both tests; `depth_passes` also where there is no depth test.
pub fn updated(face: StencilFace, reference: u8, stored: u8, depth_passes: bool) -> u8 {
    let operation = match (passes(face, reference, stored), depth_passes) {
        (false, _) => face.fail,
        (true, false) => face.depth_fail,
        (true, true) => face.pass,
    };
    let value = operation.apply(stored, reference);
    stored & !face.write_mask | value & face.write_mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Compare, StencilOperation};

    #[test]
    fn each_outcome_has_its_operation() {
        let face = StencilFace {
            compare: Compare::Equal,
            fail: StencilOperation::Zero,
            depth_fail: StencilOperation::IncrementClamp,
            pass: StencilOperation::Replace,
            ..StencilFace::OFF
        };
        assert_eq!(updated(face, 5, 9, true), 0);
        assert_eq!(updated(face, 5, 9, false), 0);
        assert_eq!(updated(face, 5, 5, false), 6);
        assert_eq!(updated(face, 5, 5, true), 5);
    }

    #[test]
    fn masks_hide_bits_from_the_test_and_from_the_write() {
        let face = StencilFace { read_mask: 0x0f, write_mask: 0xf0, ..StencilFace::REPLACE };
        assert!(passes(StencilFace { compare: Compare::Equal, ..face }, 0x35, 0x75));
        assert!(!passes(StencilFace { compare: Compare::Equal, ..face }, 0x35, 0x74));
        // (reference & m) ? (stored & m): the reference stands on the left.
        assert!(passes(StencilFace { compare: Compare::Less, ..face }, 0xf1, 0x02));
        assert_eq!(updated(face, 0x35, 0x7c, true), 0x3c);
    }
}
