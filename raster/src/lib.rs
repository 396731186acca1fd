//! The graphics pipeline: plain state, host stages one file each in order, and two rasterizers that agree bit for bit.
//!
//! A triangle's way: [`frame`] (what is to be drawn) → [`vertex_run`] (vertex shaders in WGSL) → [`geometry`] (assemble, vertex, clip, viewport, setup, bin) →
//! the tile kernel on the simulated GPU, or [`mod@reference`] in plain Rust → [`target`] (the picture).

pub mod bound;
pub mod check;
mod depth_value;
pub mod device;
pub mod draw;
pub mod dynamic;
pub mod format;
pub mod frame;
pub mod frame_report;
pub mod geometry;
pub mod indices;
pub mod pass;
pub mod pipeline;
pub mod reference;
pub mod resources;
pub mod run;
pub mod screen;
#[cfg(test)]
mod seeded;
pub mod srgb;
pub mod state;
pub mod stopwatch;
pub mod surface;
pub mod target;
pub mod textures;
pub mod tile_kernel;
pub mod tile_shape;
mod unit_range;
pub mod vertex;
pub mod vertex_format;
pub mod vertex_kernel;
pub mod vertex_program;
pub mod vertex_run;
pub mod vertex_stage_error;

pub use device::Device;
pub use draw::{Draw, VertexShader, VertexStage};
pub use dynamic::{DepthOffset, Dynamic, Scissor, Viewport};
pub use format::{ColorFormat, DepthFormat};
pub use frame::{Backend, Clear, Frame, RenderError};
pub use frame_report::{FrameReport, VertexWork};
pub use indices::Indices;
pub use pass::{ColorAttachment, DepthAttachment, Load, Pass, PassError, Store};
pub use pipeline::{Pipeline, PipelineError};
pub use reference::Reference;
pub use resources::{
    Bindings, Buffer, MipFilter, Resource, Sampler, SamplerError, StorageBuffer, Texture, TextureError,
};
pub use shaders::texture_calls::TextureDimension;
pub use state::{
    BlendComponent, BlendFactor, BlendOperation, BlendState, ColorMask, ColorTarget, Compare, Constants, Cull,
    DepthState, Fog, FogCoordinate, FogMode, FogState, FrontFace, LogicOperation, PointRule, PointShape, PointState,
    ProvokingVertex, State, StateError, StencilFace, StencilOperation, StencilState, Topology,
};
pub use stopwatch::{HostStage, Stopwatch};
pub use surface::{Contents, Samples, Surface};
pub use target::{Target, TargetError};
pub use vertex::Vertex;
pub use vertex_format::VertexFormat;
pub use vertex_program::{
    StepMode, VertexAttribute, VertexBufferLayout, VertexCall, VertexProgram, VertexProgramError,
};
