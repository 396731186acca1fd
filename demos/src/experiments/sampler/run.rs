//! Runs measurements: each picture is drawn, held against the model, and only then a row.

use gpu_core::config::GpuConfig;
use texture::Image;

use crate::experiments::error::ExperimentError;
use crate::experiments::figures::Figures;
use crate::experiments::machine::timed;
use crate::experiments::sampler::case::Case;
use crate::experiments::sampler::drawing::Drawing;
use crate::experiments::sampler::guards::{equals_model, filters_differ};
use crate::experiments::sampler::mapping::Mapping;
use crate::experiments::sampler::reference::{Reference, reference};
use crate::experiments::sampler::source::source;
use crate::experiments::sampler::{Filter, Sampler};

/// The seed of the texture's noise.
pub const SEED: u32 = 20_211_018;

/// A measurement and its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was measured.
    pub case: Case,
    /// Drawing the picture.
    pub figures: Figures,
    /// A launch that draws nothing.
    pub start_up: Figures,
    /// Pixels that show a place inside the texture, as a share.
    pub inside: f64,
    /// Lane instructions for a pixel.
    pub instructions_per_pixel: f64,
}

/// Makes textures and model pictures once for all measurements that need them.
#[derive(Debug, Default)]
pub struct Runner {
    images: Vec<([u32; 2], Image)>,
    references: Vec<(Key, Reference)>,
    /// Of the guard that tells filters apart, for each size of picture it has seen.
    differing: Vec<([u32; 2], f64)>,
}

/// What a model picture depends on: texture, picture, mapping, filter.
type Key = ([u32; 2], [u32; 2], Mapping, Filter);

impl Runner {
    /// Draws one picture on a machine of this kind and checks it.
    pub fn run(&mut self, case: &Case, config: &GpuConfig) -> Result<Row, ExperimentError> {
        let Case { mapping, filter, sampler, memory, cores, source, target } = *case;
        let gpu = timed(memory.apply(GpuConfig { cores, ..*config }))?;
        self.prepare(source, target, mapping, filter)?;
        self.tell_filters_apart(target)?;
        let drawing = &mut Drawing::new(gpu, self.image(source), mapping, target)?;
        let drawn = drawing.draw(filter, sampler)?;
        let expected = self.reference((source, target, mapping, filter));
        let what = format!("{} {} {}", mapping.name(), filter.name(), sampler.name());
        equals_model(&what, target[0], &drawn.words, &expected.words)?;
        let pixels = expected.words.len() as f64;
        let figures = Figures::of(&[drawn.report]);
        Ok(Row {
            case: *case,
            instructions_per_pixel: figures.lane_instructions as f64 / pixels,
            figures,
            start_up: Figures::of(&[drawn.start_up]),
            inside: expected.inside as f64 / pixels,
        })
    }

    /// The share of pixels that bilinear shows otherwise than point, for a size of picture that was measured.
    pub fn differing(&self, target: [u32; 2]) -> Option<f64> {
        self.differing.iter().find(|(size, _)| *size == target).map(|(_, share)| *share)
    }

    fn image(&self, size: [u32; 2]) -> &Image {
        &self.images.iter().find(|(known, _)| *known == size).expect("it was prepared").1
    }

    fn reference(&self, key: Key) -> &Reference {
        &self.references.iter().find(|(known, _)| *known == key).expect("it was prepared").1
    }

    fn prepare(
        &mut self,
        size: [u32; 2],
        target: [u32; 2],
        mapping: Mapping,
        filter: Filter,
    ) -> Result<(), ExperimentError> {
        if !self.images.iter().any(|(known, _)| *known == size) {
            self.images.push((size, source(size[0], size[1], SEED)?));
        }
        let key = (size, target, mapping, filter);
        if !self.references.iter().any(|(known, _)| *known == key) {
            let coordinates = mapping.coordinates(size, target)?;
            let picture = reference(self.image(size), mapping, &coordinates, filter, target)?;
            self.references.push((key, picture));
        }
        Ok(())
    }

    /// The guard that something is filtered at all, once for each size of picture.
    fn tell_filters_apart(&mut self, target: [u32; 2]) -> Result<(), ExperimentError> {
        if self.differing(target).is_some() {
            return Ok(());
        }
        let size = Mapping::Shift.source_size(target);
        for filter in [Filter::Point, Filter::Bilinear] {
            self.prepare(size, target, Mapping::Shift, filter)?;
        }
        let words = |filter| &self.reference((size, target, Mapping::Shift, filter)).words;
        let share = filters_differ(words(Filter::Point), words(Filter::Bilinear))?;
        self.differing.push((target, share));
        Ok(())
    }
}

impl Row {
    /// How many times as long as `tex` a sampler in software took, if both were timed.
    pub fn speed_up(rows: &[Self], software: &Self) -> Option<f64> {
        let tex = Self::tex_of(rows, software)?;
        Some(software.figures.cycles()? as f64 / tex.figures.cycles()? as f64)
    }

    /// The row of `tex` that a row of software is compared with.
    pub fn tex_of<'a>(rows: &'a [Self], software: &Self) -> Option<&'a Self> {
        let wanted = Case { sampler: Sampler::Tex, ..software.case };
        rows.iter().find(|row| row.case == wanted && software.case.sampler != Sampler::Tex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::sampler::case::{anchor_cases, headline_mapping};

    #[test]
    fn rows_count_instructions_and_tell_filters_apart() {
        let mut runner = Runner::default();
        let config = GpuConfig::vortex(1, 4, 4);
        let mut rows = Vec::new();
        for case in anchor_cases() {
            rows.push(runner.run(&case, &config).expect("it runs"));
        }
        let share = runner.differing([48, 48]).expect("it was measured");
        assert!(share > 0.95, "{share}");
        for pair in rows.as_chunks::<2>().0 {
            let [tex, generic] = pair;
            assert!(tex.instructions_per_pixel * 4.0 < generic.instructions_per_pixel);
            assert!(tex.start_up.warp_instructions < 1000);
            assert_eq!(tex.inside, 1.0);
            assert_eq!(Row::tex_of(&rows, generic), Some(tex));
            assert_eq!(Row::tex_of(&rows, tex), None);
        }
        assert_eq!(headline_mapping(Filter::Trilinear), Mapping::Scale);
    }
}
