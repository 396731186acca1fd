//! What a pipeline does with the samples of a pixel (`GPUMultisampleState`; how many there are is the pass's business).

/// Which samples may be drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct MultisampleState {
    /// A bit for each sample that may be drawn.
    pub mask: u32,
    /// Whether alpha of `@location(0)` takes samples away: of four, the first round(4 · alpha) stay, ties to even; alpha
    /// below 0 counts as 0, above 1 as 1. With one sample a pixel nothing is taken away.
    pub alpha_to_coverage: bool,
}

impl MultisampleState {
    /// All samples.
    pub const ALL: Self = Self { mask: u32::MAX, alpha_to_coverage: false };

    /// The samples that an alpha leaves, a bit each.
    pub fn coverage_of_alpha(alpha: f32) -> u32 {
        let share = if alpha >= 1.0 {
            1.0
        } else if alpha > 0.0 {
            alpha
        } else {
            0.0
        };
        (1 << (share * 4.0).round_ties_even() as u32) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_alpha_never_covers_less() {
        let coverage = MultisampleState::coverage_of_alpha;
        let steps = [
            (f32::NAN, 0),
            (-1.0, 0),
            (0.0, 0),
            (0.125, 0),
            (0.126, 1),
            (0.374, 1),
            (0.375, 3),
            (0.5, 3),
            (0.625, 3),
            (0.626, 7),
            (0.874, 7),
            (0.875, 15),
            (7.0, 15),
        ];
        for (alpha, covered) in steps {
            assert_eq!(coverage(alpha), covered, "alpha {alpha}");
        }
        let mut before = 0;
        for step in 0..=1000 {
            let covered = coverage(step as f32 / 1000.0);
            assert_eq!(covered & before, before, "a sample stays covered");
            before = covered;
        }
    }
}
