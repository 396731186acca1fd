//! What a fragment does with the stencil value of its pixel (`GPUStencilFaceState`; OpenGL ES `glStencilFuncSeparate`,
//! `glStencilOpSeparate`, `glStencilMaskSeparate`).

use super::compare::Compare;

/// What becomes of a stored stencil value.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum StencilOperation {
    /// Stays.
    Keep,
    /// Becomes 0.
    Zero,
    /// Becomes the reference.
    Replace,
    /// Grows by 1, up to 255 (`GL_INCR`).
    IncrementClamp,
    /// Shrinks by 1, down to 0 (`GL_DECR`).
    DecrementClamp,
    /// Every bit turns round.
    Invert,
    /// Grows by 1; 255 becomes 0 (`GL_INCR_WRAP`).
    IncrementWrap,
    /// Shrinks by 1; 0 becomes 255 (`GL_DECR_WRAP`).
    DecrementWrap,
}

impl StencilOperation {
    /// All eight, in the order of their codes.
    pub const ALL: [Self; 8] = [
        Self::Keep,
        Self::Zero,
        Self::Replace,
        Self::IncrementClamp,
        Self::DecrementClamp,
        Self::Invert,
        Self::IncrementWrap,
        Self::DecrementWrap,
    ];

    /// The new value, before the write mask.
    pub const fn apply(self, stored: u8, reference: u8) -> u8 {
        match self {
            Self::Keep => stored,
            Self::Zero => 0,
            Self::Replace => reference,
            Self::IncrementClamp => stored.saturating_add(1),
            Self::DecrementClamp => stored.saturating_sub(1),
            Self::Invert => !stored,
            Self::IncrementWrap => stored.wrapping_add(1),
            Self::DecrementWrap => stored.wrapping_sub(1),
        }
    }
}

/// The stencil test of triangles that show one of their sides.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct StencilFace {
    /// The test: `reference & read_mask` ? `stored & read_mask`.
    pub compare: Compare,
    /// What happens if it fails.
    pub fail: StencilOperation,
    /// What happens if it passes and the depth test fails.
    pub depth_fail: StencilOperation,
    /// What happens if both pass; a depth test that is off passes.
    pub pass: StencilOperation,
    /// Bits that are compared.
    pub read_mask: u8,
    /// Bits that are written.
    pub write_mask: u8,
}

impl StencilFace {
    /// No test, no change.
    pub const OFF: Self = Self {
        compare: Compare::Always,
        fail: StencilOperation::Keep,
        depth_fail: StencilOperation::Keep,
        pass: StencilOperation::Keep,
        read_mask: 0xff,
        write_mask: 0xff,
    };
    /// Whatever is drawn leaves the reference behind.
    pub const REPLACE: Self = Self { pass: StencilOperation::Replace, ..Self::OFF };
    /// Only where the stored value is the reference; it stays.
    pub const EQUAL: Self = Self { compare: Compare::Equal, ..Self::OFF };
    /// Only where the stored value is not the reference; it stays.
    pub const NOT_EQUAL: Self = Self { compare: Compare::NotEqual, ..Self::OFF };
    /// Counts fragments behind what is there: the far sides of shadow volumes.
    pub const COUNT_UP_BEHIND: Self = Self { depth_fail: StencilOperation::IncrementWrap, ..Self::OFF };
    /// Counts them down: the near sides of shadow volumes.
    pub const COUNT_DOWN_BEHIND: Self = Self { depth_fail: StencilOperation::DecrementWrap, ..Self::OFF };

    /// Whether a fragment can fail.
    pub const fn is_tested(self) -> bool {
        !matches!(self.compare, Compare::Always)
    }

    /// Whether a stored value can change.
    pub const fn is_written(self) -> bool {
        const fn keeps(operation: StencilOperation) -> bool {
            matches!(operation, StencilOperation::Keep)
        }
        self.write_mask != 0 && !(keeps(self.fail) && keeps(self.depth_fail) && keeps(self.pass))
    }

    /// The number `kernels/tile/stencil.wgsl` knows it by: four bits each for the comparison and the three operations,
    /// a byte for each mask. Equal meanings have equal numbers, as far as that saves instructions.
    pub const fn code(self) -> u32 {
        self.compare as u32
            | (self.fail as u32) << 4
            | (self.depth_fail as u32) << 8
            | (self.pass as u32) << 12
            | (self.read_mask as u32) << 16
            | (self.write_mask as u32) << 24
    }
}

/// The stencil test of both sides. Points and lines show their front.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct StencilState {
    /// Of triangles that show their front.
    pub front: StencilFace,
    /// Of triangles that show their back.
    pub back: StencilFace,
}

impl StencilState {
    /// No test, no change.
    pub const OFF: Self = Self::both(StencilFace::OFF);

    /// The same for both sides.
    pub const fn both(face: StencilFace) -> Self {
        Self { front: face, back: face }
    }

    /// Whether a fragment can fail.
    pub const fn is_tested(self) -> bool {
        self.front.is_tested() || self.back.is_tested()
    }

    /// Whether a stored value can change.
    pub const fn is_written(self) -> bool {
        self.front.is_written() || self.back.is_written()
    }

    /// Whether the stage has to touch the stencil values at all.
    pub const fn is_used(self) -> bool {
        self.is_tested() || self.is_written()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OpenGL ES 2.0, `glStencilOp`.
    #[test]
    fn operations_saturate_or_wrap_at_the_ends() {
        let apply = |stored| StencilOperation::ALL.map(|operation| operation.apply(stored, 7));
        assert_eq!(apply(0), [0, 0, 7, 1, 0, 255, 1, 255]);
        assert_eq!(apply(255), [255, 0, 7, 255, 254, 0, 0, 254]);
        assert_eq!(apply(0b1010_0101), [165, 0, 7, 166, 164, 0b0101_1010, 166, 164]);
    }

    #[test]
    fn a_face_is_off_only_without_test_and_without_change() {
        assert!(!StencilState::OFF.is_used());
        assert!(StencilState { back: StencilFace::EQUAL, ..StencilState::OFF }.is_tested());
        assert!(!StencilFace::EQUAL.is_written());
        assert!(StencilFace::COUNT_UP_BEHIND.is_written());
        assert!(!StencilFace { write_mask: 0, ..StencilFace::REPLACE }.is_written());
    }
}
