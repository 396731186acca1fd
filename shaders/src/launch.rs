//! Runs a compiled kernel: bindings and grid in, a finished launch out.
//!
//! Before: `compile`, and buffers on the [`Gpu`]. After: memory as the kernel left it.

use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, LaunchError, LaunchReport};
use gpu_core::launcher::{Launcher, ToTheEnd};
use gpu_core::memory::MemoryError;
use gpu_core::units::Address;

use crate::abi::Arguments;
use crate::compile::CompiledKernel;

/// A piece of device memory that a binding stands for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BoundBuffer {
    /// Its first byte.
    pub address: Address,
    /// Its length in bytes.
    pub bytes: u32,
}

/// Why a kernel did not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum KernelLaunchError {
    /// Code for another machine.
    #[error("kernel `{kernel}` was compiled for warps of {wanted} lanes, the machine's have {available}")]
    Lanes {
        /// The kernel.
        kernel: String,
        /// Lanes it was compiled for.
        wanted: u32,
        /// Lanes of the machine.
        available: u32,
    },
    /// Not enough warps for one workgroup.
    #[error("kernel `{kernel}` wants {wanted} warps for a workgroup, a core has {available}")]
    Warps {
        /// The kernel.
        kernel: String,
        /// Warps of a workgroup.
        wanted: u32,
        /// Warps of a core.
        available: u32,
    },
    /// Not enough local memory for one workgroup.
    #[error("kernel `{kernel}` wants {wanted} bytes of workgroup memory, a core has {available}")]
    WorkgroupMemory {
        /// The kernel.
        kernel: String,
        /// Bytes of a workgroup.
        wanted: u32,
        /// Bytes of a core's local memory.
        available: u32,
    },
    /// A core without barriers.
    #[error("kernel `{kernel}` wants a barrier for its workgroups of several warps, a core has none")]
    Barriers {
        /// The kernel.
        kernel: String,
    },
    /// Not one buffer for each binding.
    #[error("kernel `{kernel}` has {wanted} bindings, {given} buffers were given")]
    Bindings {
        /// The kernel.
        kernel: String,
        /// Its bindings.
        wanted: usize,
        /// Buffers given.
        given: usize,
    },
    /// More workgroups than 32 bits count.
    #[error("a grid of {grid:?} workgroups is too large, 4294967295 is the most")]
    Grid {
        /// Along x, y, z.
        grid: [u32; 3],
    },
    /// No room for arguments or frames.
    #[error("kernel `{kernel}` finds no room for its arguments or its frames")]
    Memory {
        /// The kernel.
        kernel: String,
        /// What the memory said.
        #[source]
        cause: MemoryError,
    },
    /// The machine could not run it.
    #[error("kernel `{kernel}` failed")]
    Launch {
        /// The kernel.
        kernel: String,
        /// What the machine said.
        #[source]
        cause: LaunchError,
    },
}

/// Workgroups that a core holds at once; an error that names the limit if there is none.
pub fn resident_slots(kernel: &CompiledKernel, config: &GpuConfig) -> Result<u32, KernelLaunchError> {
    let name = || kernel.name.clone();
    if kernel.lanes != config.lanes {
        return Err(KernelLaunchError::Lanes { kernel: name(), wanted: kernel.lanes, available: config.lanes });
    }
    let wanted = kernel.warps_per_workgroup;
    let by_warps = config.warps / wanted;
    if by_warps == 0 {
        return Err(KernelLaunchError::Warps { kernel: name(), wanted, available: config.warps });
    }
    let bytes = kernel.workgroup_bytes.next_multiple_of(4);
    let by_memory = config.local_bytes.checked_div(bytes).unwrap_or(u32::MAX);
    if by_memory == 0 {
        return Err(KernelLaunchError::WorkgroupMemory {
            kernel: name(),
            wanted: bytes,
            available: config.local_bytes,
        });
    }
    let by_barriers = if wanted > 1 { config.barriers } else { u32::MAX };
    if by_barriers == 0 {
        return Err(KernelLaunchError::Barriers { kernel: name() });
    }
    Ok(by_warps.min(by_memory).min(by_barriers))
}

/// Launches a kernel over a grid of workgroups and waits for its end. `bindings` go with [`CompiledKernel::bindings`].
pub fn launch(
    gpu: &mut Gpu,
    kernel: &CompiledKernel,
    bindings: &[BoundBuffer],
    grid: [u32; 3],
) -> Result<LaunchReport, KernelLaunchError> {
    launch_by(gpu, kernel, bindings, grid, &mut ToTheEnd)
}

/// The same, run by `launcher`.
pub fn launch_by(
    gpu: &mut Gpu,
    kernel: &CompiledKernel,
    bindings: &[BoundBuffer],
    grid: [u32; 3],
    launcher: &mut dyn Launcher,
) -> Result<LaunchReport, KernelLaunchError> {
    let name = || kernel.name.clone();
    let memory = |cause| KernelLaunchError::Memory { kernel: name(), cause };
    if bindings.len() != kernel.bindings.len() {
        let (wanted, given) = (kernel.bindings.len(), bindings.len());
        return Err(KernelLaunchError::Bindings { kernel: name(), wanted, given });
    }
    let groups = grid.iter().try_fold(1u32, |product, &count| product.checked_mul(count));
    let groups = groups.ok_or(KernelLaunchError::Grid { grid })?;
    let GpuConfig { cores, warps, .. } = *gpu.config();
    // No more slots than there is work for: a started warp costs its prologue.
    let slots = resident_slots(kernel, gpu.config())?.min(groups.div_ceil(cores)).max(1);

    let frame_bytes = u64::from(cores * warps) * u64::from(kernel.frame_bytes);
    let frame_bytes = u32::try_from(frame_bytes).unwrap_or(u32::MAX);
    let frames = match frame_bytes {
        0 => None,
        bytes => Some(gpu.allocate(bytes, "frames").map_err(memory)?),
    };
    let arguments = Arguments {
        grid,
        bindings: bindings.iter().map(|buffer| (buffer.address.0, buffer.bytes)).collect(),
        warps_to_start: slots * kernel.warps_per_workgroup,
        group_stride: cores * slots,
        frames: frames.map_or(0, |address| address.0),
        constants: kernel.constants.clone(),
    };
    let bytes = arguments.to_bytes();
    let result = launch_with(gpu, kernel, &bytes, launcher);
    if let Some(frames) = frames {
        gpu.free(frames).map_err(memory)?;
    }
    result
}

/// Launches with an argument block that lives as long as the launch.
fn launch_with(
    gpu: &mut Gpu,
    kernel: &CompiledKernel,
    arguments: &[u8],
    launcher: &mut dyn Launcher,
) -> Result<LaunchReport, KernelLaunchError> {
    let name = || kernel.name.clone();
    let memory = |cause| KernelLaunchError::Memory { kernel: name(), cause };
    let block = gpu.allocate(arguments.len() as u32, "arguments").map_err(memory)?;
    let result = match gpu.upload(block, arguments) {
        Ok(()) => launcher
            .launch(gpu, &kernel.program, block)
            .map_err(|cause| KernelLaunchError::Launch { kernel: name(), cause }),
        Err(cause) => Err(memory(cause)),
    };
    gpu.free(block).map_err(memory)?;
    result
}
