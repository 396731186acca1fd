//! The machine as its user holds it: allocate, upload, launch, read back.
//!
//! Before: a [`GpuConfig`] and a [`Program`]. After: memory as the program left it, and a [`LaunchReport`].

use crate::config::{ConfigError, GpuConfig, HEAP_BASE};
use crate::memory::{Access, Memory, MemoryError};
use crate::program::{CODE_BASE, Program};
use crate::trap::Trap;
use crate::units::Address;

/// A simulated GPU and its memory.
#[derive(Clone, Debug)]
pub struct Gpu {
    config: GpuConfig,
    memory: Memory,
}

/// What a launch that ran to its end did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchReport {
    /// 0, or the exit status of the lowest core that ended with another: min(code, 255).
    pub exit_status: u8,
    /// The word each core ended with, if it stored one to 0x88 or made the `exit` environment call.
    pub exit_codes: Vec<Option<u32>>,
    /// What the program wrote to the console, core after core.
    pub console: Vec<u8>,
    /// Instructions that warps executed.
    pub warp_instructions: u64,
    /// The same, each counted once for every active lane.
    pub lane_instructions: u64,
}

/// Why a launch did not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The program's segments do not fit into memory.
    #[error("the program cannot be placed in memory")]
    Load(#[source] MemoryError),
    /// The program trapped. Memory and registers hold the state before the trapping instruction.
    #[error(transparent)]
    Trap(#[from] Box<Trap>),
}

impl Gpu {
    /// A machine with empty memory; the configuration is validated.
    pub fn new(config: GpuConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        Ok(Self { config, memory: Memory::new() })
    }

    /// The machine's figures.
    pub fn config(&self) -> &GpuConfig {
        &self.config
    }

    /// Device memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Makes a region of `bytes` zeros, at a multiple of 64, for programs to load from and store to.
    /// A touch of the byte after it traps unless another region is there.
    pub fn allocate(&mut self, bytes: u32, name: &str) -> Result<Address, MemoryError> {
        let gap = self.memory.find_gap(bytes, HEAP_BASE, CODE_BASE);
        let start = gap.map_err(|free| MemoryError::Full { name: name.to_owned(), bytes, free })?;
        self.memory.map(name, start, bytes, Access::ReadWrite)?;
        Ok(start)
    }

    /// Gives back a region that [`Gpu::allocate`] made.
    pub fn free(&mut self, start: Address) -> Result<(), MemoryError> {
        self.memory.unmap(start)
    }

    /// Copies bytes into device memory, all into one region.
    pub fn upload(&mut self, address: Address, data: &[u8]) -> Result<(), MemoryError> {
        self.memory.write(address, data)
    }

    /// Copies `bytes` bytes out of device memory, all from one region.
    pub fn read_back(&self, address: Address, bytes: u32) -> Result<Vec<u8>, MemoryError> {
        let mut data = vec![0; bytes as usize];
        self.memory.read(address, &mut data)?;
        Ok(data)
    }

    /// Runs a program to its end: each core starts warp 0, lane 0, at the entry, with `argument` in `mscratch`.
    ///
    /// The program's segments stay in memory until the next launch.
    pub fn launch(&mut self, _program: &Program, _argument: Address) -> Result<LaunchReport, LaunchError> {
        todo!("the run loop")
    }
}
