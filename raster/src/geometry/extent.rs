//! What a point or a line takes of its rectangle of pixels.
//!
//! Before: `point` and `line`. After: both rasterizers, which ask it at pixel centres or at samples (`kernels/tile/walk.wgsl`,
//! `kernels/tile/samples.wgsl`). Everything is in steps of 1/512 pixel, in which samples, vertices and half sizes are exact.

/// Steps of a pixel.
pub const STEPS: i32 = 512;

/// Steps of a sixteenth of a pixel, in which samples are placed.
const SIXTEENTH: i32 = STEPS / 16;

/// What must hold beside edges and pixels.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// Nothing more.
    #[default]
    Pixels,
    /// The place lies in a rectangle that may cut through pixels.
    Places(PlaceBox),
    /// It lies in a disc, and in the square around it.
    Disc(Disc),
}

impl Extent {
    /// Whether a place of a pixel is inside, given in sixteenths from the pixel's top left corner.
    pub const fn covers(&self, [x, y]: [i32; 2], place: [i32; 2]) -> bool {
        let at = [STEPS * x + SIXTEENTH * place[0], STEPS * y + SIXTEENTH * place[1]];
        match self {
            Self::Pixels => true,
            Self::Places(rectangle) => rectangle.holds(at),
            Self::Disc(disc) => disc.square().holds(at) && disc.holds(at),
        }
    }

    /// The rectangle that samples are held against.
    pub const fn places(&self) -> PlaceBox {
        match self {
            Self::Pixels => PlaceBox { first: [0; 2], size: [0; 2] },
            Self::Places(rectangle) => *rectangle,
            Self::Disc(disc) => disc.square(),
        }
    }
}

/// A rectangle without its right and bottom edge.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PlaceBox {
    /// Its left and top edge.
    pub first: [i32; 2],
    /// How wide and high it is, not below zero.
    pub size: [i32; 2],
}

impl PlaceBox {
    const fn holds(&self, [x, y]: [i32; 2]) -> bool {
        let [x, y] = [x - self.first[0], y - self.first[1]];
        x >= 0 && x < self.size[0] && y >= 0 && y < self.size[1]
    }
}

/// A disc: places at most `radius` from `center`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Disc {
    /// Its middle.
    pub center: [i32; 2],
    /// At most 2^19, half of the largest point.
    pub radius: i32,
}

impl Disc {
    /// The square around it.
    const fn square(&self) -> PlaceBox {
        let [x, y] = self.center;
        PlaceBox { first: [x - self.radius, y - self.radius], size: [2 * self.radius; 2] }
    }

    /// Whether a place of the square is inside: dx² + dy² ≤ radius², exactly, in 32 bits as the kernel computes it. Each
    /// number is high · 2^10 + low, so the difference of the squares has digits of 10 bits that can be added one by one.
    const fn holds(&self, [x, y]: [i32; 2]) -> bool {
        const BITS: u32 = 10;
        const LOW: i32 = (1 << BITS) - 1;
        let (dx, dy, radius) = (x - self.center[0], y - self.center[1], self.radius);
        let (x_high, y_high, radius_high) = (dx >> BITS, dy >> BITS, radius >> BITS);
        let (x_low, y_low, radius_low) = (dx & LOW, dy & LOW, radius & LOW);
        let high = x_high * x_high + y_high * y_high - radius_high * radius_high;
        let middle = 2 * (x_high * x_low + y_high * y_low - radius_high * radius_low);
        let low = x_low * x_low + y_low * y_low - radius_low * radius_low;
        let sum = (high << BITS) + middle + (low >> BITS);
        sum < 0 || (sum == 0 && low & LOW == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_disc_of_four_pixels_has_no_corners() {
        let disc = Extent::Disc(Disc { center: [2 * STEPS; 2], radius: 2 * STEPS });
        let rows = [0, 1, 2, 3].map(|y| [0, 1, 2, 3].map(|x| u32::from(disc.covers([x, y], [8, 8]))));
        assert_eq!(rows, [[0, 1, 1, 0], [1, 1, 1, 1], [1, 1, 1, 1], [0, 1, 1, 0]]);
    }

    proptest! {
        #![proptest_config(crate::seeded::seeded(2000))]

        /// 32 bits are enough everywhere in the square (plain arithmetic: an overflow fails), and the test is exact. Half of
        /// the places lie beside the circle, where the last bit decides.
        #[test]
        fn discs_are_exact_and_never_overflow(
            center in prop::array::uniform2(-(1i32 << 22)..1 << 22),
            radius in prop::sample::select(vec![256i32, 700, 32 * 256, 128 * 256, 500 * 256, 123_457, 2048 * 256]),
            along in 0.0f64..1.0,
            beside in -2i64..3,
            anywhere in any::<bool>(),
            other in 0.0f64..1.0,
        ) {
            let r = i64::from(radius);
            let dx = ((2.0 * along - 1.0) * f64::from(radius)) as i64;
            let on_circle = ((r * r - dx * dx) as f64).sqrt() as i64;
            let dy = if anywhere { ((2.0 * other - 1.0) * f64::from(radius)) as i64 } else { on_circle + beside };
            let (dx, dy) = (dx.clamp(-r, r - 1), dy.clamp(-r, r - 1));
            let disc = Disc { center, radius };
            let at = [center[0] + dx as i32, center[1] + dy as i32];
            prop_assert_eq!(disc.holds(at), dx * dx + dy * dy <= r * r);
        }
    }
}
