//! What is to be drawn: a frame of draws, each a list of primitives with a pipeline and its resources, and the passes
//! before.
//!
//! Before: a scene. After: a [`Backend`], the reference or the device; both give the same picture, bit for bit.
//! A frame's picture is itself a pass into surfaces that the backend keeps ([`Screen`](crate::screen::Screen)).

use glam::Vec4;

use crate::draw::Draw;
use crate::dynamic::DynamicError;
use crate::format::{ColorFormat, DepthFormat};
use crate::frame_report::FrameReport;
use crate::pass::{Pass, PassError};
use crate::surface::{Contents, Samples, Surface};
use crate::target::{Target, TargetError};
use crate::vertex::Vertex;
use crate::vertex_stage_error::VertexStageError;

/// What the target holds before the first draw.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Clear {
    /// Red, green, blue, alpha in [0, 1]; linear, whatever the target stores.
    pub color: [f32; 4],
    /// 0 near to 1 far.
    pub depth: f32,
    /// Where the depth format has a stencil value.
    pub stencil: u8,
}

impl Clear {
    /// Opaque black, the farthest depth.
    pub const BLACK: Self = Self { color: [0.0, 0.0, 0.0, 1.0], depth: 1.0, stencil: 0 };

    /// This colour, the farthest depth, stencil 0.
    pub const fn to(color: [f32; 4]) -> Self {
        Self { color, ..Self::BLACK }
    }
}

/// One picture to draw.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Pixels, 1 to [`LARGEST_SIDE`](crate::target::LARGEST_SIDE).
    pub width: u32,
    /// Pixels, 1 to [`LARGEST_SIDE`](crate::target::LARGEST_SIDE).
    pub height: u32,
    /// What is there first.
    pub clear: Clear,
    /// Drawn in this order.
    pub draws: Vec<Draw>,
    /// Drawn before the picture, in this order, into surfaces of their own.
    pub passes: Vec<Pass>,
    /// Samples of the picture's pixels, averaged at its end.
    pub samples: Samples,
}

impl Frame {
    /// A picture of one pass, one sample a pixel.
    pub const fn new(width: u32, height: u32, clear: Clear, draws: Vec<Draw>) -> Self {
        Self { width, height, clear, draws, passes: Vec::new(), samples: Samples::One }
    }

    /// The same picture after these passes.
    pub fn after(self, passes: Vec<Pass>) -> Self {
        Self { passes, ..self }
    }

    /// The same picture with so many samples a pixel.
    pub fn with_samples(self, samples: Samples) -> Self {
        Self { samples, ..self }
    }

    /// Triangles (and points, and lines) of all draws, before clipping and culling.
    pub fn triangle_count(&self) -> usize {
        self.draws.iter().map(Draw::primitive_count).sum()
    }

    /// What the target stores: what the draws' pipelines say, who must agree. The plain formats if there is no draw.
    pub fn formats(&self) -> Result<(ColorFormat, DepthFormat), RenderError> {
        let formats_of = |draw: &Draw| (draw.pipeline.state().targets[0].format, draw.pipeline.state().depth_format);
        let Some(first) = self.draws.first().map(formats_of) else { return Ok(Default::default()) };
        if first.0.is_integer() {
            return Err(RenderError::IntegerPicture { format: first.0 });
        }
        match self.draws.iter().map(formats_of).enumerate().find(|(_, formats)| *formats != first) {
            Some((draw, (color, depth))) => {
                Err(RenderError::Formats { draw, color, depth, first_color: first.0, first_depth: first.1 })
            }
            None => Ok(first),
        }
    }
}

