//! Why a region cannot be made, or touched by the host.

use crate::units::Address;

/// Why a region cannot be made or touched by the host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// Zero bytes asked for.
    #[error("region `{name}` has no bytes")]
    Empty {
        /// The region's name.
        name: String,
    },
    /// The start is no multiple of 4.
    #[error("region `{name}` starts at {start}, which is no multiple of 4")]
    Misaligned {
        /// The region's name.
        name: String,
        /// Its first byte.
        start: Address,
    },
    /// The region would pass the end of the address space.
    #[error("region `{name}` of {bytes} bytes at {start} reaches beyond the 32-bit address space")]
    TooLong {
        /// The region's name.
        name: String,
        /// Its first byte.
        start: Address,
        /// Its length in bytes.
        bytes: u32,
    },
    /// Another region is there.
    #[error("region `{name}` of {bytes} bytes at {start} overlaps region `{other}` at {other_start}")]
    Overlap {
        /// The region's name.
        name: String,
        /// Its first byte.
        start: Address,
        /// Its length in bytes.
        bytes: u32,
        /// The region that is there.
        other: String,
        /// Its first byte.
        other_start: Address,
    },
    /// No gap is large enough.
    #[error("no room for region `{name}` of {bytes} bytes: {free} bytes is the largest gap in device memory")]
    Full {
        /// The region's name.
        name: String,
        /// Its length in bytes.
        bytes: u32,
        /// Bytes of the largest gap.
        free: u32,
    },
    /// The host has no room.
    #[error("the host has no memory for region `{name}` of {bytes} bytes")]
    HostMemory {
        /// The region's name.
        name: String,
        /// Its length in bytes.
        bytes: u32,
    },
    /// No region holds all the bytes.
    #[error("{bytes} bytes at {address} lie outside every region")]
    Outside {
        /// First byte.
        address: Address,
        /// How many bytes.
        bytes: u64,
    },
    /// No region starts there.
    #[error("no region starts at {address}")]
    NoRegion {
        /// The address.
        address: Address,
    },
}
