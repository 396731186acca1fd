//! What the picture must be: the texture crate's model, pixel by pixel in plain Rust.

use texture::{Filter as StageFilter, Image, LevelOfDetail, Sampling, sample, sample_trilinear};

use crate::experiments::error::ExperimentError;
use crate::experiments::sampler::Filter;
use crate::experiments::sampler::mapping::{Coordinates, Mapping};

/// A picture of the experiment as it must come out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// 0xAARRGGBB, rows from the top.
    pub words: Vec<u32>,
    /// Pixels whose coordinates lie inside the texture.
    pub inside: u64,
}

/// The filter of the stage behind a filter of the experiment: trilinear is two bilinear samples.
pub fn sampling(filter: Filter) -> Sampling {
    let filter = match filter {
        Filter::Point => StageFilter::Point,
        Filter::Bilinear | Filter::Trilinear => StageFilter::Bilinear,
    };
    Sampling { filter, ..Sampling::default() }
}

/// Samples the texture for every pixel of a picture.
pub fn reference(
    image: &Image,
    mapping: Mapping,
    coordinates: &Coordinates,
    filter: Filter,
    target: [u32; 2],
) -> Result<Reference, ExperimentError> {
    let stage = image.stage(0, sampling(filter))?;
    let (level, fraction) = mapping.level_of_detail();
    let lod = LevelOfDetail { level, fraction: fraction as u8 };
    let fetch = |address, bytes| image.fetch(address, bytes);
    let mut picture = Reference { words: Vec::with_capacity((target[0] * target[1]) as usize), inside: 0 };
    for (x, y) in (0..target[1]).flat_map(|y| (0..target[0]).map(move |x| (x, y))) {
        let [u, v] = coordinates.at(x, y);
        picture.inside += u64::from([u, v].iter().all(|at| (0..1 << 23).contains(at)));
        picture.words.push(match filter {
            Filter::Point | Filter::Bilinear => sample(&stage, u, v, level, fetch),
            Filter::Trilinear => sample_trilinear(&stage, u, v, lod, fetch),
        });
    }
    Ok(picture)
}
