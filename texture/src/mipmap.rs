//! Mip chains: from one picture to the levels below it, each half as large, by averaging.
//!
//! Before: `image`. Sizes are `max(1, floor(d / 2))` down to 1 × 1. A texel is the average of the area it covers in the level
//! above, so an odd size loses no column: of 5 texels reduced to 2, each takes two and a half. For even sizes that is the
//! box filter that OpenGL ES recommends (`glGenerateMipmap`), rounded to nearest, halves up.
//!
//! Narrow formats are averaged as they are stored. The channels of wide ones are averaged as numbers, which for sRGB means in
//! linear light: weighed sums in `f64`, rows downwards and in a row to the right, rounded to `f32` and then to the format.
//! Colour is not weighed by alpha. Integers have no average.

use crate::format::Sampled;
use crate::image::{Image, ImageError};

impl Image {
    /// The same picture, all its layers, with a full chain below the first level; levels it had below that are made anew.
    ///
    /// # Errors
    /// When all levels together need more than 4 GiB, or the format holds integers.
    pub fn with_mipmaps(&self) -> Result<Self, ImageError> {
        if self.format.sampled() != Sampled::Float {
            return Err(ImageError::NotFilterable { format: self.format });
        }
        let mut chain = Self::blank_layers(self.format, self.width(), self.height(), u32::MAX, self.layers)?;
        let base_bytes = self.width() as usize * self.height() as usize * self.format.bytes() as usize;
        for layer in 0..self.layers {
            let (from, to) = (self.texel_range(layer, 0, 0, 0).start, chain.texel_range(layer, 0, 0, 0).start);
            chain.bytes[to..to + base_bytes].copy_from_slice(&self.bytes[from..from + base_bytes]);
            for level in 1..chain.levels.len() {
                if self.format.is_narrow() {
                    reduce_stored(&mut chain, layer, level);
                } else {
                    reduce_numbers(&mut chain, layer, level);
                }
            }
        }
        Ok(chain)
    }
}

/// Calls `visit` for each texel of a level with the texels above that it covers and their weights, which add up to `total`.
fn each_texel(chain: &mut Image, level: usize, mut visit: impl FnMut(&mut Image, [u32; 2], &[([u32; 2], u64)], u64)) {
    let (above, below) = (chain.levels[level - 1], chain.levels[level]);
    // The weights of an axis add up to the size above.
    let total = u64::from(above.width) * u64::from(above.height);
    let mut covered = Vec::new();
    for y in 0..below.height {
        let rows = Cover::of(y, below.height, above.height);
        for x in 0..below.width {
            let columns = Cover::of(x, below.width, above.width);
            covered.clear();
            for (source_y, row) in rows.iter() {
                covered.extend(
                    columns.iter().map(|(source_x, column)| ([source_x, source_y], u64::from(row) * u64::from(column))),
                );
            }
            visit(chain, [x, y], &covered, total);
        }
    }
}

/// Fills a level of a narrow format from the one above it.
fn reduce_stored(chain: &mut Image, layer: u32, level: usize) {
    each_texel(chain, level, |chain, [x, y], covered, total| {
        let mut sums = [0u64; 4];
        for &([source_x, source_y], weight) in covered {
            let channels = chain.layer_color(layer, level - 1, source_x, source_y).to_le_bytes();
            for (sum, channel) in sums.iter_mut().zip(channels) {
                *sum += u64::from(channel) * weight;
            }
        }
        let average = sums.map(|sum| ((2 * sum + total) / (2 * total)) as u8);
        chain.set_layer_color(layer, level, x, y, u32::from_le_bytes(average));
    });
}

/// Fills a level of a wide format from the one above it.
fn reduce_numbers(chain: &mut Image, layer: u32, level: usize) {
    each_texel(chain, level, |chain, [x, y], covered, total| {
        let mut sums = [0.0f64; 4];
        for &([source_x, source_y], weight) in covered {
            for (sum, channel) in sums.iter_mut().zip(chain.channels(layer, level - 1, source_x, source_y)) {
                *sum += f64::from(f32::from_bits(channel)) * weight as f64;
            }
        }
        let average = sums.map(|sum| ((sum / total as f64) as f32).to_bits());
        chain.set_channels(layer, level, x, y, average);
    });
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

    /// Black and white are 188 encoded, where the bytes' average would be 128; alpha is linear.
    #[test]
    fn srgb_is_averaged_in_linear_light() {
        let bytes = vec![0, 255, 0, 0, 255, 255, 0, 255];
        let image = Image::new(Format::Rgba8Srgb, 2, 1, bytes).expect("two texels");
        let chain = image.with_mipmaps().expect("it is small");
        assert_eq!(chain.color(1, 0, 0), 0x80bc_ff00);
    }

    #[test]
    fn floats_are_averaged_as_numbers() {
        let mut image = Image::blank(Format::R16Float, 5, 1, 1).expect("it is small");
        for (x, value) in [1.0f32, 2.0, -3.0, 4.0, 60000.0].into_iter().enumerate() {
            image.set_channels(0, 0, x as u32, 0, [value.to_bits(), 0, 0, 0]);
        }
        let chain = image.with_mipmaps().expect("it is small");
        let red = |x| f32::from_bits(chain.channels(0, 1, x, 0)[0]);
        // (1 + 2 − 1.5) / 2.5 = 0.6, and (−1.5 + 4 + 60000) / 2.5 = 24001, of which a half keeps multiples of 16.
        assert_eq!([red(0), red(1)], [0.600_097_66, 24000.0]);
    }

    #[test]
    fn every_layer_gets_its_chain() {
        let mut image = Image::blank_layers(Format::L8, 2, 2, 1, 3).expect("it is small");
        image.set_layer_color(1, 0, 0, 0, 0xff64_6464);
        let chain = image.with_mipmaps().expect("it is small");
        assert_eq!([0, 1, 2].map(|layer| chain.layer_color(layer, 1, 0, 0) & 255), [0, 25, 0]);
    }

    #[test]
    fn integers_have_no_chain() {
        let image = Image::blank(Format::R8Uint, 2, 2, 1).expect("it is small");
        assert_eq!(image.with_mipmaps(), Err(ImageError::NotFilterable { format: Format::R8Uint }));
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
