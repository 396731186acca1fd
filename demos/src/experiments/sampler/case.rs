//! One measurement of the experiment, and which measurements a run consists of.

use gpu_core::config::{GpuConfig, MemoryModel, TexelCache};
use serde::Serialize;

use crate::experiments::sampler::mapping::Mapping;
use crate::experiments::sampler::{Filter, Sampler};

/// What memory is like.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Memory {
    /// Every access hits the first cache.
    Perfect,
    /// As the machine says.
    Default,
    /// Texels come through the data cache, as in the design of 2021.
    ThroughDcache,
    /// As the machine says, with this latency of DRAM in cycles.
    Latency(u32),
}

/// The latencies of the sweep, in cycles.
pub const LATENCIES: [u32; 5] = [0, 20, 60, 100, 200];

impl Memory {
    /// Its name in tables.
    pub fn name(self) -> String {
        match self {
            Self::Perfect => "perfect".to_owned(),
            Self::Default => "default".to_owned(),
            Self::ThroughDcache => "through-dcache".to_owned(),
            Self::Latency(cycles) => format!("latency-{cycles}"),
        }
    }

    /// The machine with this memory.
    pub fn apply(self, mut config: GpuConfig) -> GpuConfig {
        let memory = &mut config.timing.memory;
        match self {
            Self::Perfect => memory.model = MemoryModel::Perfect,
            Self::Default => {}
            Self::ThroughDcache => memory.texture.cache = TexelCache::Data,
            Self::Latency(cycles) => memory.dram.latency = cycles,
        }
        config
    }
}

/// One measurement.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Case {
    /// How pixels lie on texels.
    pub mapping: Mapping,
    /// How texels become a colour.
    #[serde(serialize_with = "filter_name")]
    pub filter: Filter,
    /// Who samples.
    pub sampler: Sampler,
    /// What memory is like.
    #[serde(serialize_with = "memory_name")]
    pub memory: Memory,
    /// Cores of the machine.
    pub cores: u32,
    /// Texels of the texture; usually [`Mapping::source_size`] of the picture.
    pub source: [u32; 2],
    /// Pixels of the picture.
    pub target: [u32; 2],
}

impl Case {
    /// What it is, in words.
    pub fn name(&self) -> String {
        let Self { mapping, filter, sampler, memory, cores, .. } = self;
        let parts = [mapping.name(), filter.name(), sampler.name(), &memory.name()].join(" ");
        if *cores == 1 { parts } else { format!("{parts}, {cores} cores") }
    }

    /// Roughly its instructions of lanes, for progress only.
    pub fn work(&self) -> u64 {
        // A pixel on plain RV32IM.
        const INSTRUCTIONS: [[u64; 3]; 3] = [[17, 39, 140], [17, 142, 331], [45, 305, 688]];
        let pixels = u64::from(self.target[0]) * u64::from(self.target[1]);
        pixels * INSTRUCTIONS[self.filter as usize][self.sampler as usize]
    }
}

fn filter_name<S: serde::Serializer>(filter: &Filter, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(filter.name())
}

fn memory_name<S: serde::Serializer>(memory: &Memory, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&memory.name())
}

/// The mapping that a filter is measured with in the headline: real weights for each.
pub const fn headline_mapping(filter: Filter) -> Mapping {
    match filter {
        Filter::Point | Filter::Bilinear => Mapping::Shift,
        Filter::Trilinear => Mapping::Scale,
    }
}

/// All samplers and filters with their headline mappings.
fn headline(memory: Memory, cores: u32, target: [u32; 2], source: Option<[u32; 2]>) -> Vec<Case> {
    let pairs = Filter::ALL.into_iter().flat_map(|filter| Sampler::ALL.map(|sampler| (filter, sampler)));
    let case = |(filter, sampler)| {
        let mapping = headline_mapping(filter);
        let source = source.unwrap_or_else(|| mapping.source_size(target));
        Case { mapping, filter, sampler, memory, cores, source, target }
    };
    pairs.map(case).collect()
}

/// How much is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Pixels of the picture.
    pub target: [u32; 2],
    /// Texels of the texture, if not those that fill the picture.
    pub source: Option<[u32; 2]>,
    /// Cores, one run of the headline for each.
    pub cores: Vec<u32>,
    /// The headline for each latency of the sweep …
    pub has_sweep: bool,
    /// … but for the machine's own, which the default memory has.
    pub own_latency: u32,
    /// Every mapping with every memory, and a texture of 2048 × 1024.
    pub is_full: bool,
}

