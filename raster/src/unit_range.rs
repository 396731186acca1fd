//! Values from 0 to 1: depths, and the channels of colours.

/// Clamped to [0, 1]; a NaN is 0, and −0 is +0, whose bits order below those of every other depth.
pub fn saturate(value: f32) -> f32 {
    if value >= 1.0 {
        1.0
    } else if value > 0.0 {
        value
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_outside_becomes_the_nearer_end() {
        assert_eq!([-1.0, 0.25, 1.0, 7.0, f32::INFINITY, f32::NAN].map(saturate), [0.0, 0.25, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!(saturate(-0.0).to_bits(), 0);
    }
}
