//! A pipeline: a WGSL fragment shader, checked, with its state.
//!
//! Before: `state` and WGSL source. After: `frame`, whose draws name a pipeline.

use std::sync::{Arc, Weak};

use shaders::diagnostic::CompileError;
use shaders::front_end::Module;
use shaders::interface::{FragmentInterface, InputSlot, InterfaceError, Interpolation, StageBinding, stage_bindings};
use shaders::texture_calls::ScalarKind;

use crate::format::ColorFormat;
use crate::state::{Compare, State, StateError};
use crate::vertex::LOCATIONS;

/// Texture stages of a bank of the machine.
pub const BANK_STAGES: usize = 4;

/// Textures (with their samplers) that one shader can read: as many stages as a lookup word reaches.
pub const TEXTURE_STAGES: usize = shaders::accepted::MOST_TEXTURE_STAGES;

/// How many of a shader's stages the machine must hold; they are the first.
pub fn hardware_stages(stages: &[StageBinding]) -> usize {
    stages.iter().filter(|stage| stage.needs_hardware).count()
}

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
    /// Integers for a target of colours, or the other way round.
    #[error(
        "`{file}`, entry point `{entry}`: location {location} gives {kind:?}, and the state's target {location} is {format:?}"
    )]
    Numbers {
        /// The shader's file.
        file: String,
        /// The entry point.
        entry: String,
        /// `@location`, and the target's number.
        location: usize,
        /// What the shader gives.
        kind: ScalarKind,
        /// What the target holds.
        format: ColorFormat,
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
    /// More textures than a shader can reach.
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
    /// The entry point takes `@location` inputs and the builtins `position`, `front_facing`, `sample_index` and
    /// `sample_mask`; it returns colours at `@location(0)` to `@location(7)`, f32 or vectors of it, `frag_depth` and
    /// `sample_mask`. Components of a colour that are missing are 0, a missing alpha is 1. A shader that reads
    /// `sample_index` or an input interpolated at samples runs for each sample; x, y and z of its position are then the
    /// sample's, the fourth component stays the centre's.
    pub fn new(name: &str, source: &str, entry: &str, state: State) -> Result<Self, PipelineError> {
        Self::of_module(Module::parse(name, source)?.select(entry, &[])?, state)
    }

    /// The same from a module that is a fragment entry point alone, in whatever language it was written.
    pub fn of_module(module: Module, state: State) -> Result<Self, PipelineError> {
        let (file, entry) = (module.name.clone(), module.entry_point().name.clone());
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
        for (location, (kind, target)) in interface.color_kinds.iter().zip(&state.targets).enumerate() {
            if let Some(kind) = kind
                && *kind != target.format.kind()
            {
                let (kind, format) = (*kind, target.format);
                return Err(PipelineError::Numbers { file, entry, location, kind, format });
            }
        }
        if let Some(location) = state.point.sprite {
            let is_flat = |slot: &InputSlot| slot.location == location && slot.interpolation == Interpolation::Flat;
            let is_flat = interface.inputs.iter().any(is_flat);
            if is_flat || location as usize >= LOCATIONS {
                return Err(PipelineError::Sprite { location, is_flat });
            }
        }
        let stages = stage_bindings(&module);
        if hardware_stages(&stages) > TEXTURE_STAGES {
            return Err(PipelineError::TextureStages { file, entry, count: hardware_stages(&stages) });
        }
        Ok(Self { inner: Arc::new(Inner { state, module, interface, stages }) })
    }

    /// The state it was made with.
    pub fn state(&self) -> State {
        self.inner.state
    }

    /// Whether shading may drop a fragment, or some of its samples.
    pub fn may_drop(&self) -> bool {
        let Inner { state, interface, .. } = &*self.inner;
        let alpha_drops = state.alpha_test != Compare::Always || state.multisample.alpha_to_coverage;
        alpha_drops || interface.may_discard || interface.writes_mask()
    }

    /// Whether stencil and depth are tested after shading: the shader gives the depth, or writes buffers, which it does
    /// whether or not the fragment passes; or a fragment may be dropped, and the test of one that is dropped would leave
    /// a stencil value behind. (A depth can be tested early and written late.)
    pub fn tests_late(&self) -> bool {
        let interface = &self.inner.interface;
        let stencil_stays = self.may_drop() && self.inner.state.stencil.is_written();
        stencil_stays || interface.writes_depth() || interface.writes_storage()
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