/// The picture of the anchor row, and SimX's figures for it: 64² texels at 0.75 of their size.
pub const ANCHOR_TARGET: [u32; 2] = [48, 48];

/// The measurements in the order of the table. No two are the same.
pub fn cases(extent: &Extent) -> Vec<Case> {
    let Extent { target, source, .. } = *extent;
    let mut cases = Vec::new();
    for &cores in &extent.cores {
        cases.extend(headline(Memory::Default, cores, target, source));
    }
    let first = extent.cores.first().copied().unwrap_or(1);
    if extent.has_sweep {
        for latency in LATENCIES.into_iter().filter(|&latency| latency != extent.own_latency) {
            cases.extend(headline(Memory::Latency(latency), first, target, source));
        }
        cases.extend(headline(Memory::Perfect, first, target, source));
    }
    if extent.is_full {
        for memory in [Memory::Perfect, Memory::Default, Memory::ThroughDcache] {
            for mapping in Mapping::ALL {
                let size = source.unwrap_or_else(|| mapping.source_size(target));
                let with = |case: Case| Case { mapping, source: size, ..case };
                cases.extend(headline(memory, first, target, source).into_iter().map(with));
            }
        }
        cases.extend(headline(Memory::Default, first, target, Some([2048, 1024])));
    }
    let mut unique = Vec::new();
    for case in cases {
        if !unique.contains(&case) {
            unique.push(case);
        }
    }
    unique
}

/// The anchor row: `scale`, perfect memory, one core, `tex` against the generic sampler.
pub fn anchor_cases() -> Vec<Case> {
    let source = Mapping::Scale.source_size(ANCHOR_TARGET);
    let of = |filter| {
        [Sampler::Tex, Sampler::Generic].map(|sampler| Case {
            mapping: Mapping::Scale,
            filter,
            sampler,
            memory: Memory::Perfect,
            cores: 1,
            source,
            target: ANCHOR_TARGET,
        })
    };
    Filter::ALL.into_iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADLINE: Extent = Extent {
        target: [1920, 1080],
        source: None,
        cores: Vec::new(),
        has_sweep: false,
        own_latency: 100,
        is_full: false,
    };

    #[test]
    fn the_headline_is_three_filters_by_three_samplers() {
        let cases = cases(&Extent { cores: vec![1], ..HEADLINE });
        assert_eq!(cases.len(), 9);
        assert!(cases.iter().all(|case| case.memory == Memory::Default && case.target == [1920, 1080]));
        let trilinear = cases.iter().find(|case| case.filter == Filter::Trilinear).expect("there are three");
        assert_eq!((trilinear.mapping, trilinear.source), (Mapping::Scale, [2560, 1440]));
    }

    #[test]
    fn the_full_matrix_holds_the_headline_once() {
        let extent = Extent { cores: vec![1, 2, 4, 8], has_sweep: true, is_full: true, ..HEADLINE };
        let cases = cases(&extent);
        // 4 core counts, 4 further latencies and perfect memory by 9; 3 memories by 4 mappings by 9, of which 9 with default
        // and 9 with perfect memory have come already; 9 with the other texture.
        assert_eq!(cases.len(), 9 * 4 + 9 * 5 + 9 * 12 - 18 + 9);
    }

    #[test]
    fn memories_change_what_they_name() {
        let config = GpuConfig::vortex(1, 4, 4);
        assert_eq!(Memory::Default.apply(config), config);
        assert_eq!(Memory::Latency(60).apply(config).timing.memory.dram.latency, 60);
        for memory in [Memory::Perfect, Memory::ThroughDcache, Memory::Latency(0)] {
            assert_ne!(memory.apply(config), config, "{memory:?}");
            memory.apply(config).validate().unwrap_or_else(|error| panic!("{memory:?}: {error}"));
        }
    }

    #[test]
    fn the_anchor_is_simx_small() {
        let cases = anchor_cases();
        assert_eq!(cases.len(), 6);
        assert!(cases.iter().all(|case| case.source == [64, 64] && case.memory == Memory::Perfect));
    }
}
