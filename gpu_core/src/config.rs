//! The figures of a machine: one plain, validated structure and its presets.
//!
//! After: `gpu` builds a machine from it. Defaults of the `vortex-*` presets follow Skybox's (2024) configuration files.

use crate::isa::extension_set::ExtensionSet;
use crate::units::{Address, ThreadMask};
use serde::{Deserialize, Serialize};

/// First byte of each core's local memory.
pub const LOCAL_MEMORY_BASE: Address = Address(0xffff_0000);
/// The most bytes of local memory that fit between [`LOCAL_MEMORY_BASE`] and the end of the address space.
pub const MAX_LOCAL_BYTES: u32 = 0x1_0000;
/// First byte the allocator hands out.
pub const HEAP_BASE: Address = Address(0x0001_0000);
/// Stacks lie below this address, [`STACK_BYTES_PER_LANE`] for each hardware thread, thread 0 highest.
pub const STACK_TOP: Address = Address(0xffff_0000);
/// Bytes of stack of one hardware thread.
pub const STACK_BYTES_PER_LANE: u32 = 8 << 10;

/// Which side of a divergent `split` runs first. It never changes the result of a race-free program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FirstSide {
    /// The lanes whose condition holds.
    True,
    /// The lanes whose condition does not hold.
    False,
    /// The side with more lanes; the true side if they are equal (Skybox).
    Larger,
    /// The side with fewer lanes; the true side if they are equal (Vortex 3).
    Smaller,
}

/// What an access to an address that is no multiple of its size does. Atomics always trap.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MisalignedPolicy {
    /// `Split` for ELF, raw and assembled programs; `Trap` for compiled kernels.
    ByProgram,
    /// The access is done in parts.
    Split,
    /// The access traps.
    Trap,
}

/// All figures of a machine that its programs, or its speed on the host, can depend on.
///
/// Change fields freely; [`GpuConfig::validate`] is called by `Gpu::new`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GpuConfig {
    /// Cores, 1 to 32.
    pub cores: u32,
    /// Warps of a core, 1 to 32.
    pub warps: u32,
    /// Lanes of a warp, 1 to 32.
    pub lanes: u32,
    /// Instruction-set extensions; a word of another extension is illegal.
    pub extensions: ExtensionSet,
    /// Local memory of a core, in bytes: a multiple of 4, at most 65536.
    pub local_bytes: u32,
    /// Divergences that may be nested in a warp by `split`, 1 to 1024.
    pub ipdom_capacity: u32,
    /// Barriers of a core, 1 to 1024.
    pub barriers: u32,
    /// Barriers that span the machine, 1 to 1024.
    pub global_barriers: u32,
    /// Texture stages of a core, four to a bank: a multiple of 4 from 4 to 1024.
    pub texture_stages: u32,
    /// Which side of a `split` runs first.
    pub first_side: FirstSide,
    /// What misaligned accesses do.
    pub misaligned: MisalignedPolicy,
    /// Warp-instructions without progress after which the watchdog looks for a repeating state. At least 1.
    pub progress_interval: u64,
    /// Warp-instructions a launch may run in all. At least 1.
    pub instruction_budget: u64,
}

/// Why a [`GpuConfig`] is refused, or a text names none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A figure lies outside what the machine supports.
    #[error("{what} must be {least} to {most}, not {value}")]
    OutOfRange {
        /// The figure, in words.
        what: &'static str,
        /// What was asked for.
        value: u64,
        /// Smallest value supported.
        least: u64,
        /// Largest value supported.
        most: u64,
    },
    /// A figure is no multiple of what it must be a multiple of.
    #[error("{what} must be a multiple of {multiple}, not {value}")]
    NotMultiple {
        /// The figure, in words.
        what: &'static str,
        /// What was asked for.
        value: u64,
        /// The factor.
        multiple: u64,
    },
    /// The text is neither a preset nor a shape.
    #[error("no machine is called `{text}`; try one of {presets}, or a shape like 4c8w16t (cores, warps, threads)")]
    UnknownName {
        /// The text.
        text: String,
        /// The presets' names.
        presets: String,
    },
}

