//! Textures on the device: each is uploaded once, follows its changes, and stays as long as somebody else holds it.
//!
//! Before: `bound`. After: the sampler stages.

use std::sync::Arc;

use gpu_core::gpu::Gpu;
use gpu_core::memory::MemoryError;
use gpu_core::units::Address;

use crate::resources::Texture;
use crate::textures::Shared;

/// The textures that are on the device.
#[derive(Debug, Default)]
pub struct TextureCache {
    copies: Vec<Copy>,
}

/// One of them.
#[derive(Debug)]
struct Copy {
    texture: Arc<Shared>,
    address: Address,
    /// Of the image whose bytes are there.
    version: u64,
}

impl TextureCache {
    /// Where a texture's bytes lie; uploads them if they are new, and what has changed of those that are not.
    pub fn address(&mut self, gpu: &mut Gpu, texture: &Texture) -> Result<Address, MemoryError> {
        let shared = texture.shared();
        if let Some(copy) = self.copies.iter_mut().find(|copy| Arc::ptr_eq(&copy.texture, shared)) {
            let (image, version, changes) = texture.changes_since(copy.version);
            // Its size never changes.
            match changes {
                None => gpu.upload(copy.address, &image.bytes)?,
                Some(ranges) => {
                    for range in ranges {
                        gpu.upload(Address(copy.address.0 + range.start as u32), &image.bytes[range])?;
                    }
                }
            }
            copy.version = version;
            return Ok(copy.address);
        }
        let (image, version, _) = texture.changes_since(0);
        let bytes = u32::try_from(image.bytes.len()).unwrap_or(u32::MAX);
        let address = gpu.allocate(bytes, "texture")?;
        gpu.upload(address, &image.bytes)?;
        self.copies.push(Copy { texture: Arc::clone(shared), address, version });
        Ok(address)
    }

    /// Gives a texture the bytes that shaders have made of its copy.
    pub fn read_back(&mut self, gpu: &Gpu, texture: &Texture) -> Result<(), MemoryError> {
        let is_it = |copy: &&mut Copy| Arc::ptr_eq(&copy.texture, texture.shared());
        let Some(copy) = self.copies.iter_mut().find(is_it) else { return Ok(()) };
        let mut bytes = vec![0; texture.image().bytes.len()];
        gpu.memory().read(copy.address, &mut bytes)?;
        copy.version = texture.replace(bytes);
        Ok(())
    }

    /// Frees textures that only this cache still holds.
    pub fn drop_unused(&mut self, gpu: &mut Gpu) -> Result<(), MemoryError> {
        let mut kept = Vec::with_capacity(self.copies.len());
        for copy in self.copies.drain(..) {
            if Arc::strong_count(&copy.texture) > 1 {
                kept.push(copy);
            } else {
                gpu.free(copy.address)?;
            }
        }
        self.copies = kept;
        Ok(())
    }
}
