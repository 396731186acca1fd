//! Why a machine draws nothing, and what it could not do with a draw.
//!
//! Before: the machine, the compiler, device memory. After: `frame::RenderError`, of which it is the cause.

use gpu_core::config::ConfigError;
use gpu_core::gpu::TextureStageError;
use gpu_core::memory::MemoryError;
use shaders::compile::BackEndError;
use shaders::diagnostic::CompileError;
use shaders::launch::KernelLaunchError;

use crate::frame::RenderError;
use crate::tile_shape::TileShapeError;

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
    /// More textures and samplers than the machine holds at once.
    #[error(
        "its shader's pairs of texture and sampler need {needed} texture stages, the machine has {available} (`texture_stages`)"
    )]
    TextureStages {
        /// Stages of the shader.
        needed: usize,
        /// Stages of the machine.
        available: u32,
    },
    /// A sampler stage cannot be filled.
    #[error(transparent)]
    Stage(#[from] TextureStageError),
    /// The kernel does not fit the machine, or trapped.
    #[error(transparent)]
    Launch(#[from] KernelLaunchError),
}

/// Names the draw in a device error.
pub fn on_device<E: Into<DeviceDrawError>>(draw: usize) -> impl Fn(E) -> RenderError {
    move |cause| RenderError::Device { draw, cause: Box::new(cause.into()) }
}
