//! Vertex programs on the machine: a launch for each draw that has one, a vertex an invocation.
//!
//! Before: [`vertex_run`](crate::vertex_run), which lists the vertices. After: their words, read back for the host stages.

use gpu_core::gpu::{Gpu, LaunchError};
use gpu_core::launcher::Launcher;
use gpu_core::memory::MemoryError;
use gpu_core::program::SourceFile;
use gpu_core::units::Address;
use shaders::compile::{CompileOptions, CompiledKernel};
use shaders::launch::{self, KernelLaunchError};

use super::buffers::DeviceBuffer;
use super::error::{DeviceDrawError, on_device};
use super::textures::TextureCache;
use super::vertex_buffers::VertexBuffers;
use crate::bound::{BoundBuffer, BoundStage};
use crate::frame::RenderError;
use crate::frame_report::FrameReport;
use crate::pipeline::hardware_stages;
use crate::vertex_kernel::{VertexKernel, VertexList};
use crate::vertex_program::{VertexProgram, VertexProgramKey};
use crate::vertex_run::VertexRun;

/// What the kernel takes as one list of all vertex buffers' bytes: attributes begin at addresses.
const ALL_MEMORY: launch::BoundBuffer = launch::BoundBuffer { address: Address(0), bytes: !3 };

/// What the device keeps for vertex programs.
#[derive(Debug)]
pub struct Vertices {
    kernel: VertexKernel,
    compiled: Vec<(VertexProgramKey, CompiledKernel)>,
    /// By [`VertexList`]; vertex buffers have places of their own.
    lists: [DeviceBuffer; VertexList::ALL.len()],
    buffers: VertexBuffers,
    /// The buffers that the shader reads, one after the other.
    shader_buffers: DeviceBuffer,
}

impl Vertices {
    /// Nothing compiled yet.
    pub fn new() -> Self {
        let names = [
            "vertex call",
            "vertex numbers",
            "vertex attributes",
            "vertex buffers",
            "vertex resources",
            "vertex results",
            "vertex samplings",
        ];
        let lists = names.map(DeviceBuffer::new);
        let shader_buffers = DeviceBuffer::new("buffers of vertex shaders");
        let buffers = VertexBuffers::default();
        Self { kernel: VertexKernel::new(), compiled: Vec::new(), lists, buffers, shader_buffers }
    }

    /// Forgets the kernels of programs, and the vertex buffers, that nobody holds.
    pub fn drop_unused(&mut self, gpu: &mut Gpu) -> Result<(), MemoryError> {
        self.compiled.retain(|(key, _)| key.is_held());
        self.buffers.drop_unused(gpu)
    }

    /// The kernels, in the order in which they were compiled.
    pub fn kernels(&self) -> impl Iterator<Item = &CompiledKernel> {
        self.compiled.iter().map(|(_, kernel)| kernel)
    }

    /// The kernel of a program, and where it is kept; compiles it if it is new.
    pub fn compiled(&mut self, gpu: &Gpu, program: &VertexProgram) -> Result<&CompiledKernel, DeviceDrawError> {
        if let Some(position) = self.compiled.iter().position(|(key, _)| key.names(program)) {
            return Ok(&self.compiled[position].1);
        }
        let config = gpu.config();
        let (specialised, linked) = self.kernel.link(program, config.lanes, config.extensions)?;
        let texts = [&specialised, program.module()].into_iter().flat_map(|module| module.file_texts());
        let sources: Vec<_> =
            texts.map(|(name, text)| SourceFile { name: name.to_owned(), text: text.to_owned() }).collect();
        let options = CompileOptions::for_machine(config);
        let kernel = shaders::compile::compile(&linked, &sources, &options)?;
        self.compiled.push((program.key(), kernel));
        Ok(&self.compiled.last().expect("it was pushed").1)
    }

    /// Runs a program: the words of the results, vertex after vertex.
    pub fn run(
        &mut self,
        gpu: &mut Gpu,
        textures: &mut TextureCache,
        run: &VertexRun,
        launcher: &mut dyn Launcher,
        report: &mut FrameReport,
    ) -> Result<Vec<u32>, RenderError> {
        let held = hardware_stages(run.call.program.stages());
        let available = gpu.config().texture_stages;
        if held > available as usize {
            return Err(on_device(run.draw)(DeviceDrawError::TextureStages { needed: held, available }));
        }
        for (slot, bound) in (0..).zip(&run.bound.stages[..held]) {
            set_stage(gpu, textures, run, slot, bound)?;
        }
        self.launch(gpu, run, launcher, report).map_err(on_device(run.draw))
    }

