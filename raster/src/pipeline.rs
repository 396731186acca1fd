//! A pipeline: a WGSL fragment shader, checked, with its state.
//!
//! Before: `state` and WGSL source. After: `frame`, whose draws name a pipeline.

use std::sync::{Arc, Weak};

use shaders::diagnostic::CompileError;
use shaders::front_end::Module;
use shaders::interface::{FragmentInterface, InputSlot, InterfaceError, Interpolation, StageBinding, stage_bindings};

use crate::state::{Compare, State, StateError};
use crate::vertex::LOCATIONS;

/// Textures (with their samplers) that one shader can read: the stages of a bank of the machine.
pub const TEXTURE_STAGES: usize = 4;

/// Why a pipeline could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The shader does not compile; the message shows the place.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The entry point takes or gives what the rasterizer does not have.
    #[error("`{file}`, entry point `{entry}`")]
    Interface {
        /// The shader's file.
        file: String,
        /// The entry point.
        entry: String,
        /// What is wrong.
        #[source]
        cause: InterfaceError,
    },
    /// The state does not fit together.
    #[error("`{file}`, entry point `{entry}`")]
    State {
        /// The shader's file.
        file: String,
        /// The entry point.
        entry: String,
        /// What is wrong.
        #[source]
        cause: StateError,
    },
    /// An input that no vertex has.
    #[error("`{file}`, entry point `{entry}`: vertices have locations 0 to {}, not {location}", LOCATIONS - 1)]
    Location {
        /// The shader's file.
        file: String,
        /// The entry point.
        entry: String,
        /// `@location`.
        location: u32,
    },
    /// The shader asks for what the rasterizers do not have yet.
    #[error("`{file}`, entry point `{entry}`: {what} is not supported by the rasterizer")]
    Unsupported {
        /// The shader's file.
        file: String,
        /// The entry point.
        entry: String,
        /// What it asks for.
        what: &'static str,
    },
    /// Point coordinates cannot go to this location.
    #[error(
        "point coordinates go to location {location}, which {}",
        if *is_flat { "the shader reads flat" } else { "no vertex has" }
    )]
    Sprite {
        /// `@location`.
        location: u32,
        /// It exists, but one value does for the whole point.
        is_flat: bool,
    },
    /// More textures than a bank has stages.
    #[error("`{file}`, entry point `{entry}`: {count} pairs of texture and sampler; the limit is {TEXTURE_STAGES}")]
    TextureStages {
        /// The shader's file.
        file: String,
        /// The entry point.
        entry: String,
        /// Pairs it uses.
        count: usize,
    },
}

/// A fragment shader with its state; a handle, whose clones are the same pipeline.
#[derive(Clone, Debug)]
pub struct Pipeline {
    inner: Arc<Inner>,
}

/// What all clones share.
#[derive(Debug)]
struct Inner {
    state: State,
    module: Module,
    interface: FragmentInterface,
    stages: Vec<StageBinding>,
}

impl Pipeline {
    /// Compiles the fragment entry point `entry` of a WGSL file; `name` is the file's name in messages.
    ///
    /// The entry point takes `@location` inputs and the builtins `position` and `front_facing`, and returns colours at
    /// `@location(0)` to `@location(3)`: f32 or vectors of it. Components that are missing are 0, a missing alpha is 1.
    pub fn new(name: &str, source: &str, entry: &str, state: State) -> Result<Self, PipelineError> {
        let module = Module::parse(name, source)?.select(entry, &[])?;
        let (file, entry) = (name.to_owned(), entry.to_owned());
        if let Err(cause) = state.check() {
            return Err(PipelineError::State { file, entry, cause });
        }
        let interface = match FragmentInterface::of(&module.naga, &module.info, &entry) {
            Ok(interface) => interface,
            Err(cause) => return Err(PipelineError::Interface { file, entry, cause }),
        };
        if let Some(slot) = interface.inputs.iter().find(|slot| slot.location as usize >= LOCATIONS) {
            return Err(PipelineError::Location { file, entry, location: slot.location });
        }
        let unsupported = [
            (interface.writes_depth(), "`frag_depth`"),
            (interface.writes_mask() || interface.reads_sample_mask, "`sample_mask`"),
            (interface.runs_per_sample() || interface.leaves_the_center(), "shading at samples"),
            (interface.writes_storage(), "a buffer that is written"),
        ];
        if let Some((_, what)) = unsupported.into_iter().find(|(is_asked, _)| *is_asked) {
            return Err(PipelineError::Unsupported { file, entry, what });
        }
        if let Some(location) = state.point.sprite {
            let is_flat = |slot: &InputSlot| slot.location == location && slot.interpolation == Interpolation::Flat;
            let is_flat = interface.inputs.iter().any(is_flat);
            if is_flat || location as usize >= LOCATIONS {
                return Err(PipelineError::Sprite { location, is_flat });
            }
        }
        let stages = stage_bindings(&module);
        if stages.len() > TEXTURE_STAGES {
            return Err(PipelineError::TextureStages { file, entry, count: stages.len() });
        }
        Ok(Self { inner: Arc::new(Inner { state, module, interface, stages }) })
    }

    /// The state it was made with.
    pub fn state(&self) -> State {
        self.inner.state
    }

    /// Whether shading may drop a fragment.
    pub fn may_drop(&self) -> bool {
        self.inner.interface.may_discard || self.inner.state.alpha_test != Compare::Always
    }

    /// Whether stencil and depth are tested after shading: a fragment may be dropped, and the test of one that is dropped
    /// would leave a stencil value behind. (A depth can be tested early and written late.)
    pub fn tests_late(&self) -> bool {
        self.may_drop() && self.inner.state.stencil.is_written()
    }

    /// The shader.
    pub fn module(&self) -> &Module {
        &self.inner.module
    }

    /// What the shader takes.
    pub fn interface(&self) -> &FragmentInterface {
        &self.inner.interface
    }

    /// The textures it samples, in the order of the machine's stages.
    pub fn stages(&self) -> &[StageBinding] {
        &self.inner.stages
    }

    /// Whether two handles are the same pipeline.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// A name for the pipeline that does not keep it.
    pub(crate) fn key(&self) -> PipelineKey {
        PipelineKey(Arc::downgrade(&self.inner))
    }
}

/// Names a pipeline in a cache without keeping it.
#[derive(Clone, Debug)]
pub(crate) struct PipelineKey(Weak<Inner>);

impl PipelineKey {
    /// Whether this is the pipeline's name.
    pub(crate) fn names(&self, pipeline: &Pipeline) -> bool {
        // The weak handle keeps the address from being used again.
        std::ptr::eq(self.0.as_ptr(), Arc::as_ptr(&pipeline.inner))
    }

    /// Whether somebody still holds the pipeline.
    pub(crate) fn is_held(&self) -> bool {
        self.0.strong_count() > 0
    }
}
