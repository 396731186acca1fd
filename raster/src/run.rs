//! Runs: draws that follow each other and share a kernel are binned together and launched as one.
//!
//! Before: `bound` (each draw's resources) and `geometry`. After: `device`, which copies a run's records to the GPU.

use std::ops::Range;

use shaders::tile_records as records;
use texture::Stage;

use crate::bound::{Bound, BoundStage};
use crate::draw::Draw;
use crate::frame::RenderError;
use crate::geometry::Geometry;
use crate::geometry::bin::Bins;
use crate::pipeline::{BANK_STAGES, hardware_stages};
use crate::stopwatch::{HostStage, Stopwatch};
use crate::tile_kernel::Variant;
use crate::tile_shape::TileShape;

/// The sampler stages of one bank; what a shader does not use is whatever.
pub type Bank = [Option<Stage>; BANK_STAGES];

/// Divides a pass's draws into runs that share a pipeline and a variant of its kernel; `size` is the target's.
pub fn divide(draws: &[Draw], bound: &[Bound], size: (u32, u32)) -> Vec<Range<usize>> {
    let variants: Vec<_> = draws.iter().zip(bound).map(|(draw, bound)| Variant::of(draw, bound, size)).collect();
    let mut runs: Vec<Range<usize>> = Vec::new();
    for draw in 0..draws.len() {
        let fits = runs.last().is_some_and(|run| {
            draws[run.start].pipeline.is_same(&draws[draw].pipeline) && variants[run.start] == variants[draw]
        });
        match runs.last_mut() {
            Some(run) if fits => run.end = draw + 1,
            _ => runs.push(draw..draw + 1),
        }
    }
    runs
}

/// What bounds a run.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Width and height of what is drawn into.
    pub size: (u32, u32),
    /// How it is divided.
    pub shape: TileShape,
    /// Banks of texture stages that the machine has.
    pub most_banks: usize,
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
    /// Is told of each host stage as it begins.
    pub stopwatch: Stopwatch,
}

impl Run {
    /// Runs the host stages of draws `range`, which share a pipeline; as many of them as the banks allow, and
    /// at least one. Returns the draws done.
    ///
    /// `stage_of` puts a bound texture on the device (draw, stage within the draw).
    pub fn prepare(
        &mut self,
        draws: &[Draw],
        bound: &[Bound],
        range: Range<usize>,
        Limits { size, shape, most_banks }: Limits,
        mut stage_of: impl FnMut(usize, usize) -> Result<Stage, RenderError>,
    ) -> Result<Range<usize>, RenderError> {
        self.geometry.clear();
        self.geometry.samples = shape.samples;
        self.draws.clear();
        self.samplings.clear();
        self.banks.clear();
        let mut resources = 0;
        let mut done = range.start..range.start;
        for draw in range {
            let constants = draws[draw].dynamic.constants.prepared(draws[draw].pipeline.state().fog.mode);
            let [front, back] = constants.stencil_reference.map(u32::from);
            let held = hardware_stages(draws[draw].pipeline.stages());
            let slots = (0..held).map(|slot| stage_of(draw, slot));
            let stages = slots.collect::<Result<Vec<_>, _>>()?;
            let Some(texture_bank) = self.first_bank(&stages, most_banks) else { break };
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
            self.samplings.extend(bound[draw].stages.iter().map(BoundStage::state));
            let before = self.stopwatch.turn_to(HostStage::Geometry);
            self.geometry.add(draw, &draws[draw], size);
            self.stopwatch.turn_to(before);
            done.end = draw + 1;
        }
        let before = self.stopwatch.turn_to(HostStage::Binning);
        self.bins.fill(&self.geometry.triangles, &shape, size);
        for triangle in &mut self.bins.triangles {
            triangle.draw -= done.start as u32;
        }
        self.stopwatch.turn_to(before);
        Ok(done)
    }

    /// Where the stages of a draw are in `banks`, one bank after the other; they are added if they are new and there is room.
    fn first_bank(&mut self, stages: &[Stage], most_banks: usize) -> Option<u32> {
        let mut needed: Vec<Bank> =
            stages.chunks(BANK_STAGES).map(|stages| std::array::from_fn(|slot| stages.get(slot).copied())).collect();
        if needed.is_empty() {
            // Any bank will do; there is always one.
            needed.push([None; BANK_STAGES]);
        }
        if let Some(index) = self.banks.windows(needed.len()).position(|known| known == needed) {
            return Some(index as u32);
        }
        let first = self.banks.len();
        if first + needed.len() > most_banks {
            return None;
        }
        self.banks.extend(needed);
        Some(first as u32)
    }
}

