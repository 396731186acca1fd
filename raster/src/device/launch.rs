//! A run on the device: its records and buffers are copied there, and its kernel is launched over the tiles that it touches.
//!
//! Before: `pass`, which has prepared the run. After: the attachments in device memory.

use std::ops::Range;

use gpu_core::gpu::LaunchError;
use gpu_core::launcher::Launcher;
use gpu_core::memory::MemoryError;
use shaders::interface::COLOR_TARGETS;
use shaders::launch::KernelLaunchError;
use shaders::tile_records as records;

use super::Device;
use super::buffers::DeviceBuffer;
use super::error::DeviceDrawError;
use super::pass::PassInHand;
use crate::bound::{Bound, BoundBuffer};
use crate::pipeline::{BANK_STAGES, Pipeline};
use crate::resources::StorageBuffer;
use crate::run::Freshness;
use crate::stopwatch::HostStage;
use crate::tile_kernel::{ALL_COLORS, RunKind, Variant};

/// The lists that the tile kernel reads, in the order of their bindings in `records.wgsl`.
pub const LISTS: [&str; 8] = ["pass", "tiles", "entries", "triangles", "planes", "draws", "resources", "samplings"];
const PASS: usize = 0;
const TILES: usize = 1;
const ENTRIES: usize = 2;
const TRIANGLES: usize = 3;
const PLANES: usize = 4;
const DRAWS: usize = 5;
const RESOURCES: usize = 6;
const SAMPLINGS: usize = 7;
/// Bindings of the colour targets, of the depths, and of what samples are averaged into.
const COLORS: [u32; COLOR_TARGETS] = [8, 12, 13, 14, 20, 21, 22, 23];
const DEPTH: u32 = 9;
const RESOLVED: [u32; COLOR_TARGETS] = [15, 16, 17, 18, 24, 25, 26, 27];
/// Binding of the marks.
const MARKS: u32 = 10;
/// Binding of the tables that encode and decode sRGB.
const SRGB: u32 = 11;
/// Binding of the changes from pixel centres to samples.
const SAMPLE_DELTAS: u32 = 19;

impl Device {
    /// Uploads the prepared run, which are these draws, and launches its kernel.
    pub(super) fn launch(
        &mut self,
        pass: &PassInHand,
        run: Range<usize>,
        launcher: &mut dyn Launcher,
    ) -> Result<(), DeviceDrawError> {
        self.report.triangles += self.run.bins.triangles.len() as u64;
        if self.run.bins.tiles.is_empty() {
            return Ok(());
        }
        let draw = &pass.draws[run.start];
        let pipeline = &draw.pipeline;
        let bound = &pass.bound[run];
        let words = self.flag_tiles(pass, pipeline);
        self.buffers[PASS].write(&mut self.gpu, bytemuck::bytes_of(&words))?;
        self.upload_run()?;
        self.upload_shader_buffers(bound, &pass.storages)?;
        for (bank, stages) in (0u32..).zip(&self.run.banks) {
            for (slot, stage) in (0u32..).zip(stages) {
                if let Some(stage) = stage {
                    self.gpu.set_texture_stage(bank * BANK_STAGES as u32 + slot, stage)?;
                }
            }
        }
        let kind = RunKind {
            shape: pass.shape,
            attached: pass.attached,
            variant: Variant { marks_shaded: self.marks_shaded, ..Variant::of(draw, &bound[0], pass.size) },
            kept_colors: pass.kept_colors & ALL_COLORS,
            keeps_depth: pass.keeps_depth,
        };
        let Self { gpu, kernels, buffers, surfaces, marks, srgb, sample_deltas, run, report, .. } = self;
        let kernel = kernels.compiled(gpu, pipeline, &kind)?;
        let bindings: Vec<_> = kernel
            .bindings
            .iter()
            .map(|binding| {
                let color = COLORS.iter().position(|color| *color == binding.binding);
                let target = color.and_then(|target| pass.colors.get(target)).copied();
                let resolved = RESOLVED.iter().position(|resolved| *resolved == binding.binding);
                let resolved = resolved.and_then(|target| pass.resolved.get(target)).copied().flatten();
                let place = if binding.binding == DEPTH { pass.depth } else { target.or(resolved) };
                match place {
                    _ if binding.binding == MARKS => marks.bound(),
                    _ if binding.binding == SRGB => srgb.bound(),
                    _ if binding.binding == SAMPLE_DELTAS => sample_deltas.bound(),
                    Some(place) => surfaces.at(place).buffer.bound(),
                    // What is not attached is not touched, but it has to be somewhere.
                    None => buffers.get(binding.binding as usize).unwrap_or(&buffers[PASS]).bound(),
                }
            })
            .collect();
        let grid = [run.bins.tiles.len() as u32, 1, 1];
        report.entries += run.bins.entries.len() as u64;
        report.tiles += run.bins.tiles.len() as u64;
        let before = run.stopwatch.turn_to(HostStage::Kernels);
        let launched = shaders::launch::launch_by(gpu, kernel, &bindings, grid, launcher);
        run.stopwatch.turn_to(before);
        match launched {
            Ok(launch) => {
                report.add(&launch);
                Ok(())
            }
            Err(cause) => {
                if matches!(cause, KernelLaunchError::Launch { cause: LaunchError::Trap(_) | LaunchError::Stopped, .. })
                {
                    report.add(&gpu.report());
                }
                Err(cause.into())
            }
        }
    }

