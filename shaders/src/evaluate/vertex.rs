//! What goes into a run of a vertex shader, and the run.
//!
//! Before: the rasterizer, which has fetched the attributes. After: as many words a vertex as
//! `interface::VertexInterface::outputs` lists.

use super::mask::Mask;
use super::program::{Input, Stage};
use super::run::Machine;
use super::{EvaluateError, Evaluator, FragmentBuffer, FragmentResources, stopped};

/// Attributes (`@location` inputs) that a vertex can have.
pub const MOST_ATTRIBUTES: usize = 16;

/// Vertices that run together.
const BATCH: usize = 256;

/// One vertex before its shader.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexInput {
    /// `@builtin(vertex_index)`.
    pub vertex_index: u32,
    /// `@builtin(instance_index)`.
    pub instance_index: u32,
    /// Bits of each attribute's components, in the order of `interface::VertexInterface::attributes`.
    pub attributes: [[u32; 4]; MOST_ATTRIBUTES],
}

impl Evaluator {
    /// Runs a vertex entry point for each of `inputs`. The words of each vertex's result are appended to `outputs`, in the
    /// order of `interface::VertexInterface::outputs`.
    pub fn run_vertices(
        &mut self,
        inputs: &[VertexInput],
        resources: &FragmentResources<'_>,
        outputs: &mut Vec<u32>,
    ) -> Result<(), EvaluateError> {
        self.check_stage(Stage::Vertex)?;
        self.check_textures(resources.textures)?;
        if let Some(place) = self.program.buffers.get(resources.buffers.len()) {
            return Err(self.missing(place.group, place.binding));
        }
        inputs.chunks(BATCH).try_for_each(|batch| self.run_batch(batch, resources, outputs))
    }

    fn run_batch(
        &mut self,
        inputs: &[VertexInput],
        resources: &FragmentResources<'_>,
        outputs: &mut Vec<u32>,
    ) -> Result<(), EvaluateError> {
        let count = inputs.len();
        self.make_room(count);
        let mut machine = Machine {
            program: &self.program,
            lanes: count,
            subgroup: 1,
            values: &mut self.values,
            private: &mut self.private,
            workgroup: &mut self.workgroup,
            buffers: resources.buffers.iter().map(FragmentBuffer::for_run).collect(),
            textures: resources.textures,
            covered: Mask::first(count),
            discarded: Mask::EMPTY,
            ended: Mask::EMPTY,
            steps_left: self.step_limit,
        };
        machine.start_private();
        machine.set_inputs(|input, lane| vertex_input(input, &inputs[lane]));
        machine.run(Mask::first(count)).map_err(|stop| stopped(&self.program.entry, self.step_limit, stop))?;
        let entry = self.program.functions.last().expect("a program has an entry point");
        let (first, words) = (entry.result.0 as usize, entry.result_words as usize);
        for lane in 0..count {
            outputs.extend((first..first + words).map(|word| machine.values[word * count + lane]));
        }
        Ok(())
    }
}

fn vertex_input(input: Input, vertex: &VertexInput) -> u32 {
    match input {
        Input::VertexIndex => vertex.vertex_index,
        Input::InstanceIndex => vertex.instance_index,
        Input::Attribute(number, component) => vertex.attributes[usize::from(number)][usize::from(component)],
        _ => unreachable!("a vertex shader has no such input"),
    }
}
