//! The kernel on a machine: one texture, one mapping; a picture and what it took for each filter and sampler.

use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, LaunchReport};
use gpu_core::launcher::{Launcher, ToTheEnd};
use shaders::compile::CompiledKernel;
use shaders::kernels::SAMPLER;
use shaders::launch::{BoundBuffer, launch_by};
use texture::{Image, Sampling, Stage};

use crate::experiments::build::build;
use crate::experiments::error::ExperimentError;
use crate::experiments::sampler::mapping::{Coordinates, Mapping};
use crate::experiments::sampler::reference::sampling;
use crate::experiments::sampler::{Filter, Sampler};

/// The most pixels along a side of the picture.
pub const LARGEST_TARGET: u32 = 8192;

/// A picture and what it took.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// 0xAARRGGBB, rows from the top.
    pub words: Vec<u32>,
    /// Of the launch that drew it.
    pub report: LaunchReport,
    /// Of a launch that starts and ends the same warps and draws nothing: what a launch costs before the first pixel.
    pub start_up: LaunchReport,
}

/// The bindings of the kernel in the order of their numbers.
#[derive(Copy, Clone, Debug)]
struct Buffers {
    job: BoundBuffer,
    stage: BoundBuffer,
    texels: BoundBuffer,
    picture: BoundBuffer,
}

/// A machine that holds a texture and draws pictures of it.
#[derive(Debug)]
pub struct Drawing<'a> {
    gpu: Gpu,
    image: &'a Image,
    mapping: Mapping,
    coordinates: Coordinates,
    target: [u32; 2],
    buffers: Buffers,
}

fn words_to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The kernel's `Stage`.
fn stage_words(stage: &Stage) -> Vec<u32> {
    let head = [stage.address, stage.width, stage.height, stage.levels, stage.format.code(), stage.filter.code()];
    let wraps = [stage.wrap_u.code(), stage.wrap_v.code(), stage.border];
    head.into_iter().chain(wraps).chain(stage.mip_offsets).collect()
}

impl<'a> Drawing<'a> {
    /// Puts the texture on a machine.
    pub fn new(mut gpu: Gpu, image: &'a Image, mapping: Mapping, target: [u32; 2]) -> Result<Self, ExperimentError> {
        for (what, value) in [("the picture's width", target[0]), ("the picture's height", target[1])] {
            if !(1..=LARGEST_TARGET).contains(&value) {
                return Err(ExperimentError::Size { what, value, least: 1, most: LARGEST_TARGET });
            }
        }
        let coordinates = mapping.coordinates([image.width(), image.height()], target)?;
        let mut buffer = |name: &str, bytes: u32| -> Result<BoundBuffer, ExperimentError> {
            Ok(BoundBuffer { address: gpu.allocate(bytes, name)?, bytes })
        };
        // The same length for every picture, so that addresses do not depend on what is drawn.
        let buffers = Buffers {
            job: buffer("job", 9 * 4)?,
            stage: buffer("stage", 25 * 4)?,
            texels: buffer("texels", image.bytes.len() as u32)?,
            picture: buffer("picture", target[0] * target[1] * 4)?,
        };
        gpu.upload(buffers.texels.address, &image.bytes)?;
        Ok(Self { gpu, image, mapping, coordinates, target, buffers })
    }

    /// The mapping in integers.
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// Draws another picture from now on, with a mapping of its own.
    pub fn set_target(&mut self, target: [u32; 2], coordinates: Coordinates) -> Result<(), ExperimentError> {
        let bytes = target[0] * target[1] * 4;
        self.gpu.free(self.buffers.picture.address)?;
        self.buffers.picture = BoundBuffer { address: self.gpu.allocate(bytes, "picture")?, bytes };
        (self.target, self.coordinates) = (target, coordinates);
        Ok(())
    }

    /// Draws the picture.
    pub fn draw(&mut self, filter: Filter, sampler: Sampler) -> Result<Drawn, ExperimentError> {
        self.draw_by(filter, sampler, &mut ToTheEnd)
    }

