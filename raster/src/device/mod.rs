//! The pipeline on the simulated GPU: host stages here, everything per pixel in the tile kernel.
//!
//! Before: [`frame`](crate::frame). After: [`target`](crate::target). For each run of draws that share a kernel:
//! host stages and bins ([`run`](crate::run)) → upload → one launch over the tiles that are touched. A tile that was
//! never touched is filled with the clear value when the picture is read back, so nothing is spent on it before.

mod buffers;
mod textures;

use gpu_core::config::{ConfigError, GpuConfig};
use gpu_core::gpu::{Gpu, LaunchError, TextureStageError};
use gpu_core::launcher::{Launcher, ToTheEnd};
use gpu_core::memory::MemoryError;
use gpu_core::program::{Program, SourceFile};
use shaders::compile::{BackEndError, CompileOptions, CompiledKernel, LoadHoisting};
use shaders::diagnostic::CompileError;
use shaders::launch::KernelLaunchError;
use shaders::tile_records as records;
use shaders::translate::{Bounds, Options};

use crate::bound::Bound;
use crate::check::check;
use crate::frame::{Backend, Draw, Frame, RenderError};
use crate::frame_report::FrameReport;
use crate::pipeline::{Pipeline, PipelineKey, TEXTURE_STAGES};
use crate::run::{Freshness, Run, divide};
use crate::srgb;
use crate::state::State;
use crate::target::{Target, color_word};
use crate::tile_kernel::{TileKernel, Variant};
use crate::tile_shape::{TileShape, TileShapeError};
use buffers::DeviceBuffer;
use textures::TextureCache;

/// Why a machine cannot be used for drawing.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// Not a machine at all.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A machine that computes but cannot draw.
    #[error(transparent)]
    TileShape(#[from] TileShapeError),
}

