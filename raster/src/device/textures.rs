//! Textures on the device: each image is uploaded once and stays as long as somebody else holds it.
//!
//! Before: `bound`. After: the sampler stages.

use std::sync::Arc;

use gpu_core::gpu::Gpu;
use gpu_core::memory::MemoryError;
use gpu_core::units::Address;
use texture::Image;

use crate::resources::Texture;

/// The images that are on the device.
#[derive(Debug, Default)]
pub struct TextureCache {
    images: Vec<(Arc<Image>, Address)>,
}

impl TextureCache {
    /// Where a texture's bytes lie; uploads them if they are new.
    pub fn address(&mut self, gpu: &mut Gpu, texture: &Texture) -> Result<Address, MemoryError> {
        let shared = texture.shared();
        if let Some((_, address)) = self.images.iter().find(|(image, _)| Arc::ptr_eq(image, shared)) {
            return Ok(*address);
        }
        let bytes = u32::try_from(shared.bytes.len()).unwrap_or(u32::MAX);
        let address = gpu.allocate(bytes, "texture")?;
        gpu.upload(address, &shared.bytes)?;
        self.images.push((Arc::clone(shared), address));
        Ok(address)
    }

    /// Frees images that only this cache still holds.
    pub fn drop_unused(&mut self, gpu: &mut Gpu) -> Result<(), MemoryError> {
        let mut kept = Vec::with_capacity(self.images.len());
        for (image, address) in self.images.drain(..) {
            if Arc::strong_count(&image) > 1 {
                kept.push((image, address));
            } else {
                gpu.free(address)?;
            }
        }
        self.images = kept;
        Ok(())
    }
}
