//! Runs a kernel both ways.

use gpu_core::config::{FirstSide, GpuConfig};
use gpu_core::gpu::Gpu;
use shaders::compile::{CompileOptions, CompiledKernel, DivergenceMechanism, Mutation, Optimization, compile};
use shaders::interpret::{self, Memory};
use shaders::ir::Kernel;
use shaders::launch::{BoundBuffer, launch};

/// A machine and how to compile for it.
#[derive(Clone, Debug)]
pub struct Setting {
    pub config: GpuConfig,
    pub registers: (u32, u32),
    pub optimization: Optimization,
    pub divergence: DivergenceMechanism,
    pub mutation: Option<Mutation>,
}

impl Setting {
    pub fn new(lanes: u32) -> Self {
        Self {
            config: GpuConfig { instruction_budget: 20_000_000, ..GpuConfig::wide(2, 4, lanes) },
            registers: (29, 32),
            optimization: Optimization::Full,
            divergence: DivergenceMechanism::Ipdom,
            mutation: None,
        }
    }

    /// RV32IMAF only, other shapes, few registers, the other side of a split first, no optimiser, either mechanism of
    /// divergence: by turns.
    pub fn variants(lanes: u32) -> Vec<Self> {
        let ipdom = Self::shapes(lanes);
        let mask = ipdom.clone().into_iter().map(|setting| setting.with(DivergenceMechanism::Mask));
        ipdom.iter().cloned().chain(mask).collect()
    }

    /// The same with this mechanism, on a machine that has it.
    pub fn with(self, divergence: DivergenceMechanism) -> Self {
        Self { divergence, config: self.config.with_divergence(divergence), ..self }
    }

    fn shapes(lanes: u32) -> Vec<Self> {
        let base = Self::new(lanes);
        let config = base.config;
        vec![
            base.clone(),
            Self { optimization: Optimization::None, ..base.clone() },
            Self { registers: (10, 6), ..base.clone() },
            Self { registers: (4, 4), optimization: Optimization::None, ..base.clone() },
            Self {
                config: GpuConfig {
                    first_side: FirstSide::False,
                    instruction_budget: config.instruction_budget,
                    ..GpuConfig::vortex(1, 8, lanes)
                },
                ..base.clone()
            },
            Self {
                config: GpuConfig {
                    first_side: FirstSide::Smaller,
                    instruction_budget: config.instruction_budget,
                    ..GpuConfig::vortex(3, 2, lanes)
                },
                registers: (10, 6),
                ..base
            },
        ]
    }

    pub fn options(&self) -> CompileOptions {
        CompileOptions {
            integer_registers: self.registers.0,
            float_registers: self.registers.1,
            optimization: self.optimization,
            divergence: self.divergence,
            mutation: self.mutation,
            ..CompileOptions::new(self.config.lanes, self.config.warps, self.config.extensions)
        }
    }

    pub fn compile(&self, kernel: &Kernel) -> CompiledKernel {
        compile(kernel, &[], &self.options()).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// What a run leaves in all buffers, or why it stopped.
pub type Outcome = Result<Vec<Vec<u32>>, String>;

pub fn interpreted(kernel: &Kernel, lanes: u32, buffers: &[Vec<u32>], grid: [u32; 3]) -> Vec<Vec<u32>> {
    let mut memory = Memory::new();
    let bindings: Vec<_> = buffers.iter().map(|words| memory.allocate(words)).collect();
    let launch =
        interpret::Launch { lanes, workgroups: grid, bindings: &bindings, sampler: None, statement_limit: 10_000_000 };
    interpret::run(kernel, &mut memory, &launch).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
    bindings.iter().map(|&buffer| memory.words(buffer).to_vec()).collect()
}

pub fn simulated(kernel: &Kernel, setting: &Setting, buffers: &[Vec<u32>], grid: [u32; 3]) -> Outcome {
    let compiled = setting.compile(kernel);
    simulate(&compiled, setting, buffers, grid)
}

pub fn simulate(compiled: &CompiledKernel, setting: &Setting, buffers: &[Vec<u32>], grid: [u32; 3]) -> Outcome {
    let mut gpu = Gpu::new(setting.config).expect("the configuration is valid");
    let bound: Vec<_> = (buffers.iter())
        .map(|words| {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let address = gpu.allocate(bytes.len() as u32, "buffer").expect("there is room");
            gpu.upload(address, &bytes).expect("it fits");
            BoundBuffer { address, bytes: bytes.len() as u32 }
        })
        .collect();
    let chain = |error: &dyn std::error::Error| {
        let causes = std::iter::successors(error.source(), |cause| cause.source());
        causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
    };
    launch(&mut gpu, compiled, &bound, grid).map_err(|error| chain(&error))?;
    let words = bound.iter().map(|buffer| {
        let bytes = gpu.read_back(buffer.address, buffer.bytes).expect("it is still there");
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
    });
    Ok(words.collect())
}

/// Both ways give the same words.
#[track_caller]
pub fn check(kernel: &Kernel, setting: &Setting, buffers: &[Vec<u32>], grid: [u32; 3]) {
    let expected = interpreted(kernel, setting.config.lanes, buffers, grid);
    let actual = simulated(kernel, setting, buffers, grid);
    if actual.as_ref() != Ok(&expected) {
        let compiled = setting.compile(kernel);
        let difference = match &actual {
            Err(error) => error.clone(),
            Ok(actual) => {
                let differs = |(index, (a, b)): (usize, (&u32, &u32))| {
                    (a != b).then(|| format!("  [{index}] is {a:#010x}, should be {b:#010x}\n"))
                };
                let pairs = actual.iter().zip(&expected);
                pairs.flat_map(|(a, b)| a.iter().zip(b).enumerate().filter_map(differs)).take(20).collect()
            }
        };
        panic!("{difference}\n{setting:?}\n{kernel}\n{}", compiled.listing());
    }
}
