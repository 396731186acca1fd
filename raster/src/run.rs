//! Runs: draws that follow each other and share a kernel are binned together and launched as one.
//!
//! Before: `bound` (each draw's resources) and `geometry`. After: `device`, which copies a run's records to the GPU.

use std::ops::Range;

use shaders::tile_records as records;
use texture::Stage;

use crate::bound::Bound;
use crate::frame::{Frame, RenderError};
use crate::geometry::Geometry;
use crate::geometry::bin::Bins;
use crate::pipeline::TEXTURE_STAGES;
use crate::tile_kernel::Variant;
use crate::tile_shape::TileShape;

/// The sampler stages of one bank; what a shader does not use is whatever.
pub type Bank = [Option<Stage>; TEXTURE_STAGES];

/// Divides a frame's draws into runs that share a pipeline and a variant of its kernel.
pub fn divide(frame: &Frame, bound: &[Bound]) -> Vec<Range<usize>> {
    let size = (frame.width, frame.height);
    let variants: Vec<_> = frame.draws.iter().zip(bound).map(|(draw, bound)| Variant::of(draw, bound, size)).collect();
    let mut runs: Vec<Range<usize>> = Vec::new();
    for draw in 0..frame.draws.len() {
        let fits = runs.last().is_some_and(|run| {
            frame.draws[run.start].pipeline.is_same(&frame.draws[draw].pipeline)
                && variants[run.start] == variants[draw]
        });
        match runs.last_mut() {
            Some(run) if fits => run.end = draw + 1,
            _ => runs.push(draw..draw + 1),
        }
    }
    runs
}

/// Everything the tile kernel reads for one run, except where on the device textures and buffers lie.
#[derive(Debug, Default)]
pub struct Run {
    /// The triangles and their planes.
    pub geometry: Geometry,
    /// The triangles by tile.
    pub bins: Bins,
    /// One for each draw of the run.
    pub draws: Vec<records::Draw>,
    /// Stage after stage, draw after draw.
    pub samplings: Vec<records::Sampling>,
    /// Different stages that the draws sample.
    pub banks: Vec<Bank>,
}

impl Run {
    /// Runs the host stages of draws `range`, which share a pipeline; as many of them as `most_banks` banks allow, and
    /// at least one. Returns the draws done.
    ///
    /// `stage_of` puts a bound texture on the device (draw, stage within the draw).
    pub fn prepare(
        &mut self,
        frame: &Frame,
        bound: &[Bound],
        range: Range<usize>,
        shape: &TileShape,
        most_banks: usize,
        mut stage_of: impl FnMut(usize, usize) -> Result<Stage, RenderError>,
    ) -> Result<Range<usize>, RenderError> {
        let size = (frame.width, frame.height);
        self.geometry.clear();
        self.draws.clear();
        self.samplings.clear();
        self.banks.clear();
        let mut resources = 0;
        let mut done = range.start..range.start;
        for draw in range {
            let mut bank = [None; TEXTURE_STAGES];
            for (slot, stage) in bank.iter_mut().take(bound[draw].stages.len()).enumerate() {
                *stage = Some(stage_of(draw, slot)?);
            }
            let Some(texture_bank) = self.bank_index(bank, most_banks) else { break };
            let constants = frame.draws[draw].dynamic.constants.prepared(frame.draws[draw].pipeline.state().fog.mode);
            let [front, back] = constants.stencil_reference.map(u32::from);
            self.draws.push(records::Draw {
                texture_bank,
                first_resource: resources,
                first_sampling: self.samplings.len() as u32,
                alpha_reference: constants.alpha_reference,
                stencil_reference: [back, front],
                fog_color: constants.fog_color,
                fog_end: constants.fog_end,
                fog_scale: constants.fog_scale,
                blend: constants.blend,
            });
            resources += bound[draw].buffers.len() as u32;
            self.samplings.extend(bound[draw].stages.iter().map(|stage| {
                let state = stage.state();
                records::Sampling {
                    width: state.width,
                    height: state.height,
                    levels: state.levels,
                    mip_filter: state.mip_filter,
                    lod_min: state.lod_min,
                    lod_max: state.lod_max,
                    lod_bias: state.lod_bias,
                }
            }));
            self.geometry.add(draw, &frame.draws[draw], size);
            done.end = draw + 1;
        }
        self.bins.fill(&self.geometry.triangles, shape, size);
        for triangle in &mut self.bins.triangles {
            triangle.draw -= done.start as u32;
        }
        Ok(done)
    }

    /// Where a bank is in `banks`; it is added if it is new and there is room.
    fn bank_index(&mut self, bank: Bank, most_banks: usize) -> Option<u32> {
        if let Some(index) = self.banks.iter().position(|known| *known == bank) {
            return Some(index as u32);
        }
        if self.banks.len() >= most_banks {
            return None;
        }
        self.banks.push(bank);
        Some(self.banks.len() as u32 - 1)
    }
}

/// Which tiles of the target hold something already; the others start from the clear value.
#[derive(Debug, Default)]
pub struct Freshness {
    columns: u32,
    side_log2: u32,
    /// For each tile, the flags of [`records::Tile`] that still hold.
    flags: Vec<u32>,
}

impl Freshness {
    /// All tiles of a target are fresh.
    pub fn reset(&mut self, (width, height): (u32, u32), shape: &TileShape) {
        self.columns = width.div_ceil(shape.tile_side());
        self.side_log2 = shape.tile_side_log2;
        let tiles = self.columns * height.div_ceil(shape.tile_side());
        self.flags.clear();
        let all = records::Tile::FRESH_COLOR | records::Tile::FRESH_DEPTH | records::Tile::FRESH_STENCIL;
        self.flags.resize(tiles as usize, all);
    }

    /// Sets the flags of tiles about to be drawn; what is `written` is then no longer fresh.
    pub fn draw(&mut self, tiles: &mut [records::Tile], written: u32) {
        for tile in tiles {
            let index = (tile.y >> self.side_log2) * self.columns + (tile.x >> self.side_log2);
            let flags = &mut self.flags[index as usize];
            tile.flags = *flags;
            *flags &= !written;
        }
    }

    /// The corners (x, y) of tiles where a flag still holds.
    pub fn fresh(&self, flag: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let corner = |tile: u32| ((tile % self.columns) << self.side_log2, (tile / self.columns) << self.side_log2);
        (0u32..).zip(&self.flags).filter(move |(_, flags)| *flags & flag != 0).map(move |(tile, _)| corner(tile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_fresh_until_it_is_written() {
        let shape = TileShape::new(16, 4).expect("16 lanes draw");
        let mut freshness = Freshness::default();
        freshness.reset((40, 20), &shape);
        let tile = |x, y| records::Tile { x, y, ..records::Tile::default() };
        let mut tiles = [tile(16, 16), tile(0, 0)];
        let (color, depth) = (records::Tile::FRESH_COLOR, records::Tile::FRESH_DEPTH);
        freshness.draw(&mut tiles, color);
        assert!(tiles.iter().all(|tile| tile.flags == 7));
        freshness.draw(&mut tiles[..1], color | depth);
        assert_eq!(tiles[0].flags, depth | records::Tile::FRESH_STENCIL);
        freshness.draw(&mut tiles[..1], color | depth);
        assert_eq!(tiles[0].flags, records::Tile::FRESH_STENCIL);
        let fresh: Vec<_> = freshness.fresh(records::Tile::FRESH_COLOR).collect();
        assert_eq!(fresh, [(16, 0), (32, 0), (0, 16), (32, 16)]);
        assert_eq!(freshness.fresh(records::Tile::FRESH_DEPTH).count(), 5);
    }
}