    /// Says in the run's tiles what need not be loaded, and notes what will be stored; gives the pass's record.
    fn flag_tiles(&mut self, pass: &PassInHand, pipeline: &Pipeline) -> records::Pass {
        let mut words = records::Pass {
            pitch: pass.pitch,
            plane: pass.plane_words,
            stencil_plane: pass.plane_words * pass.attached.samples.count(),
            ..records::Pass::default()
        };
        let drawn = pass.attached.colors_of(pipeline);
        for (target, place) in pass.colors.iter().enumerate().filter(|(target, _)| drawn >> target & 1 != 0) {
            let [freshness, _] = &mut self.surfaces.at(*place).freshness;
            words.clear_color[target] = freshness.word();
            for tile in &mut self.run.bins.tiles {
                tile.flags |= u32::from(freshness.is_fresh(tile)) * (records::Tile::FRESH_COLOR << target);
                freshness.store(tile);
            }
            if let Some(place) = pass.resolved[target] {
                let [freshness, _] = &mut self.surfaces.at(place).freshness;
                self.run.bins.tiles.iter().for_each(|tile| freshness.store(tile));
            }
        }
        if let Some(place) = pass.depth {
            let written = pipeline.state().written_flags();
            let flags = [records::Tile::FRESH_DEPTH, records::Tile::FRESH_STENCIL];
            let freshness = &mut self.surfaces.at(place).freshness;
            [words.clear_depth, words.clear_stencil] = freshness.each_ref().map(Freshness::word);
            for (freshness, flag) in freshness.iter_mut().zip(flags) {
                for tile in &mut self.run.bins.tiles {
                    tile.flags |= u32::from(freshness.is_fresh(tile)) * flag;
                    if written & flag != 0 {
                        freshness.store(tile);
                    }
                }
            }
        }
        words
    }

    /// Copies the records of the prepared run to the device.
    fn upload_run(&mut self) -> Result<(), MemoryError> {
        let Self { gpu, run, buffers, sample_deltas, .. } = self;
        sample_deltas.write(gpu, bytemuck::cast_slice(&run.bins.deltas))?;
        buffers[TILES].write(gpu, bytemuck::cast_slice(&run.bins.tiles))?;
        buffers[ENTRIES].write(gpu, bytemuck::cast_slice(&run.bins.entries))?;
        buffers[TRIANGLES].write(gpu, bytemuck::cast_slice(&run.bins.triangles))?;
        buffers[PLANES].write(gpu, bytemuck::cast_slice(&run.geometry.planes))?;
        buffers[DRAWS].write(gpu, bytemuck::cast_slice(&run.draws))?;
        buffers[SAMPLINGS].write(gpu, bytemuck::cast_slice(&run.samplings))
    }

    /// Copies the buffers that the run's shaders read to the device, each once, and their addresses.
    fn upload_shader_buffers(
        &mut self,
        bound: &[Bound],
        storages: &[(StorageBuffer, DeviceBuffer)],
    ) -> Result<(), MemoryError> {
        let mut data = Vec::new();
        let mut placed: Vec<(*const u8, [u32; 2])> = Vec::new();
        let mut ranges = Vec::new();
        for buffer in bound.iter().flat_map(|bound| &bound.buffers) {
            let bytes = match buffer {
                BoundBuffer::Plain(buffer) => buffer.bytes(),
                BoundBuffer::Texels(texture) => {
                    let address = self.textures.address(&mut self.gpu, texture)?;
                    ranges.push((false, [address.0, buffer.size() as u32]));
                    continue;
                }
                BoundBuffer::Storage(buffer) => {
                    let place = storages.iter().find(|(known, _)| known.is_same(buffer));
                    let (_, place) = place.expect("the pass has uploaded every storage buffer");
                    ranges.push((false, [place.address().0, place.bound().bytes]));
                    continue;
                }
            };
            // Draws of one scene often share their last few buffers.
            let recent = placed.iter().rev().take(8).find(|(known, _)| *known == bytes.as_ptr());
            let range = recent.map(|(_, range)| *range).unwrap_or_else(|| {
                let range = [data.len() as u32, bytes.len() as u32];
                data.extend_from_slice(bytes);
                data.resize(data.len().next_multiple_of(16), 0);
                placed.push((bytes.as_ptr(), range));
                range
            });
            ranges.push((true, range));
        }
        self.shader_buffers.write(&mut self.gpu, &data)?;
        let first = self.shader_buffers.address().0;
        let ranges: Vec<[u32; 2]> = ranges
            .into_iter()
            .map(|(is_relative, [start, bytes])| [if is_relative { first + start } else { start }, bytes])
            .collect();
        self.buffers[RESOURCES].write(&mut self.gpu, bytemuck::cast_slice(&ranges))
    }
}
