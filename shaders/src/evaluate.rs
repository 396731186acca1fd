//! The plain evaluator of naga IR: slow, obvious, what the compiled code must equal bit for bit.
//!
//! Before: `front_end::Module::select`. After: the rasterizer's reference and every differential test of the compiler.
//!
//! All lanes of a workgroup (or all fragments of a batch) run in lock-step under a mask: an `if` runs both sides, a loop runs
//! until its last lane has left. That makes derivatives, subgroup operations and barriers plain: the neighbours' values are
//! there. Rules: WGSL, with the choices it leaves open made as the machine makes them: arithmetic gives canonical NaNs; min,
//! max and conversions are RISC-V's; a dynamic index is clamped, as u32, to the last element; nothing is contracted.
//!
//! A bilinear textured shader runs at half a million fragments a second quad by quad, at a million in batches of 64 and more, in
//! the dev profile on one 2.8 GHz core (`cargo test -p shaders batches_of_any_size -- --nocapture`).

pub use self::vertex::{MOST_ATTRIBUTES, VertexInput};

pub use self::fragment::{
    BoundTexture, FragmentBuffer, FragmentInput, FragmentOutput, FragmentResources, MAX_INPUT_SLOTS, SamplingState,
};

mod arithmetic;
mod fragment;
mod mask;
mod prepare;
mod program;
mod run;
mod shape;
mod vertex;

use self::mask::Mask;
use self::program::{Input, Program, Stage};
use self::run::{Buffer, Machine, Stop};
use crate::diagnostic::CompileError;
use crate::front_end::Module;
use crate::interface::Output;
use gpu_core::isa::ExtensionSet;

/// Fragments one batch can hold.
pub const MOST_FRAGMENTS: usize = 1024;

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
    program: Program,
    /// Lanes that `values` and `private` have room for.
    lanes: usize,
    values: Vec<u32>,
    private: Vec<u32>,
    workgroup: Vec<u32>,
}

impl Evaluator {
    /// Prepares the entry point of a selected module, for results as a machine without transcendental instructions has them.
    pub fn new(module: &Module) -> Result<Self, CompileError> {
        Self::for_machine(module, ExtensionSet::NONE)
    }

    /// The same, for results as a machine with these extensions has them.
    pub fn for_machine(module: &Module, extensions: ExtensionSet) -> Result<Self, CompileError> {
        let program = prepare::prepare(module, extensions)?;
        let workgroup = vec![0; program.workgroup_words as usize];
        Ok(Self { step_limit: DEFAULT_STEP_LIMIT, program, lanes: 0, values: vec![], private: vec![], workgroup })
    }

