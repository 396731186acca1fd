//! Machines and memories by name.

use super::{ConfigError, GpuConfig, MemoryTiming, Shape};

/// A memory by name: what it changes of a machine.
#[derive(Copy, Clone, Debug)]
pub struct MemoryPreset {
    /// Its name.
    pub name: &'static str,
    /// Fields and what they are set to.
    pub fields: &'static [(&'static str, &'static str)],
    /// One sentence.
    pub doc: &'static str,
}

impl GpuConfig {
    /// Names that [`GpuConfig::from_name`] knows, the default for measuring first.
    pub const PRESETS: &'static [&'static str] =
        &["vortex-4w4t", "vortex-2w8t", "vortex-8w2t", "vortex-4w8t", "vortex-8w4t", "wide"];

    /// Numbers of cores that the presets of one core are listed with.
    pub const LISTED_CORES: &'static [u32] = &[2, 4, 8, 16, 32];

    /// Memories by name: those of the comparison of samplers.
    pub const MEMORIES: &'static [MemoryPreset] = &[
        MemoryPreset { name: "default", fields: &[], doc: "every field of memory at its default" },
        MemoryPreset {
            name: "perfect",
            fields: &[("memory.model", "perfect")],
            doc: "every access hits in the first level",
        },
        MemoryPreset {
            name: "through-dcache",
            fields: &[("texture.cache", "data")],
            doc: "texels come through the data cache, as in the design of 2021",
        },
    ];

    /// Every name of a machine that lists show: the presets, and those of one core with more.
    pub fn listed_names() -> Vec<String> {
        let mut names: Vec<String> = Self::PRESETS.iter().map(|name| (*name).to_owned()).collect();
        for preset in Self::PRESETS {
            let Some(shape) = preset.strip_prefix("vortex-") else { continue };
            names.extend(Self::LISTED_CORES.iter().map(|cores| format!("vortex-{cores}c{shape}")));
        }
        names
    }

    /// Gives the machine a memory by name (see [`GpuConfig::MEMORIES`]); other fields stay.
    ///
    /// # Errors
    /// No memory has this name.
    pub fn set_memory(&mut self, name: &str) -> Result<(), ConfigError> {
        let names = || Self::MEMORIES.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ");
        let preset = Self::MEMORIES.iter().find(|preset| preset.name == name);
        let preset = preset.ok_or_else(|| ConfigError::UnknownMemory { text: name.to_owned(), presets: names() })?;
        if preset.fields.is_empty() {
            let shape = Shape { cores: self.cores, warps: self.warps, lanes: self.lanes };
            self.timing.memory = MemoryTiming::of_shape(shape, 0);
        }
        preset.fields.iter().try_for_each(|(path, value)| self.set_field(path, value))
    }

    /// A preset (see [`GpuConfig::PRESETS`]), `NcNwNt` or `NwNt` for a wide machine of that shape (cores, warps,
    /// threads a warp), or the same after `vortex-` for a plain one. The result is validated.
    pub fn from_name(text: &str) -> Result<Self, ConfigError> {
        let config = if text == "wide" {
            // Two cores for the two host threads that nearly everyone has; 16 lanes fill an AVX-512 register.
            Self::wide(2, 8, 16)
        } else {
            let (shape, is_plain) = match text.strip_prefix("vortex-") {
                Some(shape) => (shape, true),
                None => (text, false),
            };
            let [cores, warps, lanes] = parse_shape(shape)
                .ok_or_else(|| ConfigError::UnknownName { text: text.to_owned(), presets: Self::PRESETS.join(", ") })?;
            if is_plain { Self::vortex(cores, warps, lanes) } else { Self::wide(cores, warps, lanes) }
        };
        config.validate()?;
        Ok(config)
    }
}

/// Reads `[NcN]wNt` into cores, warps, lanes.
fn parse_shape(text: &str) -> Option<[u32; 3]> {
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { text.parse::<u32>().ok() } else { None }
    };
    let (cores, rest) = match text.split_once('c') {
        Some((cores, rest)) => (number(cores)?, rest),
        None => (1, text),
    };
    let (warps, lanes) = rest.strip_suffix('t')?.split_once('w')?;
    Some([cores, number(warps)?, number(lanes)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{MemoryModel, TexelCache};
    use crate::isa::table::Extension;

    #[test]
    fn every_preset_is_valid() {
        for name in GpuConfig::PRESETS {
            GpuConfig::from_name(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }

    #[test]
    fn presets_have_the_shape_of_their_name() {
        let config = GpuConfig::from_name("vortex-2w8t").unwrap();
        assert_eq!((config.cores, config.warps, config.lanes), (1, 2, 8));
        assert!(!config.extensions.contains(Extension::Zbb));
        assert!(GpuConfig::from_name("wide").unwrap().extensions.contains(Extension::Zbb));
    }

    #[test]
    fn a_shape_names_cores_warps_and_threads() {
        let config = GpuConfig::from_name("4c8w16t").unwrap();
        assert_eq!((config.cores, config.warps, config.lanes), (4, 8, 16));
        assert_eq!(config.shape(), "4c8w16t");
        assert_eq!(GpuConfig::from_name("vortex-2c1w4t").unwrap(), GpuConfig::vortex(2, 1, 4));
    }

    #[test]
    fn an_unknown_name_lists_the_presets() {
        for text in ["", "fast", "4w", "4w4", "w4t", "-1w4t", "99999999999w4t", "vortex-", "1c2c3w4t", "+1w4t"] {
            let message = GpuConfig::from_name(text).unwrap_err().to_string();
            assert!(message.contains("vortex-4w4t") && message.contains("4c8w16t"), "{text}: {message}");
        }
    }

    #[test]
    fn every_listed_name_is_a_machine() {
        let names = GpuConfig::listed_names();
        for name in &names {
            GpuConfig::from_name(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let eight = GpuConfig::from_name("vortex-8c4w4t").unwrap();
        assert_eq!((eight.cores, eight.warps, eight.lanes), (8, 4, 4));
        assert_eq!(eight.extensions, GpuConfig::from_name("vortex-4w4t").unwrap().extensions);
        assert!(names.iter().any(|name| name == "vortex-8c4w4t"));
        assert_eq!(names.len(), 6 + 5 * 5);
    }

    #[test]
    fn memories_are_set_by_name() {
        let plain = GpuConfig::vortex(1, 4, 4);
        let mut config = plain;
        config.set_memory("through-dcache").unwrap();
        assert_eq!(config.timing.memory.texture.cache, TexelCache::Data);
        config.set_memory("perfect").unwrap();
        assert_eq!(config.timing.memory.model, MemoryModel::Perfect);
        config.set_memory("default").unwrap();
        assert_eq!(config, plain);
        // 16 KB data cache, 8 KB texture cache, latency 100, a line per 2 cycles.
        let memory = config.timing.memory;
        let figures = (memory.dcache.bytes, memory.tcache.bytes, memory.dram.latency, memory.dram.interval);
        assert_eq!(figures, (16 << 10, 8 << 10, 100, 2));
        let message = config.set_memory("fast").unwrap_err().to_string();
        assert!(message.contains("fast") && message.contains("through-dcache"), "{message}");
    }
}
