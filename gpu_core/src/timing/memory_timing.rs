//! The figures of the memory side of the cycle model: plain structures, one for each block.
//!
//! After: each block is built from its own structure. Where a default comes from is said at the field: "Skybox" is the
//! simulator of Vortex's graphics line (2024), "published" the paper on Vortex (2021), "default memory" the machine on
//! which this project measures samplers.

use serde::{Deserialize, Serialize};

/// Figures of one cache: instruction, data or texture.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CacheTiming {
    /// Capacity in bytes.
    pub bytes: u32,
    /// Lines of a set. Replacement takes the least recently used.
    pub ways: u32,
    /// Banks, interleaved by lines: a power of two, at most 32.
    pub banks: u32,
    /// Virtual ports of a bank, 1 to 4: requests of one cycle for one line that count as one.
    pub ports: u32,
    /// Misses that a bank can keep waiting (miss status holding registers), 1 to 64.
    pub mshr: u32,
    /// Cycles from the schedule stage to the answer, at least 1: the depth of the bank's pipeline.
    pub latency: u32,
    /// What a store does.
    pub write_policy: WritePolicy,
    /// Stores (write-through) that may be on their way below. With none left, stores wait.
    pub write_credits: u32,
    /// Cycles after a reset in which no request is taken.
    pub reset_cycles: u32,
}

/// What a store does in a cache.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WritePolicy {
    /// It goes below at once; a miss leaves the cache as it is.
    Through,
    /// It stays in the cache, and a miss fetches the line; dirty lines go below when they are replaced.
    Back,
}

/// Figures of the load-store unit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LsuTiming {
    /// Cycles from acceptance to the first request at the bank selector, at least 1.
    pub latency: u32,
    /// Accesses of warps that it can hold, waiting ones and loads in flight: 1 to 64.
    pub queue: u32,
    /// Lanes whose addresses lie in one block of so many bytes make one request: a power of two up to a line.
    /// 0: each lane makes a request of its own.
    pub coalesce_bytes: u32,
    /// Requests offered to the bank selector each cycle.
    pub channels: u32,
}

/// Figures of core-local memory.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LocalTiming {
    /// Banks, interleaved by words: a power of two, at most 32.
    pub banks: u32,
    /// Cycles from a round of bank accesses to its answer, at least 1.
    pub latency: u32,
}

/// Figures of the texture unit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TextureTiming {
    /// Batches (one `tex` of one warp) that may wait in front of the unit.
    pub queue: u32,
    /// Cycles of address generation.
    pub address_cycles: u32,
    /// Cycles of the filter, the same for point and bilinear.
    pub filter_cycles: u32,
    /// Which texel accesses of a batch are fetched once.
    pub deduplication: Deduplication,
    /// Texel accesses within one block of so many bytes count as the same: a power of two up to a line.
    pub merge_bytes: u32,
    /// Requests offered to the cache each cycle.
    pub channels: u32,
    /// Which cache holds texels.
    pub cache: TexelCache,
}

/// Which texel accesses of a batch are fetched once.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Deduplication {
    /// None: each lane fetches each tap (Skybox's simulator).
    Off,
    /// A tap that is the same for all lanes (Vortex's hardware).
    Uniform,
    /// Repetitions of a tap over the lanes (published).
    Lanes,
    /// Repetitions over lanes and taps.
    Batch,
}

/// Which cache holds texels.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TexelCache {
    /// One of the texture unit's own.
    Own,
    /// The data cache, shared with the load-store unit (published).
    Data,
}

