//! What goes into a fragment run and what comes out.
//!
//! Before: the rasterizer. After: `Evaluator::run_quads`.

use std::cell::Cell;

use super::run::Buffer;
use crate::interface::COLOR_TARGETS;

/// Input slots a fragment can carry; see `interface::FragmentInterface::inputs`.
pub const MAX_INPUT_SLOTS: usize = 64;

/// One fragment of a quad.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct FragmentInput {
    /// Window x and y of the sample, window depth, 1/w.
    pub position: [f32; 4],
    /// Which side of the triangle is seen.
    pub is_front_facing: bool,
    /// Runs for its neighbours' derivatives only: outputs and stores are dropped.
    pub is_helper: bool,
    /// `@builtin(sample_index)`.
    pub sample_index: u32,
    /// `@builtin(sample_mask)`.
    pub sample_mask: u32,
    /// Bits of each scalar input, by slot of `interface::FragmentInterface::inputs`.
    pub slots: [u32; MAX_INPUT_SLOTS],
}

impl Default for FragmentInput {
    fn default() -> Self {
        Self {
            position: [0.0; 4],
            is_front_facing: true,
            is_helper: false,
            sample_index: 0,
            sample_mask: 1,
            slots: [0; MAX_INPUT_SLOTS],
        }
    }
}

/// What one fragment's run gave.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct FragmentOutput {
    /// `@location(0)` to `@location(7)`; integers as bits. A component that the shader does not write is 0, alpha 1; a target
    /// it does not write has no meaning.
    pub colors: [[f32; 4]; COLOR_TARGETS],
    /// `@builtin(frag_depth)`, or the window depth that went in.
    pub depth: f32,
    /// `@builtin(sample_mask)`, or all ones.
    pub mask: u32,
    /// Whether the fragment was discarded.
    pub is_discarded: bool,
}

pub use crate::sampling_state::SamplingState;

/// A texture stage filled for a run.
#[derive(Copy, Clone, Debug)]
pub struct BoundTexture<'a> {
    /// The texels.
    pub image: &'a texture::Image,
    /// What the stage's registers hold, made by `image.stage(0, …)`: the image is its own memory, from address 0.
    pub stage: texture::Stage,
    /// Sizes and level-of-detail rules.
    pub state: SamplingState,
}

/// The contents of a buffer that a fragment shader uses.
#[derive(Copy, Clone, Debug)]
pub enum FragmentBuffer<'a> {
    /// Read only.
    Read(&'a [u8]),
    /// `var<storage, read_write>`: of fragments run together the first writes first.
    Write(&'a [Cell<u8>]),
}

impl<'a> FragmentBuffer<'a> {
    /// As a run takes it.
    pub(super) fn for_run(&self) -> Buffer<'a> {
        match *self {
            Self::Read(bytes) => Buffer::Read(bytes),
            Self::Write(bytes) => Buffer::Shared(bytes),
        }
    }
}

/// What a fragment entry point reads beside its inputs.
#[derive(Copy, Clone, Debug, Default)]
pub struct FragmentResources<'a> {
    /// Contents of the buffers, in the order of `interface::FragmentInterface::buffers`.
    pub buffers: &'a [FragmentBuffer<'a>],
    /// Textures, in the order of `front_end::Module::texture_stages`.
    pub textures: &'a [BoundTexture<'a>],
}