    /// Runs a compute entry point over `grid` workgroups, one after the other; subgroups are `lanes` invocations wide (1 to 64).
    ///
    /// `textures` are in the order of `front_end::Module::texture_stages`.
    pub fn run_compute(
        &mut self,
        grid: [u32; 3],
        buffers: &mut [BufferBinding<'_>],
        textures: &[BoundTexture<'_>],
        lanes: u32,
    ) -> Result<(), EvaluateError> {
        self.check_stage(Stage::Compute)?;
        if !(1..=64).contains(&lanes) {
            return Err(self.unfit(&format!("was to run with subgroups of {lanes} lanes, 1 to 64 are possible")));
        }
        self.check_textures(textures)?;
        let mut bound = Vec::new();
        for place in &self.program.buffers {
            let found = buffers.iter().position(|b| (b.group, b.binding) == (place.group, place.binding));
            bound.push(found.ok_or_else(|| self.missing(place.group, place.binding))?);
        }
        // Each place takes its buffer out of the list; two places never share one.
        let mut given: Vec<_> = buffers.iter_mut().map(|binding| Some(&mut *binding.bytes)).collect();
        let taken =
            bound.into_iter().map(|index| given[index].take().map_or(Buffer::Read(&[]), Buffer::Write)).collect();

        let size = self.program.workgroup_size;
        let count = size.iter().product::<u32>() as usize;
        self.make_room(count);
        let mut machine = Machine {
            program: &self.program,
            lanes: count,
            subgroup: lanes as usize,
            values: &mut self.values,
            private: &mut self.private,
            workgroup: &mut self.workgroup,
            buffers: taken,
            textures,
            covered: Mask::first(count),
            discarded: Mask::EMPTY,
            ended: Mask::EMPTY,
            steps_left: self.step_limit,
        };
        for z in 0..grid[2] {
            for y in 0..grid[1] {
                for x in 0..grid[0] {
                    machine.ended = Mask::EMPTY;
                    machine.workgroup.fill(0);
                    machine.start_private();
                    machine.set_inputs(|input, lane| compute_input(input, lane, [x, y, z], grid, size, lanes));
                    machine
                        .run(Mask::first(count))
                        .map_err(|stop| stopped(&self.program.entry, self.step_limit, stop))?;
                }
            }
        }
        Ok(())
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

    /// The same for many quads at once, which is much faster: four consecutive fragments are a quad.
    ///
    /// `inputs` are any multiple of four up to [`MOST_FRAGMENTS`], `outputs` are as many.
    pub fn run_quads(
        &mut self,
        inputs: &[FragmentInput],
        resources: &FragmentResources<'_>,
        outputs: &mut [FragmentOutput],
    ) -> Result<(), EvaluateError> {
        self.check_stage(Stage::Fragment)?;
        let count = inputs.len();
        if !count.is_multiple_of(4) || count > MOST_FRAGMENTS || count != outputs.len() {
            return Err(self.unfit(&format!(
                "was given {count} fragments and room for {}; as many as fragments are needed, a multiple of 4, at most {MOST_FRAGMENTS}",
                outputs.len()
            )));
        }
        self.check_textures(resources.textures)?;
        if let Some(place) = self.program.buffers.get(resources.buffers.len()) {
            return Err(self.missing(place.group, place.binding));
        }
        self.make_room(count);
        let mut machine = Machine {
            program: &self.program,
            lanes: count,
            subgroup: 4,
            values: &mut self.values,
            private: &mut self.private,
            workgroup: &mut self.workgroup,
            buffers: resources.buffers.iter().map(FragmentBuffer::for_run).collect(),
            textures: resources.textures,
            covered: Mask::from_fn(count, |lane| !inputs[lane].is_helper),
            discarded: Mask::EMPTY,
            ended: Mask::EMPTY,
            steps_left: self.step_limit,
        };
        machine.start_private();
        machine.set_inputs(|input, lane| match input {
            Input::SubgroupInvocationId => lane as u32 % 4,
            Input::SubgroupSize => 4,
            _ => fragment_input(input, &inputs[lane]),
        });
        machine.run(Mask::first(count)).map_err(|stop| stopped(&self.program.entry, self.step_limit, stop))?;
        let result = self.program.functions.last().expect("a program has an entry point").result.0 as usize * count;
        for (lane, output) in outputs.iter_mut().enumerate() {
            *output = FragmentOutput {
                colors: self.program.missing_colors,
                depth: inputs[lane].position[2],
                mask: u32::MAX,
                is_discarded: machine.discarded.contains(lane),
            };
            for (word, what) in self.program.outputs.iter().enumerate() {
                let bits = machine.values[result + word * count + lane];
                match *what {
                    Output::Color { target, component } => {
                        output.colors[target as usize][component as usize] = f32::from_bits(bits);
                    }
                    Output::Depth => output.depth = f32::from_bits(bits),
                    Output::Mask => output.mask = bits,
                }
            }
        }
        Ok(())
    }

    /// Makes values and private memory fit `lanes` lanes, constants in place.
    fn make_room(&mut self, lanes: usize) {
        if self.lanes == lanes {
            return;
        }
        self.lanes = lanes;
        self.values = vec![0; self.program.value_words as usize * lanes];
        self.private = vec![0; self.program.private_words as usize * lanes];
        for &(slot, bits) in &self.program.constants {
            let start = slot.0 as usize * lanes;
            self.values[start..start + lanes].fill(bits);
        }
    }

    fn check_textures(&self, textures: &[BoundTexture<'_>]) -> Result<(), EvaluateError> {
        let (entry, wanted, given) = (self.program.entry.clone(), self.program.stages.len(), textures.len());
        if given < wanted { Err(EvaluateError::MissingTexture { entry, wanted, given }) } else { Ok(()) }
    }

    fn check_stage(&self, asked: Stage) -> Result<(), EvaluateError> {
        match self.program.stage {
            stage if stage == asked => Ok(()),
            Stage::Compute => Err(self.unfit("is a compute shader, run it with run_compute")),
            Stage::Vertex => Err(self.unfit("is a vertex shader, run it with run_vertices")),
            Stage::Fragment => Err(self.unfit("is a fragment shader, run it with run_quads")),
        }
    }

    fn missing(&self, group: u32, binding: u32) -> EvaluateError {
        EvaluateError::MissingBuffer { entry: self.program.entry.clone(), group, binding }
    }

    fn unfit(&self, problem: &str) -> EvaluateError {
        EvaluateError::Unfit { entry: self.program.entry.clone(), problem: problem.to_owned() }
    }
}

fn stopped(entry: &str, limit: u64, stop: Stop) -> EvaluateError {
    let entry = entry.to_owned();
    match stop {
        Stop::StepLimit => EvaluateError::StepLimit { entry, limit },
        Stop::DivergentBarrier { arrived, expected } => EvaluateError::DivergentBarrier { entry, arrived, expected },
    }
}

fn compute_input(input: Input, lane: usize, group: [u32; 3], grid: [u32; 3], size: [u32; 3], lanes: u32) -> u32 {
    let index = lane as u32;
    let local = [index % size[0], index / size[0] % size[1], index / size[0] / size[1]];
    match input {
        Input::LocalInvocationId(axis) => local[axis as usize],
        Input::LocalInvocationIndex => index,
        Input::WorkgroupId(axis) => group[axis as usize],
        Input::GlobalInvocationId(axis) => {
            let axis = axis as usize;
            group[axis].wrapping_mul(size[axis]).wrapping_add(local[axis])
        }
        Input::NumWorkgroups(axis) => grid[axis as usize],
        Input::SubgroupInvocationId => index % lanes,
        Input::SubgroupSize => lanes,
        Input::SubgroupId => index / lanes,
        Input::NumSubgroups => size.iter().product::<u32>().div_ceil(lanes),
        _ => unreachable!("a compute shader has no such input"),
    }
}

fn fragment_input(input: Input, fragment: &FragmentInput) -> u32 {
    match input {
        Input::Position(component) => fragment.position[component as usize].to_bits(),
        Input::FrontFacing => u32::from(fragment.is_front_facing),
        Input::SampleIndex => fragment.sample_index,
        Input::SampleMask => fragment.sample_mask,
        Input::Varying(slot) => fragment.slots[slot as usize],
        _ => unreachable!("a fragment shader has no such input"),
    }
}

#[cfg(test)]
mod tests;
