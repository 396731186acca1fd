//! The sampler experiment: what a texture unit buys for point, bilinear and trilinear filtering.
//!
//! `shaders/kernels/sampler/sampler.wgsl` draws a picture of one sample a pixel, by `tex` or by one of two samplers in
//! software. [`source`] makes the texture, [`mapping`] says which pixel shows which place of it, [`mod@reference`] what the
//! picture must be, [`drawing`] runs the kernel, [`case`] lists the measurements, [`run`] makes them under [`guards`].

pub mod case;
mod chart;
pub mod drawing;
pub mod experiment;
pub mod guards;
pub mod mapping;
pub mod reference;
pub mod report;
pub mod run;
pub mod source;

use serde::Serialize;

/// How the texture is filtered.
pub use crate::scenes::Filter;

/// Who samples.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sampler {
    /// The texture unit.
    Tex,
    /// Software made for one texture: sizes, format and wrap are constants, two channels are interpolated at once.
    Specialised,
    /// Software for any texture: state is read from memory, the format is looked up for each texel.
    Generic,
}

impl Sampler {
    /// All of them, the texture unit first.
    pub const ALL: [Self; 3] = [Self::Tex, Self::Specialised, Self::Generic];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tex => "tex",
            Self::Specialised => "specialised",
            Self::Generic => "generic",
        }
    }

    /// The kernel's override `SAMPLER`.
    const fn code(self) -> u32 {
        self as u32
    }
}
