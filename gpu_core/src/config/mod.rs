//! The figures of a machine: one plain, validated structure and its presets.
//!
//! Every field is a row of a table (`row`): those that programs can see here, those that only cost time in `timing`.
//! Checks, text and documents read the rows. After: `gpu` builds a machine from it.

mod geometry;
mod memory;
mod presets;
mod row;
mod table;
mod text;
mod timing;
mod toml_file;

pub use memory::*;
pub use presets::MemoryPreset;
pub use row::{Kind, Row, Shape, Source};
pub use table::rows;
pub use text::nearest;
pub use timing::*;

use crate::isa::Extension;
use crate::isa::extension_set::ExtensionSet;
use crate::units::{Address, ThreadMask};
use row::{blocks, choices, max, multiple, number};

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
/// The largest instruction budget: more than a lifetime of simulation, and a number that every file format can hold.
pub const LARGEST_BUDGET: u64 = i64::MAX as u64;

choices! {
    /// Which side of a divergent `split` runs first. It never changes the result of a race-free program.
    FirstSide {
        /// The lanes whose condition holds.
        True "true",
        /// The lanes whose condition does not hold.
        False "false",
        /// The side with more lanes; the true side if they are equal (Skybox).
        Larger "larger",
        /// The side with fewer lanes; the true side if they are equal (Vortex 3).
        Smaller "smaller",
    }
    /// What compilers make of control flow on which lanes disagree. It never changes a result.
    DivergenceMechanism {
        /// `split` and `join` where lanes come together again, `tmc` where some have left.
        Ipdom "ipdom",
        /// The thread-mask instructions: both sides of a branch one after the other, without a jump,
        /// but for those that must not run without lanes.
        Mask "mask",
    }
    /// What an access to an address that is no multiple of its size does. Atomics always trap.
    MisalignedPolicy {
        /// `Split` for ELF, raw and assembled programs; `Trap` for compiled kernels.
        ByProgram "by_program",
        /// The access is done in parts.
        Split "split",
        /// The access traps.
        Trap "trap",
    }
}

#[rustfmt::skip]
blocks! { shape:
    /// All figures of a machine that its programs, their time, or its speed on the host can depend on.
    ///
    /// Change fields freely; [`GpuConfig::validate`] is called by `Gpu::new`. The first default of a row is that of the
    /// `vortex-*` machines (Skybox's sizes), the second that of the wide ones.
    GpuConfig {
        cores: u32 = [shape.cores, shape.cores], number(1, 32), Ours, "cores of the machine";
        warps: u32 = [shape.warps, shape.warps], number(1, 32), Skybox, "warps of a core";
        lanes: u32 = [shape.lanes, shape.lanes], number(1, 32), Skybox, "lanes of a warp";
        extensions: ExtensionSet = [ExtensionSet::VORTEX, ExtensionSet::WIDE], Kind::Extensions, Skybox, "instruction-set extensions; a word of another extension is illegal";
        local_bytes: u32 = [16 << 10, MAX_LOCAL_BYTES], multiple(4, 0, MAX_LOCAL_BYTES as u64), Skybox, "bytes of a core's local memory";
        // Each nested divergence leaves at least one lane behind. Skybox: 2 · (threads − 1) entries, two for each.
        ipdom_capacity: u32 = [max(shape.lanes, 2) - 1, max(shape.lanes, 2) - 1], number(1, 1024), Skybox, "divergences that may be nested in a warp by `split`";
        barriers: u32 = [max(shape.warps / 2, 1), max(shape.warps / 2, 1)], number(1, 1024), Skybox, "barriers of a core";
        global_barriers: u32 = [8, 8], number(1, 1024), Ours, "barriers that span the machine";
        texture_stages: u32 = [64, 64], multiple(4, 4, 1024), Ours, "texture stages of a core, four to a bank";
        first_side: FirstSide = [FirstSide::True, FirstSide::True], FirstSide::KIND, Ours, "which side of a `split` runs first";
        divergence: DivergenceMechanism = [DivergenceMechanism::Ipdom, DivergenceMechanism::Ipdom], DivergenceMechanism::KIND, Ours, "how compiled programs let lanes diverge: `split` and `join`, or thread masks (extension ThreadMask)";
        misaligned: MisalignedPolicy = [MisalignedPolicy::ByProgram, MisalignedPolicy::ByProgram], MisalignedPolicy::KIND, Ours, "what misaligned accesses do";
        progress_interval: u64 = [1_000_000, 1_000_000], number(1, LARGEST_BUDGET), Ours, "warp-instructions without progress after which the watchdog looks for a repeating state";
        instruction_budget: u64 = [10_000_000_000, 10_000_000_000], number(1, LARGEST_BUDGET), Ours, "warp-instructions a launch may run in all";
    } + {
        "What everything costs in timed runs." timing: Timing[0];
    }
}

impl DivergenceMechanism {
    /// Both.
    pub const EVERY: [Self; 2] = [Self::Ipdom, Self::Mask];

