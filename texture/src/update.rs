//! New texels for a part of an image: a rectangle of one level of one layer.
//!
//! Before: an `image`. After: the same image with other bytes, and where they lie, so that a copy of it can follow.

use std::ops::Range;

use crate::image::Image;

/// A rectangle of texels.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Which picture.
    pub layer: u32,
    /// Which of its levels.
    pub level: u32,
    /// Leftmost column.
    pub x: u32,
    /// Top row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// Why a part cannot be replaced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// No such layer.
    #[error("layer {layer} of an image of {layers}")]
    Layer {
        /// Asked for.
        layer: u32,
        /// There are.
        layers: u32,
    },
    /// No such level.
    #[error("level {level} of an image of {levels}")]
    Level {
        /// Asked for.
        level: u32,
        /// There are.
        levels: u32,
    },
    /// Beyond the edge.
    #[error("{} × {} texels at ({}, {}) reach beyond level {}, which has {width} × {height}", .region.width, .region.height, .region.x, .region.y, .region.level)]
    Extent {
        /// Asked for.
        region: Region,
        /// Columns of the level.
        width: u32,
        /// Rows of the level.
        height: u32,
    },
    /// The bytes given do not fill the rectangle exactly.
    #[error("{expected} bytes fill the rectangle, not {given}")]
    ByteCount {
        /// Bytes of as many texels.
        expected: u64,
        /// Bytes given.
        given: u64,
    },
}

impl Image {
    /// Replaces a rectangle by texels given row by row from the top. Gives the range of bytes in which all changes lie. An empty
    /// rectangle changes nothing.
    ///
    /// # Errors
    /// Layer, level or rectangle do not exist, or there are too few or too many bytes; then nothing has changed.
    pub fn update(&mut self, region: Region, bytes: &[u8]) -> Result<Range<usize>, UpdateError> {
        let Region { layer, level, x, y, width, height } = region;
        if layer >= self.layers {
            return Err(UpdateError::Layer { layer, layers: self.layers });
        }
        let levels = self.levels.len() as u32;
        let place = *self.levels.get(level as usize).ok_or(UpdateError::Level { level, levels })?;
        let is_inside = |start: u32, extent: u32, size: u32| u64::from(start) + u64::from(extent) <= u64::from(size);
        if !is_inside(x, width, place.width) || !is_inside(y, height, place.height) {
            return Err(UpdateError::Extent { region, width: place.width, height: place.height });
        }
        let row_bytes = width as usize * self.format.bytes() as usize;
        let (expected, given) = (row_bytes as u64 * u64::from(height), bytes.len() as u64);
        if expected != given {
            return Err(UpdateError::ByteCount { expected, given });
        }
        if bytes.is_empty() {
            return Ok(0..0);
        }
        let first = self.texel_range(layer, level as usize, x, y).start;
        let mut end = first;
        for (row, from) in (y..).zip(bytes.chunks_exact(row_bytes)) {
            let start = self.texel_range(layer, level as usize, x, row).start;
            end = start + row_bytes;
            self.bytes[start..end].copy_from_slice(from);
        }
        Ok(first..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    const ALL: Region = Region { layer: 1, level: 0, x: 1, y: 1, width: 2, height: 2 };

    fn image() -> Image {
        Image::blank_layers(Format::Rg8, 4, 3, 2, 2).expect("it is small")
    }

    #[test]
    fn a_rectangle_is_replaced_and_nothing_else() {
        let mut image = image();
        let changed = image.update(ALL, &[1, 2, 3, 4, 5, 6, 7, 8]).expect("it lies inside");
        let start = image.layer_stride as usize + (4 + 1) * 2;
        assert_eq!(changed, start..start + 8 + 4);
        let mut expected = self::image();
        for (x, y, color) in [(1, 1, 0xff01_0200), (2, 1, 0xff03_0400), (1, 2, 0xff05_0600), (2, 2, 0xff07_0800)] {
            expected.set_layer_color(1, 0, x, y, color);
        }
        assert_eq!(image, expected);
    }

    #[test]
    fn what_lies_outside_is_refused_by_name() {
        #[track_caller]
        fn check(region: Region, bytes: usize, expected: &str) {
            let mut image = image();
            let error = image.update(region, &vec![9; bytes]).expect_err("it is wrong");
            assert_eq!(error.to_string(), expected);
            assert_eq!(image, self::image(), "nothing has changed");
        }
        check(Region { layer: 2, ..ALL }, 8, "layer 2 of an image of 2");
        check(Region { level: 2, ..ALL }, 8, "level 2 of an image of 2");
        check(Region { x: 3, ..ALL }, 8, "2 × 2 texels at (3, 1) reach beyond level 0, which has 4 × 3");
        let huge = Region { y: u32::MAX, ..ALL };
        check(huge, 8, "2 × 2 texels at (1, 4294967295) reach beyond level 0, which has 4 × 3");
        check(ALL, 7, "8 bytes fill the rectangle, not 7");
        assert_eq!(image().update(Region { width: 0, ..ALL }, &[]), Ok(0..0));
    }
}
