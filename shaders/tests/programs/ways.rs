//! The ways a program can be run: evaluated, interpreted, and compiled for machines of many shapes.

use std::fmt;

use gpu_core::config::GpuConfig;
use gpu_core::gpu::Gpu;
use shaders::compile::{CompileOptions, DivergenceMechanism, Mutation, compile};
use shaders::diagnostic::CompileError;
use shaders::evaluate::{BoundTexture, BufferBinding, Evaluator};
use shaders::front_end::{Language, Module};
use shaders::interface::stage_bindings;
use shaders::interpret::{self, Launch, Memory, stage_sampler};
use shaders::ir::verify::verify;
use shaders::ir::{Binding, Kernel};
use shaders::launch::{BoundBuffer, launch};
use shaders::translate::{Options, SAMPLING_STATES, translate};

use crate::stages::{self, BoundStage};
use crate::table::{Case, Program};

/// Lanes of a warp that every program is run with.
pub const LANES: [u32; 4] = [4, 8, 16, 32];

/// Integer and float registers: all, and so few that most values live in the frame.
const REGISTERS: [(u32, u32); 2] = [(29, 32), (6, 4)];

/// How a program is run.
#[derive(Clone, Debug)]
pub enum Way {
    /// By the plain evaluator of naga's form.
    Evaluated { lanes: u32 },
    /// From the intermediate form, before any pass.
    Interpreted { lanes: u32 },
    /// On the machine.
    Compiled { config: Box<GpuConfig>, registers: (u32, u32), divergence: DivergenceMechanism },
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evaluated { lanes } => write!(f, "{lanes} lanes, evaluated"),
            Self::Interpreted { lanes } => write!(f, "{lanes} lanes, interpreted"),
            Self::Compiled { config, registers: (integer, float), divergence } => write!(
                f,
                "{} lanes, compiled with {integer} integer and {float} float registers, {divergence:?}, {:?}",
                config.lanes, config.extensions
            ),
        }
    }
}

/// All ways but the evaluator. Few registers go with a machine without the extensions, all registers with one that has them.
pub fn others(lanes: u32) -> Vec<Way> {
    let mut ways = vec![Way::Interpreted { lanes }];
    for (registers, config) in
        REGISTERS.into_iter().zip([GpuConfig::wide(2, 16, lanes), GpuConfig::vortex(1, 32, lanes)])
    {
        let config = GpuConfig { instruction_budget: 20_000_000, ..config };
        ways.extend(DivergenceMechanism::EVERY.map(|divergence| {
            let extension = divergence.extension();
            let extensions = extension.map_or(config.extensions, |extension| config.extensions.with(extension));
            Way::Compiled { config: Box::new(GpuConfig { extensions, ..config }), registers, divergence }
        }));
    }
    ways
}

/// A program that has been through the front end.
pub struct Ready<'a> {
    program: &'a Program,
    module: Module,
    kernel: Kernel,
}

impl<'a> Ready<'a> {
    pub fn new(program: &'a Program) -> Self {
        let file = format!("{}.wgsl", program.name);
        let module = Module::parse(&file, program.source).and_then(|module| module.select("main", program.overrides));
        Self::of_module(program, module)
    }

    /// The same program after it was written as SPIR-V (by naga) and read again; naga cannot write all programs, nor read all that it
    /// writes.
    pub fn by_spirv(program: &'a Program) -> Option<Self> {
        let Self { module, .. } = Self::new(program);
        let options = naga::back::spv::Options::default();
        let write = || naga::back::spv::write_vec(&module.naga, &module.info, &options, None);
        let words = std::panic::catch_unwind(std::panic::AssertUnwindSafe(write)).ok()?.ok()?;
        let file = format!("{}.spv", program.name);
        let module = Module::parse_in(Language::SpirV, &file, &bytes_of(&words)).ok()?;
        Some(Self::of_module(program, module.select("main", &[])))
    }

    fn of_module(program: &'a Program, module: Result<Module, CompileError>) -> Self {
        let told = |problem: &dyn fmt::Display| -> ! { panic!("`{}`:\n{problem}", program.name) };
        let module = module.unwrap_or_else(|error| told(&error));
        let kernel = translate(&module, &Options::default()).unwrap_or_else(|error| told(&error));
        verify(&kernel).unwrap_or_else(|error| told(&error));
        Self { program, module, kernel }
    }

    /// The words of every buffer afterwards.
    pub fn run(&self, way: &Way, case: &Case) -> Vec<Vec<u32>> {
        let result = match way {
            Way::Evaluated { lanes } => self.evaluate(*lanes, case),
            Way::Interpreted { lanes } => self.interpret(*lanes, case),
            Way::Compiled { config, registers, divergence } => {
                let options = CompileOptions {
                    integer_registers: registers.0,
                    float_registers: registers.1,
                    divergence: *divergence,
                    ..CompileOptions::new(config.lanes, config.warps, config.extensions)
                };
                self.launch(**config, &options, case)
            }
        };
        result.unwrap_or_else(|error| panic!("`{}`, {way}: {error}", self.program.name))
    }

    /// The texture stages of a case, in the program's order.
    fn stages(&self, case: &Case) -> Vec<BoundStage> {
        stage_bindings(&self.module).iter().map(|stage| BoundStage::new(stage, case)).collect()
    }

