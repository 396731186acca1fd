//! The eight comparisons of depth, stencil and alpha test (`GPUCompareFunction`).

/// How an incoming depth is compared with the stored one: the test passes when `incoming ? stored` holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// Never passes.
    Never,
    /// incoming < stored.
    Less,
    /// incoming = stored.
    Equal,
    /// incoming ≤ stored.
    LessEqual,
    /// incoming > stored.
    Greater,
    /// incoming ≠ stored.
    NotEqual,
    /// incoming ≥ stored.
    GreaterEqual,
    /// Always passes.
    Always,
}

impl Compare {
    /// All eight, in the order of their codes.
    pub const ALL: [Self; 8] = [
        Self::Never,
        Self::Less,
        Self::Equal,
        Self::LessEqual,
        Self::Greater,
        Self::NotEqual,
        Self::GreaterEqual,
        Self::Always,
    ];

    /// Whether `incoming` passes against `stored`.
    pub const fn passes(self, incoming: u32, stored: u32) -> bool {
        match self {
            Self::Never => false,
            Self::Less => incoming < stored,
            Self::Equal => incoming == stored,
            Self::LessEqual => incoming <= stored,
            Self::Greater => incoming > stored,
            Self::NotEqual => incoming != stored,
            Self::GreaterEqual => incoming >= stored,
            Self::Always => true,
        }
    }

    /// The number the tile kernel knows it by.
    pub const fn code(self) -> u32 {
        self as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_comparison_agrees_with_its_operator() {
        for (incoming, stored) in [(1, 2), (2, 2), (3, 2)] {
            let passes = Compare::ALL.map(|compare| compare.passes(incoming, stored));
            let expected = [
                false,
                incoming < stored,
                incoming == stored,
                incoming <= stored,
                incoming > stored,
                incoming != stored,
                incoming >= stored,
                true,
            ];
            assert_eq!(passes, expected);
        }
    }
}
