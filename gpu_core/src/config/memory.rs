//! What memory costs: parameters of timed runs, one row each, from the load-store unit down to main memory.
//!
//! Before: `row` says what a row is. After: the blocks of `timing` read these structures. To add a parameter, add a row here;
//! `--set`, files, checks of its range, the hash and `docs/machine.md` follow. Checks across fields are in `geometry`.

use super::row::{blocks, choices, min, number, pow2, power};

choices! {
    /// Whether memory is modelled.
    MemoryModel {
        /// Caches, shared level, DRAM.
        Real "real",
        /// Every access hits in the first level.
        Perfect "perfect",
    }
    /// What a store does in a cache.
    WritePolicy {
        /// It goes below at once; a miss leaves the cache as it is.
        Through "through",
        /// It stays in the cache, and a miss fetches the line; dirty lines go below when they are replaced.
        Back "back",
    }
    /// Which texel accesses of a batch are fetched once.
    Deduplication {
        /// None: each lane fetches each tap (Skybox's simulator).
        Off "off",
        /// A tap that is the same for all lanes (Vortex's hardware).
        Uniform "uniform",
        /// Repetitions of a tap over the lanes (as published in 2021).
        Lanes "lanes",
        /// Repetitions over lanes and taps.
        Batch "batch",
    }
    /// Which cache holds texels.
    TexelCache {
        /// One of the texture unit's own.
        Own "own",
        /// The data cache, shared with the load-store unit (as published in 2021).
        Data "data",
    }
}

/// Bytes within which lanes share a request: Skybox's min(4 · lanes, 64), a power of two.
const fn coalesced(lanes: u32) -> u32 {
    min(4 * pow2(lanes), 64)
}

/// The largest power of two up to min(lanes, 4): Skybox's banks of the data cache.
const fn data_banks(lanes: u32) -> u32 {
    if lanes >= 4 {
        4
    } else if lanes >= 2 {
        2
    } else {
        1
    }
}

/// A number kept within limits.
const fn clamp(number: u32, least: u32, most: u32) -> u32 {
    if number < least { least } else { min(number, most) }
}

