//! Surfaces in device memory: what they hold from pass to pass.
//!
//! Before: `screen`, whose views name surfaces. After: the tile kernel's targets, and textures made of what was drawn.

use gpu_core::gpu::Gpu;
use gpu_core::memory::MemoryError;

use super::buffers::DeviceBuffer;
use crate::pass::Load;
use crate::resources::Texture;
use crate::run::Freshness;
use crate::screen::{WordLoad, clear, resolve};
use crate::surface::{Contents, Surface, SurfaceStore};

/// One surface on the device.
#[derive(Debug)]
pub struct OnDevice {
    /// Its words.
    pub buffer: DeviceBuffer,
    /// Which tiles stand for a value that is not in `buffer`: of each word of a sample.
    pub freshness: [Freshness; 2],
    /// What shaders sample, made when the first asks; gone when something is drawn.
    picture: Option<Texture>,
}

impl OnDevice {
    /// Makes every word 0.
    pub fn discard(&mut self, size: (u32, u32), side_log2: u32) {
        self.freshness.iter_mut().for_each(|freshness| freshness.reset(size, side_log2, 0));
    }
}

/// All surfaces that somebody holds.
#[derive(Debug, Default)]
pub struct DeviceSurfaces {
    store: SurfaceStore<OnDevice>,
}

impl DeviceSurfaces {
    /// The place of a surface, which is given memory if it has none. A new surface is 0 everywhere.
    pub fn place(&mut self, gpu: &mut Gpu, surface: &Surface) -> Result<usize, MemoryError> {
        self.store.place(surface, || {
            let mut buffer = DeviceBuffer::new("surface");
            buffer.resize(gpu, u32::try_from(4 * surface.words()).unwrap_or(u32::MAX))?;
            let mut held = OnDevice { buffer, freshness: Default::default(), picture: None };
            held.discard(surface.size(), 5);
            Ok(held)
        })
    }

    /// A surface by its place.
    pub fn at(&mut self, place: usize) -> &mut OnDevice {
        self.store.at(place)
    }

    /// Frees surfaces that nobody holds.
    pub fn drop_unused(&mut self, gpu: &mut Gpu) -> Result<(), MemoryError> {
        self.store.take_unused().into_iter().try_for_each(|unused| unused.buffer.release(gpu))
    }

    /// Makes a surface ready to be an attachment of tiles of this side.
    pub fn begin(
        &mut self,
        gpu: &mut Gpu,
        surface: &Surface,
        loads: &[WordLoad],
        side_log2: u32,
    ) -> Result<usize, MemoryError> {
        let place = self.place(gpu, surface)?;
        let held = self.at(place);
        held.picture = None;
        // Whole clears are noted, what is loaded stays; the rest is done in memory.
        let is_noted = |load: &WordLoad| load.is_whole_clear() || load.load == Load::Load;
        let is_in_place = |freshness: &Freshness| freshness.side_log2() == side_log2 || !freshness.is_any_fresh();
        let is_loaded = |word: usize| !loads.iter().any(|load| load.word == word && load.is_whole_clear());
        let words = held.freshness.iter().enumerate().take(words_of_sample(surface));
        let is_kept = words.filter(|(word, _)| is_loaded(*word)).all(|(_, freshness)| is_in_place(freshness));
        if !loads.iter().all(is_noted) || !is_kept {
            let mut memory = self.words(gpu, surface)?;
            clear(&mut memory, surface, loads);
            let held = self.at(place);
            gpu.upload(held.buffer.address(), bytemuck::cast_slice(&memory))?;
            held.freshness.iter_mut().for_each(|freshness| freshness.forget(surface.size(), side_log2));
            return Ok(place);
        }
        for freshness in &mut held.freshness {
            if freshness.side_log2() != side_log2 {
                freshness.forget(surface.size(), side_log2);
            }
        }
        for load in loads {
            if let Load::Clear(value) = load.load {
                held.freshness[load.word].reset(surface.size(), side_log2, value);
            }
        }
        Ok(place)
    }

    /// Makes a surface ready to get the averages of `from`, which has been made ready with `loads`: where nothing is drawn
    /// they are those of what is there first.
    pub fn begin_resolved(
        &mut self,
        gpu: &mut Gpu,
        from: &Surface,
        into: &Surface,
        loads: &[WordLoad],
        side_log2: u32,
    ) -> Result<usize, MemoryError> {
        if loads.iter().all(WordLoad::is_whole_clear) {
            // The average of equal words is that word.
            return self.begin(gpu, into, loads, side_log2);
        }
        let averages = resolve(&self.words(gpu, from)?, from);
        let place = self.place(gpu, into)?;
        let held = self.at(place);
        held.picture = None;
        held.freshness.iter_mut().for_each(|freshness| freshness.forget(into.size(), side_log2));
        gpu.upload(held.buffer.address(), bytemuck::cast_slice(&averages))?;
        Ok(place)
    }

    /// All words of a surface.
    pub fn words(&mut self, gpu: &mut Gpu, surface: &Surface) -> Result<Vec<u32>, MemoryError> {
        let place = self.place(gpu, surface)?;
        let held = self.at(place);
        let mut words = vec![0; surface.words()];
        let (pitch, samples) = (surface.pitch() as usize, surface.samples().count() as usize);
        let plane_words = surface.plane_words();
        // Often no depth is in memory.
        if !held.freshness.iter().take(words_of_sample(surface)).all(Freshness::is_all_fresh) {
            held.buffer.read_words(gpu, &mut words)?;
        }
        for (words, freshness) in words.chunks_mut(samples * plane_words).zip(&held.freshness) {
            freshness.fill(words, plane_words, pitch);
        }
        Ok(words)
    }

    /// What a shader samples or loads of a surface.
    pub fn picture(&mut self, gpu: &mut Gpu, surface: &Surface) -> Result<Texture, MemoryError> {
        let place = self.place(gpu, surface)?;
        if let Some(picture) = &self.at(place).picture {
            return Ok(picture.clone());
        }
        let words = self.words(gpu, surface)?;
        let picture = Texture::of_contents(surface, &Contents::of(surface, &words));
        self.at(place).picture = Some(picture.clone());
        Ok(picture)
    }
}

/// Words that a sample of a surface has: 2 where depth and stencil have one each.
fn words_of_sample(surface: &Surface) -> usize {
    surface.words().div_ceil(surface.samples().count() as usize * surface.plane_words())
}
