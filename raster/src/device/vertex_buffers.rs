//! Vertex buffers on the device: each is uploaded once, and stays as long as somebody else holds it.
//!
//! Before: [`vertex_run`](crate::vertex_run). After: the vertex kernel, whose attributes begin where the buffers lie.

use gpu_core::gpu::Gpu;
use gpu_core::memory::MemoryError;
use gpu_core::units::Address;

use crate::resources::Buffer;

/// The vertex buffers that are on the device.
#[derive(Debug, Default)]
pub struct VertexBuffers {
    /// Held here too, so that no other buffer takes its place in the host's memory. What is in a buffer never changes.
    copies: Vec<(Buffer, Address)>,
}

impl VertexBuffers {
    /// Where a buffer's bytes lie; uploads them if they are new.
    pub fn address(&mut self, gpu: &mut Gpu, buffer: &Buffer) -> Result<Address, MemoryError> {
        if let Some((_, address)) = self.copies.iter().find(|(known, _)| known.is_same(buffer)) {
            return Ok(*address);
        }
        // The kernel reads whole words.
        let bytes = u32::try_from(buffer.bytes().len().next_multiple_of(4).max(4)).unwrap_or(u32::MAX);
        let address = gpu.allocate(bytes, "vertex buffer")?;
        self.copies.push((buffer.clone(), address));
        gpu.upload(address, buffer.bytes())?;
        Ok(address)
    }

    /// Frees buffers that only this cache still holds.
    pub fn drop_unused(&mut self, gpu: &mut Gpu) -> Result<(), MemoryError> {
        let (kept, dropped) = self.copies.drain(..).partition(|(buffer, _)| buffer.is_held_elsewhere());
        self.copies = kept;
        let dropped: Vec<(Buffer, Address)> = dropped;
        dropped.into_iter().try_for_each(|(_, address)| gpu.free(address))
    }
}
