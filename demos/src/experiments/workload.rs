//! A workload: kernels, their buffers, the launches in order, and what must be in the buffers afterwards.
//!
//! Before: `compute` makes one for a machine. After: the launches' reports, if the results are right.

use gpu_core::gpu::{Gpu, LaunchReport};
use gpu_core::launcher::{Launcher, ToTheEnd};
use gpu_core::memory::MemoryError;
use gpu_core::units::Address;
use shaders::compile::CompiledKernel;
use shaders::launch::{BoundBuffer, launch_by};

use crate::experiments::error::ExperimentError;

/// A part of a buffer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Which of [`Workload::buffers`].
    pub buffer: usize,
    /// Its first byte in there.
    pub offset: u32,
    /// Its length in bytes.
    pub bytes: u32,
}

/// A buffer and what it holds at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its name, for messages.
    pub name: &'static str,
    /// What it holds.
    pub words: Vec<u32>,
}

impl Buffer {
    /// A buffer of floats.
    pub fn of_floats(name: &'static str, values: &[f32]) -> Self {
        Self { name, words: values.iter().map(|value| value.to_bits()).collect() }
    }

    /// Its length.
    pub fn bytes(&self) -> u32 {
        self.words.len() as u32 * 4
    }
}

/// One launch.
#[derive(Clone, Debug)]
pub struct Step {
    /// Which of [`Workload::kernels`].
    pub kernel: usize,
    /// Workgroups along x, y, z.
    pub grid: [u32; 3],
    /// By binding number of group 0.
    pub bindings: Vec<Binding>,
}

/// What a buffer must hold at the end, bit for bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Which of [`Workload::buffers`].
    pub buffer: usize,
    /// Its words.
    pub words: Vec<u32>,
}

/// Something to run on a machine, made for its lanes and warps.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Its name in tables.
    pub name: &'static str,
    /// What it is made of, for example `64 x 64`.
    pub size: String,
    /// The code.
    pub kernels: Vec<CompiledKernel>,
    /// What the kernels read and write.
    pub buffers: Vec<Buffer>,
    /// In order.
    pub steps: Vec<Step>,
    /// The result, from plain Rust.
    pub check: Vec<Expected>,
}

impl Workload {
    /// Runs on a machine, checks the results, and gives back the memory; a report for each step.
    ///
    /// # Errors
    /// The machine has no room, a launch fails, or a word of the result is wrong.
    pub fn run(&self, gpu: &mut Gpu) -> Result<Vec<LaunchReport>, ExperimentError> {
        self.run_by(gpu, &mut ToTheEnd)
    }

    /// The same, its launches run by `launcher`.
    pub fn run_by(&self, gpu: &mut Gpu, launcher: &mut dyn Launcher) -> Result<Vec<LaunchReport>, ExperimentError> {
        let mut places = Vec::new();
        let result = self.run_in(gpu, &mut places, launcher);
        for place in places {
            gpu.free(place)?;
        }
        result
    }

    fn run_in(
        &self,
        gpu: &mut Gpu,
        places: &mut Vec<Address>,
        launcher: &mut dyn Launcher,
    ) -> Result<Vec<LaunchReport>, ExperimentError> {
        for buffer in &self.buffers {
            let place = gpu.allocate(buffer.bytes(), buffer.name)?;
            places.push(place);
            let bytes: Vec<u8> = buffer.words.iter().flat_map(|word| word.to_le_bytes()).collect();
            gpu.upload(place, &bytes)?;
        }
        let mut reports = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let kernel = &self.kernels[step.kernel];
            let bound = kernel.bindings.iter().map(|binding| {
                let Binding { buffer, offset, bytes } = step.bindings[binding.binding as usize];
                BoundBuffer { address: places[buffer].offset(offset), bytes }
            });
            let bound: Vec<BoundBuffer> = bound.collect();
            reports.push(launch_by(gpu, kernel, &bound, step.grid, launcher)?);
        }
        for expected in &self.check {
            let buffer = &self.buffers[expected.buffer];
            let got = read_words(gpu, places[expected.buffer], buffer.bytes())?;
            if let Some(index) = got.iter().zip(&expected.words).position(|(a, b)| a != b) {
                return Err(ExperimentError::Guard(format!(
                    "`{}` of {} ({}): word {index} is {:#010x}, plain Rust says {:#010x}",
                    buffer.name, self.name, self.size, got[index], expected.words[index]
                )));
            }
        }
        Ok(reports)
    }
}

fn read_words(gpu: &Gpu, place: Address, bytes: u32) -> Result<Vec<u32>, MemoryError> {
    let bytes = gpu.read_back(place, bytes)?;
    Ok(bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
}
