//! Surfaces: targets with a name of their own, which live on from pass to pass and from frame to frame.
//!
//! Before: a scene makes one. After: `pass`, which draws into it, and `resources`, which binds it as a texture.
//! A surface is a handle, and a clone is the same surface. What it holds lies with the backend that drew it, as on a
//! GPU, so each backend has contents of its own; before anything was drawn every word is 0.

use std::sync::{Arc, Weak};

use crate::format::{ColorFormat, DepthFormat};
use crate::target::{PADDING, TargetError, check_size};

/// How many samples a pixel has.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Samples {
    /// One, at the centre.
    #[default]
    One,
    /// Four, at the standard places (Direct3D 11.3, "Standard multisample patterns"; Vulkan, "Standard sample locations").
    Four,
}

impl Samples {
    /// The number.
    pub const fn count(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Four => 4,
        }
    }

    /// One bit for each sample.
    pub const fn mask(self) -> u32 {
        (1 << self.count()) - 1
    }

    /// Where the samples lie in the pixel, in sixteenths from its top left corner.
    pub const fn places(self) -> &'static [[i32; 2]] {
        match self {
            Self::One => &[[8, 8]],
            Self::Four => &[[6, 2], [14, 6], [2, 10], [10, 14]],
        }
    }
}

/// What a surface is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SurfaceFormat {
    /// A colour attachment.
    Color(ColorFormat),
    /// The depth-stencil attachment.
    Depth(DepthFormat),
}

impl SurfaceFormat {
    /// Words a sample takes.
    pub const fn words_per_sample(self) -> u32 {
        match self {
            Self::Color(_) => 1,
            Self::Depth(format) => format.words_per_sample(),
        }
    }
}

/// What all clones of a surface share.
#[derive(Debug)]
struct Inner {
    label: String,
    width: u32,
    height: u32,
    format: SurfaceFormat,
    samples: Samples,
}

/// Something to draw into.
#[derive(Clone, Debug)]
pub struct Surface {
    inner: Arc<Inner>,
}

impl Surface {
    /// A colour surface; `label` names it in messages.
    pub fn color(
        label: &str,
        (width, height): (u32, u32),
        format: ColorFormat,
        samples: Samples,
    ) -> Result<Self, TargetError> {
        Self::new(label, (width, height), SurfaceFormat::Color(format), samples)
    }

    /// A depth-stencil surface.
    pub fn depth(
        label: &str,
        (width, height): (u32, u32),
        format: DepthFormat,
        samples: Samples,
    ) -> Result<Self, TargetError> {
        Self::new(label, (width, height), SurfaceFormat::Depth(format), samples)
    }

    fn new(
        label: &str,
        (width, height): (u32, u32),
        format: SurfaceFormat,
        samples: Samples,
    ) -> Result<Self, TargetError> {
        check_size(width, height)?;
        Ok(Self { inner: Arc::new(Inner { label: label.to_owned(), width, height, format, samples }) })
    }

    /// Its name.
    pub fn label(&self) -> &str {
        &self.inner.label
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.inner.width, self.inner.height)
    }

    /// What its words mean.
    pub fn format(&self) -> SurfaceFormat {
        self.inner.format
    }

    /// Samples of a pixel.
    pub fn samples(&self) -> Samples {
        self.inner.samples
    }

    /// Whether two handles are the same surface.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Words from one row to the next: whole tiles, like [`Target`](crate::target::Target)'s.
    pub fn pitch(&self) -> u32 {
        self.inner.width.next_multiple_of(PADDING)
    }

    /// Words of one *plane*: one word of one sample, for every pixel. Samples follow each other plane after plane, and
    /// where a sample takes two words the planes of the second follow those of the first.
    pub fn plane_words(&self) -> usize {
        self.pitch() as usize * self.inner.height.next_multiple_of(PADDING) as usize
    }

    /// Words of all planes.
    pub fn words(&self) -> usize {
        self.plane_words() * (self.samples().count() * self.format().words_per_sample()) as usize
    }
}

/// What a backend keeps for each surface it has drawn into, as long as somebody holds the surface.
#[derive(Debug)]
pub struct SurfaceStore<T> {
    entries: Vec<(Weak<Inner>, T)>,
}

