//! The pipeline on the simulated GPU: host stages here, everything per pixel in the tile kernel.
//!
//! Before: [`screen`](crate::screen), pass by pass. After: [`target`](crate::target). For each run of draws that share a
//! kernel: host stages and bins ([`run`](crate::run)) → upload → one launch over the tiles that are touched. A tile that
//! was never touched gets the clear value when its surface is read, so nothing is spent on it before.

mod buffers;
mod surfaces;
mod textures;
mod vertices;

use std::borrow::Cow;
use std::ops::Range;

use gpu_core::config::{ConfigError, GpuConfig};
use gpu_core::gpu::{Gpu, LaunchError, TextureStageError};
use gpu_core::launcher::{Launcher, ToTheEnd};
use gpu_core::memory::MemoryError;
use gpu_core::program::{Program, SourceFile};
use shaders::compile::{BackEndError, CompileOptions, CompiledKernel, LoadHoisting};
use shaders::diagnostic::CompileError;
use shaders::interface::COLOR_TARGETS;
use shaders::launch::KernelLaunchError;
use shaders::tile_records as records;
use shaders::translate::{Bounds, Options};

use crate::bound::{Bound, BoundBuffer};
use crate::draw::Draw;
use crate::frame::{Backend, Frame, RenderError};
use crate::frame_report::FrameReport;
use crate::pass::Store;
use crate::pipeline::{BANK_STAGES, Pipeline, PipelineKey};
use crate::resources::StorageBuffer;
use crate::run::{Freshness, Limits, Run, divide};
use crate::screen::{Attached, Screen, View, color_loads, depth_loads};
use crate::srgb;
use crate::stopwatch::{HostStage, Stopwatch};
use crate::surface::{Contents, Surface};
use crate::target::Target;
use crate::tile_kernel::{RunKind, TileKernel, Variant};
use crate::tile_shape::{TileShape, TileShapeError};
use crate::vertex::Vertex;
use crate::vertex_program::VertexProgram;
use crate::vertex_run::{vertices_of, with_vertices};
use buffers::DeviceBuffer;
use surfaces::DeviceSurfaces;
use textures::TextureCache;
use vertices::Vertices;

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
    /// The machine's local memory holds no tile of the pass.
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
    kind: RunKind,
    kernel: CompiledKernel,
}

/// The lists that the tile kernel reads, in the order of their bindings in `records.wgsl`.
const LISTS: [&str; 8] = ["pass", "tiles", "entries", "triangles", "planes", "draws", "resources", "samplings"];
const PASS: usize = 0;
const TILES: usize = 1;
const ENTRIES: usize = 2;
const TRIANGLES: usize = 3;
const PLANES: usize = 4;
const DRAWS: usize = 5;
const RESOURCES: usize = 6;
const SAMPLINGS: usize = 7;
/// Bindings of the colour targets, of the depths, and of what samples are averaged into.
const COLORS: [u32; COLOR_TARGETS] = [8, 12, 13, 14];
const DEPTH: u32 = 9;
const RESOLVED: [u32; COLOR_TARGETS] = [15, 16, 17, 18];
/// Binding of the marks.
const MARKS: u32 = 10;
/// Binding of the tables that encode and decode sRGB.
const SRGB: u32 = 11;
/// Binding of the changes from pixel centres to samples.
const SAMPLE_DELTAS: u32 = 19;

/// Draws frames on a simulated GPU.
#[derive(Debug)]
pub struct Device {
    gpu: Gpu,
    /// How the last pass, which is the picture, was divided.
    shape: TileShape,
    tile_kernel: TileKernel,
    compiled: Vec<Compiled>,
    vertices: Vertices,
    textures: TextureCache,
    surfaces: DeviceSurfaces,
    /// Where the last picture was drawn.
    screen: Option<Screen>,
    /// One for each of `LISTS`.
    buffers: [DeviceBuffer; LISTS.len()],
    /// Only where pixels have several samples.
    sample_deltas: DeviceBuffer,
    /// The buffers that the draws' shaders read, one after the other.
    shader_buffers: DeviceBuffer,
    /// Whether kernels mark the pixels that they shade.
    marks_shaded: bool,
    /// Those marks, a word for each pixel of the pass.
    marks: DeviceBuffer,
    /// Uploaded when a target needs it.
    srgb: DeviceBuffer,
    run: Run,
    report: FrameReport,
}

