//! V6, V7, V10: the texture unit.

use gpu_core::config::{Deduplication, GpuConfig};

use super::{Agreement, Claim, Finding, Kind, Setting, figure};
use crate::experiments::error::ExperimentError;
use crate::experiments::figures::Figures;
use crate::experiments::machine::timed;
use crate::experiments::sampler::case::{Extent, Memory};
use crate::experiments::sampler::drawing::Drawing;
use crate::experiments::sampler::experiment::experiment;
use crate::experiments::sampler::mapping::{Coordinates, Mapping};
use crate::experiments::sampler::source::source;
use crate::experiments::sampler::{Filter, Sampler};

pub const V6: Claim = Claim {
    id: "V6",
    kind: Kind::Shape,
    published: "texture unit against the same filtering in software, 1080p, one core: bilinear almost 2x, point negligible; also on 2, 4, 8 cores",
    tests: &[("demos/src/experiments/sampler/drawing/tests.rs", "every_sampler_equals_the_model_at_every_lane_count")],
    measure: v6,
};

pub const V7: Claim = Claim {
    id: "V7",
    kind: Kind::Exact,
    published: "the sampler filters in two cycles; point is bilinear with zero weights and the same latency; trilinear is two tex and a lerp",
    tests: &[
        ("texture/src/filter.rs", "zero_weights_are_the_first_color"),
        ("gpu_core/src/timing/core_memory/tests/texture.rs", "point_takes_as_long_as_bilinear_with_as_many_fetches"),
        ("demos/src/experiments/sampler/drawing/tests.rs", "every_mapping_draws_what_the_model_says"),
    ],
    measure: v7,
};

pub const V10: Claim = Claim {
    id: "V10",
    kind: Kind::Exact,
    published: "texel accesses repeated across the lanes of a warp are fetched once; one batch is serviced fully before the next starts",
    tests: &[("gpu_core/src/timing/core_memory/tests/texture.rs", "a_batch_is_serviced_fully_before_the_next_starts")],
    measure: v10,
};

fn v6(setting: &Setting) -> Result<Finding, ExperimentError> {
    let config = GpuConfig::vortex(1, 4, 4);
    let cores: Vec<u32> = [1, 2, 4, 8].into_iter().filter(|&cores| cores <= setting.most_cores).collect();
    let extent = Extent {
        target: setting.picture,
        source: None,
        cores: cores.clone(),
        has_sweep: false,
        own_latency: config.timing.memory.dram.latency,
        is_full: false,
    };
    let outcome = experiment("vortex-4w4t", &config, &extent, |_| ())?;
    let times = |filter, sampler| outcome.speed_up(filter, sampler, Memory::Default).ok_or(ExperimentError::Untimed);
    let bilinear = times(Filter::Bilinear, Sampler::Specialised)?;
    let point = times(Filter::Point, Sampler::Specialised)?;
    let mut figures = vec![figure("bilinear, specialised", bilinear), figure("point, specialised", point)];
    for filter in Filter::ALL {
        let generic = times(filter, Sampler::Generic)?;
        figures.push(figure(format!("{}, generic", filter.name()), generic));
    }
    for row in &outcome.rows {
        let name = format!("ms, {}", row.case.name());
        figures.push(figure(name, row.figures.milliseconds().unwrap_or(0.0)));
    }
    let [width, height] = setting.picture;
    let generic = times(Filter::Bilinear, Sampler::Generic)?;
    Ok(Finding {
        measured: format!(
            "bilinear {bilinear:.1}x (specialised), {generic:.1}x (generic); point {point:.1}x, on {width} x {height} pixels"
        ),
        // The gain of bilinear, 1, within a factor of two; point within a quarter of none.
        agreement: Agreement::of_parts(&[
            Agreement::of_change(1.0, bilinear - 1.0) == Agreement::Agrees,
            (point - 1.0).abs() <= 0.25,
        ]),
        reason: outcome.findings().last().cloned().unwrap_or_default(),
        figures,
        charts: Vec::new(),
    })
}

/// A picture of four pixels, one warp, that all show the one texel of a texture.
fn one_texel(filter: Filter, deduplication: Deduplication) -> Result<Figures, ExperimentError> {
    let image = source(1, 1, 1)?;
    let mut config = Memory::Perfect.apply(GpuConfig::vortex(1, 1, 4));
    config.timing.memory.texture.deduplication = deduplication;
    let mut drawing = Drawing::new(timed(config)?, &image, Mapping::Identity, [1, 1])?;
    drawing.set_target([4, 1], Coordinates { x: [0; 2], y: [0; 2], origin: [1 << 29; 2] })?;
    Ok(Figures::of(&[drawing.draw(filter, Sampler::Tex)?.report]))
}

fn v7(_: &Setting) -> Result<Finding, ExperimentError> {
    // Taps that are equal are one fetch too: point and bilinear then fetch as much, and the filter alone could differ.
    let run = |filter| one_texel(filter, Deduplication::Batch);
    let [point, bilinear, trilinear] = [run(Filter::Point)?, run(Filter::Bilinear)?, run(Filter::Trilinear)?];
    let samples = |figures: &Figures| figures.timed().map(|timed| timed.sum.texture.instructions);
    let cycles = |figures: &Figures| figures.timed().map(|timed| timed.cycles);
    let filter_cycles = GpuConfig::vortex(1, 4, 4).timing.memory.texture.filter_cycles;
    let holds = [
        filter_cycles == 2,
        cycles(&point)? == cycles(&bilinear)?,
        samples(&bilinear)? == 1 && samples(&trilinear)? == 2,
    ];
    Ok(Finding {
        measured: format!(
            "filter {filter_cycles} cycles; one warp, one fetch: point {} cycles, bilinear {}; trilinear {} tex",
            cycles(&point)?,
            cycles(&bilinear)?,
            samples(&trilinear)?
        ),
        agreement: Agreement::of_parts(&holds),
        reason: "the filter is one datapath; bilinear may fetch up to four times the texels, and that alone can cost it cycles".to_owned(),
        figures: vec![figure("point cycles", cycles(&point)? as f64), figure("bilinear cycles", cycles(&bilinear)? as f64)],
        charts: Vec::new(),
    })
}

fn v10(_: &Setting) -> Result<Finding, ExperimentError> {
    let figures = one_texel(Filter::Bilinear, Deduplication::Lanes)?;
    let texture = &figures.timed()?.sum.texture;
    Ok(Finding {
        measured: format!("four lanes at one texel: {} texels wanted, {} fetched", texture.texels, texture.fetched),
        agreement: Agreement::of_parts(&[texture.texels == 16, texture.fetched == 4]),
        reason: "equal addresses of a tap are found over the lanes of a warp; the unit holds one batch at a time"
            .to_owned(),
        figures: vec![figure("texels", texture.texels as f64), figure("fetched", texture.fetched as f64)],
        charts: Vec::new(),
    })
}
