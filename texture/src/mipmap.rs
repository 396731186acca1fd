//! Mip chains: from one picture to the levels below it, each half as large, by averaging.
//!
//! Before: `image`. Sizes are `max(1, floor(d / 2))` down to 1 × 1. A texel is the average of the area it covers in the level
//! above, so an odd size loses no column: of 5 texels reduced to 2, each takes two and a half. For even sizes that is the
//! box filter that OpenGL ES recommends (`glGenerateMipmap`), rounded to nearest, halves up.

use crate::image::{Image, ImageError};

impl Image {
    /// The same picture with a full chain below its first level; levels it had below that are made anew.
    ///
    /// Channels are averaged as they are stored: no gamma, and colour is not weighed by alpha.
    ///
    /// # Errors
    /// When all levels together need more than 4 GiB.
    pub fn with_mipmaps(&self) -> Result<Self, ImageError> {
        let mut chain = Self::blank(self.format, self.width(), self.height(), u32::MAX)?;
        let base_bytes = self.width() as usize * self.height() as usize * self.format.bytes() as usize;
        let start = self.levels[0].offset as usize;
        chain.bytes[..base_bytes].copy_from_slice(&self.bytes[start..start + base_bytes]);
        for level in 1..chain.levels.len() {
            reduce(&mut chain, level);
        }
        Ok(chain)
    }
}

/// Fills a level from the one above it.
fn reduce(chain: &mut Image, level: usize) {
    let (above, below) = (chain.levels[level - 1], chain.levels[level]);
    for y in 0..below.height {
        let rows = Cover::of(y, below.height, above.height);
        for x in 0..below.width {
            let columns = Cover::of(x, below.width, above.width);
            let mut sums = [0u64; 4];
            for (source_y, row_weight) in rows.iter() {
                for (source_x, column_weight) in columns.iter() {
                    let channels = chain.color(level - 1, source_x, source_y).to_le_bytes();
                    for (sum, channel) in sums.iter_mut().zip(channels) {
                        *sum += u64::from(channel) * u64::from(row_weight) * u64::from(column_weight);
                    }
                }
            }
            // The weights of an axis add up to the size above.
            let total = u64::from(above.width) * u64::from(above.height);
            let average = sums.map(|sum| ((2 * sum + total) / (2 * total)) as u8);
            chain.set_color(level, x, y, u32::from_le_bytes(average));
        }
    }
}

/// The texels of the level above that one texel covers along one axis.
#[derive(Copy, Clone)]
struct Cover {
    /// Of the covered interval, in 1/`size_below` of a texel above.
    start: u64,
    end: u64,
    size_below: u64,
}

impl Cover {
    fn of(index: u32, size_below: u32, size_above: u32) -> Self {
        let start = u64::from(index) * u64::from(size_above);
        Self { start, end: start + u64::from(size_above), size_below: u64::from(size_below) }
    }

    /// Each covered texel and how much of it, in 1/`size_below`.
    fn iter(self) -> impl Iterator<Item = (u32, u32)> + Clone {
        let Self { start, end, size_below } = self;
        (start / size_below..end.div_ceil(size_below)).map(move |texel| {
            let overlap = end.min((texel + 1) * size_below) - start.max(texel * size_below);
            (texel as u32, overlap as u32)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    fn greys(width: u32, height: u32, values: &[u8]) -> Image {
        Image::new(Format::L8, width, height, values.to_vec()).expect("as many values as texels")
    }

    #[track_caller]
    fn check(image: &Image, level: usize, expected: &[u8]) {
        let chain = image.with_mipmaps().expect("it is small");
        let start = chain.levels[level].offset as usize;
        assert_eq!(&chain.bytes[start..start + expected.len()], expected);
    }

    #[test]
    fn even_sizes_average_two_by_two() {
        // (1 + 2 + 5 + 7) / 4 = 3.75 and (3 + 4 + 7 + 8) / 4 = 5.5, which rounds up.
        check(&greys(4, 2, &[1, 2, 3, 4, 5, 7, 7, 8]), 1, &[4, 6]);
    }

    #[test]
    fn odd_sizes_lose_no_column() {
        // Each covers 2.5 texels: (10 + 20 + 15) / 2.5 = 18 and (15 + 40 + 50) / 2.5 = 42.
        let image = greys(5, 1, &[10, 20, 30, 40, 50]);
        check(&image, 1, &[18, 42]);
        check(&image, 2, &[30]);
    }

    #[test]
    fn one_column_is_halved_downwards_only() {
        check(&greys(1, 4, &[0, 100, 200, 255]), 1, &[50, 228]);
        check(&greys(1, 4, &[0, 100, 200, 255]), 2, &[139]);
    }

    #[test]
    fn channels_do_not_mix() {
        let image = Image::new(Format::Rgba8, 2, 1, vec![0, 255, 10, 0, 1, 255, 20, 255]).expect("two texels");
        let chain = image.with_mipmaps().expect("it is small");
        // Alpha 127.5 rounds up; red 0.5 as well.
        assert_eq!(chain.color(1, 0, 0), 0x8001_ff0f);
    }

    #[test]
    fn a_chain_of_a_chain_is_the_same_chain() {
        let image =
            Image::from_fn(Format::R5G6B5, 9, 6, |x, y| (x * 0x001d_0b07) ^ (y * 0x0031_2511)).expect("it is small");
        let chain = image.with_mipmaps().expect("it is small");
        assert_eq!(chain.levels.len(), 4);
        assert_eq!(chain.with_mipmaps().expect("it is small"), chain);
        for y in 0..6 {
            for x in 0..9 {
                assert_eq!(chain.color(0, x, y), image.color(0, x, y));
            }
        }
    }
}
