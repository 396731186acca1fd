//! Device memory that lives on from frame to frame and grows when it must.
//!
//! Before: `run`, whose lists change every frame. After: the tile kernel's bindings.

use gpu_core::gpu::Gpu;
use gpu_core::memory::MemoryError;
use gpu_core::units::Address;
use shaders::launch::BoundBuffer;

/// Regions are never smaller: a binding without content still has an address, and the first frames do not grow in steps.
const LEAST_BYTES: u32 = 1 << 12;

/// One growing region of device memory.
#[derive(Debug)]
pub struct DeviceBuffer {
    name: &'static str,
    address: Address,
    capacity: u32,
    used: u32,
}

impl DeviceBuffer {
    /// A buffer without memory yet; `name` is for messages.
    pub const fn new(name: &'static str) -> Self {
        Self { name, address: Address(0), capacity: 0, used: 0 }
    }

    /// Makes it so many bytes long. What was in it may be lost.
    pub fn resize(&mut self, gpu: &mut Gpu, bytes: u32) -> Result<(), MemoryError> {
        if bytes > self.capacity || self.capacity == 0 {
            if self.capacity > 0 {
                gpu.free(self.address)?;
                self.capacity = 0;
            }
            // Half as much again is the price of not growing a little every frame.
            let capacity = bytes.saturating_add(bytes / 2).next_multiple_of(64).max(LEAST_BYTES);
            self.address = gpu.allocate(capacity, self.name)?;
            self.capacity = capacity;
        }
        self.used = bytes;
        Ok(())
    }

    /// Replaces its contents.
    pub fn write(&mut self, gpu: &mut Gpu, data: &[u8]) -> Result<(), MemoryError> {
        let bytes = u32::try_from(data.len()).unwrap_or(u32::MAX);
        self.resize(gpu, bytes)?;
        if data.is_empty() { Ok(()) } else { gpu.upload(self.address, data) }
    }

    /// Gives its memory back.
    pub fn release(self, gpu: &mut Gpu) -> Result<(), MemoryError> {
        if self.capacity > 0 { gpu.free(self.address) } else { Ok(()) }
    }

    /// Where it lies.
    pub const fn address(&self) -> Address {
        self.address
    }

    /// Address and byte length, as a launch takes them.
    pub const fn bound(&self) -> BoundBuffer {
        BoundBuffer { address: self.address, bytes: self.used }
    }

    /// Copies its words out.
    pub fn read_words(&self, gpu: &Gpu, words: &mut [u32]) -> Result<(), MemoryError> {
        gpu.memory().read(self.address, bytemuck::cast_slice_mut(words))
    }
}