/// The pass that is being drawn.
struct PassInHand<'a> {
    draws: &'a [Draw],
    bound: &'a [Bound<'a>],
    size: (u32, u32),
    pitch: u32,
    plane_words: u32,
    attached: Attached,
    shape: TileShape,
    /// Places of the colour attachments, by target.
    colors: Vec<usize>,
    /// Places of what they are resolved into.
    resolved: Vec<Option<usize>>,
    /// Place of the depth attachment.
    depth: Option<usize>,
    /// Writable buffers, and where they lie for the time of the pass.
    storages: Vec<(StorageBuffer, DeviceBuffer)>,
    /// Colours that are stored by this run, and whether depths are.
    kept_colors: u32,
    keeps_depth: bool,
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
            vertices: Vertices::new(),
            textures: TextureCache::default(),
            surfaces: DeviceSurfaces::default(),
            screen: None,
            buffers: LISTS.map(DeviceBuffer::new),
            sample_deltas: DeviceBuffer::new("sample deltas"),
            shader_buffers: DeviceBuffer::new("shader buffers"),
            marks_shaded: false,
            marks: DeviceBuffer::new("marks"),
            srgb: DeviceBuffer::new("srgb"),
            run: Run::default(),
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

    /// Pixels along each side of the tiles in which a frame's picture is drawn. Refuses what [`Backend::render`] refuses before it
    /// draws.
    pub fn tile_side_of(&self, frame: &Frame) -> Result<u32, RenderError> {
        let screen = Screen::for_frame(self.screen.clone(), frame)?;
        let views = screen.views(frame)?;
        let attached = views.last().expect("a frame has a picture").attached();
        let shape = TileShape::for_pass(self.gpu.config(), attached.words_per_pixel()).map_err(on_device(0))?;
        Ok(shape.tile_side())
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

    /// Counts from now on with this stopwatch where frames take the host's time.
    pub fn set_stopwatch(&mut self, stopwatch: Stopwatch) {
        self.run.stopwatch = stopwatch;
    }

    /// What it has counted.
    pub fn stopwatch(&self) -> &Stopwatch {
        &self.run.stopwatch
    }

    /// The programs of the kernels that the last frames ran: those that make vertices, then those that draw, each in the order
    /// in which they were compiled.
    pub fn programs(&self) -> impl Iterator<Item = &Program> {
        self.kernels().map(|kernel| &kernel.program)
    }

    /// The kernels that the last frames ran, in the same order.
    pub fn kernels(&self) -> impl Iterator<Item = &CompiledKernel> {
        let tiles = self.compiled.iter().map(|compiled| &compiled.kernel);
        self.vertices.kernels().chain(tiles)
    }

    /// The kernel that a draw of a frame's picture runs, of this pipeline and variant.
    pub fn kernel(&mut self, pipeline: &Pipeline, variant: Variant) -> Result<&CompiledKernel, DeviceDrawError> {
        let shape = TileShape::for_machine(self.gpu.config())?;
        let position = self.compiled_position(pipeline, &RunKind::picture(pipeline, shape, variant))?;
        Ok(&self.compiled[position].kernel)
    }

    /// The kernel that makes the vertices of draws with this program.
    pub fn vertex_kernel(&mut self, program: &VertexProgram) -> Result<&CompiledKernel, DeviceDrawError> {
        self.vertices.compiled(&self.gpu, program)
    }

    /// The position in `compiled` of a kernel; compiles it if it is new.
    fn compiled_position(&mut self, pipeline: &Pipeline, kind: &RunKind) -> Result<usize, DeviceDrawError> {
        let is_it = |c: &Compiled| c.kind == *kind && c.pipeline.names(pipeline);
        if let Some(position) = self.compiled.iter().position(is_it) {
            return Ok(position);
        }
        let specialised = self.tile_kernel.specialise(pipeline, kind)?;
        let options =
            Options { bounds: Bounds::Trust, zero_workgroup_memory: false, extensions: self.gpu.config().extensions };
        let linked = shaders::link::link(&specialised, pipeline.module(), &options)?;
        let sources = [&specialised, pipeline.module()]
            .into_iter()
            .flat_map(|module| module.file_texts())
            .map(|(name, text)| SourceFile { name: name.to_owned(), text: text.to_owned() })
            .collect::<Vec<_>>();
        let config = self.gpu.config();
        // Triangles, planes and draws that an entry names are there whether or not it covers a pixel.
        let options = CompileOptions { load_hoisting: LoadHoisting::Always, ..CompileOptions::for_machine(config) };
        let kernel = shaders::compile::compile(&linked, &sources, &options)?;
        self.compiled.push(Compiled { pipeline: pipeline.key(), kind: *kind, kernel });
        Ok(self.compiled.len() - 1)
    }

    /// Draws one pass.
    fn draw_pass(&mut self, view: &View, launcher: &mut dyn Launcher) -> Result<(), RenderError> {
        let draws = self.with_pictures(view.draws)?;
        let Self { gpu, textures, vertices, report, .. } = self;
        let draws =
            with_vertices(draws, view.first().size(), |run| vertices.run(gpu, textures, run, &mut *launcher, report))?;
        let bound =
            (0..).zip(draws.iter()).map(|(index, draw)| Bound::of(index, draw)).collect::<Result<Vec<_>, _>>()?;
        let runs = divide(&draws, &bound, view.first().size());
        let mut pass = self.begin(view, &draws, &bound).map_err(on_device(0))?;
        let discarded = view.colors.iter().enumerate().filter(|(_, color)| color.store == Store::Discard);
        let discarded: u32 = discarded.map(|(target, _)| 1 << target).sum();
        let discards_depth = view.depth.as_ref().is_some_and(|depth| depth.store == Store::Discard);
        // Between runs everything has to be in memory.
        if runs.len() == 1 {
            pass.kept_colors &= !discarded;
            pass.keeps_depth &= !discards_depth;
        }
        let mut drawn = Ok(());
        for mut range in runs {
            // As many draws as there are banks of texture stages for; more than one launch, too, must find all in memory.
            while !range.is_empty() && drawn.is_ok() {
                drawn = self.prepare_run(&pass, &mut range).and_then(|done| {
                    if !range.is_empty() {
                        (pass.kept_colors, pass.keeps_depth) = (u32::MAX, true);
                    }
                    let draw = done.start;
                    self.launch(&pass, done, launcher).map_err(on_device(draw))
                });
            }
        }
        self.end(view, pass).map_err(on_device(0)).and(drawn)
    }

    /// The draws with pictures of the surfaces that they sample.
    fn with_pictures<'a>(&mut self, draws: &'a [Draw]) -> Result<Cow<'a, [Draw]>, RenderError> {
        if !draws.iter().any(|draw| draw.bindings.has_surfaces()) {
            return Ok(Cow::Borrowed(draws));
        }
        let pictured = draws.iter().enumerate().map(|(index, draw)| {
            let picture = |surface: &Surface| self.surfaces.picture(&mut self.gpu, surface);
            let bindings = draw.bindings.with_pictures(picture).map_err(on_device(index))?;
            Ok(draw.clone().with_bindings(bindings))
        });
        pictured.collect::<Result<Vec<_>, RenderError>>().map(Cow::Owned)
    }

    /// Makes the attachments and writable buffers of a pass ready.
    fn begin<'a>(
        &mut self,
        view: &View,
        draws: &'a [Draw],
        bound: &'a [Bound<'a>],
    ) -> Result<PassInHand<'a>, DeviceDrawError> {
        let attached = view.attached();
        let shape = TileShape::for_pass(self.gpu.config(), attached.words_per_pixel())?.with_samples(attached.samples);
        self.shape = shape;
        let first = view.first();
        let mut pass = PassInHand {
            draws,
            bound,
            size: first.size(),
            pitch: first.pitch(),
            plane_words: first.plane_words() as u32,
            attached,
            shape,
            colors: Vec::new(),
            resolved: Vec::new(),
            depth: None,
            storages: Vec::new(),
            kept_colors: u32::MAX,
            keeps_depth: true,
        };
        let Self { gpu, surfaces, marks, srgb, .. } = self;
        marks.resize(gpu, if self.marks_shaded { 4 * pass.plane_words } else { 0 })?;
        let is_encoded = attached.colors.iter().flatten().any(|format| format.is_srgb());
        srgb.write(gpu, if is_encoded { bytemuck::cast_slice(&srgb::TABLES[..]) } else { &[] })?;
        for color in &view.colors {
            let loads = color_loads(color);
            pass.colors.push(surfaces.begin(gpu, &color.surface, &loads, shape.tile_side_log2)?);
            let resolved = match &color.resolve {
                None => None,
                Some(into) => Some(surfaces.begin_resolved(gpu, &color.surface, into, &loads, shape.tile_side_log2)?),
            };
            pass.resolved.push(resolved);
        }
        if let Some(depth) = &view.depth {
            let loads = depth_loads(depth);
            pass.depth = Some(surfaces.begin(gpu, &depth.surface, &loads, shape.tile_side_log2)?);
        }
        for buffer in bound.iter().flat_map(|bound| &bound.buffers) {
            let BoundBuffer::Storage(buffer) = buffer else { continue };
            if !pass.storages.iter().any(|(known, _)| known.is_same(buffer)) {
                let mut on_device = DeviceBuffer::new("storage buffer");
                on_device.write(gpu, &buffer.bytes())?;
                pass.storages.push(((*buffer).clone(), on_device));
            }
        }
        Ok(pass)
    }

    /// Ends a pass: what is discarded is 0, what shaders wrote goes back to its owners.
    fn end(&mut self, view: &View, pass: PassInHand) -> Result<(), DeviceDrawError> {
        let side_log2 = pass.shape.tile_side_log2;
        for (color, place) in view.colors.iter().zip(&pass.colors) {
            if color.store == Store::Discard {
                self.surfaces.at(*place).discard(pass.size, side_log2);
            }
        }
        if let (Some(depth), Some(place)) = (&view.depth, pass.depth)
            && depth.store == Store::Discard
        {
            self.surfaces.at(place).discard(pass.size, side_log2);
        }
        for buffer in pass.bound.iter().flat_map(|bound| &bound.buffers) {
            if let BoundBuffer::Texels(texture) = buffer {
                self.textures.read_back(&self.gpu, texture)?;
            }
        }
        for (buffer, on_device) in pass.storages {
            let mut bytes = vec![0; buffer.size()];
            self.gpu.memory().read(on_device.address(), &mut bytes)?;
            buffer.replace(bytes);
            on_device.release(&mut self.gpu)?;
        }
        Ok(())
    }

    /// Prepares draws from the start of `range`, and takes them off it.
    fn prepare_run(&mut self, pass: &PassInHand, range: &mut Range<usize>) -> Result<Range<usize>, RenderError> {
        let Self { gpu, run, textures, .. } = self;
        let PassInHand { draws, bound, size, shape, .. } = pass;
        let most_banks = gpu.config().texture_stages as usize / BANK_STAGES;
        let limits = Limits { size: *size, shape: *shape, most_banks };
        let done = run.prepare(draws, bound, range.clone(), limits, |draw, slot| {
            let stage = &bound[draw].stages[slot];
            let address = textures.address(gpu, stage.texture).map_err(on_device(draw))?;
            stage.image.stage(address.0, stage.sampling()).map_err(|cause| RenderError::Texture {
                draw,
                name: draws[draw].pipeline.stages()[slot].texture.name.clone(),
                cause,
            })
        })?;
        range.start = done.end;
        Ok(done)
    }

    /// Uploads the prepared run, which are these draws, and launches its kernel.
    fn launch(
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
            kept_colors: pass.kept_colors & 15,
            keeps_depth: pass.keeps_depth,
        };
        let position = self.compiled_position(pipeline, &kind)?;
        let Self { gpu, compiled, buffers, surfaces, marks, srgb, sample_deltas, run, report, .. } = self;
        let kernel = &compiled[position].kernel;
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

