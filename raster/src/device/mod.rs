//! The pipeline on the simulated GPU: host stages here, everything per pixel in the tile kernel.
//!
//! Before: [`screen`](crate::screen), pass by pass. After: [`target`](crate::target). For each run of draws that share a
//! kernel: host stages and bins ([`run`](crate::run)) → upload → one launch over the tiles that are touched. A tile that
//! was never touched gets the clear value when its surface is read, so nothing is spent on it before.

mod buffers;
mod error;
mod kernels;
mod launch;
mod pass;
mod surfaces;
mod textures;
mod vertex_buffers;
mod vertices;

use gpu_core::config::GpuConfig;
use gpu_core::gpu::Gpu;
use gpu_core::launcher::{Launcher, ToTheEnd};
use gpu_core::program::Program;
use shaders::compile::CompiledKernel;

use crate::draw::Draw;
use crate::frame::{Backend, Frame, RenderError};
use crate::frame_report::FrameReport;
use crate::pipeline::Pipeline;
use crate::run::Run;
use crate::screen::Screen;
use crate::stopwatch::Stopwatch;
use crate::surface::{Contents, Surface};
use crate::target::Target;
use crate::tile_kernel::{RunKind, Variant};
use crate::tile_shape::TileShape;
use crate::vertex::Vertex;
use crate::vertex_program::VertexProgram;
use crate::vertex_run::vertices_of;
use buffers::DeviceBuffer;
use error::on_device;
pub use error::{DeviceDrawError, DeviceError};
use kernels::TileKernels;
use launch::LISTS;
use surfaces::DeviceSurfaces;
use textures::TextureCache;
use vertices::Vertices;

/// Draws frames on a simulated GPU.
#[derive(Debug)]
pub struct Device {
    gpu: Gpu,
    /// How the last pass, which is the picture, was divided.
    shape: TileShape,
    kernels: TileKernels,
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

impl Device {
    /// A GPU to draw on. Graphics needs 4, 8, 16 or 32 lanes.
    pub fn new(config: GpuConfig) -> Result<Self, DeviceError> {
        let gpu = Gpu::new(config)?;
        Ok(Self {
            shape: TileShape::for_machine(gpu.config())?,
            gpu,
            kernels: TileKernels::new(),
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

    /// What the last frame took, or the last vertices that were made without one.
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
        self.vertices.kernels().chain(self.kernels.kernels())
    }

    /// The kernel that a draw of a frame's picture runs, of this pipeline and variant.
    pub fn kernel(&mut self, pipeline: &Pipeline, variant: Variant) -> Result<&CompiledKernel, DeviceDrawError> {
        let shape = TileShape::for_machine(self.gpu.config())?;
        self.kernels.compiled(&self.gpu, pipeline, &RunKind::picture(pipeline, shape, variant))
    }

    /// The kernel that makes the vertices of draws with this program.
    pub fn vertex_kernel(&mut self, program: &VertexProgram) -> Result<&CompiledKernel, DeviceDrawError> {
        self.vertices.compiled(&self.gpu, program)
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
        self.kernels.drop_unused();
        let Self { gpu, textures, surfaces, vertices, .. } = self;
        let dropped = textures.drop_unused(gpu).and_then(|()| surfaces.drop_unused(gpu));
        dropped.and_then(|()| vertices.drop_unused(gpu)).map_err(on_device(0))?;
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
        *report = FrameReport { lanes: gpu.config().lanes, ..FrameReport::default() };
        vertices.drop_unused(gpu).map_err(on_device(0))?;
        vertices_of(draw, |run| vertices.run(gpu, textures, run, &mut ToTheEnd, report))
    }

    fn name(&self) -> &str {
        "device"
    }

    fn report(&self) -> Option<&FrameReport> {
        Some(&self.report)
    }
}