    fn launch(
        &mut self,
        gpu: &mut Gpu,
        run: &VertexRun,
        launcher: &mut dyn Launcher,
        report: &mut FrameReport,
    ) -> Result<Vec<u32>, DeviceDrawError> {
        let (count, width) = (run.invocations(), run.call.program.result_words());
        self.upload(gpu, run)?;
        let lanes = gpu.config().lanes;
        let kernel = self.compiled(gpu, &run.call.program)?.clone();
        let bound = |binding: &shaders::ir::Binding| match VertexList::of(binding) {
            VertexList::Data => ALL_MEMORY,
            list => self.lists[list as usize].bound(),
        };
        let bindings: Vec<_> = kernel.bindings.iter().map(bound).collect();
        let grid = [(count as u32).div_ceil(lanes), 1, 1];
        match shaders::launch::launch_by(gpu, &kernel, &bindings, grid, launcher) {
            Ok(launch) => report.add_vertex_launch(&launch),
            Err(cause) => {
                if matches!(cause, KernelLaunchError::Launch { cause: LaunchError::Trap(_) | LaunchError::Stopped, .. })
                {
                    report.add_vertex_launch(&gpu.report());
                }
                return Err(cause.into());
            }
        }
        report.vertices += count as u64;
        let (mut planes, mut words) = (vec![0; count * width], vec![0; count * width]);
        self.lists[VertexList::Results as usize].read_words(gpu, &mut planes)?;
        // The kernel writes each word of all vertices side by side.
        for (place, plane) in planes.chunks_exact(count).enumerate() {
            words.iter_mut().skip(place).step_by(width).zip(plane).for_each(|(word, &of_plane)| *word = of_plane);
        }
        Ok(words)
    }

    /// Copies what the kernel reads to the device.
    fn upload(&mut self, gpu: &mut Gpu, run: &VertexRun) -> Result<(), DeviceDrawError> {
        let starts = run.buffers().map(|buffer| Ok(self.buffers.address(gpu, buffer)?.0));
        let attributes = run.attributes(&starts.collect::<Result<Vec<_>, MemoryError>>()?);
        let mut write = |list: VertexList, bytes: &[u8]| self.lists[list as usize].write(gpu, bytes);
        write(VertexList::Attributes, bytemuck::cast_slice(&attributes))?;
        write(VertexList::Call, bytemuck::bytes_of(&run.call_record()))?;
        write(VertexList::Numbers, bytemuck::cast_slice(run.numbers))?;
        let samplings: Vec<_> = run.bound.stages.iter().map(BoundStage::state).collect();
        write(VertexList::Samplings, bytemuck::cast_slice(&samplings))?;
        let (mut bytes, mut ranges) = (Vec::new(), Vec::new());
        for buffer in &run.bound.buffers {
            let start = bytes.len() as u32;
            match buffer {
                BoundBuffer::Plain(buffer) => bytes.extend_from_slice(buffer.bytes()),
                BoundBuffer::Storage(buffer) => bytes.extend_from_slice(&buffer.bytes()),
                BoundBuffer::Texels(texture) => bytes.extend_from_slice(&texture.image().bytes),
            }
            ranges.push([start, bytes.len() as u32 - start]);
            bytes.resize(bytes.len().next_multiple_of(16), 0);
        }
        self.shader_buffers.write(gpu, &bytes)?;
        let first = self.shader_buffers.address().0;
        ranges.iter_mut().for_each(|[start, _]| *start += first);
        self.lists[VertexList::Resources as usize].write(gpu, bytemuck::cast_slice(&ranges))?;
        let words = run.invocations() as u64 * run.call.program.result_words() as u64;
        let bytes = u32::try_from(4 * words).unwrap_or(u32::MAX);
        Ok(self.lists[VertexList::Results as usize].resize(gpu, bytes)?)
    }
}

/// Puts a bound texture into a stage of the machine.
fn set_stage(
    gpu: &mut Gpu,
    textures: &mut TextureCache,
    run: &VertexRun,
    slot: u32,
    bound: &BoundStage,
) -> Result<(), RenderError> {
    let draw = run.draw;
    let address = textures.address(gpu, bound.texture).map_err(on_device(draw))?;
    let stage = bound.image.stage(address.0, bound.sampling()).map_err(|cause| {
        let name = run.call.program.stages()[slot as usize].texture.name.clone();
        RenderError::Texture { draw, name, cause }
    })?;
    gpu.set_texture_stage(slot, &stage).map_err(on_device(draw))
}