    /// Its name, as it is written on command lines and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ipdom => "ipdom",
            Self::Mask => "mask",
        }
    }

    /// The mechanism of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|mechanism| mechanism.name() == name)
    }

    /// The extension that a machine must have for it, besides SIMT control.
    pub const fn extension(self) -> Option<Extension> {
        match self {
            Self::Ipdom => None,
            Self::Mask => Some(Extension::ThreadMask),
        }
    }
}

impl GpuConfig {
    /// The machine with this mechanism for its programs, and with what the mechanism needs.
    pub fn with_divergence(self, divergence: DivergenceMechanism) -> Self {
        let extensions = divergence.extension().map_or(self.extensions, |extension| self.extensions.with(extension));
        Self { divergence, extensions, ..self }
    }
}

/// Why a [`GpuConfig`] is refused, or a text names none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A field lies outside what the machine supports.
    #[error("{path} must be {least} to {most}, not {value} ({doc})")]
    OutOfRange {
        /// The field.
        path: String,
        /// Its meaning.
        doc: &'static str,
        /// What was asked for.
        value: u64,
        /// Smallest value supported.
        least: u64,
        /// Largest value supported.
        most: u64,
    },
    /// A field is no multiple of what it must be a multiple of.
    #[error("{path} must be a multiple of {multiple}, not {value} ({doc})")]
    NotMultiple {
        /// The field.
        path: String,
        /// Its meaning.
        doc: &'static str,
        /// What was asked for.
        value: u64,
        /// The factor.
        multiple: u64,
    },
    /// A field must be a power of two.
    #[error("{path} must be a power of two, not {value} ({doc})")]
    NotPower {
        /// The field.
        path: String,
        /// Its meaning.
        doc: &'static str,
        /// What was asked for.
        value: u64,
    },
    /// There is no such field.
    #[error("a machine has no field `{path}`; near it are {nearest}")]
    UnknownField {
        /// What was asked for.
        path: String,
        /// Fields with names like it.
        nearest: String,
    },
    /// A text gives no value for its field.
    #[error("{path} cannot be `{text}`: it is {wanted}")]
    Unreadable {
        /// The field.
        path: String,
        /// The text.
        text: String,
        /// What can stand there.
        wanted: String,
    },
    /// Fields do not fit together.
    #[error("{0}")]
    Geometry(String),
    /// A text is not TOML.
    #[error("{0}")]
    NotToml(String),
    /// A file names its base by something else than a text.
    #[error("base must be the name of a machine, not {0}")]
    Base(String),
    /// No memory preset has this name.
    #[error("no memory is called `{text}`; there are {presets}")]
    UnknownMemory {
        /// The text.
        text: String,
        /// The presets' names.
        presets: String,
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
    /// Plain RV32IMAF with the SIMT extension and Skybox's sizes.
    pub const fn vortex(cores: u32, warps: u32, lanes: u32) -> Self {
        Self::of_shape(Shape { cores, warps, lanes }, 0)
    }

    /// The demo machine's sizes: all extensions, and local memory for 8 resident tiles of 32 × 32 (colour and depth).
    pub const fn wide(cores: u32, warps: u32, lanes: u32) -> Self {
        Self::of_shape(Shape { cores, warps, lanes }, 1)
    }

    /// Whether every field is one the machine supports, and all fit together; the error names fields and limits.
    pub fn validate(&self) -> Result<(), ConfigError> {
        table::check_rows(self)?;
        geometry::check(self)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::CODE_BASE;

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
            assert_eq!(message, format!("lanes must be 1 to 32, not {count} (lanes of a warp)"));
            let message = GpuConfig::vortex(1, count, 4).validate().unwrap_err().to_string();
            assert_eq!(message, format!("warps must be 1 to 32, not {count} (warps of a core)"));
            let message = GpuConfig::vortex(count, 4, 4).validate().unwrap_err().to_string();
            assert_eq!(message, format!("cores must be 1 to 32, not {count} (cores of the machine)"));
        }
    }

    #[test]
    fn local_memory_is_whole_words_and_fits_its_window() {
        let base = GpuConfig::vortex(1, 1, 1);
        let config = GpuConfig { local_bytes: 6, ..base };
        assert_eq!(
            config.validate().unwrap_err().to_string(),
            "local_bytes must be a multiple of 4, not 6 (bytes of a core's local memory)"
        );
        let config = GpuConfig { local_bytes: 0x1_0004, ..base };
        let message = config.validate().unwrap_err().to_string();
        assert_eq!(message, "local_bytes must be 0 to 65536, not 65540 (bytes of a core's local memory)");
    }

    #[test]
    fn stacks_of_the_largest_machine_lie_above_the_code() {
        let config = GpuConfig::vortex(32, 32, 32);
        assert!(STACK_TOP.0 - config.stack_bytes() > CODE_BASE.0);
    }
}
