//! Vertex programs in the evaluator.

use gpu_core::isa::ExtensionSet;
use shaders::evaluate::{BoundTexture, Evaluator, FragmentBuffer, FragmentResources};

use crate::bound::BoundBuffer;
use crate::frame::RenderError;
use crate::vertex_run::VertexRun;

/// Runs a program as a machine with these extensions would: the words of the results, vertex after vertex.
pub fn run(run: &VertexRun, extensions: ExtensionSet) -> Result<Vec<u32>, RenderError> {
    let (draw, program) = (run.draw, &run.call.program);
    let mut evaluator = Evaluator::for_machine(program.module(), extensions)
        .map_err(|cause| RenderError::Compile { draw, cause: Box::new(cause) })?;
    let contents: Vec<Vec<u8>> = run
        .bound
        .buffers
        .iter()
        .map(|buffer| match buffer {
            BoundBuffer::Plain(buffer) => buffer.bytes().to_vec(),
            BoundBuffer::Storage(buffer) => buffer.bytes(),
            BoundBuffer::Texels(texture) => texture.image().bytes.clone(),
        })
        .collect();
    let buffers: Vec<_> = contents.iter().map(|bytes| FragmentBuffer::Read(bytes)).collect();
    let mut textures = Vec::new();
    for (slot, bound) in run.bound.stages.iter().enumerate() {
        let image = bound.image.as_ref();
        let stage = image.stage(0, bound.sampling()).map_err(|cause| {
            let name = program.stages()[slot].texture.name.clone();
            RenderError::Texture { draw, name, cause }
        })?;
        textures.push(BoundTexture { image, stage, state: bound.state() });
    }
    let resources = FragmentResources { buffers: &buffers, textures: &textures };
    let mut words = Vec::with_capacity(run.invocations() * program.result_words());
    evaluator
        .run_vertices(&run.inputs(), &resources, &mut words)
        .map_err(|cause| RenderError::Evaluate { draw, cause })?;
    Ok(words)
}