    /// The same, the launch that draws it run by `launcher`.
    pub fn draw_by(
        &mut self,
        filter: Filter,
        sampler: Sampler,
        launcher: &mut dyn Launcher,
    ) -> Result<Drawn, ExperimentError> {
        self.draw_with(filter, sampler, sampling(filter), launcher)
    }

    /// Draws with any wrap and border; the specialised sampler is made for clamp.
    fn draw_with(
        &mut self,
        filter: Filter,
        sampler: Sampler,
        sampling: Sampling,
        launcher: &mut dyn Launcher,
    ) -> Result<Drawn, ExperimentError> {
        let kernel = self.kernel(filter, sampler)?;
        let stage = self.image.stage(self.buffers.texels.address.0, sampling)?;
        self.gpu.set_texture_stage(0, &stage)?;
        // The software reads texels through its binding, from offset 0.
        let words = stage_words(&Stage { address: 0, ..stage });
        self.gpu.upload(self.buffers.stage.address, &words_to_bytes(&words))?;
        let pixels = self.target[0] * self.target[1];
        // What an earlier picture left would look like success.
        self.gpu.upload(self.buffers.picture.address, &vec![0; pixels as usize * 4])?;
        let start_up = self.launch(&kernel, 0, &mut ToTheEnd)?;
        let report = self.launch(&kernel, self.target[0], launcher)?;
        let bytes = self.gpu.read_back(self.buffers.picture.address, pixels * 4)?;
        let words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        Ok(Drawn { words, report, start_up })
    }

    /// The code that draws with this filter and sampler.
    pub fn kernel(&self, filter: Filter, sampler: Sampler) -> Result<CompiledKernel, ExperimentError> {
        let GpuConfig { lanes, warps, .. } = *self.gpu.config();
        let level = self.mapping.level_of_detail().0 as usize;
        let levels = &self.image.levels;
        let [fine, coarse] = [level, level + 1].map(|level| levels[level.min(levels.len() - 1)]);
        let filter_code = match filter {
            Filter::Point => 0,
            Filter::Bilinear => 1,
            Filter::Trilinear => 2,
        };
        let overrides = [
            ("LANES", lanes),
            ("WARPS", warps),
            ("SAMPLER", sampler.code()),
            ("FILTER", filter_code),
            ("FULL_RUNS", u32::from(self.target[0].is_multiple_of(lanes))),
            ("FINE_WIDTH", fine.width),
            ("FINE_HEIGHT", fine.height),
            ("FINE_OFFSET", fine.offset / 4),
            ("COARSE_WIDTH", coarse.width),
            ("COARSE_HEIGHT", coarse.height),
            ("COARSE_OFFSET", coarse.offset / 4),
        ]
        .map(|(name, value)| (name, f64::from(value)));
        build(&SAMPLER, "main", &overrides, self.gpu.config())
    }

    /// Draws the first `width` pixels of rows: all of every row, or nothing in one row a core.
    fn launch(
        &mut self,
        kernel: &CompiledKernel,
        width: u32,
        launcher: &mut dyn Launcher,
    ) -> Result<LaunchReport, ExperimentError> {
        let Coordinates { x, y, origin } = self.coordinates;
        let (level, fraction) = self.mapping.level_of_detail();
        let signed = [x[0], y[0], origin[0], x[1], y[1], origin[1]].map(|value| value as u32);
        let job: Vec<u32> = [width].into_iter().chain(signed).chain([level, fraction]).collect();
        self.gpu.upload(self.buffers.job.address, &words_to_bytes(&job))?;
        let all = [self.buffers.job, self.buffers.stage, self.buffers.texels, self.buffers.picture];
        let bindings: Vec<BoundBuffer> = kernel.bindings.iter().map(|binding| all[binding.binding as usize]).collect();
        let rows = if width == 0 { self.gpu.config().cores } else { self.target[1] };
        Ok(launch_by(&mut self.gpu, kernel, &bindings, [rows, 1, 1], launcher)?)
    }
}

#[cfg(test)]
mod tests;