/// Figures of the level that the cores share.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SharedTiming {
    /// Cycles on the way from a core to the shared level and back, at least 8: how far cores can run apart.
    pub latency: u32,
    /// Capacity of the L2 cache in bytes; 0: there is none.
    pub l2_bytes: u32,
    /// Lines of a set of the L2 cache.
    pub l2_ways: u32,
    /// Cycles of an L2 hit; a miss takes them before it goes on to DRAM.
    pub l2_latency: u32,
    /// Cycles between two requests that the L2 cache takes, at least 1.
    pub l2_interval: u32,
    /// What a store does in the L2 cache.
    pub l2_write_policy: WritePolicy,
    /// Cycles from the start of a DRAM access to its data.
    pub dram_latency: u32,
    /// Cycles between two lines of a channel, at least 1: the inverse of its bandwidth.
    pub dram_interval: u32,
    /// Channels, interleaved by lines: a power of two.
    pub dram_channels: u32,
    /// Banks of a channel: a power of two.
    pub dram_banks: u32,
    /// Bytes of a row: a power of two, at least a line.
    pub dram_row_bytes: u32,
    /// Further cycles of an access to a row that is not open.
    pub dram_row_miss: u32,
}

/// Whether memory is modelled.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MemoryModel {
    /// Caches, shared level, DRAM.
    Real,
    /// Every access hits in the first level.
    Perfect,
}

/// All figures of the memory side.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MemoryTiming {
    /// Whether memory is modelled.
    pub model: MemoryModel,
    /// Bytes of a line of every cache: a power of two, 16 to 256.
    pub line_bytes: u32,
    /// Instruction cache.
    pub icache: CacheTiming,
    /// Data cache.
    pub dcache: CacheTiming,
    /// Texture cache.
    pub tcache: CacheTiming,
    /// Load-store unit.
    pub lsu: LsuTiming,
    /// Core-local memory.
    pub local: LocalTiming,
    /// Texture unit.
    pub texture: TextureTiming,
    /// L2 and DRAM.
    pub shared: SharedTiming,
}

impl MemoryTiming {
    /// The default memory: 16 KB instruction and data caches, 8 KB of texture cache, DRAM latency 100, a line every
    /// two cycles. What depends on the shape of the machine follows Skybox's configuration.
    pub const fn default_for(warps: u32, lanes: u32) -> Self {
        // Data cache banks: min(lanes, 4), rounded down to a power of two.
        let data_banks = if lanes >= 4 {
            4
        } else if lanes >= 2 {
            2
        } else {
            1
        };
        let dcache = CacheTiming {
            bytes: 16 << 10,
            ways: 1,
            banks: data_banks,
            ports: 1,
            mshr: 16,
            latency: 4,
            write_policy: WritePolicy::Through,
            write_credits: 16,
            reset_cycles: 0,
        };
        // Requests cover min(4 · lanes, 64) bytes, rounded up to a power of two.
        let block = if lanes >= 16 { 64 } else { 4 * lanes.next_power_of_two() };
        let queue = if lanes < 2 {
            2
        } else if lanes > 16 {
            16
        } else {
            lanes
        };
        Self {
            model: MemoryModel::Real,
            line_bytes: 64,
            icache: CacheTiming { banks: 1, mshr: warps, ..dcache },
            dcache,
            tcache: CacheTiming { bytes: 8 << 10, ways: 2, banks: 1, ..dcache },
            lsu: LsuTiming { latency: 1, queue, coalesce_bytes: block, channels: lanes },
            local: LocalTiming { banks: lanes.next_power_of_two(), latency: 1 },
            texture: TextureTiming {
                queue: 2,
                address_cycles: 2,
                filter_cycles: 2,
                deduplication: Deduplication::Lanes,
                merge_bytes: 4,
                channels: 4,
                cache: TexelCache::Own,
            },
            shared: SharedTiming {
                latency: 8,
                l2_bytes: 0,
                l2_ways: 2,
                l2_latency: 4,
                l2_interval: 1,
                l2_write_policy: WritePolicy::Back,
                dram_latency: 100,
                dram_interval: 2,
                dram_channels: 1,
                dram_banks: 16,
                dram_row_bytes: 2048,
                dram_row_miss: 0,
            },
        }
    }
}
