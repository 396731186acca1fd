//! How a machine divides a target: tiles, one to a warp, and blocks, one pixel to a lane.
//!
//! Before: the machine's configuration. After: `geometry::bin`, and the tile kernel's overrides.

use gpu_core::config::GpuConfig;

use crate::surface::Samples;

/// Words of core-local memory a pixel of a resident tile of a plain picture takes: a colour and a depth.
pub const WORDS_PER_PIXEL: u32 = 2;

/// A machine that cannot draw.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileShapeError {
    /// A quad needs four lanes, and a block of quads is a rectangle only for these counts.
    #[error("a warp of {lanes} lanes cannot draw; graphics needs 4, 8, 16 or 32 lanes")]
    Lanes {
        /// Lanes of a warp.
        lanes: u32,
    },
    /// Not even the smallest tile fits.
    #[error("a core has {available} bytes of local memory; the smallest tile, 8 x 8 pixels, takes {needed}")]
    LocalMemory {
        /// Bytes the core has.
        available: u32,
        /// Bytes a tile takes.
        needed: u32,
    },
}

/// Sizes of tiles and blocks, in pixels; all are powers of two.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct TileShape {
    /// Lanes of a warp, pixels of a block.
    pub lanes: u32,
    /// Side of a tile: 8, 16 or 32.
    pub tile_side_log2: u32,
    /// Width of a block.
    pub block_width_log2: u32,
    /// Height of a block.
    pub block_height_log2: u32,
    /// Samples of a pixel.
    pub samples: Samples,
}

impl TileShape {
    /// The largest tiles of a plain picture of which every warp of a core can hold one.
    pub fn for_machine(config: &GpuConfig) -> Result<Self, TileShapeError> {
        Self::for_pass(config, WORDS_PER_PIXEL)
    }

    /// The same, where a pixel takes so many words.
    pub fn for_pass(config: &GpuConfig, words_per_pixel: u32) -> Result<Self, TileShapeError> {
        let bytes = |side_log2: u32| (4 * words_per_pixel) << (2 * side_log2);
        let fits = |side_log2: &u32| config.warps * bytes(*side_log2) <= config.local_bytes;
        let needed = bytes(3);
        if config.local_bytes < needed {
            return Err(TileShapeError::LocalMemory { available: config.local_bytes, needed });
        }
        // Where even small tiles are too many, some warps stay idle.
        let tile_side_log2 = [5, 4, 3].into_iter().find(fits).unwrap_or(3);
        Self::new(config.lanes, tile_side_log2)
    }

    /// Blocks for this many lanes in tiles of this side.
    pub const fn new(lanes: u32, tile_side_log2: u32) -> Result<Self, TileShapeError> {
        let (block_width_log2, block_height_log2) = match lanes {
            4 => (1, 1),
            8 => (2, 1),
            16 => (2, 2),
            32 => (3, 2),
            _ => return Err(TileShapeError::Lanes { lanes }),
        };
        Ok(Self { lanes, tile_side_log2, block_width_log2, block_height_log2, samples: Samples::One })
    }

    /// The same tiles and blocks, of pixels with so many samples.
    pub const fn with_samples(self, samples: Samples) -> Self {
        Self { samples, ..self }
    }

    /// Side of a tile.
    pub const fn tile_side(&self) -> u32 {
        1 << self.tile_side_log2
    }

    /// Pixels of a tile.
    pub const fn tile_pixels(&self) -> u32 {
        1 << (2 * self.tile_side_log2)
    }

    /// Blocks of a tile.
    pub const fn tile_blocks(&self) -> u32 {
        self.tile_pixels() / self.lanes
    }

    /// The block of a tile that holds a pixel, both seen from the tile's corner; blocks count row by row.
    pub const fn block_of(&self, x: u32, y: u32) -> u32 {
        ((y >> self.block_height_log2) << (self.tile_side_log2 - self.block_width_log2)) + (x >> self.block_width_log2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quad_lane_count_is_asked_for_by_name() {
        for lanes in 1..=32 {
            let shape = TileShape::for_machine(&GpuConfig::vortex(1, 4, lanes));
            if [4, 8, 16, 32].contains(&lanes) {
                let shape = shape.expect("graphics accepts these");
                assert_eq!(1 << (shape.block_width_log2 + shape.block_height_log2), lanes);
            } else {
                let message = shape.expect_err("graphics refuses these").to_string();
                assert_eq!(
                    message,
                    format!("a warp of {lanes} lanes cannot draw; graphics needs 4, 8, 16 or 32 lanes")
                );
            }
        }
    }

    #[test]
    fn tiles_are_as_large_as_local_memory_allows() {
        let side = |warps, local_bytes| {
            let config = GpuConfig { local_bytes, ..GpuConfig::vortex(1, warps, 16) };
            TileShape::for_machine(&config).map(|shape| shape.tile_side())
        };
        assert_eq!(side(8, 64 << 10), Ok(32));
        assert_eq!(side(4, 16 << 10), Ok(16));
        assert_eq!(side(16, 16 << 10), Ok(8));
        assert_eq!(side(32, 600), Ok(8));
        assert_eq!(side(1, 511), Err(TileShapeError::LocalMemory { available: 511, needed: 512 }));
        let four_samples = |local_bytes| {
            let config = GpuConfig { local_bytes, ..GpuConfig::vortex(1, 4, 16) };
            TileShape::for_pass(&config, 4 * WORDS_PER_PIXEL).map(|shape| shape.tile_side())
        };
        assert_eq!(four_samples(16 << 10), Ok(8));
        assert_eq!(four_samples(32 << 10), Ok(16));
        let needed = 64 * 8 * 4;
        assert_eq!(four_samples(2047), Err(TileShapeError::LocalMemory { available: 2047, needed }));
    }

    #[test]
    fn blocks_count_row_by_row() {
        let shape = TileShape::new(16, 4).expect("16 lanes draw");
        assert_eq!(shape.block_of(0, 0), 0);
        assert_eq!(shape.block_of(15, 3), 3);
        assert_eq!(shape.block_of(4, 15), 13);
    }
}