impl GpuConfig {
    /// Names that [`GpuConfig::from_name`] knows, the default for measuring first.
    pub const PRESETS: &'static [&'static str] =
        &["vortex-4w4t", "vortex-2w8t", "vortex-8w2t", "vortex-4w8t", "vortex-8w4t", "wide"];

    /// Plain RV32IMAF with the SIMT extension and Skybox's sizes.
    pub const fn vortex(cores: u32, warps: u32, lanes: u32) -> Self {
        Self {
            cores,
            warps,
            lanes,
            extensions: ExtensionSet::VORTEX,
            local_bytes: 16 << 10,
            // Each nested divergence leaves at least one lane behind. Skybox: 2 · (threads − 1) entries, two for each.
            ipdom_capacity: if lanes > 2 { lanes - 1 } else { 1 },
            barriers: if warps > 2 { warps / 2 } else { 1 },
            global_barriers: 8,
            texture_stages: 64,
            first_side: FirstSide::True,
            misaligned: MisalignedPolicy::ByProgram,
            progress_interval: 1_000_000,
            instruction_budget: 10_000_000_000,
        }
    }

    /// The demo machine's sizes: all extensions, and local memory for 8 resident tiles of 32 × 32 (colour and depth).
    pub const fn wide(cores: u32, warps: u32, lanes: u32) -> Self {
        Self { extensions: ExtensionSet::ALL, local_bytes: MAX_LOCAL_BYTES, ..Self::vortex(cores, warps, lanes) }
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

    /// Whether every figure is one the machine supports; the error names the figure and its limits.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let in_range = |what, value: u64, least: u64, most: u64| {
            if (least..=most).contains(&value) {
                Ok(())
            } else {
                Err(ConfigError::OutOfRange { what, value, least, most })
            }
        };
        in_range("the number of cores", self.cores.into(), 1, 32)?;
        in_range("the number of warps in a core", self.warps.into(), 1, 32)?;
        in_range("the number of lanes in a warp", self.lanes.into(), 1, 32)?;
        in_range("local memory in bytes", self.local_bytes.into(), 0, MAX_LOCAL_BYTES.into())?;
        in_range("the divergence stack's capacity", self.ipdom_capacity.into(), 1, 1024)?;
        in_range("the number of barriers in a core", self.barriers.into(), 1, 1024)?;
        in_range("the number of global barriers", self.global_barriers.into(), 1, 1024)?;
        in_range("the number of texture stages", self.texture_stages.into(), 4, 1024)?;
        in_range("the progress interval in instructions", self.progress_interval, 1, u64::MAX)?;
        in_range("the instruction budget", self.instruction_budget, 1, u64::MAX)?;
        let multiple_of = |what, value: u64, multiple: u64| {
            if value.is_multiple_of(multiple) {
                Ok(())
            } else {
                Err(ConfigError::NotMultiple { what, value, multiple })
            }
        };
        multiple_of("local memory in bytes", self.local_bytes.into(), 4)?;
        multiple_of("the number of texture stages", self.texture_stages.into(), 4)
    }

    /// The mask of all lanes of a warp.
    pub const fn full_mask(&self) -> ThreadMask {
        ThreadMask::first(self.lanes)
    }

    /// Bytes that the stacks of all hardware threads take, below [`STACK_TOP`].
    pub const fn stack_bytes(&self) -> u32 {
        self.cores * self.warps * self.lanes * STACK_BYTES_PER_LANE
    }

    /// The machine's shape in the form [`GpuConfig::from_name`] reads: `1c4w4t`.
    pub fn shape(&self) -> String {
        format!("{}c{}w{}t", self.cores, self.warps, self.lanes)
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
    use crate::isa::table::Extension;
    use crate::program::CODE_BASE;

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

    /// Case A11: what is out of range is rejected with the limit in the message; 1 and 32 are in.
    #[test]
    fn lanes_and_warps_out_of_range_are_refused_by_limit() {
        for count in [1, 2, 4, 32] {
            GpuConfig::vortex(1, 4, count).validate().unwrap();
            GpuConfig::vortex(1, count, 4).validate().unwrap();
            GpuConfig::vortex(count, 4, 4).validate().unwrap();
        }
        for count in [0, 33] {
            let message = GpuConfig::vortex(1, 4, count).validate().unwrap_err().to_string();
            assert_eq!(message, format!("the number of lanes in a warp must be 1 to 32, not {count}"));
            let message = GpuConfig::vortex(1, count, 4).validate().unwrap_err().to_string();
            assert_eq!(message, format!("the number of warps in a core must be 1 to 32, not {count}"));
            let message = GpuConfig::vortex(count, 4, 4).validate().unwrap_err().to_string();
            assert_eq!(message, format!("the number of cores must be 1 to 32, not {count}"));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_presets() {
        for text in ["", "fast", "4w", "4w4", "w4t", "-1w4t", "99999999999w4t", "vortex-", "1c2c3w4t", "+1w4t"] {
            let message = GpuConfig::from_name(text).unwrap_err().to_string();
            assert!(message.contains("vortex-4w4t") && message.contains("4c8w16t"), "{text}: {message}");
        }
    }

    #[test]
    fn local_memory_is_whole_words_and_fits_its_window() {
        let base = GpuConfig::vortex(1, 1, 1);
        let config = GpuConfig { local_bytes: 6, ..base };
        assert_eq!(config.validate().unwrap_err().to_string(), "local memory in bytes must be a multiple of 4, not 6");
        let config = GpuConfig { local_bytes: 0x1_0004, ..base };
        let message = config.validate().unwrap_err().to_string();
        assert_eq!(message, "local memory in bytes must be 0 to 65536, not 65540");
    }

    #[test]
    fn stacks_of_the_largest_machine_lie_above_the_code() {
        let config = GpuConfig::vortex(32, 32, 32);
        assert!(STACK_TOP.0 - config.stack_bytes() > CODE_BASE.0);
    }
}
