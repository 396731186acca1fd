//! Why an experiment gives no figures.

use gpu_core::config::ConfigError;
use gpu_core::gpu::{LaunchError, TextureStageError};
use gpu_core::memory::MemoryError;
use shaders::compile::BackEndError;
use shaders::diagnostic::CompileError;
use shaders::launch::KernelLaunchError;
use texture::{ImageError, StageError};

/// Why an experiment gives no figures.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// Not a machine.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A kernel's source is refused.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A kernel does not fit the machine.
    #[error(transparent)]
    BackEnd(#[from] BackEndError),
    /// Device memory is full.
    #[error("device memory does not hold the experiment")]
    Memory(#[from] MemoryError),
    /// A picture cannot be made.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// A texture cannot be described to the machine.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// The machine has no such stage.
    #[error(transparent)]
    TextureStage(#[from] TextureStageError),
    /// A kernel did not run to its end.
    #[error(transparent)]
    Launch(#[from] KernelLaunchError),
    /// A size that the experiment cannot be done with.
    #[error("{what} must be {least} to {most}, not {value}")]
    Size {
        /// Which size.
        what: &'static str,
        /// What was asked for.
        value: u32,
        /// The smallest possible.
        least: u32,
        /// The largest possible.
        most: u32,
    },
    /// Coordinates of the mapping leave Q9.23 with its 7 further bits.
    #[error("mapping `{mapping}` reaches {textures:.2} textures, coordinates hold less than 2; make the source larger")]
    Mapping {
        /// The mapping.
        mapping: &'static str,
        /// The farthest coordinate, in textures.
        textures: f64,
    },
    /// A figure in cycles from a machine without time.
    #[error("this figure is in cycles, and the machine was not timed")]
    Untimed,
    /// A small program of a claim did not run to its end.
    #[error("program `{name}` failed")]
    Program {
        /// Its name.
        name: String,
        /// What the machine said.
        #[source]
        cause: LaunchError,
    },
    /// A result is wrong: no figure of the run counts.
    #[error("guard: {0}")]
    Guard(String),
}