/// Which tiles of a surface stand for one value everywhere that is not in memory yet: the clear value, or 0 of a surface
/// that is new.
#[derive(Clone, Debug, Default)]
pub struct Freshness {
    columns: u32,
    side_log2: u32,
    fresh: Vec<bool>,
    /// The value.
    word: u32,
}

impl Freshness {
    /// All tiles of a surface of this size stand for this value.
    pub fn reset(&mut self, (width, height): (u32, u32), side_log2: u32, word: u32) {
        let side = 1 << side_log2;
        self.columns = width.div_ceil(side);
        self.side_log2 = side_log2;
        self.word = word;
        self.fresh.clear();
        self.fresh.resize((self.columns * height.div_ceil(side)) as usize, true);
    }

    /// No tile does, as memory holds everything.
    pub fn forget(&mut self, size: (u32, u32), side_log2: u32) {
        self.reset(size, side_log2, 0);
        self.fresh.fill(false);
    }

    /// Log2 of the tiles' side.
    pub const fn side_log2(&self) -> u32 {
        self.side_log2
    }

    /// The value that fresh tiles stand for.
    pub const fn word(&self) -> u32 {
        self.word
    }

    /// Whether a tile is fresh.
    pub fn is_fresh(&self, tile: &records::Tile) -> bool {
        self.fresh[self.index(tile)]
    }

    /// A tile is stored: it is no longer fresh.
    pub fn store(&mut self, tile: &records::Tile) {
        let index = self.index(tile);
        self.fresh[index] = false;
    }

    /// Gives words their value where tiles are fresh. `words` are whole planes of `plane_words`, rows of `pitch`.
    pub fn fill(&self, words: &mut [u32], plane_words: usize, pitch: usize) {
        let side = 1usize << self.side_log2;
        for plane in words.chunks_mut(plane_words) {
            for (x, y) in self.fresh() {
                for row in plane[y * pitch + x..].chunks_mut(pitch).take(side) {
                    row[..side].fill(self.word);
                }
            }
        }
    }

    /// Whether every tile is fresh, and memory holds nothing of the surface.
    pub fn is_all_fresh(&self) -> bool {
        !self.fresh.is_empty() && !self.fresh.contains(&false)
    }

    /// Whether any tile is fresh.
    pub fn is_any_fresh(&self) -> bool {
        self.fresh.contains(&true)
    }

    /// The corners (x, y) of fresh tiles.
    fn fresh(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let columns = self.columns as usize;
        let corner = move |tile: usize| ((tile % columns) << self.side_log2, (tile / columns) << self.side_log2);
        self.fresh.iter().enumerate().filter(|(_, fresh)| **fresh).map(move |(tile, _)| corner(tile))
    }

    fn index(&self, tile: &records::Tile) -> usize {
        ((tile.y >> self.side_log2) * self.columns + (tile.x >> self.side_log2)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_fresh_until_it_is_stored() {
        let mut freshness = Freshness::default();
        freshness.reset((40, 20), 4, 7);
        let tile = |x, y| records::Tile { x, y, ..records::Tile::default() };
        assert!(freshness.is_fresh(&tile(16, 16)) && freshness.is_all_fresh());
        freshness.store(&tile(16, 16));
        freshness.store(&tile(0, 0));
        assert!(!freshness.is_fresh(&tile(16, 16)) && freshness.is_fresh(&tile(32, 16)));
        assert!(!freshness.is_all_fresh() && !Freshness::default().is_all_fresh());
        assert_eq!(freshness.fresh().collect::<Vec<_>>(), [(16, 0), (32, 0), (0, 16), (32, 16)]);
        // Two planes of 64 x 32 words.
        let mut words = vec![0; 2 * 64 * 32];
        freshness.fill(&mut words, 64 * 32, 64);
        assert_eq!([words[0], words[16], words[15 * 64 + 47], words[48]], [0, 7, 7, 0]);
        assert_eq!([words[64 * 32 + 16 * 64 + 16], words[64 * 32 + 31 * 64 + 15]], [0, 7]);
        freshness.forget((40, 20), 3);
        assert!(!freshness.is_any_fresh());
    }
}
