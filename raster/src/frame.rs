//! What is to be drawn: a frame of draws, each a list of primitives with a pipeline and its resources.
//!
//! Before: a scene. After: a [`Backend`], the reference or the device; both give the same picture, bit for bit.

use std::sync::Arc;

use glam::Vec4;

use crate::dynamic::{Dynamic, DynamicError};
use crate::format::{ColorFormat, DepthFormat};
use crate::frame_report::FrameReport;
use crate::indices::Indices;
use crate::pipeline::Pipeline;
use crate::resources::Bindings;
use crate::target::{Target, TargetError};
use crate::vertex::Vertex;

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
}

impl Frame {
    /// Triangles (and points, and lines) of all draws, before clipping and culling.
    pub fn triangle_count(&self) -> usize {
        self.draws.iter().map(Draw::primitive_count).sum()
    }

    /// What the target stores: what the draws' pipelines say, who must agree. The plain formats if there is no draw.
    pub fn formats(&self) -> Result<(ColorFormat, DepthFormat), RenderError> {
        let formats_of = |draw: &Draw| (draw.pipeline.state().targets[0].format, draw.pipeline.state().depth_format);
        let Some(first) = self.draws.first().map(formats_of) else { return Ok(Default::default()) };
        match self.draws.iter().map(formats_of).enumerate().find(|(_, formats)| *formats != first) {
            Some((draw, (color, depth))) => {
                Err(RenderError::Formats { draw, color, depth, first_color: first.0, first_depth: first.1 })
            }
            None => Ok(first),
        }
    }
}

/// Makes a vertex from its number and that of the instance; called once for each vertex that a primitive names and each
/// instance, from several threads, in no fixed order.
pub type VertexShader = Arc<dyn Fn(u32, u32) -> Vertex + Send + Sync>;

/// Primitives drawn with one pipeline and one set of resources: triangles, lines or points, as the pipeline's
/// [`Topology`](crate::state::Topology) says.
#[derive(Clone)]
pub struct Draw {
    /// Shader and state.
    pub pipeline: Pipeline,
    /// What the shader reads.
    pub bindings: Bindings,
    /// The vertex stage.
    pub vertex_shader: VertexShader,
    /// How many vertices there are; every index must be below it.
    pub vertex_count: u32,
    /// The order of the vertices.
    pub indices: Indices,
    /// The number of the first instance.
    pub first_instance: u32,
    /// How often the primitives are drawn, all of one instance before those of the next.
    pub instance_count: u32,
    /// Viewport, scissor, and other values that need no other pipeline.
    pub dynamic: Dynamic,
}

impl Draw {
    /// Vertices in the order of `indices`, which may have 8, 16 or 32 bits.
    pub fn indexed(
        pipeline: &Pipeline,
        vertex_count: u32,
        indices: impl Into<Indices>,
        vertex_shader: impl Fn(u32) -> Vertex + Send + Sync + 'static,
    ) -> Self {
        Self {
            pipeline: pipeline.clone(),
            bindings: Bindings::new(),
            vertex_shader: Arc::new(move |vertex, _| vertex_shader(vertex)),
            vertex_count,
            indices: indices.into(),
            first_instance: 0,
            instance_count: 1,
            dynamic: Dynamic::DEFAULT,
        }
    }

    /// Vertices as they come: 0, 1, 2, and so on.
    pub fn list(
        pipeline: &Pipeline,
        vertex_count: u32,
        vertex_shader: impl Fn(u32) -> Vertex + Send + Sync + 'static,
    ) -> Self {
        Self::indexed(pipeline, vertex_count, Indices::None, vertex_shader)
    }

    /// The same primitives, once for each of `count` instances from `first` on, whose shader gets vertex and instance.
    pub fn with_instances(
        mut self,
        first: u32,
        count: u32,
        vertex_shader: impl Fn(u32, u32) -> Vertex + Send + Sync + 'static,
    ) -> Self {
        self.first_instance = first;
        self.instance_count = count;
        self.vertex_shader = Arc::new(vertex_shader);
        self
    }

    /// Primitives of all instances, before clipping and culling.
    pub fn primitive_count(&self) -> usize {
        let state = self.pipeline.state();
        let restart = if state.primitive_restart { self.indices.restart() } else { None };
        let count = match restart {
            None => state.topology.primitives(self.indices.count(self.vertex_count)),
            Some(restart) => {
                let mut indices = Vec::new();
                self.indices.append_to(self.vertex_count, &mut indices);
                indices.split(|&index| index == restart).map(|piece| state.topology.primitives(piece.len())).sum()
            }
        };
        count * self.instance_count as usize
    }

    /// The same draw with these resources.
    pub fn with_bindings(mut self, bindings: Bindings) -> Self {
        self.bindings = bindings;
        self
    }

    /// The same draw with these values.
    pub fn with_dynamic(mut self, dynamic: Dynamic) -> Self {
        self.dynamic = dynamic;
        self
    }
}

impl std::fmt::Debug for Draw {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Draw")
            .field("pipeline", &self.pipeline)
            .field("bindings", &self.bindings)
            .field("vertex_count", &self.vertex_count)
            .field("indices", &self.indices.count(self.vertex_count))
            .field("instances", &self.instance_count)
            .field("dynamic", &self.dynamic)
            .finish_non_exhaustive()
    }
}

/// Why a frame could not be drawn. `draw` counts the frame's draws from 0.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The size is out of range.
    #[error(transparent)]
    Target(#[from] TargetError),
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
    /// Draws a frame: clears, then every draw in order.
    fn render(&mut self, frame: &Frame) -> Result<Target, RenderError>;

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