    fn evaluate(&self, lanes: u32, case: &Case) -> Result<Vec<Vec<u32>>, String> {
        let mut evaluator = Evaluator::new(&self.module).map_err(|error| error.to_string())?;
        let mut contents: Vec<Vec<u8>> = case.buffers.iter().map(|buffer| bytes_of(&buffer.before)).collect();
        let images: Vec<_> = case.textures.iter().map(stages::image).collect();
        let mut stored: Vec<_> = case.stored().map(|(n, _)| (n, images[n].bytes.clone())).collect();
        let mut bound: Vec<_> =
            (contents.iter_mut().zip(0..)).map(|(bytes, binding)| BufferBinding { group: 0, binding, bytes }).collect();
        bound.extend(stored.iter_mut().map(|(n, bytes)| BufferBinding { group: 1, binding: *n as u32, bytes }));
        let stages = self.stages(case);
        let textures: Vec<_> = stages
            .iter()
            .map(|stage| BoundTexture { image: &images[stage.texture], stage: stage.registers(0), state: stage.state })
            .collect();
        evaluator.run_compute(case.grid, &mut bound, &textures, lanes).map_err(|error| error.to_string())?;
        let mut found: Vec<_> = contents.iter().map(|bytes| words_of(bytes)).collect();
        found.extend(stored.iter().map(|(n, bytes)| stages::texels(&images[*n], bytes)));
        Ok(found)
    }

    fn interpret(&self, lanes: u32, case: &Case) -> Result<Vec<Vec<u32>>, String> {
        let mut memory = Memory::new();
        let buffers: Vec<_> = case.buffers.iter().map(|buffer| memory.allocate(&buffer.before)).collect();
        let images: Vec<_> = case.textures.iter().map(stages::image).collect();
        let textures: Vec<_> = images.iter().map(|image| memory.allocate(&padded_words(&image.bytes))).collect();
        let stages = self.stages(case);
        let states: Vec<u32> = stages.iter().flat_map(|stage| stage.state.words()).collect();
        let states = memory.allocate(&states);
        let registers: Vec<_> = stages.iter().map(|stage| stage.registers(textures[stage.texture].address)).collect();
        let sampler = stage_sampler(&registers);
        let bindings: Vec<_> =
            self.kernel.bindings.iter().map(|place| *of_binding(place, &buffers, &textures, &states)).collect();
        let launch = Launch {
            lanes,
            workgroups: case.grid,
            bindings: &bindings,
            sampler: Some(&sampler),
            statement_limit: 20_000_000,
        };
        interpret::run(&self.kernel, &mut memory, &launch).map_err(|error| error.to_string())?;
        let mut found: Vec<_> = buffers.iter().map(|&buffer| memory.words(buffer).to_vec()).collect();
        found.extend(case.stored().map(|(n, _)| stages::texels(&images[n], &bytes_of(memory.words(textures[n])))));
        Ok(found)
    }

    /// What a faulty compiler's code leaves, if it comes to its end.
    pub fn launched_with(
        &self,
        mutation: Mutation,
        registers: (u32, u32),
        divergence: DivergenceMechanism,
        case: &Case,
    ) -> Option<Vec<Vec<u32>>> {
        let config =
            GpuConfig { instruction_budget: 1_000_000, ..GpuConfig::wide(2, 8, 8).with_divergence(divergence) };
        let options = CompileOptions {
            mutation: Some(mutation),
            integer_registers: registers.0,
            float_registers: registers.1,
            divergence,
            ..CompileOptions::new(config.lanes, config.warps, config.extensions)
        };
        // A check of the compiler's own that fails has noticed it as well.
        let launch = || self.launch(config, &options, case);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(launch)).ok()?.ok()
    }

    fn launch(&self, config: GpuConfig, options: &CompileOptions, case: &Case) -> Result<Vec<Vec<u32>>, String> {
        let compiled = compile(&self.kernel, &[], options).map_err(|error| error.to_string())?;
        let mut gpu = Gpu::new(config).map_err(|error| error.to_string())?;
        let mut put = |bytes: &[u8]| {
            let address = gpu.allocate(bytes.len() as u32, "buffer").expect("memory is large enough");
            gpu.upload(address, bytes).expect("the buffer was allocated");
            BoundBuffer { address, bytes: bytes.len() as u32 }
        };
        let buffers: Vec<_> = case.buffers.iter().map(|buffer| put(&bytes_of(&buffer.before))).collect();
        let images: Vec<_> = case.textures.iter().map(stages::image).collect();
        let textures: Vec<_> = images.iter().map(|image| put(&image.bytes)).collect();
        let stages = self.stages(case);
        let states: Vec<u32> = stages.iter().flat_map(|stage| stage.state.words()).collect();
        // A buffer is not empty, also where nobody samples.
        let states = put(&bytes_of(&[states, vec![0]].concat()));
        for (number, stage) in (0..).zip(stages.iter().filter(|stage| stage.needs_hardware)) {
            let registers = stage.registers(textures[stage.texture].address.0);
            gpu.set_texture_stage(number, &registers).map_err(|error| error.to_string())?;
        }
        let bound: Vec<_> =
            compiled.bindings.iter().map(|place| *of_binding(place, &buffers, &textures, &states)).collect();
        launch(&mut gpu, &compiled, &bound, case.grid).map_err(|error| format!("{error:?}"))?;
        let read = |buffer: &BoundBuffer| gpu.read_back(buffer.address, buffer.bytes).expect("it was allocated");
        let mut found: Vec<_> = buffers.iter().map(|buffer| words_of(&read(buffer))).collect();
        found.extend(case.stored().map(|(n, _)| stages::texels(&images[n], &read(&textures[n]))));
        Ok(found)
    }
}

/// What a kernel's binding stands for: group 0 is buffers, group 1 textures.
fn of_binding<'a, T>(place: &Binding, buffers: &'a [T], textures: &'a [T], states: &'a T) -> &'a T {
    match place.group {
        _ if place.name == SAMPLING_STATES => states,
        0 => &buffers[place.binding as usize],
        _ => &textures[place.binding as usize],
    }
}

/// Whole words, zero after the last byte.
fn padded_words(bytes: &[u8]) -> Vec<u32> {
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    words_of(&bytes)
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}