/// What the device could not do with a draw.
#[derive(Debug, thiserror::Error)]
pub enum DeviceDrawError {
    /// The shader asks for what the compiler does not have.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The shader does not fit the machine.
    #[error(transparent)]
    BackEnd(#[from] BackEndError),
    /// A tile of the frame's formats does not fit into local memory.
    #[error(transparent)]
    TileShape(#[from] TileShapeError),
    /// Device memory is full.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A sampler stage cannot be filled.
    #[error(transparent)]
    Stage(#[from] TextureStageError),
    /// The kernel does not fit the machine, or trapped.
    #[error(transparent)]
    Launch(#[from] KernelLaunchError),
}

/// A kernel made for one pipeline.
#[derive(Debug)]
struct Compiled {
    pipeline: PipelineKey,
    variant: Variant,
    kernel: CompiledKernel,
}

/// The tile kernel's bindings, in the order of their numbers in `tile.wgsl`.
const BINDINGS: [&str; 12] = [
    "pass",
    "tiles",
    "entries",
    "triangles",
    "planes",
    "draws",
    "resources",
    "samplings",
    "color",
    "depth",
    "marks",
    "srgb",
];
const PASS: usize = 0;
const TILES: usize = 1;
const ENTRIES: usize = 2;
const TRIANGLES: usize = 3;
const PLANES: usize = 4;
const DRAWS: usize = 5;
const RESOURCES: usize = 6;
const SAMPLINGS: usize = 7;
const COLOR: usize = 8;
const DEPTH: usize = 9;
const MARKS: usize = 10;
const SRGB: usize = 11;

/// Draws frames on a simulated GPU.
#[derive(Debug)]
pub struct Device {
    gpu: Gpu,
    shape: TileShape,
    tile_kernel: TileKernel,
    compiled: Vec<Compiled>,
    textures: TextureCache,
    /// One for each of `BINDINGS`.
    buffers: [DeviceBuffer; BINDINGS.len()],
    /// The buffers that the draws' shaders read, one after the other.
    shader_buffers: DeviceBuffer,
    /// Whether kernels mark the pixels that they shade.
    marks_shaded: bool,
    run: Run,
    freshness: Freshness,
    report: FrameReport,
}

impl Device {
    /// A GPU to draw on. Graphics needs 4, 8, 16 or 32 lanes.
    pub fn new(config: GpuConfig) -> Result<Self, DeviceError> {
        let gpu = Gpu::new(config)?;
        Ok(Self {
            shape: TileShape::for_machine(gpu.config())?,
            gpu,
            tile_kernel: TileKernel::new(),
            compiled: Vec::new(),
            textures: TextureCache::default(),
            buffers: BINDINGS.map(DeviceBuffer::new),
            shader_buffers: DeviceBuffer::new("shader buffers"),
            marks_shaded: false,
            run: Run::default(),
            freshness: Freshness::default(),
            report: FrameReport::default(),
        })
    }

    /// The machine.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The machine, to choose how it runs.
    pub fn gpu_mut(&mut self) -> &mut Gpu {
        &mut self.gpu
    }

    /// Pixels along each side of a tile.
    pub fn tile_side(&self) -> u32 {
        self.shape.tile_side()
    }

    /// Whether the kernels of the next frames store, block by block, to the word `pitch · y + x` of the region `marks` for each
    /// pixel that they are about to shade, so that an observer of the launches sees where a warp is. The picture is the same.
    pub fn mark_shaded(&mut self, marks: bool) {
        self.marks_shaded = marks;
    }

    /// What the last frame took.
    pub fn report(&self) -> &FrameReport {
        &self.report
    }

    /// The programs of the kernels that the last frames ran, in the order in which they were compiled.
    pub fn programs(&self) -> impl Iterator<Item = &Program> {
        self.compiled.iter().map(|compiled| &compiled.kernel.program)
    }

    /// The kernel that a draw of this pipeline and variant runs.
    pub fn kernel(&mut self, pipeline: &Pipeline, variant: Variant) -> Result<&CompiledKernel, DeviceDrawError> {
        let position = self.compiled_position(pipeline, variant)?;
        Ok(&self.compiled[position].kernel)
    }

    /// The position in `compiled` of a kernel; compiles it if it is new.
    fn compiled_position(&mut self, pipeline: &Pipeline, variant: Variant) -> Result<usize, DeviceDrawError> {
        let is_it = |c: &Compiled| c.variant == variant && c.pipeline.names(pipeline);
        if let Some(position) = self.compiled.iter().position(is_it) {
            return Ok(position);
        }
        let specialised = self.tile_kernel.specialise(&self.shape, pipeline, variant)?;
        let options = Options { bounds: Bounds::Trust, zero_workgroup_memory: false };
        let linked = shaders::link::link(&specialised, pipeline.module(), &options)?;
        let sources = [&specialised, pipeline.module()]
            .into_iter()
            .flat_map(|module| module.file_texts())
            .map(|(name, text)| SourceFile { name: name.to_owned(), text: text.to_owned() })
            .collect::<Vec<_>>();
        let config = self.gpu.config();
        // Triangles, planes and draws that an entry names are there whether or not it covers a pixel.
        let options = CompileOptions {
            load_hoisting: LoadHoisting::Always,
            ..CompileOptions::new(config.lanes, config.warps, config.extensions)
        };
        let kernel = shaders::compile::compile(&linked, &sources, &options)?;
        self.compiled.push(Compiled { pipeline: pipeline.key(), variant, kernel });
        Ok(self.compiled.len() - 1)
    }

    /// Prepares, uploads and launches draws until all of `range` are done.
    fn draw_run(
        &mut self,
        frame: &Frame,
        bound: &[Bound],
        mut range: std::ops::Range<usize>,
        launcher: &mut dyn Launcher,
    ) -> Result<(), RenderError> {
        while !range.is_empty() {
            let Self { gpu, run, textures, shape, .. } = self;
            let most_banks = gpu.config().texture_stages as usize / TEXTURE_STAGES;
            let done = run.prepare(frame, bound, range.clone(), shape, most_banks, |draw, slot| {
                let stage = &bound[draw].stages[slot];
                let address = textures.address(gpu, stage.texture).map_err(on_device(draw))?;
                stage.texture.image().stage(address.0, stage.sampling()).map_err(|cause| RenderError::Texture {
                    draw,
                    name: frame.draws[draw].pipeline.stages()[slot].texture.name.clone(),
                    cause,
                })
            })?;
            range.start = done.end;
            let draw = done.start;
            let variant = Variant::of(&frame.draws[draw], &bound[draw], (frame.width, frame.height));
            let variant = Variant { marks_shaded: self.marks_shaded, ..variant };
            self.launch(&frame.draws[draw], variant, &bound[done], launcher).map_err(on_device(draw))?;
        }
        Ok(())
    }

    /// Uploads the prepared run and launches its kernel; `draw` is the run's first.
    fn launch(
        &mut self,
        draw: &Draw,
        variant: Variant,
        bound: &[Bound],
        launcher: &mut dyn Launcher,
    ) -> Result<(), DeviceDrawError> {
        self.report.triangles += self.run.bins.triangles.len() as u64;
        if self.run.bins.tiles.is_empty() {
            return Ok(());
        }
        self.freshness.draw(&mut self.run.bins.tiles, draw.pipeline.state().written_flags());
        self.upload_run()?;
        self.upload_shader_buffers(bound)?;
        for (bank, stages) in (0u32..).zip(&self.run.banks) {
            for (slot, stage) in (0u32..).zip(stages) {
                if let Some(stage) = stage {
                    self.gpu.set_texture_stage(bank * TEXTURE_STAGES as u32 + slot, stage)?;
                }
            }
        }
        let position = self.compiled_position(&draw.pipeline, variant)?;
        let kernel = &self.compiled[position].kernel;
        let bindings: Vec<_> =
            kernel.bindings.iter().map(|binding| self.buffers[binding.binding as usize].bound()).collect();
        let grid = [self.run.bins.tiles.len() as u32, 1, 1];
        self.report.entries += self.run.bins.entries.len() as u64;
        self.report.tiles += self.run.bins.tiles.len() as u64;
        match shaders::launch::launch_by(&mut self.gpu, kernel, &bindings, grid, launcher) {
            Ok(report) => {
                self.report.add(&report);
                Ok(())
            }
            Err(cause) => {
                if matches!(cause, KernelLaunchError::Launch { cause: LaunchError::Trap(_) | LaunchError::Stopped, .. })
                {
                    self.report.add(&self.gpu.report());
                }
                Err(cause.into())
            }
        }
    }

    /// Copies the records of the prepared run to the device.
    fn upload_run(&mut self) -> Result<(), MemoryError> {
        let Self { gpu, run, buffers, .. } = self;
        buffers[TILES].write(gpu, bytemuck::cast_slice(&run.bins.tiles))?;
        buffers[ENTRIES].write(gpu, bytemuck::cast_slice(&run.bins.entries))?;
        buffers[TRIANGLES].write(gpu, bytemuck::cast_slice(&run.bins.triangles))?;
        buffers[PLANES].write(gpu, bytemuck::cast_slice(&run.geometry.planes))?;
        buffers[DRAWS].write(gpu, bytemuck::cast_slice(&run.draws))?;
        buffers[SAMPLINGS].write(gpu, bytemuck::cast_slice(&run.samplings))
    }

    /// Copies the buffers that the run's shaders read to the device, each once, and their addresses.
    fn upload_shader_buffers(&mut self, bound: &[Bound]) -> Result<(), MemoryError> {
        let mut data = Vec::new();
        let mut placed: Vec<(*const u8, [u32; 2])> = Vec::new();
        let mut ranges = Vec::new();
        for buffer in bound.iter().flat_map(|bound| &bound.buffers) {
            let bytes = buffer.bytes();
            // Draws of one scene often share their last few buffers.
            let recent = placed.iter().rev().take(8).find(|(known, _)| *known == bytes.as_ptr());
            let range = recent.map(|(_, range)| *range).unwrap_or_else(|| {
                let range = [data.len() as u32, bytes.len() as u32];
                data.extend_from_slice(bytes);
                data.resize(data.len().next_multiple_of(16), 0);
                placed.push((bytes.as_ptr(), range));
                range
            });
            ranges.push(range);
        }
        self.shader_buffers.write(&mut self.gpu, &data)?;
        for range in &mut ranges {
            range[0] += self.shader_buffers.address().0;
        }
        self.buffers[RESOURCES].write(&mut self.gpu, bytemuck::cast_slice(&ranges))
    }

    /// Copies the picture out; what was never drawn gets the clear values.
    fn read_back(&mut self, target: &mut Target, color: u32, depth: [u32; 2]) -> Result<(), MemoryError> {
        let side = self.shape.tile_side() as usize;
        let pitch = target.pitch as usize;
        self.buffers[COLOR].read_words(&self.gpu, &mut target.color)?;
        self.buffers[DEPTH].read_words(&self.gpu, &mut target.depth)?;
        let (first, second) = target.depth.split_at_mut(target.color.len());
        let planes = [
            (&mut target.color[..], color, records::Tile::FRESH_COLOR),
            (first, depth[0], records::Tile::FRESH_DEPTH),
            (second, depth[1], records::Tile::FRESH_STENCIL),
        ];
        for (words, clear, flag) in planes.into_iter().filter(|(words, ..)| !words.is_empty()) {
            for (x, y) in self.freshness.fresh(flag) {
                let first = y as usize * pitch + x as usize;
                for row in words[first..].chunks_mut(pitch).take(side) {
                    row[..side].fill(clear);
                }
            }
        }
        Ok(())
    }
}

impl Device {
    /// The tile shape for a frame's formats; kernels of another shape are of no use.
    fn take_shape(&mut self, frame: &Frame) -> Result<(), DeviceDrawError> {
        let bytes = frame.draws.first().map_or(State::FLAT, |draw| draw.pipeline.state()).bytes_per_sample();
        let shape = TileShape::for_pixels(self.gpu.config(), bytes)?;
        if shape != self.shape {
            self.shape = shape;
            self.compiled.clear();
        }
        Ok(())
    }

    /// Draws a frame as [`Backend::render`] does, its launches run by `launcher`.
    pub fn render_by(&mut self, frame: &Frame, launcher: &mut dyn Launcher) -> Result<Target, RenderError> {
        check(frame)?;
        let (color_format, depth_format) = frame.formats()?;
        let mut target = Target::with_format(frame.width, frame.height, depth_format, 0, [0; 2])?;
        self.report = FrameReport { lanes: self.gpu.config().lanes, ..FrameReport::default() };
        let bound =
            (0..).zip(&frame.draws).map(|(index, draw)| Bound::of(index, draw)).collect::<Result<Vec<_>, _>>()?;
        let size = (frame.width, frame.height);
        let clear_color = color_word(color_format, frame.clear.color);
        let clear_depth = depth_format.words_of(frame.clear.depth, frame.clear.stencil);
        self.take_shape(frame).map_err(on_device(0))?;
        self.freshness.reset(size, &self.shape);
        // Frames come one after the other: a kernel or texture of the last one that nobody holds is not coming back.
        self.compiled.retain(|compiled| compiled.pipeline.is_held());
        let mut prepare = || {
            self.textures.drop_unused(&mut self.gpu)?;
            let bytes = u32::try_from(target.color.len() * 4).unwrap_or(u32::MAX);
            self.buffers[COLOR].resize(&mut self.gpu, bytes)?;
            self.buffers[MARKS].resize(&mut self.gpu, if self.marks_shaded { bytes } else { 0 })?;
            self.buffers[DEPTH].resize(&mut self.gpu, bytes.saturating_mul(depth_format.words_per_sample()))?;
            if color_format.is_srgb() {
                self.buffers[SRGB].write(&mut self.gpu, bytemuck::cast_slice(&srgb::TABLES))?;
            }
            let pass = records::Pass {
                pitch: target.pitch,
                clear_color,
                clear_depth: clear_depth[0],
                clear_stencil: clear_depth[1],
                stencil_plane: target.color.len() as u32,
            };
            self.buffers[PASS].write(&mut self.gpu, bytemuck::bytes_of(&pass))
        };
        prepare().map_err(on_device(0))?;
        for range in divide(frame, &bound) {
            self.draw_run(frame, &bound, range, launcher)?;
        }
        self.read_back(&mut target, clear_color, clear_depth).map_err(on_device(0))?;
        Ok(target)
    }
}

impl Backend for Device {
    fn render(&mut self, frame: &Frame) -> Result<Target, RenderError> {
        self.render_by(frame, &mut ToTheEnd)
    }

    fn name(&self) -> &str {
        "device"
    }

    fn report(&self) -> Option<&FrameReport> {
        Some(&self.report)
    }
}

/// Names the draw in a device error.
fn on_device<E: Into<DeviceDrawError>>(draw: usize) -> impl Fn(E) -> RenderError {
    move |cause| RenderError::Device { draw, cause: Box::new(cause.into()) }
}
