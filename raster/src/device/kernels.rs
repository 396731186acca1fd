//! The tile kernels that a device has compiled, each for one pipeline and kind of run.
//!
//! Before: [`tile_kernel`](crate::tile_kernel), which specialises the source. After: `launch`, which runs them.

use gpu_core::gpu::Gpu;
use gpu_core::program::SourceFile;
use shaders::compile::{CompileOptions, CompiledKernel, LoadHoisting};
use shaders::translate::{Bounds, Options};

use super::error::DeviceDrawError;
use crate::pipeline::{Pipeline, PipelineKey};
use crate::tile_kernel::{RunKind, TileKernel};

/// The kernels, and the source that they are made of.
#[derive(Debug)]
pub struct TileKernels {
    source: TileKernel,
    compiled: Vec<Compiled>,
}

/// A kernel made for one pipeline.
#[derive(Debug)]
struct Compiled {
    pipeline: PipelineKey,
    kind: RunKind,
    kernel: CompiledKernel,
}

impl TileKernels {
    /// Nothing compiled yet.
    pub fn new() -> Self {
        Self { source: TileKernel::new(), compiled: Vec::new() }
    }

    /// Forgets the kernels of pipelines that nobody holds.
    pub fn drop_unused(&mut self) {
        self.compiled.retain(|compiled| compiled.pipeline.is_held());
    }

    /// The kernels, in the order in which they were compiled.
    pub fn kernels(&self) -> impl Iterator<Item = &CompiledKernel> {
        self.compiled.iter().map(|compiled| &compiled.kernel)
    }

    /// A kernel; compiles it if it is new.
    pub fn compiled(
        &mut self,
        gpu: &Gpu,
        pipeline: &Pipeline,
        kind: &RunKind,
    ) -> Result<&CompiledKernel, DeviceDrawError> {
        let is_it = |c: &Compiled| c.kind == *kind && c.pipeline.names(pipeline);
        if let Some(position) = self.compiled.iter().position(is_it) {
            return Ok(&self.compiled[position].kernel);
        }
        let config = gpu.config();
        let specialised = self.source.specialise(pipeline, kind)?;
        let options = Options { bounds: Bounds::Trust, zero_workgroup_memory: false, extensions: config.extensions };
        let linked = shaders::link::link(&specialised, pipeline.module(), &options)?;
        let sources = [&specialised, pipeline.module()]
            .into_iter()
            .flat_map(|module| module.file_texts())
            .map(|(name, text)| SourceFile { name: name.to_owned(), text: text.to_owned() })
            .collect::<Vec<_>>();
        // Triangles, planes and draws that an entry names are there whether or not it covers a pixel.
        let options = CompileOptions { load_hoisting: LoadHoisting::Always, ..CompileOptions::for_machine(config) };
        let kernel = shaders::compile::compile(&linked, &sources, &options)?;
        self.compiled.push(Compiled { pipeline: pipeline.key(), kind: *kind, kernel });
        Ok(&self.compiled.last().expect("it was pushed").kernel)
    }
}
