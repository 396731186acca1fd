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

    /// One pixel of one colour.
    pub fn plain(color: Color) -> Self {
        Self::by_pixel(1, |_, _| shade(color, 0))
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

    /// Floor tiles, light and dark, with joints, veins and a round inlay where four meet.
    pub fn tiles(size: u32) -> Self {
        let cell = (size / 4).max(1);
        let joint = (size / 128).max(1);
        Self::by_pixel(size, |x, y| {
            let (column, row) = (x / cell, y / cell);
            let grain = (hash(x / 2, y / 2) % 14) as i32 - 7 + (hash(column, row) % 26) as i32 - 13;
            // From the nearest corner of a tile, in 1/16 of its side.
            let away = |place: u32| ((place + cell / 2) % cell) as i32 * 16 / cell as i32 - 8;
            let round = away(x) * away(x) + away(y) * away(y);
            if x % cell < joint || y % cell < joint {
                return shade([96, 90, 84], grain);
            }
            if (column + row).is_multiple_of(2) && round < 10 {
                return shade([150, 62, 48], grain);
            }
            shade(if (column + row).is_multiple_of(2) { [214, 206, 190] } else { [104, 116, 124] }, grain)
        })
    }

    /// Pixels of which something may be at a place, in 1/256 of the side. Elsewhere alpha is zero, and the colour goes on, so that
    /// filters find no other at the rims.
    fn on_nothing(size: u32, background: Color, color: impl Fn(i32, i32) -> Option<[u8; 4]>) -> Self {
        let [red, green, blue] = background;
        let scaled = |pixel: u32| (pixel * 256 / size) as i32;
        Self::by_pixel(size, |x, y| color(scaled(x), scaled(y)).unwrap_or([red, green, blue, 0]))
    }

    /// Planks along the rows, with dark joints, grain and nails.
    pub fn wood(size: u32) -> Self {
        let plank = (size / 5).max(1);
        Self::by_pixel(size, |x, y| {
            let number = y / plank;
            let grain = (hash(x / 24 + number * 7, y / 2) % 44) as i32 - 22;
            let tint = (hash(number, 77) % 50) as i32 - 25;
            let end = (hash(number, 5) % size.max(1)) / 8 * 8;
            let is_joint = y % plank < (size / 96).max(1) || (x + size - end) % size < (size / 128).max(1);
            shade(if is_joint { [64, 44, 28] } else { [156, 112, 66] }, grain + tint)
        })
    }

    /// A road's dark grain with some lighter stones.
    pub fn asphalt(size: u32) -> Self {
        Self::by_pixel(size, |x, y| {
            let stone = if hash(x / 2, y / 2).is_multiple_of(19) { 70 } else { 0 };
            shade([74, 76, 80], (hash(x, y) % 60) as i32 - 30 + stone)
        })
    }

    /// A meadow from above: greens in patches and blades.
    pub fn meadow(size: u32) -> Self {
        Self::by_pixel(size, |x, y| {
            let patch = (hash(x * 8 / size, y * 8 / size) % 40) as i32 - 20;
            let blade = (hash(x, y / 3) % 80) as i32 - 40;
            shade([92, 124, 52], patch + blade)
        })
    }

    /// Bark: dark furrows along a trunk.
    pub fn bark(size: u32) -> Self {
        Self::by_pixel(size, |x, y| {
            let furrow = (hash(x * 16 / size, y * 3 / size) % 90) as i32 - 60;
            shade([116, 88, 62], furrow + (hash(x, y) % 40) as i32 - 20)
        })
    }

    /// A cluster of leaves.
    pub fn leaves(size: u32) -> Self {
        const LEAVES: u32 = 26;
        Self::on_nothing(size, [70, 116, 42], |x, y| {
            let mut color = None;
            for leaf in 0..LEAVES {
                let (middle_x, middle_y) = (40 + (hash(leaf, 1) % 176) as i32, 40 + (hash(leaf, 2) % 176) as i32);
                // Along the leaf and across it, by one of eight directions of length about 16.
                let (along_x, along_y) = [(16, 0), (15, 6), (11, 11), (6, 15), (0, 16), (-6, 15), (-11, 11), (-15, 6)]
                    [(hash(leaf, 3) % 8) as usize];
                let (dx, dy) = (x - middle_x, y - middle_y);
                let (along, across) = ((dx * along_x + dy * along_y) / 16, (dy * along_x - dx * along_y) / 16);
                // Pointed at both ends: the half width falls with the square of the way from the middle.
                let length = 34;
                if along.abs() < length && across.abs() * length * length < 13 * (length * length - along * along) {
                    let vein = if across.abs() < 2 { 50 } else { 0 };
                    color = Some(shade([74, 128, 44], (hash(leaf, 4) % 110) as i32 - 60 + vein));
                }
            }
            color
        })
    }

    /// A tuft of grass that grows from the lower edge; alpha is zero between the blades.
    pub fn tuft(size: u32) -> Self {
        const BLADES: u32 = 18;
        Self::on_nothing(size, [104, 146, 58], |x, y| {
            let mut color = None;
            let up = 255 - y;
            for blade in 0..BLADES {
                let (foot, tip) = (60 + (hash(blade, 11) % 136) as i32, (hash(blade, 12) % 220) as i32 + 18);
                let high = 110 + (hash(blade, 13) % 140) as i32;
                if up >= high {
                    continue;
                }
                // The blade bends: its middle goes from foot to tip with the square of the height.
                let middle = foot + (tip - foot) * up * up / (high * high);
                if (x - middle).abs() * high < 9 * (high - up) + high {
                    color = Some(shade([108, 152, 60], (hash(blade, 14) % 90) as i32 - 60 + up / 4));
                }
            }
            color
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
    fn leaves_and_tufts_cover_a_part() {
        for pattern in [Pattern::leaves(64), Pattern::tuft(64)] {
            let shown = pattern.rgba.chunks_exact(4).filter(|pixel| pixel[3] == 255).count() as f32 / (64.0 * 64.0);
            assert!((0.2..0.8).contains(&shown), "{shown}");
            assert!(pattern.rgba.chunks_exact(4).all(|pixel| pixel[1] > 40 && (pixel[3] == 0 || pixel[3] == 255)));
        }
    }

    #[test]
    fn patterns_are_opaque_and_full() {
        let made = [
            Pattern::bricks,
            Pattern::bands,
            Pattern::meadow,
            Pattern::bark,
            Pattern::tiles,
            Pattern::wood,
            Pattern::asphalt,
        ];
        for pattern in made.into_iter().flat_map(|make| [make(64), make(1)]) {
            assert_eq!(pattern.rgba.len(), (pattern.size * pattern.size * 4) as usize);
            assert!(pattern.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255));
        }
    }
}
