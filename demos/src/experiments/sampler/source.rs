//! The texture of the experiment: seeded noise over a gradient, A8R8G8B8, with its mip chain.

use texture::{Format, Image};

use crate::experiments::error::ExperimentError;
use crate::patterns::hash;

/// The largest side that all samplers are made for.
pub const LARGEST_SIDE: u32 = 8192;

/// How far noise moves a channel, either way.
const NOISE: i32 = 64;

/// A picture of `width` × `height` texels and all its levels. All four channels differ from texel to texel, so that any
/// wrong tap or weight shows.
pub fn source(width: u32, height: u32, seed: u32) -> Result<Image, ExperimentError> {
    for (what, value) in [("the source's width", width), ("the source's height", height)] {
        if !(1..=LARGEST_SIDE).contains(&value) {
            return Err(ExperimentError::Size { what, value, least: 1, most: LARGEST_SIDE });
        }
    }
    // Of 255, over the picture.
    let ramp = |at: u32, size: u32| (at * 255 / size.max(2).saturating_sub(1)) as i32;
    let picture = Image::from_fn(Format::A8R8G8B8, width, height, |x, y| {
        let noise = hash(x ^ seed.rotate_left(16), y.wrapping_add(seed)).to_le_bytes();
        let (right, down) = (ramp(x, width), ramp(y, height));
        let gradient = [right, down, 255 - right, 255 - down / 2];
        let channel = |n: usize| (gradient[n] + i32::from(noise[n]) * 2 * NOISE / 255 - NOISE).clamp(0, 255) as u8;
        u32::from_le_bytes([channel(0), channel(1), channel(2), channel(3)])
    })?;
    Ok(picture.with_mipmaps()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_and_seeds_differ() {
        let image = source(64, 48, 1).expect("it is small");
        assert_eq!(image.levels.len(), 7);
        let pairs = (0..48).flat_map(|y| (0..63).map(move |x| (x, y)));
        let equal = pairs.filter(|&(x, y)| image.color(0, x, y) == image.color(0, x + 1, y)).count();
        assert!(equal < 5, "{equal} of 3024 neighbours are equal");
        assert_ne!(image.bytes, source(64, 48, 2).expect("it is small").bytes);
    }

    #[test]
    fn sizes_beyond_the_samplers_are_refused() {
        let error = source(8193, 4, 1).expect_err("too wide");
        assert_eq!(error.to_string(), "the source's width must be 1 to 8192, not 8193");
        assert!(source(4, 0, 1).is_err());
        assert!(source(1, 1, 1).is_ok());
    }
}
