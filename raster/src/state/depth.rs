//! How a fragment meets the depth buffer.

use super::compare::Compare;

/// How a fragment meets the depth buffer.
///
/// `Always` with `write` writes, as in WebGPU. OpenGL's "depth test off", which writes nothing whatever the depth mask is,
/// is [`DepthState::OFF`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct DepthState {
    /// The test.
    pub compare: Compare,
    /// Whether a fragment that passes leaves its depth behind.
    pub write: bool,
}

impl DepthState {
    /// No test, no write: OpenGL's depth test off.
    pub const OFF: Self = Self { compare: Compare::Always, write: false };
    /// The nearest fragment wins; of equal ones the first.
    pub const LESS_WRITE: Self = Self { compare: Compare::Less, write: true };
    /// The nearest fragment wins; of equal ones the last.
    pub const LESS_EQUAL_WRITE: Self = Self { compare: Compare::LessEqual, write: true };
    /// Tested like `LESS_WRITE`, but leaves the depth alone.
    pub const LESS: Self = Self { compare: Compare::Less, write: false };

    /// Whether the stage has to touch the depth buffer at all.
    pub const fn is_used(self) -> bool {
        self.write || !matches!(self.compare, Compare::Always)
    }

    /// Whether the stored depth is read.
    pub const fn is_tested(self) -> bool {
        !matches!(self.compare, Compare::Always)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_always_without_write_leaves_the_depth_buffer_alone() {
        for compare in Compare::ALL {
            for write in [false, true] {
                let is_off = compare == Compare::Always && !write;
                assert_eq!(DepthState { compare, write }.is_used(), !is_off);
            }
        }
    }
}