/// Why a frame could not be drawn. `draw` counts the frame's draws from 0.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The size is out of range.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The attachments of a pass do not fit, or a draw does not fit them.
    #[error("pass `{pass}`: {cause}")]
    Pass {
        /// Its label.
        pass: String,
        /// What is wrong.
        cause: PassError,
    },
    /// A picture is colours.
    #[error("the picture's draws have pipelines for {format:?}; integers are drawn into surfaces, by a pass")]
    IntegerPicture {
        /// Of their first target.
        format: ColorFormat,
    },
    /// A draw of a pass before the picture.
    #[error("pass `{pass}`: {cause}")]
    InPass {
        /// Its label.
        pass: String,
        /// What is wrong; its draw counts within the pass.
        #[source]
        cause: Box<RenderError>,
    },
    /// The backend has no surfaces.
    #[error("{backend} keeps no surfaces")]
    NoSurfaces {
        /// Its name.
        backend: String,
    },
    /// A value of the draw has no meaning.
    #[error("draw {draw}: {cause}")]
    Dynamic {
        /// Which draw.
        draw: usize,
        /// Which value, and why.
        cause: DynamicError,
    },
    /// A list of triangles or lines ends in the middle of one.
    #[error("draw {draw} has {count} {what}; a {list} needs a multiple of {corners}")]
    IndexCount {
        /// Which draw.
        draw: usize,
        /// Indices it has, or vertices.
        count: usize,
        /// "indices" or "vertices".
        what: &'static str,
        /// "triangle list" or "line list".
        list: &'static str,
        /// 3 or 2.
        corners: usize,
    },
    /// The last instances have no number.
    #[error("draw {draw} has {count} instances from number {first} on; numbers end at {}", u32::MAX)]
    Instances {
        /// Which draw.
        draw: usize,
        /// The first instance.
        first: u32,
        /// Instances.
        count: u32,
    },
    /// The draw's vertices cannot be made.
    #[error("draw {draw}: {cause}")]
    Vertices {
        /// Which draw.
        draw: usize,
        /// Why.
        cause: VertexStageError,
    },
    /// Draws of one frame for different formats.
    #[error("draw {draw} is for targets of {color:?} and {depth:?}, draw 0 for {first_color:?} and {first_depth:?}")]
    Formats {
        /// Which draw.
        draw: usize,
        /// Its colour format.
        color: ColorFormat,
        /// Its depth format.
        depth: DepthFormat,
        /// The first draw's.
        first_color: ColorFormat,
        /// The first draw's.
        first_depth: DepthFormat,
    },
    /// An index names no vertex.
    #[error("draw {draw}: index {position} is {index}, but there are {vertex_count} vertices (0 to below that)")]
    IndexOutOfRange {
        /// Which draw.
        draw: usize,
        /// Which of its indices, from 0.
        position: usize,
        /// Its value.
        index: u32,
        /// Vertices the draw has.
        vertex_count: u32,
    },
    /// The shader binds something the draw does not have.
    #[error("draw {draw}: the shader reads `{name}` at group {group}, binding {binding}, and nothing is bound there")]
    Unbound {
        /// Which draw.
        draw: usize,
        /// Its name in the shader.
        name: String,
        /// `@group`.
        group: u32,
        /// `@binding`.
        binding: u32,
    },
    /// The draw binds something else than the shader reads.
    #[error("draw {draw}: `{name}` at group {group}, binding {binding} needs {needed}, but {bound} is bound there")]
    WrongKind {
        /// Which draw.
        draw: usize,
        /// Its name in the shader.
        name: String,
        /// `@group`.
        group: u32,
        /// `@binding`.
        binding: u32,
        /// What the shader declares.
        needed: &'static str,
        /// What is there.
        bound: &'static str,
    },
    /// A buffer is shorter than the shader's type.
    #[error("draw {draw}: `{name}` at group {group}, binding {binding} needs {needed} bytes, the buffer has {bytes}")]
    BufferTooSmall {
        /// Which draw.
        draw: usize,
        /// Its name in the shader.
        name: String,
        /// `@group`.
        group: u32,
        /// `@binding`.
        binding: u32,
        /// Bytes the shader's type takes.
        needed: u32,
        /// Bytes the buffer has.
        bytes: usize,
    },
    /// The draw binds another kind of texture than the shader declares.
    #[error("draw {draw}: `{name}` at group {group}, binding {binding} is a {needed}, but a {bound} is bound there")]
    TextureKind {
        /// Which draw.
        draw: usize,
        /// Its name in the shader.
        name: String,
        /// `@group`.
        group: u32,
        /// `@binding`.
        binding: u32,
        /// What the shader declares.
        needed: String,
        /// What is there.
        bound: String,
    },
    /// A sampler has no meaning.
    #[error("draw {draw}: the sampler of texture `{name}` cannot be used")]
    Sampler {
        /// Which draw.
        draw: usize,
        /// The texture's name in the shader.
        name: String,
        /// Why.
        #[source]
        cause: crate::resources::SamplerError,
    },
    /// `sampler` and `sampler_comparison` are not the same.
    #[error("draw {draw}: `{name}` is a {} in the shader, and the sampler bound there has {}", if *.compares { "sampler_comparison" } else { "sampler" }, if *.compares { "no `compare`" } else { "`compare`" })]
    Comparison {
        /// Which draw.
        draw: usize,
        /// The sampler's name in the shader.
        name: String,
        /// Whether the shader compares.
        compares: bool,
    },
    /// The sampler filters between levels that the texture does not have.
    #[error("draw {draw}: the mip chain of texture `{name}` is incomplete: {levels} of {needed} levels; give all, or limit lod_max to {}", .levels - 1)]
    MipChain {
        /// Which draw.
        draw: usize,
        /// The texture's name in the shader.
        name: String,
        /// Levels there are.
        levels: u32,
        /// Levels down to 1 × 1.
        needed: u32,
    },
    /// A texture cannot be put into a sampler stage.
    #[error("draw {draw}: texture `{name}` cannot be sampled")]
    Texture {
        /// Which draw.
        draw: usize,
        /// Its name in the shader.
        name: String,
        /// Why.
        #[source]
        cause: texture::StageError,
    },
    /// The shader asks for what the backend cannot run; the message shows the place.
    #[error("draw {draw}: its shader does not compile")]
    Compile {
        /// Which draw.
        draw: usize,
        /// Where and why.
        #[source]
        cause: Box<shaders::diagnostic::CompileError>,
    },
    /// The simulated GPU could not do it.
    #[error("draw {draw} failed on the device")]
    Device {
        /// Which draw.
        draw: usize,
        /// Why.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The shader ran into an error.
    #[error("draw {draw}: its shader failed")]
    Evaluate {
        /// Which draw.
        draw: usize,
        /// Why.
        #[source]
        cause: shaders::evaluate::EvaluateError,
    },
}

