//! Pictures made in code, to be used as textures. Integer arithmetic and a fixed hash: the same bytes on every host.

/// Rows from the top, four bytes (red, green, blue, alpha) a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Pixels in a row and rows.
    pub size: u32,
    /// `size * size * 4` bytes.
    pub rgba: Vec<u8>,
}

type Color = [u8; 3];

/// A well-mixed word for a grid point: a bijection of 32-bit words after folding the coordinates.
pub fn hash(x: u32, y: u32) -> u32 {
    let mut word = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77);
    for shift in [15, 13, 16] {
        word ^= word >> shift;
        word = word.wrapping_mul(0x2c1b_3c6d);
    }
    word ^ (word >> 16)
}

/// `color` brightened or darkened by `amount`/256.
fn shade(color: Color, amount: i32) -> [u8; 4] {
    let channel = |value: u8| (i32::from(value) * (256 + amount) / 256).clamp(0, 255) as u8;
    [channel(color[0]), channel(color[1]), channel(color[2]), 255]
}

impl Pattern {
    fn by_pixel(size: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Self {
        let rgba = (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).flat_map(|(x, y)| pixel(x, y)).collect();
        Self { size, rgba }
    }

    /// `cells` x `cells` squares of two colours, each with a thin darker rim so that magnification shows the filter.
    pub fn checker(size: u32, cells: u32, light: Color, dark: Color) -> Self {
        let cell = (size / cells).max(1);
        Self::by_pixel(size, |x, y| {
            let color = if (x / cell + y / cell).is_multiple_of(2) { light } else { dark };
            let rim = x % cell == 0 || y % cell == 0;
            shade(color, if rim { -60 } else { 0 })
        })
    }

    /// Rows of bricks, every second row shifted by half a brick, each brick of its own tint.
    pub fn bricks(size: u32) -> Self {
        const BRICK: Color = [176, 84, 58];
        const MORTAR: Color = [202, 194, 180];
        let (wide, high) = ((size / 4).max(1), (size / 8).max(1));
        let joint = (size / 64).max(1);
        Self::by_pixel(size, |x, y| {
            let row = y / high;
            let shifted = (x + row % 2 * wide / 2) % size;
            let grain = (hash(x, y) % 32) as i32 - 16;
            if y % high < joint || shifted % wide < joint {
                return shade(MORTAR, grain);
            }
            let tint = (hash(shifted / wide, row) % 96) as i32 - 48;
            shade(BRICK, tint + grain)
        })
    }

    /// A hot gradient crossed by stripes, with a seam every quarter: shows direction and repetition.
    pub fn bands(size: u32) -> Self {
        Self::by_pixel(size, |x, y| {
            let t = (y * 255 / size) as i32;
            let base = [255, (96 + t / 2) as u8, (32 + t * 3 / 4) as u8];
            let stripe = if (x * 16 / size).is_multiple_of(2) { 0 } else { -90 };
            let seam = if y % (size / 4).max(1) < (size / 64).max(1) { -150 } else { 0 };
            shade(base, stripe + seam)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checker_alternates() {
        let checker = Pattern::checker(8, 2, [200, 200, 200], [100, 0, 0]);
        let red = |x: usize, y: usize| checker.rgba[(y * 8 + x) * 4];
        assert_eq!((red(1, 1), red(5, 1), red(1, 5), red(5, 5)), (200, 100, 100, 200));
        assert_eq!(red(0, 1), 153, "200 * (256 - 60) / 256");
    }

    #[test]
    fn patterns_are_opaque_and_full() {
        for pattern in [Pattern::bricks(64), Pattern::bands(32), Pattern::bricks(1), Pattern::bands(1)] {
            assert_eq!(pattern.rgba.len(), (pattern.size * pattern.size * 4) as usize);
            assert!(pattern.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255));
        }
    }
}