impl Device {
    /// Draws a frame as [`Backend::render`] does, its launches run by `launcher`.
    pub fn render_by(&mut self, frame: &Frame, launcher: &mut dyn Launcher) -> Result<Target, RenderError> {
        self.run.stopwatch.start();
        let (_, depth_format) = frame.formats()?;
        let mut target = Target::with_format(frame.width, frame.height, depth_format, 0, [0; 2])?;
        self.report = FrameReport { lanes: self.gpu.config().lanes, ..FrameReport::default() };
        let screen = Screen::for_frame(self.screen.take(), frame)?;
        self.screen = Some(screen.clone());
        let views = screen.views(frame)?;
        // Frames come one after the other: a kernel or texture of the last one that nobody holds is not coming back.
        self.compiled.retain(|compiled| compiled.pipeline.is_held());
        self.vertices.drop_unused();
        let Self { gpu, textures, surfaces, .. } = self;
        textures.drop_unused(gpu).and_then(|()| surfaces.drop_unused(gpu)).map_err(on_device(0))?;
        for view in &views {
            self.draw_pass(view, launcher).map_err(|cause| view.named(cause))?;
        }
        target.color = self.surfaces.words(&mut self.gpu, &screen.color).map_err(on_device(0))?;
        let depth = self.surfaces.words(&mut self.gpu, &screen.depth).map_err(on_device(0))?;
        target.depth = screen.first_samples(depth.into());
        self.run.stopwatch.stop();
        Ok(target)
    }
}

impl Backend for Device {
    fn render(&mut self, frame: &Frame) -> Result<Target, RenderError> {
        self.render_by(frame, &mut ToTheEnd)
    }

    fn read(&mut self, surface: &Surface) -> Result<Contents, RenderError> {
        let words = self.surfaces.words(&mut self.gpu, surface).map_err(on_device(0))?;
        Ok(Contents::of(surface, &words))
    }

    fn vertices(&mut self, draw: &Draw) -> Result<Vec<Vertex>, RenderError> {
        let Self { gpu, textures, vertices, report, .. } = self;
        vertices_of(draw, |run| vertices.run(gpu, textures, run, &mut ToTheEnd, report))
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