/// Something that draws frames.
pub trait Backend {
    /// Draws a frame: its passes, then the picture: clears, then every draw in order.
    ///
    /// A frame that is refused leaves every surface and buffer as it was.
    fn render(&mut self, frame: &Frame) -> Result<Target, RenderError>;

    /// Copies out what a surface holds for this backend.
    fn read(&mut self, surface: &Surface) -> Result<Contents, RenderError> {
        let _ = surface;
        Err(RenderError::NoSurfaces { backend: self.name().to_owned() })
    }

    /// Makes a draw's vertices and draws nothing: those that its primitives name, ascending by number, instance after
    /// instance. Surfaces that a vertex shader reads must be bound as textures here.
    fn vertices(&mut self, draw: &Draw) -> Result<Vec<Vertex>, RenderError>;

    /// A short name for overlays and reports.
    fn name(&self) -> &str;

    /// What the last frame took, if it was drawn by a machine.
    fn report(&self) -> Option<&FrameReport> {
        None
    }
}

/// The clip-space position of a point given in pixels of a target, at a depth, with w = 1: for tests and flat pictures.
pub fn position_of_pixel(x: f32, y: f32, depth: f32, width: u32, height: u32) -> Vec4 {
    Vec4::new(2.0 * x / width as f32 - 1.0, 1.0 - 2.0 * y / height as f32, depth, 1.0)
}