#[rustfmt::skip]
blocks! { shape:
    /// Figures of a cache of a core. It holds tags only, so it can never change a value.
    CacheTiming {
        //             icache dcache tcache
        bytes: u32 = [16384, 16384, 8192], power(64, 1 << 26), Skybox, "capacity";
        ways: u32 = [1, 1, 2], power(1, 64), Skybox, "lines of a set; replacement takes the least recently used";
        banks: u32 = [1, data_banks(shape.lanes), 1], power(1, 32), Skybox, "banks, interleaved by lines";
        ports: u32 = [1, 1, 1], number(1, 4), Skybox, "virtual ports of a bank: requests of one cycle for one line that count as one";
        mshr: u32 = [shape.warps, 16, 16], number(1, 64), Skybox, "requests that a bank can keep waiting for lines";
        // Skybox's simulator has 2, 2, 4, and counts two more before the first (its channel) and before the second (demultiplexer
        // and adapter): with the four stages here, `front_end.fetch_latency` 0 and `lsu.latency` 1 the sums are the same.
        latency: u32 = [4, 4, 4], number(1, 128), Published, "cycles from the schedule stage to the answer: the depth of the bank's pipeline";
        write_policy: WritePolicy = [WritePolicy::Through, WritePolicy::Through, WritePolicy::Through], WritePolicy::KIND, Skybox, "what a store does";
        write_credits: u32 = [16, 16, 16], number(1, 1024), Ours, "stores that may be on their way below; with none left, stores wait";
        reset_cycles: u32 = [0, 0, 0], number(0, 1 << 20), Ours, "cycles after a reset in which no request is taken";
    }
    /// Figures of the load-store unit.
    LsuTiming {
        latency: u32 = [1], number(1, 64), Skybox, "cycles from acceptance to the first request at the bank selector";
        queue: u32 = [clamp(shape.lanes, 2, 16)], number(1, 64), Ours, "accesses of warps that it can hold, waiting ones and loads in flight";
        coalesce_bytes: u32 = [coalesced(shape.lanes)], number(0, 1024), Skybox, "lanes whose addresses lie in one block of so many bytes make one request: a power of two; 0: each lane makes its own";
        channels: u32 = [shape.lanes], number(1, 64), Published, "requests offered to the bank selector each cycle";
    }
    /// Figures of core-local memory.
    LocalTiming {
        banks: u32 = [pow2(shape.lanes)], power(1, 32), Skybox, "banks, interleaved by words";
        latency: u32 = [1], number(1, 128), Skybox, "cycles from a round of bank accesses to its answer";
    }
    /// Figures of the texture unit.
    TextureTiming {
        queue: u32 = [2], number(1, 64), Skybox, "batches (one `tex` of one warp) that may wait in front of the unit";
        address_cycles: u32 = [2], number(1, 64), Skybox, "cycles of address generation";
        filter_cycles: u32 = [2], number(1, 64), Published, "cycles of the filter, one for each axis, the same for point and bilinear";
        deduplication: Deduplication = [Deduplication::Lanes], Deduplication::KIND, Published, "which texel accesses of a batch are fetched once";
        merge_bytes: u32 = [4], power(1, 1024), Published, "texel accesses within one block of so many bytes count as the same";
        channels: u32 = [4], number(1, 128), Ours, "requests offered to the cache each cycle";
        cache: TexelCache = [TexelCache::Own], TexelCache::KIND, Skybox, "which cache holds texels";
    }
    /// Figures of the way to the level that the cores share.
    SharedTiming {
        latency: u32 = [8], number(8, 1024), Ours, "cycles on the way from a core to the shared level and back: how far cores can run apart";
    }
    /// Figures of the second-level cache.
    L2Timing {
        bytes: u32 = [0], number(0, 1 << 28), Skybox, "capacity, a power of two; 0: there is none (Skybox's size, where it is switched on: 1048576)";
        ways: u32 = [2], power(1, 64), Skybox, "lines of a set";
        latency: u32 = [4], number(1, 1024), Ours, "cycles of a hit; a miss takes them before it goes on to DRAM";
        interval: u32 = [1], number(1, 1024), Ours, "cycles between two requests that it takes";
        write_policy: WritePolicy = [WritePolicy::Back], WritePolicy::KIND, Skybox, "what a store does";
    }
    /// Figures of main memory.
    DramTiming {
        latency: u32 = [100], number(0, 100_000), Sampler, "cycles from the start of an access to its data";
        interval: u32 = [2], number(1, 1024), Sampler, "cycles between two lines of a channel: the inverse of its bandwidth";
        channels: u32 = [1], power(1, 64), Ours, "channels, interleaved by lines";
        banks: u32 = [16], power(1, 1024), Ours, "banks of a channel";
        row_bytes: u32 = [2048], power(64, 1 << 20), Ours, "bytes of a row";
        row_miss: u32 = [0], number(0, 100_000), Ours, "further cycles of an access to a row that is not open";
    }
    /// All figures of the memory side.
    MemoryTiming {
        model: MemoryModel = [MemoryModel::Real], MemoryModel::KIND, Ours, "whether memory is modelled, or every access hits in the first level";
        line_bytes: u32 = [64], power(16, 256), Skybox, "bytes of a line of every cache";
    } + {
        "The instruction cache of a core." icache: CacheTiming[0];
        "The data cache of a core." dcache: CacheTiming[1];
        "The texture cache of a core." tcache: CacheTiming[2];
        "Loads and stores." lsu: LsuTiming[0];
        "Local memory of a core." local: LocalTiming[0];
        "The texture unit of a core." texture: TextureTiming[0];
        "The way to the shared level." shared: SharedTiming[0];
        "The second-level cache, if there is one." l2: L2Timing[0];
        "Main memory." dram: DramTiming[0];
    }
}
