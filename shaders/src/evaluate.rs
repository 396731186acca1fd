//! The plain evaluator of naga IR: slow, obvious, what the compiled code must equal bit for bit.
//!
//! Before: `front_end::Module::select`. After: the rasterizer's reference and every differential test of the compiler.
//!
//! All lanes of a workgroup (or all fragments of a batch) run in lock-step under a mask: an `if` runs both sides, a loop runs
//! until its last lane has left. That makes derivatives, subgroup operations and barriers plain: the neighbours' values are
//! there. Rules: WGSL, with the choices it leaves open made as the machine makes them: arithmetic gives canonical NaNs; min,
//! max and conversions are RISC-V's; a dynamic index is clamped, as u32, to the last element; nothing is contracted.

pub use self::fragment::{
    BoundTexture, FragmentInput, FragmentOutput, FragmentResources, MAX_INPUT_SLOTS, SamplingState,
};

mod fragment;

use crate::diagnostic::CompileError;
use crate::front_end::Module;

/// Loop iterations and calls that one run may take, unless [`Evaluator::step_limit`] is changed.
pub const DEFAULT_STEP_LIMIT: u64 = 50_000_000;

/// Why a run ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluateError {
    /// A loop went on for too long.
    #[error("`{entry}` took more than {limit} steps; a loop does not end")]
    StepLimit {
        /// Entry point.
        entry: String,
        /// The limit.
        limit: u64,
    },
    /// Some lanes of the workgroup did not arrive.
    #[error("`{entry}` meets a barrier in divergent control flow: {arrived} of {expected} invocations arrive")]
    DivergentBarrier {
        /// Entry point.
        entry: String,
        /// Lanes at the barrier.
        arrived: u32,
        /// Lanes of the workgroup.
        expected: u32,
    },
    /// A binding the entry point uses was not given.
    #[error("`{entry}` uses buffer @group({group}) @binding({binding}), which was not given")]
    MissingBuffer {
        /// Entry point.
        entry: String,
        /// `@group`.
        group: u32,
        /// `@binding`.
        binding: u32,
    },
    /// Fewer textures than stages.
    #[error("`{entry}` uses {wanted} texture stages, {given} textures were given")]
    MissingTexture {
        /// Entry point.
        entry: String,
        /// Stages of the entry point.
        wanted: usize,
        /// Length of the list.
        given: usize,
    },
    /// The run was asked for something the entry point is not.
    #[error("`{entry}` {problem}")]
    Unfit {
        /// Entry point.
        entry: String,
        /// What does not fit.
        problem: String,
    },
}

/// A buffer bound for a compute run.
#[derive(Debug)]
pub struct BufferBinding<'a> {
    /// `@group`.
    pub group: u32,
    /// `@binding`.
    pub binding: u32,
    /// Its contents, little-endian; a runtime-sized array takes what is there.
    pub bytes: &'a mut [u8],
}

/// One entry point, made ready to run.
#[derive(Debug)]
pub struct Evaluator {
    /// Loop iterations and calls one run may take.
    pub step_limit: u64,
    entry: String,
}

impl Evaluator {
    /// Prepares the entry point of a selected module.
    pub fn new(module: &Module) -> Result<Self, CompileError> {
        Ok(Self { step_limit: DEFAULT_STEP_LIMIT, entry: module.entry_point().name.clone() })
    }

    /// Runs a compute entry point over `grid` workgroups; subgroups are `lanes` invocations wide (1 to 64).
    pub fn run_compute(
        &mut self,
        grid: [u32; 3],
        buffers: &mut [BufferBinding<'_>],
        lanes: u32,
    ) -> Result<(), EvaluateError> {
        let _ = (grid, buffers, lanes);
        Err(EvaluateError::Unfit { entry: self.entry.clone(), problem: "cannot run yet".into() })
    }

    /// Runs a fragment entry point for one quad: lanes 0 to 3 are (0,0), (1,0), (0,1), (1,1).
    pub fn run_quad(
        &mut self,
        inputs: &[FragmentInput; 4],
        resources: &FragmentResources<'_>,
    ) -> Result<[FragmentOutput; 4], EvaluateError> {
        let mut outputs = [FragmentOutput::default(); 4];
        self.run_quads(inputs, resources, &mut outputs)?;
        Ok(outputs)
    }

    /// The same for many quads at once, which is much faster: four consecutive fragments are a quad, `outputs` is as long
    /// as `inputs`, at most 256 fragments.
    pub fn run_quads(
        &mut self,
        inputs: &[FragmentInput],
        resources: &FragmentResources<'_>,
        outputs: &mut [FragmentOutput],
    ) -> Result<(), EvaluateError> {
        let _ = (inputs, resources, outputs);
        Err(EvaluateError::Unfit { entry: self.entry.clone(), problem: "cannot run yet".into() })
    }
}