impl<T> Default for SurfaceStore<T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<T> SurfaceStore<T> {
    /// The place of a surface's entry; made by `make` if there is none.
    pub fn place<E>(&mut self, surface: &Surface, make: impl FnOnce() -> Result<T, E>) -> Result<usize, E> {
        // The weak handle keeps the address from being used again.
        let is_it = |(known, _): &(Weak<Inner>, T)| std::ptr::eq(known.as_ptr(), Arc::as_ptr(&surface.inner));
        if let Some(place) = self.entries.iter().position(is_it) {
            return Ok(place);
        }
        self.entries.push((Arc::downgrade(&surface.inner), make()?));
        Ok(self.entries.len() - 1)
    }

    /// The entry at a place that `place` gave.
    pub fn at(&mut self, place: usize) -> &mut T {
        &mut self.entries[place].1
    }

    /// Takes out the entries whose surface nobody holds any more.
    pub fn take_unused(&mut self) -> Vec<T> {
        let (unused, kept) = self.entries.drain(..).partition(|(known, _)| known.strong_count() == 0);
        self.entries = kept;
        let unused: Vec<(Weak<Inner>, T)> = unused;
        unused.into_iter().map(|(_, entry)| entry).collect()
    }
}

/// The contents of a surface, copied out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// For each sample (and for the second word of each sample, if there is one), every pixel's word, row after row.
    pub planes: Vec<Vec<u32>>,
}

impl Contents {
    /// Cuts the padding off what lies in memory.
    pub fn of(surface: &Surface, words: &[u32]) -> Self {
        let (width, height) = surface.size();
        let planes = words.chunks_exact(surface.plane_words()).map(|plane| {
            let rows = plane.chunks_exact(surface.pitch() as usize).take(height as usize);
            rows.flat_map(|row| &row[..width as usize]).copied().collect()
        });
        Self { width, height, planes: planes.collect() }
    }

    /// A word of a sample.
    pub fn at(&self, plane: usize, x: u32, y: u32) -> u32 {
        self.planes[plane][(y * self.width + x) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_places_are_a_rooks_pattern() {
        let places = Samples::Four.places();
        let mut xs: Vec<_> = places.iter().map(|place| place[0]).collect();
        let mut ys: Vec<_> = places.iter().map(|place| place[1]).collect();
        xs.sort_unstable();
        ys.sort_unstable();
        assert_eq!((xs, ys), (vec![2, 6, 10, 14], vec![2, 6, 10, 14]));
        assert_eq!((Samples::Four.mask(), Samples::One.mask()), (15, 1));
    }

    #[test]
    fn an_entry_lives_as_long_as_its_surface() {
        let surface = |label| Surface::color(label, (5, 3), ColorFormat::Rgba8, Samples::Four).expect("a small size");
        let (kept, dropped) = (surface("kept"), surface("dropped"));
        assert_eq!((kept.pitch(), kept.words()), (32, 32 * 32 * 4));
        let mut store = SurfaceStore::default();
        let place = |store: &mut SurfaceStore<u32>, surface: &Surface, value| {
            store.place(surface, || Ok::<_, ()>(value)).expect("nothing fails")
        };
        let (first, second) = (place(&mut store, &kept, 1), place(&mut store, &dropped, 2));
        assert_eq!((place(&mut store, &kept.clone(), 3), *store.at(second)), (first, 2));
        drop(dropped);
        assert_eq!(store.take_unused(), [2]);
        let place = place(&mut store, &kept, 4);
        assert_eq!(*store.at(place), 1);
    }

    #[test]
    fn contents_have_no_padding() {
        let surface = Surface::depth("depth", (2, 2), DepthFormat::Depth32FloatStencil8, Samples::One);
        let surface = surface.expect("a small size");
        let words: Vec<u32> = (0..surface.words() as u32).collect();
        let contents = Contents::of(&surface, &words);
        assert_eq!(contents.planes, [[0, 1, 32, 33], [1024, 1025, 1056, 1057]]);
        assert_eq!(contents.at(1, 1, 1), 1057);
    }
}
